"""The lab: what every use case works with, made once per process from the settings. It opens nothing until asked."""

import threading
from typing import Any, Protocol, TypeVar

from lab_app import paths
from lab_app.engine import Tokenizer
from lab_app.jobs.queue import JobQueue
from lab_app.jobs.record import JobRecord
from lab_app.library.cache import Cache
from lab_app.library.catalog import Catalog
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.indexes import Indexes
from lab_app.services.live_metrics import Counters
from lab_app.services.loaded import LoadedTokenizers
from lab_app.settings import Settings
from lab_app.store.database import Database
from lab_app.store.owners import Owners
from lab_app.store.records import Record


class OfLab(Protocol):
    """What a service keeps for a lab."""

    def __init__(self, lab: "Lab") -> None: ...


Owned = TypeVar("Owned", bound=OfLab)


class Lab:
    """Settings, database, catalog, the tokenizers in memory and the long work. Threads may share it.

    >>> Lab(Settings()).catalog.entry("GPT2").id
    'gpt2'
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(paths.database(settings))
        self.catalog = Catalog(settings, self.database)
        self.loaded = LoadedTokenizers(self.catalog, settings.max_loaded)
        self.indexes = Indexes(self.loaded, settings.max_loaded)
        # See `recipes`: the definition of the base, and the tokenizer of the recipe that is being tried.
        self.definitions: Cache[AnyTokenizer, dict[str, Any]] = Cache(1)
        self.recipes: Cache[tuple[AnyTokenizer, str], Tokenizer] = Cache(1)
        self.owners = Owners(paths.owners(settings))
        self.jobs = JobQueue(JobRecord(self.database, self.owners))
        self.measuring = threading.Lock()  # see `measuring`
        self.counters = Counters()
        self._owned: dict[object, object] = {}
        self._owning = threading.RLock()

    def own(self, kind: type[Owned]) -> Owned:
        """The one object of a class that a service keeps for this lab, made of the lab when first asked for."""
        with self._owning:
            made = self._owned.get(kind)
            if not isinstance(made, kind):
                made = self._owned[kind] = kind(self)
            return made

    def is_alive(self, record: Record) -> bool:
        """Whether the program that works on a record does so still."""
        return record.owner == self.owners.mine or self.owners.is_alive(record.owner)
