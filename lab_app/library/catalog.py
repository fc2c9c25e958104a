"""The catalog: the entry of every tokenizer that the lab can load or fetch.

Not here: loading one (`loading`), adding and removing (`adding`), fetching (`fetching`).
"""

from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from lab_app import engine, paths
from lab_app.errors import NotFound, StoreFailed
from lab_app.library import importing
from lab_app.library.cache import Cache
from lab_app.library.entry import Entry, Known, TokenizerSummary
from lab_app.library.known import builtin_summaries, known_tokenizer, known_tokenizers, tokenizer_of_model
from lab_app.library.plugins.discovery import installed_plugins
from lab_app.settings import Settings
from lab_app.store import summaries, tokenizers
from lab_app.store.database import Database

MAX_ENTRIES = 256


class Catalog:
    """The tokenizers of one data folder; `folder` has one folder of files per added tokenizer.

    Built-in tokenizers need no database: they can be used when it is damaged or cannot be written.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings = settings
        self.database = database
        self.folder = paths.tokenizers(settings)
        # Each with the state of the database it was read in: opening the database takes longer than encoding a page of text.
        self._entries = Cache[str, tuple[object, Entry | None]](MAX_ENTRIES)

    def entries(self) -> list[Entry]:
        """All of them: those every lab knows first, then the user's own, oldest first, then plug-ins. Raises StoreFailed."""
        with self.database.read() as connection:
            return self._entries_with(tokenizers.rows(connection))

    def usable_entries(self) -> tuple[list[Entry], StoreFailed | None]:
        """`entries`, or those that need no database, and the reason why it cannot be read."""
        try:
            return self.entries(), None
        except StoreFailed as error:
            return self._entries_with([]), error

    def _entries_with(self, rows: list[tokenizers.Row]) -> list[Entry]:
        by_id = {row.id.lower(): row for row in rows}
        known = [self._entry_of_known(each, by_id.pop(each.id.lower(), None)) for each in known_tokenizers()]
        own = known + [self._entry_of_row(row) for row in by_id.values()]
        taken = {entry.id.lower() for entry in own}
        return own + [entry for entry in self._plugins if entry.id.lower() not in taken]

    def entry(self, id: str) -> Entry:
        """The entry of `id`, or of the tokenizer that the model of that name uses, whatever its capitals. Raises NotFound."""
        found = self._stored_or_known(id) or self._plugin(id)
        if found is not None:
            return found
        if (model := tokenizer_of_model(id)) is not None:
            return self.entry(model)
        near = get_close_matches(id.lower(), [each.id.lower() for each in self.entries()], n=3)
        guess = f"did you mean {' or '.join(near)}? " if near else ""
        raise NotFound(
            f'there is no tokenizer "{id:.80}"',
            f"{guess}the Library lists all tokenizers and can add others",
            on_terminal=f"{guess}`tokenlab list` shows all tokenizers; `tokenlab add PATH` adds one",
        )

    def kept_entry(self, id: str) -> Entry | None:
        """The entry of `id` as `entry` would give it, if that is known without opening the database; no plug-in."""
        if (built_in := self._built_in.get(id.lower())) is not None:
            return built_in
        if importing.ID.fullmatch(id) is None:
            return None
        state, kept = self.database.state(), self._entries.find(id.lower())
        return kept[1] if state is not None and kept is not None and kept[0] == state else None

    def is_taken(self, id: str) -> bool:
        """Whether `id` belongs to a tokenizer that is here: built in, downloaded, added or a plug-in."""
        return id.lower() in self._built_in or self._row(id) is not None or self._plugin(id) is not None

    def summaries(self) -> dict[str, TokenizerSummary]:
        """The summaries of the built-in tokenizers and, if the database can be read, of those loaded before, by id."""
        try:
            found = summaries.load_all(self.database, engine.build())
        except StoreFailed:
            return builtin_summaries()
        kept = {id: TokenizerSummary(**one) for id, one in found.items()}
        return kept | builtin_summaries()

    def keep_summary(self, id: str, summary: TokenizerSummary) -> None:
        """Keeps the summary of a tokenizer that is not built in, if the database can be written: it only saves time."""
        with suppress(StoreFailed):
            summaries.save(self.database, id, engine.build(), summary.as_json())

    @cached_property
    def _built_in(self) -> dict[str, Entry]:
        return {each.id.lower(): self._entry_of_known(each, None) for each in known_tokenizers() if each.built_in}

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

    def _plugin(self, id: str) -> Entry | None:
        return next((entry for entry in self._plugins if entry.id.lower() == id.lower()), None)

    def _stored_or_known(self, id: str) -> Entry | None:
        if (built_in := self._built_in.get(id.lower())) is not None:
            return built_in
        if importing.ID.fullmatch(id) is None:
            return None
        state = self.database.state()

        def read() -> tuple[object, Entry | None]:
            known, row = known_tokenizer(id), self._row(id)
            if known is not None:
                return state, self._entry_of_known(known, row)
            return state, None if row is None else self._entry_of_row(row)

        return self._entries.get(id.lower(), read, current=lambda kept: state is not None and kept[0] == state)[1]

    def _row(self, id: str) -> tokenizers.Row | None:
        if importing.ID.fullmatch(id) is None:
            return None
        with self.database.read() as connection:
            return tokenizers.row(connection, id)

    def _entry_of_known(self, known: Known, row: tokenizers.Row | None) -> Entry:
        entry = Entry.of_known(known)
        if known.packed:
            file = paths.packed() / known.id / str(known.file)
            return replace(entry, files=(file,), sha256_of_files=(str(known.sha256),))
        return entry if row is None else _with_files(entry, row, self.folder)

    def _entry_of_row(self, row: tokenizers.Row) -> Entry:
        return _with_files(Entry(id=row.id, name=row.id, source=row.source, family=""), row, self.folder)


def _with_files(entry: Entry, row: tokenizers.Row, below: Path) -> Entry:
    return replace(
        entry,
        name=row.name or entry.name,
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
