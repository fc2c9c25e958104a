"""A disk that is full, as the system reports it: a small file system of its own, which only root may mount on Linux."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab_app.corpora.describe import describe
from lab_app.errors import LabError
from lab_app.services.analyses import analyses
from lab_app.services.analyses.analyses import AnalysisOptions
from lab_app.services.corpora import corpora
from lab_app.services.corpora.corpora import CorpusOptions
from lab_app.services.lab import Lab
from lab_app.settings import Settings

SIZE_BYTES = 8_000_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """The folder of a small file system."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_BYTES}", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"there is no mount: {error}")
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Takes all the room that is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def test_a_disk_that_fills_in_the_middle_of_an_analysis(disk: Path, tmp_path: Path):
    lab = Lab(Settings(data_dir=disk / "data"))
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("the cat sat on the mat\n" * 5, encoding="utf-8")
    corpora.add(lab, [str(tmp_path / "a.txt")], CorpusOptions())
    corpus = corpora.corpus(lab, "a")
    subjects = analyses.subjects_of(lab, ["gpt2"])
    first = analyses.keep(lab, analyses.run_analysis(corpus, subjects, AnalysisOptions()))
    before = analyses.load(lab, first.id)

    filler: list[Path] = []

    def report(done: int, total: int, message: str) -> None:
        if not filler:
            filler.append(fill(disk))

    made = analyses.run_analysis(corpus, subjects, AnalysisOptions(), report)  # counting itself writes nothing
    with pytest.raises(LabError, match=r"No space left|disk is full|disk I/O error"):
        analyses.keep(lab, made)
    with pytest.raises(LabError, match=r"No space left|disk is full|disk I/O error"):
        corpora.add(lab, [str(tmp_path / "b.txt")], CorpusOptions())
    with pytest.raises(LabError, match=r"No space left"):
        (tmp_path / "sent").mkdir()
        (tmp_path / "sent" / "c.txt").write_text("words\n" * 20_000, encoding="utf-8")
        corpora.add_sent(lab, tmp_path / "sent", CorpusOptions())
    for each in (lab, Lab(lab.settings)):
        assert analyses.load(each, first.id) == before
        assert [row.id for row in analyses.list_analyses(each).analyses] == [first.id]
        assert analyses.frequencies(each, first.id, "gpt2").total == before.tokenizers[0].types
        assert corpora.corpus(each, "a") == corpus
    assert len(list((disk / "data" / "analyses").iterdir())) == 1
    assert not list((disk / "data" / "corpora").iterdir())

    filler[0].unlink()
    assert analyses.keep(lab, made).tokens == first.tokens
    assert corpora.add(lab, [str(tmp_path / "b.txt")], CorpusOptions()).documents == 5
    assert describe([tmp_path / "b.txt"]).sha256 == corpora.corpus(lab, "b").sha256
