"""What every command shares: the one way to print, to tell an error, to read a text.

People on a terminal get tables, programs get JSON on stdout; progress and errors go to stderr. Exit status: 0 done,
1 failed, 2 used wrongly. Rich is imported only where a table is drawn.
"""

import contextlib
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lab_app.errors import BadValue, Conflict, LabError, NotFound, Unavailable, reason
from lab_app.files import replaced, written
from lab_app.json_text import json_text
from lab_app.spelling import printable

if TYPE_CHECKING:
    from rich.console import Console

Found = TypeVar("Found")
FAILED = 1
WRONG_USE = 2
# Options whose names errors quote as `max_length`, which is what Python and HTTP call them.
OPTIONS = ("max_length", "pad_to_multiple_of", "padding", "specials", "stride", "truncation", "truncation_side")


def use_utf8() -> None:
    """Makes the standard streams speak UTF-8: tokens are text of any script, which no Windows code page holds.

    A stream that the parent closed reads as empty, or takes what is written and keeps nothing.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123 - open until the end
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def console(*, stderr: bool = False) -> "Console":
    """A terminal to draw on; without one, plain text as wide as it needs to be."""
    from rich.console import Console

    found = Console(stderr=stderr, highlight=False, soft_wrap=False)
    return found if found.is_terminal else Console(stderr=stderr, highlight=False, width=200)


def print_json(value: object) -> None:
    """One JSON document on stdout."""
    print_chunks([json_text(value)])


def print_found(found: Found, format: str, show: Callable[[Found], None]) -> None:
    """A result as JSON, or in tables as `show` prints it."""
    if format == "json":
        print_json(found)
    else:
        show(found)


def print_chunks(chunks: Iterable[str]) -> None:
    """Text on stdout in parts, and a line end."""
    for chunk in chunks:
        sys.stdout.write(chunk)
    sys.stdout.write("\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()) -> None:
    """A table on stdout; the columns named in `right` are numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        drawn.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        # Text, not str: a token may look like Rich's markup.
        drawn.add_row(*(Text(printable(str(cell))) for cell in row))
    console().print(drawn)


def flush() -> None:
    """Sends what was printed on its way, for who waits for a line."""
    sys.stdout.flush()


def print_note(message: str) -> None:
    """A line for people, on stderr: parts of it may be other people's text."""
    sys.stderr.write(printable(message) + "\n")


def print_error(error: LabError) -> None:
    """An error, with what to do about it on a line of its own."""
    print_note(f"error: {with_options(error.message)}")
    if error.on_terminal:
        print_note(f"       {with_options(error.on_terminal)}")


def with_options(message: str) -> str:
    """`message` with the names of options as the command line spells them.

    >>> print(with_options("raise `max_length`, or leave out `other`"))
    raise --max-length, or leave out `other`
    """
    return re.sub(f"`({'|'.join(OPTIONS)})`", lambda found: "--" + found[1].replace("_", "-"), message)


def write_file(path: Path, chunks: Iterable[str], *, force: bool = False) -> int:
    """Writes a text file, all of it or nothing, and returns its size in bytes. A link stays a link.

    Raises Conflict if there is one and not `force`, Unavailable if it cannot be written.
    """
    size = 0
    with (
        written(path, force=force) as target,
        target.open("wb") as stream,
    ):  # bytes: line ends in a token stay as they are
        for chunk in chunks:
            size += stream.write(chunk.encode())
    return size


def write_folder(folder: Path, files: Mapping[str, bytes], *, parts: str, force: bool = False) -> int:
    """Writes files into a folder, which is made, in their order, each of it or nothing. Returns their size in bytes together.

    Removes what an earlier call left: files like `parts`, a pattern of names, that are not among these.

    Raises Conflict if something is there and not `force`, Unavailable if it cannot be written.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())) and not force:
            raise Conflict(f"{folder} already exists", "give another name, or --force to replace its files")
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            with replaced(folder / name) as target:
                target.write_bytes(content)
        for left in folder.glob(parts):
            if left.name not in files:
                left.unlink()
    except OSError as error:
        raise Unavailable(
            f"{folder} cannot be written: {reason(error)}",
            "check the permissions and the free space there, or name another folder",
        ) from error
    return sum(map(len, files.values()))


def read_text(text: str | None, file: Path | None) -> str:
    """The text a command works on: its argument, `-` for stdin, or a file. Raises BadValue where it is not UTF-8."""
    if file is not None:
        if text is not None:
            raise BadValue("a text and --file are both given", "give one of them")
        try:
            return decoded(file.read_bytes(), str(file))
        except OSError as error:
            raise NotFound(f"{file} cannot be read: {reason(error)}", "give the path of a text file") from error
    if text == "-" or (text is None and not sys.stdin.isatty()):
        return decoded(sys.stdin.buffer.read(), "stdin")
    if text is None:
        raise BadValue("there is no text", "give it as an argument, as --file PATH, or on stdin")
    # Bytes of an argument that are not UTF-8 arrive as lone surrogates.
    return decoded(text.encode("utf-8", "surrogateescape"), "the text") if _escaped(text) else text


def read_file(file: Path) -> str:
    """The text of a file that a command is given as its argument; `-` is stdin. Raises as `read_text`."""
    return read_text("-", None) if str(file) == "-" else read_text(None, file)


def read_beginning(text: str | None, file: Path | None, limit: int) -> tuple[bool, bytes]:
    """Whether the text that `read_text` would give has at least `limit` bytes, and what was read of stdin to find that out.

    A file is not read. A named pipe, or anything else that has no size, counts as long.
    """
    if file is not None:
        with contextlib.suppress(OSError):
            return text is None and (file.stat().st_size >= limit or not (file.is_file() or file.is_dir())), b""
        return False, b""
    # Without the buffer of Python, which would keep some of what the engine is to read.
    stdin = getattr(sys.stdin.buffer, "raw", None)
    if not isinstance(stdin, io.FileIO) or not (text == "-" or (text is None and not sys.stdin.isatty())):
        return False, b""
    read: list[bytes] = []
    size = 0
    while size < limit and (part := stdin.read(limit - size)):
        read.append(part)
        size += len(part)
    return size >= limit, b"".join(read)


def given_text(text: str | None, file: Path | None) -> str | None:
    """The text of a command that can do without one: stdin is read for `-` alone."""
    return None if text is None and file is None else read_text(text, file)


def decoded(data: bytes, place: str) -> str:
    """`data` as text. Raises BadValue with the byte where it is not UTF-8.

    >>> decoded("日".encode()[:2], "stdin")
    Traceback (most recent call last):
    ...
    lab_app.errors.BadValue: stdin is not UTF-8: byte 0 (0xe6), unexpected end of data: convert it to UTF-8 first
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadValue(
            f"{place} is not UTF-8: byte {error.start} (0x{data[error.start]:02x}), {error.reason}",
            "convert it to UTF-8 first",
        ) from None


def _escaped(text: str) -> bool:
    return any(0xDC80 <= ord(character) <= 0xDCFF for character in text)


SIZES = {"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12}


def size_in_bytes(text: str) -> float | None:
    """A size that people write, in units of 1000, as bytes; None for "all". Raises BadValue for anything else.

    >>> size_in_bytes("50MB"), size_in_bytes("1.5 kB"), size_in_bytes("all")
    (50000000.0, 1500.0, None)
    """
    if text.strip().lower() == "all":
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text.lower())
    size = math.inf if found is None or found[2] not in SIZES else float(found[1]) * SIZES[found[2]]
    if size == math.inf:
        raise BadValue(f'"{text:.40}" is not a size', "write it as 500kB, 50MB, 2GB or all")
    return size


def short(value: object, length: int = 120) -> str:
    """A value as JSON, shortened where it is long.

    >>> short({"type": "NFC"}), short("a" * 9, 4)
    ('{"type": "NFC"}', '"aaa…')
    """
    whole = json.dumps(value, ensure_ascii=False)
    return whole if len(whole) <= length else whole[:length] + "…"


@contextlib.contextmanager
def progress(label: str) -> Iterator[Any]:
    """Shows the progress of a download on stderr if that is a terminal. Returns the callback for the download."""
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
    from rich.table import Column

    words = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = (words, BarColumn(bar_width=20), DownloadColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, expand=True) as shown:
        task = shown.add_task(label, total=None)

        def report(progress: Any) -> None:
            shown.update(
                task,
                description=f"{label} from {progress.source}",
                completed=progress.done_bytes,
                total=progress.total_bytes,
            )

        yield report
