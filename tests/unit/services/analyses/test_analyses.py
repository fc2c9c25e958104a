"""Analyses end to end: counted, kept, read, run again, compared, stopped, and what goes wrong."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.analysis.corpus.sampling import sample_of
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.describe import describe
from lab_app.errors import BadValue, Conflict, LoadFailed, NotFound, Unavailable
from lab_app.json_text import json_text
from lab_app.reports import analysis_files
from lab_app.services.analyses import analyses, counting
from lab_app.services.analyses.analyses import AnalysisOptions
from lab_app.services.analyses.changes import changes, changes_between
from lab_app.services.corpora import corpora
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from lab_app.store import token_counts
from tests.waiting import until

TEXT = ["the cat sat on the mat", "the dog sat", "1234567 cats"]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path / "data"))


def corpus_of(tmp_path: Path, lines: list[str], name: str = "text.txt") -> Corpus:
    path = tmp_path / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return describe([path], id="small")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path, TEXT)


def run(lab: Lab, corpus: Corpus, *tokenizers: str, **options) -> CorpusResult:
    """Runs a job to its end and loads what it kept."""
    job = lab.jobs.wait(analyses.start(lab, corpus, tokenizers, AnalysisOptions(**options)).id, 60)
    assert job.state == "done", job.error
    return analyses.load(lab, job.result.id)


def test_a_job_counts_and_keeps(lab: Lab, corpus: Corpus):
    found = run(lab, corpus, "GPT2", "cl100k_base")
    gpt2 = found.tokenizers[0]
    expected = [lab.loaded.get("gpt2")[1].encode_ids(line).tolist() for line in TEXT]
    occurrences = Counter(id for ids in expected for id in ids)
    assert (gpt2.tokenizer, gpt2.tokens, gpt2.types) == ("gpt2", occurrences.total(), len(occurrences))
    assert (found.corpus.documents, found.corpus.bytes) == (3, sum(map(len, TEXT)))
    assert gpt2.lengths.max == max(map(len, expected)) and gpt2.round_trip.exact == 1
    assert gpt2.never_seen == 50257 - 1 - gpt2.types  # one token is special
    assert found.agreement[0][1] == found.agreement[1][0] and found.agreement[0][0] == 1
    assert found.not_measured.keys() == {"premium", "parity", "gini", "token_ratios"}
    assert found.command == "tokenlab analyze small -t gpt2 -t cl100k_base --alpha 2.5 --top 20 --all"
    [row] = analyses.list_analyses(lab).analyses
    assert (row.id, row.tokenizers, row.tokens["gpt2"]) == (found.id, ["gpt2", "cl100k_base"], gpt2.tokens)
    assert json.loads(json_text(found))["tokenizers"][0]["zipf"] is None and "50 types" in gpt2.not_measured["zipf"]


def test_the_frequencies_of_a_kept_analysis(lab: Lab, corpus: Corpus):
    found = run(lab, corpus, "gpt2")
    page = analyses.frequencies(lab, found.id, "GPT2", limit=1000)
    assert page.rows[:20] == found.tokenizers[0].frequencies and page.total == found.tokenizers[0].types
    assert page.rows[-1].cumulative == 1 and sum(row.count for row in page.rows) == found.tokenizers[0].tokens
    assert analyses.frequencies(lab, found.id, "gpt2", offset=2, limit=1).rows == page.rows[2:3]
    assert [row.text for row in analyses.frequencies(lab, found.id, "gpt2", search="cat").rows] == [" cat", " cats"]
    unseen = analyses.unseen(lab, found.id, "gpt2", search="elephant")
    assert (
        unseen.total == len(unseen.rows) > 0
        and analyses.unseen(lab, found.id, "gpt2").total == found.tokenizers[0].never_seen
    )
    with pytest.raises(NotFound, match="its tokenizers are gpt2"):
        analyses.frequencies(lab, found.id, "bert-base-uncased")
    with pytest.raises(BadValue, match="rows 0 to 0"):
        analyses.frequencies(lab, found.id, "gpt2", limit=0)


def test_run_again_and_compare(lab: Lab, corpus: Corpus, tmp_path: Path):
    before = run(lab, corpus, "gpt2", "cl100k_base")
    _, options = analyses.stored_options(lab, before.id)
    assert options == AnalysisOptions()
    same = run(lab, corpus, "gpt2", "cl100k_base")
    found = changes(lab, before.id, same.id)
    assert (found.same_text, found.settings, found.metrics) == (True, [], []) and found.compared > 30
    after = run(lab, corpus_of(tmp_path, [*TEXT, "a line more"]), "gpt2", alpha=2.0)
    found = changes(lab, before.id, after.id)
    assert not found.same_text and found.removed_tokenizers == ["cl100k_base"] and not found.added_tokenizers
    assert {"sha256 of the corpus", "documents", "bytes", "alpha"} == {each.name for each in found.settings}
    [tokens] = [each for each in found.metrics if each.metric == "tokens"]
    assert (tokens.before, tokens.difference, tokens.unit) == (before.tokenizers[0].tokens, 3, "tokens")
    other = replace(same, tokenizers=[replace(each, sha256="other") for each in same.tokenizers])
    assert changes_between(before, other).changed_tokenizers == ["gpt2", "cl100k_base"]
    analyses.delete(lab, before.id)
    with pytest.raises(NotFound, match=f"there is no analysis {before.id}"):
        changes(lab, before.id, after.id)
    with pytest.raises(NotFound):
        analyses.delete(lab, before.id)


def test_run_again_cleans_as_before(lab: Lab, tmp_path: Path):
    path = tmp_path / "text.txt"
    path.write_text("twice\ntwice\n", encoding="utf-8")
    corpora.add(lab, [str(path)], corpora.CorpusOptions(id="kept"))
    cleaned = corpora.named_corpus(lab, ["kept"], corpora.CorpusOptions(cleaning=("exact_duplicates",)))
    before = run(lab, cleaned, "gpt2")
    again = lab.jobs.wait(analyses.run_again(lab, before.id).id, 60)
    facts = analyses.load(lab, again.result.id).corpus
    assert facts == before.corpus and (facts.documents, facts.cleaning) == (1, {"exact_duplicates": 1})
    plain = run(lab, corpora.corpus(lab, "kept"), "gpt2")
    assert analyses.stored_options(lab, plain.id)[1] == AnalysisOptions()


def test_files_are_not_run_again_by_the_lab(lab: Lab, tmp_path: Path):
    path = tmp_path / "text.txt"
    path.write_text("some text\n", encoding="utf-8")
    found = run(lab, corpora.named_corpus(lab, [str(path)]), "gpt2")
    with pytest.raises(Conflict, match="was made of files") as caught:
        analyses.run_again(lab, found.id)
    assert "tokenlab analyze text.txt -t gpt2" in caught.value.hint


def test_a_sample_depends_on_its_seed_alone(lab: Lab, tmp_path: Path):
    corpus = corpus_of(tmp_path, [f"line {n} of many" for n in range(4000)])
    first, again, other = (run(lab, corpus, "gpt2", sample_bytes=corpus.bytes // 5, seed=seed) for seed in (1, 1, 2))
    assert first.corpus.sampled == pytest.approx(0.2, abs=0.04) and first.corpus.documents < 1000
    assert first.tokenizers == again.tokenizers != other.tokenizers
    assert "--sample 14178 --seed 1" in first.command
    assert run(lab, corpus, "gpt2", sample_bytes=10**9).corpus.sampled is None


def test_a_small_sample_of_a_large_corpus_reads_a_part_of_it(lab: Lab, tmp_path: Path):
    corpus = corpus_of(tmp_path, [f"line {n} of very many" for n in range(100_000)])
    progress = []
    made = analyses.run_analysis(
        corpus,
        analyses.subjects_of(lab, ["gpt2"]),
        AnalysisOptions(sample_bytes=corpus.bytes // 100),
        lambda done, total, words: progress.append((done, total)),
    )
    assert made.result.corpus.sampled == pytest.approx(0.01, rel=0.3)
    assert progress[-1][0] == progress[-1][1] < corpus.bytes / 5


def test_a_sample_of_files_that_cannot_be_divided_has_its_size(tmp_path: Path):
    path = tmp_path / "one.txt"
    path.write_bytes("".join(f"line {n} of very many\n" for n in range(50_000)).encode("utf-16"))
    other = tmp_path / "two.txt"
    other.write_text("", encoding="utf-8")
    corpus = describe([path, other], id="whole")
    sample = sample_of(corpus, corpus.bytes // 100, 0)
    assert sample.fraction == pytest.approx(0.01, rel=0.01)


def test_the_difference_in_tokens_has_an_interval_however_the_corpus_is_divided(lab: Lab, tmp_path: Path):
    corpus = corpus_of(tmp_path, [f"line {n} of {'many, many ' * (n % 7)}{n * n}" for n in range(3000)])
    subjects = analyses.subjects_of(lab, ["gpt2", "cl100k_base"])
    found = [
        analyses.run_analysis(
            corpus, subjects, AnalysisOptions(), counter=partial(counting.count, partition_bytes=size)
        ).result
        for size in (4000, 10**6)
    ]
    assert found[0].token_ratios == found[1].token_ratios
    [ratio] = found[0].token_ratios.ratios
    gpt2, cl100k = found[0].tokenizers
    assert (ratio.tokenizer, ratio.against, ratio.ratio) == ("cl100k_base", "gpt2", cl100k.tokens / gpt2.tokens)
    assert ratio.interval[0] < ratio.ratio < ratio.interval[1] and ratio.is_told_apart


def test_measures_left_out_are_not_measured(lab: Lab, corpus: Corpus):
    found = run(lab, corpus, "gpt2", measures=())
    assert found.settings.measures == ["tokens"]
    found = run(lab, corpus, "gpt2", measures=("tokens",))
    [gpt2] = found.tokenizers
    assert gpt2.fertility is None and gpt2.round_trip is None and gpt2.digit_f1 is None and gpt2.unknown_rate is None
    assert gpt2.not_measured["fertility"] == "the measure `words` was left out of this analysis"
    assert found.not_measured["agreement"] == "there is only one tokenizer"
    assert found.command.count("--measure") == 1
    assert "--context-length 3 --context-length 9" in run(lab, corpus, "gpt2", context_lengths=(3, 9)).command


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ("wrods",)}, 'no measure "wrods"'),
        ({"alpha": 0.0}, "alpha is 0"),
        ({"alpha": float("inf")}, "alpha is inf"),
        ({"alpha": float("nan")}, "alpha is nan"),
        ({"seed": 2**63}, "seed is 9223372036854775808"),
        ({"seed": -1}, "seed is -1"),
        ({"sample_bytes": 0}, "sample of 0 bytes"),
        ({"context_lengths": (-1,)}, "context length of -1"),
        ({"top": 5000}, "top is 5000"),
        ({"reference_language": "Elvish"}, 'no language "Elvish"'),
    ],
)
def test_options_that_cannot_be(lab: Lab, corpus: Corpus, options: dict, message: str):
    with pytest.raises(BadValue, match=message):
        analyses.start(lab, corpus, ["gpt2"], AnalysisOptions(**options))


def test_tokenizers_that_cannot_be(lab: Lab, corpus: Corpus):
    with pytest.raises(NotFound):
        analyses.start(lab, corpus, ["gpt9"], AnalysisOptions())
    with pytest.raises(BadValue, match="0 tokenizers"):
        analyses.start(lab, corpus, [], AnalysisOptions())


def test_what_reading_noticed_is_in_the_result(lab: Lab, tmp_path: Path):
    corpus = corpus_of(tmp_path, ["twice", "twice", "x\x07y"], "a.txt")
    path = tmp_path / "a.txt"
    path.write_bytes(path.read_bytes() + b"caf\xe9\n\n")
    (tmp_path / "b.txt").write_text("twice\n", encoding="utf-8")
    steps = ("control_characters", "exact_duplicates")
    corpus = describe([path, tmp_path / "b.txt"], cleaning=steps, parallel=False)
    facts = run(lab, corpus, "gpt2").corpus
    assert facts.cleaning == {"control_characters": 1, "exact_duplicates": 2}
    assert (facts.documents, facts.empty, facts.replaced_characters, facts.skipped) == (3, 1, 1, 0)


class TestFailures:
    """Each leaves the earlier result as it was, and says what to do."""

    @pytest.fixture
    def earlier(self, lab: Lab, corpus: Corpus):
        found = run(lab, corpus, "gpt2")
        yield found
        assert analyses.load(lab, found.id) == found
        assert [row.id for row in analyses.list_analyses(lab).analyses] == [found.id]
        assert len(list((lab.settings.data_dir / "analyses").iterdir())) == 1

    def failed(self, lab: Lab, corpus: Corpus) -> dict[str, str]:
        job = lab.jobs.wait(analyses.start(lab, corpus, ["gpt2"], AnalysisOptions()).id, 60)
        assert job.state == "failed"
        return job.error

    def test_a_corpus_that_changed(self, lab: Lab, corpus: Corpus, earlier: CorpusResult):
        Path(corpus.files[0].path).write_text("something else", encoding="utf-8")
        assert "has changed since it was added" in self.failed(lab, corpus)["message"]

    def test_an_empty_corpus(self, lab: Lab, tmp_path: Path, earlier: CorpusResult):
        error = self.failed(lab, corpus_of(tmp_path, ["", ""], "empty.txt"))
        assert error["message"] == "empty.txt has nothing to count: it has no document with text"

    @pytest.mark.parametrize("sample_bytes", [None, 5])
    def test_parallel_text_that_cleaning_empties(self, lab: Lab, tmp_path: Path, earlier, sample_bytes: int | None):
        for name in ("en", "de"):
            (tmp_path / f"{name}.txt").write_text("\x07\n" * 3, encoding="utf-8")
        corpus = describe([tmp_path / "en.txt", tmp_path / "de.txt"], cleaning=("control_characters",), parallel=True)
        options = AnalysisOptions(sample_bytes=sample_bytes)
        with pytest.raises(LoadFailed, match="it has no document with text"):
            analyses.run_analysis(corpus, analyses.subjects_of(lab, ["gpt2"]), options)

    def test_a_full_disk(self, lab: Lab, corpus: Corpus, earlier: CorpusResult, monkeypatch: pytest.MonkeyPatch):
        def full(path: Path, rows: object, made: str) -> None:
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(token_counts, "write", full)
        error = self.failed(lab, corpus)
        assert error["code"] == Unavailable.code and "No space left" in error["message"]
        assert "earlier analyses are kept" in error["hint"]

    def test_a_stop(self, lab: Lab, tmp_path: Path, earlier: CorpusResult, monkeypatch: pytest.MonkeyPatch):
        counted, stopped = counting.counted, threading.Event()

        def count_one_batch(*given, **options) -> Iterator[None]:
            """Each thread counts one batch, and the next one when the job has ended."""
            for _ in counted(*given, **options):
                yield
                stopped.wait(60)

        monkeypatch.setattr(counting, "counted", count_one_batch)
        corpus = corpus_of(tmp_path, ["many words of one line"] * 200_000, "long.txt")
        counter = partial(counting.count, threads=2)
        job = analyses.start(lab, corpus, ["gpt2", "cl100k_base"], AnalysisOptions(), counter)
        until(lambda: lab.jobs.job(job.id).done, "no batch is counted")
        lab.jobs.cancel(job.id)
        job = lab.jobs.wait(job.id, 30)
        stopped.set()
        assert job.state == "cancelled" and 0 < job.done < job.total == corpus.bytes
        for thread in threading.enumerate():  # those of the count end after their batch
            if thread.name.startswith("count"):
                thread.join(30)


class TestWriters:
    def test_each_kind_of_file(self, lab: Lab, corpus: Corpus, tmp_path: Path):
        made = analyses.run_analysis(corpus, analyses.subjects_of(lab, ["gpt2"]), AnalysisOptions())
        id = analyses.keep(lab, made).id
        for written in (analysis_files.of_analysis(made), analysis_files.of_kept(lab, id)):
            for suffix in analysis_files.WRITERS:
                path = tmp_path / f"result{suffix}"
                analysis_files.writer_of(path)(written, path)
            assert json.loads((tmp_path / "result.json").read_bytes())["corpus"]["documents"] == 3
            csv = (tmp_path / "result.csv").read_text(encoding="utf-8")
            assert f'"gpt2",,"tokens",{made.result.tokenizers[0].tokens},"tokens",' in csv
            assert (
                '"gpt2",,"zipf",,"none","types with a count of at least xmin",' in csv and "a fit needs 50 types" in csv
            )
            assert (
                token_counts.read(tmp_path / "result.parquet", "gpt2", seen=True).total
                == made.result.tokenizers[0].types
            )

    def test_counts_that_are_gone(self, lab: Lab, corpus: Corpus, tmp_path: Path):
        found = run(lab, corpus, "gpt2")
        analyses.counts_file(lab, found.id).unlink()
        written = analysis_files.of_kept(lab, found.id)
        analysis_files.write_json(written, tmp_path / "result.json")
        with pytest.raises(LoadFailed, match="counts of this analysis cannot be read"):
            analysis_files.write_parquet(written, tmp_path / "result.parquet")
        assert not (tmp_path / "result.parquet").exists()

    def test_an_unknown_suffix_names_those_there_are(self):
        with pytest.raises(BadValue, match=r"ends in \.json, \.csv, \.parquet"):
            analysis_files.writer_of(Path("result.docx"))


def test_a_language_without_text_is_why_there_is_no_gini(lab: Lab, tmp_path: Path):
    for name, text in (("en", "one\ntwo\n"), ("de", "eins\nzwei\n"), ("xx", "\n\n")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    corpus = describe([tmp_path / f"{name}.txt" for name in ("en", "de", "xx")], parallel=True)
    [gpt2] = run(lab, corpus, "gpt2").tokenizers
    assert gpt2.gini is None
    assert gpt2.not_measured["gini"] == "no line is in every language: there is no text in xx"


def test_a_file_that_goes_while_it_is_read(lab: Lab, corpus: Corpus):
    Path(corpus.files[0].path).unlink()
    with pytest.raises(LoadFailed, match="cannot be read"):
        analyses.run_analysis(corpus, analyses.subjects_of(lab, ["gpt2"]), AnalysisOptions())
