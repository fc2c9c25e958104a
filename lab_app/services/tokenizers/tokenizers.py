"""The catalog as people use it: list, describe, add, fetch, remove."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab_app import engine
from lab_app.errors import BadValue, LabError, NotFound
from lab_app.library import adding, fetching
from lab_app.library.entry import Entry, Origin, Provenance, TokenizerSummary
from lab_app.library.hub_reference import HubReference, page_of
from lab_app.library.importing import files_of, id_from
from lab_app.library.known import known_tokenizer
from lab_app.library.progress import ProgressCallback, ignore_progress
from lab_app.library.recipe import Recipe
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import recipes


@dataclass(frozen=True)
class SpecialToken:
    """A special token and its id."""

    text: str
    id: int


@dataclass(frozen=True)
class Stages:
    """A short description of each stage, "none" if absent."""

    normalizer: str
    pretokenizer: str
    model: str
    postprocessor: str
    decoder: str


@dataclass(frozen=True)
class FileTruncation:
    """Truncation as the file sets it; applied only if asked for."""

    max_length: int
    stride: int
    strategy: Literal["longest_first", "only_first", "only_second"]
    direction: Literal["left", "right"]


@dataclass(frozen=True)
class FilePadding:
    """Padding as the file sets it; applied only if asked for. `length` None: to the longest text."""

    length: int | None
    pad_to_multiple_of: int | None
    pad_id: int
    pad_type_id: int
    pad_token: str
    direction: Literal["left", "right"]


@dataclass(frozen=True)
class IgnoredField:
    """A field of the file without effect."""

    place: str
    value: str


@dataclass(frozen=True)
class Problem:
    """Why a tokenizer cannot be loaded, and what to do."""

    message: str
    hint: str


@dataclass(frozen=True)
class CatalogEntry:
    """One tokenizer of the catalog. What only loading it tells is None for one that is not available."""

    id: str
    name: str
    family: str | None
    """The model: byte-level BPE, BPE, WordPiece, Unigram ..."""
    available: bool
    """False if it must be downloaded first."""
    source: Origin
    vocab_size: int | None
    base_vocab_size: int | None
    merge_count: int | None
    """Merges of a BPE model; None for other models."""
    licence: str | None
    origin: str | None
    sha256: str | None
    size_bytes: int | None
    special_tokens: list[SpecialToken]
    stages: Stages | None
    changing_stages: list[str] | None
    """The stages that can add, change or drop text before the model; None for a plug-in."""
    lossy: str | None
    """Why decoding may not return the original text."""
    truncation: FileTruncation | None
    padding: FilePadding | None
    ignored_fields: list[IgnoredField]
    note: str | None
    """What to know of how its file was read."""
    repository: str | None
    revision: str | None
    """The commit of the repository."""
    gated: bool
    """Whether the owner requires everybody to accept terms."""
    checked: bool | None
    """Whether the ids were compared with those of the reference library; None if not every lab knows the tokenizer."""
    needs: str | None
    """How to get a tokenizer that is not downloaded."""
    problem: Problem | None


@dataclass(frozen=True)
class CatalogList:
    """The catalog in its order, and the names of the split patterns that a rank file may be given."""

    tokenizers: list[CatalogEntry]
    patterns: list[str]
    problem: Problem | None = None
    """Why the database cannot be read: then only tokenizers that need none are listed."""


def list_tokenizers(lab: Lab) -> CatalogList:
    """All tokenizers of the catalog; without a usable database, those that need none."""
    found, error = lab.catalog.usable_entries()
    summaries = lab.catalog.summaries()
    entries = [_describe(lab, entry, summaries.get(entry.id)) for entry in found]
    problem = None if error is None else Problem(error.message, error.hint)
    return CatalogList(entries, list(engine.PATTERNS), problem)


def describe(lab: Lab, id: str) -> CatalogEntry:
    """One tokenizer of the catalog. Raises NotFound.

    >>> from lab_app.settings import Settings
    >>> describe(Lab(Settings()), "gpt2").vocab_size
    50257
    """
    entry = lab.catalog.entry(id)
    return _describe(lab, entry, lab.catalog.summaries().get(entry.id))


def add(
    lab: Lab,
    what: str | Path,
    *,
    id: str | None = None,
    pattern: str | None = None,
    special_tokens: dict[str, int] | None = None,
    report: ProgressCallback = ignore_progress,
) -> CatalogEntry:
    """Adds the file or folder at the path `what`, or fetches `hub:OWNER/NAME[@REVISION]` or the known tokenizer of that id.

    `pattern` and `special_tokens` are for rank files that the lab does not know, which carry neither. Raises NotFound,
    Conflict, LoadFailed or Unavailable; the catalog is then as it was.
    """
    name = str(what)
    if not name or not _exists(Path(what)):
        if name.startswith("hub:"):
            if pattern is not None or special_tokens is not None:
                raise BadValue("a pattern and special tokens apply only to local rank files", "leave them out")
            return add_from_hub(lab, name, id=id, report=report)
        if known_tokenizer(name) is not None:
            if id is not None:
                raise BadValue(f"{name} has a fixed id", "leave the id out, or give the path of its files")
            return fetch(lab, name, report=report)
        raise NotFound(
            f'"{name}" is neither a file, a folder nor a known tokenizer',
            "the Library lists the known ones; hub:OWNER/NAME downloads others",
            on_terminal="`tokenlab list` shows the known ones; hub:OWNER/NAME downloads others; a path may need quotes",
        )
    path = Path(what).absolute()
    return add_path(lab, path, id=id, pattern=pattern, special_tokens=special_tokens, origin=str(path))


def add_path(
    lab: Lab,
    path: Path,
    *,
    id: str | None = None,
    pattern: str | None = None,
    special_tokens: dict[str, int] | None = None,
    origin: str | None = None,
    numbered: bool = False,
) -> CatalogEntry:
    """Adds the tokenizer in a file or folder, or the one that a recipe (.toml) puts together.

    `origin` is what the catalog says of where it comes from. `numbered`: see `adding.add`.
    """
    if path.suffix.lower() == ".toml" and path.is_file():
        if pattern is not None or special_tokens is not None:
            raise BadValue(
                "a pattern and special tokens are for rank files, and this is a recipe",
                "leave them out, or add them to it",
            )
        return describe(lab, recipes.keep(lab, Recipe.from_toml(path), id or id_from(path.stem)).id)
    if pattern is not None:
        try:
            engine.check_pattern(pattern)
        except ValueError as error:
            raise BadValue(
                f"invalid split pattern: {error}",
                f"give a regular expression or one of {', '.join(engine.PATTERNS)}",
            ) from error
    files, suggested_id = files_of(path)
    entry = adding.add(
        lab.catalog,
        files,
        suggested_id,
        id=id,
        pattern=pattern,
        special_tokens=special_tokens,
        provenance=Provenance("added", origin),
        numbered=numbered,
    )
    return describe(lab, entry.id)


def _exists(path: Path) -> bool:
    """Whether there is something at `path`; also if what is there may not be looked at."""
    try:
        return path.exists()
    except PermissionError:
        return True
    except (OSError, ValueError):  # too long, or with a character that no name has
        return False


def add_from_hub(
    lab: Lab,
    reference: str,
    *,
    id: str | None = None,
    report: ProgressCallback = ignore_progress,
    token: str | None = None,
) -> CatalogEntry:
    """Fetches `[hub:]OWNER/NAME[@REVISION][:FILE]`, with the user's `token` of the Hub if given.

    Raises as `lab_app.library.hub.fetch` does, BadValue and Conflict.
    """
    return describe(lab, fetching.add_from_hub(lab.catalog, HubReference.parse(reference, token), id, report).id)


def fetch(lab: Lab, id: str, *, report: ProgressCallback = ignore_progress, token: str | None = None) -> CatalogEntry:
    """Fetches a known tokenizer that is not here yet, with the user's `token` of the Hub if given."""
    return describe(lab, fetching.fetch(lab.catalog, id, report, token=token).id)


def rename(lab: Lab, id: str, name: str) -> CatalogEntry:
    """Gives an added tokenizer another name. Raises NotFound, BadValue, or Conflict for one that every lab knows."""
    return describe(lab, adding.rename(lab.catalog, id, name).id)


def remove(lab: Lab, id: str) -> None:
    """Removes an added or downloaded tokenizer. Raises NotFound, or Conflict for a built-in one."""
    lab.loaded.forget(adding.remove(lab.catalog, id).id)


def _describe(lab: Lab, entry: Entry, summary: TokenizerSummary | None) -> CatalogEntry:
    problem = None
    if entry.available and (summary is None or _files_gone(entry)):
        try:
            summary = TokenizerSummary.of(lab.loaded.get_any(entry.id)[1])
        except LabError as error:
            problem = Problem(error.message, error.hint)
    return CatalogEntry(
        id=entry.id,
        name=entry.name,
        family=summary.family if summary else entry.family or None,
        available=entry.available and problem is None,
        source=entry.source,
        vocab_size=summary.vocab_size if summary else None,
        base_vocab_size=summary.base_vocab_size if summary else None,
        merge_count=summary.merge_count if summary else None,
        licence=entry.licence,
        origin=entry.origin,
        sha256=entry.sha256,
        size_bytes=entry.size_bytes,
        special_tokens=[SpecialToken(*each) for each in summary.special_tokens.items()] if summary else [],
        stages=Stages(**summary.stages) if summary else None,
        changing_stages=summary.changing_stages if summary else None,
        lossy=summary.lossy if summary else None,
        truncation=FileTruncation(**summary.truncation) if summary and summary.truncation else None,
        padding=FilePadding(**summary.padding) if summary and summary.padding else None,
        ignored_fields=[IgnoredField(**each) for each in summary.ignored_fields] if summary else [],
        note=summary.note if summary else None,
        repository=entry.repository,
        revision=entry.revision,
        gated=entry.gated,
        checked=entry.checked,
        needs=_needs(lab, entry),
        problem=problem,
    )


def _needs(lab: Lab, entry: Entry) -> str | None:
    """How to get a tokenizer that is not downloaded."""
    if entry.available or entry.repository is None:
        return None
    page = page_of(lab.settings, entry.repository)
    if entry.gated:
        return f"gated: ask for access at {page}, then set HF_TOKEN; or add its files as {entry.id}"
    return f"fetched from {page}"


def _files_gone(entry: Entry) -> bool:
    return not all(file.is_file() for file in entry.files)
