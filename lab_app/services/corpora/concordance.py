"""Finds a token or a word in a corpus: its occurrences in context, page by page, and how a word was segmented.

Whole documents are encoded, streamed, and nothing is kept between pages: a page ends with the place where the next one
starts. Special tokens are not looked for; text that spells one is ordinary text. Not here: finding in one batch (the engine).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab_app.corpora.batch import Batch
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.options import Page, Query
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.engine import Tokenizer, occurrences, segmentations, word_places
from lab_app.errors import BadValue, NotFound, plain_number
from lab_app.jobs.job import Running
from lab_app.options import check_options
from lab_app.services.corpora.corpora import language_in, named_corpus
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab

PART_BYTES = 4e6
"""A page starts reading at the start of such a part of the corpus."""
MAX_SEGMENTATIONS = 100
ALL = 2**32 - 1


@dataclass(frozen=True)
class Found:
    """What was looked for."""

    id: int | None
    """None for a word."""
    text: str | None
    """None for a token that is part of a character."""
    bytes: str
    """Lower-case hex."""


@dataclass(frozen=True)
class Occurrence:
    """One occurrence. `before` and `after` are text of the same document."""

    document: int
    """Of the corpus, counted from 1, empty documents left out."""
    language: str | None
    """Of the document; None where the corpus names no languages."""
    start_utf8: int
    """First byte in the document."""
    end_utf8: int
    before: str
    text: str
    """The characters of which the token holds bytes."""
    after: str
    is_partial: bool
    """Whether the token holds only some bytes of its first or last character."""


@dataclass(frozen=True)
class Concordance:
    """One page of occurrences, in the order of the corpus."""

    corpus: str
    corpus_sha256: str
    tokenizer: str
    found: Found
    occurrences: list[Occurrence]
    next: str | None
    """Where the next page starts; None at the end of the corpus."""
    more: bool
    """Whether a part of the corpus was not searched yet: the page is full, or enough text was read."""
    searched_bytes: int
    """UTF-8 bytes that this page read."""
    corpus_bytes: int
    """Size of the corpus on disk."""


@dataclass(frozen=True)
class WordSegmentation:
    """One segmentation of a word, with the first place that has it."""

    ids: list[int]
    tokens: list[str]
    """As the vocabulary spells them; the first and the last may hold text around the word, such as the space before."""
    count: int
    share: float
    """Of all occurrences that were found, in (0, 1]."""
    example: Occurrence


@dataclass(frozen=True)
class WordSegmentations:
    """How a word is segmented in context, the most frequent segmentation first."""

    corpus: str
    corpus_sha256: str
    tokenizer: str
    word: str
    occurrences: int
    distinct: int
    """Segmentations that were found; at most 100 of them are in `segmentations`."""
    segmentations: list[WordSegmentation]
    more: bool
    """Whether a part of the corpus was not searched."""
    searched_bytes: int
    corpus_bytes: int


Place = tuple[int, int, int]
"""Document of the batch, first byte and end byte in it."""
Places = Callable[[Batch], list[Place]]
"""All places of a batch, in the order of the text."""


def concordance(lab: Lab, id: str, corpus: str, query: Query, page: Page, running: Running) -> Concordance:
    """A page of the occurrences of a token or a word.

    A word occurs where its spelling is not next to another letter, mark or number. Raises NotFound for a tokenizer, corpus
    or token that does not exist, BadValue for a query or a page that cannot be, LoadFailed for a corpus that changed,
    Cancelled.
    """
    check_options(query)
    check_options(page)
    _check_size(page.max_bytes)
    entry, tokenizer = lab.loaded.get(id)
    found = _found(tokenizer, query)
    described = named_corpus(lab, [corpus])
    search = _Search(described, _Start.of(page.start, described), page.max_bytes, running)
    kept: list[Occurrence] = []
    following = None
    for hit in search.hits(_places(tokenizer, found)):
        if len(kept) == page.limit:
            following = hit.here
            break
        kept.append(occurrence(hit.document, hit.start, hit.end, hit.number, page.context, hit.language))
    following = following or search.stopped
    return Concordance(
        corpus=described.id,
        corpus_sha256=described.sha256,
        tokenizer=entry.id,
        found=found,
        occurrences=kept,
        next=None if following is None else following.numbered(described),
        more=following is not None,
        searched_bytes=search.searched,
        corpus_bytes=described.bytes,
    )


def word_segmentations(
    lab: Lab, id: str, corpus: str, word: str, running: Running, *, max_bytes: float | None = Page.max_bytes
) -> WordSegmentations:
    """Every segmentation of a word in the corpus, with counts. Raises what `concordance` raises."""
    _check_size(max_bytes)
    if not word:
        raise BadValue("the word is empty", "give a word")
    entry, tokenizer = lab.loaded.get(id)
    described = named_corpus(lab, [corpus])
    counts: dict[tuple[int, ...], int] = {}
    examples: dict[tuple[int, ...], Occurrence] = {}
    search = _Search(described, _Start(0, 0, 0, 0), max_bytes, running)
    for _, documents_before, batch in search.batches():
        if word.encode() not in batch.text:
            continue
        with translate_engine_errors():
            found = segmentations(tokenizer, batch.text, batch.ends, word.encode(), ALL)
        for ids, count, number, at in found:
            key = tuple(ids)
            counts[key] = counts.get(key, 0) + count
            if key not in examples:
                document, end = _document(batch, number), at + len(word.encode())
                language = language_in(described, batch, number)
                number += documents_before + batch.first_document + 1
                examples[key] = occurrence(document, at, end, number, Page.context, language)
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return WordSegmentations(
        corpus=described.id,
        corpus_sha256=described.sha256,
        tokenizer=entry.id,
        word=word,
        occurrences=total,
        distinct=len(counts),
        segmentations=[
            WordSegmentation(
                list(ids), [tokenizer.id_to_token(one) or "" for one in ids], count, count / total, examples[ids]
            )
            for ids, count in ordered[:MAX_SEGMENTATIONS]
        ],
        more=search.stopped is not None,
        searched_bytes=search.searched,
        corpus_bytes=described.bytes,
    )


def occurrence(
    document: bytes, start: int, end: int, number: int, context: int, language: str | None = None
) -> Occurrence:
    """The bytes `start` to `end` of a document with `context` characters around them, no character divided.

    >>> occurrence("say 日本!".encode(), 5, 7, 1, 3)
    Occurrence(document=1, language=None, start_utf8=5, end_utf8=7, before='ay ', text='日', after='本!', is_partial=True)
    """
    whole_start, whole_end = start, end
    while whole_start > 0 and _inside(document, whole_start):
        whole_start -= 1
    while whole_end < len(document) and _inside(document, whole_end):
        whole_end += 1
    # A character has at most four bytes; those that the slice divides are dropped by "ignore".
    before = document[max(0, whole_start - 4 * context) : whole_start].decode(errors="ignore")
    after = document[whole_end : whole_end + 4 * context].decode(errors="ignore")
    return Occurrence(
        document=number,
        language=language,
        start_utf8=start,
        end_utf8=end,
        before=before[len(before) - context :] if len(before) > context else before,
        text=document[whole_start:whole_end].decode(),
        after=after[:context],
        is_partial=(whole_start, whole_end) != (start, end),
    )


@dataclass(frozen=True)
class _Start:
    """Where a page starts: a part of the corpus, the documents before it, a document of the part, occurrences to skip."""

    part: int
    documents_before: int
    document: int
    skip: int

    @classmethod
    def of(cls, text: str | None, corpus: Corpus) -> "_Start":
        if text is None:
            return cls(0, 0, 0, 0)
        digest, _, numbers = text.partition(":")
        if digest != corpus.sha256[:12]:
            raise BadValue(f'the page "{text:.60}" is of another corpus', "start again without it")
        parts = numbers.split(".")
        if len(parts) != 4 or not all(each.isascii() and each.isdecimal() and len(each) < 16 for each in parts):
            raise BadValue(f'"{text:.60}" is no start of a page', "use the `next` of the page before")
        return cls(*map(int, parts))

    def numbered(self, corpus: Corpus) -> str:
        return f"{corpus.sha256[:12]}:{self.part}.{self.documents_before}.{self.document}.{self.skip}"


@dataclass(frozen=True)
class _Hit:
    here: _Start
    """A page that starts here has this hit as its first one."""
    number: int
    language: str | None
    document: bytes
    start: int
    end: int


class _Search:
    """Reads a corpus from a start on. After it, `stopped` is where it stopped after `max_bytes`, None at the end."""

    def __init__(self, corpus: Corpus, start: _Start, max_bytes: float | None, running: Running) -> None:
        self._corpus = corpus
        self._start = start
        self._max_bytes = max_bytes
        self._running = running
        self.searched = 0
        self.stopped: _Start | None = None

    def batches(self) -> Iterator[tuple[int, int, Batch]]:
        """Part, documents of the corpus before the part, batch. Raises Cancelled."""
        before = self._start.documents_before
        for part in partitions(self._corpus, PART_BYTES)[self._start.part :]:
            documents = 0
            for batch in batches(self._corpus, part):
                self._running.report(self.searched, None, "searching")
                documents = batch.first_document + batch.documents
                if part.index == self._start.part and documents <= self._start.document:
                    continue
                if self._max_bytes is not None and self.searched >= self._max_bytes:
                    self.stopped = _Start(part.index, before, batch.first_document, 0)
                    return
                self.searched += len(batch.text)
                yield part.index, before, batch
            before += documents

    def hits(self, places: Places) -> Iterator[_Hit]:
        """Every place from the start on."""
        for part, before, batch in self.batches():
            last, nth = -1, 0
            for number, start, end in places(batch):
                nth = nth + 1 if number == last else 0
                last = number
                here = _Start(part, before, batch.first_document + number, nth)
                if part > self._start.part or (here.document, nth) >= (self._start.document, self._start.skip):
                    document = _document(batch, number)
                    language = language_in(self._corpus, batch, number)
                    yield _Hit(here, before + here.document + 1, language, document, start, end)


def _check_size(max_bytes: float | None) -> None:
    if max_bytes is not None and not 0 < max_bytes < math.inf:
        raise BadValue(
            f"max_bytes is {plain_number(max_bytes)}",
            "give a number above 0, or leave it out to search all of the corpus",
        )


def _found(tokenizer: Tokenizer, query: Query) -> Found:
    if sum(each is not None for each in (query.id, query.token, query.word)) != 1:
        raise BadValue("one of id, token and word is needed", "give exactly one of them")
    if query.word is not None:
        if not query.word:
            raise BadValue("the word is empty", "give a word")
        return Found(None, query.word, query.word.encode().hex())
    id = query.id
    if query.token is not None:
        id = tokenizer.token_to_id(query.token)
        if id is None:
            raise NotFound(f'"{query.token:.80}" is not in the vocabulary', "search for it in the Vocabulary")
    with translate_engine_errors():
        return Found(id, tokenizer.token_text(id or 0), tokenizer.token_bytes(id or 0).hex())


def _places(tokenizer: Tokenizer, found: Found) -> Places:
    id, word = found.id, found.text or ""

    def of(batch: Batch) -> list[Place]:
        if id is None:
            return word_places(batch.text, batch.ends, word)
        columns = occurrences(tokenizer, batch.text, batch.ends, id, ALL)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    return of


def _document(batch: Batch, number: int) -> bytes:
    start = int(batch.ends[number - 1]) if number else 0
    return batch.text[start : int(batch.ends[number])]


def _inside(document: bytes, at: int) -> bool:
    return at < len(document) and document[at] & 0xC0 == 0x80
