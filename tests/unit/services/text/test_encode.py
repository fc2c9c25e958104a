import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.errors import BadValue, EncodeFailed, LoadFailed, NotFound, Unavailable
from lab_app.services.lab import Lab
from lab_app.services.text import encode as encoding
from lab_app.services.text.compare import compare
from lab_app.services.text.decode import decode
from lab_app.services.text.encode import encode, encode_batch
from lab_app.services.text.lengths import UNCHANGED, Lengths
from lab_app.services.tokenizers.tokenizers import add, remove
from lab_app.services.vocabularies.vocabulary import tokens
from lab_app.settings import Settings
from tests import tiny
from tests.results import plain

texts = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(" \n日👩é1a")), max_size=30)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "words"))
    return lab


def test_a_result_is_what_the_interface_says(lab):
    result = encode(lab, "GPT2", "Hello 日")
    whole = plain(result.whole())
    assert {key: value for key, value in whole.items() if key not in ("tokens", "elapsed_ns")} == {
        "tokenizer": "gpt2",
        "text_bytes": 9,
        "text_characters": 7,
        "count": 4,
        "text_token_count": 4,
        "added_special_count": 0,
        "padding_count": 0,
        "unknown_count": 0,
        "bytes_per_token": 9 / 4,
        "characters_per_token": 7 / 4,
        "unknown_rate": 0.0,
        "pretoken_count": 2,
        "split_character_count": 1,
        "has_spans": True,
        "round_trip": True,
        "ids": [15496, 10545, 245, 98],
        "type_ids": [0, 0, 0, 0],
        "attention_mask": [1, 1, 1, 1],
        "overflowing": [],
    }
    assert whole["elapsed_ns"] > 0
    assert whole["tokens"][1] == {
        "id": 10545,
        "text": None,
        "bytes": "20e6",
        "span_utf8": [5, 7],
        "span_char": [5, 7],
        "span_utf16": [5, 7],
        "special": False,
        "sequence": 0,
    }


def test_the_template_is_counted_and_stands_for_no_text(lab):
    whole = plain(encode(lab, "words", "Hello, stranger").whole())
    assert whole["ids"] == [2, 5, 10, 1, 3]
    assert (whole["count"], whole["added_special_count"], whole["unknown_count"]) == (5, 2, 1)
    assert [token["sequence"] for token in whole["tokens"]] == [None, 0, 0, 0, None]
    assert whole["tokens"][0]["span_utf8"] == [0, 0] and whole["tokens"][0]["special"]
    assert not whole["round_trip"]
    assert encode(lab, "words", "hello", add_special_tokens=False).whole().ids == [5]


def test_a_pair_tells_which_text_a_token_is_from(lab):
    whole = plain(encode(lab, "words", "hello", "world").whole())
    assert whole["ids"] == [2, 5, 3, 6, 3]
    assert [token["sequence"] for token in whole["tokens"]] == [None, 0, None, 1, None]
    assert whole["tokens"][3]["span_utf8"] == [0, 5]
    assert whole["text_bytes"] == 5 and whole["split_character_count"] == 0


def test_a_long_result_is_one_json_document_in_many_parts(lab):
    chunks = list(encode(lab, "gpt2", "a b" * 30_000).json_chunks())
    assert len(chunks) > 4
    whole = json.loads(b"".join(chunks))
    assert len(whole["ids"]) == len(whole["tokens"]) == whole["count"]


@given(text=texts)
def test_spans_cut_the_text_where_its_tokens_are(lab, text):
    result = encode(lab, "cl100k_base", text)
    whole = plain(result.whole())
    assert whole["round_trip"]
    data, units = text.encode(), text.encode("utf-16-le")
    assert "".join(token["bytes"] for token in whole["tokens"]) == data.hex()
    for token in whole["tokens"]:
        (a, b), (c, d), (e, f) = token["span_utf8"], token["span_char"], token["span_utf16"]
        assert data[a:b].hex() == token["bytes"]
        assert data[a:b] in text[c:d].encode() and text[c:d] == units[2 * e : 2 * f].decode("utf-16-le")


def test_a_special_token_in_the_text_is_parsed_kept_or_refused(lab):
    text = "a<|endoftext|>"
    assert encode(lab, "gpt2", text, specials="parse").ids.tolist() == [64, 50256]
    assert encode(lab, "gpt2", text).ids.tolist()[1:] == [27, 91, 437, 1659, 5239, 91, 29], "as text unless asked"
    with pytest.raises(EncodeFailed, match=r"<\|endoftext\|>") as error:
        encode(lab, "gpt2", text, specials="reject")
    assert error.value.hint


@pytest.mark.parametrize(
    "call", [lambda lab, text: encode(lab, "gpt2", text), lambda lab, text: encode_batch(lab, "gpt2", [text])]
)
def test_half_a_character_is_refused(lab, call):
    with pytest.raises(BadValue, match=r"character 1 .*\\ud83d"):
        call(lab, "a\ud83d")


@given(rows=st.lists(texts, max_size=4), add_special_tokens=st.booleans())
@pytest.mark.parametrize("id", ["gpt2", "words"])
def test_a_batch_is_its_rows(lab, id, rows, add_special_tokens):
    batch = encode_batch(lab, id, rows, add_special_tokens=add_special_tokens)
    ids, starts = batch.ids, batch.row_starts
    assert batch.attention_mask.tolist() == [1] * ids.size
    assert starts.dtype == np.uint64 and starts[0] == 0 and starts[-1] == ids.size
    for number, text in enumerate(rows):
        row = ids[int(starts[number]) : int(starts[number + 1])]
        assert row.tolist() == encode(lab, id, text, add_special_tokens=add_special_tokens).ids.tolist()


@pytest.mark.parametrize("rows", [[], [""], ["", "hello", ""], ["hello world " * 9, "", "tokens", "hello " * 40]])
@pytest.mark.parametrize("lengths", [UNCHANGED, Lengths(padding="longest"), Lengths("longest_first", 4)])
def test_a_batch_is_written_in_chunks(lab, rows, lengths, monkeypatch):
    """Small chunks and groups, so that rows begin and end in each place of one."""
    whole = encode_batch(lab, "words", rows, lengths=lengths)
    monkeypatch.setattr(encoding, "CHUNK_TOKENS", 5)
    monkeypatch.setattr(encoding, "GROUP_TEXTS", 2)
    batch = encode_batch(lab, "words", rows, lengths=lengths)
    written = json.loads(b"".join(batch.json_chunks()))
    starts = whole.row_starts.tolist()
    assert written == {
        "tokenizer": "words",
        "counts": [end - start for start, end in pairwise(starts)],
        "ids": [whole.ids[start:end].tolist() for start, end in pairwise(starts)],
        "attention_mask": [whole.attention_mask[start:end].tolist() for start, end in pairwise(starts)],
    }


def test_lengths(lab):
    cut = encode(lab, "words", "hello world tokens", lengths=Lengths("longest_first", 4, stride=1))
    whole = plain(cut.whole())
    assert whole["ids"] == [2, 5, 6, 3] and whole["overflowing"] == [[2, 6, 7, 3], [2, 7, 9, 3]]
    assert (whole["round_trip"], whole["pretoken_count"]) == (False, 2)
    filled = plain(encode(lab, "words", "hello", lengths=Lengths(max_length=5, padding="max_length")).whole())
    assert filled["ids"] == [2, 5, 3, 0, 0] and filled["attention_mask"] == [1, 1, 1, 0, 0]
    assert (filled["padding_count"], filled["added_special_count"], filled["round_trip"]) == (2, 2, True)
    assert [token["sequence"] for token in filled["tokens"]] == [None, 0, None, None, None]
    batch = encode_batch(lab, "words", ["hello", "hello world"], lengths=Lengths(padding="longest"))
    assert batch.ids.tolist() == [2, 5, 3, 0, 2, 5, 6, 3]
    assert batch.attention_mask.tolist() == [1, 1, 1, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("id", "lengths", "error", "message"),
    [
        ("words", Lengths(max_length=3), BadValue, "nothing is truncated or padded"),
        ("words", Lengths(stride=3), BadValue, "nothing is truncated"),
        ("words", Lengths(pad_to_multiple_of=8), BadValue, "nothing is padded"),
        ("words", Lengths("only_first"), BadValue, "length to truncate to is missing"),
        ("words", Lengths(padding="max_length"), BadValue, "no such length"),
        ("words", Lengths("only_second", 3), EncodeFailed, "only the second text may be truncated"),
        ("words", Lengths("only_first", 1), EncodeFailed, "the special tokens alone are 2"),
        ("words", Lengths("only_first", 4, stride=2), EncodeFailed, "room for 2 tokens"),
        (
            "words",
            Lengths(padding="max_length", max_length=1 << 30),
            EncodeFailed,
            "padding would add .* one call may add 33554432",
        ),
        ("gpt2", Lengths(padding="longest"), EncodeFailed, "has no padding token"),
    ],
)
def test_lengths_that_make_no_sense_are_refused(lab, id, lengths, error, message):
    with pytest.raises(error, match=message) as caught:
        encode(lab, id, "hello world", lengths=lengths)
    assert caught.value.hint


def test_errors_of_the_tokenizer_are_the_labs(lab, tmp_path):
    with pytest.raises(NotFound, match="gpt9"):
        encode(lab, "gpt9", "a")
    with pytest.raises(Unavailable, match="roberta-base"):
        encode(lab, "roberta-base", "a")
    other = Lab(Settings(data_dir=tmp_path, offline=True))
    add(other, tiny.vocab_txt(tmp_path / "words"))
    other.catalog.entry("words").files[0].write_bytes(b"")
    with pytest.raises(LoadFailed, match="changed"):
        encode(other, "words", "a")


def test_a_tokenizer_replaced_by_another_program_is_not_used_again(tmp_path):
    settings = Settings(data_dir=tmp_path, offline=True)
    lab, other = Lab(settings), Lab(settings)
    add(lab, tiny.vocab_txt(tmp_path / "mine"))
    assert encode(lab, "mine", "hello").ids.tolist() == [2, 5, 3]
    remove(other, "mine")
    with pytest.raises(NotFound, match="mine"):
        encode(lab, "mine", "hello")
    add(other, tiny.vocab_and_merges(tmp_path / "b"), id="mine")
    assert encode(lab, "mine", "hello").ids.tolist() == [259]


def test_no_more_tokenizers_stay_in_memory_than_the_setting_says(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path, max_loaded=1, offline=True))
    first = lab.loaded.get("gpt2")[1]
    assert lab.loaded.get("gpt2")[1] is first
    lab.loaded.get("cl100k_base")
    assert lab.loaded.get("gpt2")[1] is not first


@pytest.mark.parametrize("ids", [[50257], [-1], [2**32], [2**80], [0, 99999999]])
def test_ids_out_of_range_are_refused(lab, ids):
    from lab_app.errors import DecodeFailed

    with pytest.raises(DecodeFailed, match=str(ids[-1])):
        decode(lab, "gpt2", ids)
    with pytest.raises(DecodeFailed, match=str(ids[-1])):
        tokens(lab, "gpt2", ids)


def test_a_comparison_is_what_the_interface_says(lab):
    found = compare(lab, ["gpt2", "words", "cl100k_base"], "tokenizations 2048")
    whole = json.loads(b"".join(found.json_chunks()))
    assert [result["tokenizer"] for result in whole["tokenizers"]] == ["gpt2", "words", "cl100k_base"]
    assert whole["agreement"][0][0] == 1 and whole["agreement"][0][1] == whole["agreement"][1][0]
    assert whole["divergences"] == [
        {
            "span_utf8": [5, 13],
            "span_utf16": [5, 13],
            "kind": "words",
            "counts": {"gpt2": 1, "words": 2, "cl100k_base": 1},
            "boundaries": {"gpt2": [], "words": [12], "cl100k_base": []},
        },
        {
            "span_utf8": [13, 18],
            "span_utf16": [13, 18],
            "kind": "numbers",
            "counts": {"gpt2": 1, "words": 1, "cl100k_base": 3},
            "boundaries": {"gpt2": [], "words": [], "cl100k_base": [17]},
        },
    ]


@pytest.mark.parametrize("ids", [[], ["gpt2"], ["gpt2", "GPT2"], [f"t{n}" for n in range(9)]])
def test_two_to_eight_different_tokenizers_are_compared(lab, ids):
    with pytest.raises(BadValue):
        compare(lab, ids, "a")


# The text and the counts of the picture the screen was designed after.
SAMPLE = (
    "Tokenization isn't neutral: a 2048-token window holds 9,200 characters\n"
    "of English, but only 1,900 of 日本語, because 東京都 falls apart into bytes.\n"
    "def naïve_café(x):    return x ** 2   # unaffordable\n"
    "Straßenbahnhaltestelle · नमस्ते दुनिया · 👩‍🔬 met 🇯🇵\n"
    "مرحبا بالعالم، هذه جملة قصيرة."
)


def test_the_sample_diverges_in_forty_places(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path, offline=True))
    ids = ["bert-base-uncased", "gpt2", "cl100k_base"]
    found = compare(lab, ids, SAMPLE, specials="text")
    assert [result.summary().count for result in found.results] == [108, 151, 125]
    assert len(found.divergences) == 40
    assert len(compare(lab, ids, SAMPLE, specials="text", ignore_spaces=False).divergences) == 64
    spans = [each.span_utf8 for each in found.listed_divergences()]
    assert spans[:3] == [(16, 18), (29, 34), (34, 40)]  # neighbours stay apart: " 2048" and "-token"
    assert found.divergences.arrays["counts"][:3].tolist() == [[2, 1, 1], [2, 1, 3], [2, 2, 1]]
