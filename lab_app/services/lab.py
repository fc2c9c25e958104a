"""The lab: what every use case works with, made once per process from the settings. It opens nothing until asked."""

from typing import Any

from lab_app import paths
from lab_app.jobs.queue import JobQueue
from lab_app.library.catalog import Catalog
from lab_app.services.composed import Composed
from lab_app.services.indexes import Indexes
from lab_app.services.loaded import LoadedTokenizers
from lab_app.services.open_documents import OpenDocuments
from lab_app.settings import Settings
from lab_app.store.database import Database


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
        self.composed = Composed(self.catalog, self.loaded)
        self.jobs = JobQueue()
        self.documents: OpenDocuments[Any] = OpenDocuments(settings.max_documents, settings.max_documents_mb * 1e6)
