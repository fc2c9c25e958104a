"""Small edits of a text, one place each, and noise: what people and keyboards do to words. Seeded, so they can be repeated.

The four typos are those of Belinkov and Bisk 2018, "Synthetic and Natural Noise Both Break Neural Machine Translation"
(swap), and Pruthi, Dhingra and Lipton 2019, "Combating Adversarial Misspellings with Robust Word Recognition" (swap, drop,
add, substitute), without their limits on word length and on first and last letters. The other edits are defined here.
Not here: what an edit does to tokens (`robustness`).
"""

import random
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """Replaces the code points `start` to `end` of a text by `replacement`.

    `word_start` to `word_end` is the edited word: the stretch without white space that holds the place, or for an edit of a
    space the words on both sides and the space.

    >>> Edit(1, 3, "XYZ", 0, 4).applied("abcd")
    'aXYZd'
    """

    start: int
    end: int
    replacement: str
    word_start: int
    word_end: int

    def applied(self, text: str) -> str:
        """The text after the edit."""
        return text[: self.start] + self.replacement + text[self.end :]


Perturb = Callable[[str, random.Random], Edit | None]

HOMOGLYPHS = dict(zip("aceiopsxyABCEHIKMOPSTXY", "асеіорѕхуАВСЕНІКМОРЅТХУ", strict=True))
"""Latin letters, and Cyrillic letters that look the same."""


def edit(kind: str, text: str, seed: str) -> Edit | None:
    """An edit of a kind of `KINDS` at a random place of `text`; None if the text has no place for it.

    >>> edit("case", "one two", "1").applied("one two"), edit("missing_space", "one", "1")
    ('oNe two', None)
    """
    return KINDS[kind](text, random.Random(f"{kind} {seed}"))


def swap(text: str, chance: random.Random) -> Edit | None:
    """Swaps two different letters that follow each other."""
    at = _place(chance, [n for n in _letters(text) if text[n + 1 : n + 2].isalpha() and text[n] != text[n + 1]])
    return None if at is None else _in_word(text, at, at + 2, text[at + 1] + text[at])


def delete(text: str, chance: random.Random) -> Edit | None:
    """Deletes a letter of a word that has another character."""
    at = _place(chance, [n for n in _letters(text) if len(text[slice(*_word(text, n, n + 1))]) > 1])
    return None if at is None else _in_word(text, at, at + 1, "")


def insert(text: str, chance: random.Random) -> Edit | None:
    """Inserts a letter of the same text before a letter."""
    letters = _letters(text)
    at = _place(chance, letters)
    return None if at is None else _in_word(text, at, at, text[chance.choice(letters)])


def substitute(text: str, chance: random.Random) -> Edit | None:
    """Replaces a letter by another letter of the same text."""
    letters = _letters(text)
    at = _place(chance, letters)
    others = [] if at is None else sorted({text[n] for n in letters} - {text[at]})
    return None if at is None or not others else _in_word(text, at, at + 1, chance.choice(others))


def case(text: str, chance: random.Random) -> Edit | None:
    """Changes the case of one letter."""
    at = _place(chance, [n for n in _letters(text) if _other_case(text[n]) is not None])
    return None if at is None else _in_word(text, at, at + 1, _other_case(text[at]) or "")


def double_space(text: str, chance: random.Random) -> Edit | None:
    """Doubles a single space between two words."""
    at = _place(chance, _single_spaces(text))
    return None if at is None else _between_words(text, at, at, " ")


def missing_space(text: str, chance: random.Random) -> Edit | None:
    """Removes a single space between two words."""
    at = _place(chance, _single_spaces(text))
    return None if at is None else _between_words(text, at, at + 1, "")


def nfd(text: str, chance: random.Random) -> Edit | None:
    """Decomposes one character."""
    at = _place(chance, [n for n, each in enumerate(text) if unicodedata.normalize("NFD", each) != each])
    return None if at is None else _in_word(text, at, at + 1, unicodedata.normalize("NFD", text[at]))


def nfc(text: str, chance: random.Random) -> Edit | None:
    """Composes one base character with the marks that follow it."""
    ends = {n: _marks_end(text, n) for n, each in enumerate(text) if not unicodedata.combining(each)}
    changing = [n for n, end in ends.items() if unicodedata.normalize("NFC", text[n:end]) != text[n:end]]
    at = _place(chance, changing)
    return None if at is None else _in_word(text, at, ends[at], unicodedata.normalize("NFC", text[at : ends[at]]))


def homoglyph(text: str, chance: random.Random) -> Edit | None:
    """Replaces one Latin letter by the Cyrillic letter that looks the same."""
    at = _place(chance, [n for n, each in enumerate(text) if each in HOMOGLYPHS])
    return None if at is None else _in_word(text, at, at + 1, HOMOGLYPHS[text[at]])


TYPOS: dict[str, Perturb] = {"swap": swap, "delete": delete, "insert": insert, "substitute": substitute}
KINDS: dict[str, Perturb] = TYPOS | {
    "case": case,
    "double_space": double_space,
    "missing_space": missing_space,
    "nfd": nfd,
    "nfc": nfc,
    "homoglyph": homoglyph,
}
"""By name, in the order they are shown."""


def noisy(text: str, level: float, seed: str) -> tuple[str, int]:
    """The text with random typos, and how many: each letter is the place of one with probability `level`, in [0, 1].

    The four kinds of typo are equally likely; a letter that no letter follows is substituted, not swapped. The same seed gives the same text; a higher level does not keep the typos of a
    lower one.

    >>> noisy("an example", 0.0, "1"), noisy("an example", 0.5, "1")[1] > 0
    (('an example', 0), True)
    """
    chance = random.Random(f"noise {level} {seed}")
    letters = [each for each in text if each.isalpha()]
    result: list[str] = []
    count, at = 0, 0
    while at < len(text):
        each = text[at]
        at += 1
        if not each.isalpha() or chance.random() >= level:
            result.append(each)
            continue
        count += 1
        kind = chance.choice(tuple(TYPOS))
        if kind == "swap" and text[at : at + 1].isalpha():
            result += [text[at], each]
            at += 1
        elif kind == "insert":
            result += [chance.choice(letters), each]
        elif kind == "delete":
            pass
        else:
            result.append(chance.choice(letters))
    return "".join(result), count


def _letters(text: str) -> list[int]:
    return [n for n, each in enumerate(text) if each.isalpha()]


def _single_spaces(text: str) -> list[int]:
    return [
        n for n in range(1, len(text) - 1) if text[n] == " " and not text[n - 1].isspace() and not text[n + 1].isspace()
    ]


def _other_case(letter: str) -> str | None:
    other = letter.swapcase()
    return other if len(other) == 1 and other != letter else None


def _marks_end(text: str, start: int) -> int:
    end = start + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def _place(chance: random.Random, places: list[int]) -> int | None:
    return chance.choice(places) if places else None


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def _in_word(text: str, start: int, end: int, replacement: str) -> Edit:
    return Edit(start, end, replacement, *_word(text, start, end))


def _between_words(text: str, start: int, end: int, replacement: str) -> Edit:
    return Edit(start, end, replacement, _word(text, start, start)[0], _word(text, start + 1, start + 1)[1])
