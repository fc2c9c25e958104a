"""A lesson that does not fit a tokenizer names those that it fits."""

import pytest

from lab_app.errors import BadValue
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import lesson_of
from lab_app.services.tokenizers.tokenizers import add_path
from lab_app.settings import Settings
from tests.lesson_examples import unigram_file


def test_an_added_tokenizer_is_offered_by_its_model(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "lab", offline=True))
    with pytest.raises(BadValue, match="add a Unigram tokenizer first, or download one of "):
        lesson_of(lab, "unigram-encode", "gpt2", "a")
    add_path(lab, unigram_file(tmp_path), id="few-words")
    with pytest.raises(BadValue, match=r"needs Unigram, and gpt2 is byte-level BPE: choose one of few-words$"):
        lesson_of(lab, "unigram-encode", "gpt2", "a")
