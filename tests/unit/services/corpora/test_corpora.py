"""Corpora are kept as references to files, with what was found when they were added."""

import errno
import sqlite3
from pathlib import Path

import pytest

from lab_app.corpora import describe as describing
from lab_app.errors import BadValue, Cancelled, Conflict, LoadFailed, NotFound, Unavailable
from lab_app.jobs.job import Job, Running
from lab_app.services.corpora import corpora
from lab_app.services.corpora.corpora import CorpusOptions
from lab_app.services.lab import Lab
from lab_app.settings import Settings


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data"))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"one\n\ntwo\xff\n")
    (folder / "b.jsonl").write_bytes(b'{"text": "three", "lang": "de"}\n[]\n')
    return folder


def test_what_was_added_is_found_again(lab, folder):
    added = corpora.add(lab, [str(folder)], CorpusOptions())
    assert (added.id, added.title, added.format, added.files, added.documents) == ("texts", "texts", "mixed", 2, 3)
    assert [each.text for each in added.sample] == ["one", "two�", "three"] and added.columns == ["text", "lang"]
    assert (added.report.empty, added.report.replaced_characters, added.report.skipped) == (1, 1, 1)
    assert corpora.notes(added.report)[-1].endswith(
        "b.jsonl byte 32: the line is not an object: write one {...} per line"
    )
    again = Lab(lab.settings)
    assert corpora.describe(again, "TEXTS") == added
    assert corpora.corpus(again, "texts") == corpora.corpus(lab, "texts")
    assert [one.id for one in corpora.list_corpora(again).corpora] == ["udhr", "python", "texts"]
    corpora.remove(again, "texts")
    with pytest.raises(NotFound, match='no corpus "texts"'):
        corpora.describe(lab, "texts")
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "b.jsonl"]


def test_ids_are_made_and_kept_apart(lab, folder):
    first = corpora.add(lab, [str(folder)], CorpusOptions())
    assert corpora.add(lab, [str(folder)], CorpusOptions()) == first
    assert corpora.add(lab, [str(folder / "b.jsonl")], CorpusOptions(language_column="lang", id="own")).id == "own"
    (folder / "a.txt").write_text("other")
    assert corpora.add(lab, [str(folder)], CorpusOptions()).id == "texts-2"
    assert "has changed since it was added" in corpora.describe(lab, "texts").problem
    with pytest.raises(LoadFailed, match="has changed"):
        corpora._sample(corpora.corpus(lab, "texts"))
    for id in ("texts", "UDHR", "python"):
        with pytest.raises(Conflict, match="already"):
            corpora.add(lab, [str(folder)], CorpusOptions(id=id))
    with pytest.raises(BadValue, match="cannot be an id"):
        corpora.start_adding(lab, [str(folder)], CorpusOptions(id="a/b"))
    with pytest.raises(Conflict, match="comes with the lab"):
        corpora.remove(lab, "udhr")


def test_another_reading_of_the_same_files_has_a_title_of_its_own(lab, tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text('{"text": "eins", "lang": "de", "other": "zwei"}\n{"text": "un", "lang": "fr", "other": "deux"}\n')
    first = corpora.add(lab, [str(path)], CorpusOptions())
    assert (first.title, first.text_column, first.language_column) == ("own.jsonl", "text", "lang")
    assert (first.languages, first.text_bytes, first.bytes) == (["de", "fr"], 6, path.stat().st_size)
    readings = [
        CorpusOptions(language_column=""),
        CorpusOptions(text_column="other"),
        CorpusOptions(cleaning=("nfc",)),
        CorpusOptions(language_column="other"),
    ]
    titles = [corpora.add(lab, [str(path)], options).title for options in readings]
    assert titles == [
        "own.jsonl (language = no column)",
        "own.jsonl (text = other)",
        "own.jsonl (cleaned: nfc)",
        "own.jsonl (language = other)",
    ]
    path.write_text('{"text": "drei", "lang": "de"}\n')
    assert corpora.add(lab, [str(path)], CorpusOptions()).title == "own.jsonl (2)"
    assert corpora.add(lab, [str(path)], CorpusOptions()).title == "own.jsonl (2)"
    found = [one.title for one in corpora.list_corpora(lab).corpora]
    assert len(set(found)) == len(found) == 8


def test_a_recognised_column_with_too_many_values_is_not_the_language(lab, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("text,lang\n" + "".join(f"word,{number}\n" for number in range(1001)))
    added = corpora.add(lab, [str(path)], CorpusOptions())
    assert (added.documents, added.language_column, added.languages) == (1001, None, [])
    assert corpora.add(lab, [str(path)], CorpusOptions()) == added
    assert corpora.named_corpus(lab, [str(path)], CorpusOptions()).language_column is None
    with pytest.raises(LoadFailed, match="more than 1000 languages"):
        corpora.add(lab, [str(path)], CorpusOptions(language_column="lang"))


def test_a_file_is_hashed_once(lab, folder, monkeypatch):
    corpora.add(lab, [str(folder)], CorpusOptions())
    monkeypatch.setattr(describing, "_sha256", lambda *_: pytest.fail("read again"))
    added = corpora.add(lab, [str(folder / "a.txt")], CorpusOptions())
    assert added.sha256 == corpora.describe(lab, "texts").first_files[0].sha256


def test_adding_reports_progress_and_can_be_stopped(lab, folder):
    seen = []
    running = Running(Job("1", "corpus", "texts", unit="bytes"))
    with running.watched(lambda: seen.append((running.job.message, running.job.done, running.job.total))):
        corpora.add(lab, [str(folder)], CorpusOptions(), running)
    assert seen[-1] == ("counting documents", 45, 45) and ("reading sha256", 45, 45) in seen
    running.cancel()
    with pytest.raises(Cancelled):
        corpora.add(lab, [str(folder)], CorpusOptions(id="other"), running)
    assert [one.id for one in corpora.list_corpora(lab).corpora][2:] == ["texts"]
    job = corpora.start_adding(lab, [str(folder)], CorpusOptions(id="job"))
    assert lab.jobs.wait(job.id, 30).result.id == "job"


def test_a_corpus_is_named_by_its_id_or_by_files(lab, folder):
    corpora.add(lab, [str(folder)], CorpusOptions())
    assert corpora.named_corpus(lab, ["texts"]).documents == 3
    assert corpora.named_corpus(lab, ["udhr"]).is_parallel
    assert corpora.named_corpus(lab, ["udhr"], CorpusOptions(cleaning=("nfc",))).cleaning == ("nfc",)
    with pytest.raises(BadValue, match="columns and languages are known"):
        corpora.named_corpus(lab, ["texts"], CorpusOptions(text_column="text"))
    assert len(corpora.named_corpus(lab, [str(folder / "*.txt"), str(folder / "b.jsonl")]).files) == 2
    with pytest.raises(NotFound, match='no corpus "nothing"'):
        corpora.named_corpus(lab, ["nothing"])
    with pytest.raises(BadValue, match=r"no file .*nothing\.txt"):
        corpora.named_corpus(lab, [str(folder / "nothing.txt")])
    for name in ("x" * 300, "~nosuchuser/x.txt"):
        with pytest.raises(BadValue, match="there is no file"):
            corpora.named_corpus(lab, [name])


def test_a_full_disk_loses_nothing(lab, folder, monkeypatch):
    corpora.add(lab, [str(folder)], CorpusOptions())

    def full(source, target):
        Path(target).mkdir()
        (Path(target) / "a.txt").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(corpora.shutil, "move", full)
    with pytest.raises(Unavailable, match="No space left on device: make room there"):
        corpora.add_sent(lab, folder, CorpusOptions())
    assert not list((lab.settings.data_dir / "corpora").iterdir())
    assert corpora.describe(lab, "texts").problem is None


def test_two_uploads_at_once_keep_their_own_files(lab, tmp_path, monkeypatch):
    target = lab.settings.data_dir / "corpora"
    folders = [tmp_path / str(number) / "corpus" for number in range(3)]
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(f"text {number}\n")
    (folders[2] / "a.txt").write_text("\n")
    first = corpora.add_sent(lab, folders[0], CorpusOptions(id="first"))
    exists = Path.exists  # the other upload chose its name before this one made its folder
    monkeypatch.setattr(Path, "exists", lambda path: path.parent != target and exists(path))
    second = corpora.add_sent(lab, folders[1], CorpusOptions(id="second"))
    with pytest.raises(BadValue, match="holds no text"):
        corpora.add_sent(lab, folders[2], CorpusOptions())
    monkeypatch.undo()
    assert [[each.text for each in one.sample] for one in (first, second)] == [["text 0"], ["text 1"]]
    assert len(list(target.iterdir())) == 2
    corpora.remove(lab, "second")
    assert corpora.describe(lab, "first").problem is None
    assert Path(first.first_files[0].path).read_text() == "text 0\n"


def test_files_that_two_corpora_have_stay_until_both_are_removed(lab, folder):
    sent = corpora.add_sent(lab, folder, CorpusOptions())
    path = Path(sent.first_files[0].path)
    cleaned = corpora.add(lab, [str(path.parent)], CorpusOptions(cleaning=("nfc",)))
    corpora.remove(lab, sent.id)
    assert corpora.describe(lab, cleaned.id).problem is None
    deep = path.parent / "deep" / "c.txt"
    deep.parent.mkdir()
    deep.write_text("one")
    below = corpora.add(lab, [str(deep)], CorpusOptions())
    corpora.remove(lab, cleaned.id)
    assert corpora.describe(lab, below.id).problem is None
    corpora.remove(lab, below.id)
    assert not path.parent.exists()


def test_a_lab_of_before_keeps_its_data(lab, folder):
    from lab_app.store.migrations import STEPS

    lab.settings.data_dir.mkdir()
    with sqlite3.connect(lab.database.path) as connection:
        for step in STEPS[:5]:
            connection.executescript(step)
        connection.execute("INSERT INTO preferences VALUES (1, '{}')")
        connection.execute("PRAGMA user_version = 5")
    assert corpora.add(lab, [str(folder)], CorpusOptions()).id == "texts"
    with lab.database.read() as connection:
        assert connection.execute("SELECT value FROM preferences").fetchone() == ("{}",)
