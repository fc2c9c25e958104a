"""Files of a trained tokenizer: all are written before the first takes its place. Not here: the formats (`engine_rs/core`)."""

import errno
import os
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import Unavailable, reason
from lab_app.files import replaced, temporary_folder

MAIN = "tokenizer.json"
FORMATS: dict[str, tuple[str, ...]] = {
    "tokenizer.json": (MAIN,),
    "vocab+merges": ("vocab.json", "merges.txt"),
    "vocab.txt": ("vocab.txt",),
    "sentencepiece": ("tokenizer.model",),
    "tiktoken": ("tokenizer.tiktoken",),
}
"""The formats that a training writes, with the files of each."""
NAMES = {
    "tokenizer.json": "tokenizer.json",
    "vocab+merges": "vocab.json and merges.txt",
    "vocab.txt": "vocab.txt",
    "sentencepiece": "a SentencePiece model",
    "tiktoken": "a rank file",
}
"""Each format in a sentence."""
REASONS = {
    ("vocab.txt", "the model"): "it holds WordPiece vocabularies only",
    ("sentencepiece", "the normalizer"): "it always writes spaces as ▁ before it splits, and this tokenizer does not",
    ("sentencepiece", "the postprocessor"): "it does not say which special tokens go around a text",
    ("vocab+merges", "the split pattern"): "they do not hold a split pattern, and readers take GPT-2's",
    ("vocab+merges", "the normalizer"): "they do not hold a normalizer",
    ("vocab+merges", "the decoder"): "they hold tokens of bytes only, and this tokenizer has tokens of characters",
    ("tiktoken", "the normalizer"): "it does not hold a normalizer",
    ("tiktoken", "the decoder"): "it holds tokens of bytes only, and this tokenizer has tokens of characters",
}
"""Why a format cannot hold a part of a tokenizer, by the format and the part that the engine names."""


@dataclass(frozen=True)
class WrittenFiles:
    """The files, and why a format could not hold the tokenizer."""

    files: tuple[Path, ...]
    left_out: tuple[str, ...]


def write_tokenizer(tokenizer: engine.Tokenizer, folder: Path, *, every_format: bool = False) -> WrittenFiles:
    """Writes tokenizer.json into a folder, and with `every_format` all other formats that can hold the tokenizer.

    Raises Unavailable if it cannot be written; files of an earlier training then stay as they were.
    """
    left_out = []
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".tokenlab-", dir=folder) as name, ExitStack() as targets:
            for format, names in FORMATS.items():
                if not (every_format or format == MAIN):
                    continue
                made = Path(name) / f"made-{format}"
                try:
                    tokenizer.to_file(made, format)
                except engine.SaveError as error:
                    if format == MAIN:
                        raise
                    left_out.append(f"Not as {NAMES[format]}: {why_not(format, error)}.")
                    continue
                for file in names:
                    source, target = made / file if made.is_dir() else made, folder / file
                    if target.is_dir():
                        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
                    targets.enter_context(replaced(target)).write_bytes(source.read_bytes())
                    written.append(target)
    except OSError as error:
        raise Unavailable(
            f"the tokenizer cannot be written to {folder}: {reason(error)}",
            "make room there, check that you may write to it, or choose another folder",
        ) from error
    return WrittenFiles(tuple(written), tuple(left_out))


def why_not(format: str, error: engine.SaveError) -> str:
    """Why a format cannot hold a tokenizer, in words for everyone; the engine's own words for what is not in `REASONS`.

    >>> why_not("vocab.txt", engine.SaveError("vocab.txt cannot hold the model: it holds WordPiece alone"))
    'it holds WordPiece vocabularies only'
    """
    part, _, problem = str(error).removeprefix(f"{format} cannot hold ").partition(": ")
    return REASONS.get((format, part)) or f"it cannot hold {part}: {problem}"


def problems(tokenizer: engine.Tokenizer) -> dict[str, str | None]:
    """Each format with the reason why it cannot hold the tokenizer; None: it can. Raises OSError."""
    found: dict[str, str | None] = {}
    with temporary_folder() as folder:
        for format in FORMATS:
            try:
                tokenizer.to_file(folder / format, format)
                found[format] = None
            except engine.SaveError as error:
                found[format] = why_not(format, error)
    return found


def check_writable(folder: Path) -> None:
    """Raises Unavailable for a folder that cannot be written to, before the work of hours."""
    try:
        if folder.is_file():
            raise Unavailable(f"{folder} is a file", "give the name of a folder")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        for name in (name for names in FORMATS.values() for name in names):
            if (folder / name).is_dir():
                raise Unavailable(
                    f"{folder / name} is a folder, and the tokenizer has a file of that name",
                    "move that folder, or choose another one for the tokenizer",
                )
    except OSError as error:
        raise Unavailable(
            f"{folder} cannot be written to: {reason(error)}", "check its permissions, or choose another folder"
        ) from error
