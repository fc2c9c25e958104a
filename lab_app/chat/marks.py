"""Private-use characters that show, in a rendered text, where a template put each part of each message.

A chat is rendered twice: as it is, and with marks in its messages. If both texts are equal without the marks, the marks
are places of the first text. The sandbox adds marks of its own: where a loop over the messages begins and ends one, around
`generation` blocks, and around JSON that a message became. A template that asks how a message begins may answer
differently to a marked one; then the texts differ, and the marks show nothing.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

PLANES = (0xF0000, 0x100000)
"""Code points for private use. The second is for messages that use the first."""
PLANE_SIZE = 0xFFFE
SPACE, SPACE_END = "\x1c", "\x1d"
"""Around white space at the ends of a text, or a text of white space: white space themselves, so that they go where it is
trimmed."""
LINE = re.compile(r"\n\s*(?=\S)")
NAMES = frozenset({"role", "type", "id", "tool_call_id", "channel", "recipient", "content_type", "name"})
"""Fields that templates compare with words of their own; they have no marks."""


class Codes:
    """The marks of one plane. That of message k is `blocks + k`; those of places in messages follow."""

    def __init__(self, plane: int) -> None:
        self.plane = plane
        self.generation, self.generation_end, self.block_end, self.json, self.json_end = map(
            chr, range(plane, plane + 5)
        )
        self.blocks = plane + 5
        self.pattern = re.compile(f"[{chr(plane)}-{chr(plane + PLANE_SIZE - 1)}{SPACE}{SPACE_END}]")


@dataclass(frozen=True)
class Leaf:
    """A text of a message, and where it stands in it: `content`, or `content[0].text`."""

    message: int
    field: str
    text: str


@dataclass(frozen=True)
class Own:
    """A part of a rendered text that a leaf wrote, in characters of the rendered text, and where it begins in the leaf.

    `start_in_leaf` is None for a part of JSON, which may be spelled with other characters.
    """

    start: int
    end: int
    leaf: int
    start_in_leaf: int | None


@dataclass
class Places:
    """Where a rendered text has what. Ranges are half-open, in characters."""

    leaves: list[Leaf]
    own: list[Own] = field(default_factory=list)
    blocks: list[tuple[int, int, int]] = field(default_factory=list)
    """Start, end, message: what the template wrote while its loop was at a message."""
    generated: list[tuple[int, int]] = field(default_factory=list)
    used: list[list[tuple[int, int]]] = field(default_factory=list)
    """The parts of each leaf that the text holds."""

    def ranges_of(self, messages: Collection[int]) -> list[tuple[int, int]]:
        """Where the texts of these messages are."""
        return [(own.start, own.end) for own in self.own if self.leaves[own.leaf].message in messages]

    def left_out(self) -> Iterator[tuple[Leaf, int, int]]:
        """The parts of leaves that the text does not hold, without white space around them."""
        for leaf, used in zip(self.leaves, self.used, strict=True):
            at = 0
            for start, end in [*sorted(used), (len(leaf.text), len(leaf.text))]:
                part = leaf.text[at:start]
                if part.strip():
                    first = at + len(part) - len(part.lstrip())
                    yield leaf, first, first + len(part.strip())
                at = max(at, end)


@dataclass(frozen=True)
class Place:
    """A mark at a character of a leaf, between the places before and after it. The first and the last are at its ends."""

    leaf: int
    low: int
    at: int
    high: int
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class Marked:
    """Messages with marks, and what the marks mean."""

    messages: list[Any]
    codes: Codes
    leaves: list[Leaf]
    places: list[Place]
    """In the order of their code points, from `first` on."""
    first: int
    has_texts: bool
    """Whether the texts are marked, not only what the sandbox marks."""
    has_spaces: bool


def mark(messages: Sequence[Mapping[str, Any]], *, inside: bool = True, spaces: bool = True) -> Marked | None:
    """Copies messages with a mark where each line of a text begins and where its text ends; with `inside` off, without one.

    With `spaces`, white space at the ends of a text is marked too. Returns None if the messages hold marks, or too many lines.
    """
    leaves = [leaf for number, each in enumerate(messages) for leaf in _leaves(each, number, "")]
    planes = (each for each in map(Codes, PLANES) if not any(each.pattern.search(leaf.text) for leaf in leaves))
    codes = next(planes, None)
    if codes is None:
        return None
    first = codes.blocks + len(messages)
    places: list[Place] = []
    texts: list[str] = []
    for number, leaf in enumerate(leaves):
        own = _places(leaf.text, number) if inside else []
        texts.append(_with_marks(leaf.text, own, first + len(places), spaces and inside))
        places += own
    if first + len(places) > codes.plane + PLANE_SIZE:
        return None
    following = iter(texts)
    copies = [_replaced(each, following) for each in messages]
    return Marked(copies, codes, leaves, places, first, inside, spaces)


def _leaves(value: Any, message: int, name: str) -> Iterator[Leaf]:
    if isinstance(value, str):
        yield Leaf(message, name, value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key not in NAMES:
                yield from _leaves(each, message, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves(each, message, f"{name}[{number}]")


def _replaced(value: Any, texts: Iterator[str]) -> Any:
    """A copy whose leaves are the next texts, in the order of `_leaves`."""
    if isinstance(value, str):
        return next(texts)
    if isinstance(value, Mapping):
        return {key: each if key in NAMES else _replaced(each, texts) for key, each in value.items()}
    return [_replaced(each, texts) for each in value] if isinstance(value, list) else value


def _places(text: str, leaf: int) -> list[Place]:
    """Where the text begins, each further line of it, and where it ends, white space at its ends apart."""
    core = text.strip()
    if not core:
        return []
    start = len(text) - len(text.lstrip())
    at = [start, *(start + each.end() for each in LINE.finditer(core)), start + len(core)]
    last = len(at) - 1
    bounds = zip([0, *at], at, [*at[1:], len(text)], strict=False)
    return [Place(leaf, low, here, high, n == 0, n == last) for n, (low, here, high) in enumerate(bounds)]


def _with_marks(text: str, places: Sequence[Place], code: int, spaces: bool) -> str:
    if not places:
        return f"{SPACE}{text}{SPACE_END}" if spaces and text.isspace() else text
    start, end = places[0].at, places[-1].at
    before, after = text[:start], text[end:]
    if spaces:
        before, after = before and SPACE + before, after and after + SPACE_END
    parts = (chr(code + n) + text[a.at : b.at] for n, (a, b) in enumerate(pairwise(places)))
    return f"{before}{''.join(parts)}{chr(code + len(places) - 1)}{after}"


def read_marks(text: str, marked: Marked) -> Places:
    """The places that the marks of a rendered text show, in characters of the text without them."""
    return _Reader(text, marked).places


class _Reader:
    """Reads marks from left to right. `at` counts the characters that are no marks."""

    def __init__(self, text: str, marked: Marked) -> None:
        self._marked = marked
        self.places = Places(marked.leaves, used=[[] for _ in marked.leaves])
        self._at = self._covered = self._block_start = 0
        """`_covered`: up to where the text is known to be a leaf's."""
        self._blocks: list[int] = []
        self._generation: list[int] = []
        self._json: tuple[int, list[int]] | None = None
        self._spaces: dict[tuple[int | None, str], int] = {}
        for number, leaf in enumerate(marked.leaves):
            if leaf.text.isspace():
                self._spaces.setdefault((leaf.message, leaf.text), number)
                self._spaces.setdefault((None, leaf.text), number)
        # Segments and marks in turn, with an empty mark at both ends.
        pieces = ["", *re.split(f"({marked.codes.pattern.pattern})", text), ""]
        for number in range(1, len(pieces), 2):
            self._at += len(pieces[number])
            if number + 2 < len(pieces):
                self._take(pieces, number + 1)
        self._end_block()

    def _take(self, pieces: list[str], number: int) -> None:
        """Takes the mark `pieces[number]`."""
        char, codes = pieces[number], self._marked.codes
        code = ord(char)
        if char == codes.generation:
            self._generation.append(self._at)
        elif char == codes.generation_end and self._generation:
            self.places.generated.append((self._generation.pop(), self._at))
        elif char == codes.json:
            self._json = (self._at, [])
        elif char == codes.json_end and self._json:
            self._take_json(*self._json)
        elif codes.blocks <= code < self._marked.first:
            self._end_block()
            self._blocks.append(code - codes.blocks)
        elif char == codes.block_end:
            self._end_block()
            self._blocks = self._blocks[:-1]
        elif char == SPACE and pieces[number + 2] == SPACE_END:
            self._take_space(pieces[number + 1])
        elif 0 <= code - self._marked.first < len(self._marked.places):
            place = self._marked.places[code - self._marked.first]
            if self._json:
                self._json[1].append(place.leaf)
            else:
                self._take_place(place, pieces[number - 2 : number + 3])

    def _take_space(self, text: str) -> None:
        """Takes a text of white space: that of the message which the loop is at, or else the first like it."""
        leaf = self._spaces.get((self._blocks[-1] if self._blocks else None, text))
        if leaf is not None:
            self._own(self._at, self._at + len(text), leaf, 0)

    def _end_block(self) -> None:
        if self._blocks and self._at > self._block_start:
            self.places.blocks.append((self._block_start, self._at, self._blocks[-1]))
        self._block_start = self._at

    def _take_json(self, start: int, leaves: list[int]) -> None:
        self._json = None
        for leaf in leaves:
            self.places.used[leaf].append((0, len(self.places.leaves[leaf].text)))
        if leaves:
            self.places.own.append(Own(start, self._at, leaves[0], None))
            self._covered = self._at

    def _take_place(self, place: Place, around: list[str]) -> None:
        """Takes the leaf's text on both sides of a mark; `around` is a mark and a segment, the mark, a segment and a mark."""
        mark_before, before, _, after, mark_after = around
        text = self.places.leaves[place.leaf].text
        has_before = not (place.is_first and self._marked.has_spaces) or mark_before == SPACE
        has_after = not (place.is_last and self._marked.has_spaces) or mark_after == SPACE_END
        if has_before and self._at > self._covered:
            size = _common_prefix(before[self._covered - self._at :][::-1], text[place.low : place.at][::-1])
            if not place.is_first:  # white space after a line that was cut is the template's
                size = len(text[place.at - size : place.at].lstrip())
            self._own(self._at - size, self._at, place.leaf, place.at - size)
        if has_after:
            size = _common_prefix(after, text[place.at : place.high])
            self._own(self._at, self._at + size, place.leaf, place.at)

    def _own(self, start: int, end: int, leaf: int, start_in_leaf: int) -> None:
        if start == end:
            return
        self._covered = end
        self.places.used[leaf].append((start_in_leaf, start_in_leaf + end - start))
        last = self.places.own[-1] if self.places.own else None
        if (
            last
            and (last.leaf, last.end) == (leaf, start)
            and last.start_in_leaf == start_in_leaf - (start - last.start)
        ):
            self.places.own[-1] = Own(last.start, end, leaf, last.start_in_leaf)
        else:
            self.places.own.append(Own(start, end, leaf, start_in_leaf))


def _common_prefix(a: str, b: str) -> int:
    """The number of characters at the beginning of both.

    >>> _common_prefix("abc", "abd"), _common_prefix("ab", "abc")
    (2, 2)
    """
    size = min(len(a), len(b))
    if a[:size] == b[:size]:
        return size
    return next(n for n in range(size) if a[n] != b[n])
