import pytest

from lab_app.engine import PLAIN
from lab_app.errors import NotFound
from lab_app.library.known import _document, known_tokenizers
from lab_app.services.lab import Lab
from lab_app.settings import Settings


@pytest.fixture
def catalog(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True)).catalog


def test_known_tokenizers_can_be_loaded_or_have_somewhere_to_come_from():
    for known in known_tokenizers():
        assert known.built_in != bool(known.sources) and known.licence
        # One file is known by its sha256; several are checked against what the Hub announces, and by loading.
        one_file = known.engine not in (None, *PLAIN) or known.file is not None
        assert one_file == (known.sha256 is not None) == (known.size_bytes is not None)
        assert known.sha256 is None or len(known.sha256) == 64


@pytest.mark.parametrize(
    ("model", "id"),
    [
        ("gpt-4o", "o200k_base"),
        ("GPT-4", "cl100k_base"),
        ("gpt-4-0613", "cl100k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gemini-2.5-pro", "gemma-3"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("text-davinci-003", "p50k_base"),
        ("gpt-oss-20b", "o200k_harmony"),
    ],
)
def test_a_model_is_known_by_its_name(catalog, model, id):
    assert catalog.entry(model).id == id
    assert not catalog.is_taken(model), "a user may give this id to files"


def test_every_tokenizer_of_a_model_is_known():
    assert set(_document()["models"]) < {each.id for each in known_tokenizers()}


def test_a_near_name_is_suggested(catalog):
    with pytest.raises(NotFound) as refused:
        catalog.entry("gtp2")
    assert refused.value.hint.startswith("did you mean gpt2") and "did you mean gpt2" in refused.value.on_terminal
    with pytest.raises(NotFound) as refused:
        catalog.entry("qqqqqqqq")
    assert "did you mean" not in refused.value.hint


def test_a_new_catalog_has_the_known_ones(catalog):
    entries = catalog.entries()
    assert [(entry.id, entry.available) for entry in entries[:4]] == [
        ("gpt2", True),
        ("cl100k_base", True),
        ("o200k_base", True),
        ("bert-base-uncased", True),
    ]
    assert [entry.id for entry in entries] == [known.id for known in known_tokenizers()]
    assert [entry.id for entry in entries if entry.available] == [
        known.id for known in known_tokenizers() if known.built_in
    ]


def test_an_unknown_id_is_named(catalog):
    with pytest.raises(NotFound, match="gpt9"):
        catalog.entry("gpt9")
