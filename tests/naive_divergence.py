"""Where tokenizers cut a text differently, and packed tokens, read in the plain way: what the engine's answers are held to.

Sets of positions are masks over them, shape (b + 1,): a few numpy passes each, simple to check against the definitions.
"""

import itertools
import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.engine import GAP, TEMPLATE, UNITS, WIDE

KINDS = ("numbers", "non-Latin", "punctuation", "capitals", "words", "spaces")
# Blocks of marks of no script of their own, which go with the letter before them.
COMBINING = ((0x300, 0x36F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xE0100, 0xE01EF))  # fmt: skip


def boundary_mask(text: str, spans: NDArray[Any], *, ignore_spaces: bool = True) -> NDArray[np.bool_]:
    """Where a token starts or ends, and the ends of the text; in and behind white space at its start if so asked."""
    data = text.encode()
    mask = np.zeros(len(data) + 1, np.bool_)
    mask[spans[:, 0]] = mask[spans[:, 1]] = True
    mask[[0, -1]] = True
    if ignore_spaces:
        behind = [False, *itertools.chain.from_iterable([c.isspace() and c not in "\x1c\x1d\x1e\x1f"] * len(c.encode()) for c in text)]  # fmt: skip
        for at in reversed(np.flatnonzero(mask & np.array(behind))):
            start = at
            while behind[start]:
                start -= 1
            mask[at], mask[start] = False, True
    return mask


def kind_of(character: str) -> int:
    """The kind of one character, as an index into KINDS."""
    category, code = unicodedata.category(character), ord(character)
    if code in (0x200C, 0x200D) or 0xE0020 <= code <= 0xE007F:  # joiners, and the tags of flags
        return 1
    latin = code < 0x250 or 0x1E00 <= code < 0x1F00 or 0x2C60 <= code < 0x2C80 or 0xA720 <= code < 0xA800
    if category[0] == "L":
        return (3 if category in ("Lu", "Lt") else 4) if latin else 1
    if category[0] == "M":
        return 4 if any(first <= code <= last for first, last in COMBINING) else 1
    if category[0] in "PS":
        return 1 if category in ("So", "Sk") and code > 0x2100 else 2
    return 0 if category[0] == "N" else 1 if category == "Co" else 5


def divergences(text: str, tokenizers: list[NDArray[Any]], *, ignore_spaces: bool = True) -> dict[str, Any]:
    """All that the engine says of `tokenizers`' spans on `text`, by the names it has there, as plain lists."""
    masks = [boundary_mask(text, spans, ignore_spaces=ignore_spaces) for spans in tokenizers]
    number = np.sum(masks, axis=0)
    shared = np.flatnonzero(number == len(masks)).tolist()
    found = [(a, b) for a, b in itertools.pairwise(shared) if number[a + 1 : b].any()]
    bytes_of = [*itertools.accumulate((len(c.encode()) for c in text), initial=0)]
    units = [*itertools.accumulate((1 + (ord(c) > 0xFFFF) for c in text), initial=0)]
    first = (np.searchsorted(bytes_of, [a for a, _ in found], side="right") - 1).tolist()
    last = np.searchsorted(bytes_of, [b for _, b in found], side="left").tolist()
    inner = [mask[1:-1] for mask in masks]
    return {
        "start_utf8": [a for a, _ in found],
        "end_utf8": [b for _, b in found],
        "start_utf16": [units[at] for at in first],
        "end_utf16": [units[at] for at in last],
        "kind": [min(map(kind_of, text[a:b])) for a, b in zip(first, last, strict=True)],
        "counts": [[int(((each[:, 0] < b) & (each[:, 1] > a)).sum()) for each in tokenizers] for a, b in found],
        "shared": [[int((a & b).sum()) for b in inner] for a in inner],
        "either": [[int((a | b).sum()) for b in inner] for a in inner],
        "marks": np.sum([mask.astype(int) << n for n, mask in enumerate(masks)], axis=0).tolist(),
    }


def unpacked(arrays: dict[str, NDArray[Any]], prefix: str = "") -> dict[str, list[int]]:
    """The arrays of `/tokenize` of those of `/documents`, as docs/reference/http-api.md tells to read them."""
    ids, flags, lengths, extra, wide = (
        arrays[prefix + name].tolist() for name in ("ids", "flags", "lengths", "extra", "wide")
    )
    places, end8, end16 = [], 0, 0
    for bits, length in zip(flags, lengths, strict=True):
        if bits & TEMPLATE:
            places.append((0, 0, 0, 0))
            continue
        if bits & WIDE:
            start8, end8, start16, end16 = wide[:4]
            del wide[:4]
        else:
            gap8, gap16 = (extra.pop(0) - 128, extra.pop(0) - 128) if bits & GAP else (0, 0)
            start8, start16 = end8 + gap8, end16 + gap16
            end8, end16 = start8 + length, start16 + (extra.pop(0) if bits & UNITS else length)
        places.append((start8, end8, start16, end16))
    assert not extra and not wide, "more is said than announced"
    columns = [list(column) for column in zip(*places, strict=True)] or [[], [], [], []]
    names = ("start_utf8", "end_utf8", "start_utf16", "end_utf16")
    plain = [bits & ~(UNITS | GAP | WIDE) for bits in flags]
    return {"ids": ids, "flags": plain, **dict(zip(names, columns, strict=True))}
