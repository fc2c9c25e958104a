"""Texts that are hard on tokenizers: every script, class boundary and look-alike, made from a seed.

Not here: real texts (`lab_app.corpora`), comparing what two libraries make of them (`lab_app.services.analyses.conformance`).
"""

import random
import sys
from collections.abc import Iterator, Sequence

# One entry per kind of thing a pattern or a normalizer decides on. Each is used as it stands or repeated.
_PIECES: dict[str, Sequence[str]] = {
    "latin": ("a", "the", "Hello", "WORLD", "iPhone", "McDonald", "x", "naïve", "Straße", "ǅ", "ﬁ", "İ", "ı", "ſ"),
    "contractions": ("'s", "'S", "'ll", "'LL", "'re", "'vE", "'d", "'m", "'t", "'ſ", "’s", "''", "'", "'x"),
    "numbers": ("1", "12", "123", "1234", "٣٤", "½", "²", "Ⅷ", "〇", "１２"),
    "spaces": (
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        " \n ",
        "\u00a0",
        "\u2003",
        "\u3000",
        "\u0085",
        "\u2028",
        "\x0b",
        "\x1c",
    ),
    "symbols": (
        ".",
        ",",
        "!",
        "?!",
        "...",
        "$",
        "€",
        "=>",
        "//",
        "/*",
        "\\",
        "_",
        "__",
        "#",
        "@",
        "«»",
        "…",
        "—",
        "~",
        "`",
    ),
    "cjk": ("日本語", "東京都", "中", "국어", "한", "ﾊﾝ", "ー", "々", "𠀀", "㐀", "豈", "。", "、", "「」"),
    "scripts": (
        "नमस्ते",
        "क़",
        "مرحبا",
        "لا",
        "שָׁלוֹם",
        "ไทย",
        "ខ្មែរ",
        "Привет",
        "Ёж",
        "Ελλάς",
        "ς",
        "ქართული",
        "አማርኛ",
        "ᏣᎳᎩ",
        "ꮳ",
        "தமிழ்",
    ),
    "marks": (
        "\u0301",
        "\u0308",
        "\u0327",
        "\u0345",
        "e\u0301",
        "\u0915\u093c",
        "\u20dd",
        "\ufe0f",
        "\u200d",
        "\u0591",
        "\u1ab0",
    ),
    "emoji": ("👍", "👍🏽", "👩‍🔬", "👨‍👩‍👧‍👦", "🇯🇵", "🇩", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "☺"),
    "control": (
        "\x00",
        "\x01",
        "\x1f",
        "\x7f",
        "\u200b",
        "\u200e",
        "\u202e",
        "\ufeff",
        "\ufffd",
        "\u00ad",
        "\u0600",
        "\ue000",
        "\U000e0001",
    ),
    "special": (
        "<|endoftext|>",
        "<|endofprompt|>",
        "[CLS]",
        "[SEP]",
        "[UNK]",
        "[MASK]",
        "[PAD]",
        "<|endoftext|",
        "[cls]",
        "[ CLS ]",
    ),
}


def texts(count: int, seed: int, tokens: Sequence[str] = ()) -> Iterator[str]:
    """Yields `count` texts of 1 to 300 code points; `tokens` (entries of a vocabulary) are mixed in if given.

    About every twelfth text consists of `tokens` alone.

    >>> list(texts(2, seed=1)) == list(texts(2, seed=1)), max(map(len, texts(50, seed=2))) <= 300
    (True, True)
    """
    chance = random.Random(seed)
    kinds = list(_PIECES.values())
    for _ in range(count):
        # A few kinds per text, so that neighbours of the same kind are frequent.
        chosen = chance.sample(kinds, chance.randint(1, 4))
        pieces = []
        share_of_tokens = chance.choice((0.15,) * 11 + (1.0,)) if tokens else 0.0
        for _ in range(chance.choice((1, 3, 10, 60))):
            roll = chance.random()
            if roll < share_of_tokens:
                pieces.append(chance.choice(tokens))
            elif roll < 0.25:
                pieces.append(chr(_any_code_point(chance)))
            else:
                pieces.append(chance.choice(chance.choice(chosen)) * chance.choice((1, 1, 1, 1, 2, 3, 20)))
        yield "".join(pieces)[:300]


def _any_code_point(chance: random.Random) -> int:
    """Any code point but a surrogate, small ones more often."""
    top = chance.choice((0x80, 0x800, 0x3000, 0x10000, sys.maxunicode + 1))
    code = chance.randrange(top)
    return code if not 0xD800 <= code < 0xE000 else 0xFFFD


def long_runs(seed: int, length: int = 2000) -> Iterator[str]:
    """Yields one text per kind of character: one thing repeated up to `length` code points, a letter before and after.

    >>> runs = list(long_runs(seed=1, length=10))
    >>> len(runs) == len(list(long_runs(seed=2))), {len(run) for run in runs} == {12}
    (True, True)
    """
    chance = random.Random(seed)
    for kind in _PIECES.values():
        piece = chance.choice(kind)
        yield f"a{(piece * length)[:length]}b"
