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

from lab_app.analysis.boundaries import Mask, Spans, boundary_mask
from lab_app.analysis.divergence import Divergences, divergences, tokens_in
from lab_app.analysis.kinds import kinds_of
from lab_app.analysis.positions import Positions
from lab_app.engine import SPECIAL, TEMPLATE, Document, Specials
from lab_app.errors import BadValue, Conflict, TooLarge
from lab_app.services.compare import MAX_TOKENIZERS
from lab_app.services.encode import errors_of_the_engine, refuse_surrogates
from lab_app.services.lab import Lab

Arrays = dict[str, NDArray[Any]]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Stretch:
    """What tokenizers do on a part of the text: where they differ, and how many inner boundaries pairs of them have."""

    divergences: Divergences
    """In bytes from the start of the text."""
    arrays: Arrays
    """`start_utf8`, `end_utf8`, `start_utf16`, `end_utf16`, `kind`, `counts`."""
    shared: Counts
    """Per pair, shape (k, k): boundaries that both have."""
    either: Counts
    """Per pair, shape (k, k): boundaries that one of them has."""


@dataclass(frozen=True)
class LaneEdit:
    """Tokens that came in the place of others, counted without those that the template puts around the text."""

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
    stretch: Stretch | None


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
    shared: Counts = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    either: Counts = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    lock: threading.Lock = field(default_factory=threading.Lock)

    size_bytes: int = 0
    """Bytes held, roughly. Kept here: the engine cannot be asked while it edits."""

    def __post_init__(self) -> None:
        self.size_bytes = self.engine.size_bytes

    def arrays(self, lane: int) -> Arrays:
        """All tokens of a tokenizer, those of the template among them, as `encode` has them."""
        arrays: Arrays = dict(self.engine.tokens(lane))
        before, behind = self.engine.template(lane)
        for name, array in arrays.items():
            around = {
                "ids": (before, behind),
                "flags": ([SPECIAL | TEMPLATE] * len(before), [SPECIAL | TEMPLATE] * len(behind)),
            }
            first, last = around.get(name, ([0] * len(before), [0] * len(behind)))
            if first or last:
                arrays[name] = np.concatenate([np.array(first, array.dtype), array, np.array(last, array.dtype)])
        return arrays

    def summaries(self) -> list[dict[str, Any]]:
        """RESULT without tokens, per tokenizer. `round_trip` is None where only decoding the whole text would tell."""
        head = {"text_bytes": self.engine.text_bytes, "text_characters": self.engine.text_characters}
        return [
            {
                "tokenizer": id,
                **head,
                **self.engine.counts(lane),
                "padding_count": 0,
                "round_trip": lossless or None,
                "has_spans": True,
                "elapsed_ns": self.elapsed_ns,
            }
            for lane, (id, lossless) in enumerate(zip(self.ids, self.lossless, strict=True))
        ]

    def agreement(self) -> list[list[float]]:
        """Jaccard of the boundary sets, k rows of k; 1 where neither has any."""
        ratios: list[list[float]] = np.where(self.either > 0, self.shared / np.maximum(self.either, 1), 1.0).tolist()
        return ratios

    def compare(self, start: int, end: int, ignore_spaces: bool) -> Stretch:
        """The tokenizers between two bytes at which all have a boundary and white space does not end."""
        at = Positions(self.engine.text_between(start, end))
        spans = [self._spans(lane, start, end, at.bytes.size) for lane in range(len(self.ids))]
        masks = [boundary_mask(each, at, ignore_spaces=ignore_spaces) for each in spans]
        found = divergences(masks)
        start16, end16 = at.span_utf16(found.start, found.end) if len(found) else (found.start, found.end)
        before = self.engine.units_before(start)
        arrays: Arrays = {
            "start_utf8": found.start + np.uint32(start),
            "end_utf8": found.end + np.uint32(start),
            "start_utf16": start16 + np.uint32(before),
            "end_utf16": end16 + np.uint32(before),
            "kind": kinds_of(found.start, found.end, at),
            "counts": np.stack([tokens_in(found, each) for each in spans], axis=1),
        }
        return Stretch(found, arrays, *_pairs(masks))

    def _spans(self, lane: int, start: int, end: int, size: int) -> Spans:
        # A token that reaches over an end has its boundary there, too: in the white space behind it.
        spans = self.engine.spans_between(lane, start, end)
        if size == self.engine.text_bytes:
            return spans
        return np.clip(spans.astype(np.int64) - start, 0, size).astype(np.uint32)

    def edit(self, version: int, start_utf16: int, end_utf16: int, text: str) -> Edit:
        """Replaces a range of the text.

        Raises Conflict for a version that is not the newest, BadValue for a range that is none or cuts a character,
        TooLarge, EncodeFailed. After EncodeFailed the document is of no use any more.
        """
        if version != self.version:
            raise Conflict(f"version {version} was edited, the document is at {self.version}", "open it again")
        refuse_surrogates(text)
        if self.engine.text_bytes + len(text.encode()) > self.max_bytes:
            raise TooLarge(
                f"the text would have more than {self.max_bytes / 1e6:g} MB",
                "edit less, or set TOKENLAB_MAX_REQUEST_MB higher",
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
        with errors_of_the_engine():
            begin = time.perf_counter_ns()
            _, changes = self.engine.edit(start_utf16, end_utf16, text)
            self.elapsed_ns = time.perf_counter_ns() - begin
        self.version += 1
        self.size_bytes = self.engine.size_bytes
        shift = self.engine.text_bytes - bytes_before
        lanes = [
            LaneEdit(first, removed, dict(self.engine.tokens(lane, first, first + inserted)))
            for lane, (first, removed, inserted, _) in enumerate(changes)
        ]
        shift16 = self.engine.text_units - units_before
        if not comparing:
            return Edit(shift, shift16, lanes, None, None)
        if not all(_within(lane.arrays, start, end + shift) for lane in lanes):
            # A special token that the edit completed, or took away, reaches further than what was looked at.
            start, end, units = 0, bytes_before, (0, units_before)
            stretch = self.compare(0, self.engine.text_bytes, bool(self.ignore_spaces))
            self.shared, self.either = stretch.shared, stretch.either
        else:
            stretch = self.compare(start, end + shift, bool(self.ignore_spaces))
            self.shared = self.shared - before.shared + stretch.shared
            self.either = self.either - before.either + stretch.either
        return Edit(shift, shift16, lanes, units, stretch)


def open_document(
    lab: Lab,
    ids: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = "parse",
    ignore_spaces: bool | None = None,
) -> tuple[OpenDocument, Stretch | None]:
    """A document under one to eight tokenizers and, where `ignore_spaces` says how to compare them, where they differ.

    Raises what `encode` raises; BadValue for a plug-in, whose tokens only it can make.

    >>> from lab_app.settings import Settings
    >>> document, _ = open_document(Lab(Settings()), ["gpt2"], "Hello, world")
    >>> edit = document.edit(1, 7, 12, "there")
    >>> edit.lanes[0].first, edit.lanes[0].removed, edit.lanes[0].arrays["ids"].tolist()
    (2, 1, [612])
    """
    if not 1 <= len(ids) <= MAX_TOKENIZERS:
        raise BadValue(f"{len(ids)} tokenizers", f"name 1 to {MAX_TOKENIZERS} different ones")
    if len({id.lower() for id in ids}) < len(ids):
        raise BadValue("a tokenizer is named more than once", "name different tokenizers")
    refuse_surrogates(text)
    found = [lab.loaded.get(id) for id in ids]
    with errors_of_the_engine():
        begin = time.perf_counter_ns()
        engine = Document(
            [tokenizer for _, tokenizer in found], text, add_special_tokens=add_special_tokens, specials=specials
        )
        elapsed_ns = time.perf_counter_ns() - begin
    lossless = [tokenizer.lossy is None for _, tokenizer in found]
    most = lab.settings.max_request_mb * 1e6
    document = OpenDocument([entry.id for entry, _ in found], lossless, engine, ignore_spaces, most, elapsed_ns)
    if ignore_spaces is None:
        return document, None
    stretch = document.compare(0, engine.text_bytes, ignore_spaces)
    document.shared, document.either = stretch.shared, stretch.either
    return document, stretch


def _within(arrays: Arrays, start: int, end: int) -> bool:
    starts, ends = arrays["start_utf8"], arrays["end_utf8"]
    return not starts.size or (int(starts.min()) >= start and int(ends.max()) <= end)


def _pairs(masks: list[Mask]) -> tuple[Counts, Counts]:
    size = len(masks)
    shared, either = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    inner = [mask[1:-1] for mask in masks]
    for i, a in enumerate(inner):
        for j, b in enumerate(inner[: i + 1]):
            shared[i, j] = shared[j, i] = np.count_nonzero(a & b)
            either[i, j] = either[j, i] = np.count_nonzero(a | b)
    return shared, either
