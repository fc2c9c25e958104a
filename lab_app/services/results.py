"""One text under one tokenizer, as every screen, program and command sees it.

The tokens of a large text are millions: `Result.json_chunks` writes them without an object for each.
Not here: making a result (`encode`, `compare`), the binary form (`lab_app.api.frame`).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.counts import split_characters
from lab_app.analysis.figures import Figures
from lab_app.analysis.positions import Positions, Spans
from lab_app.engine import PADDING, SPECIAL, TEMPLATE, UNKNOWN
from lab_app.json_text import json_text
from lab_app.library.tokenizer import AnyEncoding, AnyTokenizer

CHUNK_TOKENS = 20_000

# Tokens that stand for no part of a text.
OUTSIDE = TEMPLATE | PADDING


Span = tuple[int, int]


@dataclass(frozen=True)
class Token:
    """One token of a text. Spans are half-open, in the original text; None if a plug-in reports none."""

    id: int
    text: str | None
    """None if the bytes are not whole characters."""
    bytes: str
    """Lower-case hex."""
    span_utf8: Span | None
    span_char: Span | None
    span_utf16: Span | None
    special: bool
    sequence: int | None
    """0 for the first text, 1 for the second; None for added special tokens and padding, whose spans are (0, 0)."""


@dataclass(frozen=True)
class EncodingSummary:
    """One text under one tokenizer, without its tokens. `lab_app.analysis.figures` defines the figures."""

    tokenizer: str
    text_bytes: int
    text_characters: int
    count: int
    text_token_count: int | None
    added_special_count: int | None
    padding_count: int
    unknown_count: int
    bytes_per_token: float | None
    characters_per_token: float | None
    unknown_rate: float | None
    pretoken_count: int | None
    split_character_count: int | None
    has_spans: bool
    round_trip: bool | None
    """Whether decoding returns the text exactly; None if that was not measured."""
    elapsed_ns: int


@dataclass(frozen=True)
class EncodingResult(EncodingSummary):
    """One text under one tokenizer."""

    ids: list[int]
    type_ids: list[int]
    attention_mask: list[int]
    overflowing: list[list[int]]
    """The ids of the truncated parts."""
    tokens: list[Token]


@dataclass(frozen=True)
class Result:
    """One encoding and what belongs to it. `id` is the tokenizer's, `positions` those of `text`."""

    id: str
    tokenizer: AnyTokenizer
    text: str
    pair: str | None
    positions: Positions
    encoding: AnyEncoding
    elapsed_ns: int

    @property
    def has_spans(self) -> bool:
        """Whether anybody knows which part of the text a token stands for. Only a plug-in's tokens may lack that."""
        return getattr(self.encoding, "has_spans", True)

    @cached_property
    def ids(self) -> NDArray[np.uint32]:
        """The ids, shape (n,)."""
        return self.encoding.ids

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        """The engine's flags, shape (n,)."""
        return self.encoding.flags

    @cached_property
    def span_utf8(self) -> NDArray[np.uint32]:
        """Spans in bytes of the text a token comes from, shape (n, 2)."""
        return self.encoding.span_utf8

    @cached_property
    def spans_of_text(self) -> Spans:
        """Spans of the tokens that stand for a part of `text`, shape (m, 2): none of the template's or the padding,
        none of the pair's."""
        own = (self.flags & OUTSIDE) == 0
        if self.pair is not None:
            own &= np.array([sequence == 0 for sequence in self.encoding.sequence_ids], np.bool_)
        return self.span_utf8 if own.all() else self.span_utf8[own]

    @cached_property
    def figures(self) -> Figures:
        """Counts and the ratios that follow from them."""
        flags = self.flags
        of_text = (flags & OUTSIDE) == 0 if self.has_spans else np.ones(flags.size, np.bool_)
        pair = "" if self.pair is None else self.pair
        return Figures(
            count=int(flags.size),
            added_special_count=int(np.count_nonzero(flags & TEMPLATE)) if self.has_spans else None,
            padding_count=int(np.count_nonzero(flags & PADDING)),
            unknown_count=int(np.count_nonzero(flags[of_text] & UNKNOWN)),
            bytes=int(self.positions.bytes.size) + len(pair.encode()),
            characters=len(self.text) + len(pair),
            is_whole=not self.encoding.overflowing,
        )

    def summary(self) -> EncodingSummary:
        """The result without its tokens."""
        return EncodingSummary(
            tokenizer=self.id,
            text_bytes=int(self.positions.bytes.size),
            text_characters=len(self.text),
            **self.figures.values(),
            pretoken_count=self.encoding.pretoken_count,
            split_character_count=split_characters(self.spans_of_text, self.positions) if self.has_spans else None,
            has_spans=self.has_spans,
            round_trip=self.round_trip(),
            elapsed_ns=self.elapsed_ns,
        )

    def round_trip(self) -> bool:
        """Check whether decoding returns the text exactly, and the pair where there is one."""
        own = (self.flags & OUTSIDE) == 0 if self.has_spans else np.ones(self.ids.size, np.bool_)
        parts: list[tuple[str, NDArray[np.bool_]]] = [(self.text, own)]
        if self.pair is not None:
            of = np.array([-1 if sequence is None else sequence for sequence in self.encoding.sequence_ids], np.int8)
            parts = [(self.text, of == 0), (self.pair, of == 1)]
        # Special tokens that the text spelled are a part of it, so none are skipped.
        return all(
            self.tokenizer.decode_bytes(self.ids[own], skip_special_tokens=False) == text.encode()
            for text, own in parts
        )

    def whole(self) -> EncodingResult:
        """The result with its tokens as objects. For texts of any size use `json_chunks`, which writes the same."""
        return EncodingResult(
            **vars(self.summary()),
            ids=self.ids.tolist(),
            type_ids=self.encoding.type_ids.tolist(),
            attention_mask=self.encoding.attention_mask.tolist(),
            overflowing=[part.ids.tolist() for part in self.encoding.overflowing],
            tokens=list(self.tokens()),
        )

    def tokens(self) -> Iterator[Token]:
        """The tokens in order."""
        texts = {id: self.tokenizer.token_text(id) for id in np.unique(self.ids).tolist()}
        data = {id: self.tokenizer.token_bytes(id).hex() for id in texts}
        sequences = self._sequences()
        spans = zip(
            *(
                map(tuple, each.tolist())
                for each in (self.span_utf8, self.encoding.span_char, self.encoding.span_utf16)
            ),
            strict=True,
        )
        for id, flag, of_token, sequence in zip(self.ids.tolist(), self.flags.tolist(), spans, sequences, strict=True):
            utf8, char, utf16 = of_token if self.has_spans else (None, None, None)
            yield Token(id, texts[id], data[id], utf8, char, utf16, bool(flag & SPECIAL), sequence)

    def _sequences(self) -> Sequence[int | None]:
        """Which text each token comes from."""
        if not self.has_spans:
            return [0] * self.ids.size
        if self.pair is not None:
            return self.encoding.sequence_ids
        return [None if flag & OUTSIDE else 0 for flag in self.flags.tolist()]

    def json_chunks(self) -> Iterator[str]:
        """The whole RESULT as JSON text, in parts of at most some megabytes."""
        yield json_text(self.summary())[:-1]
        ids = self.ids.tolist()
        yield from _numbers("ids", ids)
        yield from _numbers("type_ids", self.encoding.type_ids.tolist())
        yield from _numbers("attention_mask", self.encoding.attention_mask.tolist())
        yield ', "overflowing": ['
        for number, part in enumerate(self.encoding.overflowing):
            yield (", " if number else "") + json.dumps(part.ids.tolist())
        yield '], "tokens": ['
        for number, chunk in enumerate(self._token_chunks(ids)):
            yield (", " if number else "") + chunk
        yield "]}"

    def _token_chunks(self, ids: list[int]) -> Iterator[str]:
        heads = {id: head(self.tokenizer, id) for id in np.unique(self.ids).tolist()}
        spans = [self.span_utf8, self.encoding.span_char, self.encoding.span_utf16]
        sequences = self.encoding.sequence_ids if self.pair is not None else None
        for start in range(0, len(ids), CHUNK_TOKENS):
            part = slice(start, start + CHUNK_TOKENS)
            flags = self.flags[part].tolist()
            numbers = np.concatenate([span[part] for span in spans], axis=1).tolist()
            if sequences is None:
                sequence = ["null" if flag & OUTSIDE else "0" for flag in flags]
            else:
                sequence = ["null" if one is None else str(one) for one in sequences[part]]
            if not self.has_spans:
                yield ", ".join(_without_span(heads[id], flag) for id, flag in zip(ids[part], flags, strict=True))
                continue
            yield ", ".join(
                f'{heads[id]}, "span_utf8": [{a}, {b}], "span_char": [{c}, {d}], "span_utf16": [{e}, {f}], '
                f'"special": {"true" if flag & SPECIAL else "false"}, "sequence": {which}}}'
                for id, (a, b, c, d, e, f), flag, which in zip(ids[part], numbers, flags, sequence, strict=True)
            )


def _without_span(head: str, flag: int) -> str:
    special = "true" if flag & SPECIAL else "false"
    return f'{head}, "span_utf8": null, "span_char": null, "span_utf16": null, "special": {special}, "sequence": 0}}'


def _numbers(name: str, numbers: list[int]) -> Iterator[str]:
    """A field with a list, after other fields."""
    yield f', "{name}": ['
    for start in range(0, len(numbers), CHUNK_TOKENS):
        yield (", " if start else "") + ", ".join(map(str, numbers[start : start + CHUNK_TOKENS]))
    yield "]"


def head(tokenizer: AnyTokenizer, id: int) -> str:
    """The start of a token's JSON object, which is the same wherever it stands: `id`, `text`, `bytes`; not closed."""
    text = json.dumps(tokenizer.token_text(id), ensure_ascii=False)
    return f'{{"id": {id}, "text": {text}, "bytes": "{tokenizer.token_bytes(id).hex()}"'
