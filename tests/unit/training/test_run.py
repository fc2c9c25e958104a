"""One training: its end, its wishes, its checkpoints and its errors."""

import json
import re
import threading
from pathlib import Path

import pytest

from lab_app import engine
from lab_app.errors import BadValue, Cancelled, Conflict, LoadFailed, NotFound, TrainFailed, Unavailable
from lab_app.training import checkpoint, counting, output, sources
from lab_app.training.checkpoint import Checkpoint
from lab_app.training.control import Control
from lab_app.training.counting import Counted, count
from lab_app.training.options import TrainingOptions, resolved
from lab_app.training.progress import Progress
from lab_app.training.run import Plan, Run
from lab_app.training.saved import tokenizer_in
from lab_app.training.sources import Reading, Text, files_text, texts_text

TEXTS = [f"the cat number {number} sat on the mat and looked at the {number * 7} mice\n" for number in range(60)]
OPTIONS = resolved("gpt2", {"vocab_size": 300})


def plan(options: TrainingOptions = OPTIONS, **settings) -> Plan:
    return Plan(options, texts_text(TEXTS), **settings)


def ids(tokenizer: engine.Tokenizer) -> list[str]:
    return [tokenizer.id_to_token(id) for id in range(tokenizer.vocab_size)]


def test_a_training_from_text_to_file(tmp_path: Path):
    seen: list[Progress] = []
    lines: list[str] = []
    run = Run(plan(held_out=0.1), tmp_path, Control(), seen.append, lines.append)
    found = run.run()
    assert not found.was_kept and found.words == "The vocabulary has 300 tokens."
    assert found.tokenizer.vocab_size == 300 and found.tokenizer.token_to_id("<|endoftext|>") == 0
    last = seen[-1]
    assert [stage.state for stage in last.stages] == ["done"] * 5 and last.done == last.total == 43
    assert last.held_out is not None and (last.held_out.bytes_per_token or 0) > 1
    assert len(run.steps) == 43 and run.steps.rows(0, 1, newest=True)[0]["rank"] == 42
    curve = run.steps.curve(last.held_out.bytes, run.first_tokens)
    assert curve[-1].held_out_tokens == last.held_out.tokens and curve[-1].vocab_size == 300
    counts = [each.count for each in run.steps.counts()]
    assert counts == sorted(counts, reverse=True)
    saved = engine.Tokenizer.from_file(tmp_path / output.MAIN)
    assert ids(saved) == ids(found.tokenizer)
    assert any(line.startswith("Counted") for line in lines) and not checkpoint.exists(tmp_path)


def test_the_trainer_divides_held_out_text_into_superwords_as_the_tokenizer_does(tmp_path: Path):
    seen: list[Progress] = []
    lines: list[str] = []
    options = resolved("gpt2", {"vocab_size": 340, "superwords_from": 300})
    run = Run(plan(options, held_out=0.2), tmp_path, Control(), seen.append, lines.append)
    found = run.run()
    held = seen[-1].held_out
    assert held is not None and run.steps.curve(held.bytes, run.first_tokens)[-1].held_out_tokens == held.tokens
    assert any(token.count("Ġ") > 1 for token in ids(found.tokenizer)[300:])
    assert not any("Ġ" in token[1:] for token in ids(found.tokenizer)[:300])
    assert any(re.match(r"Counted \d+ phrases, ", line) for line in lines)


@pytest.mark.parametrize(("preset", "split"), [("words", 1), ("characters", 0)])
def test_long_words_are_logged_where_splitting_changes_them(tmp_path: Path, preset: str, split: int):
    lines: list[str] = []
    text = texts_text(["x" * 10_000 + " yx xy" * 3])
    run = Run(Plan(resolved(preset, {"vocab_size": 50}), text), tmp_path, Control(), log=lines.append)
    run.run()
    assert run.tracker.now.split_words == split and sum("of more than 4 096 bytes" in line for line in lines) == split


def test_another_text_may_be_held_out(tmp_path: Path):
    other = texts_text(["a text about cats and mats"], "Cats")
    run = Run(plan(held_out=other), tmp_path, Control())
    run.run()
    assert run.tracker.now.held_out is not None and run.tracker.now.held_out.title == "Cats"
    assert json.loads((tmp_path / "held_out.json").read_text())["texts"] == ["a text about cats and mats"]


def test_the_unknown_rate_of_the_held_out_text_is_measured_at_the_end(tmp_path: Path):
    held = texts_text(["cat zebra mat quagga"], "Animals")
    rates = {}
    for preset, size in (("words", 100), ("bert", 100), ("gpt2", 300)):
        seen: list[Progress] = []
        (tmp_path / preset).mkdir()
        Run(
            plan(resolved(preset, {"vocab_size": size}), held_out=held), tmp_path / preset, Control(), seen.append
        ).run()
        assert seen[-1].held_out is not None and seen[-1].held_out.title == "Animals"
        rates[preset] = seen[-1].held_out.unknown_rate
    assert rates["words"] == 0.5 and (rates["bert"] or 0) > 0
    assert rates["gpt2"] is None, "it has no unknown token"


def test_held_out_text_counts_as_it_was_read(tmp_path: Path):
    held = "  THE   Cát number   12  Ünder the Äpple-tree  "
    spare = resolved("bert", {"vocab_size": 300, "min_frequency": 1})
    run = Run(Plan(spare, texts_text(TEXTS, "Tales"), texts_text([held], "Held")), tmp_path, Control())
    found = run.run()
    state = run.tracker.now.held_out
    assert state is not None and state.bytes == len(held.encode()), "not what the normalizer leaves of it"
    assert state.bytes_per_token == state.bytes / len(found.tokenizer.encode(held, add_special_tokens=False).ids)


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch):
    """A trainer that is asked for one step at a time."""
    monkeypatch.setattr("lab_app.training.run.STEPS_AT_ONCE", 1)


def test_cancel_keeps_a_checkpoint_that_resumes_to_the_same_end(tmp_path: Path, slowly: None):
    whole = ids(Run(plan(held_out=0.1), tmp_path / "whole", Control()).run().tokenizer)
    control = Control()

    def cancel(progress: Progress) -> None:
        if (progress.done or 0) >= 10:
            control.cancel()

    run = Run(plan(held_out=0.1), tmp_path / "run", control, cancel)
    with pytest.raises(Cancelled):
        run.run()
    assert 10 <= len(run.steps) < 43
    partial = tokenizer_in(tmp_path / "run")
    assert partial is not None and partial.vocab_size == 257 + len(run.steps)
    assert tokenizer_in(tmp_path) is None
    with pytest.raises(Conflict):
        run.tokenizer()
    resumed = Run(Plan(OPTIONS, Text("gone", ())), tmp_path / "run", Control(), resume=True)
    assert ids(resumed.run().tokenizer) == whole and len(resumed.steps) == 43


def test_a_kill_while_merging_loses_what_came_after_the_checkpoint(tmp_path: Path, slowly: None):
    class Killed(BaseException):
        pass

    def kill(progress: Progress) -> None:
        if (progress.done or 0) >= 20:
            raise Killed

    run = Run(plan(), tmp_path, Control(), kill, checkpoint_s=0)
    with pytest.raises(Killed):
        run.run()
    with (tmp_path / "steps.jsonl").open("ab") as stream:
        stream.write(b'{"rank": 20, "half')
    resumed = Run(Plan(OPTIONS, Text("gone", ())), tmp_path, Control(), resume=True)
    found = resumed.run()
    rows = resumed.steps.rows(0, 100, newest=False)
    assert found.tokenizer.vocab_size == 300 and [row["rank"] for row in rows] == list(range(43))


@pytest.mark.parametrize(
    ("texts", "settings", "error"),
    [(TEXTS, {"vocab_size": 8}, TrainFailed), ([" \n"] * 3, {}, BadValue)],
    ids=["vocabulary smaller than the alphabet", "no words"],
)
def test_a_failure_that_would_repeat_leaves_no_checkpoint(
    tmp_path: Path, texts: list[str], settings: dict[str, int], error: type[Exception]
):
    text = texts_text(texts)
    options = resolved("bert", settings)
    given = Reading(text, options.as_json())
    written: list[Counted] = []

    def count_and_write(reading, control, report, *, checkpoint, **more) -> Counted:
        counted = count(given, Control(), threads=1)
        checkpoint(counted)
        written.append(counted)
        return counted

    run = Run(Plan(options, text, count=count_and_write), tmp_path, Control())
    with pytest.raises(error):
        run.run()
    assert written and not checkpoint.exists(tmp_path)


@pytest.mark.parametrize("checkpoint_s", [2, counting.CHECKPOINT_S])
def test_a_kill_while_counting_resumes_with_the_units_that_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checkpoint_s: float
):
    """The first checkpoint comes after two seconds, whatever the time between later ones."""
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "a.txt").write_text("".join(TEXTS))
    monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", 500)
    whole = ids(Run(Plan(OPTIONS, files_text([tmp_path / "text"])), tmp_path / "whole", Control()).run().tokenizer)

    class Killed(BaseException):
        pass

    def die(self: Checkpoint, folder: Path) -> None:
        write(self, folder)
        raise Killed

    write = Checkpoint.write
    text = files_text([tmp_path / "text"])
    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "write", die)
        patched.setattr("lab_app.training.counting.time.monotonic", iter(range(10**6)).__next__)
        with pytest.raises(Killed):
            Run(Plan(OPTIONS, text, threads=1), tmp_path / "run", Control(), checkpoint_s=checkpoint_s).run()
    found = Checkpoint.read(tmp_path / "run")
    assert found.stage == "count" and 0 < len(found.facts["reports"]) < len(text.units())
    resumed = Run(Plan(OPTIONS, text), tmp_path / "run", Control(), resume=True)
    assert ids(resumed.run().tokenizer) == whole

    Checkpoint(found.stage, found.data, found.facts).write(tmp_path / "run")
    (tmp_path / "text" / "a.txt").write_text("another text\n" * 99)
    changed = Run(Plan(OPTIONS, files_text([tmp_path / "text"])), tmp_path / "run", Control(), resume=True)
    with pytest.raises(LoadFailed, match="changed since the checkpoint"):
        changed.run()


@pytest.mark.parametrize("pause_in", ["first", "last"])
def test_a_pause_while_counting_writes_a_checkpoint_of_the_units_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pause_in: str
):
    (tmp_path / "a.txt").write_text("".join(TEXTS))
    monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", 500)
    text = files_text([tmp_path / "a.txt"])
    whole = ids(Run(Plan(OPTIONS, text), tmp_path / "whole", Control()).run().tokenizer)
    control, paused = Control(), threading.Event()
    all_units = [unit.index for unit in text.units()]
    assert len(all_units) > 2
    counted = all_units[:1] if pause_in == "first" else all_units

    write, pieces = Checkpoint.write, sources.Reading.pieces

    def wish(self: sources.Reading, unit: sources.Unit, report: sources.UnitReport) -> object:
        if unit.index == counted[-1] and not paused.is_set():
            control.pause()
        return pieces(self, unit, report)

    def tell(self: Checkpoint, folder: Path) -> None:
        write(self, folder)
        paused.set()

    monkeypatch.setattr(sources.Reading, "pieces", wish)
    monkeypatch.setattr(Checkpoint, "write", tell)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            Run(Plan(OPTIONS, text, threads=1), tmp_path / "run", control).run()
        except Cancelled as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert paused.wait(60)
    found = Checkpoint.read(tmp_path / "run")
    assert found.stage == "count" and [int(unit) for unit in found.facts["reports"]] == counted
    control.cancel()
    thread.join(60)
    assert errors, "it was cancelled in its pause, as by a kill"
    read: list[int] = []

    def note(self: sources.Reading, unit: sources.Unit, report: sources.UnitReport) -> object:
        read.append(unit.index)
        return pieces(self, unit, report)

    monkeypatch.setattr(sources.Reading, "pieces", note)
    assert ids(Run(Plan(OPTIONS, text), tmp_path / "run", Control(), resume=True).run().tokenizer) == whole
    assert sorted(read) == all_units[len(counted) :], "what was counted is not counted again"


def test_a_count_that_is_cancelled_resumes_with_the_units_that_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "a.txt").write_text("".join(TEXTS))
    monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", 500)
    text = files_text([tmp_path / "a.txt"])
    whole = ids(Run(Plan(OPTIONS, text), tmp_path / "whole", Control()).run().tokenizer)
    control, lines, read = Control(), list[str](), list[int]()
    pieces = sources.Reading.pieces

    def note(self: sources.Reading, unit: sources.Unit, report: sources.UnitReport) -> object:
        read.append(unit.index)
        if len(read) == 3:
            control.cancel()
        return pieces(self, unit, report)

    monkeypatch.setattr(sources.Reading, "pieces", note)
    run = Run(Plan(OPTIONS, text, threads=1), tmp_path / "run", control, log=lines.append, checkpoint_s=0)
    with pytest.raises(Cancelled) as found:
        run.run()
    assert found.value.hint == "resume it from its last checkpoint, or start it again"
    assert run.tracker.now.ended == lines[-1] == "Cancelled while counting words."
    assert ids(Run(Plan(OPTIONS, text), tmp_path / "run", Control(), resume=True).run().tokenizer) == whole
    units = [unit.index for unit in text.units()]
    assert sorted(read) == sorted([*units, 2]), "only the unit in which it was cancelled is counted twice"


def test_counts_are_kept_before_the_trainer_is_made(tmp_path: Path):
    control = Control()

    def cancel(progress: Progress) -> None:
        if progress.stages[2].state == "running":
            control.cancel()

    run = Run(plan(held_out=0.1), tmp_path / "run", control, cancel)
    with pytest.raises(Cancelled):
        run.run()
    assert run.tracker.now.ended == "Cancelled before the first step."
    found = Checkpoint.read(tmp_path / "run")
    assert found.stage == "count" and len(found.facts["reports"]) == 1
    resumed = Run(plan(held_out=0.1), tmp_path / "run", Control(), resume=True).run()
    assert ids(resumed.tokenizer) == ids(Run(plan(held_out=0.1), tmp_path / "whole", Control()).run().tokenizer)


def test_steps_that_came_after_the_kept_counts_are_made_again(tmp_path: Path, slowly: None):
    class Killed(BaseException):
        pass

    def kill(progress: Progress) -> None:
        if (progress.done or 0) >= 20:
            raise Killed

    run = Run(plan(), tmp_path, Control(), kill)
    with pytest.raises(Killed):
        run.run()
    assert Checkpoint.read(tmp_path).stage == "count" and len(run.steps) >= 20
    resumed = Run(plan(), tmp_path, Control(), resume=True)
    resumed.run()
    assert [row["rank"] for row in resumed.steps.rows(0, 100, newest=False)] == list(range(43))


@pytest.mark.parametrize(
    ("preset", "options", "words"),
    [
        ("gpt2", {}, "No other pair occurs 2 times or more."),
        ("gpt2", {"min_frequency": 1}, "No pair is left."),
        ("gpt2", {"max_token_length": 3}, "No other pair within max_token_length occurs 2 times or more."),
        ("bert", {"min_frequency": 3}, "No other pair occurs 3 times or more."),
        ("t5", {}, "The text has no other candidates for tokens."),
        ("words", {}, "No other word occurs 2 times or more."),
        ("words", {"min_frequency": 0}, "Every word of the text is a token."),
        ("characters", {}, "No other character occurs 2 times or more."),
        ("characters", {"min_frequency": 0}, "Every character of the text is a token."),
        (
            "characters",
            {"limit_alphabet": 5},
            "No other character meets min_frequency, limit_alphabet and character_coverage.",
        ),
        (
            "characters",
            {"character_coverage": 0.9},
            "No other character meets min_frequency, limit_alphabet and character_coverage.",
        ),
        ("characters", {"alphabet": "bytes", "unknown_token": None, "special_tokens": []}, "Every byte is a token."),
    ],
)
def test_why_a_vocabulary_is_smaller_than_asked_for(tmp_path: Path, preset: str, options: dict, words: str):
    lines: list[str] = []
    asked = Plan(resolved(preset, {"vocab_size": 5000, **options}), texts_text(["the cat sat on the mat\nand then\n"]))
    found = Run(asked, tmp_path, Control(), log=lines.append).run()
    assert found.words == words
    size = found.tokenizer.vocab_size
    assert lines[-3:-1] == [
        words,
        f"The vocabulary has {size} tokens, 5 000 were asked for. Train on more text, or ask for fewer.",
    ]


def test_pause_and_work_from_other_threads(tmp_path: Path, slowly: None):
    paused, control = threading.Event(), Control()

    def pause(progress: Progress) -> None:
        if (progress.done or 0) == 5 and not paused.is_set():
            control.pause()
            paused.set()

    run = Run(plan(), tmp_path, control, pause)
    with pytest.raises(Conflict, match="nothing to keep yet"):
        run.keep()
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(run.run()))
    thread.start()
    assert paused.wait(60)
    assert run.tokenizer().vocab_size == 257 + 5 and len(run.steps) == 5
    assert checkpoint.exists(tmp_path)
    assert run.keep()
    thread.join(60)
    assert found[0].was_kept and found[0].words == "Stopped after 5 merges." and found[0].tokenizer.vocab_size == 262  # type: ignore[attr-defined]
    assert not control.pause() and not control.keep() and not control.resume()


def test_wishes_of_many_threads_leave_one_state():
    control = Control()
    threads = [
        threading.Thread(target=act) for act in (control.pause, control.resume, control.keep, control.cancel) * 20
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert control.wish == "cancel"
    with pytest.raises(Cancelled):
        control.check()


def test_cancel_does_not_wait_for_a_long_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    started, go, control = threading.Event(), threading.Event(), Control()

    class Stuck:
        """A trainer whose step nothing stops."""

        def __init__(self, *given: object) -> None:
            self._real = real(*given)  # type: ignore[arg-type]

        def run(self, steps: int, milliseconds: int) -> bytes:
            started.set()
            go.wait(60)
            return self._real.run(steps, milliseconds)

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    real = engine.Trainer
    monkeypatch.setattr(engine, "Trainer", Stuck)
    run = Run(plan(resolved("t5", {"vocab_size": 60})), tmp_path, control)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            run.run()
        except Cancelled as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    control.cancel()
    thread.join(60)
    go.set()
    assert errors and run.tracker.now.ended == "Cancelled in the middle of a long step."
    monkeypatch.undo()
    resumed = Run(
        Plan(plan(resolved("t5", {"vocab_size": 60})).options, Text("gone", ())), tmp_path, Control(), resume=True
    )
    assert resumed.run().tokenizer.vocab_size <= 60


def test_no_words_at_all(tmp_path: Path):
    with pytest.raises(BadValue, match="holds no words"):
        Run(Plan(OPTIONS, texts_text([""])), tmp_path, Control()).run()


def test_what_the_trainer_refuses_is_told_in_words(tmp_path: Path):
    options = TrainingOptions("bpe", vocab_size=10, alphabet="bytes", pre_tokenizer=OPTIONS.pre_tokenizer)
    with pytest.raises(TrainFailed, match="256"):
        Run(plan(options), tmp_path, Control()).run()


@pytest.mark.parametrize("place", ["steps", "checkpoint", "output"])
def test_a_full_disk_is_an_error_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, slowly: None):
    def full(*_arguments: object, **_settings: object) -> None:
        raise OSError(28, "No space left on device")

    if place == "steps":
        monkeypatch.setattr("lab_app.training.steps.Steps.add", full)
    else:
        monkeypatch.setattr(f"lab_app.training.{place}.replaced", full)
    with pytest.raises(Unavailable, match="No space left on device"):
        Run(plan(), tmp_path, Control(), checkpoint_s=0 if place == "checkpoint" else 30).run()
    assert not (tmp_path / output.MAIN).exists()


def test_files_of_an_earlier_training_stay_if_the_new_ones_cannot_be_written(tmp_path: Path):
    tokenizer = Run(plan(), tmp_path / "run", Control()).run().tokenizer
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / output.MAIN).write_text("the old one")
    (tmp_path / "out" / "merges.txt").mkdir()
    with pytest.raises(Unavailable):
        output.write_tokenizer(tokenizer, tmp_path / "out", every_format=True)
    assert (tmp_path / "out" / output.MAIN).read_text() == "the old one"
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["merges.txt", output.MAIN]


def test_no_checkpoint_and_damaged_ones(tmp_path: Path):
    with pytest.raises(NotFound):
        Checkpoint.read(tmp_path)
    Checkpoint("merge", b"data", {"elapsed_s": 1.0}).write(tmp_path)
    assert Checkpoint.read(tmp_path) == Checkpoint("merge", b"data", {"elapsed_s": 1.0})
    content = (tmp_path / checkpoint.NAME).read_bytes()
    for damaged in (content[:-1], content[:10], content.replace(b"data", b"dada"), b""):
        (tmp_path / checkpoint.NAME).write_bytes(damaged)
        with pytest.raises(LoadFailed, match="not a whole checkpoint"):
            Checkpoint.read(tmp_path)
