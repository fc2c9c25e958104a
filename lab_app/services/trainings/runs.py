"""Trainings that run in this process: their state under one lock, kept in the database every few seconds.

Not here: starting them (`trainings`), the run itself (`lab_app.training.run`).
"""

import json
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from lab_app import paths
from lab_app.errors import Cancelled, Conflict, LabError, Unavailable, reason
from lab_app.jobs.job import Running
from lab_app.json_text import json_text
from lab_app.private import private_folder
from lab_app.services.lab import Lab
from lab_app.services.trainings.results import LogLine, Training, TrainingProblem, TrainingState
from lab_app.store import records
from lab_app.times import now_text
from lab_app.training.control import Control
from lab_app.training.progress import Progress, StageState
from lab_app.training.run import Outcome, Plan, Run

KEEP_S = 2.0
"""How often a running training is written to the database."""
LOG = "log.jsonl"
GOING: tuple[TrainingState, ...] = ("running", "paused")


class LiveTraining:
    """One training that runs here. Threads may share it."""

    def __init__(self, lab: Lab, training: Training, plan: Plan, *, resume: bool) -> None:
        self._lab = lab
        self._lock = threading.Lock()
        self._training = training
        self._running: Running | None = None
        self._keeping = threading.Lock()
        self._kept_at = 0.0
        self._kept_version = 0
        self.folder = folder_of(lab, training.id)
        self.control = Control(lambda: self._running is not None and self._running.cancelled, lab.jobs.aside)
        self.ended = threading.Event()
        self.started = False
        self.run = Run(plan, self.folder, self.control, self._progress, self.log, resume=resume)

    @property
    def now(self) -> Training:
        """The training now."""
        with self._lock:
            return self._training

    def change(self, **changes: object) -> Training:
        """Sets fields and keeps them."""
        with self._lock:
            self._training = replace(self._training, **changes, version=self._training.version + 1)  # type: ignore[arg-type]
            now = self._training
        self._tell()
        self._keep(now)
        return now

    def pause(self) -> Training:
        """Asks it to wait. Raises Conflict if it is ending."""
        if not self.control.pause():
            raise _ending(self.now)
        return self.change(state="paused")

    def resume(self) -> Training:
        """Lets it go on. Raises Conflict if it is ending."""
        if not self.control.resume():
            raise _ending(self.now)
        return self.change(state="running")

    def keep(self) -> Training:
        """Asks it to end with what it has. Raises Conflict if there is nothing yet, or if it is ending."""
        if not self.run.keep():
            raise _ending(self.now)
        return self.now

    def work(self, running: Running) -> Training:
        """Trains, as the work of a job. Raises what the run raises."""
        self._running, self.started = running, True
        self.change(job=running.job.id)
        try:
            outcome = self.run.run()
        except BaseException as error:
            with suppress(LabError):  # what ended the training matters more
                self._end_with(error)
            raise
        else:
            return self._end(outcome)
        finally:
            self.ended.set()
            self._lab.own(LiveTrainings).forget(self.now.id)

    def abandon(self) -> Training:
        """Its job was cancelled before it began."""
        self.control.cancel()
        self.control.close()
        cancelled = self.change(state="cancelled", ended="Cancelled before it began.")
        self._lab.own(LiveTrainings).forget(self.now.id)
        self.ended.set()
        return cancelled

    def log(self, words: str) -> None:
        """Adds a line for people. A full disk loses lines, not the training."""
        line = LogLine(now_text(), words)
        with suppress(OSError), (self.folder / LOG).open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(json_text(line) + "\n")

    def _end(self, outcome: Outcome) -> Training:
        return self.change(state="kept" if outcome.was_kept else "done", ended=outcome.words, left_s=None)

    def _end_with(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            self.change(state="cancelled", left_s=None)
        elif isinstance(error, LabError):
            self.log(f"Failed: {error.message}; {error.hint}." if error.hint else f"Failed: {error.message}.")
            self.change(state="failed", left_s=None, error=TrainingProblem(error.code, error.message, error.hint))
        else:
            problem = f"the lab failed unexpectedly ({type(error).__name__})"
            hint = "its terminal shows the details; please report it"
            self.change(state="failed", left_s=None, error=TrainingProblem("internal", problem, hint))

    def _progress(self, progress: Progress) -> None:
        with self._lock:
            before = self._training
            self._training = replace(
                before,
                stages=_with_earlier(progress.stages, before.stages),
                done=progress.done,
                total=progress.total,
                unit=progress.unit,
                vocab_size=progress.vocab_size,
                held_out=progress.held_out,
                left_s=progress.left_s,
                elapsed_s=progress.elapsed_s,
                memory_bytes=max(progress.memory_bytes or 0, before.memory_bytes or 0) or None,
                ended=progress.ended,
                warnings=list(progress.warnings),
                corpus=replace(
                    before.corpus, invalid_sequences=progress.invalid_sequences, split_words=progress.split_words
                ),
                version=before.version + 1,
            )
            now = self._training
        self._tell()
        if time.monotonic() - self._kept_at > KEEP_S:
            with suppress(LabError):  # a full disk ends the training where it writes its result
                self._keep(now)
            self._kept_at = time.monotonic()

    def _keep(self, now: Training) -> None:
        """Writes it to the database, unless another thread has written a later version."""
        with self._keeping:
            if now.version > self._kept_version:
                keep(self._lab, now)
                self._kept_version = now.version

    def _tell(self) -> None:
        """Reports to those who watch the job."""
        running, now = self._running, self.now
        if running is None:
            return
        stage = next((each for each in now.stages if each.state == "running"), None)
        words = "paused" if now.state == "paused" else stage.title.lower() if stage else ""
        running.update(done=now.done or 0, total=now.total, message=words)


class LiveTrainings:
    """The trainings that run in this program, by id: `lab.own(LiveTrainings)`. Threads may share it.

    >>> from lab_app.settings import Settings
    >>> Lab(Settings()).own(LiveTrainings).find(1) is None
    True
    """

    def __init__(self, _lab: Lab) -> None:
        self._lock = threading.Lock()
        self._live: dict[int, LiveTraining] = {}

    def put(self, id: int, live: LiveTraining) -> bool:
        """Adds one, before its row says that it runs. False if there is one of that id."""
        with self._lock:
            return self._live.setdefault(id, live) is live

    def find(self, id: int) -> LiveTraining | None:
        """The training of that id if it runs here."""
        with self._lock:
            return self._live.get(id)

    def all(self) -> dict[int, LiveTraining]:
        """Those that run here now, by id."""
        with self._lock:
            return self._live.copy()

    def forget(self, id: int) -> None:
        """It has ended, and its row says so."""
        with self._lock:
            self._live.pop(id, None)


def _with_earlier(stages: Sequence[StageState], before: Sequence[StageState]) -> list[StageState]:
    """The stages with the figures that those skipped by a resumed run had before it."""
    known = {stage.name: stage for stage in before if stage.state == "done"}
    return [
        known.get(stage.name, stage) if stage.state == "done" and stage.elapsed_s is None else stage for stage in stages
    ]


def keep(lab: Lab, now: Training) -> None:
    """Writes a training of this program to the database, unless another one has taken it over."""
    mine = lab.owners.hold()
    facts = json.loads(json_text(now))
    records.change(lab.database, "training", now.id, owned_by=mine, state=now.state, facts=facts)


def folder_of(lab: Lab, id: int) -> Path:
    """The folder of a training, which is made if it is missing. Raises Unavailable."""
    folder = paths.trainings(lab.settings) / str(id)
    try:
        private_folder(folder)
    except OSError as error:
        raise Unavailable(f"{folder} cannot be made: {reason(error)}", "make room there") from error
    return folder


def log_lines(folder: Path) -> list[LogLine]:
    """The lines of a training. Raises LoadFailed."""
    with suppress(FileNotFoundError):
        lines = (folder / LOG).read_text("utf-8", "replace").splitlines()
        return [LogLine(**json.loads(line)) for line in lines if line.endswith("}")]
    return []


def _ending(now: Training) -> Conflict:
    return Conflict(f'the training "{now.name}" is ending', "load it again")
