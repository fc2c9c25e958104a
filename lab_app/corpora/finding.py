"""Finds the files that paths, folders and patterns mean. Not here: what is in them (`describe`)."""

import fnmatch
import glob
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from lab_app.corpora.corpus import Compression, Format
from lab_app.errors import BadRequest, BadValue, LoadFailed, reason

FORMATS: dict[str, Format] = {
    ".txt": "txt",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".md": "file",
    ".py": "file",
    ".rst": "file",
}
COMPRESSIONS: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
ANY_DEPTH = "**"


def find_files(paths: Sequence[str | Path], check: Callable[[], None] = lambda: None) -> list[Path]:
    """The files that are meant, each once. `check` is called in each folder, and may raise to stop.

    Raises BadRequest without files, BadValue for an empty path, for a path without a file and for a name that is not UTF-8,
    LoadFailed for a folder that cannot be read.
    """
    if not paths:
        raise BadRequest("no file was named", "name files or folders")
    found: dict[Path, Path] = {}
    for path in paths:
        if not str(path):
            raise BadValue("the path is empty", "name a file or a folder; a dot is the current folder")
        given = expanded(path)
        before = len(found)
        for one in _matching(given, check):
            found[one.resolve()] = _named(one.absolute())
        if len(found) == before and not given.exists():
            raise BadValue(f"there is no file {path}", "check the path")
    if not found:
        raise BadRequest(
            f"{paths[0]} holds no file of text", "the lab reads " + " ".join(FORMATS) + ", also with .gz or .zst"
        )
    return list(found.values())


def expanded(path: str | Path) -> Path:
    """The path with the home folder in place of "~". Raises BadValue for one that no file can have.

    >>> expanded("a/b.txt").name
    'b.txt'
    """
    try:
        given = Path(path).expanduser()
        given.exists()
    except OSError as error:
        raise BadValue(f"there is no file {_short(path)}: {reason(error)}", "check the path") from error
    except (RuntimeError, ValueError) as error:
        raise BadValue(f"there is no file {_short(path)}: {error}", "check the path") from error
    if "\0" in str(path):
        raise BadValue(f"there is no file {_short(path)}", "check the path")
    return given


def suffixes(path: Path) -> tuple[str, Compression | None]:
    """The suffix that says the format, and the compression that a second one says.

    >>> suffixes(Path("a.txt.gz"))
    ('.txt', 'gzip')
    """
    compression = COMPRESSIONS.get(path.suffix.lower())
    return (Path(path.stem).suffix if compression else path.suffix).lower(), compression


def _named(path: Path) -> Path:
    """The path, if the lab can keep it: as UTF-8. Raises BadValue."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise BadValue(f"the name {str(path)!r} is not UTF-8", "rename it") from error
    return path


def _short(path: str | Path) -> str:
    """The path as an error quotes it."""
    return repr(str(path) if len(str(path)) <= 100 else f"{str(path)[:100]}...")


def _matching(given: Path, check: Callable[[], None]) -> Iterator[Path]:
    """The files of a folder that are read, the file itself, or the files of a pattern, in the order of their names."""
    if given.is_dir():
        yield from sorted(one for one in _walk(given, (ANY_DEPTH, "*"), check) if suffixes(one)[0] in FORMATS)
    elif given.is_file():
        yield given
    else:
        parts = given.parts[len(Path(given.anchor).parts) :]
        pattern = (*parts, "*") if parts[-1:] == (ANY_DEPTH,) else parts
        yield from sorted(_walk(Path(given.anchor), pattern, check), key=str)


def _walk(folder: Path, pattern: Sequence[str], check: Callable[[], None]) -> Iterator[Path]:
    """The files below a folder whose path matches the parts of a pattern as `glob` has it: hidden ones match a part that
    starts with a dot alone. Links to folders are not followed at any depth, since they may make a circle."""
    first, rest = pattern[0], pattern[1:]
    if not glob.has_magic(first):
        if rest:
            yield from _walk(folder / first, rest, check)
        elif _is((folder / first).is_file):
            yield folder / first
        return
    check()
    entries = [one for one in _entries(folder) if first.startswith(".") or not one.name.startswith(".")]
    if first == ANY_DEPTH:
        yield from _walk(folder, rest, check)
        for entry in entries:
            if _is(partial(entry.is_dir, follow_symlinks=False)):
                yield from _walk(folder / entry.name, pattern, check)
        return
    for entry in entries:
        if fnmatch.fnmatch(entry.name, first):
            if rest and _is(entry.is_dir):
                yield from _walk(folder / entry.name, rest, check)
            elif not rest and _is(entry.is_file):
                yield folder / entry.name


def _is(kind: Callable[[], bool]) -> bool:
    """Whether it is of that kind; not if the system cannot say, as of a link to itself."""
    try:
        return kind()
    except OSError:
        return False


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if it does not exist. Raises LoadFailed for one that cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise LoadFailed(
            f"the folder {folder} cannot be read: {reason(error)}",
            "check its permissions, or name the other files and folders",
        ) from error
