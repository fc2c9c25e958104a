"""Candidates are timed in turns, each for itself: one that fails, hangs or lies leaves the others alone."""

from dataclasses import replace
from typing import Any

import pytest

from lab_app.benchmarks.cost import worker as cost_worker
from lab_app.benchmarks.cost.growth import Plan, growth_in_bytes, growth_in_threads, growth_in_vocab_size, vocab_sizes
from lab_app.benchmarks.cost.pathological import pathological
from lab_app.benchmarks.cost.processes import Candidate, Texts, processes, time_texts
from lab_app.benchmarks.cost.race import algorithms, race
from lab_app.benchmarks.cost.trainers import race_trainers
from lab_app.benchmarks.cost.worker import CostWorker
from lab_app.benchmarks.process import SubjectCrashed, SubjectProcess, SubjectTimedOut, SubjectUnsupported
from lab_app.peers.peer import TokenizerFiles
from lab_app.training.options import resolved
from lab_app.training.race import ALGORITHMS

LIMIT_NS = 1_000_000_000


class Simulated:
    """The process of a candidate whose time is a function of the size of the text; it logs what it is asked."""

    def __init__(self, candidate: Candidate, log: list[str]) -> None:
        self.candidate, self.log, self.prepared = candidate, log, {}
        self.cost = candidate.load["cost"]

    def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        self.log.append(f"{self.candidate.key} {request['do']}")
        if request["do"] == "prepare":
            self.prepared = request
            return {"bytes": request["bytes"]}
        if request["do"] == "load":
            return {}
        size, texts = self.prepared["bytes"], self.prepared["texts"]
        elapsed = self.cost(size) * texts
        if elapsed > limit_s * 1e9:
            raise SubjectTimedOut("one sample took longer than the limit")
        digest = self.candidate.load.get("digest", "same")
        return {"elapsed_ns": elapsed, "tokens": size // 4, "steps": None, "digest": digest}

    def output(self) -> str | None:
        return None

    def end(self) -> None:
        self.log.append(f"{self.candidate.key} end")


def candidate(key: str, cost: Any, **load: Any) -> Candidate:
    return Candidate(key, key, "x", {"cost": cost, **load}, group="x")


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def opened(log: list[str]):
    with processes(lambda each: Simulated(each, log)) as opened:
        yield opened


PLAN = Plan({"input": "words"}, "words", rounds=3, limit_ns=LIMIT_NS)


def test_rounds_are_interleaved_and_the_first_is_not_counted(opened, log):
    both = [candidate("a", lambda size: 10 * size), candidate("b", lambda size: 20 * size)]
    found = time_texts(opened, both, Texts({"input": "words"}, 1000), rounds=4, limit_ns=LIMIT_NS)
    assert found["a"].times_ns == [10_000] * 4 and found["b"].times_ns == [20_000] * 4
    # Fast texts are timed several at a time, of which the time is that of one.
    assert (found["a"].texts, found["b"].texts) == (200, 200)
    timed = [line.split()[0] for line in log if line.endswith("time")]
    assert all(set(timed[at : at + 2]) == {"a", "b"} for at in range(0, 10, 2)) and len(timed) == 10


def test_a_slow_one_gets_fewer_rounds_and_one_over_the_limit_none(opened):
    three = [candidate("slow", lambda size: 400_000_000), candidate("over", lambda size: LIMIT_NS + 1)]
    three.append(candidate("hangs", lambda size: 100 * LIMIT_NS))
    found = time_texts(opened, three, Texts({"input": "words"}, 1000), rounds=9, limit_ns=LIMIT_NS)
    assert len(found["slow"].times_ns) == 3
    for key in ("over", "hangs"):
        point = found[key].point(1000)
        assert (point.state, point.elapsed_ns, point.samples) == ("timed_out", None, 0)
        assert point.message == "took longer than 1 s"


def test_growth_skips_what_a_smaller_text_showed_to_be_hopeless(opened, log):
    quadratic = candidate("quadratic", lambda size: size * size)
    growth = growth_in_bytes(
        opened, [quadratic, candidate("linear", lambda size: 5 * size)], PLAN, (1000, 10_000, 100_000, 1_000_000)
    )
    first, second = growth.curves
    assert [point.state for point in first.points] == ["ok", "ok", "timed_out", "skipped"]
    assert first.exponent is None
    assert (second.exponent.value, second.exponent.points) == (1.0, 4)
    assert [point.elapsed_ns for point in second.points] == [5000, 50_000, 500_000, 5_000_000]
    assert log.count("quadratic end") == 1


def test_other_ids_are_marked(opened):
    liar = candidate("liar", lambda size: size, digest="other")
    found = time_texts(opened, [candidate("a", lambda size: size), liar], Texts({"input": "words"}, 100), rounds=1)
    assert (found["liar"].point(100).state, found["a"].point(100).state) == ("inexact", "ok")


def test_a_crash_and_a_missing_feature_are_states(opened):
    def crash(size: int) -> int:
        raise SubjectCrashed("it crashed with signal 11 (SIGSEGV)")

    def unsupported(size: int) -> int:
        raise SubjectUnsupported("it has no such call")

    three = [candidate("crash", crash), candidate("no", unsupported), candidate("ok", lambda size: size)]
    given = [*((each, None) for each in three), (candidate("gone", None), "not installed")]
    rows = pathological(opened, given, bytes=1000, rounds=2, limit_ns=LIMIT_NS).rows
    states = {(row.engine, row.state, row.message) for row in rows}
    assert states == {
        ("crash", "failed", "it crashed with signal 11 (SIGSEGV)"),
        ("no", "unsupported", "it has no such call"),
        ("ok", "ok", None),
        ("gone", "unsupported", "not installed"),
    }


def test_the_limit_line(opened):
    # 10 MB/s are 100 ns per byte.
    both = [(candidate("a", lambda size: 99 * size), None), (candidate("b", lambda size: 101 * size), None)]
    found = pathological(opened, both, bytes=1000, rounds=1, limit_ns=LIMIT_NS)
    assert len(found.rows) == 24
    assert {(row.engine, row.within_limit) for row in found.rows} == {("a", True), ("b", False)}
    assert found.rows[0].throughput_mb_per_s == pytest.approx(10.1, abs=0.01)


def test_processes_end_also_after_an_error(log):
    with pytest.raises(KeyboardInterrupt), processes(lambda each: Simulated(each, log)) as opened:
        time_texts(opened, [candidate("a", lambda size: size)], Texts({"input": "words"}, 10), rounds=1)
        raise KeyboardInterrupt
    assert log[-1] == "a end"


GPT2 = TokenizerFiles("gpt2", builtin="gpt2", pattern="gpt2")
BERT = TokenizerFiles("bert", file="lab_app/vendor/bert-base-uncased/vocab.txt")


class FixedClock:
    """Every call takes 10 ms, so that a sample has one text."""

    def __init__(self) -> None:
        self.now = 0

    def now_ns(self) -> int:
        self.now += 10_000_000
        return self.now

    def cpu_ns(self) -> int:
        return self.now


class Inside:
    """A candidate in this process, with a clock that does not depend on the machine."""

    def __init__(self) -> None:
        self.worker = CostWorker(FixedClock())

    def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        try:
            return self.worker.answer(request)
        except NotImplementedError as error:
            raise SubjectUnsupported(str(error)) from error

    def output(self) -> str | None:
        return None

    def end(self) -> None:
        pass


def test_all_algorithms_give_the_ids_of_the_tokenizer():
    # The split takes three digits at a time, from the left. Without it other threes merge first.
    cl100k = TokenizerFiles("cl100k_base", builtin="cl100k_base", pattern="cl100k_base")
    plan = Plan({"input": "digits"}, "digits", rounds=1)
    with processes(lambda each: Inside()) as opened:
        found = race(opened, "cl100k_base", algorithms(cl100k), plan, (100, 1000))
    assert [(each.algorithm, each.same_ids, each.problem) for each in found.entrants] == [
        ("fast", True, None),
        ("linked-list", True, None),
        ("ordered-set", True, None),
        ("naive-split", True, None),
        ("naive", False, None),
        ("textbook", True, None),
    ]
    steps = {each.algorithm: [point.steps for point in each.points] for each in found.entrants}
    assert steps["fast"] == steps["textbook"] == [None, None]
    assert {point.state for point in found.entrants[4].points} == {"ok"}
    # Without a split, the whole text is searched for every merge.
    assert steps["naive"][1]["lookups"] > 50 * steps["naive-split"][1]["lookups"]


def test_all_trainers_make_the_same_merges(tmp_path):
    path = tmp_path / "text"
    path.write_text("hug pug pun bun hugs naïve 日本語 " * 200, encoding="utf-8")
    plan = Plan({"path": str(path)}, "a text", rounds=2)
    with processes(lambda each: Inside()) as opened:
        found = race_trainers(opened, resolved("gpt2", {}), 20, plan, (300, 3000))
    assert [each.algorithm for each in found.entrants] == list(reversed(ALGORITHMS))
    for each in found.entrants:
        assert (each.same_merges, each.problem, each.breaks_at_bytes) == (True, None, None)
        assert [(point.size, point.state, point.samples) for point in each.points] == [(300, "ok", 2), (3000, "ok", 2)]
        assert all(point.steps and sum(point.steps.values()) > 0 for point in each.points)
    merges = {tuple(point.tokens for point in each.points) for each in found.entrants}
    assert len(merges) == 1 and 1 < merges.pop()[0] <= 20
    # Only the naive trainer reads everything for each merge.
    read = {
        each.algorithm: each.points[-1].steps["symbols_read"] for each in found.entrants if each.algorithm != "fast"
    }
    assert read["naive"] > 3 * read["heap"] == 3 * read["incremental"]


def test_a_trainer_with_other_merges_is_told(log: list[str]):
    def start(each: Candidate) -> Simulated:
        load = {"cost": lambda size: size, "digest": "other" if each.key == "naive" else "same"}
        return Simulated(replace(each, load=load), log)

    with processes(start) as opened:
        found = race_trainers(opened, resolved("gpt2", {}), 20, Plan({"input": "words"}, "words", rounds=1), (1000,))
    assert [(each.algorithm, each.same_merges) for each in found.entrants] == [
        ("fast", True), ("heap", True), ("incremental", True), ("naive", False),
    ]  # fmt: skip
    [point] = found.entrants[-1].points
    assert (point.state, point.message) == ("inexact", "its merges differ from those of the first candidate")


def test_where_a_quadratic_algorithm_breaks():
    racing = [each for each in algorithms(GPT2) if each.name in ("fast", "naive-split")]
    with processes(lambda each: Inside()) as opened:
        plan = Plan({"input": "random_letters"}, "random letters", rounds=1)
        found = race(opened, "gpt2", racing, plan, (100, 40_000, 50_000))
    assert [each.breaks_at_bytes for each in found.entrants] == [None, 40_000]
    states = [(point.state, point.message) for point in found.entrants[1].points]
    assert states[1][0] == "unsupported" and "takes up to 32768 bytes at once and got 40000" in states[1][1]
    assert states[2] == ("skipped", "not tried, since a smaller text has no time")


def test_a_tokenizer_without_merges_is_a_problem_of_each_algorithm():
    with processes(lambda each: Inside()) as opened:
        found = race(opened, "bert", algorithms(BERT), PLAN, (100,))
    problems = {each.algorithm: each.problem for each in found.entrants}
    assert problems["fast"] is None
    assert "choose a byte-level BPE tokenizer" in problems["naive"]
    assert "has the split patterns of gpt2, cl100k_base, o200k_base alone" in problems["textbook"]


def test_threads_and_vocabularies():
    load = {"kind": "engine", "engine": "lab_app.peers.tokenlab", "files": vars(GPT2), "batch": False}
    gpt2 = Candidate("gpt2/tokenlab", "tokenlab", "gpt2", load, group="gpt2")
    with processes(lambda each: Inside()) as opened:
        threads = growth_in_threads(opened, [gpt2], (1, 2, 3), PLAN, 5000)
        sizes = [(gpt2, vocab_sizes(257, 50_257, 4), None), (gpt2, [], "it cannot be truncated")]
        vocabularies = growth_in_vocab_size(opened, sizes, PLAN, 5000)
    assert [point.size for point in threads.curves[0].points] == [1, 2, 3]
    assert {point.state for point in threads.curves[0].points} == {"ok"}
    tokens = [point.tokens for point in vocabularies.curves[0].points]
    assert len(tokens) == 4 and tokens == sorted(tokens, reverse=True) and tokens[0] > 4 * tokens[-1]
    assert (vocabularies.curves[1].points, vocabularies.curves[1].problem) == ([], "it cannot be truncated")


def test_in_a_process_of_its_own():
    load = {"kind": "engine", "engine": "lab_app.peers.tokenlab", "files": vars(GPT2), "batch": False}
    gpt2 = Candidate("gpt2/tokenlab", "tokenlab", "gpt2", load, group="gpt2")
    with processes(lambda each: SubjectProcess(1, 4_000_000_000, lambda: None, cost_worker.main)) as opened:
        found = time_texts(opened, [gpt2], Texts({"input": "words"}, 100), rounds=2)
    assert (found["gpt2/tokenlab"].state, len(found["gpt2/tokenlab"].times_ns)) == ("ok", 2)
