"""Files of a trained tokenizer: all are written before the first takes its place. Not here: the formats (`engine_rs/core`)."""

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import Unavailable, reason
from lab_app.files import replaced

MAIN = "tokenizer.json"
FORMATS: dict[str, tuple[str, ...]] = {
    "tokenizer.json": (MAIN,),
    "vocab+merges": ("vocab.json", "merges.txt"),
    "vocab.txt": ("vocab.txt",),
    "sentencepiece": ("tokenizer.model",),
}
"""The formats that a training writes, with the files of each."""


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
                    left_out.append(f"{format}: {error}")
                    continue
                for file in names:
                    source = made / file if made.is_dir() else made
                    targets.enter_context(replaced(folder / file)).write_bytes(source.read_bytes())
                    written.append(folder / file)
    except OSError as error:
        raise Unavailable(
            f"the tokenizer cannot be written to {folder}: {reason(error)}",
            "make room there, check that you may write to it, or choose another folder",
        ) from error
    return WrittenFiles(tuple(written), tuple(left_out))


def check_writable(folder: Path) -> None:
    """Raises Unavailable for a folder that cannot be written to, before the work of hours."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unavailable(
            f"{folder} cannot be written to: {reason(error)}", "check its permissions, or choose another folder"
        ) from error
