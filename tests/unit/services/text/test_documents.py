"""Open documents: what an edit that is refused leaves behind."""

from pathlib import Path

import numpy as np
import pytest

from lab_app.errors import EncodeFailed
from lab_app.services.lab import Lab
from lab_app.services.text.documents import OpenDocument, open_document
from lab_app.settings import Settings


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path))


@pytest.fixture
def document(lab: Lab) -> OpenDocument:
    document, _, _ = open_document(
        lab, ["gpt2", "cl100k_base"], "hello world and more", specials="reject", ignore_spaces=True
    )
    return document


def state(document: OpenDocument) -> list[object]:
    tokens, differences = document.engine.told(True)
    arrays = [np.asarray(array).tolist() for lane in tokens for array in lane.values()]
    return [document.version, document.summaries(), document.agreement(), document.size_bytes, arrays, str(differences)]


@pytest.mark.parametrize(("start", "end"), [(0, 20), (5, 20), (20, 20), (0, 0)])
def test_a_refused_edit_leaves_the_document_as_it_was(document: OpenDocument, start: int, end: int):
    before = state(document)
    with pytest.raises(EncodeFailed, match=r"<\|endoftext\|>"):
        document.edit(1, start, end, "<|endoftext|>")
    assert state(document) == before


def test_a_refused_edit_is_followed_by_others(lab: Lab, document: OpenDocument):
    with pytest.raises(EncodeFailed):
        document.edit(1, 5, 20, "<|endoftext|>")
    edit = document.edit(1, 5, 11, " there")
    assert (document.version, document.engine.text_units) == (2, 20)
    assert (edit.shift_utf8, [lane.removed for lane in edit.lanes]) == (0, [1, 1])
    whole, tokens, _ = open_document(lab, ["gpt2"], "hello there and more", ignore_spaces=True)
    ids = document.engine.packed(0)["ids"]
    assert ids.tolist() == tokens[0]["ids"].tolist() == whole.engine.packed(0)["ids"].tolist()
