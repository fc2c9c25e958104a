"""Writes a tokenizer of the catalog in another format.

Not here: what the formats hold, which the engine knows (`docs/reference/formats.md`).
"""

import json
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import BadValue, Conflict, LabError
from lab_app.services.lab import Lab

# Files that a format writes into a folder; the others write one file.
IN_FOLDER = {"vocab+merges": ("vocab.json", "merges.txt")}


@dataclass(frozen=True)
class Written:
    """The files, and what their format does not say."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def convert(lab: Lab, id: str, format: str, out: Path, *, force: bool = False) -> Written:
    """Writes the tokenizer `id` to `out`, a file, or a folder where the format has several files.

    Raises BadValue for an unknown format and for what the format cannot hold, Conflict where a file is there already and
    not `force`.
    """
    if format not in engine.FORMATS:
        raise BadValue(f'there is no format "{format}"', f"those there are: {', '.join(engine.FORMATS)}")
    files = tuple(out / name for name in IN_FOLDER[format]) if format in IN_FOLDER else (out,)
    for file in files:
        if file.exists() and not force:
            raise Conflict(
                f"{file} is there already",
                "give another name",
                on_terminal="give another name, or --force to write over it",
            )
    entry, tokenizer = lab.loaded.get(id)
    try:
        tokenizer.to_file(out, format)
    except engine.SaveError as error:
        raise BadValue(str(error), "take a format that holds it; tokenizer.json holds most") from error
    except OSError as error:
        raise LabError(
            f"{out} cannot be written: {error.strerror}", "see that the folder is there and may be written"
        ) from error
    notes = _notes_of_rank_file(entry.pattern or entry.engine, tokenizer) if format == "tiktoken" else ()
    return Written(files, notes)


def _notes_of_rank_file(pattern: str | None, tokenizer: engine.Tokenizer) -> tuple[str, ...]:
    """A rank file says neither its split pattern nor its special tokens."""
    special = json.dumps(tokenizer.special_tokens, ensure_ascii=False)
    split = pattern or tokenizer.stages["pretokenizer"]
    return (
        f"The file does not say these, give them to whoever reads it: split pattern {split}; special tokens {special}",
    )
