"""What the engine makes of its tokens without an object for each is what Python makes of them: JSON, the columns of a
frame, counts of flags, and whether they decode to the text."""

import json
from itertools import combinations, product

import pytest

from lab_app.engine import PADDING, SPECIAL, TEMPLATE, UNKNOWN, Tokenizer
from lab_app.errors import BadValue
from lab_app.json_text import json_text
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.text.lengths import Lengths
from lab_app.services.text.results import CHUNK_TOKENS, RESULT_FIELDS, Result, plain_tokens
from lab_app.settings import Settings
from tests.generators import texts
from tests.scale import scaled

HOSTILE = [
    "",
    " ",
    '"quoted" \\ back\\slash \b\f\n\r\t\x00\x01\x1f\x7f\x85\u2028\u2029\ufeff',
    '</script><!-- {"id": 0} ]]> &amp;',
    "日本語 नमस्ते مرحبا 👩‍🔬🏽 e\u0301 ﷺ \U000e0001\U0010ffff",
    "<|endoftext|>[CLS] [UNK] <s>",
    "x" * 1000,
]
LENGTHS = {
    "unchanged": Lengths(),
    "truncated": Lengths(truncation="longest_first", max_length=8, stride=1),
    "padded": Lengths(padding="max_length", max_length=12),
    "both": Lengths(truncation="longest_first", max_length=6, padding="max_length"),
}
TOKENIZERS = ["gpt2", "cl100k_base", "bert-base-uncased"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Lab:
    return Lab(Settings(data_dir=tmp_path_factory.mktemp("data"), offline=True))


def check(result: Result) -> None:
    """Compares everything, and the tokens alone, with what the plain writer makes."""
    plain = json.loads(json_text(result.whole()))
    assert json.loads(b"".join(result.json_chunks())) == plain
    assert json.loads(b"[%b]" % b", ".join(plain_tokens(result))) == plain["tokens"]
    encoding, flags = result.encoding, result.flags
    utf8, utf16 = encoding.span_utf8, encoding.span_utf16
    columns = [result.ids, utf8[:, 0], utf8[:, 1], utf16[:, 0], utf16[:, 1], flags]
    assert [data for _, _, data in encoding.columns()] == [column.tobytes() for column in columns]
    for flag, but in ((TEMPLATE, 0), (PADDING, 0), (UNKNOWN, TEMPLATE | PADDING), (SPECIAL, TEMPLATE)):
        assert encoding.count(flag, but) == sum(each & (flag | but) == flag for each in flags.tolist())
    decoded = [
        result.tokenizer.decode_bytes(ids, skip_special_tokens=False)
        for number in range(1 if result.pair is None else 2)
        for ids in [result.ids[[sequence == number for sequence in encoding.sequence_ids]]]
    ]
    assert encoding.round_trip() == (
        decoded == [text.encode() for text in (result.text, result.pair) if text is not None]
    )


PADS = "bert-base-uncased"
"""The only one of them with a padding token; it takes pairs too."""
CASES = [(each, name) for each in TOKENIZERS for name in LENGTHS if LENGTHS[name].padding is None or each == PADS]


@pytest.mark.parametrize(("tokenizer", "lengths"), CASES)
def test_hostile_texts_with_every_option(lab, tokenizer, lengths):
    pairs = (None, "", '"pair" é😀') if tokenizer == PADS else (None,)
    for text, pair, specials, add in product(HOSTILE, pairs, ("parse", "text"), (True, False)):
        options = {"add_special_tokens": add, "specials": specials, "lengths": LENGTHS[lengths]}
        check(encode(lab, tokenizer, text, pair, **options))


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_generated_texts(lab, tokenizer):
    for text in texts(150, 20261122):
        check(encode(lab, tokenizer, text))


def test_a_text_of_several_chunks_of_tokens(lab):
    result = encode(lab, "gpt2", "naïve 日本 \n" * scaled(8_000))
    assert result.ids.size > 2 * CHUNK_TOKENS
    check(result)


@pytest.mark.parametrize("count", range(len(RESULT_FIELDS) + 1))
def test_the_fields_asked_for_are_those_of_the_whole(lab, count):
    lengths = Lengths(truncation="longest_first", max_length=4)
    result = encode(lab, "bert-base-uncased", "one two three four five", lengths=lengths)
    whole = json.loads(json_text(result.whole()))
    for fields in combinations(RESULT_FIELDS, count):
        wanted = {name: whole[name] if name in fields else None for name in RESULT_FIELDS}
        answer = json.loads(b"".join(result.json_chunks(fields)))
        assert answer == {"tokenizer": whole["tokenizer"], "count": whole["count"], **wanted}


def test_half_a_character_is_refused_before_anything_is_written(lab):
    with pytest.raises(BadValue, match="half of a surrogate pair"):
        encode(lab, "gpt2", "a\ud83d")


def test_a_field_that_an_encoding_does_not_have_is_refused():
    with pytest.raises(ValueError, match="no JSON field"):
        Tokenizer.builtin("gpt2").encode("a").json_items("spans", 0, 1)  # type: ignore[arg-type]
