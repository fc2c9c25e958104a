"""Bytes as text for a page: compressed, then five signs for four bytes. Base64 would take a sixteenth more.

The page unpacks them with `lab_ui/js/handout/contents.js`.
"""

from base64 import b85encode
from gzip import compress

LEVEL = 6
"""Of compression. 9, the highest, takes eight times as long for a vocabulary of 200,000 tokens, and saves a hundredth."""
SAFE = bytes.maketrans(b"<", b",")
"""No sign may begin a tag or a comment of HTML."""


def packed(data: bytes) -> str:
    """Bytes that are compressed here.

    >>> packed(b"a" * 1000) == packed_gzip(compress(b"a" * 1000, LEVEL, mtime=0))
    True
    """
    return packed_gzip(compress(data, LEVEL, mtime=0))


def packed_gzip(data: bytes) -> str:
    """Bytes that are compressed already.

    >>> packed_gzip(b"tokens"), "<" in packed_gzip(bytes(range(256)))
    ('bZ={AZgT', False)
    """
    return b85encode(data).translate(SAFE).decode()
