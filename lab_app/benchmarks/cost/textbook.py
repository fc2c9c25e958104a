"""Byte-pair encoding in plain Python: the readable twin of the engine's encoders, for the race and for students.

It does what the engine's textbook encoder `naive-split` does: split the text by a pattern, then merge, in each pretoken,
the pair of the lowest rank until no pair is left. Time grows with the square of the longest pretoken.

Source: Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units", ACL 2016.
"""

from collections.abc import Mapping

import regex

from lab_app.engine import Tokenizer

PATTERNS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
    ),
    "o200k_base": "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
}
"""The split patterns of the tokenizers inside the engine, as OpenAI published them."""


def ranks_of(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Every token but the special ones with its id, which is its rank.

    >>> ranks_of(Tokenizer.builtin("gpt2"))[b" the"]
    262
    """
    special = set(tokenizer.special_tokens.values())
    return {token: id for token, id in tokenizer.vocab().items() if id not in special}


def encode(text: str, pattern: str, ranks: Mapping[bytes, int]) -> list[int]:
    """The ids of a text. `ranks` has every token with its id, which is the rank of the merge that makes it, lower first.

    >>> ranks = {bytes([byte]): byte for byte in range(256)} | {b"aa": 256, b"aaa": 257}
    >>> encode("aaa a", PATTERNS["gpt2"], ranks)
    [257, 32, 97]
    """
    ids = []
    for match in regex.finditer(pattern, text):
        ids += merge(match[0].encode(), ranks)
    return ids


def merge(pretoken: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    """The ids of one pretoken: the pair of the lowest rank becomes one symbol, until no two neighbours are a token.

    >>> ranks = {b"h": 0, b"u": 1, b"g": 2, b"ug": 3, b"hug": 4}
    >>> merge(b"hug", ranks)
    [4]
    """
    whole = ranks.get(pretoken)
    if whole is not None:
        return [whole]
    symbols = [bytes([byte]) for byte in pretoken]
    while True:
        best = None
        for at in range(len(symbols) - 1):
            rank = ranks.get(symbols[at] + symbols[at + 1])
            if rank is not None and (best is None or rank < best[0]):
                best = rank, at
        if best is None:
            return [ranks[symbol] for symbol in symbols]
        at = best[1]
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
