import hashlib
import re
import shutil
from importlib.resources import files

import pytest

from lab_app.engine import BUILTIN, PATTERNS, PLAIN, LoadError, Tokenizer
from lab_app.library.entry import TokenizerSummary
from lab_app.library.hub_reference import HubReference
from lab_app.library.importing import check_id
from lab_app.library.known import (
    SUMMARIES,
    builtin_summaries,
    known_tokenizer,
    known_tokenizers,
    rank_file,
    tokenizer_of_model,
)
from tools import builtin_summaries as generated


def test_what_the_engine_has_built_in_is_in_the_catalog():
    assert {known.engine for known in known_tokenizers()} - {None} == {*BUILTIN, *PLAIN}


def test_ids_are_found_whatever_their_capitals():
    assert known_tokenizer("GPT2") is known_tokenizers()[0]
    assert known_tokenizer("gpt9") is None


@pytest.mark.parametrize("name", ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"])
def test_published_rank_files_are_told_by_their_sha256(shared, name):
    path = shared / "vocab" / "openai" / f"{name}.tiktoken"
    found = rank_file(hashlib.sha256(path.read_bytes()).hexdigest())
    assert found is not None and found.id == name and found.pattern in PATTERNS


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("openai/r50k_base.tiktoken", "gpt2"),
        ("openai/p50k_base.tiktoken", "p50k_base"),
        ("openai/cl100k_base.tiktoken", "cl100k_base"),
        ("openai/o200k_base.tiktoken", "o200k_base"),
        ("llama3/tokenizer.model", None),
    ],
)
def test_the_engine_reads_a_published_rank_file_under_any_name(shared, tmp_path, file, name):
    path = shutil.copy(shared / "vocab" / file, tmp_path / "mine")
    loaded, found = Tokenizer.from_file(path), rank_file(hashlib.sha256(path.read_bytes()).hexdigest())
    said = Tokenizer.from_file(path, pattern=found.pattern, special_tokens=found.special_tokens)
    assert loaded.special_tokens == found.special_tokens
    text = "Hello  日本 <|endoftext|> naïve_café(x) 12345, DON'T\n\n  <|eot_id|>"
    for other in [said, *([Tokenizer.builtin(name)] if name else [])]:
        assert (loaded.encode(text).ids == other.encode(text).ids).all() and loaded.stages == other.stages
    # What is given counts.
    assert Tokenizer.from_file(path, special_tokens={}).special_tokens == {}
    assert Tokenizer.from_file(path, pattern="gpt2").special_tokens == {}
    # A line less, and it is another file.
    path.write_bytes(path.read_bytes().rsplit(b"\n", 2)[0])
    with pytest.raises(LoadError, match="this is no published one that is known") as error:
        Tokenizer.from_file(path)
    assert "name the pattern, one of gpt2, r50k_base" in error.value.hint


def test_llama3_has_its_256_special_tokens(shared):
    path = shared / "vocab" / "llama3" / "tokenizer.model"
    special = rank_file(hashlib.sha256(path.read_bytes()).hexdigest()).special_tokens
    assert sorted(special.values()) == list(range(128_000, 128_256))
    # As in `Tokenizer` of Meta's llama/tokenizer.py.
    known = {"<|reserved_special_token_3|>": 128_005, "<|reserved_special_token_4|>": 128_008, "<|eot_id|>": 128_009}
    assert known.items() <= special.items() and special["<|reserved_special_token_250|>"] == 128_255


def test_kimi_k2_has_its_256_special_tokens():
    """As in its tokenizer_config.json; the ids between them are reserved."""
    special = rank_file("b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103").special_tokens
    assert sorted(special.values()) == list(range(163_584, 163_840))
    assert {"[BOS]": 163_584, "<|reserved_token_163600|>": 163_600, "[PAD]": 163_839}.items() <= special.items()


@pytest.mark.parametrize(("builtin", "name"), [("gpt2", "r50k_base"), ("cl100k_base",) * 2, ("o200k_base",) * 2])
def test_a_published_rank_file_is_the_tokenizer_the_engine_has(shared, builtin, name):
    path = shared / "vocab" / "openai" / f"{name}.tiktoken"
    found = rank_file(hashlib.sha256(path.read_bytes()).hexdigest())
    loaded = Tokenizer.from_file(path, pattern=found.pattern, special_tokens=found.special_tokens)
    assert TokenizerSummary.of(loaded) == TokenizerSummary.of(Tokenizer.builtin(builtin))
    text = "Hello  日本 <|endoftext|> naïve_café(x) 12345"
    assert loaded.encode(text).ids.tolist() == Tokenizer.builtin(builtin).encode(text).ids.tolist()


FAMILIES = {"byte-level BPE", "BPE", "Unigram", "WordLevel", "WordPiece"}

# What people ask for by these names is in the list.
ASKED_FOR = [
    *PLAIN,
    "gpt2",
    "r50k_base",
    "p50k_base",
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "openai-gpt",
    "bert-base-uncased",
    "bert-base-cased",
    "bert-base-multilingual-cased",
    "distilbert-base-uncased",
    "albert-base-v2",
    "electra-base",
    "deberta-v3-base",
    "modernbert-base",
    "roberta-base",
    "xlm-roberta-base",
    "t5-base",
    "mt5-base",
    "bart-base",
    "nllb-200",
    "bloom",
    "falcon-7b",
    "gpt-neox-20b",
    "llama-2",
    "llama-3",
    "llama-3.1",
    "codellama-7b",
    "mistral-7b",
    "mistral-nemo",
    "mixtral-8x7b",
    "gemma-2",
    "gemma-3",
    "phi-3",
    "phi-4",
    "qwen2.5",
    "qwen3",
    "deepseek-v3",
    "deepseek-r1",
    "glm-4",
    "yi-6b",
    "command-r",
    "starcoder2",
    "kimi-k2",
    "whisper",
    "clip",
]


def test_the_list_has_the_tokenizers_people_meet():
    ids = [known.id for known in known_tokenizers()]
    assert len(ids) >= 45 and set(ASKED_FOR) <= set(ids)
    assert len({id.lower() for id in ids}) == len(ids), "ids differ in more than capitals"
    assert len({known.name for known in known_tokenizers()}) == len(ids), "names are what people choose by"


@pytest.mark.parametrize("known", known_tokenizers(), ids=lambda known: known.id)
def test_an_entry_says_what_it_is_and_where_it_comes_from(known):
    assert check_id(known.id) == known.id and known.name.strip() == known.name != ""
    assert known.family in FAMILIES
    assert known.licence is None or known.licence.strip()
    assert known.origin
    assert known.engine is not None or known.repository is None or HubReference.parse(known.repository).file is None
    # A sum that nobody here computed is none: it comes from bytes that this lab has seen, of one named file.
    if known.sha256 is not None:
        assert known.checked and re.fullmatch("[0-9a-f]{64}", known.sha256) and known.size_bytes > 0
        assert known.engine is not None or known.file is not None
    else:
        assert known.size_bytes is None
    assert not (known.engine and (known.sources or known.gated)), "what is built in needs no download"


def test_sums_of_the_built_in_are_those_of_files_that_it_writes(tmp_path):
    for known in known_tokenizers():
        if known.engine in BUILTIN:
            Tokenizer.builtin(known.engine).to_file(tmp_path / "ranks", "tiktoken")
            data = (tmp_path / "ranks").read_bytes()
            assert (hashlib.sha256(data).hexdigest(), len(data)) == (known.sha256, known.size_bytes), known.id


def test_summaries_of_the_built_in_are_what_loading_them_gives():
    assert {known.id for known in known_tokenizers() if known.built_in} == set(builtin_summaries())
    written = files("lab_app.library").joinpath(SUMMARIES).read_text("utf-8")
    assert written == generated.content(), "write it anew: python -m tools.builtin_summaries"


def test_models_have_the_tokenizers_that_tiktoken_gives_them():
    model = pytest.importorskip("tiktoken.model")
    named = {**model.MODEL_TO_ENCODING, **{f"{each}x": id for each, id in model.MODEL_PREFIX_TO_ENCODING.items()}}
    wrong = {name: found for name, id in named.items() if (found := tokenizer_of_model(name)) not in (id, None)}
    assert not wrong
    assert tokenizer_of_model("gpt-4o") == named["gpt-4o"] and tokenizer_of_model("gpt-4-x") == named["gpt-4-x"]
