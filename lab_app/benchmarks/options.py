"""The options of benchmarks and of measurements of cost, each declared once (`lab_app.options`)."""

from dataclasses import dataclass
from typing import Annotated, Literal

from lab_app.options import Option

Temperature = Literal["warm", "cold", "first_pass"]
"""`warm`: the same text again. `cold`: the first call of a tokenizer that was just loaded. `first_pass`: a loaded tokenizer
on text that it has not seen."""
Shape = Literal["whole", "documents", "batch"]
"""`whole`: one call with the whole text. `documents`: one call per document. `batch`: one call with all documents."""
Output = Literal["ids", "spans", "lists"]
"""`ids`: as the engine returns them. `spans`: ids and spans. `lists`: ids as Python lists of int."""
FEWEST_ROUNDS = 5
"""Fewer samples have no interval."""
MAX_BYTES = 100_000_000
MIN_COST_BYTES = 100
MAX_COST_BYTES = 10_000_000


@dataclass(frozen=True, kw_only=True)
class BenchmarkOptions:
    """How to measure engines."""

    temperature: Annotated[Temperature, Option("State of the tokenizer before a sample.", flag="--mode")] = "warm"
    shape: Annotated[Shape, Option("What one call encodes.")] = "whole"
    output: Annotated[Output, Option("What a call returns.")] = "ids"
    threads: Annotated[int, Option("Threads of the engine, and CPUs that it is bound to.", 1)] = 1
    rounds: Annotated[int, Option("Samples of each subject.", FEWEST_ROUNDS, 1000)] = 31
    """With a spread of 3 %, a difference of 5 % is found in nine of ten runs of 31."""
    max_bytes: Annotated[int, Option("Text above this is left out; whole documents only.", 1, MAX_BYTES)] = 2_000_000
    time_limit_s: Annotated[float, Option("Seconds that one sample may take.", 0.1, 3600.0, "--time-limit")] = 60.0
    """Of loading, too. A subject that takes longer is ended."""
    seed: Annotated[int, Option("Chooses the order in each round.", 0, 2**63 - 1)] = 0
    """And the resamples of the intervals."""


@dataclass(frozen=True)
class CostOptions:
    """How to measure costs."""

    rounds: Annotated[int, Option("Samples of each point.", 1, 100)] = 7
    limit_s: Annotated[float, Option("Seconds of one text above which no larger ones are tried.", 0.001, 60.0)] = 2.0
    max_bytes: Annotated[int, Option("The longest text.", MIN_COST_BYTES, MAX_COST_BYTES)] = MAX_COST_BYTES
    input: Annotated[str, Option("The kind of text: `words`, `random_letters`, `one_letter` ...")] = "words"
    """A name of `cost.inputs`."""
    seed: Annotated[int, Option("Chooses texts and the order in each round.", 0, 2**32 - 1)] = 0
