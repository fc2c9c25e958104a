"""Adds tokenizers to the catalog and removes them.

A change is one transaction: if two programs add the same id at once, one gets the entry and the other a clear error.
Not here: which files belong together and copying them (`importing`), where they come from (`fetching`, `recipe`).
"""

import shutil
import sqlite3
from itertools import count
from pathlib import Path

from lab_app.errors import BadValue, Conflict, NotFound
from lab_app.library import importing
from lab_app.library.catalog import Catalog
from lab_app.library.entry import Entry, Known, Provenance, TokenizerSummary
from lab_app.library.known import known_tokenizer
from lab_app.library.recipe import Recipe, composed_file
from lab_app.store import tokenizers

MAX_NAME = 80
"""Characters of a tokenizer's name."""


def add(
    catalog: Catalog,
    files: list[Path],
    suggested_id: str,
    *,
    id: str | None = None,
    pattern: str | None = None,
    special_tokens: dict[str, int] | None = None,
    provenance: Provenance = Provenance("added"),  # noqa: B008 - a frozen value
    numbered: bool = False,
) -> Entry:
    """Copies files into the library, as `id` or, without one, as an id made from their names.

    `numbered`: if that id is taken, the entry of the same files is given back, or the id gets a number; names that say
    nothing, such as "tokenizer", give way to what the files are, such as "WordPiece-28996".

    The first of `files` is the one to load; the others stay beside it. Raises Conflict if the id is taken, LoadFailed if
    the files are not a tokenizer. Nothing is kept then.
    """
    if id is not None:
        refuse_taken(catalog, importing.check_id(id))
    with importing.staged(
        files, catalog.folder, pattern=pattern, special_tokens=special_tokens, suggested_id=suggested_id
    ) as found:
        says_nothing = numbered and found.suggested_id.lower() in importing.PLAIN_STEMS
        suggested = what_it_is(found.summary) if says_nothing else importing.check_id(found.suggested_id)
        name = id or suggested
        for number in count(2) if numbered and id is None else ():
            if not catalog.is_taken(name):
                break
            if _has_files(catalog.entry(name), found):
                return catalog.entry(name)
            name = importing.id_from(f"{suggested[:56]}-{number}")
        return keep(catalog, found, name, provenance)


def what_it_is(summary: TokenizerSummary) -> str:
    """An id made from the family and the number of tokens."""
    return importing.id_from(f"{summary.family}-{summary.vocab_size}")


def add_composed(catalog: Catalog, recipe: Recipe, definition: dict[str, object], id: str) -> Entry:
    """Adds the tokenizer of a recipe. `definition` is the tokenizer.json of its base. Raises as `add` does."""
    base = catalog.entry(recipe.base)
    with composed_file(definition, recipe) as file:
        provenance = Provenance("composed", f"composed from {base.id}", licence=base.licence)
        return add(catalog, [file], id, id=id, provenance=provenance)


def keep(catalog: Catalog, found: importing.Staged, id: str, provenance: Provenance) -> Entry:
    """Makes verified files the tokenizer `id`. Raises Conflict if the id is taken, or known with other files."""
    digest = importing.sha256_of_all(found.files)
    known = known_tokenizer(id)
    if known is not None:
        _refuse_other_files(known, digest)
        id = known.id
    row = tokenizers.Row(
        id,
        provenance.source,
        provenance.origin,
        f"{digest[:12]}-{id.lower()}",
        found.files,
        found.pattern,
        found.special_tokens,
        provenance.repository,
        provenance.revision,
        provenance.licence,
        provenance.gated,
    )
    with catalog.database.write() as connection:
        try:
            tokenizers.insert(connection, row)
        except sqlite3.IntegrityError as error:
            raise _taken(id) from error
        target = catalog.folder / row.folder
        # No row names this folder, so an interrupted run left it.
        shutil.rmtree(target, ignore_errors=True)
        found.folder.rename(target)
    catalog.keep_summary(id, found.summary)
    return catalog.entry(id)


def rename(catalog: Catalog, id: str, name: str) -> Entry:
    """Gives a tokenizer of the user another name; its id stays, so that links and results still find it.

    Raises NotFound, BadValue, or Conflict for one that every lab knows.
    """
    entry = catalog.entry(id)
    shown = " ".join(name.split())
    if not 0 < len(shown) <= MAX_NAME:
        raise BadValue(f"a name of {len(shown)} characters", f"give a name of 1 to {MAX_NAME} characters")
    if entry.source not in ("added", "composed"):
        raise Conflict(f"{entry.id} is {entry.source} and keeps its name", "rename only tokenizers that you added")
    with catalog.database.write() as connection:
        tokenizers.rename(connection, entry.id, shown)
    return catalog.entry(id)


def remove(catalog: Catalog, id: str) -> Entry:
    """Forgets a tokenizer and deletes the lab's copy of its files.

    Raises NotFound, or Conflict for one that is built in or a plug-in.
    """
    entry = catalog.entry(id)
    if entry.source == "built in":
        raise Conflict(
            f"{entry.id} is built in and cannot be removed",
            "remove only tokenizers that you added or downloaded; built-in ones take no extra space",
        )
    if entry.plugin is not None:
        raise Conflict(f"{entry.id} is a plug-in", f"uninstall the package {entry.plugin.package}")
    if not entry.files:
        raise NotFound(
            f"{entry.id} is not downloaded, so there is nothing to remove",
            "the Library lists the installed tokenizers",
            on_terminal="`tokenlab list` shows the installed tokenizers",
        )
    with catalog.database.write() as connection:
        tokenizers.delete(connection, entry.id)
    shutil.rmtree(entry.files[0].parent, ignore_errors=True)
    return entry


def _has_files(entry: Entry, found: importing.Staged) -> bool:
    """Whether an entry was made from these files, read in the same way."""
    digests = tuple(file.sha256 for file in found.files)
    return (entry.sha256_of_files, entry.pattern) == (digests, found.pattern)


def refuse_taken(catalog: Catalog, id: str) -> None:
    """Raises Conflict if `id` belongs to a tokenizer that is here."""
    if catalog.is_taken(id):
        raise _taken(id)


def _refuse_other_files(known: Known, digest: str) -> None:
    """Raises Conflict unless files with this digest may be those of `known`, whose digest may be unknown."""
    if known.built_in or known.sha256 not in (digest, None):
        raise Conflict(
            f"{known.id} is a known tokenizer with other files (sha256 {(known.sha256 or '')[:12]}…, not {digest[:12]}…)",
            "give these files another id",
            on_terminal="give these files another id with --id",
        )


def _taken(id: str) -> Conflict:
    return Conflict(
        f'the id "{id}" is taken',
        "choose another id, or remove the existing tokenizer",
        on_terminal="choose another id with --id, or remove the existing tokenizer",
    )
