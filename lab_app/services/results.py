"""RESULT: one text under one tokenizer, as every screen, program and command sees it. `docs/reference/http-api.md` has it.

The summary is a small object. The tokens of a large text are millions, so they are written in chunks and never all made.
Not here: making a result (`encode`, `compare`), the binary form (`lab_app.api.frame`).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.counts import split_characters
from lab_app.analysis.figures import Figures
from lab_app.analysis.positions import Positions, Spans
from lab_app.engine import PADDING, SPECIAL, TEMPLATE, UNKNOWN
from lab_app.library.tokenizer import AnyEncoding, AnyTokenizer

CHUNK_TOKENS = 20_000

# Tokens that stand for no part of a text.
OUTSIDE = TEMPLATE | PADDING


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
            template_count=int(np.count_nonzero(flags & TEMPLATE)) if self.has_spans else None,
            padding_count=int(np.count_nonzero(flags & PADDING)),
            unknown_count=int(np.count_nonzero(flags[of_text] & UNKNOWN)),
            bytes=int(self.positions.bytes.size) + len(pair.encode()),
            characters=len(self.text) + len(pair),
            is_whole=not self.encoding.overflowing,
        )

    def summary(self) -> dict[str, Any]:
        """RESULT without `ids` and `tokens`."""
        return {
            "tokenizer": self.id,
            "text_bytes": int(self.positions.bytes.size),
            "text_characters": len(self.text),
            **self.figures.as_json(),
            "pretoken_count": self.encoding.pretoken_count,
            "split_character_count": split_characters(self.spans_of_text, self.positions) if self.has_spans else None,
            "has_spans": self.has_spans,
            "round_trip": self.round_trip(),
            "elapsed_ns": self.elapsed_ns,
        }

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

    def as_json(self) -> dict[str, Any]:
        """The whole RESULT. For texts of any size use `json_chunks`."""
        whole: dict[str, Any] = json.loads("".join(self.json_chunks()))
        return whole

    def json_chunks(self) -> Iterator[str]:
        """The whole RESULT as JSON text, in parts of at most some megabytes."""
        yield json.dumps(self.summary(), ensure_ascii=False)[:-1]
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
