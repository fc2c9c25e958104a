"""Makes a `Corpus` of paths: their formats, encodings and digests. Not here: finding the files (`finding`), keeping it
(`lab_app.store`)."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from lab_app.corpora.cleaning.steps import check as check_cleaning
from lab_app.corpora.corpus import Corpus, CorpusFile, Format
from lab_app.corpora.finding import FORMATS, expanded, find_files, suffixes
from lab_app.corpora.readers.columns import chosen_columns, columns
from lab_app.corpora.readers.text import MARK
from lab_app.corpora.report import ReadReport
from lab_app.corpora.streams import check_unchanged, damaged, opened, size_and_time
from lab_app.errors import BadValue, LoadFailed, reason

BLOCK_BYTES = 1 << 20
HEAD_BYTES = 1 << 16
# UTF-32's mark starts with UTF-16's, so it comes first.
MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

Progress = Callable[[int, int], None]
"""Gets the bytes done and the bytes in all; may raise to stop."""


def describe(
    paths: Sequence[str | Path],
    *,
    id: str = "",
    title: str = "",
    format: Format | None = None,
    text_column: str | None = None,
    language_column: str | None = None,
    cleaning: Sequence[str] = (),
    parallel: bool = False,
    progress: Progress | None = None,
    known: Callable[[str, int, int], str | None] = lambda path, size, modified: None,
) -> Corpus:
    """The corpus of files, folders and patterns such as `data/*.txt`, in the order of their names.

    `format` overrides what the names say. `text_column` and `language_column` are for tables; without them, the names of
    the columns decide (`chosen_columns`); an empty `language_column` means that there is none. With `parallel`, each file is one language, named like the file, and line N of all files
    is the same sentence; in CSV and TSV, each column is one language, named in the first row. `cleaning` names steps
    of `lab_app.corpora.cleaning`. `known` may return the sha256 of a file of that path, size and time.
    Raises BadRequest without files, BadValue for a column that is not there, LoadFailed for a file that cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.txt").write_text("one\\ntwo\\n")
    ...     corpus = describe([folder], title="texts")
    >>> corpus.title, corpus.format, corpus.bytes, corpus.sha256[:8]
    ('texts', 'txt', 8, 'c3f9c8c2')
    """
    check_cleaning(cleaning, is_parallel=parallel)
    found = find_files(paths, partial(progress, 0, 0) if progress else lambda: None)
    total = sum(size_and_time(path)[0] for path in found)
    done = 0
    files: list[CorpusFile] = []
    for path in found:
        file = _describe_file(path, format)
        start = done
        digest = known(file.path, file.size_bytes, file.modified_ns) or _sha256(
            file, partial(_add, progress, start, total)
        )
        files.append(replace(file, sha256=digest, language=len(files) if parallel else None))
        done += file.size_bytes
        if progress:
            progress(done, total)
    names = [_language(path) for path in found] if parallel else []
    if parallel and all(file.format in ("csv", "tsv") for file in files):
        names = columns(files[0])
        files = [replace(file, language=None) for file in files]
    elif parallel and any(file.format not in ("txt", "jsonl") for file in files):
        raise BadValue(
            "these files cannot be a parallel corpus", "give one .txt per language, or a .csv with one column each"
        )
    else:
        text_column, language_column = chosen_columns(files, text_column, language_column)
    if parallel and len(set(names)) < max(2, len(names)):
        raise BadValue(
            f"a parallel corpus has two languages or more, these are {names}", "name each file like its language"
        )
    return Corpus(
        id=id,
        title=title or _title(paths, found),
        files=tuple(files),
        format=files[0].format if len({file.format for file in files}) == 1 else "mixed",
        bytes=done,
        sha256=_together(files),
        text_column=text_column,
        language_column=language_column or None,
        languages=tuple(names),
        is_parallel=parallel,
        cleaning=tuple(cleaning),
    )


def _title(paths: Sequence[str | Path], found: Sequence[Path]) -> str:
    """The name of the one file or folder that was named, or of the first file with the number of all."""
    if len(paths) == 1 and expanded(paths[0]).is_dir():
        return expanded(paths[0]).resolve().name.encode(errors="replace").decode()
    return found[0].name if len(found) == 1 else f"{found[0].name} and {len(found) - 1} more"


def _language(path: Path) -> str:
    return path.name.split(".")[0]


def _describe_file(path: Path, format: Format | None) -> CorpusFile:
    suffix, compression = suffixes(path)
    try:
        size, modified = size_and_time(path)
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise LoadFailed(f"{path} cannot be read: {reason(error)}", "check its permissions") from error
    file = CorpusFile(str(path), size, "", modified, format or FORMATS.get(suffix, "txt"), compression)
    if file.format == "parquet":
        return file
    if compression:
        with opened(file, ReadReport()) as unpacked:
            head = unpacked.read(HEAD_BYTES)
    file = replace(file, encoding=_encoding(path, head))
    return replace(file, format=_json_format(file, head)) if format is None and suffix == ".json" else file


def _json_format(file: CorpusFile, head: bytes) -> Format:
    """How a file called .json holds documents: an array of them, an object in each line, or a text in each line.

    Raises BadValue where the file is one object: nothing says which part of it the documents are.
    """
    first = head.decode(file.encoding, "ignore").removeprefix("\ufeff").lstrip()
    if first[:1] == "[":
        return "json"
    if first[:1] != "{":
        return "txt"
    line, _, others = first.partition("\n")
    try:
        if others.strip():
            json.loads(line)
            return "jsonl"
        if _has_lines(file):
            return "jsonl"
    except (ValueError, RecursionError):
        pass
    raise BadValue(
        f"{file.path} is one JSON object, not a list of documents",
        "write [{...}, {...}], or one object per line into a .jsonl file, or say that its format is txt to read each line"
        " as a text",
    )


def _has_lines(file: CorpusFile) -> bool:
    """Whether another line with text follows the first one with text."""
    found = b""  # the first byte of the first line, and its end
    with opened(file, ReadReport()) as stream:
        while block := stream.read(BLOCK_BYTES):
            before, line_end, after = (found + block).removeprefix(MARK).lstrip().partition(b"\n")
            if after.strip():
                return True
            found = before[:1] + line_end
    return False


def _encoding(path: Path, head: bytes) -> str:
    """The encoding that the mark at the start of a file names; UTF-8 without one."""
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        raise LoadFailed(
            f"{path} is not text: byte {head.index(0)} is zero",
            "add files of text; UTF-16 is read if the file starts with a byte order mark",
        )
    return "utf-8"


def _add(progress: Progress | None, start: int, total: int, read: int) -> None:
    if progress:
        progress(start + read, total)


def _sha256(file: CorpusFile, progress: Callable[[int], None]) -> str:
    digest = hashlib.sha256()
    read = 0
    try:
        with Path(file.path).open("rb", buffering=0) as stream:
            while block := stream.read(BLOCK_BYTES):
                digest.update(block)
                read += len(block)
                progress(read)
    except OSError as error:
        raise damaged(file, reason(error)) from error
    check_unchanged(file)
    return digest.hexdigest()


def _together(files: Sequence[CorpusFile]) -> str:
    """The digest of a corpus: that of its file, or of the lines that `sha256sum` prints for its files by their names."""
    if len(files) == 1:
        return files[0].sha256
    lines = "".join(f"{file.sha256}  {Path(file.path).name}\n" for file in files)
    return hashlib.sha256(lines.encode()).hexdigest()
