"""Time and memory of a training before it starts, from a quick count of a sample.

Not here: the memory of counted words (the engine).
"""

import json
import math
import os
import time
from dataclasses import dataclass

from lab_app import engine
from lab_app.files import temporary_folder
from lab_app.number_words import size_words
from lab_app.training import output
from lab_app.training.control import BEAT_S, Control
from lab_app.training.counting import Counted, count_unit
from lab_app.training.options import TrainingOptions
from lab_app.training.run import STEPS_AT_ONCE
from lab_app.training.saved import in_words
from lab_app.training.sources import Reading, Text, Unit
from lab_app.training.steps import Steps

SAMPLE_BYTES = 1_000_000
WHOLE = 1.05
"""A text at most this many times as long as the sample is taken for the sample."""
LIMIT_S = 1.0
"""The time for counting the sample, and for training on it."""
USUAL_GROWTH = 0.6
"""The exponent by which different words grow with an English text (Heaps' law)."""
OVERHEAD_S = 0.05
"""What each training takes besides: threads, a checkpoint, the list of files."""


@dataclass(frozen=True)
class Estimate:
    """What a training will take. None: not measured."""

    text_bytes: int
    seconds: float | None
    memory_bytes: int | None
    basis: str
    """What was measured, and what is assumed."""


def estimate(options: TrainingOptions, text: Text, *, threads: int = 0, control: Control | None = None) -> Estimate:
    """Counts about 1 MB of a text, trains on it for at most a second as `Run` does, and scales both.

    Counting grows with the text. The number of different words grows with a power of it, which the two halves of the
    sample show (Heaps' law); training grows with that number, the table of steps and the files with the number of tokens. `threads`: 0
    means all cores. Raises as `count_unit` and the trainers do.
    """
    control = control or Control()
    sampled = Text(text.title, text.sources, min(SAMPLE_BYTES, text.sample_bytes or SAMPLE_BYTES))
    whole = text.read_bytes
    units = sampled.units()
    if not units or not whole:
        return Estimate(whole, None, None, "The text is empty.")
    with in_words():
        words, seconds, size, growth = _counted(options, sampled, units, control)
        if not words.words or not size:
            return Estimate(whole, None, None, "The sample holds no words.")
        ratio = max(whole / size, 1.0)
        factor = ratio**growth
        training = _training_s(options, words, factor)
        memory = words.estimate(factor)["memory_bytes"]
    basis = _basis(size, ratio, factor)
    if training is None:
        return Estimate(whole, None, memory, f"{basis} One step took too long to measure the time.")
    counting = seconds * ratio / min(threads or os.cpu_count() or 1, max(round(ratio), 1))
    return Estimate(whole, OVERHEAD_S + counting + training, memory, basis)


def _basis(size: int, ratio: float, factor: float) -> str:
    """What was measured, and what is assumed.

    >>> _basis(757_000, 1.0, 1.0)
    'Measured on the whole text.'
    >>> _basis(1_000_000, 100.0, 10.0)
    'From a sample of 1 MB. The text is 100 times as long, with an estimated 10 times as many different words.'
    """
    if ratio < WHOLE:
        return "Measured on the whole text."
    return (
        f"From a sample of {size_words(size)}. The text is {ratio:.3g} times as long, with an estimated {factor:.3g} "
        "times as many different words."
    )


def _counted(
    options: TrainingOptions, sampled: Text, units: list[Unit], control: Control
) -> tuple[engine.WordCounter, float, int, float]:
    """The words of the sample, seconds, bytes of text, and the exponent by which different words grow with the text."""
    reading = Reading(sampled, options.as_json())
    counted = Counted(engine.WordCounter(reading.options))
    began = time.perf_counter()
    size, growth = 0, USUAL_GROWTH
    part, part_size = 0, 0
    # Every other one first: parts far apart may be in other languages, which would look like growth.
    for number, unit in enumerate([*units[::2], *units[1::2]], 1):
        control.check()
        count_unit(reading, unit, counted.words, counted.reports, control.check)
        size += unit.size_bytes
        if number == (len(units) + 1) // 2 and number < len(units):
            part, part_size = counted.words.unique, size
        if time.perf_counter() - began > LIMIT_S and number > 1:
            break
    if part and size > part_size:
        growth = _growth(part, counted.words.unique, size / part_size)
    return counted.words, time.perf_counter() - began, size, growth


def _growth(part: int, whole: int, ratio: float) -> float:
    """The exponent of Heaps' law, from 0.3 to 1: a text `ratio` times as long has `whole` different words, not `part`.

    >>> _growth(100, 100, 2), _growth(100, 200, 2), round(_growth(1000, 1500, 2), 2)
    (0.3, 1.0, 0.58)
    """
    return min(max(math.log(whole / part) / math.log(ratio), 0.3), 1.0)


def _training_s(options: TrainingOptions, words: engine.WordCounter, growth: float) -> float | None:
    """Seconds of training on `growth` times as many different words, and of writing the files. None if the first step
    takes longer than a second."""
    with temporary_folder() as folder:
        steps = Steps(folder / "steps.jsonl")
        began = time.perf_counter()
        trainer = engine.Trainer(options.as_json(), words)
        kept_s = 0.0
        while (left := LIMIT_S - (time.perf_counter() - began)) > 0:
            answer = json.loads(trainer.run(STEPS_AT_ONCE, max(round(min(left, BEAT_S) * 1000), 1)))
            answered = time.perf_counter()
            steps.add(answer["rows"])
            kept_s += time.perf_counter() - answered
            if answer["finished"]:
                break
        trained_s = time.perf_counter() - began - kept_s
        if not len(steps):
            return None
        finished = json.loads(trainer.state())["finished"]
        written = time.perf_counter()
        output.write_tokenizer(trainer.tokenizer(), folder)
        kept_s += time.perf_counter() - written
    total = words.estimate(growth)["steps"]
    share = _done_share(options, len(steps), total, finished)
    # A sample that ended without pairs has fewer steps than the text.
    more_steps = min(total / len(steps), growth) if finished else total / len(steps)
    return trained_s * growth / share + kept_s * (1.0 if options.algorithm == "unigram" else max(more_steps, 1.0))


def _done_share(options: TrainingOptions, done: int, total: int, finished: bool) -> float:
    """The share of the work of a sample's training that its first steps are.

    Steps of Unigram get cheaper as its tokens get fewer.

    >>> unigram = TrainingOptions("unigram", shrinking_factor=0.5, em_iterations=1)
    >>> _done_share(unigram, 4, 4, True), round(_done_share(unigram, 2, 4, False), 3)
    (1.0, 0.667)
    """
    if finished or done >= total:
        return 1.0
    if options.algorithm != "unigram":
        return done / total
    each = float(options.shrinking_factor ** (1 / (options.em_iterations + 1)))
    return float((1 - each**done) / (1 - each**total))
