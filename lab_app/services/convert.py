"""Writes a tokenizer of the catalog in another format.

Not here: what the formats hold, which the engine knows (`docs/reference/formats.md`).
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import BadValue, Conflict, Unavailable, reason
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
        raise BadValue(f'there is no format "{format}"', f"choose one of {', '.join(engine.FORMATS)}")
    files = tuple(out / name for name in IN_FOLDER[format]) if format in IN_FOLDER else (out,)
    for file in files:
        if file.exists() and not _is_stream(file) and not force:
            raise Conflict(
                f"{file} already exists",
                "give another name",
                on_terminal="give another name, or --force to overwrite it",
            )
    entry, tokenizer = lab.loaded.get(id)
    try:
        _write(tokenizer, out, format)
    except engine.SaveError as error:
        raise BadValue(str(error), "choose a format that can express it; tokenizer.json holds most") from error
    except OSError as error:
        raise Unavailable(
            f"{out} cannot be written: {reason(error)}", "check that its folder exists and may be written to"
        ) from error
    notes = _notes_of_rank_file(entry.pattern or entry.engine, tokenizer) if format == "tiktoken" else ()
    return Written(files, notes)


def _write(tokenizer: engine.Tokenizer, out: Path, format: str) -> None:
    """Writes beside `out` and then takes its place, so that old files stay until the new ones are whole. A link stays a
    link, and what is a pipe or a device takes the content."""
    if format in IN_FOLDER:
        out.mkdir(parents=True, exist_ok=True)
    ends = {name: (out / name).resolve() for name in IN_FOLDER.get(format, ("",))}
    beside = next((end.parent for end in ends.values() if not _is_stream(end)), None)
    with tempfile.TemporaryDirectory(prefix=".tokenlab-", dir=beside) as folder:
        made = Path(folder) / "made"
        tokenizer.to_file(made, format)
        for name, end in ends.items():
            if _is_stream(end):
                end.write_bytes((made / name).read_bytes())
            else:
                (made / name).replace(end)


def _is_stream(path: Path) -> bool:
    """Whether `path` is a pipe or a device: writing to it takes nothing away."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _notes_of_rank_file(pattern: str | None, tokenizer: engine.Tokenizer) -> tuple[str, ...]:
    """A rank file says neither its split pattern nor its special tokens."""
    special = json.dumps(tokenizer.special_tokens, ensure_ascii=False)
    split = pattern or tokenizer.stages["pretokenizer"]
    return (
        f"The file does not contain these; give them to its readers: split pattern {split}; special tokens {special}",
    )
