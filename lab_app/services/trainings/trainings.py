"""Trainings: estimate, start, list, watch, pause, continue, stop and keep, resume, cancel, delete.

Not here: those that run (`runs`), their steps and charts (`steps`), their files and the catalog
(`files`).
"""

import contextlib
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lab_app import paths
from lab_app.errors import BadRequest, BadValue, Conflict, LabError, NotFound, Unavailable, reason
from lab_app.jobs.job import Running
from lab_app.json_text import json_text
from lab_app.library.cache import Cache
from lab_app.options import check_options
from lab_app.services.corpora import corpora
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.records import delete_record, list_records, load_record
from lab_app.services.restarting import call_of
from lab_app.services.trainings.results import (
    PracticeCorpus,
    Training,
    TrainingBeginning,
    TrainingChoices,
    TrainingCorpus,
    TrainingEstimate,
    TrainingFile,
    TrainingForecast,
    TrainingHeldOut,
    TrainingList,
    TrainingLog,
    TrainingRequest,
    TrainingSource,
    TrainingStarted,
    TrainingState,
)
from lab_app.services.trainings.runs import GOING, LiveTraining, LiveTrainings, folder_of, keep, log_lines
from lab_app.store import records
from lab_app.store.records import NEW, IsAlive, Record
from lab_app.times import now_text
from lab_app.training import checkpoint
from lab_app.training.estimate import estimate as estimate_text
from lab_app.training.options import ALGORITHMS, PRESETS, TrainingOptions, resolved
from lab_app.training.progress import stages_of
from lab_app.training.run import Plan
from lab_app.training.sources import PRACTICE, Text, files_text, first_part, practice_text, texts_text, together

MAX_FILES_SHOWN = 100
MAX_SHARE = 0.5
BEGINNING_BYTES = 4000
PASTED = "Pasted text"
MAX_TEXT = 2000
"""Characters of a pasted text that is kept with the request; a longer one becomes a file."""
INTERRUPTED = "The lab ended while it ran."
RESUMABLE = ("interrupted", "cancelled", "failed")
NOT_RESUMABLE: Mapping[TrainingState, str] = {
    "running": "wait for its end, or pause it",
    "paused": "continue it",
    "done": "start a new training with its settings",
    "kept": "start a new training with its settings",
}
"""What to do with a training that cannot be resumed, by its state."""
WITHOUT_CHECKPOINT: Mapping[TrainingState, str] = {
    "interrupted": "it ended before its first checkpoint: start it again",
    "cancelled": "it ended before its first checkpoint: start it again",
    "failed": "its error says what to change: start it again with other options or another text",
}
"""What to do with a training that has no checkpoint, by its state."""


def choices() -> TrainingChoices:
    """Presets, algorithms and practice corpora. A practice corpus that this Python lacks is left out."""
    practice = []
    for name, title in PRACTICE.items():
        with contextlib.suppress(LabError):
            practice.append(PracticeCorpus(name, title, practice_text(name).bytes))
    return TrainingChoices(list(PRESETS), list(ALGORITHMS), practice)


def estimate(lab: Lab, request: TrainingRequest) -> TrainingForecast:
    """Counts a sample. A training of the same request that is started next shows it. Raises as `start` does."""
    plan = make_plan(lab, request)
    found = estimate_text(plan.options, plan.text, threads=plan.threads)
    forecast = TrainingForecast(found.text_bytes, found.seconds, found.memory_bytes, found.basis)
    lab.own(Forecasts).put(_key(request), forecast)
    return forecast


class Forecasts(Cache[str, TrainingForecast]):
    """The last estimate, by its request."""

    def __init__(self, _lab: Lab) -> None:
        super().__init__(1)


def start(lab: Lab, request: TrainingRequest) -> Training:
    """Starts a training as a job. Raises BadValue for a request that cannot be, NotFound for an unknown corpus, LoadFailed for
    files that cannot be read."""
    title = _title(request, make_plan(lab, request))
    made_at, forecast = now_text(), lab.own(Forecasts).find(_key(request))
    id = records.add(lab.database, "training", title, {}, state=NEW, owner=lab.owners.hold(), created_at=made_at)
    try:
        request = _with_files(request, folder_of(lab, id))
        plan = make_plan(lab, request)
        live = LiveTraining(lab, _first(id, made_at, request, plan, forecast), plan, resume=False)
        lab.own(LiveTrainings).put(id, live)
        return _submit(lab, live)
    except BaseException:
        lab.own(LiveTrainings).forget(id)
        records.delete(lab.database, "training", id)
        shutil.rmtree(_place(lab, id), ignore_errors=True)
        raise


def resume(lab: Lab, id: int) -> Training:
    """Goes on with a training from its last checkpoint. Raises NotFound, Conflict if it runs or is done or has no checkpoint."""
    found = load(lab, id)
    folder = folder_of(lab, id)
    if found.state not in RESUMABLE:
        raise Conflict(f"training {id} is {found.state}", NOT_RESUMABLE[found.state])
    if not found.can_resume:
        raise Conflict(f"training {id} has no checkpoint", WITHOUT_CHECKPOINT[found.state])
    # After counting, the checkpoint has all that is needed: the files may be gone.
    needs_text = checkpoint.Checkpoint.read(folder).stage == "count"
    plan = make_plan(lab, found.body) if needs_text else _plan_without_text(found)
    training = replace(found, state="running", can_resume=False, error=None, ended=None, version=found.version + 1)
    return _go_on(lab, LiveTraining(lab, training, plan, resume=True))


def _go_on(lab: Lab, live: LiveTraining) -> Training:
    """Runs a training that has ended early. Raises Conflict if somebody else does."""
    id, owner = live.now.id, lab.owners.hold()
    if not lab.own(LiveTrainings).put(id, live):
        raise _resumed(id)
    try:
        if not records.change(lab.database, "training", id, among=RESUMABLE, owner=owner, state="running"):
            raise _resumed(id)
        return _submit(lab, live)
    except BaseException:
        lab.own(LiveTrainings).forget(id)
        raise


def restart(lab: Lab, id: int) -> Training:
    """Goes on with a training that the end of the lab interrupted, from its last checkpoint or else from the start. Raises as
    `resume` and `start` do."""
    found = load(lab, id)
    if found.state != "interrupted" or found.can_resume:
        return resume(lab, id)
    plan = make_plan(lab, found.body)
    first = _first(id, found.made_at, found.body, plan, None)
    return _go_on(lab, LiveTraining(lab, replace(first, version=found.version + 1), plan, resume=False))


def list_trainings(lab: Lab) -> TrainingList:
    """All trainings, the newest first."""
    live = lab.own(LiveTrainings).all()  # before the rows: one that ends meanwhile knows its end
    return TrainingList([_read(lab, each, live.get(each.id)) for each in list_records(lab, "training", _is_alive(lab))])


def load(lab: Lab, id: int) -> Training:
    """One training as it is now. Raises NotFound."""
    live = lab.own(LiveTrainings).find(id)
    return _read(lab, load_record(lab, "training", id, _is_alive(lab))[0], live)


def pause(lab: Lab, id: int) -> Training:
    """Lets it wait. Raises NotFound, Conflict if it does not run here."""
    return _live(lab, id).pause()


def go_on(lab: Lab, id: int) -> Training:
    """Lets a paused one go on. Raises as `pause` does."""
    return _live(lab, id).resume()


def stop_and_keep(lab: Lab, id: int) -> Training:
    """Ends it with the tokenizer of its last step. Raises as `pause` does, and Conflict before the first step."""
    return _live(lab, id).keep()


def remove(lab: Lab, id: int) -> None:
    """Cancels a training that runs, which stays in the list with what it has; deletes one that has ended. Raises NotFound,
    Conflict if it runs in another program."""
    found = load(lab, id)
    if found.state in GOING:
        live = _live(lab, id)
        live.control.cancel()
        if found.job is not None:
            lab.jobs.cancel(found.job)
        if not live.started:
            live.abandon()
        return
    delete_record(lab, "training", id)
    _forget_left(lab, id)
    shutil.rmtree(_place(lab, id), ignore_errors=True)


def set_tokenizer(lab: Lab, id: int, tokenizer: str) -> None:
    """Notes the copy in the catalog that was made last."""
    live = lab.own(LiveTrainings).find(id)
    if live is not None:
        live.change(tokenizer=tokenizer)
        return
    load(lab, id)
    # Another program may run it: nothing else of its row is touched.
    records.set_fact(lab.database, "training", id, "tokenizer", tokenizer)


def log(lab: Lab, id: int) -> TrainingLog:
    """What happened, oldest first. Raises NotFound."""
    load(lab, id)
    return TrainingLog(log_lines(folder_of(lab, id)))


def beginning(lab: Lab, id: int) -> TrainingBeginning:
    """The first 4000 bytes of the text of a training. Raises NotFound, and as `start` does if the text is no longer there."""
    text = together([make_text(lab, source) for source in load(lab, id).body.sources])
    found = first_part(text, BEGINNING_BYTES + 1)
    is_whole = len(found) <= BEGINNING_BYTES
    return TrainingBeginning(found[:BEGINNING_BYTES].decode("utf-8", "ignore"), is_whole)


def make_plan(lab: Lab, request: TrainingRequest) -> Plan:
    """What to train on and how. Raises as `start` does."""
    options = resolved(request.preset, request.options)
    check_with_engine(options)
    if not request.sources:
        raise BadRequest("no text was named", "give at least one source")
    check_options(request)
    text = together([make_text(lab, source) for source in request.sources])
    if request.sample_bytes is not None:
        text = Text(text.title, text.sources, request.sample_bytes)
    if not text.bytes:
        raise BadValue(f"{text.title} is empty", "name files with text in them")
    held = None if request.held_out is None else _held_out(lab, request.held_out)
    return Plan(options, text, held, request.threads or 0, request.invalid == "skip")


def check_with_engine(options: TrainingOptions) -> None:
    """Raises BadValue for options that the engine refuses."""
    from lab_app import engine

    try:
        with translate_engine_errors():
            engine.WordCounter(options.as_json())
    except engine.TrainError as error:
        problem, mark, hint = str(error).rpartition("; ")
        raise BadValue(problem if mark else hint, hint if mark else "") from error


def _held_out(lab: Lab, given: TrainingHeldOut) -> float | Text | None:
    if given.share is not None and given.source is not None:
        raise BadRequest("a held-out share and a held-out source are both given", "give one of them")
    if given.source is not None:
        return make_text(lab, given.source)
    if given.share is not None and not 0 <= given.share <= MAX_SHARE:
        raise BadValue.out_of_range("held_out.share", given.share, 0, MAX_SHARE)
    return given.share or None


def make_text(lab: Lab, source: TrainingSource) -> Text:
    """The text that a source names. Raises BadValue, NotFound, and as `files_text` does."""
    given = {"practice": source.name, "corpus": source.name, "path": source.path, "text": source.text}
    if source.kind not in given:
        raise BadValue(f'there is no kind of source "{source.kind}"', f"choose among {', '.join(given)}")
    value = given[source.kind]
    if value is None or (not value and source.kind != "path"):  # an empty path has an error of its own
        field = {"path": "path", "text": "text"}.get(source.kind, "name")
        raise BadValue(f"the {source.kind} source has no {field}", f"give its {field}")
    if source.kind == "practice":
        return practice_text(value)
    if source.kind == "corpus":
        found = corpora.corpus(lab, value)
        return Text(found.title, (found,))
    if source.kind == "text":
        return texts_text([value], source.name or PASTED)
    found_files = files_text([value], source.column)
    return found_files if source.name is None else replace(found_files, title=source.name)


def _submit(lab: Lab, live: LiveTraining) -> Training:
    training = live.now
    keep(lab, training)

    def work(running: Running) -> object:
        live.work(running)
        return TrainingStarted(training.id)

    _forget_left(lab, training.id)
    call = call_of(restart, id=training.id)
    job = lab.jobs.submit("training", training.name, work, unit=training.unit or "merges", call=call)
    return live.change(job=job.id)


def _first(id: int, made_at: str, request: TrainingRequest, plan: Plan, forecast: TrainingForecast | None) -> Training:
    # A long text that was typed is kept in a file, whose name says nothing.
    typed = {Path(each.path).name: each.name for each in request.sources if each.path and each.name}
    files = [TrainingFile(typed.get(name, name), size, held_out=False) for name, size in plan.text.files()]
    if isinstance(plan.held_out, Text):
        files += [TrainingFile(name, size, held_out=True) for name, size in plan.held_out.files()]
    return Training(
        id=id,
        name=_title(request, plan),
        state="running",
        job=None,
        made_at=made_at,
        body=request,
        options=plan.options,
        corpus=TrainingCorpus(plan.text.title, plan.text.bytes, files[:MAX_FILES_SHOWN], None),
        stages=list(stages_of(plan.options.algorithm)),
        done=None,
        total=None,
        unit=None,
        vocab_size=None,
        held_out=None,
        left_s=None,
        elapsed_s=0.0,
        memory_bytes=None,
        estimate=None if forecast is None else TrainingEstimate(forecast.seconds, forecast.memory_bytes),
        ended=None,
        tokenizer=None,
        error=None,
        version=0,
    )


def _forget_left(lab: Lab, id: int) -> None:
    """Lists the interrupted job of a training no longer: it runs again, or is gone."""
    call = call_of(restart, id=id)
    for left in lab.jobs.left():
        if left.call == call:
            lab.jobs.forget(left)


def _title(request: TrainingRequest, plan: Plan) -> str:
    return request.name or f"{plan.options.algorithm} {plan.options.vocab_size}, {_without_ending(plan.text.title)}"


def _with_files(request: TrainingRequest, folder: Path) -> TrainingRequest:
    """The request with long texts in files of the training's folder: it is sent with each event. Raises Unavailable."""
    sources = []
    for number, source in enumerate(request.sources):
        if source.kind == "text" and source.text is not None and len(source.text) > MAX_TEXT:
            path = folder / f"text-{number + 1}.txt"
            try:
                path.write_bytes(source.text.encode())
            except OSError as error:
                raise Unavailable(f"the text cannot be kept in {path}: {reason(error)}", "make room there") from error
            source = TrainingSource("path", name=source.name or PASTED, path=str(path))
        sources.append(source)
    return replace(request, sources=sources)


def _plan_without_text(found: Training) -> Plan:
    """The plan of a training whose text is counted."""
    held = Text(found.held_out.title, ()) if found.held_out is not None else None
    return Plan(found.options, Text(found.corpus.title, ()), held)


def _live(lab: Lab, id: int) -> LiveTraining:
    """A training that runs here. Raises NotFound, Conflict."""
    live = lab.own(LiveTrainings).find(id)
    if live is None:
        found = load(lab, id)
        if found.state in GOING:
            raise Conflict(f"training {id} runs in another program", "use that program")
        raise Conflict(
            f"training {id} is {found.state}", "start or resume a training first: only one that runs can be changed"
        )
    return live


def _read(lab: Lab, record: Record, live: LiveTraining | None) -> Training:
    """A kept training as it is now. `live`: it, if it ran here when its record was read, or just before."""
    training = _parsed(record) if live is None else _now(lab, live)
    can_resume = training.state in RESUMABLE and checkpoint.exists(_place(lab, training.id))
    return replace(training, name=record.title, can_resume=can_resume)


def _is_alive(lab: Lab) -> IsAlive:
    """Also one of this program is dead if it does not run: its last row could not be written."""
    running = lab.own(LiveTrainings)
    return lambda record: lab.is_alive(record) and (record.owner != lab.owners.mine or bool(running.find(record.id)))


def _now(lab: Lab, live: LiveTraining) -> Training:
    with contextlib.suppress(NotFound):
        if not live.started and live.now.job is not None and lab.jobs.job(live.now.job).state == "cancelled":
            return live.abandon()
    return live.now


def _place(lab: Lab, id: int) -> Path:
    """The folder of a training, which may be missing."""
    return paths.trainings(lab.settings) / str(id)


def _parsed(record: Record) -> Training:
    from pydantic import TypeAdapter

    training = TypeAdapter(Training).validate_python(record.facts)
    if training.state not in GOING or record.state != "interrupted":
        return training
    return replace(
        training, state="interrupted", ended=INTERRUPTED, left_s=None, job=None, version=training.version + 1
    )


def _resumed(id: int) -> Conflict:
    return Conflict(f"training {id} is resumed already", "load it again")


def _key(request: TrainingRequest) -> str:
    """What makes two requests the same, but for their names."""
    return json_text(replace(request, name=None))


def _without_ending(title: str) -> str:
    """The title of a text without the ending of its file.

    >>> _without_ending("wiki.jsonl.gz"), _without_ending("Emma and 2 more"), _without_ending("v1.5")
    ('wiki', 'Emma and 2 more', 'v1.5')
    """
    return re.sub(r"(?<=.)(\.(txt|md|jsonl?|csv|tsv|parquet))?(\.(gz|zst))?$", "", title)
