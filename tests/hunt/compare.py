"""Runs both libraries over generated texts, keeps what differs, and shrinks it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice

from lab_app.analysis.shrinking import shrunk
from tests.generators import texts
from tests.hunt.subjects import Subject

BATCH = 2000
# Texts kept per kind of difference: the first few tell what is wrong.
KEPT = 10


@dataclass
class Found:
    """What a hunt over one vocabulary found. Counts are of texts."""

    name: str
    reference: str = ""
    texts: int = 0
    characters: int = 0
    ids_differ: int = 0
    spans_differ: int = 0
    documented: int = 0
    decoding_differs: int = 0
    spans_compared: bool = False
    seconds: float = 0.0
    examples: list[dict[str, str]] = field(default_factory=list)
    """The smallest texts that still differ, and in what."""
    problem: str = ""
    """Why the hunt ended early."""

    @property
    def clean(self) -> bool:
        """Whether nothing differs but what is documented."""
        return not (self.ids_differ or self.spans_differ or self.decoding_differs or self.problem)

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        return {**asdict(self), "clean": self.clean}


def hunt(name: str, load: Callable[[], Subject], count: int, seed: int, report: Callable[[Found], None]) -> Found:
    """Compares `count` texts; `report` is told after every batch."""
    found = Found(name)
    began = time.monotonic()
    try:
        subject = load()
        found.reference = subject.reference
        for batch in _batches(texts(count, seed, subject.tokens)):
            _compare(subject, batch, found)
            found.seconds = round(time.monotonic() - began, 1)
            report(found)
    except Exception as error:  # A library that raises is a find, not the end of the other hunts.
        found.problem = f"{type(error).__name__}: {error}"
    return found


def _batches(source: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(source, BATCH)):
        yield batch


def _compare(subject: Subject, batch: list[str], found: Found) -> None:
    for at, (text, ours, theirs) in enumerate(zip(batch, subject.ours(batch), subject.theirs(batch), strict=True)):
        found.texts += 1
        found.characters += len(text)
        if ours[0] != theirs[0]:
            found.ids_differ += 1
            _keep(found, "ids", text, lambda text: _row(subject.ours, text)[0] != _row(subject.theirs, text)[0])
        elif theirs[1] is not None and ours[1] is not None:
            found.spans_compared = True
            if ours[1] != theirs[1]:
                _spans(subject, text, found)
        # Decoding costs as much as encoding and depends on less: a tenth of the texts is enough.
        if at % 10 == 0 and subject.our_text(theirs[0]) != subject.their_text(theirs[0]):
            found.decoding_differs += 1
            _keep(found, "decoding", text, lambda text: _decodes_differently(subject, text))


def _spans(subject: Subject, text: str, found: Found) -> None:
    if subject.documented(text):
        found.documented += 1
        return
    found.spans_differ += 1
    _keep(
        found,
        "spans",
        text,
        lambda text: not subject.documented(text) and _row(subject.ours, text) != _row(subject.theirs, text),
    )


def _row(encode: Callable, text: str):
    return next(iter(encode([text])))


def _decodes_differently(subject: Subject, text: str) -> bool:
    ids = _row(subject.theirs, text)[0]
    return subject.our_text(ids) != subject.their_text(ids)


def _keep(found: Found, what: str, text: str, differs: Callable[[str], bool]) -> None:
    if sum(example["differs"] == what for example in found.examples) < KEPT:
        found.examples.append({"differs": what, "text": shrunk(text, differs)})
