"""The vocabulary of a handout: whole if it fits, else shrunk to characters for which it gives the same tokens as the whole one.

The engine shrinks it (`Tokenizer.covering`), and refuses in the page what is not covered. Here is which characters are tried.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue
from lab_app.services.handouts.packing import packed as packed_data

MOST_OF_SCRIPT = 1000
"""Scripts with more characters are not taken whole."""
ESCAPED_BYTES = 6
"""Of a character in JSON."""
MOST_WORDS = 3000
"""Bytes of what else is said of a tokenizer, with its licence."""
LATIN = "Latin with accents, digits and punctuation"
ASCII = "the characters of ASCII"
WORDS = "Latin letters without accents, digits and common punctuation"
LAST_OF_LATIN = 0x17F
MORE_LATIN = (*(0x1A0, 0x1A1, 0x1AF, 0x1B0), *range(0x1E00, 0x1F00))
"""The letters of Vietnamese, and other Latin with two accents."""
NO_SCRIPTS = (
    "Modifier",
    "Mathematical",
    "Fullwidth",
    "Halfwidth",
    "Double-struck",
    "Script",
    "Black-letter",
    "Masculine",
    "Feminine",
    "Micro",
)
"""First words of letters that are forms of others."""
TYPOGRAPHIC = "‐‑‒–—―‘’‚“”„†•…‰‹›⁄€№™←↑→↓−≤≥≠≈×"


@dataclass(frozen=True)
class Characters:
    """A set of characters: named sets, and others."""

    all: str
    scripts: list[str]
    others: str


@dataclass(frozen=True)
class Packed:
    """A vocabulary as the page has it. `characters` is None for a whole one."""

    data: str
    """The engine's state."""
    kept: int
    merge_count: int | None
    characters: Characters | None

    @property
    def size(self) -> int:
        """Bytes of the page that it takes with its description, at most."""
        described = 2 * len(self.characters.all) + len(self.characters.others) if self.characters else 0
        return len(self.data) + ESCAPED_BYTES * described + MOST_WORDS


def fitting(tokenizers: Sequence[Tokenizer], text: str, room: int) -> list[Packed]:
    """The vocabularies that fit together into so many bytes: the largest is shrunk again and again.

    Raises BadValue if they do not fit even with the characters of `text` alone, or cannot be shrunk.

    >>> gpt2 = Tokenizer.builtin("gpt2")
    >>> [whole] = fitting([gpt2], "Hello", 1_000_000)
    >>> [part] = fitting([gpt2], "Hello", 100_000)
    >>> whole.characters, whole.kept > part.kept, part.characters.others
    (None, True, ' EHLOehlo')
    """
    steps = list(_steps(text))
    packed = [_packed(each, None) for each in tokenizers]
    next_step = [0 if each.covering("") else len(steps) for each in tokenizers]
    while sum(each.size for each in packed) > room:
        shrinkable = [n for n, step in enumerate(next_step) if step < len(steps)]
        if not shrinkable:
            raise BadValue("the vocabulary does not fit into a handout", _advice([each.characters for each in packed]))
        largest = max(shrinkable, key=lambda n: packed[n].size)
        characters = steps[next_step[largest]]
        next_step[largest] += 1
        if part := tokenizers[largest].covering(characters.all):
            packed[largest] = _packed(part, characters)
    return packed


def _advice(characters: Sequence[Characters | None]) -> str:
    """What to do about vocabularies that have been shrunk as far as they can be."""
    if None in characters:
        return "a .model of SentencePiece goes in whole or not at all; choose a smaller tokenizer"
    return "choose fewer tokenizers, or a text with fewer different characters"


def _packed(tokenizer: Tokenizer, characters: Characters | None) -> Packed:
    data = packed_data(tokenizer.state())
    return Packed(data, len(tokenizer), tokenizer.merge_count, characters)


def _steps(text: str) -> Iterator[Characters]:
    """Fewer and fewer characters, those of the text always among them."""
    own = {each for each in text if not unicodedata.category(each).startswith("Cs")}
    ascii = {chr(code) for code in range(0x20, 0x7F)} | {"\n", "\t"}
    accents = [*range(0xA0, LAST_OF_LATIN + 1), *MORE_LATIN]
    latin = ascii | {chr(code) for code in accents} | {*TYPOGRAPHIC}
    scripts = {name: found for name in sorted({_script(each) for each in own}) if (found := _characters_of(name))}
    yield _named(own, {LATIN: latin, **scripts})
    yield _named(own, {ASCII: ascii})
    yield _named(own, {WORDS: {each for each in ascii if each.isalnum()} | {*" .,;:!?'\"()-"}})
    cases = {form for each in own for form in (each.lower(), each.upper()) if len(form) == 1}
    yield _named(own | cases | {" "}, {})
    yield _named(own, {})


def _named(own: set[str], sets: dict[str, set[str]]) -> Characters:
    named = set[str]().union(*sets.values())
    return Characters("".join(sorted(own | named)), [*sets], "".join(sorted(own - named)))


def _script(character: str) -> str:
    """The script of a letter, the first word of its name; none of a letter that is no letter of a script, such as ʰ."""
    first = unicodedata.name(character, "").partition(" ")[0].capitalize()
    return first if character.isalpha() and first not in NO_SCRIPTS else ""


@cache
def _characters_of(script: str) -> set[str]:
    """The letters of a script; none of one that is large."""
    if script in ("", "Latin"):
        return set()
    found = {each for each in map(chr, range(LAST_OF_LATIN + 1, 0xD800)) if _script(each) == script}
    marks = {each for each in map(chr, range(LAST_OF_LATIN + 1, 0xD800)) if _is_mark_of(each, script)}
    return found | marks if len(found) <= MOST_OF_SCRIPT else set()


def _is_mark_of(character: str, script: str) -> bool:
    """Whether it is no letter and has the script in its name, as vowel signs and digits do."""
    return not character.isalpha() and unicodedata.name(character, "").startswith(f"{script.upper()} ")
