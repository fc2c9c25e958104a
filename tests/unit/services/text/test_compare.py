"""Tokenizers that encode a long text side by side give what each gives alone."""

from dataclasses import replace

import pytest

from lab_app.errors import LabError, NotFound
from lab_app.services.lab import Lab
from lab_app.services.text import compare as service
from lab_app.services.text.compare import LONG_TEXT, compare
from lab_app.settings import Settings
from tests.generators import texts

IDS = ["gpt2", "cl100k_base", "o200k_base"]


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path))


def long_text() -> str:
    text = ""
    for piece in texts(100_000, seed=8):
        if len(text) >= LONG_TEXT:
            break
        text += piece
    return text


@pytest.mark.parametrize("specials", ["text", "parse"])
def test_side_by_side_is_one_after_the_other(lab, monkeypatch, specials):
    text = long_text() + "<|endoftext|>"
    together = compare(lab, IDS, text, specials=specials)
    monkeypatch.setattr(service, "LONG_TEXT", len(text) + 1)
    monkeypatch.setattr(service, "_side_by_side", None)
    alone = compare(lab, IDS, text, specials=specials)
    assert [result.id for result in together.results] == IDS
    for one, other in zip(together.results, alone.results, strict=True):
        assert (one.ids == other.ids).all() and (one.span_utf8 == other.span_utf8).all()
        assert replace(one.summary(), elapsed_ns=0) == replace(other.summary(), elapsed_ns=0)
    assert (together.agreement == alone.agreement).all()
    assert together.listed_divergences() == alone.listed_divergences()


def test_the_first_error_is_told(lab):
    text = long_text()
    with pytest.raises(NotFound, match="none"):
        compare(lab, ["gpt2", "none", "nobody"], text)
    with pytest.raises(LabError, match="endoftext"):
        compare(lab, IDS, text + "<|endoftext|>", specials="reject")
