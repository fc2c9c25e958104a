"""Trains into a folder, without the lab's database: the command line. The order is kept there, so that a killed one resumes.

Not here: trainings that the lab keeps (`trainings`).
"""

import json
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from lab_app.errors import BadValue, Cancelled, LoadFailed, NotFound, TrainFailed, Unavailable, reason
from lab_app.files import replaced
from lab_app.services import corpora
from lab_app.services.lab import Lab
from lab_app.services.training_results import TrainingForecast
from lab_app.services.trainings import MAX_SHARE, check_with_engine
from lab_app.training import checkpoint, output
from lab_app.training.control import Control
from lab_app.training.counting import count
from lab_app.training.estimate import estimate
from lab_app.training.options import TrainingOptions, resolved
from lab_app.training.progress import HeldOutState, Progress
from lab_app.training.race import RacedTrainer, race
from lab_app.training.run import CountText, Plan, Run
from lab_app.training.sources import Reading, Text, files_text, first_part, practice_text, texts_text, together

WORK = ".tokenlab-training"
ORDER = "order.json"
PRACTICE = "practice:"
LOCAL = "local"
LOCAL_WORKERS = 2
RACE_MERGES = 500
RACE_BYTES = 200_000


@dataclass(frozen=True)
class TrainingOrder:
    """What the command line asks for. `inputs`: files, folders, patterns, ids of corpora, or `practice:NAME`."""

    preset: str | None
    options: dict[str, Any]
    inputs: list[str]
    special_tokens: list[str] = field(default_factory=list)
    """Added to those of the preset."""
    column: str | None = None
    held_out: str | None = None
    sample_bytes: int | None = None
    threads: int = 0
    skip_invalid: bool = False


@dataclass(frozen=True)
class TrainedFolder:
    """The files of a training, and figures of it. None: not measured."""

    files: list[str]
    left_out: list[str]
    """Formats that cannot hold the tokenizer, with the reason."""
    vocab_size: int
    ended: str
    elapsed_s: float
    held_out: HeldOutState | None
    invalid_sequences: int | None
    split_words: int | None


@dataclass(frozen=True)
class AlgorithmRace:
    """The trainers of BPE on one text: merges, steps and times."""

    text: str
    words: int
    trainers: list[RacedTrainer]


Changed = Callable[[Progress], None]
Log = Callable[[str], None]


def train(
    lab: Lab,
    order: TrainingOrder,
    folder: Path,
    control: Control,
    changed: Changed,
    log: Log,
    scheduler: str | None = None,
) -> TrainedFolder:
    """Trains and writes the files into `folder`. A `scheduler` counts on a cluster. Raises as `Run.run` does."""
    plan = plan_of(lab, order)
    output.check_writable(folder)
    work = folder / WORK
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        kept = replace(order, inputs=[_absolute(each) for each in order.inputs])
        with replaced(work / ORDER) as path:
            path.write_text(json.dumps(asdict(kept), ensure_ascii=False), "utf-8")
    except OSError as error:
        raise Unavailable(f"{work} cannot be written: {reason(error)}", "make room there") from error
    with ExitStack() as stack:
        counting = count if scheduler is None else _on_cluster(stack, scheduler)
        return _trained(replace(plan, count=counting), folder, control, changed, log, resume=False)


def resume(lab: Lab, folder: Path, control: Control, changed: Changed, log: Log) -> TrainedFolder:
    """Goes on with a training of `train` that was killed. Raises NotFound without one, and as `train` does."""
    try:
        order = TrainingOrder(**json.loads((folder / WORK / ORDER).read_text("utf-8")))
    except FileNotFoundError as error:
        raise NotFound(f"{folder} holds no training to resume", "name the folder of one that was killed") from error
    except (OSError, ValueError, TypeError) as error:
        raise LoadFailed(f"{folder / WORK / ORDER} cannot be read: {error}", "start the training again") from error
    if not checkpoint.exists(folder / WORK):
        raise NotFound(f"{folder} holds no checkpoint", "start the training again")
    output.check_writable(folder)
    if checkpoint.Checkpoint.read(folder / WORK).stage == "merge":
        plan = Plan(options_of(order), Text("the counted text", ()))
    else:
        plan = plan_of(lab, order)
    return _trained(plan, folder, control, changed, log, resume=True)


def race_algorithms(lab: Lab, order: TrainingOrder) -> AlgorithmRace:
    """The four trainers on the first 200 kB of the text. Raises BadValue for options of another kind than BPE."""
    plan = plan_of(lab, order)
    start = first_part(plan.text, min(order.sample_bytes or RACE_BYTES, RACE_BYTES))
    text = texts_text([start.decode()], plan.text.title)
    counted = count(Reading(text, plan.options.as_json()), Control(), threads=1)
    merges = max(1, min(plan.options.vocab_size, RACE_MERGES))
    return AlgorithmRace(plan.text.title, counted.words.unique, race(plan.options, counted.words, merges))


def estimate_order(lab: Lab, order: TrainingOrder) -> TrainingForecast:
    """Time and memory, from a sample."""
    plan = plan_of(lab, order)
    found = estimate(plan.options, plan.text, threads=plan.threads)
    return TrainingForecast(found.text_bytes, found.seconds, found.memory_bytes, found.basis)


def options_of(order: TrainingOrder) -> TrainingOptions:
    """The options of an order. Raises BadValue."""
    options = resolved(order.preset, order.options)
    if order.special_tokens:
        more = [each for each in order.special_tokens if each not in options.special_tokens]
        given = {**order.options, "special_tokens": [*options.special_tokens, *more]}
        options = resolved(order.preset, given)
    check_with_engine(options)
    return options


def plan_of(lab: Lab, order: TrainingOrder) -> Plan:
    """What to train on and how. Raises BadValue, NotFound, LoadFailed."""
    text = together([_text(lab, each, order.column) for each in order.inputs])
    if order.sample_bytes is not None:
        text = Text(text.title, text.sources, order.sample_bytes)
    if not text.bytes:
        raise BadValue(f"{text.title} is empty", "name files with text in them")
    return Plan(options_of(order), text, _held_out(lab, order), order.threads, order.skip_invalid)


def _trained(plan: Plan, folder: Path, control: Control, changed: Changed, log: Log, *, resume: bool) -> TrainedFolder:
    run = Run(plan, folder / WORK, control, changed, log, resume=resume)
    try:
        outcome = run.run()
    except Cancelled as error:
        raise Cancelled(error.message, error.hint, on_terminal=f"tokenlab train --resume {folder}") from error
    except TrainFailed as error:
        if "`vocab_size`" not in error.hint:
            raise
        # The other options that the hint names are not on the command line.
        raise TrainFailed(error.message, error.hint, on_terminal="give a larger --vocab-size") from error
    written = output.write_tokenizer(outcome.tokenizer, folder, every_format=True)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    now = run.tracker.now
    return TrainedFolder(
        [str(file) for file in written.files],
        list(written.left_out),
        outcome.tokenizer.vocab_size,
        outcome.words,
        now.elapsed_s,
        now.held_out,
        now.invalid_sequences,
        now.split_words,
    )


def _text(lab: Lab, name: str, column: str | None) -> Text:
    if name.startswith(PRACTICE):
        return practice_text(name.removeprefix(PRACTICE))
    try:
        return files_text([name], column)
    except BadValue:
        if any(sign in name for sign in "/\\*?[."):
            raise
        found = corpora.corpus(lab, name)
        return Text(found.title, (found,))


def _held_out(lab: Lab, order: TrainingOrder) -> float | Text | None:
    given = order.held_out
    if given is None:
        return None
    try:
        share = float(given)
    except ValueError:
        return _text(lab, given, order.column)
    if not 0 < share <= MAX_SHARE:
        raise BadValue(f"a held-out share of {given}", f"give a number above 0 and at most {MAX_SHARE}, or a path")
    return share


def _absolute(name: str) -> str:
    """The input as a path from the root, where it is a path; a resumed training may run in another folder."""
    if name.startswith(PRACTICE):
        return name
    path = Path(name).expanduser()
    return str(path.absolute()) if path.exists() or any(sign in name for sign in "/*?[") else name


def _on_cluster(stack: ExitStack, scheduler: str) -> CountText:
    from lab_app.cluster import connection, training

    opened = connection.local(LOCAL_WORKERS) if scheduler == LOCAL else connection.connected(scheduler)
    return training.counter(stack.enter_context(opened))
