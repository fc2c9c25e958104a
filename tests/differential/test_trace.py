"""A trace's tokens are those of `encode`, for every kind of tokenizer; the facts it gives of each boundary hold."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from lab_app.analysis.explain import explain
from lab_app.engine import EncodeError, Tokenizer
from lab_app.services.text.explain import TokenWords
from lab_app.services.text.trace import Trace
from tests.api.declared import check_json
from tests.differential import test_sentencepiece as sentencepiece
from tests.differential.test_small_models import TEXTS, assert_all_values, one_in, trained
from tests.generators import texts
from tests.scale import scaled
from tests.tiny import tokenizer_json

REAL = ["albert-base-v2", "bert-base-uncased", "clip", "gpt2", "llama2", "roberta-base", "t5"]


def check(tokenizer: Tokenizer, text: str, *, of_sentencepiece: bool = False) -> None:
    try:
        encoding = tokenizer.encode(text)
    except EncodeError:
        with pytest.raises(EncodeError, match="no unknown token"):
            tokenizer.trace(text)
        return
    traced = tokenizer.trace(text)
    check_json(Trace, traced.to_json())
    trace = traced.as_dict()
    assert [token["id"] for token in trace["tokens"]] == encoding.ids.tolist(), text
    own = tokenizer.encode(text, add_special_tokens=False)
    found = [token for pretoken in trace["pretokens"] for token in pretoken["tokens"]]
    assert [token["id"] for token in found] == own.ids.tolist(), text
    # Where no postprocessor trims them, spans are the same, too.
    if tokenizer.stages["postprocessor"] in {"none", "[CLS] ... [SEP]"}:
        assert [token["span"] for token in found] == own.span_utf8.tolist(), text
    for pretoken in trace["pretokens"]:
        check_steps(pretoken, of_sentencepiece)


def check_steps(pretoken: dict, of_sentencepiece: bool) -> None:
    steps, tokens = pretoken["steps"], pretoken["tokens"]
    assert len(pretoken["alignment"]) == len(pretoken["text"])
    match steps["model"]:
        case "bpe" if not steps["whole"]:
            # Bytes and unknown neighbours of a SentencePiece model come after its merges.
            assert of_sentencepiece or len(steps["symbols"]) == len(steps["merges"]) + len(tokens)
            assert [boundary["pair"] for boundary in steps["boundaries"]] == [
                [left["id"], right["id"]] for left, right in pairwise(tokens)
            ]
            for boundary in steps["boundaries"]:
                for blocked in boundary["blocked"]:
                    assert steps["merges"][blocked["by"]]["rank"] <= blocked["rank"]
        case "unigram":
            best = steps["best"]["score"]
            others = [path for _, path in steps["without"] if path] + [path for path in [steps["runner_up"]] if path]
            assert all(path["score"] <= best + 1e-9 for path in others)
        case "word_piece":
            found = [one["found"] for one in steps["tries"]]
            if steps["tries"] and None not in found:
                assert found == [token["id"] for token in tokens]


CONFIGURATIONS = one_in(5, first=1)


def test_every_stage_is_among_the_configurations():
    assert_all_values(CONFIGURATIONS)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=" | ".join)
def test_small_models(configuration: tuple[str, ...], tmp_path: Path):
    trained(*configuration).save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(tmp_path)
    for text in [*texts(scaled(10), seed=len(configuration[0])), *TEXTS[-2:], "", "THE the [MASK] é é."]:
        check(tokenizer, text)


@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name / "tokenizer.json")
    for text in texts(scaled(50), seed=12):
        check(tokenizer, text)


@pytest.mark.parametrize("name", sentencepiece.REAL)
def test_real_sentencepiece_models(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name)
    for text in texts(scaled(40), seed=14):
        check(tokenizer, text, of_sentencepiece=True)


@pytest.mark.parametrize(
    "configuration", random.Random(6).sample(list(sentencepiece.configurations()), 20), ids=" | ".join
)
def test_small_sentencepiece_models(configuration: tuple[str, ...], tmp_path: Path):
    path = tmp_path / "small.model"
    path.write_bytes(sentencepiece.trained(*configuration))
    tokenizer = Tokenizer.from_file(path)
    for text in [*texts(scaled(10), seed=15), *sentencepiece.TRAINING[-2:], "", " ", "a <x>y fox<sep>the<ctl>é  日本"]:
        check(tokenizer, text, of_sentencepiece=True)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_built_in(name: str):
    tokenizer = Tokenizer.builtin(name)
    for text in texts(scaled(80), seed=13):
        check(tokenizer, text)


def test_merges_of_a_sentencepiece_model_go_by_score(shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / "llama2" / "tokenizer.model")
    trace = tokenizer.trace("Token").as_dict()
    [pretoken] = trace["pretokens"]
    merges = pretoken["steps"]["merges"]
    spelled = ["".join(tokenizer.token_text(id) or "" for id in one["pair"]) for one in merges]
    assert spelled[:3] == ["en", " T", "ok"] and spelled[-1] == " Token"
    assert [one["score"] for one in merges[:3]] == [-5, -64, -295]
    assert "“e” + “n” (score -5)" in explain(trace, 4, TokenWords(tokenizer))["summary"]


def test_a_text_too_long_is_refused():
    with pytest.raises(EncodeError, match="10001 characters, more than the 10000 that are traced"):
        Tokenizer.builtin("gpt2").trace("a" * 10_001)
    assert Tokenizer.builtin("gpt2").trace("a" * 10_000).as_dict()["text_bytes"] == 10_000


def test_what_every_stage_did(tmp_path: Path):
    trace = Tokenizer.builtin("gpt2").trace("I'm 42!<|endoftext|>").as_dict()
    branches = ["letters", "contraction", "number", "punctuation", None]
    assert [pretoken["branch"] for pretoken in trace["pretokens"]] == branches
    steps = [None, "GPT-2 pattern", "GPT-2 pattern", "GPT-2 pattern", "added token"]
    assert [pretoken["split_by"] for pretoken in trace["pretokens"]] == steps


def applied(changes: list[tuple[int, int, str]], text: str) -> str:
    """The text with every change made."""
    data, at, out = text.encode(), 0, []
    for start, end, new in changes:
        assert at <= start <= end, changes
        out += [data[at:start].decode(), new]
        at = end
    return "".join([*out, data[at:].decode()])


STRANGE = [
    "",
    "\0",
    "Café ﬁne ＦＵＬＬ ½ №",
    "a\tb\x00c\u200d d  e ",
    "日本語 Hi",
    "\n\n  x",
    "e\u0301 É İ ß ǅ",
    "한국어 각 각",
    "``it's''",
]


@pytest.mark.parametrize("name", ["bert-base-uncased", "gpt2", "clip", "roberta-base", "llama2"])
def test_changes_make_the_normalized_text(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name / "tokenizer.json")
    for text in [*STRANGE, *texts(60, seed=5)]:
        trace = tokenizer.trace(text, specials="text").as_dict()
        normalized = "".join(piece["text"] for piece in trace["normalizer"][-1]["pretokens"])
        assert applied(tokenizer.changes(text, specials="text"), text) == normalized, text


@pytest.mark.parametrize("name", sentencepiece.REAL)
def test_changes_make_what_a_sentencepiece_model_sees(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name)
    for text in [*STRANGE, *texts(60, seed=6)]:
        trace = tokenizer.trace(text, specials="text").as_dict()
        seen = "".join(pretoken["text"] for pretoken in trace["pretokens"])
        assert applied(tokenizer.changes(text, specials="text"), text) == seen, text


def test_changes_of_metaspace_and_of_added_tokens(shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / "t5" / "tokenizer.json")
    # The space stays as written: the pretokenizer only cuts there, and puts its mark before each word.
    assert tokenizer.changes("Hi ﬁn", specials="text") == [(0, 0, "▁"), (3, 6, "▁fi")]
    bert = Tokenizer.from_file(shared / "vocab" / "bert-base-uncased" / "tokenizer.json")
    assert bert.changes("A[SEP]É", specials="parse") == [(0, 1, "a"), (6, 8, "e")]
    with pytest.raises(EncodeError):
        bert.changes("A[SEP]É", specials="reject")


METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
NO_BERT = {
    "type": "BertNormalizer",
    "clean_text": False,
    "handle_chinese_chars": False,
    "strip_accents": None,
    "lowercase": False,
}


def bytes_with(prefix: bool) -> dict:
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": True}


@pytest.mark.parametrize(
    ("normalizer", "pretokenizer", "stages"),
    [
        (None, {"type": "WhitespaceSplit"}, []),
        ({"type": "NFC"}, {"type": "WhitespaceSplit"}, ["normalizer"]),
        (None, METASPACE, ["pretokenizer"]),
        (None, {"type": "Sequence", "pretokenizers": [METASPACE]}, ["pretokenizer"]),
        ({"type": "Lowercase"}, METASPACE, ["normalizer", "pretokenizer"]),
        ({"type": "Sequence", "normalizers": []}, bytes_with(False), []),
        ({"type": "ByteLevel"}, bytes_with(True), ["pretokenizer"]),
        (NO_BERT, None, []),
        (NO_BERT | {"strip_accents": True}, None, ["normalizer"]),
        ({"type": "Strip", "strip_left": False, "strip_right": False}, None, []),
    ],
)
def test_a_stage_that_can_change_the_text_is_named(tmp_path: Path, normalizer, pretokenizer, stages):
    path = tokenizer_json(tmp_path)
    definition = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**definition, "normalizer": normalizer, "pre_tokenizer": pretokenizer}), "utf-8")
    tokenizer = Tokenizer.from_file(path)
    assert tokenizer.changing_stages == stages
    changed = [text for text in ["Hi é", *STRANGE, *texts(60, seed=7)] if tokenizer.changes(text)]
    assert bool(changed) == bool(stages), "a text that it changes, where it can"


def test_what_no_stage_can_change_is_not_changed():
    named = [tokenizer for name in ("gpt2", "cl100k_base") for tokenizer in [Tokenizer.builtin(name)]]
    for tokenizer in named:
        assert tokenizer.changing_stages == []
        assert not any(tokenizer.changes(text, specials="text") for text in [*STRANGE, *texts(60, seed=8)])


def test_the_space_before_a_byte_level_text_is_put_in(tmp_path: Path):
    path = tokenizer_json(tmp_path)
    definition = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**definition, "pre_tokenizer": bytes_with(True)}), "utf-8")
    tokenizer = Tokenizer.from_file(path)
    assert tokenizer.changes("日本 b") == [(0, 0, " ")]
    assert tokenizer.changes(" a") == [] and tokenizer.changes("") == []
