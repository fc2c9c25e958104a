"""Counters of one lab: exact sums from many threads, and a few texts that are sampled."""

import statistics
import threading

import pytest

from lab_app.services.live_metrics import SAMPLE_EVERY, SAMPLED_CHARACTERS, SAMPLED_NS, Counters


def record(counters: Counters, characters: int = 10, tokens: int = 4, elapsed_ns: int = 5) -> bool:
    return counters.record("x", texts=1, characters=characters, tokens=tokens, elapsed_ns=elapsed_ns)


def test_mean_and_deviation_are_those_of_the_definition():
    counters, given = Counters(), [(10, 4), (12, 4), (3, 3), (100, 7), (8, 0)]
    for characters, tokens in given:
        record(counters, characters, tokens)
    ratios = [characters / tokens for characters, tokens in given if tokens]
    found = counters.of("x").characters_per_token
    assert (found.texts, found.mean) == (4, pytest.approx(statistics.mean(ratios)))
    assert found.deviation == pytest.approx(statistics.stdev(ratios))


def test_one_text_in_so_many_is_sampled():
    counters = Counters()
    sampled = []
    for number in range(3 * SAMPLE_EVERY):
        if record(counters):
            sampled.append(number)
            counters.record_stages("x", 10, {"model": 5, "normalizer": None})
    assert sampled == [1, 1 + SAMPLE_EVERY, 1 + 2 * SAMPLE_EVERY]
    stages = counters.of("x").stages
    assert (stages.texts, stages.characters, stages.model_ns, stages.normalizer_ns) == (3, 30, 15, None)


@pytest.mark.parametrize("size", [{"characters": SAMPLED_CHARACTERS + 1}, {"elapsed_ns": SAMPLED_NS + 1}])
def test_what_takes_long_is_not_encoded_again(size):
    counters = Counters()
    assert not record(counters, **size)
    assert record(counters), "the next one is"


def test_nothing_is_lost_between_threads():
    counters = Counters()
    threads = [threading.Thread(target=lambda: [record(counters) for _ in range(2000)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = counters.of("x")
    assert (found.texts, found.tokens, found.characters, found.elapsed_ns) == (16_000, 64_000, 160_000, 80_000)


def test_what_was_not_measured_is_none():
    counters = Counters()
    counters.record("x", texts=3, characters=9, tokens=0, elapsed_ns=0, is_batch=True)
    found = counters.of("x")
    assert (found.tokens_per_s, found.characters_per_token, found.stages) == (None, None, None)
    assert counters.of("y") is None
