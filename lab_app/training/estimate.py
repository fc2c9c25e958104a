"""Time and memory of a training before it starts, from a quick count of a sample.

Not here: the memory of counted words (the engine).
"""

import json
import math
import time
from dataclasses import dataclass

from lab_app import engine
from lab_app.training.control import Control
from lab_app.training.counting import Counted, count_unit
from lab_app.training.options import TrainingOptions
from lab_app.training.progress import size_words
from lab_app.training.run import in_words
from lab_app.training.sources import Reading, Text, Unit

SAMPLE_BYTES = 1_000_000
WHOLE = 1.05
"""A text at most this many times as long as the sample is taken for the sample."""
LIMIT_S = 1.0
"""The time for counting the sample, and for training on it."""


@dataclass(frozen=True)
class Estimate:
    """What a training will take. None: not measured."""

    text_bytes: int
    seconds: float | None
    memory_bytes: int | None
    basis: str
    """What was measured, and what is assumed."""


def estimate(options: TrainingOptions, text: Text, *, threads: int = 1, control: Control | None = None) -> Estimate:
    """Counts about 1 MB of a text, trains on it for at most a second, and scales both.

    Different words grow with a power of the text that the two halves of the sample show; merging is taken to grow with the
    different words. Raises as `count_unit` and the trainers do.
    """
    control = control or Control()
    sampled = Text(text.title, text.sources, min(SAMPLE_BYTES, text.sample_bytes or SAMPLE_BYTES))
    whole = text.read_bytes
    units = sampled.units()
    if not units or not whole:
        return Estimate(whole, None, None, "The text is empty.")
    with in_words():
        half, words, seconds, size = _counted(options, sampled, units, control)
        if not words.words or not size:
            return Estimate(whole, None, None, "The sample holds no words.")
        ratio = max(whole / size, 1.0)
        growth = _growth(half, words.unique)
        factor = ratio**growth
        merging = _merging_s(options, words) if ratio < 1e6 else None
        memory = round(words.estimate()["memory_bytes"] * factor)
    basis = _basis(size, ratio, factor)
    if merging is None:
        return Estimate(whole, None, memory, f"{basis} Merging the sample took too long to measure the time.")
    counting = seconds * ratio / max(threads, 1)
    return Estimate(whole, counting + merging * factor, memory, basis)


def _basis(size: int, ratio: float, factor: float) -> str:
    """What was measured, and what is assumed.

    >>> _basis(757_000, 1.0, 1.0)
    'Measured on the whole text.'
    >>> _basis(1_000_000, 100.0, 10.0)
    'Measured on a sample of 1 MB. The whole text is 100 times as long and is taken to have 10 times as many different words.'
    """
    if ratio < WHOLE:
        return "Measured on the whole text."
    return (
        f"Measured on a sample of {size_words(size)}. The whole text is {ratio:.3g} times as long and is taken to have "
        f"{factor:.3g} times as many different words."
    )


def _counted(
    options: TrainingOptions, sampled: Text, units: list[Unit], control: Control
) -> tuple[int, engine.WordCounter, float, int]:
    """Different words of the first half, the words of the sample, seconds, and bytes of text."""
    reading = Reading(sampled, options.as_json())
    counted = Counted(engine.WordCounter(reading.options))
    began = time.perf_counter()
    half = 0
    for number, unit in enumerate(units, 1):
        control.check()
        count_unit(reading, unit, counted.words, counted.reports, control.check)
        if number <= max(len(units) // 2, 1):
            half = counted.words.unique
        if time.perf_counter() - began > LIMIT_S and number > 1:
            break
    size = sum(units[number].size_bytes for number in range(len(counted.reports)))
    return half, counted.words, time.perf_counter() - began, size


def _growth(half: int, whole: int) -> float:
    """The exponent of Heaps' law that two halves show, from 0.3 to 1; 0.6 is usual for English text.

    >>> _growth(100, 100), _growth(100, 200), round(_growth(1000, 1500), 2)
    (0.3, 1.0, 0.58)
    """
    return min(max(math.log2(whole / half), 0.3), 1.0) if half else 0.6


def _merging_s(options: TrainingOptions, words: engine.WordCounter) -> float | None:
    """Seconds of training on these words; None if it takes longer than a second."""
    began = time.perf_counter()
    trainer = engine.Trainer(options.as_json(), words)
    left = LIMIT_S - (time.perf_counter() - began)
    if left <= 0:
        return None
    answer = json.loads(trainer.run(2**31, round(left * 1000)))
    return time.perf_counter() - began if answer["finished"] else None
