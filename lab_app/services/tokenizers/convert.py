"""Writes a tokenizer of the catalog in another format.

Not here: what the formats hold, which the engine knows (`docs/reference/formats.md`).
"""

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import BadValue, Unavailable, reason
from lab_app.files import check_free, replaced, temporary_folder
from lab_app.services.lab import Lab

# Files that a format writes into a folder; the others write one file.
IN_FOLDER = {"vocab+merges": ("vocab.json", "merges.txt")}


@dataclass(frozen=True)
class Written:
    """The files, and what their format does not say."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def convert(lab: Lab, id: str, format: str, out: Path, *, force: bool = False) -> Written:
    """Writes the tokenizer `id` to `out`, a file, or a folder if the format has several files.

    Raises BadValue for an unknown format and for what the format cannot hold, Conflict if a file exists and
    `force` is not set.
    """
    entry, tokenizer = lab.loaded.get(id)
    files = write(tokenizer, format, out, force=force)
    notes = _notes_of_rank_file(entry.pattern or entry.engine, tokenizer) if format == "tiktoken" else ()
    return Written(files, notes)


def files_of(format: str, out: Path, *, force: bool = False) -> tuple[Path, ...]:
    """The files that a format has. Raises BadValue for an unknown format, Conflict as `convert` does."""
    if format not in engine.FORMATS:
        raise BadValue(f'there is no format "{format}"', f"choose one of {', '.join(engine.FORMATS)}")
    files = tuple(out / name for name in IN_FOLDER[format]) if format in IN_FOLDER else (out,)
    for file in files:
        check_free(file, force=force)
    return files


def write(tokenizer: engine.Tokenizer, format: str, out: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Writes a tokenizer as `convert` does; returns the files. Raises as `convert` does."""
    files = files_of(format, out, force=force)
    try:
        _write(tokenizer, files, format)
    except engine.SaveError as error:
        raise BadValue(str(error), "choose a format that can express it; tokenizer.json holds most") from error
    except OSError as error:
        raise Unavailable(
            f"{out} cannot be written: {reason(error)}", "check that its folder exists and may be written to"
        ) from error
    return files


def _write(tokenizer: engine.Tokenizer, files: tuple[Path, ...], format: str) -> None:
    """Writes all files before the first takes its place."""
    with temporary_folder() as folder, ExitStack() as targets:
        made = folder / "made"
        tokenizer.to_file(made, format)
        for file in files:
            if format in IN_FOLDER:
                file.parent.mkdir(parents=True, exist_ok=True)
            source = made / file.name if format in IN_FOLDER else made
            targets.enter_context(replaced(file)).write_bytes(source.read_bytes())


def _notes_of_rank_file(pattern: str | None, tokenizer: engine.Tokenizer) -> tuple[str, ...]:
    """A rank file holds neither its split pattern nor its special tokens."""
    special = json.dumps(tokenizer.special_tokens, ensure_ascii=False)
    split = pattern or tokenizer.stages["pretokenizer"]
    return (
        f"The file does not contain these; give them to its readers: split pattern {split}; special tokens {special}",
    )
