"""One training from its text to its files: stages, progress, pause, stop and keep, cancel, checkpoints.

Not here: its files and what a text is known by (`saved`), wishes of others (`control`), what is kept of trainings (`lab_app.services.trainings.trainings`), the trainers (the engine).
"""

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from lab_app import engine
from lab_app.corpora.streams import size_and_time
from lab_app.errors import BadValue, Cancelled, Conflict, LabError, LoadFailed, reason
from lab_app.memory import give_back_large_blocks
from lab_app.number_words import integer, number_of, size_words
from lab_app.training import checkpoint, output
from lab_app.training.advice import advice
from lab_app.training.checkpoint import Checkpoint
from lab_app.training.control import BEAT_S, Control
from lab_app.training.counting import CHECKPOINT_S, Counted, count, count_held_out
from lab_app.training.options import TrainingOptions
from lab_app.training.progress import HeldOutState, Progress, Tracker
from lab_app.training.saved import HELD_OUT, STEPS, fingerprint, in_words, not_written, text_files
from lab_app.training.sources import MOST_HELD_OUT_BYTES, Reading, Text, UnitReport
from lab_app.training.steps import Steps

STEPS_AT_ONCE = 500
"""Rows are some kilobytes each in Python."""
SHOWN_NOTES = 20
PATIENCE = 3
"""How many tenths of a second a cancelled training waits for the engine."""
T = TypeVar("T")


class CountText(Protocol):
    """Counts the words of a text: here (`counting.count`) or on a cluster."""

    def __call__(
        self,
        reading: Reading,
        control: Control,
        report: Callable[[int], None],
        *,
        threads: int,
        start: Counted | None,
        checkpoint: Callable[[Counted], None],
        checkpoint_s: float,
    ) -> Counted:
        """Counts it. See `counting.count`."""


@dataclass(frozen=True)
class Plan:
    """What to train on, and how. `held_out`: a share of the text, another text, or nothing. `threads`: 0 means all cores."""

    options: TrainingOptions
    text: Text
    held_out: float | Text | None = None
    threads: int = 0
    skip_invalid: bool = False
    count: CountText = count


@dataclass(frozen=True)
class Outcome:
    """The end of a training. `words` says why it ended."""

    tokenizer: engine.Tokenizer
    words: str
    was_kept: bool


class Run:
    """One training. `folder` gets the checkpoint, the steps and the held-out text; `changed` each progress; `log` lines for
    people. With `resume`, the checkpoint of the folder is where it begins."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        control: Control,
        changed: Callable[[Progress], None] = lambda progress: None,
        log: Callable[[str], None] = lambda words: None,
        *,
        resume: bool = False,
        checkpoint_s: float = CHECKPOINT_S,
    ) -> None:
        self.plan = plan
        self.folder = folder
        self.control = control
        self.tracker = Tracker(plan.options.algorithm, changed, paused=lambda: control.paused_s)
        self.first_tokens: int | None = None
        """Tokens of the held-out text before the first step."""
        self._log = log
        self._options = plan.options.as_json()
        self._resume = resume
        self._checkpoint_s = checkpoint_s
        self._trainer: engine.Trainer | None = None
        self._words = self._invalid = self._split = 0
        self._held_bytes = 0
        self._unsaved_s = 0.0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not resume:
                (folder / STEPS).unlink(missing_ok=True)
                (folder / checkpoint.NAME).unlink(missing_ok=True)
            self.steps = Steps(folder / STEPS)
        except OSError as error:
            raise not_written(folder, error) from error

    def run(self) -> Outcome:
        """Trains. Raises Cancelled after a checkpoint, LoadFailed and BadValue while reading, TrainFailed, Unavailable."""
        give_back_large_blocks()
        try:
            with in_words():
                return self._run()
        finally:
            self.control.close()

    def tokenizer(self) -> engine.Tokenizer:
        """The tokenizer of the last step, asked for by another thread. Raises Conflict before the first step and after the
        end."""

        def made() -> engine.Tokenizer:
            if self._trainer is None:
                raise Conflict("the training has no tokenizer yet", "wait until it merges")
            return self._trainer.tokenizer()

        return self.control.ask(made)

    def keep(self) -> bool:
        """Asks it to end with the tokenizer of its last step. Raises Conflict before the first step."""
        if self._trainer is None:
            raise Conflict("there is nothing to keep yet", "wait until it merges, or cancel it")
        return self.control.keep()

    def _run(self) -> Outcome:
        found = Checkpoint.read(self.folder) if self._resume else None
        self.tracker.elapsed_before_s = found.facts["elapsed_s"] if found else 0.0
        if found is not None and found.stage == "merge":
            trainer = self._resumed(found)
        else:
            trainer = self._started(self._counted(found))
        self._trainer = trainer
        with _stopped_by(self.control, trainer):
            was_kept = self._merge(trainer)
        self.control.end()
        state = json.loads(trainer.state())
        self.tracker.begin("write")
        tokenizer = trainer.tokenizer()
        self._encode_held_out(tokenizer)
        written = output.write_tokenizer(tokenizer, self.folder)
        (self.folder / checkpoint.NAME).unlink(missing_ok=True)
        size = sum(file.stat().st_size for file in written.files)
        options = self.plan.options
        words = f"Stopped after {self._done(state)}." if was_kept else ended_words(state["ended"], options)
        self.tracker.stage(1, 1, size_words(size))
        warnings = advice(options, tokenizer, self.steps, self.first_tokens)
        self.tracker.update(ended=words, warnings=warnings)
        self.tracker.finish()
        for line in (*warnings, words):
            self._log(line)
        if tokenizer.vocab_size < options.vocab_size:
            asked = integer(options.vocab_size)
            has = number_of(tokenizer.vocab_size, "token")
            self._log(f"The vocabulary has {has}, {asked} were asked for. Train on more text, or ask for fewer.")
        self._log(f"Wrote {output.MAIN}, {size_words(size)}.")
        return Outcome(tokenizer, words, was_kept)

    def _counted(self, found: Checkpoint | None) -> tuple[Counted, list[str], str]:
        """The words of the text, the held-out texts and their title. Keeps them as a checkpoint, also when it is cancelled."""
        self.tracker.begin("read")
        start = Counted(engine.WordCounter(self._options)) if found is None else self._counted_before(found)
        try:
            counted, held, title = self._count(start)
        except Cancelled as error:
            with suppress(LabError):  # a full disk: the checkpoint before this one stays
                self._keep_counted(start)
            raise self._cancelled("Cancelled while counting words.") from error
        except LoadFailed as error:
            raise self._unreadable(error) from error
        self._keep_counted(counted)
        return counted, held, title

    def _counted_before(self, found: Checkpoint) -> Counted:
        """The counts of a checkpoint. Raises LoadFailed if the text has changed since."""
        if found.facts["text"] != fingerprint(self.plan.text):
            raise LoadFailed(
                "the text has changed since the checkpoint was written",
                "start the training again, so that its result belongs to one text",
                on_terminal="start the training again with --force, so that its result belongs to one text",
            )
        self._keep_steps(0)
        counted = found.counted(self._options)
        self._log(f"Resumed after {size_words(counted.read_bytes)} of text.")
        return counted

    def _count(self, start: Counted) -> tuple[Counted, list[str], str]:
        """Reads the text and adds its words to `start`, which has every unit that is done if it raises."""
        plan, tracker, text = self.plan, self.tracker, self.plan.text
        files = text.files()
        tracker.stage(rate=f"{size_words(text.bytes)}, {number_of(len(files), 'file')}")
        self._log(f"Reads {size_words(text.read_bytes)} of {text.title}.")
        held_share = plan.held_out if isinstance(plan.held_out, float) else 0.0
        held, title = [], "a part of the text"
        if isinstance(plan.held_out, Text):
            held, title = read_texts(plan.held_out, self._options, plan.skip_invalid, self.control), plan.held_out.title
        tracker.begin("count")
        total = text.read_bytes

        def report(read_bytes: int) -> None:
            rate = tracker.per_second(read_bytes)
            tracker.stage(read_bytes, total, None if rate is None else f"{rate / 1e6:.3g} MB/s")

        counted = plan.count(
            Reading(text, self._options, held_share, plan.skip_invalid),
            self.control,
            report,
            threads=plan.threads,
            start=start,
            checkpoint=self._save_counted,
            checkpoint_s=self._checkpoint_s,
        )
        self._words, self._invalid = counted.words.unique, counted.invalid_sequences
        elapsed = next(stage.elapsed_s for stage in tracker.now.stages if stage.name == "count") or 0.0
        speed = f", {counted.read_bytes / elapsed / 1e6:.3g} MB/s" if elapsed > 0.01 else ""
        tracker.stage(total, total, number_of(self._words, _counted_word(plan.options)) + speed)
        # Splitting a line between characters changes none of them.
        self._split = 0 if self.plan.options.algorithm == "character" else counted.words.split_words
        tracker.update(invalid_sequences=self._invalid, split_words=self._split)
        counted_what = "character" if counted.words.counts_characters else _counted_word(plan.options)
        self._log(f"Counted {number_of(counted.words.words, counted_what)}, {integer(self._words)} different.")
        self._log_reports(counted)
        if not counted.words.words:
            self._remove_checkpoint()
            raise BadValue(f"{text.title} holds no words to train on", "add files with text in them")
        return counted, held or counted.held_out_texts, title

    def _unreadable(self, error: LoadFailed) -> LoadFailed:
        """The error of a file that is gone or has changed, in words for a file that was not added to the lab."""
        held = [self.plan.held_out] if isinstance(self.plan.held_out, Text) else []
        for file in (file for text in (self.plan.text, *held) for file in text_files(text)):
            try:
                size, modified_ns = size_and_time(Path(file.path))
            except OSError as problem:
                return LoadFailed(
                    f"{file.path} cannot be read: {reason(problem)}",
                    "put the file back, then resume the training or start it again",
                )
            if (size, modified_ns) != (file.size_bytes, file.modified_ns):
                self._remove_checkpoint()
                return LoadFailed(
                    f"{file.path} has changed since the training began: {file.size_bytes} bytes then, {size} bytes now",
                    "start the training again when nothing writes to the file",
                )
        return error

    def _started(self, given: tuple[Counted, list[str], str]) -> engine.Trainer:
        counted, held, title = given
        self.tracker.begin("pairs")
        self.tracker.stage()
        options, words = self._options, counted.words
        try:
            trainer = engine.Trainer(options, words, count_held_out(held, options), self._check)
        except engine.TrainError:
            self._remove_checkpoint()
            raise
        first = json.loads(trainer.state())["held_out"]
        self.first_tokens = None if first is None else first["tokens"]
        self._held_bytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in held)
        self._write_held_out(held, title)
        if any(held):
            self._log(f"Holds out {size_words(self._held_bytes)}: {title}.")
        elif self.plan.held_out:
            self._log(f"Holds nothing out: {title} is too short, or has no place where it may be split.")
        return trainer

    def _resumed(self, found: Checkpoint) -> engine.Trainer:
        self.tracker.begin("merge")
        trainer = engine.Trainer.resume(found.data, self._check)
        self.first_tokens = found.facts["first_tokens"]
        self._invalid = found.facts["invalid_sequences"]
        self._split = found.facts["split_words"]
        self._held_bytes = found.facts["held_out_bytes"]
        self.tracker.update(invalid_sequences=self._invalid, split_words=self._split)
        self._keep_steps(found.facts["steps"])
        self._log(f"Resumed after {self._done(json.loads(trainer.state()))}.")
        return trainer

    def _merge(self, trainer: engine.Trainer) -> bool:
        """Runs the trainer to its end, or until somebody wishes to keep what there is: returns whether that was so."""
        self._unsaved_s = self.tracker.elapsed_s
        self._report(trainer)
        if self.plan.options.algorithm == "unigram":
            self._save(trainer)  # its first step takes longest
        while True:
            wish = self.control.wish
            self.control.serve()
            if wish == "keep":
                return True
            if wish == "cancel":
                self._stop(trainer)
            if wish == "pause":
                self._pause(trainer)
                continue
            answer = json.loads(self._patiently(lambda: trainer.run(STEPS_AT_ONCE, round(BEAT_S * 1000))))
            try:
                self.steps.add(answer["rows"])
            except OSError as error:
                raise not_written(self.folder, error) from error
            self._report(trainer)
            if answer["finished"]:
                return False
            if self.tracker.elapsed_s - self._unsaved_s >= self._checkpoint_s:
                self._save(trainer)

    def _check(self) -> None:
        """Raises Cancelled while a trainer is made, and shows that it goes on."""
        if self.control.wish == "cancel":
            raise self._cancelled("Cancelled before the first step.")
        self.tracker.stage(self.tracker.now.done, self.tracker.now.total)

    def _patiently(self, work: Callable[[], T]) -> T:
        """The result of work of the engine. It cannot always be stopped: when the training is cancelled, it is left alone, and
        so is what it has done since the last checkpoint. Raises Cancelled."""
        future: Future[T] = Future()

        def run() -> None:
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=run, name="train-engine", daemon=True).start()
        waited = 0
        while True:
            try:
                return future.result(BEAT_S)
            except TimeoutError:
                if future.done():
                    raise
            waited = waited + 1 if self.control.wish == "cancel" else 0
            if waited > PATIENCE:
                raise self._cancelled("Cancelled in the middle of a long step.")
            self.tracker.stage(self.tracker.now.done, self.tracker.now.total)

    def _report(self, trainer: engine.Trainer) -> None:
        state = json.loads(trainer.state())
        tracker = self.tracker
        name = "pairs" if state["stage"] in ("pairs", "seeds") else "merge"
        running = tracker.running
        if running != name and not (name == "pairs" and running == "merge"):
            tracker.begin(name)  # type: ignore[arg-type]
        done, total, unit = state["done"], state["total"], state["unit"]
        rate = tracker.per_second(done)
        tracker.stage(done, total, None if rate is None else f"{integer(rate)} {unit}/s")
        held = state["held_out"]
        tracker.update(
            done=done,
            total=total,
            unit=unit,
            vocab_size=state["vocab_size"],
            memory_bytes=state["memory_bytes"],
            held_out=None if held is None else self._held_out(held["tokens"]),
        )

    def _held_out(self, tokens: int) -> HeldOutState:
        """In bytes of the text as it was read: the trainer knows only what its normalizer left of it."""
        per_token = self._held_bytes / tokens if tokens else None
        return HeldOutState(self._held_title(), self._held_bytes, tokens, per_token)

    def _pause(self, trainer: engine.Trainer) -> None:
        self._save(trainer)
        self._log(f"Paused after {self._done(json.loads(trainer.state()))}.")
        self.control.wait_while_paused()
        if self.control.wish == "run":
            self._log("Continued.")

    def _stop(self, trainer: engine.Trainer) -> None:
        """Keeps what there is as a checkpoint, then raises Cancelled. Making a tokenizer of it would take longer."""
        state = json.loads(trainer.state())
        self._save(trainer)
        raise self._cancelled(f"Cancelled after {self._done(state)}.")

    def _cancelled(self, ended: str) -> Cancelled:
        """Reports the end, and returns the error for it."""
        self.tracker.update(ended=ended)
        self._log(ended)
        can_resume = checkpoint.exists(self.folder)
        hint = "resume it from its last checkpoint, or start it again" if can_resume else "start it again"
        return Cancelled("the training was cancelled", hint)

    def _keep_steps(self, count: int) -> None:
        """Removes the steps after the first `count`: a kill may have left some that came after the checkpoint."""
        try:
            self.steps.keep_first(count)
        except OSError as error:
            raise not_written(self.folder, error) from error

    def _save(self, trainer: engine.Trainer) -> None:
        facts = {
            "elapsed_s": self.tracker.elapsed_s,
            "steps": len(self.steps),
            "first_tokens": self.first_tokens,
            "invalid_sequences": self._invalid,
            "split_words": self._split,
            "held_out_bytes": self._held_bytes,
        }
        Checkpoint("merge", trainer.checkpoint(), facts).write(self.folder)
        self._unsaved_s = self.tracker.elapsed_s

    def _keep_counted(self, counted: Counted) -> None:
        """Writes the checkpoint of counts that have ended, unless the training writes no checkpoints."""
        if math.isfinite(self._checkpoint_s):
            self._save_counted(counted)

    def _save_counted(self, counted: Counted) -> None:
        facts = {"elapsed_s": self.tracker.elapsed_s, "text": fingerprint(self.plan.text)}
        Checkpoint.of_counted(counted, facts).write(self.folder)

    def _remove_checkpoint(self) -> None:
        """Removes the checkpoint if its counts and options would fail again."""
        with suppress(OSError):
            (self.folder / checkpoint.NAME).unlink(missing_ok=True)

    def _write_held_out(self, texts: Sequence[str], title: str) -> None:
        try:
            content = json.dumps(
                {"title": title, "first_tokens": self.first_tokens, "texts": list(texts)}, ensure_ascii=False
            )
            (self.folder / HELD_OUT).write_text(content, "utf-8", "backslashreplace")
        except OSError as error:
            raise not_written(self.folder, error) from error

    def _encode_held_out(self, tokenizer: engine.Tokenizer) -> None:
        """Counts the tokens that the tokenizer makes of the held-out texts, and the unknown ones. The trainer's own count is
        the same for BPE. WordPiece takes the longest match, unknown characters may be one token, and trainers of words and
        characters count none."""
        try:
            kept = json.loads((self.folder / HELD_OUT).read_text("utf-8"))
            ids = tokenizer.encode_ids_batch(kept["texts"])[0]
        except (OSError, ValueError, engine.EngineError):
            return  # the trainer's count stays
        if not kept["texts"]:
            return
        found = replace(self._held_out(len(ids)), title=kept["title"])
        if len(ids) and tokenizer.unknown_id is not None:
            found = replace(found, unknown_rate=int((ids == tokenizer.unknown_id).sum()) / len(ids))
        self.tracker.update(held_out=found)

    def _held_title(self) -> str:
        return self.plan.held_out.title if isinstance(self.plan.held_out, Text) else "a part of the text"

    def _log_reports(self, counted: Counted) -> None:
        skipped = "their lines are left out" if self.plan.skip_invalid else "U+FFFD replaces them"
        if self._invalid:
            invalid = number_of(self._invalid, "byte sequence")
            self._log(f"{invalid} not valid as UTF-8; {skipped}.")
        if self._split:
            long = number_of(self._split, "word")
            self._log(f"{long} of more than {integer(engine.MAX_WORD_BYTES)} bytes, split into words of that length.")
        notes = [note for _, report in sorted(counted.reports.items()) for note in report.notes]
        for note in notes[:SHOWN_NOTES]:
            self._log(f"Skipped: {note}.")

    @staticmethod
    def _done(state: dict[str, Any]) -> str:
        return number_of(state["done"], state["unit"].removesuffix("s"))


@contextmanager
def _stopped_by(control: Control, trainer: engine.Trainer) -> Iterator[None]:
    """Ends long steps of a trainer early when a wish waits: an iteration of Unigram may take minutes."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(BEAT_S):
            if control.is_waiting:
                trainer.stop()

    thread = threading.Thread(target=watch, name="train-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def read_texts(text: Text, options: str, skip_invalid: bool, control: Control) -> list[str]:
    """A held-out text as strings, at most 8 MB of it."""
    reading = Reading(text, options, 0.0, skip_invalid)
    found: list[str] = []
    size = 0
    for unit in text.units():
        for pieces, _ in reading.pieces(unit, UnitReport()):
            control.check()
            for piece in pieces:
                found.append(piece if isinstance(piece, str) else piece.decode(errors="replace"))
                size += len(found[-1].encode())
                if size >= MOST_HELD_OUT_BYTES:
                    return found
    return found


def ended_words(ended: str | None, options: TrainingOptions) -> str:
    """Why a training ended, in words.

    >>> ended_words("vocab_size", TrainingOptions("bpe", vocab_size=300))
    'The vocabulary has 300 tokens.'
    >>> ended_words("min_frequency", TrainingOptions("wordlevel", min_frequency=1))
    'Every word of the text is a token.'
    """
    what = _candidates(options)
    return {
        "vocab_size": f"The vocabulary has {number_of(options.vocab_size, 'token')}.",
        "min_frequency": _scarce_words(options),
        "no_pairs": f"No {what} is left.",
    }.get(ended or "", "The training is finished.")


def _counted_word(options: TrainingOptions) -> str:
    """What the counter counts."""
    return "word" if options.superwords_from is None else "phrase"


def _candidates(options: TrainingOptions) -> str:
    """What becomes a token."""
    pair = "pair" if options.max_token_length is None else "pair within max_token_length"
    return {"unigram": "candidate", "wordlevel": "word", "character": "character"}.get(options.algorithm, pair)


def _scarce_words(options: TrainingOptions) -> str:
    """Why there are no more tokens, although the vocabulary has room."""
    what = _candidates(options)
    if options.algorithm == "unigram":
        return "The text has no other candidates for tokens."
    if options.algorithm == "character":
        if options.alphabet == "bytes" or (options.alphabet is None and not options.byte_fallback):
            return "Every byte is a token."
        if options.limit_alphabet is not None or options.character_coverage < 1:
            return "No other character meets min_frequency, limit_alphabet and character_coverage."
    if options.min_frequency <= 1:
        return f"Every {what} of the text is a token."
    return f"No other {what} occurs {number_of(options.min_frequency, 'time')} or more."
