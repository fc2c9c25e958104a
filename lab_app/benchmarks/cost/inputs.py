"""Texts that break encoders, of any length: the inputs of the pathological suite, of growth and of the race.

A seed decides everything random. A text has at most the bytes asked for, and at most three fewer.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz", np.uint8)
DIGITS = np.frombuffer(b"0123456789", np.uint8)
MALFORMED = b"".join(
    (
        b"\x80",  # a continuation byte alone
        b"\xbf\xbf",
        b"\xc3",  # a first byte alone, of 2, 3 and 4
        b"\xe6\x97",
        b"\xf0\x9f\x98",
        b"\xc0\xaf",  # too long for what it says
        b"\xe0\x80\xaf",
        b"\xf0\x80\x80\xaf",
        b"\xed\xa0\x80",  # halves of a surrogate pair
        b"\xed\xb0\x80",
        b"\xf4\x90\x80\x80",  # above U+10FFFF
        b"\xf5\x80\x80\x80",
        b"\xf8\x88\x80\x80\x80",  # of 5 and 6 bytes
        b"\xfc\x84\x80\x80\x80\x80",
        b"\xfe",  # in no text
        b"\xff",
        b"ok ",
    )
)
"""One of each malformed form of UTF-8 (RFC 3629, Unicode Standard, table 3-7)."""
_TEXT = """
the of and to in a is that it was for on are with as his they be at one have this from or had by not but some
what there we can out other were all your when up use word how said an each she which do their time if will
way about many then them would write like so these her long make thing see him two has look more day could go
come did my no most number who over know water than call first people may down side been now find any new work
part take get place made live where after back little only round man year came show every good me give our
under name very through just form much great think say help low line before turn cause same mean differ move
right boy old too does tell sentence set three want air well also play small end put home read hand port large
spell add even land here must big high such follow act why ask men change went light kind off need house
picture try us again animal point mother world near build
"""
WORDS = _TEXT.split()


@dataclass(frozen=True)
class Input:
    """A kind of text. `make` takes a size in bytes and a seed."""

    name: str
    description: str
    make: Callable[[int, int], str]


def _repeated(unit: str) -> Callable[[int, int], str]:
    size = len(unit.encode())

    def make(bytes: int, seed: int) -> str:
        last = unit.encode()[: bytes % size].decode("utf-8", "ignore")
        return unit * (bytes // size) + last

    return make


_MARKS = _repeated("\u0301\u0323")


def _random(symbols: "np.ndarray[tuple[int], np.dtype[np.uint8]]") -> Callable[[int, int], str]:
    def make(bytes: int, seed: int) -> str:
        chosen = np.random.default_rng(seed).integers(0, len(symbols), bytes)
        return symbols[chosen].tobytes().decode("ascii")

    return make


def _base64(bytes: int, seed: int) -> str:
    data = np.random.default_rng(seed).bytes(bytes // 4 * 3)
    return base64.b64encode(data).decode("ascii")


def _cjk(bytes: int, seed: int) -> str:
    chosen = np.random.default_rng(seed).integers(0x4E00, 0x9FA6, bytes // 3, dtype=np.uint32)
    return chosen.astype("<u4").tobytes().decode("utf-32-le")


def words(bytes: int, seed: int) -> str:
    """English words with a point now and then.

    >>> words(24, 1).isascii(), len(words(24, 1))
    (True, 24)
    """
    chosen = np.random.default_rng(seed).integers(0, len(WORDS), bytes // 2 + 1)
    text = " ".join(
        WORDS[word] + ("." if place % 13 == 12 else "") for place, word in enumerate(chosen[: bytes // 3 + 9])
    )
    return text[:bytes]


def _bom(bytes: int, seed: int) -> str:
    return "\ufeff" + words(max(0, bytes - 3), seed)


def _malformed(bytes: int, seed: int) -> str:
    whole = MALFORMED.decode("utf-8", "replace")
    return _repeated(whole)(bytes, seed)


PATHOLOGICAL = (
    Input("one_letter", "one letter repeated", _repeated("a")),
    Input("random_letters", "random letters without spaces", _random(LETTERS)),
    Input("spaces", "spaces", _repeated(" ")),
    Input("newlines", "newlines", _repeated("\n")),
    Input("base64", "base64 without line breaks", _base64),
    Input("cjk", "random Chinese characters without spaces", _cjk),
    Input("emoji", "one emoji repeated", _repeated("\U0001f600")),
    Input("combining_marks", "one letter with combining marks", lambda bytes, seed: "e" + _MARKS(bytes - 1, seed)),
    Input("zwj_chain", "emoji joined by zero-width joiners", _repeated("\U0001f469\u200d")),
    Input("digits", "random digits", _random(DIGITS)),
    Input("bom", "English words after a byte order mark", _bom),
    Input("malformed_utf8", "every malformed form of UTF-8, decoded to U+FFFD", _malformed),
)
INPUTS = {each.name: each for each in (Input("words", "English words", words), *PATHOLOGICAL)}
"""All kinds by name: those of the suite, and ordinary words to compare them with."""
