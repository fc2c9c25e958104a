"""Occurrences and segmentations in a corpus, beside the obvious search of all of it."""

import math
import re
from collections import Counter
from pathlib import Path

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Cancelled, DecodeFailed, NotFound
from lab_app.jobs.job import Job, Running
from lab_app.services.corpora import concordance as service
from lab_app.services.corpora.concordance import Page, Query, concordance, occurrence, word_segmentations
from lab_app.services.corpora.corpora import CorpusOptions, add
from lab_app.services.lab import Lab
from lab_app.settings import Settings

LINES = [
    "the cat saw the cats; the end" if number % 3 else f"{number}: catalog of cats, the 日本 cat\u0301 café"
    for number in range(40)
]
LINES += ["", "last: the"]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path / "data"))


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Several parts, several batches in each."""
    monkeypatch.setattr(service, "PART_BYTES", 400)
    real = service.batches
    monkeypatch.setattr(service, "batches", lambda corpus, part: real(corpus, part, 150))
    (tmp_path / "some.txt").write_text("\n".join(LINES), encoding="utf-8")
    return str(tmp_path / "some.txt")


def running() -> Running:
    return Running(Job("1", "concordance", "a search", "bytes"))


def all_places(id: int) -> list[tuple[int, int, int]]:
    """Document from 1, first byte, end byte: every document is encoded alone."""
    tokenizer = Tokenizer.builtin("gpt2")
    found = []
    for number, line in enumerate((line for line in LINES if line), 1):
        encoding = tokenizer.encode(line, add_special_tokens=False)
        for one, (start, end) in zip(encoding.ids.tolist(), encoding.span_utf8.tolist(), strict=True):
            if one == id:
                found.append((number, start, end))
    return found


@pytest.mark.parametrize("limit", [1, 3, 1000])
@pytest.mark.parametrize("max_bytes", [1, None])
def test_pages_together_are_all_occurrences(lab: Lab, corpus: str, limit: int, max_bytes: float | None):
    expected = all_places(262)
    found, start, pages = [], None, 0
    while True:
        page = concordance(lab, "gpt2", corpus, Query(id=262), Page(start, limit, max_bytes=max_bytes), running())
        assert len(page.occurrences) <= limit and page.more == (page.next is not None)
        found += [(each.document, each.start_utf8, each.end_utf8) for each in page.occurrences]
        pages += 1
        if page.next is None:
            break
        start = page.next
    assert found == expected and len(expected) > 40
    assert pages > 3 or limit == 1000


def test_context_and_what_was_found(lab: Lab, corpus: str):
    page = concordance(lab, "GPT2", corpus, Query(token="Ġcats"), Page(context=5), running())
    assert (page.tokenizer, page.found.text, page.found.bytes) == ("gpt2", " cats", b" cats".hex())
    first, second = page.occurrences[:2]
    assert (first.document, first.before, first.text, first.after) == (1, "og of", " cats", ", the")
    assert (second.document, second.before, second.after) == (2, "w the", "; the") and not second.is_partial


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 1, ("", "é", "日本x", True)),
        (2, 5, ("é", "日", "本x", False)),
        (4, 6, ("é", "日本", "x", True)),
        (9, 9, ("é日本x"[-3:], "", "", False)),
    ],
)
def test_no_character_is_divided(start: int, end: int, expected: tuple):
    found = occurrence("é日本x".encode(), start, end, 1, 3)
    assert (found.before, found.text, found.after, found.is_partial) == expected


def test_words(lab: Lab, corpus: str):
    page = concordance(lab, "gpt2", corpus, Query(word="cat"), Page(limit=1000), running())
    documents = [line for line in LINES if line]
    expected = [
        (number, len(line[: found.start()].encode()))
        for number, line in enumerate(documents, 1)
        for found in re.finditer("cat(?![\\w\u0301])", line)
    ]
    assert [(each.document, each.start_utf8) for each in page.occurrences] == expected and expected
    assert page.found.id is None and {each.text for each in page.occurrences} == {"cat"}


def test_segmentations_are_counted_over_the_whole_corpus(lab: Lab, corpus: str):
    found = word_segmentations(lab, "gpt2", corpus, "the", running())
    tokenizer = Tokenizer.builtin("gpt2")
    expected: Counter[tuple[int, ...]] = Counter()
    for line in LINES:
        for match in re.finditer(r"\bthe\b", line):
            encoding = tokenizer.encode(line)
            spans = encoding.span_utf8
            start, end = (len(line[:at].encode()) for at in match.span())
            expected[tuple(encoding.ids[(spans[:, 0] < end) & (spans[:, 1] > start)].tolist())] += 1
    assert {tuple(each.ids): each.count for each in found.segmentations} == expected
    assert (found.occurrences, found.distinct, found.more) == (sum(expected.values()), len(expected), False)
    assert sum(each.share for each in found.segmentations) == pytest.approx(1)
    assert found.segmentations[0].tokens == ["Ġthe"]
    assert found.segmentations[-1].example.text == "the"
    part = word_segmentations(lab, "gpt2", corpus, "the", running(), max_bytes=100)
    assert part.more and part.occurrences < found.occurrences


def test_a_word_that_does_not_occur(lab: Lab, corpus: str):
    found = word_segmentations(lab, "gpt2", corpus, "zebra", running())
    assert (found.occurrences, found.segmentations, found.more) == (0, [], False)
    page = concordance(lab, "gpt2", corpus, Query(word="zebra"), Page(), running())
    assert (page.occurrences, page.next, page.more) == ([], None, False)


def test_wrong_questions_are_refused(lab: Lab, corpus: str, tmp_path: Path):
    for query, page, error, problem in [
        (Query(), Page(), BadValue, "exactly one"),
        (Query(id=1, word="a"), Page(), BadValue, "exactly one"),
        (Query(word=""), Page(), BadValue, "empty"),
        (Query(token="no such token"), Page(), NotFound, "not in the vocabulary"),
        (Query(id=60_000), Page(), DecodeFailed, "60000"),
        (Query(id=1), Page(limit=0), BadValue, "limit is 0"),
        (Query(id=1), Page(context=5000), BadValue, "context is 5000"),
        (Query(id=1), Page(start="odd"), BadValue, "another corpus"),
        (Query(id=1), Page(max_bytes=math.inf), BadValue, "max_bytes is inf"),
        (Query(id=1), Page(max_bytes=math.nan), BadValue, "max_bytes is nan"),
        (Query(id=1), Page(max_bytes=0), BadValue, "max_bytes is 0"),
    ]:
        with pytest.raises(error, match=problem):
            concordance(lab, "gpt2", corpus, query, page, running())
    with pytest.raises(BadValue, match="max_bytes is inf"):
        word_segmentations(lab, "gpt2", corpus, "cat", running(), max_bytes=math.inf)
    following = concordance(lab, "gpt2", corpus, Query(id=262), Page(limit=1), running()).next
    assert following is not None
    with pytest.raises(BadValue, match="no start of a page"):
        concordance(lab, "gpt2", corpus, Query(id=262), Page(following.rpartition(".")[0]), running())
    Path(corpus).write_text("another text with the same name")
    with pytest.raises(BadValue, match="another corpus"):
        concordance(lab, "gpt2", corpus, Query(id=262), Page(following), running())


def test_a_search_stops_when_nobody_asks_any_more(lab: Lab, corpus: str):
    stopped = running()
    stopped.cancel()
    with pytest.raises(Cancelled):
        concordance(lab, "gpt2", corpus, Query(word="zebra"), Page(), stopped)


def test_an_occurrence_names_the_language_of_its_document(lab: Lab, tmp_path: Path):
    (tmp_path / "lines.tsv").write_text("text\tlanguage\nthe cat\teng\nder Hund\tdeu\nthe cat\tnld\n", encoding="utf-8")
    described = add(lab, [str(tmp_path / "lines.tsv")], CorpusOptions(text_column="text", language_column="language"))
    found = concordance(lab, "gpt2", described.id, Query(word="cat"), Page(), running())
    assert [(each.document, each.language) for each in found.occurrences] == [(1, "eng"), (3, "nld")]
    [one] = word_segmentations(lab, "gpt2", described.id, "Hund", running()).segmentations
    assert one.example.language == "deu"
