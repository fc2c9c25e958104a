"""How far the edits of a request are, for whoever asks meanwhile, by a name that the request gave."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lab_app.corpora.batch import Batch
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.editing.stopping import stoppable
from lab_app.services.lab import Lab


@dataclass(frozen=True)
class EditProgress:
    """`edit`: the number of the one that is made, from 1; None before and after all, and while a corpus is measured.

    `done_bytes`: of the text of corpora that it reads; `total_bytes`: None where it is not known.
    """

    edit: int | None = None
    done_bytes: int = 0
    total_bytes: int | None = None


class Watch:
    """What the work of one request reports."""

    def __init__(self) -> None:
        self.progress = EditProgress()

    def begin(self, edit: int | None) -> None:
        """An edit begins; None: a measurement."""
        self.progress = EditProgress(edit)

    def reading(
        self, corpora: Sequence[Corpus], select: Callable[[Corpus, Batch], Batch] = lambda _, batch: batch
    ) -> Iterator[Batch]:
        """The documents of corpora, about a megabyte at a time, or what `select` takes of them. Raises Cancelled, LoadFailed."""
        sizes = [corpus.text_bytes for corpus in corpora]
        known = sum(size for size in sizes if size is not None)
        self.progress = replace(self.progress, total_bytes=None if None in sizes else known)
        parts = ((corpus, part) for corpus in corpora for part in partitions(corpus))
        for of, batch in stoppable((one, batch) for one, part in parts for batch in batches(one, part)):
            yield select(of, batch)
            done = self.progress.done_bytes + len(batch.text)
            self.progress = replace(self.progress, done_bytes=done)


class Runs:
    """The requests of a lab that are under way, by their names."""

    def __init__(self, lab: Lab) -> None:
        self._watches: dict[str, Watch] = {}

    @contextmanager
    def watched(self, name: str) -> Iterator[Watch]:
        """What the work of the block reports to. Without a name, nobody asks for it."""
        watch = Watch()
        if name:
            self._watches[name] = watch
        try:
            yield watch
        finally:
            self._watches.pop(name, None)

    def progress(self, name: str) -> EditProgress:
        """How far a request is; one that has ended, or not begun, makes no edit."""
        watch = self._watches.get(name)
        return EditProgress() if watch is None else watch.progress
