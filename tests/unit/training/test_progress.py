"""Stages with rates and time left, and the rows with their curves."""

from pathlib import Path

from lab_app.training.progress import Tracker
from lab_app.training.steps import MOST_POINTS, Steps


def test_rates_and_time_left_leave_pauses_out():
    now, paused, seen = [0.0], [0.0], []
    tracker = Tracker("bpe", seen.append, paused=lambda: paused[0], clock=lambda: now[0])
    tracker.begin("merge")
    assert [stage.state for stage in tracker.now.stages] == ["done", "done", "done", "running", "waiting"]
    assert tracker.now.left_s is None
    tracker.per_second(0)
    tracker.stage(0, 100)
    now[0] = 1.0
    assert tracker.per_second(20) == 20.0
    tracker.stage(20, 100, "20 merges/s")
    stage = tracker.now.stages[3]
    assert (stage.share, stage.rate, stage.left_s, stage.elapsed_s) == (0.2, "20 merges/s", 4.0, 1.0)
    now[0], paused[0] = 101.0, 100.0
    assert tracker.elapsed_s == 1.0
    tracker.finish()
    assert tracker.now.left_s is None and [stage.share for stage in tracker.now.stages] == [1.0] * 5
    assert seen[-1] == tracker.now


def test_time_left_is_unknown_while_a_stage_of_unknown_length_is_ahead():
    now = [0.0]
    tracker = Tracker("unigram", print, clock=lambda: now[0])
    for name, whole in (("count", None), ("pairs", None), ("merge", 4.0)):
        tracker.begin(name)
        tracker.per_second(0)
        now[0] += 1.0
        tracker.per_second(20)
        tracker.stage(20, 100)
        assert (next(stage.left_s for stage in tracker.now.stages if stage.state == "running"), tracker.now.left_s) == (
            4.0,
            whole,
        )


def test_titles_say_what_an_algorithm_does():
    titles = {name: [each.title for each in Tracker(name, print).now.stages] for name in ("unigram", "wordlevel")}
    assert titles["unigram"][2:4] == ["Find seeds", "EM and pruning"]
    assert titles["wordlevel"][2:4] == ["Sort", "Choose tokens"]


def merge(rank: int, held: int | None = -1) -> dict:
    return {"rank": rank, "id": 256 + rank, "count": 10_000 - rank, "held_out_tokens": held}


def test_rows_from_both_ends(tmp_path: Path):
    steps = Steps(tmp_path / "steps.jsonl")
    assert len(steps) == 0 and steps.rows(0, 9, newest=True) == [] and steps.counts() == []
    steps.add([merge(rank) for rank in range(10)])
    for found in (steps, Steps(tmp_path / "steps.jsonl")):
        assert [row["rank"] for row in found.rows(2, 3, newest=True)] == [7, 6, 5]
        assert [row["rank"] for row in found.rows(8, 5, newest=False)] == [8, 9]
        assert [row["rank"] for row in found.rows(8, 5, newest=True)] == [1, 0]
        assert found.rows(10, 5, newest=True) == found.rows(99, 5, newest=False) == []


def test_keeping_the_first_takes_half_lines_away(tmp_path: Path):
    path = tmp_path / "steps.jsonl"
    Steps(path).add([merge(0), merge(1), merge(2)])
    with path.open("ab") as stream:
        stream.write(b'{"rank": 3')
    steps = Steps(path)
    assert len(steps) == 3
    steps.keep_first(2)
    steps.add([merge(2)])
    assert [row["rank"] for row in Steps(path).rows(0, 9, newest=False)] == [0, 1, 2]
    Steps(path).keep_first(0)
    assert path.read_bytes() == b""
    Steps(tmp_path / "none").keep_first(5)


def test_curves_have_few_points_and_both_ends(tmp_path: Path):
    steps = Steps(tmp_path / "steps.jsonl")
    steps.add([merge(rank) for rank in range(5000)])
    curve, counts = steps.curve(20_000, 10_000), steps.counts()
    assert len(curve) <= MOST_POINTS and len(counts) <= MOST_POINTS
    assert (curve[0].vocab_size, curve[0].held_out_tokens) == (257, 9999)
    assert (curve[-1].vocab_size, curve[-1].held_out_tokens, curve[-1].bytes_per_token) == (5256, 5000, 4.0)
    assert (counts[0].rank, counts[-1].rank, counts[-1].count) == (0, 4999, 5001)
    assert steps.curve(0, None) == steps.curve(10, None) == []


def test_iterations_of_unigram_have_losses(tmp_path: Path):
    steps = Steps(tmp_path / "steps.jsonl")
    row = {"iteration": 0, "stage": "em", "tokens": 900, "loss": 12.5, "held_out_tokens": 70}
    steps.add([row, row | {"iteration": 1, "tokens": 700, "loss": 11.0, "held_out_tokens": 80}])
    assert [each.loss for each in steps.losses()] == [12.5, 11.0] and steps.counts() == []
    assert [each.held_out_tokens for each in steps.curve(160, None)] == [70, 80]
    assert steps.curve(160, None)[1].bytes_per_token == 2.0
