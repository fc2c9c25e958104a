"""Trains into a folder, without the lab's database: the command line. The order is kept there, so that a killed one resumes.

Not here: trainings that the lab keeps (`trainings`).
"""

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from lab_app.errors import BadValue, Cancelled, Conflict, LoadFailed, NotFound, TrainFailed, Unavailable, reason
from lab_app.files import replaced
from lab_app.number_words import size_words
from lab_app.services.lab import Lab
from lab_app.services.trainings.results import TrainingForecast, TrainingHeldOut, TrainingRequest, TrainingSource
from lab_app.services.trainings.trainings import MAX_SHARE, estimate, make_plan, make_text
from lab_app.training import checkpoint, output
from lab_app.training.control import Control
from lab_app.training.counting import count
from lab_app.training.option_text import ON_COMMAND_LINE
from lab_app.training.options import TrainingOptions, resolved
from lab_app.training.progress import HeldOutState, Progress
from lab_app.training.race import RacedTrainer, race
from lab_app.training.run import CountText, Plan, Run
from lab_app.training.sources import Reading, Text, first_part, texts_text

WORK = ".tokenlab-training"
ORDER = "order.json"
PRACTICE = "practice:"
LOCAL = "local"
LOCAL_WORKERS = 2
RACE_MERGES = 500
RACE_BYTES = 200_000
UTF8_BYTES = 4
"""The most bytes of a character: a text that is cut between characters may be so much shorter."""


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
    scheduler: str | None = None
    """The address of a cluster that counts, or `local`."""


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
    limits: list[str]
    """What was left out, in words: of the text, of the merges."""


Changed = Callable[[Progress], None]
Log = Callable[[str], None]


def train(
    lab: Lab, order: TrainingOrder, folder: Path, control: Control, changed: Changed, log: Log, *, force: bool = False
) -> TrainedFolder:
    """Trains and writes the files into `folder`. Raises as `Run.run` does, and Conflict if the folder holds a tokenizer or a
    training that can be resumed; not with `force`."""
    if not force:
        _check_free(folder)
    plan = plan_of(lab, order)
    output.check_writable(folder)
    _keep_order(order, folder / WORK)
    with _without_leftovers(folder):
        return _trained(plan, order.scheduler, folder, control, changed, log, resume=False)


def resume(
    lab: Lab, folder: Path, control: Control, changed: Changed, log: Log, scheduler: str | None = None
) -> TrainedFolder:
    """Goes on with a training of `train` that was killed. `scheduler` takes the place of the one that it had.

    Raises NotFound without one, and as `train` does.
    """
    order = _kept_order(folder)
    if not checkpoint.exists(folder / WORK):
        raise NotFound(f"{folder} holds no checkpoint", "start the training again")
    output.check_writable(folder)
    if checkpoint.Checkpoint.read(folder / WORK).stage == "merge":
        plan, scheduler = Plan(resolved(order.preset, _given(order)), Text("the counted text", ())), None
    else:
        plan, scheduler = plan_of(lab, order), scheduler or order.scheduler
    with _without_leftovers(folder):
        return _trained(plan, scheduler, folder, control, changed, log, resume=True)


def race_algorithms(lab: Lab, order: TrainingOrder) -> AlgorithmRace:
    """The four trainers on the first 200 kB of the text. Raises BadValue for options of another kind than BPE."""
    plan = plan_of(lab, order)
    start = first_part(plan.text, min(order.sample_bytes or RACE_BYTES, RACE_BYTES))
    text = texts_text([start.decode()], plan.text.title)
    counted = count(Reading(text, plan.options.as_json()), Control(), threads=1)
    merges = max(1, min(plan.options.vocab_size, RACE_MERGES))
    found = race(plan.options, counted.words, merges)
    limits = [f"the first {size_words(RACE_BYTES)} of the text"] if len(start) > RACE_BYTES - UTF8_BYTES else []
    limits += [f"at most {RACE_MERGES} merges"] if found[0].merges == RACE_MERGES else []
    return AlgorithmRace(plan.text.title, counted.words.unique, found, limits)


def estimate_order(lab: Lab, order: TrainingOrder) -> TrainingForecast:
    """Time and memory, from a sample."""
    return estimate(lab, request_of(lab, order))


def plan_of(lab: Lab, order: TrainingOrder) -> Plan:
    """What to train on and how. Raises BadValue, NotFound, LoadFailed."""
    return make_plan(lab, request_of(lab, order))


def request_of(lab: Lab, order: TrainingOrder) -> TrainingRequest:
    """An order as trainings of the lab are asked for. Raises BadValue, NotFound, LoadFailed."""
    return TrainingRequest(
        [_source(lab, each, order.column) for each in order.inputs],
        None,
        _held_out(lab, order),
        order.preset,
        _given(order),
        order.sample_bytes,
        order.threads or None,
        "skip" if order.skip_invalid else "replace",
    )


def _given(order: TrainingOrder) -> dict[str, Any]:
    """The options that differ from those of the preset."""
    before = resolved(order.preset, order.options).special_tokens
    more = [each for each in order.special_tokens if each not in before]
    return {**order.options, "special_tokens": [*before, *more]} if more else order.options


def _check_free(folder: Path) -> None:
    """Raises Conflict for a folder whose files a training would replace."""
    if checkpoint.exists(folder / WORK):
        raise Conflict(
            f"{folder} holds a training that can be resumed",
            "resume it, or choose another folder",
            on_terminal=f"{_resume_command(folder)}, or --force to start anew",
        )
    if (folder / output.MAIN).is_file():
        raise Conflict(
            f"{folder / output.MAIN} already exists",
            "give another folder",
            on_terminal="give another folder, or --force",
        )


def _keep_order(order: TrainingOrder, work: Path) -> None:
    """Makes the folder of a training anew, with its order. Raises Unavailable."""
    held = order.held_out
    held = held if held is None or _share(held) is not None else _absolute(held)
    kept = replace(order, inputs=[_absolute(each) for each in order.inputs], held_out=held)
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        with replaced(work / ORDER) as path:
            path.write_text(json.dumps(asdict(kept), ensure_ascii=False), "utf-8")
    except OSError as error:
        hint = "make room there, or remove it"
        raise Unavailable(f"{work} cannot be written: {reason(error)}", hint) from error


def _kept_order(folder: Path) -> TrainingOrder:
    """The order of a training. Raises NotFound, LoadFailed."""
    from pydantic import TypeAdapter, ValidationError

    path = folder / WORK / ORDER
    try:
        return TypeAdapter(TrainingOrder).validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"{folder} holds no training to resume", "name the folder of one that was killed") from error
    except OSError as error:
        raise LoadFailed(f"{path} cannot be read: {reason(error)}", "check its permissions") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise LoadFailed(
            f"{path} does not describe a training: {f'{place}: ' if place else ''}{first['msg']}",
            "start the training again in another folder",
            on_terminal="start the training again with --force",
        ) from error


@contextmanager
def _without_leftovers(folder: Path) -> Iterator[None]:
    """Removes what a training that fails leaves in the folder if nothing of it can be resumed."""
    try:
        yield
    except BaseException:
        if not checkpoint.exists(folder / WORK):
            shutil.rmtree(folder / WORK, ignore_errors=True)
        raise


def _trained(
    plan: Plan, scheduler: str | None, folder: Path, control: Control, changed: Changed, log: Log, *, resume: bool
) -> TrainedFolder:
    try:
        with ExitStack() as stack:
            counting = count if scheduler is None else _on_cluster(stack, scheduler)
            run = Run(replace(plan, count=counting), folder / WORK, control, changed, log, resume=resume)
            outcome = run.run()
    except Cancelled as error:
        can_resume = checkpoint.exists(folder / WORK)
        then = _resume_command(folder) if can_resume else "start the training again"
        raise Cancelled(error.message, error.hint, on_terminal=then) from error
    except TrainFailed as error:
        raise TrainFailed(error.message, error.hint, on_terminal=_in_options(error.hint)) from error
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


def _source(lab: Lab, name: str, column: str | None) -> TrainingSource:
    """A practice corpus, files, or the id of a corpus that no file is called like."""
    if name.startswith(PRACTICE):
        return TrainingSource("practice", name.removeprefix(PRACTICE))
    source = TrainingSource("path", path=name, column=column)
    try:
        make_text(lab, source)
    except BadValue:
        if not name or any(sign in name for sign in "/\\*?[."):
            raise
        return TrainingSource("corpus", name)
    return source


def _held_out(lab: Lab, order: TrainingOrder) -> TrainingHeldOut | None:
    given = order.held_out
    if given is None:
        return None
    share = _share(given)
    if share is None:
        return TrainingHeldOut(source=_source(lab, given, order.column))
    if not 0 < share <= MAX_SHARE:
        raise BadValue(f"held_out.share is {given}", f"give a number above 0 and at most {MAX_SHARE}, or a path")
    return TrainingHeldOut(share)


def _share(given: str) -> float | None:
    """The number that is held out; None for a path."""
    try:
        return float(given)
    except ValueError:
        return None


def _absolute(name: str) -> str:
    """The input as a path from the root, where it is a path; a resumed training may run in another folder."""
    if name.startswith(PRACTICE):
        return name
    path = Path(name).expanduser()
    return str(path.absolute()) if path.exists() or any(sign in name for sign in "/*?[") else name


def _resume_command(folder: Path) -> str:
    return shlex.join(["tokenlab", "train", "--resume", str(folder)])


def _in_options(hint: str) -> str:
    """A hint of the engine with the options of the command line.

    >>> print(_in_options("give a larger `vocab_size`, or a smaller `limit_alphabet`"))
    give a larger --vocab-size, or a smaller --option limit_alphabet
    """

    def option(found: re.Match[str]) -> str:
        name = found[1]
        return ON_COMMAND_LINE.get(name, f"--option {name}")

    names = "|".join(each.name for each in fields(TrainingOptions))
    return re.sub(f"`({names})`", option, hint)


def _on_cluster(stack: ExitStack, scheduler: str) -> CountText:
    from lab_app.cluster import connection, training

    opened = connection.local(LOCAL_WORKERS) if scheduler == LOCAL else connection.connected(scheduler)
    return training.counter(stack.enter_context(opened))
