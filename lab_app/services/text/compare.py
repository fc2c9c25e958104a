"""Encodes one text with several tokenizers and finds where they differ."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.divergence import KINDS, Divergences, agreement, divergences
from lab_app.engine import Call, Specials
from lab_app.errors import BadValue, EncodeFailed
from lab_app.json_text import json_text
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode, refuse_surrogates
from lab_app.services.text.results import EncodingResult, EncodingSummary, Result, Span
from lab_app.settings import DEFAULT_SPECIALS

MIN_TOKENIZERS = 2
MAX_TOKENIZERS = 8
LONG_TEXT = 20_000
"""Characters from which on tokenizers encode side by side: below, starting threads takes as long."""


@dataclass(frozen=True)
class Divergence:
    """A stretch between two shared boundaries on which tokenizers differ; `boundaries` are those strictly inside it."""

    span_utf8: Span
    span_utf16: Span
    kind: str
    counts: dict[str, int]
    """Tokens with bytes in the stretch, by tokenizer."""
    boundaries: dict[str, list[int]]
    """Bytes, by tokenizer."""


@dataclass(frozen=True)
class ComparisonResult:
    """One text under several tokenizers."""

    text_bytes: int
    text_characters: int
    agreement: list[list[float]]
    """Jaccard index of the boundary sets, a row per tokenizer."""
    tokenizers: list[EncodingResult]
    divergences: list[Divergence]


@dataclass(frozen=True)
class ComparisonHead:
    """The same without tokens and divergences: the header of the binary form."""

    text_bytes: int
    text_characters: int
    agreement: list[list[float]]
    tokenizers: list[EncodingSummary]
    divergence_kinds: tuple[str, ...]
    """The kinds that divergences refer to by number."""


@dataclass(frozen=True)
class Comparison:
    """k tokenizers on one text, in the order asked for, and the d stretches on which they differ."""

    results: list[Result]
    divergences: Divergences

    @property
    def agreement(self) -> NDArray[np.float64]:
        """Jaccard of the boundary sets, shape (k, k)."""
        return agreement(self.divergences.shared, self.divergences.either)

    def head(self) -> ComparisonHead:
        """The part of the result that is small whatever the text."""
        return ComparisonHead(
            text_bytes=len(self.results[0].text_bytes),
            text_characters=len(self.results[0].text),
            agreement=self.agreement.tolist(),
            tokenizers=[result.summary() for result in self.results],
            divergence_kinds=KINDS,
        )

    def json_chunks(self) -> Iterator[bytes]:
        """A ComparisonResult as JSON in UTF-8, in parts of at most some megabytes."""
        head = {
            "text_bytes": len(self.results[0].text_bytes),
            "text_characters": len(self.results[0].text),
            "agreement": self.agreement.tolist(),
        }
        yield f'{json_text(head)[:-1]}, "tokenizers": ['.encode()
        for number, result in enumerate(self.results):
            if number:
                yield b", "
            yield from result.json_chunks()
        yield f'], "divergences": {json_text(self.listed_divergences())}}}'.encode()

    def listed_divergences(self) -> list[Divergence]:
        """The divergences in the order of the text."""
        ids = [result.id for result in self.results]
        boundaries = [self.divergences.boundaries(number) for number in range(len(ids))]
        names = ("start_utf8", "end_utf8", "start_utf16", "end_utf16", "kind", "counts")
        return [
            Divergence(
                (start, end),
                (first, last),
                KINDS[kind],
                dict(zip(ids, counts, strict=True)),
                {id: inside[number] for id, inside in zip(ids, boundaries, strict=True)},
            )
            for number, (start, end, first, last, kind, counts) in enumerate(
                zip(*(self.divergences.arrays[name].tolist() for name in names), strict=True)
            )
        ]


def check_tokenizers(owner: str, ids: Sequence[str], *, least: int = 1) -> None:
    """Raises BadValue unless `ids` are `least` to eight different ones; `owner` is what needs them.

    >>> check_tokenizers("a session", ["gpt2", "GPT2"])
    Traceback (most recent call last):
    ...
    lab_app.errors.BadValue: GPT2 is named more than once: name different tokenizers
    """
    if not least <= len(ids) <= MAX_TOKENIZERS:
        raise BadValue(
            f"{owner} needs {least} to {MAX_TOKENIZERS} tokenizers, not {len(ids)}",
            f"name {least} different ones or more, up to {MAX_TOKENIZERS}",
        )
    lower = [id.lower() for id in ids]
    repeated = sorted(id for id in ids if lower.count(id.lower()) > 1)
    if repeated:
        raise BadValue(f"{repeated[0]} is named more than once", "name different tokenizers")


def compare(
    lab: Lab,
    ids: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    ignore_spaces: bool = True,
) -> Comparison:
    """The comparison of two to eight tokenizers on `text`.

    `ignore_spaces`: a boundary next to or inside whitespace counts at the start of it. Raises BadValue for a wrong number of
    tokenizers or one named twice, and whatever `encode` raises.

    >>> from lab_app.settings import Settings
    >>> found = compare(Lab(Settings()), ["gpt2", "cl100k_base"], "a 2048-token window")
    >>> [each.span_utf8 for each in found.listed_divergences()]
    [(1, 6), (6, 12)]
    """
    check_tokenizers("a comparison", ids, least=MIN_TOKENIZERS)
    refuse_surrogates(text)

    def result(id: str) -> Result:
        return encode(lab, id, text, add_special_tokens=add_special_tokens, specials=specials)

    results = _side_by_side(result, ids) if len(text) >= LONG_TEXT else [result(id) for id in ids]
    without = next((result.id for result in results if not result.has_spans), None)
    if without is not None:
        raise EncodeFailed(
            f"{without} does not report token spans for this text, so it cannot be compared",
            "Inspect shows its tokens and their count",
        )
    found = divergences(text, [result.spans_of_text for result in results], ignore_spaces=ignore_spaces)
    return Comparison(results, found)


def _side_by_side(result: Callable[[str], Result], ids: Sequence[str]) -> list[Result]:
    """The results in order; of several errors the first. The engine holds no lock of the interpreter while it encodes."""
    call = Call.current()
    with ThreadPoolExecutor(min(len(ids), os.cpu_count() or 1), "compare") as pool:
        return list(pool.map(lambda id: call.run(lambda: result(id)) if call else result(id), ids))
