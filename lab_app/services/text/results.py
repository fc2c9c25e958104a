"""One text under one tokenizer, as every screen, program and command sees it.

The tokens of a large text are millions: `Result.json_chunks` writes them without an object for each.
Not here: making a result (`encode`, `compare`), the binary form (`lab_app.api.frame`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, get_args

from lab_app.analysis.figures import Figures
from lab_app.engine import PADDING, SPECIAL, TEMPLATE, UNKNOWN, Encoding
from lab_app.json_text import json_text
from lab_app.library.tokenizer import AnyEncoding, AnyTokenizer
from lab_app.services.engine_errors import translate_engine_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lab_app.analysis.positions import Spans

CHUNK_TOKENS = 20_000

# Tokens that stand for no part of a text.
OUTSIDE = TEMPLATE | PADDING

Span = tuple[int, int]
ResultField = Literal["ids", "type_ids", "attention_mask", "overflowing", "tokens"]
RESULT_FIELDS: tuple[ResultField, ...] = get_args(ResultField)
"""The lists of a result, in the order in which they are written."""


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
class ResultFields:
    """The lists of a result that a request names in `fields`; the others are None."""

    tokenizer: str
    count: int
    ids: list[int] | None
    type_ids: list[int] | None
    attention_mask: list[int] | None
    overflowing: list[list[int]] | None
    tokens: list[Token] | None


@dataclass(frozen=True)
class Result:
    """One encoding and what belongs to it. `id` is the tokenizer's."""

    id: str
    tokenizer: AnyTokenizer
    text: str
    pair: str | None
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
    def text_bytes(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode()

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
            import numpy as np

            own &= np.array([sequence == 0 for sequence in self.encoding.sequence_ids], np.bool_)
        return self.span_utf8 if own.all() else self.span_utf8[own]

    @cached_property
    def overflowing(self) -> Sequence[AnyEncoding]:
        """The parts that truncation left over. Raises EncodeFailed if they are more than the engine makes in one call."""
        with translate_engine_errors():
            return self.encoding.overflowing

    @cached_property
    def figures(self) -> Figures:
        """Counts and the ratios that follow from them."""
        pair = "" if self.pair is None else self.pair
        return Figures(
            count=len(self.encoding),
            added_special_count=self.encoding.count(TEMPLATE) if self.has_spans else None,
            padding_count=self.encoding.count(PADDING),
            unknown_count=self.encoding.count(UNKNOWN, OUTSIDE if self.has_spans else 0),
            bytes=len(self.text_bytes) + len(pair.encode()),
            characters=len(self.text) + len(pair),
            is_whole=not self.encoding.is_truncated,
        )

    def summary(self) -> EncodingSummary:
        """The result without its tokens."""
        return EncodingSummary(
            tokenizer=self.id,
            text_bytes=len(self.text_bytes),
            text_characters=len(self.text),
            **self.figures.values(),
            pretoken_count=self.encoding.pretoken_count,
            split_character_count=self.encoding.split_character_count,
            has_spans=self.has_spans,
            round_trip=self.round_trip(),
            elapsed_ns=self.elapsed_ns,
        )

    def round_trip(self) -> bool:
        """Check whether decoding returns the text exactly, and the pair where there is one."""
        with translate_engine_errors():
            if isinstance(self.encoding, Encoding):
                return self.encoding.round_trip()
            # Special tokens that the text spelled are a part of it, so none are skipped. A plug-in takes no pair.
            of_text = self.ids[(self.flags & OUTSIDE) == 0] if self.has_spans else self.ids
            return self.tokenizer.decode_bytes(of_text, skip_special_tokens=False) == self.text_bytes

    def whole(self) -> EncodingResult:
        """The result with its tokens as objects. For texts of any size use `json_chunks`, which writes the same."""
        return EncodingResult(
            **vars(self.summary()),
            ids=self.ids.tolist(),
            type_ids=self.encoding.type_ids.tolist(),
            attention_mask=self.encoding.attention_mask.tolist(),
            overflowing=[part.ids.tolist() for part in self.overflowing],
            tokens=list(self.tokens()),
        )

    def tokens(self) -> Iterator[Token]:
        """The tokens in order."""
        texts = {id: self.tokenizer.token_text(id) for id in set(self.ids.tolist())}
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

    def first_tokens(self, count: int) -> list[Token]:
        """The first tokens. Those of the engine come from its own writer: their arrays would need numpy, a third of the time of
        a short command."""
        if not isinstance(self.encoding, Encoding):
            return list(islice(self.tokens(), count))
        with translate_engine_errors():
            written = self.encoding.json_items("tokens", 0, count)
        return [Token(**fields) for fields in json.loads(b"[%b]" % written)]

    def _sequences(self) -> Sequence[int | None]:
        """Which text each token comes from."""
        if not self.has_spans:
            return [0] * self.ids.size
        if self.pair is not None:
            return self.encoding.sequence_ids
        return [None if flag & OUTSIDE else 0 for flag in self.flags.tolist()]

    def json_chunks(self, fields: Collection[ResultField] | None = None) -> Iterator[bytes]:
        """The result as JSON in UTF-8, in chunks of at most some megabytes.

        With `fields`, it is a `ResultFields`, and nothing else is computed. Raises EncodeFailed or
        DecodeFailed for what the engine does not make, before the first chunk alone.
        """
        if fields is None or "overflowing" in fields:
            _ = self.overflowing
        if (fields is None or "tokens" in fields) and isinstance(self.encoding, Encoding):
            with translate_engine_errors():
                self.encoding.check_spelling(CHUNK_TOKENS)
        head = self.summary() if fields is None else {"tokenizer": self.id, "count": len(self.encoding)}
        yield json_text(head)[:-1].encode()
        for field in RESULT_FIELDS:
            if fields is not None and field not in fields:
                yield b', "%b": null' % field.encode()
                continue
            yield b', "%b": [' % field.encode()
            for number, chunk in enumerate(self.items(field)):
                if number:
                    yield b", "
                yield chunk
            yield b"]"
        yield b"}"

    def items(self, field: ResultField) -> Iterator[bytes]:
        """The items of a list as JSON, in chunks. The engine writes its own from arrays, without an object per token."""
        encoding = self.encoding
        if field == "overflowing":
            yield from (json_text(part.ids.tolist()).encode() for part in self.overflowing)
        elif isinstance(encoding, Encoding):
            for start in range(0, len(encoding), CHUNK_TOKENS):
                yield encoding.json_items(field, start, start + CHUNK_TOKENS)
        elif field == "tokens":
            yield from plain_tokens(self)
        elif numbers := getattr(encoding, field).tolist():
            yield json_text(numbers)[1:-1].encode()


def plain_tokens(result: Result) -> Iterator[bytes]:
    """The tokens as JSON in chunks, from an object each: those of a plug-in, and the twin of the engine's writer."""
    tokens = result.tokens()
    while chunk := list(islice(tokens, CHUNK_TOKENS)):
        yield json_text(chunk)[1:-1].encode()
