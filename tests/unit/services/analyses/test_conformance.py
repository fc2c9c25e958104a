"""The comparison with reference libraries: equal where they agree, and a planted difference found and shrunk."""

from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Cancelled, NotFound, Unavailable
from lab_app.jobs.job import Job, Running
from lab_app.peers import registry, tiktoken
from lab_app.services.analyses import conformance as service
from lab_app.services.analyses.conformance import ConformanceOptions, conformance
from lab_app.services.corpora.corpora import corpus
from lab_app.services.corpora.texts import corpus_texts
from lab_app.services.lab import Lab
from lab_app.settings import Settings

FEW = ConformanceOptions(("tiktoken",), texts=150)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path / "data"))


def running() -> Running:
    return Running(Job("1", "conformance", "a comparison", "bytes"))


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch):
    """Puts a mistake into the ids of tiktoken."""

    def make(mistake):
        real = tiktoken.load

        def load(files, threads):
            calls = real(files, threads)

            def batch(texts):
                return [mistake(text, ids) for text, ids in zip(texts, calls.batch(texts), strict=True)]

            return replace(calls, batch=batch)

        monkeypatch.setattr(tiktoken, "load", load)

    return make


def test_both_libraries_agree_on_gpt2(lab: Lab):
    found = conformance(lab, "GPT2", ConformanceOptions(texts=150), running())
    assert found.same is True and found.tokenizer == "gpt2"
    assert [each.reference for each in found.against] == ["tiktoken", "tokenizers"]
    for each in found.against:
        (texts,) = each.compared
        assert texts.documents == texts.equal > 150 and texts.different == 0 and texts.bytes > 10_000
        assert each.version and not each.smallest
    assert "sentencepiece" in {left.what for left in found.not_compared}


def test_generating_stops_when_the_job_is_cancelled(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    stopped = running()
    made = []

    def texts(count, *_):
        for number in range(count):
            made.append(number)
            stopped.cancel()
            yield "a text"

    monkeypatch.setattr(service, "texts", texts)
    with pytest.raises(Cancelled):
        conformance(lab, "gpt2", replace(FEW, texts=100_000), stopped)
    assert len(made) <= 2 * service.BATCH  # some to know how long they are, and the first ones


def test_the_progress_rises_to_its_end(lab: Lab, tmp_path: Path):
    path = tmp_path / "corpus.txt"
    path.write_text("a line of the corpus\n" * 500, encoding="utf-8")
    seen = []
    watched = running()
    with watched.watched(lambda: seen.append((watched.job.done, watched.job.total))):
        found = conformance(lab, "gpt2", replace(FEW, texts=1000, corpus=str(path)), watched)
    done, totals = [done for done, _ in seen], {total for _, total in seen}
    assert done == sorted(done) and len(totals) == 1 and done[-1] == totals.pop()
    compared = sum(texts.bytes for texts in found.against[0].compared)
    assert 0.8 < done[-1] / compared < 1.25  # bytes of text; how many will be generated is an estimate


def test_a_planted_difference_is_shrunk_to_the_smallest_text(lab: Lab, mistaken):
    mistaken(lambda text, ids: ids[:-1] if "\t" in text and any(each in "123" for each in text) else ids)
    found = conformance(lab, "gpt2", replace(FEW, texts=2500), running())
    assert found.same is False
    (texts,) = found.against[0].compared
    assert texts.different > 3 and texts.equal + texts.different == texts.documents
    smallest = found.against[0].smallest
    assert smallest and all(sorted(each.text) in (["\t", digit] for digit in "123") for each in smallest)
    tokenizer = Tokenizer.builtin("gpt2")
    for each in smallest:
        assert each.ours == tokenizer.encode_ids(each.text).tolist() and each.theirs == each.ours[:-1]


def test_a_library_that_fails_on_a_text_differs_there(lab: Lab, mistaken):
    def fail(text, ids):
        if "\x00" in text:
            raise OverflowError("a zero")
        return ids

    mistaken(fail)
    found = conformance(lab, "gpt2", replace(FEW, texts=400), running())
    first = found.against[0].smallest[0]
    assert (first.text, first.theirs, first.problem) == ("\x00", None, "OverflowError: a zero")
    assert found.against[0].compared[0].equal > 100


def test_only_ten_differences_are_shown_and_the_others_counted(lab: Lab, mistaken):
    mistaken(lambda text, ids: [*ids, len(text)])
    found = conformance(lab, "gpt2", FEW, running())
    (texts,) = found.against[0].compared
    # All shrink to the empty text, which is shown once.
    assert [each.text for each in found.against[0].smallest] == [""] and texts.equal == 0


def test_documents_of_a_corpus_and_a_sample_of_them(lab: Lab, tmp_path: Path, mistaken):
    lines = [f"line {number} of the corpus, naïve 日本語" for number in range(20_000)]
    lines[19_999] = "the last one has a \x07 bell"
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    mistaken(lambda text, ids: [] if "\x07" in text else ids)
    options = replace(FEW, texts=0, corpus=str(path), sample_bytes=None)
    found = conformance(lab, "gpt2", options, running())
    _, texts = found.against[0].compared
    assert (texts.documents, texts.different) == (20_000, 1)
    (smallest,) = found.against[0].smallest
    assert (smallest.text, smallest.source, smallest.number) == ("\x07", "corpus.txt", 20_000)
    assert found.corpus_sha256 is not None

    found = conformance(lab, "gpt2", replace(options, sample_bytes=50_000), running())
    assert 500 < found.against[0].compared[1].documents < 10_000
    assert any(left.what == "corpus.txt" and "a sample of" in left.reason for left in found.not_compared)


def test_long_documents_are_compared_in_part_and_it_says_so(lab: Lab, tmp_path: Path):
    path = tmp_path / "corpus.txt"
    path.write_text("word " * 30_000)
    found = conformance(lab, "gpt2", replace(FEW, texts=0, corpus=str(path)), running())
    assert found.same and found.against[0].compared[1].bytes == service.MAX_CHARACTERS
    assert found.not_compared[-1].what == "1 document"


def test_what_cannot_be_compared_is_refused_before_the_work(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    for options, problem in [
        (replace(FEW, against=("spacy",)), "no reference library"),
        (replace(FEW, against=("sentencepiece",)), "cannot read this tokenizer"),
        (replace(FEW, texts=-1), "texts is -1"),
        (replace(FEW, texts=0), "nothing to compare"),
        (replace(FEW, specials="reject"), "reject"),
    ]:
        with pytest.raises(BadValue, match=problem):
            service.start_conformance(lab, "gpt2", options)
    with pytest.raises(NotFound):
        conformance(lab, "unheard-of", FEW, running())
    monkeypatch.setattr(registry, "version", lambda name: None)
    with pytest.raises(Unavailable, match="pip install tiktoken"):
        conformance(lab, "gpt2", FEW, running())
    found = conformance(lab, "gpt2", replace(FEW, against=None), running())
    assert found.same is None and not found.against
    assert "not installed: pip install tiktoken" in {left.reason for left in found.not_compared}


def test_a_job_reports_and_can_be_stopped(lab: Lab, mistaken):
    job = service.start_conformance(lab, "gpt2", FEW)
    ended = lab.jobs.wait(job.id, 60)
    assert ended.state == "done" and ended.done == ended.total > 10_000 and ended.result.same

    stopped = running()

    def stop(text, ids):
        stopped.cancel()
        return ids

    mistaken(stop)
    with pytest.raises(Cancelled):
        conformance(lab, "gpt2", FEW, stopped)


def test_files_of_the_lab_are_read_by_the_library_itself(lab: Lab, bert_vocab: Path):
    found = conformance(lab, "bert-base-uncased", replace(FEW, against=None), running())
    assert found.same and [each.reference for each in found.against] == ["tokenizers"]


@pytest.mark.parametrize("sample_bytes", [float("nan"), 0.5, -1.0])
def test_a_sample_that_has_no_size(lab: Lab, sample_bytes: float):
    with pytest.raises(BadValue, match="sample_bytes is"):
        corpus_texts(corpus(lab, "udhr"), sample_bytes, 0)
