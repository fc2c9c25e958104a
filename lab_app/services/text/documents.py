"""A text that is edited, under one tokenizer or several: opened once, then every answer is what the edit changed.

What is opened is what `encode` and `compare` give for the text, and what an edit answers makes that of the new text out of
that of the old. Divergences are looked for again between the nearest boundaries around the edit that all tokenizers share.
Not here: encoding again (the engine's `Document`), how many are open (`open_documents`).
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.divergence import KINDS, Divergences, agreement
from lab_app.analysis.figures import Figures
from lab_app.engine import Document, Specials
from lab_app.errors import BadValue, Conflict, TooLarge
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.compare import check_tokenizers
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import EncodingSummary
from lab_app.settings import DEFAULT_SPECIALS

Arrays = dict[str, NDArray[Any]]
Counts = NDArray[np.uint64]


@dataclass(frozen=True)
class LaneEdit:
    """Tokens that came in the place of others, counted without those that the template puts around the text. `arrays` are
    packed (`engine_rs/inspect/src/document/packed.rs`)."""

    first: int
    removed: int
    arrays: Arrays


@dataclass(frozen=True)
class Edit:
    """What an edit changed. Positions behind the edit move by the shifts."""

    shift_utf8: int
    shift_utf16: int
    lanes: list[LaneEdit]
    old_utf16: tuple[int, int] | None
    """The part of the old text in which divergences were looked for again; None where nothing is compared."""
    divergences: Divergences | None


@dataclass(frozen=True)
class DocumentHead:
    """The header of an answer about an open text. The last two are None unless the tokenizers are compared."""

    version: int
    text_bytes: int
    text_characters: int
    tokenizers: list[EncodingSummary]
    agreement: list[list[float]] | None
    divergence_kinds: tuple[str, ...] | None


@dataclass(frozen=True)
class OpenedHead(DocumentHead):
    """The header of the first answer: `document` is the id to edit it by."""

    document: str


@dataclass(frozen=True)
class EditedSummary(EncodingSummary):
    """The summary after an edit: the new arrays replace `removed` tokens from `first` on."""

    first: int
    removed: int


@dataclass(frozen=True)
class EditHead(DocumentHead):
    """The header of the answer to an edit."""

    tokenizers: list[EditedSummary]  # type: ignore[assignment]
    shift_utf8: int
    shift_utf16: int
    """The shift of all later tokens and divergences."""
    compared_utf16: tuple[int, int] | None
    """Divergences that start in this range of the old text are replaced."""


@dataclass
class OpenDocument:
    """An open text. `lock` is held while it is read or changed; a version that is not the newest is refused."""

    ids: list[str]
    lossless: list[bool]
    engine: Document
    ignore_spaces: bool | None
    """None: nothing is compared."""
    max_bytes: float
    elapsed_ns: int = 0
    version: int = 1
    shared: Counts = field(default_factory=lambda: np.zeros((0, 0), np.uint64))
    either: Counts = field(default_factory=lambda: np.zeros((0, 0), np.uint64))
    lock: threading.Lock = field(default_factory=threading.Lock)

    size_bytes: int = 0
    """Bytes held, roughly. Kept here: the engine cannot be asked while it edits."""

    def __post_init__(self) -> None:
        self.size_bytes = self.engine.size_bytes

    def summaries(self) -> list[EncodingSummary]:
        """A summary per tokenizer. `round_trip` is None if only decoding the whole text would tell."""
        size, length = self.engine.text_bytes, self.engine.text_characters
        found = []
        for lane, (id, lossless) in enumerate(zip(self.ids, self.lossless, strict=True)):
            counts = self.engine.counts(lane)
            figures = Figures(counts["count"], counts["template_count"], 0, counts["unknown_count"], size, length)
            found.append(
                EncodingSummary(
                    tokenizer=id,
                    text_bytes=size,
                    text_characters=length,
                    **figures.values(),
                    pretoken_count=counts["pretoken_count"],
                    split_character_count=counts["split_character_count"],
                    has_spans=True,
                    round_trip=lossless or None,
                    elapsed_ns=self.elapsed_ns,
                )
            )
        return found

    def head(self) -> DocumentHead:
        """The header of the answer about the whole text."""
        compared = self.ignore_spaces is not None
        return DocumentHead(
            version=self.version,
            text_bytes=self.engine.text_bytes,
            text_characters=self.engine.text_characters,
            tokenizers=self.summaries(),
            agreement=self.agreement() if compared else None,
            divergence_kinds=KINDS if compared else None,
        )

    def head_of(self, edit: Edit) -> EditHead:
        """The header of the answer to the last edit."""
        head = self.head()
        tokenizers = [
            EditedSummary(**vars(summary), first=lane.first, removed=lane.removed)
            for summary, lane in zip(head.tokenizers, edit.lanes, strict=True)
        ]
        return EditHead(
            **{**vars(head), "tokenizers": tokenizers},
            shift_utf8=edit.shift_utf8,
            shift_utf16=edit.shift_utf16,
            compared_utf16=edit.old_utf16,
        )

    def agreement(self) -> list[list[float]]:
        """Jaccard of the boundary sets, k rows of k; 1 where neither has any."""
        ratios: list[list[float]] = agreement(self.shared, self.either).tolist()
        return ratios

    def compare(self, start: int, end: int, ignore_spaces: bool) -> Divergences:
        """The tokenizers between two bytes at which all have a boundary and white space does not end."""
        return Divergences.of(self.engine.divergences(start, end, ignore_spaces))

    def edit(self, version: int, start_utf16: int, end_utf16: int, text: str) -> Edit:
        """Replaces a range of the text.

        Raises Conflict for a version that is not the newest, BadValue for a range that is none or splits a character,
        TooLarge, EncodeFailed. The document then keeps its text, its tokens and its version.
        """
        if version != self.version:
            raise Conflict(
                f"the edit is for version {version}, the document is at version {self.version}", "open it again"
            )
        refuse_surrogates(text)
        if self.engine.text_bytes + len(text.encode()) > self.max_bytes:
            raise TooLarge(
                f"the text would have more than {self.max_bytes / 1e6:g} MB",
                "shorten the edit, or raise TOKENLAB_MAX_REQUEST_MB",
            )
        try:
            start, end = self.engine.reach(start_utf16, end_utf16)
        except ValueError as error:
            raise BadValue(str(error), "send the ends of whole characters of the text as it is") from None
        comparing = self.ignore_spaces is not None
        if comparing:
            start, end = self.engine.shared_around(start, end, bool(self.ignore_spaces))
            units = self.engine.units_before(start), self.engine.units_before(end)
            before = self.compare(start, end, bool(self.ignore_spaces))
        bytes_before, units_before = self.engine.text_bytes, self.engine.text_units
        with translate_engine_errors():
            begin = time.perf_counter_ns()
            _, changes = self.engine.edit(start_utf16, end_utf16, text)
            self.elapsed_ns = time.perf_counter_ns() - begin
        self.version += 1
        self.size_bytes = self.engine.size_bytes
        shift = self.engine.text_bytes - bytes_before
        lanes = [
            LaneEdit(first, removed, self.engine.packed(lane, (first, first + inserted)))
            for lane, (first, removed, inserted, _) in enumerate(changes)
        ]
        shift16 = self.engine.text_units - units_before
        if not comparing:
            return Edit(shift, shift16, lanes, None, None)
        extents = [
            self.engine.extent(lane, first, first + inserted) for lane, (first, _, inserted, _) in enumerate(changes)
        ]
        if any(extent is not None and (extent[0] < start or extent[1] > end + shift) for extent in extents):
            # A special token that the edit completed, or took away, reaches further than what was looked at.
            start, end, units = 0, bytes_before, (0, units_before)
            found = self.compare(0, self.engine.text_bytes, bool(self.ignore_spaces))
            self.shared, self.either = found.shared, found.either
        else:
            found = self.compare(start, end + shift, bool(self.ignore_spaces))
            self.shared = self.shared - before.shared + found.shared
            self.either = self.either - before.either + found.either
        return Edit(shift, shift16, lanes, units, found)


def open_document(
    lab: Lab,
    ids: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    ignore_spaces: bool | None = None,
) -> tuple[OpenDocument, list[Arrays], Divergences | None]:
    """A document under one to eight tokenizers, all tokens of each, those of the template among them, packed; and, where
    `ignore_spaces` says how to compare them, where they differ.

    Raises what `encode` raises; BadValue for a plug-in, whose tokens only it can make.

    >>> from lab_app.settings import Settings
    >>> document, _, _ = open_document(Lab(Settings()), ["gpt2"], "Hello, world")
    >>> edit = document.edit(1, 7, 12, "there")
    >>> edit.lanes[0].first, edit.lanes[0].removed, edit.lanes[0].arrays["ids"].tolist()
    (2, 1, [612])
    """
    check_tokenizers("a document", ids)
    refuse_surrogates(text)
    loaded = [lab.loaded.get(id) for id in ids]
    with translate_engine_errors():
        begin = time.perf_counter_ns()
        engine = Document(
            [tokenizer for _, tokenizer in loaded], text, add_special_tokens=add_special_tokens, specials=specials
        )
        elapsed_ns = time.perf_counter_ns() - begin
    lossless = [tokenizer.lossy is None for _, tokenizer in loaded]
    most = lab.settings.max_request_mb * 1e6
    document = OpenDocument([entry.id for entry, _ in loaded], lossless, engine, ignore_spaces, most, elapsed_ns)
    tokens, differences = engine.told(ignore_spaces)
    if differences is None:
        return document, tokens, None
    found = Divergences.of(differences)
    document.shared, document.either = found.shared, found.either
    return document, tokens, found


@dataclass(frozen=True)
class RoundTrips:
    """Whether decoding returns exactly the text of `version`, per tokenizer."""

    version: int
    round_trip: list[bool]


def round_trips(lab: Lab, document: OpenDocument) -> RoundTrips:
    """Checks whether decoding returns the text exactly.

    The document is locked only while its ids are copied: a long text may be edited while it is decoded.

    >>> from lab_app.settings import Settings
    >>> lab = Lab(Settings())
    >>> round_trips(lab, open_document(lab, ["gpt2"], "Any text")[0])
    RoundTrips(version=1, round_trip=[True])
    """
    with document.lock:
        version, text = document.version, document.engine.text
        lossy = [lane for lane, lossless in enumerate(document.lossless) if not lossless]
        ids = {lane: document.engine.tokens(lane)["ids"] for lane in lossy}
    data, exact = text.encode(), [True] * len(document.ids)
    for lane in lossy:
        _, tokenizer = lab.loaded.get(document.ids[lane])
        # Special tokens that the text spelled are a part of it, so none are skipped.
        with translate_engine_errors():
            exact[lane] = tokenizer.decode_bytes(ids[lane], skip_special_tokens=False) == data
    return RoundTrips(version, exact)
