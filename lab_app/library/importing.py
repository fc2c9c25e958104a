"""Imports a tokenizer's files: finds those that belong together, copies them, and verifies the copies by loading them.

The engine reads the copy, never the original, so what was checked is what is kept. Of a GGUF only the vocabulary is copied.
On any error the copy is deleted. Not here: fetching (`fetching`), making it an entry of the catalog (`adding`).
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import BadValue, LoadFailed, NotFound, TooLarge
from lab_app.files import temporary_folder
from lab_app.library.entry import TokenizerSummary
from lab_app.library.known import rank_file
from lab_app.store.tokenizers import StoredFile

# The two files of a byte-level BPE, as the engine looks for them. Either file can be given for both.
VOCAB_NAMES = ("vocab.json", "encoder.json")
MERGES_NAMES = ("merges.txt", "vocab.bpe")
TOKENIZER_JSON = "tokenizer.json"
VOCAB_TXT = "vocab.txt"
# Files that are a tokenizer without others.
ALONE = ("*.tiktoken", "*.model", "*.gguf", "rwkv_vocab*.txt")
# Files next to a tokenizer: its class, added and special tokens, chat templates. No tokenizer can be loaded from one.
SIDECAR_FILES = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "chat_template.jinja")
# Names that say nothing about the tokenizer: its folder's name says more.
PLAIN_STEMS = {"vocab", "encoder", "merges", "tokenizer", "tokenizer_config", "model", "spiece", "ranks"}
MAX_FILE_BYTES = 512_000_000
MAX_SHOWN = 8
ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")


@dataclass(frozen=True)
class Staged:
    """Verified files in a folder of their own, which is deleted unless the caller moves it."""

    folder: Path
    files: tuple[StoredFile, ...]
    summary: TokenizerSummary
    suggested_id: str
    pattern: str | None
    special_tokens: dict[str, int] | None


def check_id(id: str) -> str:
    """`id`. Raises BadValue if it cannot be an id, which is also part of a file name.

    >>> check_id("my-bert_2.0")
    'my-bert_2.0'
    """
    if not ID.fullmatch(id):
        raise BadValue(f'"{id}" cannot be an id', "use 1 to 64 of the letters a-z, digits, dot, hyphen and underscore")
    return id


def files_of(path: Path) -> tuple[list[Path], str]:
    """The files of the tokenizer at `path`, a folder or one of its files, and an id made from their names.

    Raises NotFound if there is nothing, LoadFailed if a folder holds no tokenizer or several.
    """
    path = path.absolute()
    try:
        if path.is_dir():
            return _files_of_folder(path), id_from(path.name)
        if not path.is_file():
            raise NotFound(
                f"there is no file {path}", "give the path of a tokenizer's file or of the folder with its files"
            )
        files = [path, *_companions(path)]
    except OSError as error:
        raise LoadFailed(f"{path} cannot be read: {error.strerror}", "check its permissions") from error
    return files, id_from(path.parent.name if path.stem.lower() in PLAIN_STEMS else path.stem)


def primary_first(files: Iterable[Path], folder: Path) -> list[Path]:
    """`files`, all in `folder`, with the one that the engine loads first.

    Raises LoadFailed if none of them is a tokenizer that the lab reads.
    """
    given = list(files)
    if len(given) == 1:
        return given
    found, _ = files_of(folder)
    return [*found, *(file for file in given if file not in found)]


@contextmanager
def staged(
    files: Iterable[Path],
    below: Path,
    *,
    pattern: str | None = None,
    special_tokens: dict[str, int] | None = None,
    suggested_id: str = "tokenizer",
) -> Iterator[Staged]:
    """Copies `files` into a new folder below `below` and verifies the copy. The folder is deleted unless the caller moves it.

    A published rank file needs neither `pattern` nor `special_tokens`: it is recognised by its sha256.
    Raises LoadFailed with the file, the place in it and what was expected; BadValue for a special token that cannot be.
    """
    check_special_tokens(special_tokens)
    with ExitStack() as stack:
        try:
            below.mkdir(parents=True, exist_ok=True)
            folder = stack.enter_context(temporary_folder(below))
        except OSError as error:
            raise LoadFailed(
                f"{below} cannot be written: {error.strerror}",
                "free some space there, or set TOKENLAB_DATA_DIR to another folder",
            ) from error
        stored = tuple(_copy(file, folder) for file in files)
        # A published rank file needs no other file: none of them says how text is split.
        published = rank_file(stored[0].sha256)
        if published is not None and pattern is None:
            pattern, suggested_id = published.pattern, published.id
            special_tokens = published.special_tokens if special_tokens is None else special_tokens
        tokenizer = read(folder / stored[0].name, pattern, special_tokens)
        yield Staged(folder, stored, TokenizerSummary.of(tokenizer), suggested_id, pattern, special_tokens)


def read(file: Path, pattern: str | None = None, special_tokens: dict[str, int] | None = None) -> engine.Tokenizer:
    """The tokenizer in a file of the lab. Raises LoadFailed with the engine's message, without the folder's path."""
    try:
        return engine.Tokenizer.from_file(file, pattern=pattern, special_tokens=special_tokens)
    except engine.LoadError as error:
        raise _load_failed(error) from error
    except ValueError as error:
        raise BadValue(f"{file.name}: {error}", "give another split pattern") from error


def check_special_tokens(special_tokens: dict[str, int] | None) -> None:
    """Raises BadValue for a text or an id that no special token can have.

    >>> check_special_tokens({"<s>": 1})
    """
    for text, id in (special_tokens or {}).items():
        shown = text.encode("unicode_escape").decode()[:80]
        if not text or any("\ud800" <= character <= "\udfff" for character in text):
            raise BadValue(f'"{shown}" cannot be a special token', "give the text of one or more whole characters")
        if not 0 <= id < 2**32:
            raise BadValue(f'the special token "{shown}" cannot have the id {id}', "give an id from 0 to 4294967295")


def _load_failed(error: engine.LoadError) -> LoadFailed:
    """The engine's error with the name of the file only: its path is that of the lab's own copy."""
    place = Path(error.file).name
    if error.line is not None:
        place += f" line {error.line}"
    elif error.byte is not None:
        place += f" byte {error.byte}"
    elif error.path:
        place += f" at {error.path}"
    return LoadFailed(f"{place}: {error.problem}", error.hint)


def sha256_of(path: Path) -> str:
    """The sha256 of a file, lower-case hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sha256_of_all(files: tuple[StoredFile, ...]) -> str:
    """One sha256 for a tokenizer: that of its file; for several files, that of the lines `sha256sum` prints for them."""
    if len(files) == 1:
        return files[0].sha256
    lines = "".join(f"{file.sha256}  {file.name}\n" for file in sorted(files, key=lambda file: file.name))
    return hashlib.sha256(lines.encode()).hexdigest()


def _files_of_folder(folder: Path) -> list[Path]:
    if (folder / TOKENIZER_JSON).is_file():
        return [folder / TOKENIZER_JSON, *_companions(folder / TOKENIZER_JSON)]
    for name in (*VOCAB_NAMES, *MERGES_NAMES):
        if (folder / name).is_file() and (other := _other_half(folder / name)):
            return [folder / name, other, *_sidecars(folder / name)]
    if (folder / "tekken.json").is_file():
        return [folder / "tekken.json"]
    ranks = sorted(file for name in ALONE for file in folder.glob(name))
    if (folder / VOCAB_TXT).is_file():
        return [folder / VOCAB_TXT, *_companions(folder / VOCAB_TXT)]
    letters = [folder / name for name in VOCAB_NAMES if (folder / name).is_file()]
    only = ranks or letters
    if len(only) == 1:
        return [*only, *_companions(only[0])]
    if ranks:
        raise LoadFailed(f"{folder} holds several tokenizers: {_names(ranks)}", "give the path of one of them")
    raise LoadFailed(
        f"{folder} holds no tokenizer (contents: {_names(folder.iterdir())})",
        "the lab reads tokenizer.json, vocab.json with merges.txt, encoder.json with vocab.bpe, vocab.json of letters, "
        "vocab.txt, tekken.json, *.tiktoken, *.model and *.gguf",
    )


def _names(paths: Iterable[Path]) -> str:
    names = sorted(path.name for path in paths)
    return (", ".join(names[:MAX_SHOWN]) or "nothing") + (" ..." if len(names) > MAX_SHOWN else "")


def _companions(path: Path) -> list[Path]:
    """The files that belong to `path`: the other file of a pair, and sidecar files. A list of merges alone has none."""
    if path.name in (TOKENIZER_JSON, VOCAB_TXT) or path.suffix == ".model":
        return _sidecars(path)
    if other := _other_half(path):
        return [other, *_sidecars(path)]
    return _sidecars(path) if path.name in VOCAB_NAMES else []


def _sidecars(path: Path) -> list[Path]:
    return [file for name in SIDECAR_FILES if (file := path.with_name(name)).is_file()]


def _other_half(path: Path) -> Path | None:
    """The merges of a vocabulary, or the vocabulary of merges."""
    if path.suffix == ".json":
        names = MERGES_NAMES
    elif path.name in MERGES_NAMES or path.suffix == ".bpe":
        names = VOCAB_NAMES
    else:
        return None
    return next((path.with_name(name) for name in names if path.with_name(name).is_file()), None)


def id_from(name: str) -> str:
    """An id made from a file's or a folder's name: characters that an id cannot have become a hyphen."""
    cleaned = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:64].strip("-._")
    return cleaned or "tokenizer"


def _copy(file: Path, folder: Path) -> StoredFile:
    target = folder / file.name
    try:
        vocabulary = engine.gguf_without_tensors(file)
        if vocabulary is None and file.stat().st_size > MAX_FILE_BYTES:
            raise TooLarge(
                f"{file.name} has {file.stat().st_size} bytes", f"the lab reads files up to {MAX_FILE_BYTES} bytes"
            )
        with file.open("rb") as source, target.open("xb") as copy:
            if vocabulary is None:
                shutil.copyfileobj(source, copy)
            else:
                copy.write(vocabulary)
            copy.flush()
            os.fsync(copy.fileno())
    except engine.LoadError as error:
        raise _load_failed(error) from error
    except FileExistsError as error:
        raise LoadFailed(f"there are two files called {file.name}", "give one of them") from error
    except OSError as error:
        raise LoadFailed(
            f"{file} cannot be copied: {error.strerror}", "check its permissions and the free space"
        ) from error
    return StoredFile(file.name, sha256_of(target), target.stat().st_size)
