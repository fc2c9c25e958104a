"""Stage times are medians of interleaved rounds; slow documents are ranked by time per byte."""

import numpy as np
import pytest

from lab_app.benchmarks.stages import Fresh, stage_report
from lab_app.engine import EncodeError

TEXTS = ["a" * 100, "b" * 400, "short"]


class Simulated:
    """A tokenizer with one token per character, whose times are written down."""

    def __init__(self, model_ns: list[int], texts_ns: list[list[int]], calls: list[str], name: str = "x") -> None:
        self.model_ns, self.texts_ns, self.calls, self.name = list(model_ns), list(texts_ns), calls, name

    def encode_timed(self, texts, *, path, spans):
        self.calls.append(f"{self.name} {path}")
        stages = {
            "normalizer": None,
            "pretokenizer": 7,
            "model": self.model_ns.pop(0),
            "postprocessor": None,
            "output": 1,
        }
        timings = {"stages_ns": stages, "fused": ["normalizer"], "absent": ["postprocessor"], "cache": (5, 2)}
        return [self.encode_ids(text) for text in texts], np.array(self.texts_ns.pop(0), np.uint64), timings

    def encode_ids(self, text):
        return np.zeros(len(text), np.uint32)


def test_medians_without_the_first_round():
    tokenizer = Simulated([999, 10, 30, 20], [[9, 9, 9], [100, 900, 50], [100, 800, 90], [100, 850, 80]], [])
    report = stage_report("three texts", [("x", tokenizer)], TEXTS, paths=["fast"], rounds=3)
    (row,) = report.rows
    assert (row.model_ns, row.pretokenizer_ns, row.normalizer_ns, row.output_ns) == (20, 7, None, 1)
    assert row.total_ns == 28
    assert (row.texts, row.bytes, row.tokens, row.rounds, row.same_ids) == (3, 505, 505, 3, True)
    assert (row.cache.hits, row.cache.misses) == (5, 2)
    # By time per byte, and too short a document is not ranked.
    assert [(each.document, each.time_ns) for each in report.slowest["x"]] == [(2, 850), (1, 100)]
    assert report.slowest["x"][0].excerpt == "b" * 400


def test_a_fresh_tokenizer_is_loaded_before_each_pass():
    loaded: list[Simulated] = []

    def load() -> Simulated:
        loaded.append(Simulated([len(loaded)], [[1, 1, 1]], []))
        return loaded[-1]

    (row,) = stage_report("", [("x", Fresh(load))], TEXTS, paths=["fast"], rounds=3).rows
    assert (len(loaded), row.model_ns, row.same_ids) == (4, 2, True)


def test_rounds_are_interleaved():
    calls: list[str] = []
    tokenizers = [(name, Simulated([1] * 9, [[1, 1, 1]] * 9, calls, name)) for name in ("x", "y")]
    stage_report("", tokenizers, TEXTS, rounds=2)
    assert calls == ["x fast", "x stages", "y fast", "y stages"] * 3


def test_the_slow_path_has_fewer_rounds():
    calls: list[str] = []
    stage_report("", [("x", Simulated([1] * 20, [[1, 1, 1]] * 20, calls))], TEXTS, rounds=9)
    assert (calls.count("x fast"), calls.count("x stages")) == (10, 4)


def test_a_text_that_cannot_be_encoded_is_a_problem_of_its_row():
    class Refusing(Simulated):
        def encode_timed(self, texts, *, path, spans):
            raise EncodeError("no unknown token")

    report = stage_report("", [("no", Refusing([], [], [])), ("x", Simulated([1] * 20, [[1, 1, 1]] * 20, []))], TEXTS)
    problems = [(row.tokenizer, row.problem, row.total_ns is None, row.tokens) for row in report.rows]
    assert problems == [
        ("no", "no unknown token", True, None),
        ("no", "no unknown token", True, None),
        ("x", None, False, 505),
        ("x", None, False, 505),
    ]
    assert list(report.slowest) == ["x"]


def test_it_stops_when_asked():
    def check() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stage_report("", [("x", Simulated([1], [[1, 1, 1]], []))], TEXTS, check=check)
