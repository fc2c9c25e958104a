"""A tokenizer that was pickled, copied or sent to another process encodes and decodes as before."""

import copy
import json
import multiprocessing
import pickle
from pathlib import Path

import pytest

from lab_app.engine import BUILTIN, EngineError, LoadError, SaveError, Tokenizer
from lab_app.library.definition import definition
from tests import tiny
from tests.differential.vocabularies import ALL, TABLES, Vocabulary
from tests.generators import texts
from tests.scale import scaled


def assert_same(one: Tokenizer, two: Tokenizer, count: int = scaled(20)) -> None:
    """The same ids, spans and text, and the same of everything else that can be asked."""
    assert repr(one) == repr(two) and one.stages == two.stages and one.vocab() == two.vocab()
    assert one.special_tokens == two.special_tokens and one.unknown_id == two.unknown_id
    for text in texts(count, seed=31):
        a, b = one.encode(text), two.encode(text)
        assert a.ids.tolist() == b.ids.tolist(), text
        assert a.span_utf8.tolist() == b.span_utf8.tolist() and a.tokens == b.tokens
        assert one.decode(a.ids) == two.decode(b.ids)
        assert (
            one.encode(text, text, specials="text").ids.tolist() == two.encode(text, text, specials="text").ids.tolist()
        )


FORMATS = ("tokenizer.json", "tiktoken", "sentencepiece", "vocab.txt")


def written(tokenizer: Tokenizer, format: str, folder: Path) -> bytes | str:
    """The file in a format, or why it cannot be written."""
    try:
        tokenizer.to_file(folder / "file", format)
    except SaveError as error:
        return str(error)
    return (folder / "file").read_bytes()


@pytest.mark.parametrize("vocabulary", ALL, ids=[each.name for each in ALL])
def test_every_kind_of_tokenizer(vocabulary: Vocabulary, shared: Path, tmp_path: Path):
    tokenizer = vocabulary.load(shared)
    again = pickle.loads(pickle.dumps(tokenizer))
    assert_same(tokenizer, again)
    for format in FORMATS if vocabulary in TABLES else ():
        assert written(tokenizer, format, tmp_path) == written(again, format, tmp_path)


@pytest.mark.parametrize("name", BUILTIN)
def test_a_built_in_tokenizer_is_pickled_by_name(name: str):
    data = pickle.dumps(Tokenizer.builtin(name))
    assert len(data) < 150
    assert_same(pickle.loads(data), Tokenizer.builtin(name))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol(protocol: int, tmp_path: Path):
    tokenizer = Tokenizer.from_file(tiny.vocab_txt(tmp_path))
    assert_same(tokenizer, pickle.loads(pickle.dumps(tokenizer, protocol)))


def test_added_tokens_keep_their_flags():
    flags = {"content": "lamb", "single_word": True, "lstrip": True, "rstrip": False, "normalized": True}
    tokenizer = Tokenizer.builtin("gpt2").add_tokens([flags]).add_special_tokens(["<pad>", " "])
    again = pickle.loads(pickle.dumps(tokenizer))
    text = "a lamb <pad> lambs, lamb"
    assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()
    assert_same(tokenizer, again)


def test_a_truncated_vocabulary():
    tokenizer = Tokenizer.builtin("gpt2").truncated(1000)
    assert_same(tokenizer, pickle.loads(pickle.dumps(tokenizer)))


@pytest.mark.parametrize("pattern", [r"\p{L}+|\P{L}+", "kimi", "deepseek", r"\w{1,3}+|[\s\S]$?"])
def test_patterns_in_the_dialect_of_tiktoken(pattern: str, tmp_path: Path):
    """Some of them no tokenizer.json can hold."""
    path = tiny.rank_file(tmp_path)
    tokenizer = Tokenizer.from_file(path, pattern=pattern, special_tokens={"<|end|>": 270})
    assert_same(tokenizer, pickle.loads(pickle.dumps(tokenizer)))


def test_a_tokenizer_put_together_here(tmp_path: Path):
    """Recipes use the lab's own normalizers, which no other program has."""
    base = definition(Tokenizer.builtin("gpt2"))
    steps = [{"type": "CollapseWhitespace"}, {"type": "RemoveControls"}, {"type": "Language", "rule": "full_width"}]
    base["normalizer"] = {"type": "Sequence", "normalizers": steps}
    (tmp_path / "tokenizer.json").write_text(json.dumps(base))
    tokenizer = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert_same(tokenizer, pickle.loads(pickle.dumps(tokenizer)))


def test_truncation_and_padding_of_the_file(tmp_path: Path):
    content = json.loads(tiny.tokenizer_json(tmp_path).read_text())
    content["truncation"] = {"max_length": 3, "strategy": "LongestFirst", "stride": 1, "direction": "Left"}
    padding = {"strategy": {"Fixed": 5}, "direction": "Left", "pad_to_multiple_of": None}
    content["padding"] = {**padding, "pad_id": 0, "pad_type_id": 1, "pad_token": "[UNK]"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    tokenizer = Tokenizer.from_file(tmp_path / "tokenizer.json")
    options = {"truncation": "longest_first", "padding": "max_length"}
    one, two = (
        each.encode("hello world " * 3, **options) for each in (tokenizer, pickle.loads(pickle.dumps(tokenizer)))
    )
    assert one.ids.tolist() == two.ids.tolist() and one.attention_mask.tolist() == two.attention_mask.tolist()
    assert len(one.overflowing) == len(two.overflowing) > 0


def test_a_copy_is_the_same_object():
    tokenizer = Tokenizer.builtin("gpt2")
    assert copy.copy(tokenizer) is tokenizer and copy.deepcopy([tokenizer])[0] is tokenizer


def ids_in_another_process(tokenizer: Tokenizer, text: str) -> list[int]:
    return tokenizer.encode_ids(text).tolist()


def test_workers_that_are_spawned(tmp_path: Path):
    made = [Tokenizer.builtin("gpt2"), Tokenizer.from_file(tiny.vocab_txt(tmp_path))]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for tokenizer in made:
            assert (
                pool.apply(ids_in_another_process, (tokenizer, "hello world"))
                == tokenizer.encode_ids("hello world").tolist()
            )


def test_damaged_bytes_are_an_error(tmp_path: Path):
    rebuild, (state,) = Tokenizer.from_file(tiny.vocab_txt(tmp_path)).__reduce__()
    for damaged in (b"", b"anything", state[:-1], state + b"x", state[:40], state.replace(b"state", b"st\xffte", 1)):
        with pytest.raises(LoadError, match="the state of a tokenizer"):
            rebuild(damaged)
    assert issubclass(LoadError, EngineError)
