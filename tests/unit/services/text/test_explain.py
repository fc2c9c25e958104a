import json
import math

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue
from lab_app.services.lab import Lab
from lab_app.services.text.explain import explain_text
from lab_app.services.text.trace import trace_of
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny
from tests.differential import test_sentencepiece as sentencepiece
from tests.generators import texts
from tests.results import plain

UNIGRAM = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": {
        "type": "Unigram",
        "unk_id": 0,
        "byte_fallback": False,
        "vocab": [["?", 0.0], ["a", -2.0], ["b", -2.0], ["ab", -5.0], ["c", -1.0], ["ca", -2.5]],
    },
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "words"), id="vocab-2")
    add(lab, tiny.vocab_and_merges(folder / "merges"), id="vocab")
    (folder / "unigram").mkdir()
    (folder / "unigram" / "tokenizer.json").write_text(json.dumps(UNIGRAM))
    add(lab, folder / "unigram" / "tokenizer.json", id="unigram")
    return lab


def place(lab, id, text, at, **options):
    [found] = plain(explain_text(lab, id, text, at, **options))["places"]
    return found


def test_a_boundary_of_the_pretokenizer(lab):
    found = place(lab, "gpt2", "Hello, world", 5)
    assert (found["boundary"], found["stage"], found["rule"]) == (True, "pretokenizer", "GPT-2 pattern")
    assert found["details"]["branches"] == ["letters", "punctuation"]
    assert "“Hello” (letters) and “,” (punctuation)" in found["summary"]


def test_a_missing_merge_and_a_blocked_one(lab):
    # he, ll, hell, hello are the merges, in this order.
    missing = place(lab, "vocab", "hex", 2)
    assert missing["stage"] == "model" and missing["details"]["blocked"] == []
    assert missing["summary"] == "no merge joins “he” and “x”"
    blocked = place(lab, "vocab", "lle", 2, edits=False)
    assert blocked["summary"] == "no merge joins “ll” and “e”"
    blocked = place(lab, "vocab", "helll", 4, edits=False)
    [first] = blocked["details"]["blocked"]
    assert first["rank"] == first["by"]["rank"] == 1
    assert "further left" in blocked["summary"]


def test_added_tokens_and_the_ends(lab):
    text = "a<|endoftext|>b"
    assert [place(lab, "gpt2", text, at, specials="parse")["stage"] for at in (0, 1, 14, 15)] == [
        "edge",
        "added token",
        "added token",
        "edge",
    ]
    inside = place(lab, "gpt2", text, 5, specials="parse")
    assert not inside["boundary"] and inside["stage"] == "added token"


def test_places_without_a_boundary_say_how_the_token_was_made(lab):
    found = place(lab, "vocab", "hello", 2)
    assert not found["boundary"] and found["edit"] is None
    assert found["summary"].endswith("“he” + “ll” (rank 2), “hell” + “o” (rank 3)")


def test_wordpiece(lab):
    found = place(lab, "vocab-2", "tokenization", 5)
    assert found["summary"] == (
        "“token” is the longest entry that matches before it (7 longer ones are not in the vocabulary);"
        " then comes “##ization”"
    )
    unknown = place(lab, "vocab-2", "tokenx", 5)
    assert not unknown["boundary"] and "no entry matches the rest from “##x” on" in unknown["summary"]
    gap = place(lab, "vocab-2", "hello world", 5)
    assert gap["stage"] == "pretokenizer" and "is dropped" in gap["summary"]


def test_unigram(lab):
    found = place(lab, "unigram", "ab", 1)
    assert found["details"]["worse_by"] == pytest.approx(1.0)
    assert found["summary"] == (
        "the best path has the score -4.00; the best one without this boundary, “ab”, has -5.00, 1.00 less"
    )
    assert place(lab, "unigram", "bb", 1)["summary"] == "no token of the vocabulary crosses this boundary"
    inside = place(lab, "unigram", "ca", 1)
    assert "is on the best path" in inside["summary"]
    assert inside["details"]["probability"] == pytest.approx(math.exp(-3) / (math.exp(-3) + math.exp(-2.5)))


def test_the_segmentations_of_a_unigram_model(lab):
    details = place(lab, "unigram", "abb", 1)["details"]
    cut, whole = math.exp(-4), math.exp(-5)
    assert details["probability"] == pytest.approx(cut / (cut + whole))
    segment = details["segment"]
    assert (segment["text"], segment["span"], segment["boundaries"][0]["character"]) == ("ab", [0, 2], 1)
    assert [(each["names"], each["score"]) for each in segment["segmentations"]] == [
        (["“a”", "“b”"], -4.0),
        (["“ab”"], -5.0),
    ]
    assert sum(each["probability"] for each in segment["segmentations"]) == pytest.approx(1)
    # Between “b” and “b” every segmentation has a boundary, between unknown neighbours none has.
    certain = place(lab, "unigram", "abb", 2)["details"]
    assert (certain["probability"], certain["segment"]) == (1.0, None)
    unknown = place(lab, "unigram", "axya", 2)
    assert not unknown["boundary"] and unknown["details"]["probability"] == 0.0


def test_sentencepiece_models(lab, tmp_path):
    for kind in ("unigram", "bpe", "char", "word"):
        path = tmp_path / f"spm-{kind}.model"
        path.write_bytes(sentencepiece.trained(kind, "usual", "unknown", "identity", "user"))
        add(lab, path, id=f"spm-{kind}")
    text = " over fox!"
    gone = place(lab, "spm-bpe", text, 1, edits=False)
    assert gone["stage"] == "normalizer" and "is dropped" in gone["summary"]
    for kind in ("unigram", "bpe", "char"):
        kept = place(lab, f"spm-{kind}", text, 6, edits=False)
        assert kept["boundary"] and (kept["stage"], kept["rule"]) == ("added token", "user-defined")
        inside = place(lab, f"spm-{kind}", text, 7, edits=False)
        assert not inside["boundary"] and inside["summary"].startswith("“fox” is a user-defined token of the model")
    assert "each character is a token" in place(lab, "spm-char", text, 3, edits=False)["summary"]
    cut = place(lab, "spm-word", "The lazy dog", 3, edits=False)
    assert cut["boundary"] and "one starts at each ▁" in cut["summary"]
    for one in plain(explain_text(lab, "spm-unigram", text, edits=False))["places"]:
        if one["rule"] == "unigram" and one["details"].get("segmentation_without"):
            assert one["details"]["worse_by"] >= 0


@pytest.mark.parametrize("id", ["gpt2", "cl100k_base", "bert-base-uncased", "vocab", "unigram"])
def test_what_is_said_of_an_edit_is_true(lab, id):
    tokenizer: Tokenizer = lab.loaded.get(id)[1]
    made = 0
    for text in [
        *(text[:20] for text in texts(12, seed=3)),
        "HELLO  WORLD, hELLO  tOKEN",
        "CA  CA, 2048 20480",
        "helllo colur",
    ]:
        whole = plain(explain_text(lab, id, text))
        assert [one["at"] for one in whole["places"]] == whole["boundaries"][:100]
        for one in whole["places"]:
            assert one["boundary"], (text, one)
            if (edit := one["edit"]) is None:
                continue
            made += 1
            start, end = edit["span_utf8"]
            data = text.encode()
            assert (data[:start] + edit["by"].encode() + data[end:]).decode() == edit["text"]
            encoding = tokenizer.encode(edit["text"], specials="text")
            assert edit["token"] in [edit["text"][a:b] for a, b in encoding.span_char.tolist()]
    assert made


def test_the_simplest_edit_comes_first(lab):
    edit = place(lab, "vocab", "hel lo", 3)["edit"]
    assert edit is None, "“hello” is one token, and two words are no typing error"
    edit = place(lab, "vocab", "HELLO", 1)["edit"]
    assert edit["summary"] == "write “HELLO” in lower case: “hello” becomes one token"
    edit = place(lab, "gpt2", "Helllo", 4)["edit"]
    assert edit["summary"] == "delete “l”: “Hello” becomes one token"


@pytest.mark.parametrize(
    ("id", "text", "at", "reason"),
    [
        ("gpt2", "ab", 0, "The text starts here."),
        (
            "gpt2",
            "Hello, world",
            5,
            "The text is split into parts before tokens are formed: “Hello” ends here and “,” starts."
            " No token crosses such a split.",
        ),
        (
            "bert-base-uncased",
            "he. hello",
            3,
            "The text is split into parts before tokens are formed: “.” ends here and “hello” starts after text that is"
            " dropped. No token crosses such a split.",
        ),
        ("vocab", "hex", 2, "“hex” is not in the vocabulary, so “he” and “x” stay two tokens."),
        (
            "gpt2",
            "Tokenization",
            5,
            "“Tokenization” is not in the vocabulary, so “Token” and “ization” stay two tokens.",
        ),
        ("gpt2", "日", 2, "“日” is not in the vocabulary, so <e6 97> and <a5> stay two tokens."),
        ("vocab", "hello", 2, "There is no boundary here: “hello” is one token."),
        (
            "bert-base-uncased",
            "unaffordable",
            3,
            "“unaffordable” is not in the vocabulary; the longest entry that starts it is “una”.",
        ),
        (
            "bert-base-uncased",
            "Unaffordable",
            8,
            "“unaffordable” is not in the vocabulary; the longest entry that continues it after “unaff” is “##ord”.",
        ),
        ("bert-base-uncased", "寿", 1, "The vocabulary cannot spell “寿”, so “[UNK]” replaces the whole word."),
        ("unigram", "bb", 1, "No token of the vocabulary crosses this boundary."),
        ("unigram", "ab", 1, "Without this boundary, the best segmentation is “ab”, which is 2.7 times less probable."),
    ],
)
def test_the_reason_is_one_plain_sentence(lab, id, text, at, reason):
    assert place(lab, id, text, at, edits=False)["reason"] == reason


def test_a_token_that_no_merge_reaches_is_no_missing_word(lab):
    """ "hell" is in the vocabulary: that it is not built here is told otherwise than a word that is not there."""
    [found] = [one for one in plain(explain_text(lab, "vocab", "helll", edits=False))["places"] if one["at"] == 4]
    assert found["reason"] == "“helll” is not in the vocabulary, so “hell” and “l” stay two tokens."


def test_what_cannot_be_explained_is_refused(lab):
    with pytest.raises(BadValue, match="byte 9 is not in the text, which has 2 bytes"):
        explain_text(lab, "gpt2", "ab", 9)
    with pytest.raises(BadValue, match="10000 that can be explained"):
        explain_text(lab, "gpt2", "a" * 10_001)
    assert trace_of(lab, "gpt2", "ab")["text_bytes"] == 2
