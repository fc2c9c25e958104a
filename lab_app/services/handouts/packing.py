"""Bytes as text for a page: compressed, then five signs for four bytes. Base64 would take a sixteenth more. Files as a ZIP file.

The page unpacks them with `lab_ui/js/handout/contents.js`.
"""

import gzip
import io
import zipfile
from base64 import b85encode
from collections.abc import Mapping

LEVEL = 6
"""Of compression. 9, the highest, takes eight times as long for a vocabulary of 200,000 tokens, and saves a hundredth."""
UNIX = 3
"""Of a ZIP entry whose mode counts."""
SAFE = bytes.maketrans(b"<", b",")
"""No sign may begin a tag or a comment of HTML."""


def compressed(data: bytes) -> bytes:
    """The same bytes for the same data.

    >>> gzip.decompress(compressed(b"tokens"))
    b'tokens'
    """
    return gzip.compress(data, LEVEL, mtime=0)


def packed(data: bytes) -> str:
    """Bytes that are compressed here.

    >>> packed(b"a" * 1000) == packed_gzip(compressed(b"a" * 1000))
    True
    """
    return packed_gzip(compressed(data))


def packed_gzip(data: bytes) -> str:
    """Bytes that are compressed already.

    >>> packed_gzip(b"tokens"), "<" in packed_gzip(bytes(range(256)))
    ('bZ={AZgT', False)
    """
    return b85encode(data).translate(SAFE).decode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files by name as one ZIP file, the same for the same files. Whoever unpacks it, everybody may read them, a web server too.

    Those that end in `.bin` are compressed already.

    >>> zipfile.ZipFile(io.BytesIO(zipped({"a.txt": b"a"}))).namelist()
    ['a.txt']
    """
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = UNIX, 0o100644 << 16
            archive.writestr(entry, content, zipfile.ZIP_STORED if name.endswith(".bin") else zipfile.ZIP_DEFLATED)
    return whole.getvalue()
