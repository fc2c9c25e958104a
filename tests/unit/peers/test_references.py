"""Which reference libraries read a tokenizer, that they give its ids, and what is said of one that is not installed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Unavailable
from lab_app.library.entry import Entry
from lab_app.library.tokenizer_files import tokenizer_files
from lab_app.peers import registry
from lab_app.peers.peer import TokenizerFiles
from tests import tiny

TEXT = "Hello <|endoftext|> naïve 日本語 1234  x\n[CLS]"


@dataclass(frozen=True)
class Material:
    """A tokenizer of the engine and its files in every format."""

    tokenizer: Tokenizer
    files: TokenizerFiles


@pytest.fixture
def builtin(tmp_path: Path) -> Callable[[str], Material]:
    def make(name: str) -> Material:
        tokenizer = Tokenizer.builtin(name)
        entry = Entry(id=name, name=name, family="BPE", source="built in", engine=name)
        return Material(tokenizer, tokenizer_files(entry, tokenizer, tmp_path / "written"))

    return make


@pytest.fixture
def from_file(tmp_path: Path) -> Callable[..., Material]:
    def make(path: Path, **options) -> Material:
        tokenizer = Tokenizer.from_file(path, **options)
        entry = Entry(id="one", name="One", family="", source="added", files=(path,), **options)
        return Material(tokenizer, tokenizer_files(entry, tokenizer, tmp_path / "written"))

    return make


def fitting(material: Material) -> list[str]:
    return [name for name in registry.REFERENCES if registry.reference_state(name, material.files).usable]


def assert_same_ids(material: Material, name: str) -> None:
    calls = registry.load_reference(name, material.files)
    for specials, ids_of in (("text", calls.batch), ("parse", calls.parsed)):
        assert (ids_of is None) == (specials == "parse" and name not in registry.PARSING)
        if ids_of is not None:
            ours = material.tokenizer.encode_ids(TEXT, specials=specials).tolist()
            assert ids_of([TEXT, ""]) == [ours, []], (name, specials)


@pytest.mark.parametrize("name", ["gpt2", "p50k_base", "cl100k_base", "o200k_harmony"])
def test_built_in_rank_files_fit_two_libraries(builtin, name: str):
    material = builtin(name)
    assert fitting(material) == ["tiktoken", "tokenizers"]
    for library in fitting(material):
        assert_same_ids(material, library)


def test_a_rank_file_is_read_by_tiktoken_itself(from_file, tmp_path: Path):
    path = tmp_path / "small.tiktoken"
    Tokenizer.builtin("gpt2").to_file(path, format="tiktoken")
    material = from_file(path, pattern="gpt2", special_tokens={"<|endoftext|>": 50256})
    assert registry.load_reference("tiktoken", material.files).read_from.startswith("its own small.tiktoken")
    assert_same_ids(material, "tiktoken")


def test_a_tokenizer_json_is_read_as_it_is(from_file, tmp_path: Path):
    material = from_file(tiny.tokenizer_json(tmp_path))
    assert fitting(material) == ["tokenizers"]
    assert registry.load_reference("tokenizers", material.files).read_from == "its own tokenizer.json"
    assert_same_ids(material, "tokenizers")


def test_other_files_are_converted_and_the_reference_says_so(from_file, bert_vocab: Path):
    material = from_file(bert_vocab)
    assert fitting(material) == ["tokenizers"]
    assert "the lab wrote" in registry.load_reference("tokenizers", material.files).read_from
    assert_same_ids(material, "tokenizers")


def test_a_sentencepiece_model_fits_its_library(from_file, shared: Path):
    material = from_file(shared / "vocab" / "t5" / "spiece.model")
    assert fitting(material) == ["sentencepiece"]
    assert_same_ids(material, "sentencepiece")


def test_a_library_that_is_not_installed_says_the_command(builtin, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    state = registry.reference_state("tiktoken", builtin("gpt2").files)
    assert (state.version, state.install, state.misfit, state.usable) == (None, "pip install tiktoken", None, False)
    with pytest.raises(Unavailable, match=r"tiktoken is not installed.*pip install tiktoken"):
        registry.load_reference("tiktoken", builtin("gpt2").files)


def test_a_library_that_cannot_read_a_tokenizer_says_why(builtin):
    with pytest.raises(BadValue, match=r"sentencepiece cannot read .*\.model"):
        registry.load_reference("sentencepiece", builtin("gpt2").files)
    with pytest.raises(BadValue, match="choose one of sentencepiece, tiktoken, tokenizers"):
        registry.reference_state("spacy", builtin("gpt2").files)
