"""Encodes a text, or many, with one tokenizer of the catalog."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lab_app.engine import Specials
from lab_app.errors import BadValue
from lab_app.json_text import json_text
from lab_app.library.entry import Entry
from lab_app.library.tokenizer import AnyEncoding, AnyTokenizer
from lab_app.options import check_options
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.live_metrics import record_text
from lab_app.services.text.lengths import UNCHANGED, Lengths
from lab_app.services.text.results import CHUNK_TOKENS, Result
from lab_app.settings import DEFAULT_SPECIALS

GROUP_TEXTS = 1000

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def encode(
    lab: Lab,
    id: str,
    text: str,
    pair: str | None = None,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    lengths: Lengths = UNCHANGED,
    loaded: tuple[Entry, AnyTokenizer] | None = None,
) -> Result:
    """The tokens of `text` (and of `pair`, for tokenizers whose template takes two texts).

    `loaded` is the tokenizer where the caller has it already. Raises NotFound, Unavailable or LoadFailed for the tokenizer,
    BadValue for a text with half a character and for lengths that do not go together, EncodeFailed where `specials` is
    "reject" and the text spells one, and where the lengths are not possible.

    >>> from lab_app.settings import Settings
    >>> encode(Lab(Settings()), "gpt2", "Hello, world").ids.tolist()
    [15496, 11, 995]
    """
    refuse_surrogates(text if pair is None else text + pair)
    if lengths != UNCHANGED:
        check_options(lengths)
    entry, tokenizer = loaded or lab.loaded.get_any(id)
    with translate_engine_errors():
        begin = time.perf_counter_ns()
        encoding = tokenizer.encode(
            text, pair, add_special_tokens=add_special_tokens, specials=specials, **lengths.options()
        )
        elapsed_ns = time.perf_counter_ns() - begin
        record_text(
            lab.counters,
            entry.id,
            tokenizer,
            text,
            characters=len(text) + len(pair or ""),
            tokens=len(encoding),
            elapsed_ns=elapsed_ns,
            specials=specials,
            add_special_tokens=add_special_tokens,
        )
    return Result(entry.id, tokenizer, text, pair, encoding, elapsed_ns)


@dataclass(frozen=True)
class BatchResult:
    """The ids of many texts, a row per text; the mask is 0 for padding."""

    tokenizer: str
    counts: list[int]
    ids: list[list[int]]
    attention_mask: list[list[int]]


@dataclass(frozen=True)
class BatchHead:
    """The header of the binary form."""

    tokenizer: str
    rows: int


@dataclass(frozen=True)
class Batch:
    """The ids of many texts as arrays. `id` is the tokenizer's."""

    id: str
    ids: NDArray[np.uint32]
    """All in one array."""
    row_starts: NDArray[np.uint64]
    """Where each row starts: shape (rows + 1,)."""
    attention_mask: NDArray[np.uint8]
    """0 for padding, 1 otherwise; as many as ids."""

    def json_chunks(self) -> Iterator[bytes]:
        """The same as lists: a `BatchResult` as JSON in UTF-8, in chunks of at most some hundred kilobytes."""
        counts = (self.row_starts[1:] - self.row_starts[:-1]).tolist()
        yield json_text({"tokenizer": self.id, "counts": counts})[:-1].encode()
        for name, numbers in (("ids", self.ids), ("attention_mask", self.attention_mask)):
            yield b', "%b": [' % name.encode()
            yield from row_chunks(numbers, self.row_starts.tolist(), "[", "]", ", ")
            yield b"]"
        yield b"}"

    def head(self) -> BatchHead:
        """The header of the binary form."""
        return BatchHead(self.id, self.row_starts.size - 1)


def row_chunks(
    numbers: NDArray[np.integer], starts: list[int], begin: str, end: str, between: str = ""
) -> Iterator[bytes]:
    """The rows of `numbers` as JSON, each between `begin` and `end`; several in a chunk or a long one in several."""
    written: list[str] = []
    size = 0
    for row, (first, last) in enumerate(pairwise(starts)):
        written.append(between + begin if row else begin)
        for at in range(first, last, CHUNK_TOKENS):
            part = json_text(numbers[at : min(last, at + CHUNK_TOKENS)].tolist())[1:-1]
            written.append(part if at == first else f", {part}")
            size += len(part)
            if size > CHUNK_TOKENS:
                yield "".join(written).encode()
                written, size = [], 0
        written.append(end)
    yield "".join(written).encode()


def encode_batch(
    lab: Lab,
    id: str,
    texts: Sequence[str],
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    lengths: Lengths = UNCHANGED,
) -> Batch:
    """The ids of all texts; a truncated text is represented by its first part.

    Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> batch = encode_batch(Lab(Settings()), "gpt2", ["Hello, world", "", "Hello"])
    >>> batch.ids.tolist(), batch.row_starts.tolist()
    ([15496, 11, 995, 15496], [0, 3, 3, 4])
    """
    import numpy as np

    for row, text in enumerate(texts):
        refuse_surrogates(text, f"texts[{row}]: ")
    if lengths != UNCHANGED:
        check_options(lengths)
    entry, tokenizer = lab.loaded.get_any(id)
    begin = time.perf_counter_ns()

    def counted(ids: NDArray[np.uint32]) -> NDArray[np.uint32]:
        elapsed_ns, characters = time.perf_counter_ns() - begin, sum(map(len, texts))
        lab.counters.record(
            entry.id, texts=len(texts), characters=characters, tokens=ids.size, elapsed_ns=elapsed_ns, is_batch=True
        )
        return ids

    with translate_engine_errors():
        # The fast path adds no special tokens: right where they are not wanted, or where there is no template.
        plain = not add_special_tokens or tokenizer.stages["postprocessor"] == "none"
        if plain and lengths == UNCHANGED:
            ids, row_starts = tokenizer.encode_ids_batch(texts, specials=specials)
            return Batch(entry.id, counted(ids), row_starts, np.ones(ids.size, np.uint8))
        # In groups, since an encoding takes more memory than its ids. Padding may need all of them at once.
        size = GROUP_TEXTS if lengths.padding is None else max(1, len(texts))
        groups = [
            _arrays(
                tokenizer.encode_batch(
                    texts[at : at + size],
                    add_special_tokens=add_special_tokens,
                    specials=specials,
                    **lengths.options(),
                )
            )
            for at in range(0, max(1, len(texts)), size)
        ]
    ids, masks, counts = (np.concatenate(parts) for parts in zip(*groups, strict=True))
    row_starts = np.zeros(counts.size + 1, np.uint64)
    np.cumsum(counts, out=row_starts[1:])
    return Batch(entry.id, counted(ids), row_starts, masks)


def _arrays(rows: Sequence[AnyEncoding]) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint64]]:
    """The ids and the attention masks of all rows, and the number of ids of each."""
    import numpy as np

    return (
        np.concatenate([np.zeros(0, np.uint32), *(row.ids for row in rows)]),
        np.concatenate([np.zeros(0, np.uint8), *(row.attention_mask for row in rows)]),
        np.array([len(row) for row in rows], np.uint64),
    )


def refuse_surrogates(text: str, place: str = "") -> None:
    """Raises BadValue where `text` holds a lone surrogate, which is half a character and has no UTF-8 form."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadValue(
            f"{place}character {error.start} is half of a surrogate pair (\\u{ord(text[error.start]):04x})",
            "send whole characters; a text split inside an emoji has this fault",
        ) from None
