"""The tokenizer of a training: into the catalog, or as a file. Not here: trainings (`trainings`)."""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from lab_app import engine
from lab_app.errors import BadValue, Conflict, Unavailable, reason
from lab_app.files import temporary_folder
from lab_app.library.importing import check_id, id_from
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import tokenizers
from lab_app.services.tokenizers.tokenizers import CatalogEntry
from lab_app.services.trainings.results import Training, TrainingFormat, TrainingFormats
from lab_app.services.trainings.runs import LiveTrainings, folder_of
from lab_app.services.trainings.trainings import load, set_tokenizer
from lab_app.training import output
from lab_app.training.saved import in_words, tokenizer_in

FORMATS = {
    "tokenizer.json": ("tokenizer.json", "tokenizer.json"),
    "vocab.txt": ("vocab.txt", "vocab.txt"),
    "sentencepiece": ("sentencepiece", "tokenizer.model"),
    "vocab+merges": ("vocab+merges", "vocab-and-merges.zip"),
    "vocab.json": ("vocab+merges", "vocab.json"),
    "merges.txt": ("vocab+merges", "merges.txt"),
    "tiktoken": ("tiktoken", "tokenizer.tiktoken"),
}
"""Formats of `file`: that of the engine, and the name of the file."""


@dataclass(frozen=True)
class TokenizerFile:
    """A file to save."""

    name: str
    media_type: str
    content: bytes


def add_to_catalog(lab: Lab, id: int, name: str | None) -> CatalogEntry:
    """Puts a copy of the tokenizer, as it is now, into the catalog. Raises NotFound, Conflict if there is none yet or the name
    is taken, BadValue."""
    found = load(lab, id)
    if name is not None:
        check_id(name)
    with temporary_folder() as folder:
        place = folder / id_from(found.name)
        output.write_tokenizer(_tokenizer(lab, found), place)
        entry = tokenizers.add_path(
            lab, place / output.MAIN, id=name, origin=f"training {id}: {found.name}"[:200], numbered=name is None
        )
    set_tokenizer(lab, id, entry.id)
    return entry


def file(lab: Lab, id: int, format: str) -> TokenizerFile:
    """The tokenizer, as it is now, in a format. Raises NotFound, Conflict, BadValue for one that cannot hold it."""
    if format not in FORMATS:
        raise BadValue(f'there is no format "{format}"', f"choose among {', '.join(FORMATS)}")
    tokenizer = _tokenizer(lab, load(lab, id))
    written, name = FORMATS[format]
    try:
        with temporary_folder() as folder:
            made = folder / "made"
            tokenizer.to_file(made, written)
            content = _content(made, name)
    except engine.SaveError as error:
        reason_words = output.why_not(written, error)
        raise BadValue(
            f"this tokenizer cannot be saved as {output.NAMES[written]}: {reason_words}",
            "choose tokenizer.json, which holds all of it",
        ) from error
    except OSError as error:
        raise Unavailable(f"the file cannot be made: {reason(error)}", "make room for temporary files") from error
    kinds = {".json": "application/json", ".txt": "text/plain", ".zip": "application/zip"}
    return TokenizerFile(name, kinds.get(Path(name).suffix, "application/octet-stream"), content)


def formats(lab: Lab, id: int) -> TrainingFormats:
    """Which formats can hold the tokenizer as it is now. Raises NotFound, Conflict if there is none yet, Unavailable."""
    tokenizer = _tokenizer(lab, load(lab, id))
    try:
        found = output.problems(tokenizer)
    except OSError as error:
        raise Unavailable(f"the formats cannot be tried: {reason(error)}", "make room for temporary files") from error
    return TrainingFormats([TrainingFormat(name, output.NAMES[name], problem) for name, problem in found.items()])


def _content(made: Path, name: str) -> bytes:
    if not made.is_dir():
        return made.read_bytes()
    if not name.endswith(".zip"):
        return (made / name).read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(made.iterdir()):
            archive.write(each, each.name)
    return packed.getvalue()


def _tokenizer(lab: Lab, found: Training) -> engine.Tokenizer:
    """The tokenizer of the last step. Raises Conflict if there is none."""
    live, folder = lab.own(LiveTrainings).find(found.id), folder_of(lab, found.id)
    if live is not None:
        try:
            with in_words():
                return live.run.tokenizer()
        except Conflict:  # it has no tokenizer yet, or has ended at this moment
            if (kept := tokenizer_in(folder)) is None:
                raise
            return kept
    kept = tokenizer_in(folder)
    if kept is not None:
        return kept
    raise Conflict(f"training {found.id} has no tokenizer", "start it again: it ended before its first step")
