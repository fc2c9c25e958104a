"""Encodes a text, or many, with one tokenizer of the catalog."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lab_app.engine import Specials
from lab_app.errors import BadValue
from lab_app.library.entry import Entry
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.lengths import UNCHANGED, Lengths
from lab_app.services.live_metrics import record_text
from lab_app.services.results import Result
from lab_app.settings import DEFAULT_SPECIALS

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

    def rows(self) -> BatchResult:
        """The same as lists."""
        starts, ids, mask = self.row_starts.tolist(), self.ids.tolist(), self.attention_mask.tolist()
        ranges = list(pairwise(starts))
        return BatchResult(
            self.id,
            [end - start for start, end in ranges],
            [ids[start:end] for start, end in ranges],
            [mask[start:end] for start, end in ranges],
        )

    def head(self) -> BatchHead:
        """The header of the binary form."""
        return BatchHead(self.id, self.row_starts.size - 1)


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
        rows = tokenizer.encode_batch(
            texts, add_special_tokens=add_special_tokens, specials=specials, **lengths.options()
        )
    row_starts = np.zeros(len(rows) + 1, np.uint64)
    np.cumsum([len(row) for row in rows], out=row_starts[1:])
    if not rows:
        return Batch(entry.id, np.zeros(0, np.uint32), row_starts, np.zeros(0, np.uint8))
    ids = np.concatenate([row.ids for row in rows])
    return Batch(entry.id, counted(ids), row_starts, np.concatenate([row.attention_mask for row in rows]))


def refuse_surrogates(text: str, place: str = "") -> None:
    """Raises BadValue where `text` holds a lone surrogate, which is half a character and has no UTF-8 form."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadValue(
            f"{place}character {error.start} is half of a surrogate pair (\\u{ord(text[error.start]):04x})",
            "send whole characters; a text split inside an emoji has this fault",
        ) from None
