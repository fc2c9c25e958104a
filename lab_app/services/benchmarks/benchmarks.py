"""Benchmarks: start one as a job, list, read, delete and repeat what is kept.

Not here: measuring (`lab_app.benchmarks`), usual choices (`presets`), comparing two runs (`changes`),
files of a result (`lab_app.reports.benchmark`).
"""

import shlex
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from lab_app.benchmarks.environment import chosen_cpus, environment, usable_cpus
from lab_app.benchmarks.options import Output, Shape, Temperature
from lab_app.benchmarks.process import SubjectProcess
from lab_app.benchmarks.result import (
    BenchmarkResult,
    BenchmarkRow,
    BenchmarkSettings,
    Environment,
    Noise,
    Ratio,
    RunState,
    Subject,
)
from lab_app.benchmarks.speed import noise, worker
from lab_app.benchmarks.speed.entrant import Entrant
from lab_app.benchmarks.speed.runner import Plan, Runner
from lab_app.benchmarks.speed.workload import Workload, workload
from lab_app.corpora.finding import expanded
from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Cancelled, LabError, LoadFailed, reason
from lab_app.files import temporary_folder
from lab_app.jobs.job import Job, Running
from lab_app.json_text import json_text
from lab_app.library.tokenizer_files import tokenizer_files
from lab_app.options import check_options, command_words
from lab_app.peers import registry
from lab_app.peers.peer import TokenizerFiles
from lab_app.peers.registry import EngineState
from lab_app.services.benchmarks.measuring import alone
from lab_app.services.corpora import corpora
from lab_app.services.corpora.texts import corpus_texts
from lab_app.services.formats import files_of
from lab_app.services.lab import Lab
from lab_app.services.records import delete_record, list_records, load_record
from lab_app.services.restarting import call_of
from lab_app.store import records
from lab_app.store.records import Record
from lab_app.times import now_text

MAX_SUBJECTS = 32
KEEP_S = 2.0
"""How often a running benchmark is written to the database, at most."""
KEEP_SHARE = 20
"""It runs for this many times as long as the last time took: intervals of many samples take longer than their rounds."""
MEMORY_BYTES = 16_000_000_000
"""The most that one engine may hold."""
TABLES = {".jsonl", ".csv", ".tsv", ".parquet", ".gz", ".zst"}
"""Files whose documents are records: read as a corpus. Others are one text."""
PASTED = "Pasted text"


@dataclass(frozen=True)
class BenchmarkSummary:
    """A kept benchmark in a list."""

    id: int
    title: str
    created_at: str
    """UTC, ISO 8601."""
    state: RunState
    engines: list[str]
    tokenizers: list[str]
    temperature: Temperature
    shape: Shape
    output: Output
    threads: int
    text_title: str
    text_bytes: int
    noise_spread: float | None
    baseline: str | None
    winner: str | None
    """The key of the row of rank 1."""
    winner_ratio: Ratio | None
    """None if the winner is the baseline."""


@dataclass(frozen=True)
class BenchmarkList:
    """The kept benchmarks, the newest first."""

    benchmarks: list[BenchmarkSummary]


@dataclass(frozen=True)
class BenchmarkStarted:
    """The result of a job while it runs."""

    id: int


@dataclass(frozen=True)
class BenchmarkEngines:
    """All engines, for one tokenizer if it was named."""

    tokenizer: str | None
    engines: list[EngineState]


@dataclass(frozen=True)
class BenchmarkEnvironment:
    """The machine now."""

    environment: Environment
    noise: Noise


Keep = Callable[[BenchmarkResult], None]


def start(lab: Lab, settings: BenchmarkSettings, title: str = "") -> Job:
    """A job that runs a benchmark and keeps it; its result is the BenchmarkSummary, and its id while it runs.

    Raises as `check` does.
    """
    check(lab, settings)
    words = title or title_of(settings)

    def work(running: Running) -> BenchmarkSummary:
        with alone(lab, running):
            return summary(run_and_keep(lab, settings, words, running))

    call = call_of(start, settings=settings, title=title)
    return lab.jobs.submit("benchmark", words, work, unit="samples", call=call)


def run_again(lab: Lab, id: int) -> Job:
    """A job with the settings of a kept benchmark. Raises NotFound, and as `start` does."""
    found = load(lab, id)
    return start(lab, found.settings, found.title)


def run_and_keep(lab: Lab, settings: BenchmarkSettings, title: str, running: Running) -> BenchmarkResult:
    """Runs a benchmark and keeps it from the start on, with the rounds that were finished if it is stopped.

    Raises as `run` does.
    """
    id: int | None = None

    def keep(result: BenchmarkResult) -> None:
        nonlocal id
        facts, text = _facts(result), json_text(result)
        if id is None:
            id = records.add(
                lab.database,
                "benchmark",
                result.title,
                facts,
                text,
                state=result.state,
                owner=lab.owners.hold(),
                created_at=result.created_at,
            )
            running.update(result=BenchmarkStarted(id))
        else:
            records.change(lab.database, "benchmark", id, state=result.state, facts=facts, result=text)

    return replace(run(lab, settings, title, running, keep), id=id)


def run(
    lab: Lab,
    settings: BenchmarkSettings,
    title: str,
    running: Running,
    keep: Keep = lambda result: None,
) -> BenchmarkResult:
    """Runs a benchmark. `keep` gets the result at the start, now and then, and at the end, however that comes.

    Raises as `check` does, Cancelled, and what reading the text or the tokenizers raises.
    """
    check(lab, settings)
    begin = time.monotonic()
    text = read_text(lab, settings)
    cpus = chosen_cpus(settings.threads)
    card = environment(cpus)
    running.report(0, None, "measuring the noise of this machine")
    noisy = noise.measure(check=running.check)
    first = BenchmarkResult(
        id=None,
        title=title or title_of(settings),
        created_at=now_text(),
        state="running",
        settings=settings,
        command=shlex.join(command(settings)),
        environment=card,
        noise=noisy,
        text=text.facts(),
        baseline=None,
        rows=[],
        rounds_done=0,
        elapsed_s=0.0,
        notes=[],
    )
    with temporary_folder() as name:
        entrants, references, tokenizers = _entrants(lab, settings, name)
        plan = Plan(
            settings=settings,
            workload=text,
            entrants=entrants,
            references=references,
            open=lambda entrant: SubjectProcess(settings.threads, MEMORY_BYTES, running.check, worker.main),
            folder=name,
            cpus=cpus,
            decode=lambda id, ids: tokenizers[id].decode_bytes(ids),
            report=running.report,
        )
        runner = Runner(plan)

        def now(state: RunState) -> BenchmarkResult:
            baseline, rows = runner.baseline(), runner.rows()
            return replace(
                first,
                state=state,
                baseline=None if baseline is None else baseline.key,
                rows=rows,
                rounds_done=runner.rounds_done,
                elapsed_s=time.monotonic() - begin,
                notes=_notes(settings, runner, rows, references),
            )

        keep(now("running"))
        next_keep = time.monotonic() + KEEP_S

        def keep_round() -> None:
            nonlocal next_keep
            ended = time.monotonic()
            if ended >= next_keep:
                keep(now("running"))
                kept = time.monotonic()
                next_keep = kept + max(KEEP_S, KEEP_SHARE * (kept - ended))

        try:
            runner.run(keep_round)
        except BaseException as error:
            with suppress(LabError):  # what ended the run matters more, such as the full disk that also refuses this
                keep(now("cancelled" if isinstance(error, Cancelled | KeyboardInterrupt) else "interrupted"))
            raise
        result = now("done")
    keep(result)
    return result


def check(lab: Lab, settings: BenchmarkSettings) -> None:
    """Raises BadValue for settings that cannot be, NotFound for an unknown tokenizer or corpus."""
    keys = [each.key for each in settings.subjects]
    if not 1 <= len(keys) <= MAX_SUBJECTS or len(set(keys)) < len(keys):
        raise BadValue(f"{len(keys)} subjects were chosen", f"choose 1 to {MAX_SUBJECTS} different ones")
    if settings.baseline not in keys:
        raise BadValue(f"the baseline {settings.baseline} is not measured", f"choose among {', '.join(keys)}")
    check_options(settings)
    if not 1 <= settings.threads <= (most_threads := len(usable_cpus()) or 1):
        raise BadValue.out_of_range("threads", settings.threads, 1, most_threads)
    for subject in settings.subjects:
        registry.adapter(subject.engine)
        lab.catalog.entry(subject.tokenizer)
    if settings.source.kind == "corpus":
        corpora.corpus(lab, settings.source.name)
    elif settings.source.kind == "file" and not expanded(settings.source.name).name:
        raise BadValue(f'"{settings.source.name}" is no file', "give the path of a file or folder on this machine")
    elif settings.source.kind == "text" and not settings.source.text:
        raise BadValue("the text is empty", "give some text")


def read_text(lab: Lab, settings: BenchmarkSettings) -> Workload:
    """The text of a run. Raises NotFound, LoadFailed, BadValue if it has none."""
    source, most = settings.source, settings.max_bytes
    if source.kind == "text":
        text = source.text or ""
        return workload(source.name or PASTED, [text], most, len(text.encode("utf-8", "replace")))
    if source.kind == "file":
        path = expanded(source.name)
        if not path.is_dir() and path.suffix.lower() not in TABLES:
            text, size = _file_text(path, most)
            return workload(path.name, [text], most, size)
        corpus = corpora.named_corpus(lab, [source.name])
    else:
        corpus = corpora.corpus(lab, source.name)
    documents = (document for batch in corpus_texts(corpus, None, 0).read() for document in batch)
    return workload(corpus.title, _with_line_ends(documents), most, corpus.bytes)


def list_benchmarks(lab: Lab) -> BenchmarkList:
    """All kept benchmarks, the newest first."""
    return BenchmarkList([_as_summary(each) for each in list_records(lab, "benchmark")])


def load(lab: Lab, id: int) -> BenchmarkResult:
    """A kept benchmark; of one that runs, what it has so far. Raises NotFound."""
    import json

    from pydantic import TypeAdapter

    record, text = load_record(lab, "benchmark", id)
    return TypeAdapter(BenchmarkResult).validate_python(
        json.loads(text) | {"id": id, "title": record.title, "state": record.state}
    )


def delete(lab: Lab, id: int) -> None:
    """Deletes a kept benchmark. Raises NotFound."""
    delete_record(lab, "benchmark", id)


def engines(lab: Lab, tokenizer: str | None = None) -> BenchmarkEngines:
    """Which engines are installed, and which read a tokenizer. Raises NotFound, BadValue for a plug-in."""
    if tokenizer is None:
        return BenchmarkEngines(None, registry.states())
    files = files_of(lab, tokenizer)
    return BenchmarkEngines(files.tokenizer, registry.states(files))


def measured_environment() -> BenchmarkEnvironment:
    """The environment and the noise now; takes a fifth of a second."""
    return BenchmarkEnvironment(environment(), noise.measure())


def summary(result: BenchmarkResult) -> BenchmarkSummary:
    """A kept result in a list."""
    assert result.id is not None
    return BenchmarkSummary(
        id=result.id, title=result.title, created_at=result.created_at, state=result.state, **_facts(result)
    )


def title_of(settings: BenchmarkSettings) -> str:
    """A title made from what is compared.

    >>> from lab_app.benchmarks.result import Subject, TextSource
    >>> source = TextSource("corpus", "udhr")
    >>> title_of(BenchmarkSettings([Subject("gpt2", "tokenlab"), Subject("gpt2", "tiktoken")], source, ""))
    'tokenlab, tiktoken: gpt2'
    """
    engines = list(dict.fromkeys(each.engine for each in settings.subjects))
    tokenizers = list(dict.fromkeys(each.tokenizer for each in settings.subjects))
    words = [
        ", ".join(each[:3]) + (f" and {len(each) - 3} more" if len(each) > 3 else "") for each in (engines, tokenizers)
    ]
    return f"{words[0]}: {words[1]}"


def command(settings: BenchmarkSettings, *, with_folder: bool = False) -> list[str]:
    """The words of the command that repeats a run. Pasted text comes from stdin.

    A file is named without its folder, which reports do not tell others, unless `with_folder`.
    """
    words = ["tokenlab", "bench"]
    words += [word for each in settings.subjects for word in ("--subject", each.key)]
    source = settings.source
    if source.kind == "corpus":
        words += ["--corpus", source.name]
    else:
        file = source.name if with_folder else Path(source.name).name
        words += ["--file", file] if source.kind == "file" else ["-"]
    return [*words, "--baseline", settings.baseline, *command_words(settings)]


def _entrants(
    lab: Lab, settings: BenchmarkSettings, folder: Path
) -> tuple[list[Entrant], dict[str, Entrant], dict[str, Tokenizer]]:
    """The subjects, those with the expected ids, and the tokenizers of the engine, by tokenizer."""
    made: dict[str, tuple[TokenizerFiles, str | None]] = {}
    tokenizers: dict[str, Tokenizer] = {}
    entrants = []
    for number, subject in enumerate(settings.subjects):
        entry, tokenizer = lab.loaded.get(subject.tokenizer)
        if subject.tokenizer not in made:
            made[subject.tokenizer] = tokenizer_files(entry, tokenizer, folder / f"tokenizer-{number}"), entry.sha256
            tokenizers[subject.tokenizer] = tokenizer
        entrants.append(_entrant(subject, *made[subject.tokenizer]))
    references = {}
    for id, (files, sha256) in made.items():
        name = registry.reference(files)
        if name is None and sum(each.subject.tokenizer == id for each in entrants) > 1:
            name = registry.OURS
        if name is not None:
            expected = Subject(id, name)
            known = next((each for each in entrants if each.subject == expected), None)
            references[id] = known or _entrant(expected, files, sha256)
    return entrants, references, tokenizers


def _entrant(subject: Subject, files: TokenizerFiles, sha256: str | None) -> Entrant:
    state = registry.state(subject.engine, files)
    found = Entrant(subject, registry.MODULES[subject.engine], files, state.version, sha256)
    if state.version is None:
        found.state, found.message, found.install = "missing", f"{state.title} is not installed.", state.install
    elif state.misfit is not None:
        found.state, found.message = "unsupported", f"{state.misfit[:1].upper()}{state.misfit[1:]}."
    return found


def _notes(
    settings: BenchmarkSettings, runner: Runner, rows: list[BenchmarkRow], references: dict[str, Entrant]
) -> list[str]:
    notes = list(runner.notes)
    baseline = runner.baseline()
    if baseline is not None and baseline.key != settings.baseline:
        notes.append(f"{settings.baseline} has no figures: ratios are to {baseline.key}.")
    for id in dict.fromkeys(each.tokenizer for each in settings.subjects):
        reference = references.get(id)
        if reference is None:
            notes.append(f"No reference library reads {id}: its IDs were not checked.")
        elif reference.subject.engine == registry.OURS:
            notes.append(f"No reference library reads {id}: IDs were compared with those of the lab's own engine.")
    waited = [row.key for row in rows if row.cores_used is not None and row.cores_used < 0.9]
    if waited:
        notes.append(f"{', '.join(waited)} had to wait for a CPU: other programs were running.")
    return notes


def _facts(result: BenchmarkResult) -> dict[str, Any]:
    settings = result.settings
    winner = next((row for row in result.rows if row.rank == 1), None)
    return {
        "engines": list(dict.fromkeys(each.engine for each in settings.subjects)),
        "tokenizers": list(dict.fromkeys(each.tokenizer for each in settings.subjects)),
        "temperature": settings.temperature,
        "shape": settings.shape,
        "output": settings.output,
        "threads": settings.threads,
        "text_title": result.text.title,
        "text_bytes": result.text.bytes,
        "noise_spread": None if result.noise is None else result.noise.spread,
        "baseline": result.baseline,
        "winner": None if winner is None else winner.key,
        "winner_ratio": None if winner is None or winner.ratio is None else vars(winner.ratio),
    }


def _as_summary(found: Record) -> BenchmarkSummary:
    ratio = found.facts["winner_ratio"]
    facts = found.facts | {"winner_ratio": None if ratio is None else Ratio(**ratio)}
    return BenchmarkSummary(
        id=found.id,
        title=found.title,
        created_at=found.created_at,
        state=cast(RunState, found.state),
        **facts,
    )


def _file_text(path: Path, most: int) -> tuple[str, int]:
    """The first bytes of a file as text, and the size of the whole file."""
    try:
        size = path.stat().st_size
        if not path.is_file():  # opening a pipe waits for its other end, and nothing stops that
            raise LoadFailed(f"{path} is no file with contents", "choose a file; a pipe or a device has no size")
        with path.open("rb") as stream:
            return stream.read(most + 4).decode("utf-8", "replace"), size
    except OSError as error:
        raise LoadFailed(f"{path} cannot be read: {reason(error)}", "choose another file") from error


def _with_line_ends(documents: Iterable[str]) -> Iterator[str]:
    """A corpus of lines has its line ends again, so that the whole text is the text."""
    return (document if document.endswith("\n") or not document else f"{document}\n" for document in documents)
