"""Which reference libraries read a tokenizer, that they give its ids, and what is said of one that is not installed."""

from pathlib import Path

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Unavailable
from lab_app.references import registry
from lab_app.references.reference import Material
from tests import tiny

TEXT = "Hello <|endoftext|> naïve 日本語 1234  x\n[CLS]"


def builtin(name: str) -> Material:
    return Material(Tokenizer.builtin(name), pattern=name)


def from_file(path: Path, **options) -> Material:
    return Material(Tokenizer.from_file(path, **options), (path,), **options)


def fitting(material: Material) -> list[str]:
    return [each.name for each in registry.states(material) if each.usable]


def assert_same_ids(material: Material, name: str) -> None:
    reference = registry.load(name, material)
    for specials in registry.ADAPTERS[name].SPECIALS:
        ours = material.tokenizer.encode_ids(TEXT, specials=specials).tolist()
        assert reference.encode_batch([TEXT, ""], specials) == [ours, []], (name, specials)


@pytest.mark.parametrize("name", ["gpt2", "p50k_base", "cl100k_base", "o200k_harmony"])
def test_built_in_rank_files_fit_two_libraries(name: str):
    material = builtin(name)
    assert fitting(material) == ["tiktoken", "tokenizers"]
    for library in fitting(material):
        assert_same_ids(material, library)


def test_a_rank_file_is_read_by_tiktoken_itself(tmp_path: Path):
    path = tmp_path / "small.tiktoken"
    Tokenizer.builtin("gpt2").to_file(path, format="tiktoken")
    material = from_file(path, pattern="gpt2", special_tokens={"<|endoftext|>": 50256})
    assert registry.load("tiktoken", material).read_from.startswith("its own small.tiktoken")
    assert_same_ids(material, "tiktoken")


def test_a_tokenizer_json_is_read_as_it_is(tmp_path: Path):
    material = from_file(tiny.tokenizer_json(tmp_path))
    assert fitting(material) == ["tokenizers"]
    assert registry.load("tokenizers", material).read_from == "its own tokenizer.json"
    assert_same_ids(material, "tokenizers")


def test_other_files_are_converted_and_the_reference_says_so(bert_vocab: Path):
    material = from_file(bert_vocab)
    assert fitting(material) == ["tokenizers"]
    assert "the lab wrote" in registry.load("tokenizers", material).read_from
    assert_same_ids(material, "tokenizers")


def test_a_sentencepiece_model_fits_its_library(shared: Path):
    material = from_file(shared / "vocab" / "t5" / "spiece.model")
    assert fitting(material) == ["sentencepiece"]
    assert_same_ids(material, "sentencepiece")


def test_a_library_that_is_not_installed_says_the_command(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    state = registry.state("tiktoken", builtin("gpt2"))
    assert (state.version, state.install, state.misfit, state.usable) == (None, "pip install tiktoken", None, False)
    with pytest.raises(Unavailable, match=r"tiktoken is not installed.*pip install tiktoken"):
        registry.load("tiktoken", builtin("gpt2"))


def test_a_library_that_cannot_read_a_tokenizer_says_why():
    with pytest.raises(BadValue, match=r"sentencepiece cannot read .*\.model"):
        registry.load("sentencepiece", builtin("gpt2"))
    with pytest.raises(BadValue, match="choose one of sentencepiece, tiktoken, tokenizers"):
        registry.state("spacy", builtin("gpt2"))
