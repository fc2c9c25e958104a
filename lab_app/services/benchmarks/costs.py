"""Measures what encoding and training cost: stages, growth, inputs that break encoders, races of algorithms. Each is a job.

Its result is a `CostReport` with the part that was measured, which is kept (`kept_costs`). Not here: measuring
(`lab_app.benchmarks`), whole benchmarks (`benchmarks`).
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from lab_app.benchmarks.cost import growth
from lab_app.benchmarks.cost import worker as cost_worker
from lab_app.benchmarks.cost.inputs import INPUTS
from lab_app.benchmarks.cost.pathological import BYTES, LIMIT_MB_PER_S, pathological
from lab_app.benchmarks.cost.processes import Candidate, Processes, processes
from lab_app.benchmarks.cost.race import algorithms, race
from lab_app.benchmarks.cost.trainers import MAX_MERGES, race_trainers, trainer_sizes
from lab_app.benchmarks.growth_result import CostReport, Growth, Profile
from lab_app.benchmarks.options import MAX_COST_BYTES, MIN_COST_BYTES, CostOptions
from lab_app.benchmarks.process import SubjectProcess
from lab_app.benchmarks.profile import profile
from lab_app.benchmarks.result import BenchmarkSettings, Subject
from lab_app.benchmarks.speed.workload import Workload
from lab_app.benchmarks.stages import ROUNDS as STAGE_ROUNDS
from lab_app.benchmarks.stages import stage_report
from lab_app.errors import BadValue, plain_number
from lab_app.files import temporary_folder
from lab_app.jobs.job import Job, Running
from lab_app.library.tokenizer_files import tokenizer_files
from lab_app.options import check_options
from lab_app.peers import registry
from lab_app.peers.peer import TokenizerFiles
from lab_app.services.benchmarks.benchmarks import MEMORY_BYTES, read_text
from lab_app.services.benchmarks.kept_costs import TITLES, CostKind, keep
from lab_app.services.benchmarks.measuring import alone
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.restarting import call_of
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.trainings.results import TrainingSource
from lab_app.services.trainings.trainings import make_text
from lab_app.training.options import resolved
from lab_app.training.sources import Text, first_part

Axis = Literal["bytes", "threads", "vocab_size"]
MAX_SUBJECTS = 16
AXIS_BYTES = 1_000_000
"""Length of the text where the axis is not its length."""
PROFILE_BYTES = 1_000_000
RACED_TEXT = TrainingSource("practice", name="topics")
"""What trainers race on if no text is named."""
RACED_BYTES = 1_000_000
RACED_PRESET = "gpt2"
SHOWN_BYTES = 300
"""Of a text that encoders raced on, for a lesson."""
SHOWN_TRAINING_BYTES = 4000
"""The same of trainers."""


def start_growth(lab: Lab, subjects: Sequence[Subject], axis: Axis, options: CostOptions) -> Job:
    """A job that measures time against one quantity. Raises as `check` does."""
    check(lab, subjects, options)
    call = call_of(start_growth, subjects=subjects, axis=axis, options=options)
    return _submit(lab, "growth", lambda running: measure_growth(lab, subjects, axis, options, running), call)


def start_pathological(
    lab: Lab,
    subjects: Sequence[Subject],
    options: CostOptions,
    bytes: int = BYTES,
    limit_mb_per_s: float = LIMIT_MB_PER_S,
) -> Job:
    """A job that runs the inputs that break encoders. Raises as `check` does."""
    check(lab, subjects, options)
    _check_inputs(bytes, limit_mb_per_s)

    def work(running: Running) -> CostReport:
        return measure_pathological(lab, subjects, options, running, bytes, limit_mb_per_s)

    call = call_of(start_pathological, subjects=subjects, options=options, bytes=bytes, limit_mb_per_s=limit_mb_per_s)
    return _submit(lab, "pathological", work, call)


def start_race(lab: Lab, tokenizer: str, options: CostOptions) -> Job:
    """A job that races the algorithms for byte-pair encoding. Raises as `check` does."""
    check(lab, [Subject(tokenizer, registry.OURS)], options)
    call = call_of(start_race, tokenizer=tokenizer, options=options)
    return _submit(lab, "race", lambda running: measure_race(lab, tokenizer, options, running), call)


def start_trainers(lab: Lab, source: TrainingSource, merges: int, options: CostOptions) -> Job:
    """A job that races the algorithms of BPE training. Raises as `check_trainers` and `make_text` do."""
    text = make_text(lab, source)
    check_trainers(text, merges, options)
    call = call_of(start_trainers, source=source, merges=merges, options=options)
    return _submit(lab, "trainers", lambda running: measure_trainers(lab, text, merges, options, running), call)


def start_stages(lab: Lab, text: BenchmarkSettings, rounds: int = STAGE_ROUNDS, spans: bool = False) -> Job:
    """A job that measures the stages of the tokenizers of `text` on its documents, `max_bytes` of them at most.

    Raises as `check` does, and BadValue for a plug-in.
    """
    ids = [each.tokenizer for each in text.subjects]
    check(lab, text.subjects, CostOptions(rounds=rounds, max_bytes=text.max_bytes))
    for id in ids:
        lab.loaded.get(id)

    def work(running: Running) -> CostReport:
        return measure_stages(lab, ids, read_text(lab, text), running, rounds, spans)

    return _submit(lab, "stages", work, call_of(start_stages, text=text, rounds=rounds, spans=spans))


def check(lab: Lab, subjects: Sequence[Subject], options: CostOptions) -> None:
    """Raises BadValue for options that cannot be, NotFound for an unknown tokenizer."""
    if not 1 <= len(subjects) <= MAX_SUBJECTS:
        raise BadValue(f"{len(subjects)} subjects cannot be measured", f"name 1 to {MAX_SUBJECTS}")
    _check_options(options)
    for subject in subjects:
        lab.catalog.entry(subject.tokenizer)
        registry.adapter(subject.engine)


def check_trainers(text: Text, merges: int, options: CostOptions) -> None:
    """Raises BadValue for options that cannot be, and for a text that is empty."""
    _check_options(options)
    if not 1 <= merges <= MAX_MERGES:
        raise BadValue(f"merges is {merges}", f"give a number from 1 to {MAX_MERGES}")
    if not text.bytes:
        raise BadValue(f"{text.title} is empty", "choose a text with words in it")


def _check_options(options: CostOptions) -> None:
    check_options(options)
    if options.input not in INPUTS:
        raise BadValue(f'"{options.input}" is no kind of text', f"choose from {', '.join(INPUTS)}")


def measure_growth(
    lab: Lab, subjects: Sequence[Subject], axis: Axis, options: CostOptions, running: Running
) -> CostReport:
    """Time against one quantity. Raises what `check` raises, what loading a tokenizer raises, and Cancelled."""
    check(lab, subjects, options)
    plan = _plan(options)
    with _prepared(lab, subjects, running) as (opened, candidates):
        usable = [candidate for candidate, problem in candidates if problem is None]
        if axis == "bytes":
            sizes = [size for size in growth.SIZES if size <= options.max_bytes]
            found = growth.growth_in_bytes(opened, usable, plan, sizes, _reporting(running, len(sizes)))
        elif axis == "threads":
            threads = range(1, _cores() + 1)
            size = min(AXIS_BYTES, options.max_bytes)
            found = growth.growth_in_threads(opened, usable, threads, plan, size, _reporting(running))
        else:
            size, report = min(AXIS_BYTES, options.max_bytes), _reporting(running, len(usable))
            found = _in_vocab_size(lab, opened, usable, plan, size, report)
    return CostReport(growth=[growth.with_problems(found, candidates)])


def _in_vocab_size(
    lab: Lab, opened: Processes, candidates: Sequence[Candidate], plan: growth.Plan, bytes: int, report: growth.Progress
) -> Growth:
    vocabularies: list[tuple[Candidate, Sequence[int], str | None]] = []
    for candidate in candidates:
        _, tokenizer = lab.loaded.get(candidate.tokenizer)
        sizes = tokenizer.truncated_sizes
        problem = None
        if candidate.engine != registry.OURS:
            problem = "only the lab's engine truncates vocabularies"
        elif sizes is None:
            problem = "this vocabulary cannot be truncated; choose a tokenizer with merges or scores"
        vocabularies.append((candidate, growth.vocab_sizes(*sizes) if sizes else [], problem))
    return growth.growth_in_vocab_size(opened, vocabularies, plan, bytes, report)


def measure_pathological(
    lab: Lab,
    subjects: Sequence[Subject],
    options: CostOptions,
    running: Running,
    bytes: int = BYTES,
    limit_mb_per_s: float = LIMIT_MB_PER_S,
) -> CostReport:
    """The inputs that break encoders, with a limit line. Raises as `measure_growth` does."""
    check(lab, subjects, options)
    _check_inputs(bytes, limit_mb_per_s)
    with _prepared(lab, subjects, running) as (opened, candidates):
        found = pathological(
            opened,
            candidates,
            bytes=bytes,
            limit_mb_per_s=limit_mb_per_s,
            rounds=options.rounds,
            limit_ns=int(options.limit_s * 1e9),
            seed=options.seed,
            progress=_reporting(running),
        )
    return CostReport(pathological=found)


def _check_inputs(bytes: int, limit_mb_per_s: float) -> None:
    if not MIN_COST_BYTES <= bytes <= MAX_COST_BYTES:
        raise BadValue.out_of_range("bytes", bytes, MIN_COST_BYTES, MAX_COST_BYTES)
    if not limit_mb_per_s > 0:
        raise BadValue(f"limit_mb_per_s is {plain_number(limit_mb_per_s)}", "give a number above 0")


def measure_race(lab: Lab, tokenizer: str, options: CostOptions, running: Running) -> CostReport:
    """The race of algorithms. Raises as `measure_growth` does."""
    check(lab, [Subject(tokenizer, registry.OURS)], options)
    sizes = [size for size in growth.SIZES if size <= options.max_bytes]
    with _opened(running) as (opened, folder):
        entry, files = _files(lab, tokenizer, folder)
        found = race(opened, entry, algorithms(files), _plan(options), sizes, _reporting(running, len(sizes)))
    shown = INPUTS[options.input].make(min(SHOWN_BYTES, options.max_bytes), options.seed)
    return CostReport(race=replace(found, beginning=shown))


def measure_trainers(lab: Lab, text: Text, merges: int, options: CostOptions, running: Running) -> CostReport:
    """The race of the algorithms of BPE training. Raises as `check_trainers` does, LoadFailed for files that cannot be read,
    and Cancelled."""
    check_trainers(text, merges, options)
    training = resolved(RACED_PRESET, {})
    with _opened(running) as (opened, folder):
        start = first_part(text, options.max_bytes, running.check)
        if not start.strip():
            raise BadValue(f"{text.title} has no words", "choose a text with words in it")
        path = folder / "text"
        path.write_bytes(start)
        plan = growth.Plan({"path": str(path)}, text.title, options.rounds, int(options.limit_s * 1e9), options.seed)
        sizes = trainer_sizes(len(start), options.max_bytes)
        found = race_trainers(opened, training, merges, plan, sizes, _reporting(running, len(sizes)))
    shown = start[:SHOWN_TRAINING_BYTES].decode("utf-8", "ignore")
    return CostReport(trainers=replace(found, beginning=shown))


def measure_stages(
    lab: Lab, ids: Sequence[str], texts: Workload, running: Running, rounds: int = STAGE_ROUNDS, spans: bool = False
) -> CostReport:
    """The stages of tokenizers on all documents of a text. Raises BadValue for a plug-in, and Cancelled."""
    tokenizers = [(entry.id, tokenizer) for entry, tokenizer in (lab.loaded.get(id) for id in dict.fromkeys(ids))]
    found = stage_report(texts.title, tokenizers, texts.documents, rounds=rounds, spans=spans, check=running.check)
    return CostReport(stages=found)


def profile_text(lab: Lab, id: str, text: str) -> Profile:
    """Where the time goes inside of one document: its stages, and the time of each part of it.

    Raises BadValue for a text above 1 MB or without characters, and for a plug-in; EncodeFailed as `encode` does.

    >>> from lab_app.settings import Settings
    >>> found = profile_text(Lab(Settings()), "gpt2", "Hello, world. " * 20)
    >>> found.slices[0].start_utf8, found.slices[-1].end_utf8, [row.path for row in found.rows]
    (0, 280, ['fast', 'stages'])
    """
    refuse_surrogates(text)
    size = len(text.encode())
    if not 1 <= size <= PROFILE_BYTES:
        raise BadValue(f"the text has {size} bytes", f"give 1 to {PROFILE_BYTES} bytes")
    entry, tokenizer = lab.loaded.get(id)
    with translate_engine_errors():
        return profile(entry.id, tokenizer, text)


def _submit(lab: Lab, kind: CostKind, work: Callable[[Running], CostReport], call: str) -> Job:
    """A job that measures alone and keeps its report."""

    def measure(running: Running) -> CostReport:
        with alone(lab, running):
            report = work(running)
        return keep(lab, kind, report)

    return lab.jobs.submit(kind, TITLES[kind], measure, unit="steps", call=call)


def _plan(options: CostOptions) -> growth.Plan:
    return growth.Plan(
        {"input": options.input},
        INPUTS[options.input].description,
        options.rounds,
        int(options.limit_s * 1e9),
        options.seed,
    )


def _reporting(running: Running, steps: int | None = None) -> growth.Progress:
    """Counts the steps of a job. `steps`: how many there are, if that is known."""
    done = 0

    def report(words: str) -> None:
        nonlocal done
        running.report(done, steps, words)
        done += 1

    return report


@contextmanager
def _opened(running: Running) -> Iterator[tuple[Processes, Path]]:
    """Processes, and a folder for the files that they read."""

    def start(candidate: Candidate) -> SubjectProcess:
        return SubjectProcess(candidate.threads, MEMORY_BYTES, running.check, cost_worker.main)

    with temporary_folder() as folder, processes(start) as opened:
        yield opened, folder


@contextmanager
def _prepared(
    lab: Lab, subjects: Sequence[Subject], running: Running
) -> Iterator[tuple[Processes, list[tuple[Candidate, str | None]]]]:
    """Processes, and each subject as a candidate with the reason why it cannot be measured, if there is one."""
    with _opened(running) as (opened, folder):
        files = {id: _files(lab, id, folder) for id in dict.fromkeys(subject.tokenizer for subject in subjects)}
        yield opened, [_candidate(subject.engine, *files[subject.tokenizer]) for subject in subjects]


def _files(lab: Lab, id: str, folder: Path) -> tuple[str, TokenizerFiles]:
    entry, tokenizer = lab.loaded.get(id)
    return entry.id, tokenizer_files(entry, tokenizer, folder / str(len(list(folder.iterdir()))))


def _candidate(engine: str, tokenizer: str, files: TokenizerFiles) -> tuple[Candidate, str | None]:
    state = registry.state(engine, files)
    problem = state.misfit
    if state.version is None:
        problem = f"not installed: {state.install}"
    load: dict[str, Any] = {
        "kind": "engine",
        "engine": registry.MODULES[engine],
        "files": vars(files),
        "batch": False,
    }
    return Candidate(Subject(tokenizer, engine).key, engine, tokenizer, load, group=tokenizer), problem


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
