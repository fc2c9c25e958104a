"""Says by its content what a file is to the lab: a text, documents of a corpus, or a tokenizer. Not here: opening it
(`opening`)."""

import json
import re
import stat
from pathlib import Path
from typing import Literal

from lab_app.corpora.finding import FORMATS, find_files, suffixes
from lab_app.errors import BadRequest, BadValue, LoadFailed, NotFound, reason
from lab_app.library.importing import MAX_FILE_BYTES, MERGES_NAMES, VOCAB_NAMES, VOCAB_TXT, files_of

Kind = Literal["text", "corpus", "tokenizer"]

HEAD_BYTES = 1 << 16
RANK_LINE = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)? ([0-9]+)")
"""A line of a rank file: a token in base64 and its rank."""
FEWEST_RANKS = 4
UNKNOWN = b"[UNK]"
"""A line of every `vocab.txt` that is a WordPiece vocabulary."""
MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
UTF_32 = ("\ufeff".encode("utf-32-le"), "\ufeff".encode("utf-32-be"))
TABLES = ("jsonl", "csv", "tsv", "parquet")


def kind_of(path: Path, most_bytes: int) -> Kind:
    """The kind of a file or folder. A text of more than `most_bytes` is a corpus.

    Raises NotFound for one that is not there or cannot be read, BadValue for one that is neither a file nor a folder or whose
    name is not UTF-8, BadRequest for a folder in which the lab reads nothing.
    """
    try:
        str(path).encode()
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return _kind_of_folder(path)
        if not stat.S_ISREG(status.st_mode):
            raise BadValue(f"{path} is neither a file nor a folder", "save what it gives to a file, and open that")
        head = head_of(path)
        if _is_tokenizer(path, head):
            return "tokenizer"
    except UnicodeEncodeError as error:
        raise BadValue(f"the name {str(path)!r} is not UTF-8", "rename it") from error
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {reason(error)}", "check the path and its permissions") from error
    suffix, compression = suffixes(path)
    is_list = suffix == ".json" and head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
    is_corpus = compression or FORMATS.get(suffix) in TABLES or is_list or status.st_size > most_bytes
    return "corpus" if is_corpus else "text"


def head_of(path: Path) -> bytes:
    """The first bytes of a file. Raises OSError."""
    with path.open("rb") as stream:
        return stream.read(HEAD_BYTES)


def is_rank_file(path: Path, head: bytes) -> bool:
    """Whether a file that begins so is a rank file: its ranks count up from 0. A text of few lines may look the same, so there
    must be FEWEST_RANKS, unless the name ends in `.tiktoken`.

    >>> ranks = b"IQ== 0\\nIg== 1\\nIw== 2\\nJA== 3\\nJQ"
    >>> is_rank_file(Path("a"), ranks), is_rank_file(Path("a.txt"), b"book 0\\n"), is_rank_file(Path("a.txt"), b"four 4\\n")
    (True, False, False)
    """
    lines = head.splitlines()
    if len(head) == HEAD_BYTES or not head.endswith(b"\n"):
        lines = lines[:-1]  # it may be cut off
    found = [RANK_LINE.fullmatch(line) for line in lines]
    fewest = 1 if path.suffix.lower() == ".tiktoken" else FEWEST_RANKS
    return len(lines) >= fewest and all(line and int(line[1]) == rank for rank, line in enumerate(found))


def read_text(path: Path) -> tuple[str, str]:
    """The text of a file and its encoding: UTF-16 if a byte order mark says so, otherwise UTF-8, whose mark stays.

    Raises BadValue for UTF-32 and with the byte that is not text, NotFound if the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {reason(error)}", "check the path and its permissions") from error
    if data.startswith(UTF_32):  # one of its marks begins with that of UTF-16
        raise BadValue(f"{path} is UTF-32 text, which the lab does not read", "save it as UTF-8")
    encoding = MARKS.get(data[:2], "utf-8")
    start = 2 if encoding != "utf-8" else 0
    try:
        return data[start:].decode(encoding), encoding.upper().replace("-LE", "LE").replace("-BE", "BE")
    except UnicodeDecodeError as error:
        at = start + error.start
        raise BadValue(
            f"{path} is not {encoding[:6].upper().rstrip('-')} text: byte {at} is 0x{data[at]:02x}",
            "save it as UTF-8, or open a text, a corpus or a tokenizer",
        ) from None


def _kind_of_folder(folder: Path) -> Kind:
    try:
        files_of(folder)
        return "tokenizer"
    except LoadFailed as error:
        try:
            find_files([folder])
        except BadRequest as neither:
            raise BadRequest(f"{neither.message}, and no tokenizer", f"{neither.hint}; or {error.hint}") from None
        return "corpus"


def _is_tokenizer(path: Path, head: bytes) -> bool:
    name, suffix = path.name.lower(), path.suffix.lower()
    if suffix in (".model", ".tiktoken", ".gguf") or name == "tekken.json" or head.startswith(b"GGUF"):
        return True
    if name == VOCAB_TXT and UNKNOWN in head.splitlines():
        return True
    if name in (*VOCAB_NAMES, *MERGES_NAMES) and len(files_of(path)[0]) > 1:
        return True
    return is_rank_file(path, head) or (suffix == ".json" and _has_model(path))


def _has_model(path: Path) -> bool:
    """Whether a JSON file has the vocabulary of a model. Raises OSError."""
    if path.stat().st_size > MAX_FILE_BYTES:
        return False
    data = path.read_bytes()
    if b'"vocab"' not in data:  # most files need not be parsed
        return False
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return False
    model = found.get("model") if isinstance(found, dict) else None
    return isinstance(model, dict) and bool(model.get("vocab"))


def check(path: Path, most_bytes: int) -> None:
    """Raises a LabError if the lab cannot open the file: as `kind_of` and `read_text` do."""
    if kind_of(path, most_bytes) == "text":
        read_text(path)
