"""The corpora that come with the lab need no preparation."""

import tomllib

import pytest

from lab_app import paths
from lab_app.corpora import builtin
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.errors import LoadFailed
from tests.conftest import ROOT


def test_the_declaration_of_human_rights_is_parallel():
    corpus = builtin.udhr()
    assert corpus.is_parallel and len(corpus.languages) == len(corpus.scripts) == len(corpus.files) >= 60
    assert {"Latin", "Arabic", "Han", "Japanese", "Devanagari", "Thai", "Cyrillic"} <= set(corpus.scripts)
    (batch,) = (batch for part in partitions(corpus) for batch in batches(corpus, part, 1e9))
    lines = batch.strings()
    articles = [lines[first : first + 30] for first in range(0, len(lines), 30)]
    assert batch.documents == corpus.documents == 30 * len(corpus.languages) and all(batch.strings())
    assert batch.languages.tolist() == [number for number in range(len(corpus.languages)) for _ in range(30)]
    assert articles[corpus.languages.index("English")][2].endswith("liberty and the security of person.")
    assert articles[corpus.languages.index("French")][2].endswith("à la liberté et à la sûreté de sa personne.")


def test_python_s_own_documentation_and_sources_are_read_whole():
    corpus, report = builtin.python(), ReadReport()
    documents = [
        (text, language)
        for part in partitions(corpus)
        for batch in batches(corpus, part, report=report)
        for text, language in zip(batch.strings(), batch.languages.tolist(), strict=True)
    ]
    assert len(documents) == corpus.documents == report.documents
    assert report.read_bytes == corpus.bytes and not report.skipped
    prose = [text for text, language in documents if language == 0]
    assert any('The "assert" statement' in text for text in prose)
    assert any("def namedtuple(" in text for text, language in documents if language == 1)


def test_an_installation_without_them_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "packed", lambda: tmp_path)
    with pytest.raises(LoadFailed, match=r"missing from this installation.*make udhr"):
        builtin.udhr()


def test_every_wheel_has_the_declaration_with_its_licence():
    assert "Universal Declaration" in (paths.packed() / "udhr" / "LICENSE.txt").read_text("utf-8")
    excluded = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["maturin"]["exclude"]
    assert "lab_app/build_udhr.mjs" in excluded and not [
        one for one in excluded if one.startswith("lab_app/vendor/udhr")
    ]
