"""Opens the files of a corpus: unpacked, as UTF-8, and proved to be the files that were added.

Not here: lines and documents (`lines`, `reading`).
"""

import codecs
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from lab_app.corpora.corpus import CorpusFile
from lab_app.corpora.lines import Readable
from lab_app.corpora.report import ReadReport
from lab_app.errors import LoadFailed, reason

REPLACEMENT = "\ufffd"


@contextmanager
def opened(file: CorpusFile, report: ReadReport, start: int = 0) -> Iterator[Readable]:
    """The file's content from byte `start` on, unpacked and decoded to UTF-8; invalid UTF-8 is left to `valid_utf8`.

    `start` is 0 where the file is packed or in another encoding. Raises LoadFailed if the file is gone, is damaged or has
    changed since it was added: the last is checked before the first byte and after the last one.
    """
    check_unchanged(file)
    try:
        with closing(_open(file, start, report)) as stream:
            yield stream if file.encoding == "utf-8" else _Decoded(stream, file.encoding, report)
    except OSError as error:
        raise damaged(file, reason(error)) from error
    check_unchanged(file)


def damaged(file: CorpusFile, what: str) -> LoadFailed:
    """The error of a file that cannot be read to its end."""
    return LoadFailed(f"{file.path} cannot be read: {what}", "make the file again, or remove it from the corpus")


def check_unchanged(file: CorpusFile) -> None:
    """Raises LoadFailed where the file is gone, or its size or time is not what it was when it was added."""
    try:
        found = Path(file.path).stat()
    except OSError as error:
        raise LoadFailed(
            f"{file.path} cannot be read: {reason(error)}", "put the file back, or add the corpus again without it"
        ) from error
    if (found.st_size, found.st_mtime_ns) != (file.size_bytes, file.modified_ns):
        raise LoadFailed(
            f"{file.path} has changed since it was added: {file.size_bytes} bytes then, {found.st_size} bytes now",
            "add the corpus again, so that its results belong to one text",
        )


def valid_utf8(block: bytes, report: ReadReport) -> bytes:
    """The block if it is valid UTF-8; otherwise with U+FFFD for each invalid sequence, which the report counts.

    >>> report = ReadReport()
    >>> valid_utf8(b"caf\\xe9 ol\\xe9", report).decode(), report.replaced_characters
    ('caf� ol�', 2)
    """
    if block.isascii():
        return block
    try:
        block.decode()
    except UnicodeDecodeError:
        text = block.decode(errors="replace")
        report.replaced_characters += text.count(REPLACEMENT) - block.count(REPLACEMENT.encode())
        return text.encode()
    return block


def _open(file: CorpusFile, start: int, report: ReadReport) -> "_Counted":
    if file.compression is None:
        raw: Any = Path(file.path).open("rb", buffering=0)  # noqa: SIM115 - its caller closes it
        raw.seek(start)
        return _Counted(raw, raw, report)
    import pyarrow

    raw = pyarrow.OSFile(file.path)
    return _Counted(pyarrow.CompressedInputStream(raw, file.compression), raw, report)


class _Counted:
    """Reads a stream and adds the bytes that this takes from the file to the report."""

    def __init__(self, stream: Any, raw: Any, report: ReadReport) -> None:
        self._stream = stream
        self._raw = raw
        self._report = report
        self._at = raw.tell()

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        read: bytes = self._stream.read(size)
        at = self._raw.tell()
        self._report.took(at - self._at)
        self._at = at
        return read

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()


class _Decoded:
    """UTF-8 of a stream in another encoding."""

    def __init__(self, stream: Readable, encoding: str, report: ReadReport) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._report = report
        self._is_open = True

    def read(self, size: int, /) -> bytes:
        """About `size` bytes; none at the end."""
        while self._is_open:
            read = self._stream.read(size)
            self._is_open = bool(read)
            text = self._decoder.decode(read, final=not read)
            self._report.replaced_characters += text.count(REPLACEMENT)
            if text:
                return text.encode(errors="replace")
        return b""


def size_and_time(path: Path) -> tuple[int, int]:
    """Size in bytes and time of the last change in nanoseconds. Raises OSError."""
    found = os.stat(path)  # noqa: PTH116 - one call for both
    return found.st_size, found.st_mtime_ns
