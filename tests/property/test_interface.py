"""Whatever the arguments, every name of the engine's Python interface returns or raises an `Exception`: never a panic."""

import inspect
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lab_app import _engine
from lab_app.engine import Call, Document, Encoding, Tally, Tokenizer, Trace, Trainer, VocabularyIndex, WordCounter
from tests.scale import scaled

BPE = json.dumps({"algorithm": "bpe", "vocab_size": 260, "pre_tokenizer": {"type": "WhitespaceSplit"}})
UNIGRAM = {
    "type": "Unigram",
    "unk_id": 0,
    "vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0], ["ab", -2.5], ["▁", -3.0]],
}


class Lying(list):  # type: ignore[type-arg]
    """A sequence that says it has more items than memory holds."""

    def __len__(self) -> int:
        return 2**62


class Failing:
    """An object whose attributes and items fail, and whose iteration ends with an error."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __iter__(self) -> Iterator[Any]:
        yield 1
        raise RuntimeError("no more")

    def __getitem__(self, at: object) -> Any:
        raise RuntimeError(at)


def objects(folder: Any) -> dict[type, list[Any]]:
    """A few objects of each class, by class."""
    gpt2 = Tokenizer.builtin("gpt2")
    unigram = folder / "unigram.json"
    unigram.write_text(json.dumps({"model": UNIGRAM}), encoding="utf-8")
    words = folder / "vocab.txt"
    words.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b", encoding="utf-8")
    tokenizers = [gpt2, Tokenizer.from_file(unigram), Tokenizer.from_file(words)]
    counter = WordCounter(BPE)
    counter.add(["low low lower newest"])
    text = "a b c ab é 語 😀"
    return {
        Tokenizer: tokenizers,
        Encoding: [gpt2.encode(text), tokenizers[2].encode(text, "a b", truncation="longest_first", max_length=5)],
        VocabularyIndex: [VocabularyIndex(tokenizers[1])],
        Document: [Document(tokenizers, text)],
        Trace: [gpt2.trace(text)],
        Tally: [Tally(tokenizers)],
        WordCounter: [counter],
        Trainer: [Trainer(BPE, counter)],
        Call: [Call()],
    }


CLASSES = [each for _, each in inspect.getmembers(_engine, inspect.isclass) if not issubclass(each, Exception)]
NAMES = sorted(
    [
        *(
            f"{owner.__name__}.{name}"
            for owner in CLASSES
            for name in vars(owner)
            if name not in ("__doc__", "__module__")
        ),
        *(name for name, each in inspect.getmembers(_engine) if callable(each) and not inspect.isclass(each)),
    ]
)
"""Read from the extension, so that a new method is called, too."""

# Numbers are small or absurd: a million steps would only take long.
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 40),
    st.sampled_from([-(2**63), 2**31, 2**32 - 1, 2**32, 2**62, 2**63, 2**64, 2**200]),
    st.sampled_from([0.0, 0.5, -1.0, 1e308, math.inf, math.nan]),
    st.text(max_size=20),
    st.sampled_from(
        ["\ud800", "a\x00b", "longest_first", "longest", "max_length", "tokens", "parse", "gpt2", "fast", BPE]
    ),
    st.binary(max_size=20),
    st.sampled_from([bytearray(b"ab"), memoryview(b"ab"), np.array([2, 4], np.uint64), np.zeros((2, 2), np.uint32)]),
    st.sampled_from([np.array([1, 2], np.uint32), np.array([0.5]), np.array([], np.uint16), object(), Failing()]),
)
nested = st.one_of(
    st.lists(plain, max_size=4),
    st.lists(st.lists(st.integers(0, 300), max_size=3), max_size=3),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
    st.lists(st.text(max_size=5), max_size=3).map(Lying),
    st.lists(st.integers(0, 300), max_size=3).map(Lying),
    st.dictionaries(st.text(max_size=8), plain, max_size=3),
)
KEYWORDS = [
    "specials",
    "truncation",
    "max_length",
    "stride",
    "padding",
    "pad_to_multiple_of",
    "threads",
    "seed",
    "limit",
]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[type, list[Any]]:
    return objects(tmp_path_factory.mktemp("interface"))


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some names are those of files that are written


def target(name: str, owners: list[Any]) -> Callable[..., Any]:
    """What to call, of one of the owners."""
    owner, _, method = name.partition(".")
    if not method:
        return getattr(_engine, owner)  # type: ignore[no-any-return]
    if method == "__new__":
        return getattr(_engine, owner)  # type: ignore[no-any-return]

    def call(*arguments: Any, **keywords: Any) -> Any:
        for each in owners:
            value = getattr(each, method)
            if callable(value):
                value(*arguments, **keywords)

    return call


def test_the_interface_has_names():
    assert {"Tokenizer.encode_batch", "Tally.add", "textbook_train", "Encoding.json_items"} <= set(NAMES) and len(
        NAMES
    ) > 120


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=scaled(8), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_arguments_make_the_engine_panic(known, name, data):
    owners = known.get(getattr(_engine, name.partition(".")[0], None), [])
    own = st.sampled_from([each for all_of_one in known.values() for each in all_of_one])
    argument = st.one_of(plain, nested, own, st.lists(own, max_size=2), st.lists(own, max_size=2).map(Lying))
    signature = inspect_names(name)
    arguments = data.draw(st.lists(argument, max_size=len(signature) or 3))
    keywords = data.draw(st.dictionaries(st.sampled_from([*signature, *KEYWORDS]), argument, max_size=2))
    try:
        target(name, owners)(*arguments, **keywords)
    except (SystemError, MemoryError):
        raise
    except Exception:
        return  # a panic is no Exception


def inspect_names(name: str) -> list[str]:
    """The parameters of a name, as far as the extension says them."""
    owner, _, method = name.partition(".")
    each = getattr(_engine, owner)
    each = getattr(each, method, each) if method and method != "__new__" else each
    try:
        return [each for each in inspect.signature(each).parameters if each not in ("self", "options")]
    except (TypeError, ValueError):
        return []


@pytest.mark.parametrize("field", ["ids", "type_ids", "attention_mask", "tokens"])
def test_a_range_that_ends_before_it_starts_is_empty(field):
    encoding = Tokenizer.builtin("gpt2").encode("a b c d e f")
    assert encoding.json_items(field, 5, 2) == encoding.json_items(field, 99, 2) == b""
    assert len(encoding.json_items(field, 4, 99)) > 0


def test_what_a_length_says_is_not_believed():
    tokenizer = Tokenizer.builtin("gpt2")
    assert tokenizer.decode(Lying([15496, 11])) == "Hello,"
    assert [len(each) for each in tokenizer.encode_batch(Lying(["a", "b c"]))] == [1, 2]
    assert tokenizer.decode_batch(Lying([Lying([15496])])) == ["Hello"]
    assert tokenizer.add_tokens(Lying(["<x>"])).token_to_id("<x>") == 50257
    for given_as in ("a b", {"a": 1}, 5, iter(["a"])):
        with pytest.raises(TypeError, match="sequence"):
            tokenizer.encode_batch(given_as)
