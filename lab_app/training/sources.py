"""The text of a training: where it is, and reading it a unit at a time, in any order, on any machine.

Plain text is read as it is, line ends included, if the options say where it may be split; if not, each line is a document, as
in `tokenizers`. Tables give one document per row. What is read of a unit depends on the
text, the options and the unit alone, so that threads and machines change nothing. Not here: finding and describing files
(`lab_app.corpora`), counting (`counting`).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path

from lab_app.corpora import builtin
from lab_app.corpora.corpus import NO_COLUMN, Corpus, CorpusFile
from lab_app.corpora.describe import describe
from lab_app.corpora.lines import Readable
from lab_app.corpora.partitions import Partition, partitions
from lab_app.corpora.readers.text import MARK
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.corpora.sampling import sample
from lab_app.corpora.streams import REPLACEMENT, damaged, opened
from lab_app.errors import BadValue, reason
from lab_app.training.options import TrainingOptions
from lab_app.training.splitting import HeldOut, SplitPoints, place_near, split_points, windows

RAW = ("txt", "file")
"""Formats that are read as they are."""
LEAST_UNIT_BYTES = 2_000_000
MOST_UNIT_BYTES = 64_000_000
UNITS = 1000
SAMPLED_PARTS = 200
LEAST_SAMPLED_BYTES = 10_000
MOST_SURPLUS_SHARE = 0.8
"""Parts of which less than this share is wanted are read in part."""
MOST_HELD_OUT_BYTES = 8_000_000
LEAST_HELD_OUT_BYTES = 1000
BATCH_BYTES = 1_000_000
MOST_PACKED = 4
"""How many bytes of text a byte of a file is taken for at most, where only the end of a row group says how many it was."""
PRACTICE = {
    "topics": "Python's documentation",
    "library": "Python's standard library",
    "python": "Python's documentation and standard library",
}


@dataclass(frozen=True)
class Unit:
    """A part of a text that is read alone: a partition of a corpus, or one of the given texts (`partition` is None)."""

    index: int
    source: int
    partition: Partition | None
    size_bytes: int
    is_first_part: bool = False
    """Whether only the first `size_bytes` are read: a sample of a file that cannot be divided."""


@dataclass
class UnitReport:
    """What happened while a unit was read."""

    read_bytes: int = 0
    invalid_sequences: int = 0
    skipped: int = 0
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Text:
    """One or more corpora, or texts that are in memory. Small unless it holds texts, immutable, picklable."""

    title: str
    sources: tuple[Corpus | tuple[str, ...], ...]
    sample_bytes: int | None = None

    @property
    def bytes(self) -> int:
        """Size of all files on disk, and of the texts."""
        return sum(_size(each) for each in self.sources)

    @property
    def read_bytes(self) -> int:
        """How much of that is read, at most."""
        return sum(unit.size_bytes for unit in self.units())

    def files(self) -> list[tuple[str, int]]:
        """Name and size of each file, of a text its title."""
        found: list[tuple[str, int]] = []
        for source in self.sources:
            if isinstance(source, Corpus):
                found += [(Path(file.path).name, file.size_bytes) for file in source.files]
            else:
                found.append((self.title, _size(source)))
        return found

    def units(self) -> list[Unit]:
        """The units in their order: all, or a sample spread over the text. Depends on the text alone."""
        size = min(max(self.bytes / UNITS, LEAST_UNIT_BYTES), MOST_UNIT_BYTES)
        sampled = self.sample_bytes if self.sample_bytes is not None and self.sample_bytes < self.bytes else None
        if sampled is not None:
            size = min(size, max(sampled / SAMPLED_PARTS, LEAST_SAMPLED_BYTES))
        found: list[Unit] = []
        for number, source in enumerate(self.sources):
            if isinstance(source, Corpus):
                if sampled is None:
                    found += [Unit(0, number, part, part.size_bytes) for part in partitions(source, size)]
                else:
                    found += _sampled(number, source, size, sampled * source.bytes / self.bytes)
            else:
                found.append(Unit(0, number, None, _size(source)))
        return [replace(unit, index=index) for index, unit in enumerate(found)]


def _sampled(source: int, corpus: Corpus, size: float, most: float) -> list[Unit]:
    """About `most` bytes: some of the parts of about `size` bytes, of larger ones their beginnings."""
    # Where its row groups begin is not known here: most small parts would have none.
    whole = max((file.size_bytes for file in corpus.files if file.format == "parquet"), default=0)
    chosen = sample(partitions(corpus, max(size, whole)), most, seed=0)
    share = most / max(sum(part.size_bytes for part in chosen), 1)
    if share > MOST_SURPLUS_SHARE:
        return [Unit(0, source, part, part.size_bytes) for part in chosen]
    return [Unit(0, source, part, max(round(share * part.size_bytes), 1), is_first_part=True) for part in chosen]


@dataclass(frozen=True)
class Reading:
    """How a text is read: split as `options` allow, with a share held out, and invalid bytes replaced or their lines skipped."""

    text: Text
    options: str
    held_out_share: float = 0.0
    skip_invalid: bool = False

    def pieces(self, unit: Unit, report: UnitReport) -> Iterator[tuple[list[bytes] | list[str], list[str]]]:
        """What to train on (bytes of files as they are, or documents), and the held-out texts, some at a time.

        Raises LoadFailed for a file that is gone, damaged or has changed, BadValue for one that cannot be split.
        """
        done = 0.0
        for train, out in self._pieces(unit, report):
            before = done
            done = max(report.read_bytes, done + sum(map(len, train)) / MOST_PACKED)
            if not unit.is_first_part or done <= unit.size_bytes:
                yield train, out
                continue
            report.read_bytes = unit.size_bytes
            share = (unit.size_bytes - before) / (done - before)
            yield self._first(train, share), self._first_texts(out, share)
            return

    def _first(self, train: list[bytes] | list[str], share: float) -> list[bytes] | list[str]:
        """About a share of what one step read, so that small samples of large files stay small."""
        points, found = split_points(self.options), []
        for piece in train:
            if isinstance(piece, bytes):
                found.append(piece[: points.last(piece, math.ceil(share * len(piece))) or len(piece)])
        return found or [each for each in train if isinstance(each, str)][: math.ceil(share * len(train))]

    def _first_texts(self, texts: list[str], share: float) -> list[str]:
        """The same of held-out texts: of several the first ones, of a single one its beginning."""
        if len(texts) != 1:
            return texts[: math.ceil(share * len(texts))]
        points, data = split_points(self.options), texts[0].encode("utf-8", "surrogatepass")
        return [data[: points.last(data, math.ceil(share * len(data))) or 0].decode("utf-8", "surrogatepass")]

    def _pieces(self, unit: Unit, report: UnitReport) -> Iterator[tuple[list[bytes] | list[str], list[str]]]:
        points = split_points(self.options)
        share = min(self.held_out_share, MOST_HELD_OUT_BYTES / max(self.text.bytes, 1))
        least = min(LEAST_HELD_OUT_BYTES, share * unit.size_bytes / 2)
        held = HeldOut(share, least, unit.index)
        source = self.text.sources[unit.source]
        if not isinstance(source, Corpus):
            yield from self._documents(source, held)
            report.read_bytes = unit.size_bytes
            return
        assert unit.partition is not None
        if source.cleaning:
            yield from self._rows(source, unit.partition, held, report)
            return
        alone = unit.partition.end_file - unit.partition.first_file == 1
        for index in range(unit.partition.first_file, unit.partition.end_file):
            file = source.files[index]
            start, end = (unit.partition.start, unit.partition.end) if alone else (0, file.size_bytes)
            if file.format in RAW:
                yield from self._raw(file, start, end, held, points, report)
            else:
                part = Partition(0, index, index + 1, start, end, end - start)
                yield from self._rows(source, part, held, report)

    def _raw(
        self, file: CorpusFile, start: int, end: int, held: HeldOut, points: SplitPoints, report: UnitReport
    ) -> Iterator[tuple[list[bytes] | list[str], list[str]]]:
        before, size = report.read_bytes, end - start
        found = ReadReport()
        if start or end < file.size_bytes:
            start, end = (place_near(partial(_read, file), file.size_bytes, at, points) for at in (start, end))
        with opened(file, found, start) as stream:
            limited = stream if end >= file.size_bytes else _Limited(stream, end - start)
            for number, window in enumerate(windows(limited, points, file.path)):
                text = window.removeprefix(MARK) if not number and not start else window
                report.read_bytes = before + min(found.read_bytes, size)
                if points.each_line_is_a_text:
                    yield from self._documents(points.lines(cleaned(text, self.skip_invalid, report)), held)
                    continue
                train, out = held.parts(text, points)
                yield train, [cleaned(out, self.skip_invalid, report)] if out else []
        report.invalid_sequences += found.replaced_characters
        report.read_bytes = before + size

    def _rows(
        self, corpus: Corpus, part: Partition, held: HeldOut, report: UnitReport
    ) -> Iterator[tuple[list[str], list[str]]]:
        before, invalid, skipped = report.read_bytes, report.invalid_sequences, report.skipped
        found = ReadReport()
        for batch in batches(corpus, part, BATCH_BYTES, report=found):
            report.read_bytes = before + found.read_bytes
            report.invalid_sequences = invalid + found.replaced_characters
            documents = batch.strings()
            if self.skip_invalid:
                kept = [each for each in documents if REPLACEMENT not in each]
                report.skipped = skipped = skipped + len(documents) - len(kept)
                documents = kept
            yield from self._documents(documents, held)
        report.notes += [f"{place.place}: {place.reason}" for place in found.places]
        report.skipped = skipped + found.skipped
        report.read_bytes = before + part.size_bytes

    def _documents(self, documents: Sequence[str], held: HeldOut) -> Iterator[tuple[list[str], list[str]]]:
        if not self.held_out_share:
            yield list(documents), []
            return
        out = [held.takes(len(each.encode("utf-8", "replace"))) for each in documents]
        yield (
            [each for each, taken in zip(documents, out, strict=True) if not taken],
            [each for each, taken in zip(documents, out, strict=True) if taken],
        )


def cleaned(data: bytes, skip_invalid: bool, report: UnitReport) -> str:
    """Bytes as text: invalid sequences become U+FFFD, or their lines are left out; both are counted.

    >>> report = UnitReport()
    >>> cleaned(b"a\\nb\\xff\\nc", True, report), report.invalid_sequences
    ('a\\nc', 1)
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        lines = data.splitlines(keepends=True) if skip_invalid else [data]
        kept = []
        for line in lines:
            text = line.decode(errors="replace")
            invalid = text.count(REPLACEMENT) - line.count(REPLACEMENT.encode())
            report.invalid_sequences += invalid
            if not (skip_invalid and invalid):
                kept.append(text)
        return "".join(kept)


def files_text(paths: Sequence[str | Path], column: str | None = None) -> Text:
    """The text of files, folders and patterns. Raises BadRequest, BadValue and LoadFailed as `describe` does."""
    corpus = describe(paths, text_column=column, language_column=NO_COLUMN, known=_unread)
    return Text(corpus.title, (corpus,))


def texts_text(texts: Iterable[str], title: str = "Texts") -> Text:
    """Texts that are in memory. Raises BadValue for what is no text or holds half a surrogate pair."""
    found = tuple(texts)
    for number, each in enumerate(found):
        if not isinstance(each, str):
            raise BadValue(f"text {number} is {type(each).__name__}", "give strings")
        try:
            each.encode()
        except UnicodeEncodeError as error:
            raise BadValue(
                f"text {number} holds half of a surrogate pair at character {error.start}", "give whole characters"
            ) from None
    return Text(title, (found,))


def first_part(text: Text, most: int, check: Callable[[], None] = lambda: None) -> bytes:
    """The first bytes of a text: at most `most` of UTF-8, without invalid ones. `check` may raise, to stop.

    >>> first_part(texts_text(["naïve", "words"]), 3)
    b'na'
    """
    reading = Reading(text, TrainingOptions("bpe").as_json())
    found = bytearray()
    for pieces in (pieces for unit in text.units() for pieces, _ in reading.pieces(unit, UnitReport())):
        check()
        for piece in pieces:
            found += piece if isinstance(piece, bytes) else piece.encode("utf-8", "replace")
        if len(found) >= most:
            break
    return bytes(found[:most]).decode("utf-8", "ignore").encode()


@cache
def practice_text(name: str) -> Text:
    """A text that is on every machine: Python's documentation, its standard library, or both. Raises BadValue."""
    if name not in PRACTICE:
        raise BadValue(f'there is no practice corpus "{name}"', f"choose among {', '.join(PRACTICE)}")
    topics, sources = builtin.python_files()
    wanted = {"topics": [topics], "library": sources, "python": [topics, *sources]}[name]
    corpus = describe(wanted, title=PRACTICE[name], known=_unread)
    files = tuple(replace(file, format="topics") if file.path == str(topics) else file for file in corpus.files)
    return Text(PRACTICE[name], (replace(corpus, files=files),))


def together(texts: Sequence[Text]) -> Text:
    """Several texts as one."""
    if len(texts) == 1:
        return texts[0]
    more = len(texts) - 1
    return Text(f"{texts[0].title} and {more} more", tuple(each for text in texts for each in text.sources))


def _unread(path: str, size_bytes: int, modified_ns: int) -> str:
    """In place of a digest, which would read every file once more."""
    return f"{size_bytes}-{modified_ns}"


def _size(source: Corpus | tuple[str, ...]) -> int:
    return source.bytes if isinstance(source, Corpus) else sum(len(each.encode()) for each in source)


def _read(file: CorpusFile, start: int, size: int) -> bytes:
    try:
        with Path(file.path).open("rb", buffering=0) as stream:
            stream.seek(start)
            return stream.read(size)
    except OSError as error:
        raise damaged(file, reason(error)) from error


class _Limited:
    """The first bytes of a stream."""

    def __init__(self, stream: Readable, size: int) -> None:
        self._stream = stream
        self._left = size

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        read = self._stream.read(min(size, self._left)) if self._left > 0 else b""
        self._left -= len(read)
        return read
