"""A lab with a small Unigram tokenizer beside the bundled ones."""

import json
from string import ascii_lowercase

import pytest

from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny
from tests.unit.services.text.test_explain import UNIGRAM

PIECES = ["an", "er", "in", "on", "re", "th", "ing", "tion", "ment", "free", "human", "right", "ion"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "words"), id="words")
    add(lab, tiny.tokenizer_json(folder / "level"), id="level")
    pieces = [*((each, -4.0 - n / 8) for n, each in enumerate(PIECES)), *((each, -3.0) for each in ascii_lowercase)]
    for id, vocab in (("unigram", UNIGRAM["model"]["vocab"]), ("pieces", [["?", 0.0], *pieces])):
        (folder / id).mkdir()
        model = UNIGRAM["model"] | {"vocab": vocab}
        (folder / id / "tokenizer.json").write_text(
            json.dumps(
                UNIGRAM | {"model": model, "pre_tokenizer": {"type": "WhitespaceSplit"} if id == "pieces" else None}
            )
        )
        add(lab, folder / id / "tokenizer.json", id=id)
    return lab
