"""The catalog: every tokenizer the lab can load or fetch, kept in SQLite, and their files.

A change is one transaction: two programs adding the same id at once end with one entry and one clear error.
Not here: keeping loaded tokenizers (`lab_app.services.loaded`).
"""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from lab_app import engine, paths
from lab_app.errors import BadValue, Conflict, LoadFailed, NotFound, Unavailable
from lab_app.library import hub, importing
from lab_app.library.compose import Recipe, compose
from lab_app.library.definition import definition
from lab_app.library.download import download
from lab_app.library.entry import Card, Entry, Known, Provenance
from lab_app.library.known import builtin_cards, known_tokenizer, known_tokenizers
from lab_app.library.plugins.discovery import installed_plugins
from lab_app.library.plugins.tokenizer import PluginTokenizer
from lab_app.library.progress import Report, no_report
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.settings import Settings
from lab_app.store import cards, tokenizers
from lab_app.store.database import Database


class Catalog:
    """The tokenizers of one data folder."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._folder = paths.tokenizers(settings)

    def entries(self) -> list[Entry]:
        """All of them: those every lab knows first, then the user's own, oldest first, then plug-ins."""
        with self._database.read() as connection:
            rows = tokenizers.rows(connection)
        by_id = {row.id.lower(): row for row in rows}
        known = [self._entry_of_known(each, by_id.pop(each.id.lower(), None)) for each in known_tokenizers()]
        own = known + [self._entry_of_row(row) for row in by_id.values()]
        taken = {entry.id.lower() for entry in own}
        return own + [entry for entry in self._plugins if entry.id.lower() not in taken]

    @cached_property
    def _plugins(self) -> list[Entry]:
        """Entries of the plug-ins that were installed when they were first asked for."""
        entries: dict[str, Entry] = {}
        for plugin in installed_plugins():
            names = (plugin.name, f"{plugin.package}-{plugin.name}", f"{plugin.package}-{plugin.name}-plug-in")
            ids = [importing.id_from(name) for name in names]
            free = [id for id in ids if id.lower() not in entries and known_tokenizer(id) is None]
            if free:
                entries[free[0].lower()] = Entry(
                    id=free[0], name=plugin.name, source="plug-in", family="", origin=str(plugin), plugin=plugin
                )
        return list(entries.values())

    def entry(self, id: str) -> Entry:
        """The entry of `id`, whatever its capitals. Raises NotFound."""
        is_id = importing.ID.fullmatch(id) is not None
        known = known_tokenizer(id)
        with self._database.read() as connection:
            row = tokenizers.row(connection, id) if is_id else None
        if known is not None:
            return self._entry_of_known(known, row)
        if row is not None:
            return self._entry_of_row(row)
        found = next((entry for entry in self._plugins if entry.id.lower() == id.lower()), None)
        if found is not None:
            return found
        raise NotFound(
            f'there is no tokenizer "{id:.80}"',
            "the Library lists all tokenizers and can add others",
            on_terminal="`tokenlab list` shows all tokenizers; `tokenlab add PATH` adds one",
        )

    def cards(self) -> dict[str, Card]:
        """The cards of the built-in tokenizers and of those that were loaded before, by id."""
        kept = {id: Card(**card) for id, card in cards.load_all(self._database, engine.build()).items()}
        return kept | builtin_cards()

    def keep_card(self, id: str, card: Card) -> None:
        """Keeps the card of a tokenizer that is not built in."""
        cards.save(self._database, id, engine.build(), card.as_json())

    def load(self, entry: Entry) -> AnyTokenizer:
        """Loads a tokenizer.

        Raises Unavailable where its files must be fetched first, LoadFailed where they are gone or are not what they
        were when they were added.
        """
        if entry.engine is not None:
            return engine.Tokenizer.builtin(entry.engine)
        if entry.plugin is not None:
            return PluginTokenizer(entry.plugin, self._settings.plugin_timeout_s)
        if not entry.files:
            raise Unavailable(
                f"{entry.id} is not downloaded yet",
                "download it in the Library",
                on_terminal=f"download it: `tokenlab add {entry.id}`",
            )
        gone = partial(
            LoadFailed,
            hint="remove it from the library and add it again",
            on_terminal=f"remove it and add it again: `tokenlab remove {entry.id}`",
        )
        for file, sha256 in zip(entry.files, entry.sha256_of_files, strict=True):
            if entry.source == "built in" and not file.is_file():
                raise LoadFailed(
                    f"{file.name} of {entry.id} is missing from this installation: {file}",
                    "install the lab again, or run `make bert` in its checkout",
                )
            if not file.is_file():
                raise gone(f"{file.name} of {entry.id} is missing from {file.parent}")
            if importing.sha256_of(file) != sha256:
                raise gone(f"{file.name} of {entry.id} has changed since it was added")
        try:
            return engine.Tokenizer.from_file(
                entry.files[0], pattern=entry.pattern, special_tokens=entry.special_tokens
            )
        except engine.LoadError as error:
            raise importing.load_failed(error) from error

    def add(
        self,
        files: list[Path],
        suggested_id: str,
        *,
        id: str | None = None,
        pattern: str | None = None,
        special_tokens: dict[str, int] | None = None,
        provenance: Provenance = Provenance("added"),  # noqa: B008 - a frozen value
    ) -> Entry:
        """Takes a user's files in, under `id` or, without one, an id made from their names.

        The first of `files` is the one to load, the others are kept beside it. Raises Conflict where the id is taken,
        LoadFailed where the files are no tokenizer; nothing is kept then.
        """
        if id is not None:
            self._refuse_taken(importing.check_id(id))
        with importing.imported(
            files, self._folder, pattern=pattern, special_tokens=special_tokens, suggested_id=suggested_id
        ) as found:
            return self._keep(found, id or importing.check_id(found.suggested_id), provenance)

    def add_from_hub(self, reference: hub.HubReference, id: str | None = None, report: Report = no_report) -> Entry:
        """Fetches the tokenizer of a Hub's repository and takes it in, under `id` or the repository's name.

        Raises what `hub.fetch` and `add` raise.
        """
        if id is not None:
            self._refuse_taken(importing.check_id(id))
        with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
            fetched = hub.fetch(reference, Path(folder), self._settings, report)
            files = importing.with_the_one_to_load_first(fetched.files, Path(folder))
            name = id or self._free_id(reference)
            return self.add(files, name, id=id, provenance=_from_hub(fetched.repository))

    def compose(self, recipe: Recipe, id: str, base: AnyTokenizer) -> Entry:
        """Puts a tokenizer together and takes it in; `base` is the recipe's, loaded.

        Raises as `add` does, and BadValue for a base without a definition.
        """
        entry = self.entry(recipe.base)
        with composed_file(self.definition(entry, base), recipe) as file:
            provenance = Provenance("composed", f"composed from {entry.id}", licence=entry.licence)
            return self.add([file], id, id=id, provenance=provenance)

    def definition(self, entry: Entry, tokenizer: AnyTokenizer) -> dict[str, Any]:
        """The tokenizer.json of an entry, whose tokenizer is loaded: its own file where that says all, or what the engine writes.

        Raises BadValue where there is none.
        """
        if not isinstance(tokenizer, engine.Tokenizer):
            raise BadValue(f"{entry.id} is a plug-in, and only engine tokenizers can be a base", "choose another base")
        # Files beside it may change what it says.
        if [file.name for file in entry.files] == [importing.TOKENIZER_JSON]:
            own: dict[str, Any] = json.loads(entry.files[0].read_text("utf-8"))
            return own
        try:
            return definition(tokenizer)
        except engine.SaveError as error:
            raise BadValue(f"{entry.id} cannot be a base: {error}", "choose another base") from error

    def fetch(self, id: str, report: Report = no_report) -> Entry:
        """Fetches the files of a known tokenizer. Raises Unavailable where no source could give them."""
        known = known_tokenizer(id)
        if known is None:
            ids = ", ".join(each.id for each in known_tokenizers() if each.sources)
            raise NotFound(
                f'"{id}" is not a tokenizer that the lab can download',
                f"it can download {ids}; for any other give the path of its file",
            )
        entry = self.entry(known.id)
        if entry.available:
            return entry
        with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
            found_files = download(known, Path(folder), self._settings, report)
            files = importing.with_the_one_to_load_first(found_files.files, Path(folder))
            here = Provenance("downloaded", known.origin)
            if found_files.repository is not None:
                here = _from_hub(found_files.repository)
            with importing.imported(files, self._folder, suggested_id=known.id) as found:
                return self._keep(found, known.id, here)

    def remove(self, id: str) -> Entry:
        """Forgets a tokenizer and deletes the lab's copy of its files. Raises NotFound, or Conflict for a built-in one."""
        entry = self.entry(id)
        if entry.source == "built in":
            raise Conflict(f"{entry.id} is built in and cannot be removed", "built-in tokenizers take no extra space")
        if entry.plugin is not None:
            raise Conflict(f"{entry.id} is a plug-in", f"uninstall the package {entry.plugin.package}")
        if not entry.files:
            raise NotFound(
                f"{entry.id} is not downloaded, so there is nothing to remove",
                "the Library lists the installed tokenizers",
                on_terminal="`tokenlab list` shows the installed tokenizers",
            )
        with self._database.write() as connection:
            tokenizers.delete(connection, entry.id)
        shutil.rmtree(entry.files[0].parent, ignore_errors=True)
        return entry

    def _free_id(self, reference: hub.HubReference) -> str:
        """The repository's name, or where that is taken or known its whole name."""
        known, short = known_tokenizer(reference.name), importing.id_from(reference.name)
        with self._database.read() as connection:
            taken = known is not None or tokenizers.row(connection, short) is not None
        return importing.id_from(reference.repository) if taken else short

    def _keep(self, found: importing.Imported, id: str, here: Provenance) -> Entry:
        known = known_tokenizer(id)
        digest = importing.sha256_of_all(found.files)
        if known is not None and not known.built_in and known.sha256 in (digest, None):
            id = known.id  # the user has the very file that would be fetched, or nobody says what it must be
        elif known is not None:
            raise Conflict(
                f"{known.id} is a known tokenizer with other files (sha256 {(known.sha256 or '')[:12]}…, not {digest[:12]}…)",
                "give these files another id",
                on_terminal="give these files another id with --id",
            )
        name = f"{digest[:12]}-{id.lower()}"
        row = tokenizers.Row(
            id,
            here.source,
            here.origin,
            name,
            found.files,
            found.pattern,
            found.special_tokens,
            here.repository,
            here.revision,
            here.licence,
            here.gated,
        )
        with self._database.write() as connection:
            try:
                tokenizers.insert(connection, row)
            except sqlite3.IntegrityError as error:
                raise _taken(id) from error
            target = self._folder / name
            # No row points to it, so what lies there is what a killed run left.
            shutil.rmtree(target, ignore_errors=True)
            found.folder.rename(target)
        self.keep_card(id, found.card)
        return self.entry(id)

    def _refuse_taken(self, id: str) -> None:
        known = known_tokenizer(id)
        with self._database.read() as connection:
            if tokenizers.row(connection, id) is not None or (known is not None and known.built_in):
                raise _taken(id)
        if any(entry.id.lower() == id.lower() for entry in self._plugins):
            raise _taken(id)

    def _entry_of_known(self, known: Known, row: tokenizers.Row | None) -> Entry:
        entry = Entry(
            id=known.id,
            name=known.name,
            source="built in" if known.built_in else "downloaded",
            family=known.family,
            licence=known.licence,
            origin=known.origin,
            sha256=known.sha256,
            size_bytes=known.size_bytes,
            engine=known.engine,
            gated=known.gated,
            repository=known.repository,
            checked=known.checked,
        )
        if known.packed:
            file = paths.packed() / known.id / str(known.file)
            return replace(entry, files=(file,), sha256_of_files=(str(known.sha256),))
        return entry if row is None else _with_files(entry, row, self._folder)

    def _entry_of_row(self, row: tokenizers.Row) -> Entry:
        entry = Entry(
            id=row.id,
            name=row.id,
            source=row.source,
            family="",
        )
        return _with_files(entry, row, self._folder)


def _with_files(entry: Entry, row: tokenizers.Row, below: Path) -> Entry:
    return replace(
        entry,
        source=row.source,
        licence=row.licence or entry.licence,
        origin=row.origin or entry.origin,
        sha256=importing.sha256_of_all(row.files),
        size_bytes=sum(file.size_bytes for file in row.files),
        files=tuple(below / row.folder / file.name for file in row.files),
        sha256_of_files=tuple(file.sha256 for file in row.files),
        pattern=row.pattern,
        special_tokens=row.special_tokens,
        revision=row.revision,
        gated=row.gated or entry.gated,
        repository=row.repository or entry.repository,
    )


def _from_hub(repository: hub.Repository) -> Provenance:
    return Provenance(
        "downloaded",
        repository.reference.repository,
        repository.reference.repository,
        repository.commit,
        repository.licence,
        repository.gated,
    )


def _taken(id: str) -> Conflict:
    return Conflict(
        f'the id "{id}" is taken',
        "choose another id, or remove the existing tokenizer",
        on_terminal="choose another id with --id, or remove the existing tokenizer",
    )


def try_composing(definition: dict[str, Any], recipe: Recipe) -> engine.Tokenizer:
    """The tokenizer of a recipe, of which nothing is kept; `definition` is its base's. Raises LoadFailed, BadValue."""
    with composed_file(definition, recipe) as file:
        try:
            return engine.Tokenizer.from_file(file)
        except engine.LoadError as error:
            raise importing.load_failed(error) from error


@contextmanager
def composed_file(definition: dict[str, Any], recipe: Recipe) -> Iterator[Path]:
    """The tokenizer.json of a recipe, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
        file = Path(folder) / importing.TOKENIZER_JSON
        file.write_text(json.dumps(compose(definition, recipe), ensure_ascii=False), "utf-8")
        yield file
