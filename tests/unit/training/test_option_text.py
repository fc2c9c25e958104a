"""Options of a training as `NAME=VALUE`."""

from dataclasses import fields

import pytest

from lab_app.errors import BadRequest, BadValue
from lab_app.training.option_text import NAMES, read_options, write_option
from lab_app.training.options import PRESETS, TrainingOptions, resolved


@pytest.mark.parametrize("preset", [each.name for each in PRESETS])
def test_every_option_of_every_preset_is_read_as_it_was_written(preset: str):
    options = resolved(preset, {})
    values = {name: getattr(options, name) for name in NAMES}
    found = read_options([write_option(name, value) for name, value in values.items()])
    assert resolved(preset, found) == options
    assert {"algorithm", *found} == {each.name for each in fields(TrainingOptions)}


@pytest.mark.parametrize("value", ["@@", "", "12", "null", '"', '"a"', "true", "a=b", "[1]", "{", "ä\n", None])
def test_texts_are_read_as_they_were_written(value: str | None):
    assert read_options([write_option("end_suffix", value)]) == {"end_suffix": value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("alphabet=bytes", "bytes"),
        ("alphabet=null", None),
        ("end_suffix=12", "12"),
        ('end_suffix="12"', "12"),
        ("max_token_length=null", None),
        ("byte_fallback=true", True),
        ("shrinking_factor=0.5", 0.5),
        ('special_tokens=["<s>", "</s>"]', ["<s>", "</s>"]),
        ("post_processor=null", None),
    ],
)
def test_values(text: str, value: object):
    assert list(read_options([text]).values()) == [value]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (["size"], BadRequest, 'the option "size" has no value: write NAME=VALUE'),
        (["size=3"], BadValue, 'there is no option "size": options are: alphabet, byte_fallback'),
        (["=3"], BadValue, 'there is no option ""'),
        (["algorithm=bpe"], BadRequest, "the algorithm is not given as an option"),
        (["score=frequency", "score=likelihood"], BadRequest, "score is given twice"),
        (["vocab_size=300"], BadRequest, "vocab_size is given twice"),
        (["normalizer=NFKC"], BadValue, 'cannot be NFKC: this is not JSON: write it as normalizer={"type": "NFKC"}'),
        (["special_tokens=<s>"], BadValue, 'write it as special_tokens=["a", "b"]'),
        (["max_token_length=many"], BadValue, "write it as max_token_length=16"),
        (["byte_fallback=yes"], BadValue, "write it as byte_fallback=true"),
        (["character_coverage=NaN"], BadValue, "this is not JSON: write it as character_coverage=0.5"),
    ],
)
def test_what_is_no_option(given: list[str], error: type[Exception], words: str):
    with pytest.raises(error) as found:
        read_options(given, {"vocab_size": 300})
    assert words in str(found.value)
