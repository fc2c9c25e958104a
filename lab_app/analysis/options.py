"""The options of analyses, of comparisons with references and of edits of a text, each declared once (`lab_app.options`)."""

from dataclasses import dataclass
from typing import Annotated

from lab_app.options import Option
from lab_app.settings import DEFAULT_SPECIALS, SpecialText

MAX_ROWS = 1000
MAX_GENERATED = 1_000_000
MAX_SENTENCES = 100_000
CONTEXT_LENGTHS = (512, 2048, 8192, 32768, 131072)
"""Tokens that models accept."""
MAX_LENGTHS = 20


@dataclass(frozen=True)
class AnalysisOptions:
    """What to measure, and how."""

    measures: Annotated[
        tuple[str, ...] | None, Option("Count only these, such as words; default all.", flag="--measure")
    ] = None
    reference_language: Annotated[
        str | None,
        Option("The language that the premium divides by; default English, or the first.", flag="--reference"),
    ] = None
    context_lengths: Annotated[
        tuple[int, ...], Option("Report the share of documents longer than this, in tokens.", flag="--context-length")
    ] = CONTEXT_LENGTHS
    alpha: Annotated[float, Option("Order of the Rényi entropy.")] = 2.5
    top: Annotated[int, Option("Rows of frequent tokens.", 0, MAX_ROWS)] = 20
    sample_bytes: Annotated[int | None, Option("Count about this much of the text.", flag="--sample")] = None
    """None means all."""
    seed: Annotated[int, Option("Chooses the documents of the sample.", 0, 2**63 - 1)] = 0


@dataclass(frozen=True)
class ConformanceOptions:
    """What to compare."""

    against: Annotated[
        tuple[str, ...] | None, Option("Libraries; default all that are installed and read the tokenizer.")
    ] = None
    texts: Annotated[int, Option("Texts to generate.", 0, MAX_GENERATED)] = 2000
    corpus: Annotated[str | None, Option("A corpus whose documents are compared, too.")] = None
    sample_bytes: Annotated[float | None, Option("How much of the corpus, about.", flag="--sample")] = 5e6
    """None reads all of it."""
    seed: Annotated[int, Option("Chooses the generated texts and the sample.")] = 0
    specials: Annotated[SpecialText, Option("How to treat text that looks like a special token.")] = DEFAULT_SPECIALS


@dataclass(frozen=True)
class RobustnessOptions:
    """What to measure under small edits."""

    sentences: Annotated[int, Option("Sentences to sample.", 1, MAX_SENTENCES)] = 500
    kinds: Annotated[tuple[str, ...] | None, Option("Kinds of edit; default all but homoglyph.", flag="--kind")] = None
    seed: Annotated[int, Option("Chooses sentences, edits and noise.")] = 0
    sample_bytes: Annotated[float | None, Option("How much of the corpus to read, about.", flag="--sample")] = 2e6
    """None reads all of it."""
