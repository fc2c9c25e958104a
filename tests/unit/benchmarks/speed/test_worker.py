"""One process's side, on a simulated clock: known costs are measured as they are."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from lab_app.benchmarks.speed.worker import Worker
from lab_app.benchmarks.speed.workload import Workload
from tests.fake_engines import costly

DOCUMENTS = ("ab\n", "cde\n", "é\n")


class SimulatedClock:
    """Goes on by what an engine says that its calls cost."""

    def now_ns(self) -> int:
        return costly.elapsed_ns

    def cpu_ns(self) -> int:
        return costly.elapsed_ns // 2


@pytest.fixture
def loaded(tmp_path: Path):
    def load(**options) -> tuple[Worker, dict]:
        worker = Worker(SimulatedClock())
        request = {"do": "load", "engine": "tests.fake_engines.costly", "files": {"tokenizer": "t"}, "cpus": []}
        request |= {"threads": 1, "output": "ids", "shape": "whole", "parts": [(0, 3)]}
        return worker, worker.answer(request | Workload("", DOCUMENTS).write(tmp_path) | options)

    return load


def test_times_are_per_pass_and_load_apart(loaded):
    worker, answer = loaded()
    assert (answer["load_ns"], answer["import_ns"], answer["read_from"]) == (costly.LOAD_NS, 0, "nothing")
    first = worker.answer({"do": "first"})
    size = len("".join(DOCUMENTS))
    assert first["first_call_ns"] == costly.CALL_NS + 3 * costly.CHARACTER_NS
    assert first["pass_ns"] == costly.CALL_NS + size * costly.CHARACTER_NS
    sample = worker.answer({"do": "sample", "part": 0, "calls": 7, "fresh": False})
    assert sample["elapsed_ns"] == costly.CALL_NS + size * costly.CHARACTER_NS
    assert sample["cpu_ns"] == sample["elapsed_ns"] // 2 and sample["tokens"] == size


@pytest.mark.parametrize(("shape", "calls"), [("documents", 3), ("batch", 1)])
def test_a_pass_has_a_call_per_document_or_one_for_all(loaded, shape: str, calls: int):
    worker, _ = loaded(shape=shape)
    sample = worker.answer({"do": "sample", "part": 0, "calls": 1, "fresh": False})
    size = len("".join(DOCUMENTS))
    assert sample["elapsed_ns"] == calls * costly.CALL_NS + size * costly.CHARACTER_NS
    found = worker.answer({"do": "digests"})
    assert found["tokens"] == [size] and len(found["digests"]) == 3


def test_loading_is_no_part_of_a_fresh_sample(loaded):
    worker, _ = loaded()
    before = costly.loads
    plain, fresh = (worker.answer({"do": "sample", "part": 0, "calls": 1, "fresh": fresh}) for fresh in (False, True))
    assert plain == fresh and costly.loads == before + 1


def test_each_document_is_timed_by_itself(loaded):
    found = loaded()[0].answer({"do": "latency"})
    expected = [costly.CALL_NS + len(document) * costly.CHARACTER_NS for document in DOCUMENTS]
    assert found == {"times_ns": expected, "tokens": [3, 4, 2]}


def test_digests_are_of_the_ids_as_32_bit_numbers(loaded):
    found = loaded()[0].answer({"do": "digests"})
    ids = np.array([ord(character) for character in "".join(DOCUMENTS)], np.uint32)
    assert found["digests"] == [hashlib.blake2b(ids.tobytes(), digest_size=16).hexdigest()]
    assert loaded()[0].answer({"do": "difference", "unit": 0}) == {"ids": ids.tolist()}


def test_an_engine_without_spans_says_so(loaded):
    with pytest.raises(NotImplementedError, match="costly has no spans"):
        loaded(output="spans")
