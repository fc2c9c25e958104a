"""Measures how long each stage of a tokenizer takes, and which documents take longest.

The engine reads a clock when the stage changes (`Tokenizer.encode_timed`), and the cost of the readings is taken off. The
encoder that is timed is the encoder that `encode` uses, so this works for the lab's engine alone. Not here: whole calls
of any engine (`speed.runner`), the parts of one document (`profile`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from lab_app.benchmarks.growth_result import CacheCounts, SlowestDocument, Stage, StageReport, StageTimes
from lab_app.benchmarks.slow_documents import slowest_documents
from lab_app.engine import EncodeError
from lab_app.peers.peer import TimedTokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

Path = Literal["fast", "stages"]
PATHS: tuple[Path, ...] = ("fast", "stages")
STAGES: tuple[Stage, ...] = ("normalizer", "pretokenizer", "model", "postprocessor", "output")
ROUNDS = 9
STAGED_ROUNDS = 3
"""The stages one after the other are ten to a hundred times slower than the fast path, and vary less."""
SLOWEST = 20
FEWEST_BYTES = 64
"""Shorter documents are not ranked: the fixed cost of a call is most of their time."""


@dataclass
class _Samples:
    """What the rounds of one tokenizer on one path gave."""

    stages_ns: dict[str, list[int | None]]
    texts_ns: "list[NDArray[np.uint64]]"
    last: Any
    tokens: list[int]
    same_ids: bool
    problem: str | None = None


class Fresh:
    """A tokenizer that is loaded anew before each pass, so that it remembers no words."""

    def __init__(self, load: Callable[[], TimedTokenizer]) -> None:
        self._load = load

    def encode_timed(
        self, texts: Sequence[str], *, path: Path, spans: bool
    ) -> "tuple[list[NDArray[np.uint32]], NDArray[np.uint64], Any]":
        """See `TimedTokenizer`."""
        self._tokenizer = self._load()
        return self._tokenizer.encode_timed(texts, path=path, spans=spans)

    def encode_ids(self, text: str) -> "NDArray[np.uint32]":
        """See `TimedTokenizer`."""
        return self._tokenizer.encode_ids(text)


def stage_report(
    title: str,
    tokenizers: Sequence[tuple[str, TimedTokenizer]],
    texts: Sequence[str],
    *,
    paths: Sequence[Path] = PATHS,
    rounds: int = ROUNDS,
    spans: bool = False,
    check: Callable[[], None] = lambda: None,
) -> StageReport:
    """Measures the stages of every tokenizer over all texts.

    Rounds are interleaved: each round runs every tokenizer once, so that a slow moment of the machine touches all of them.
    One round before them fills the caches and is not counted. `check` is called between two calls, and may raise.

    >>> from lab_app.engine import Tokenizer
    >>> report = stage_report("two texts", [("gpt2", Tokenizer.builtin("gpt2"))], ["some text", "more of it"], rounds=2)
    >>> [(row.path, row.tokens, row.absent, row.normalizer_ns) for row in report.rows]
    [('fast', 5, ['normalizer', 'postprocessor'], None), ('stages', 5, ['normalizer', 'postprocessor'], None)]
    """
    found: dict[tuple[int, Path], _Samples] = {}
    for number in range(rounds + 1):
        for place, (_, tokenizer) in enumerate(tokenizers):
            for path in paths:
                check()
                samples = found.get((place, path))
                if number == 0:
                    found[place, path] = _first(tokenizer, texts, path, spans)
                elif samples and not samples.problem and (path == "fast" or number <= STAGED_ROUNDS):
                    _add(samples, tokenizer.encode_timed(texts, path=path, spans=spans))
    sizes = [len(text.encode()) for text in texts]
    rows = [_row(tokenizers[place][0], path, samples, sizes) for (place, path), samples in found.items()]
    slowest = {
        id: _slowest(texts, sizes, found[place, "fast"])
        for place, (id, _) in enumerate(tokenizers)
        if (place, "fast") in found and not found[place, "fast"].problem and len(texts) > 1
    }
    return StageReport(title, rows, slowest)


def _first(tokenizer: TimedTokenizer, texts: Sequence[str], path: Path, spans: bool) -> _Samples:
    """The round that is not counted: it fills the caches and compares the ids."""
    nothing: dict[str, list[int | None]] = {stage: [] for stage in STAGES}
    try:
        ids, _, timings = tokenizer.encode_timed(texts, path=path, spans=False)
        same = all(np.array_equal(own, tokenizer.encode_ids(text)) for own, text in zip(ids, texts, strict=True))
        if spans:
            tokenizer.encode_timed(texts, path=path, spans=True)
    except EncodeError as error:
        return _Samples(nothing, [], {}, [], False, str(error))
    return _Samples(nothing, [], timings, [len(own) for own in ids], same)


def _add(samples: _Samples, answer: "tuple[list[NDArray[np.uint32]], NDArray[np.uint64], Any]") -> None:
    _, texts_ns, timings = answer
    samples.texts_ns.append(texts_ns)
    samples.last = timings
    for stage in STAGES:
        samples.stages_ns[stage].append(timings["stages_ns"][stage])


def _row(id: str, path: Path, samples: _Samples, sizes: Sequence[int]) -> StageTimes:
    def of(stage: Stage) -> int | None:
        measured = [value for value in samples.stages_ns[stage] if value is not None]
        return round(median(measured)) if measured else None

    timings = samples.last
    rounds = len(samples.texts_ns)
    measured = [of(stage) for stage in STAGES]
    return StageTimes(
        tokenizer=id,
        path=path,
        texts=len(sizes),
        bytes=sum(sizes),
        tokens=None if samples.problem else sum(samples.tokens),
        rounds=rounds,
        normalizer_ns=measured[0],
        pretokenizer_ns=measured[1],
        model_ns=measured[2],
        postprocessor_ns=measured[3],
        output_ns=measured[4],
        total_ns=sum(each or 0 for each in measured) if rounds else None,
        fused=cast("list[Stage]", timings.get("fused", [])),
        absent=cast("list[Stage]", timings.get("absent", [])),
        cache=CacheCounts(*timings["cache"]) if timings.get("cache") else None,
        same_ids=None if samples.problem else samples.same_ids,
        problem=samples.problem,
    )


def _slowest(texts: Sequence[str], sizes: Sequence[int], samples: _Samples) -> list[SlowestDocument]:
    """The documents that take longest per byte, by the median of the rounds."""
    if not samples.texts_ns:
        return []
    elapsed = np.median(np.stack(samples.texts_ns), axis=0)
    size = np.asarray(sizes)
    per_byte = np.where(size >= FEWEST_BYTES, elapsed / np.maximum(size, 1), -1.0)
    order = np.argsort(-per_byte, kind="stable")[:SLOWEST]
    return slowest_documents(texts, samples.tokens, elapsed, [place for place in order if per_byte[place] >= 0])
