"""Streaming decode against `DecodeStream` of `tokenizers`: each piece, and all of them joined."""

from pathlib import Path

import pytest
import tokenizers
from tokenizers.decoders import DecodeStream as Reference

from lab_app.engine import DecodeError, DecodeStream, Tokenizer
from tests.generators import texts

NAMES = ["gpt2", "llama2", "bert-base-uncased", "t5", "albert-base-v2", "clip"]


@pytest.mark.parametrize("skip", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_pieces_equal_tokenizers(name: str, skip: bool, shared: Path):
    path = shared / "vocab" / name / "tokenizer.json"
    reference, tokenizer = tokenizers.Tokenizer.from_file(str(path)), Tokenizer.from_file(path)
    for text in [*texts(40, seed=3), "日本語 🤖 naïve", "x\ufffdy", "é" * 9]:
        ids = tokenizer.encode(text).ids.tolist()
        ours, theirs = DecodeStream(tokenizer, skip_special_tokens=skip), Reference(skip_special_tokens=skip)
        pieces = []
        for id in ids:
            pieces.append(ours.step(id))
            try:
                assert pieces[-1] == (theirs.step(reference, id) or ""), (text, ids)
            except Exception as error:  # the library has no type of its own
                if "Invalid prefix" not in str(error):
                    raise
                break
        else:
            assert "".join([*pieces, ours.finish()]) == tokenizer.decode(ids, skip_special_tokens=skip), (text, ids)


def test_the_end_is_given_and_an_unknown_id_changes_nothing():
    stream = DecodeStream(Tokenizer.builtin("gpt2"))
    assert (stream.step(995), stream.step(8582)) == (" world", "")
    with pytest.raises(DecodeError):
        stream.step(99_999)
    assert (stream.step(97), stream.finish(), stream.finish()) == ("", "\ufffd", "")
    assert stream.step(995) == " world"
