"""Calls of the engine end when they are cancelled or interrupted, and make no more than they may."""

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lab_app import engine
from lab_app.engine import (
    LIMITS,
    Call,
    CallCancelled,
    DecodeError,
    Document,
    EncodeError,
    Tally,
    Tokenizer,
    VocabularyIndex,
    WordCounter,
)

TEXT = "Some words of a text, and 12 numbers. " * 200
WORDS = json.dumps({"algorithm": "bpe", "vocab_size": 260, "pre_tokenizer": {"type": "WhitespaceSplit"}})
LIMIT = dict(LIMITS)
MEGABYTE = "a" * 1_000_000


def written(folder: Path, **stages: object) -> Tokenizer:
    """A tokenizer with these stages; its model knows three letters."""
    model = {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0], ["c", -2.0], ["ab", -2.5]],
    }
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({"model": model, **stages}), encoding="utf-8")
    return Tokenizer.from_file(path)


@pytest.fixture(scope="module")
def gpt2() -> Tokenizer:
    return Tokenizer.builtin("gpt2")


@pytest.fixture(scope="module")
def unigram(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return written(tmp_path_factory.mktemp("unigram"))


CALLS: dict[str, Callable[[Tokenizer, Tokenizer], object]] = {
    "encode": lambda gpt2, _: gpt2.encode(TEXT),
    "encode_batch": lambda gpt2, _: gpt2.encode_batch([TEXT] * 4),
    "encode_ids": lambda gpt2, _: gpt2.encode_ids(TEXT),
    "encode_ids with dropout": lambda gpt2, _: gpt2.encode_ids(TEXT, dropout=0.5),
    "encode_list": lambda gpt2, _: gpt2.encode_list(TEXT),
    "encode_ids_batch": lambda gpt2, _: gpt2.encode_ids_batch([TEXT] * 4),
    "encode_bytes": lambda gpt2, _: gpt2.encode_bytes(TEXT.encode()),
    "encode_with_ends": lambda gpt2, _: gpt2.encode_with_ends(TEXT),
    "encode_timed": lambda gpt2, _: gpt2.encode_timed([TEXT]),
    "n_best": lambda _, unigram: unigram.n_best("abc" * 100, 3),
    "sample": lambda _, unigram: unigram.sample("abc" * 100),
    "trace": lambda gpt2, _: gpt2.trace("a text"),
    "changes": lambda gpt2, _: gpt2.changes(TEXT),
    "decode": lambda gpt2, _: gpt2.decode([1, 2, 3]),
    "decode_batch": lambda gpt2, _: gpt2.decode_batch([[1, 2, 3]]),
    "textbook": lambda gpt2, _: engine.textbook_encode(gpt2, TEXT, "ordered-set"),
    "document": lambda gpt2, unigram: Document([gpt2, unigram], TEXT),
    "tally": lambda gpt2, _: Tally([gpt2]).add(TEXT.encode(), np.array([len(TEXT)], np.uint64)),
    "occurrences": lambda gpt2, _: engine.occurrences(gpt2, TEXT.encode(), np.array([len(TEXT)], np.uint64), 11, 9),
    "audit": lambda _, unigram: VocabularyIndex(unigram).audit(),
    "word counts": lambda *_: WordCounter(WORDS).add([TEXT] * 4),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_cancelled_call_has_no_result(name, gpt2, unigram):
    call = Call()
    call.run(lambda: CALLS[name](gpt2, unigram))
    call.cancel()
    with pytest.raises(CallCancelled):
        call.run(lambda: CALLS[name](gpt2, unigram))
    CALLS[name](gpt2, unigram)  # others go on


def test_a_cancelled_edit_leaves_a_document_as_it_was(gpt2, unigram):
    document = Document([gpt2, unigram], TEXT)
    spans = [np.stack([of["start_utf8"], of["end_utf8"]], axis=1) for of in map(document.tokens, (0, 1))]
    call = Call()
    call.cancel()
    for work in (
        lambda: document.edit(0, 4, "No"),
        lambda: document.told(True),
        lambda: document.divergences(0, len(TEXT), True),
        lambda: engine.divergences(TEXT, spans, True),
    ):
        with pytest.raises(CallCancelled):
            call.run(work)
    assert document.text == TEXT
    assert (document.tokens(0)["ids"] == gpt2.encode_ids(TEXT, specials="parse")).all()
    assert document.edit(0, 4, "No")[0] == (0, 4, 2) and document.text.startswith("No words")


def test_an_interrupt_ends_a_call_while_it_runs(gpt2):
    call = Call()
    texts = ["Some words of a text, and 12 numbers. " * 100_000] * 40
    main = threading.main_thread().ident
    assert main is not None and threading.current_thread() is threading.main_thread()

    def interrupt() -> None:
        if os.name == "nt":
            signal.raise_signal(signal.SIGINT)
        else:
            signal.pthread_kill(main, signal.SIGINT)

    timer = threading.Timer(0.05, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            call.run(lambda: gpt2.encode_ids_batch(texts))
    timer.join()
    assert call.cancelled, "the signal came while the engine worked, and ended its work"


def test_padding_is_bounded_for_the_whole_batch(tmp_path):
    pad = {"id": 0, "content": "<pad>", "special": True, "single_word": False, "lstrip": False, "rstrip": False}
    tokenizer = written(tmp_path, added_tokens=[pad | {"id": 5, "normalized": False}])
    with pytest.raises(EncodeError, match=r"padding would add 49999995 tokens.*33554432 beyond") as caught:
        tokenizer.encode_batch(["a"] * 5, padding="longest", pad_to_multiple_of=10_000_000)
    assert "pad to a shorter length" in caught.value.hint
    assert [len(each) for each in tokenizer.encode_batch(["a"] * 5, padding="longest", pad_to_multiple_of=1000)] == [
        1000
    ] * 5


def test_a_call_may_have_a_limit_of_its_own(gpt2):
    cut = {"truncation": "longest_first", "max_length": 100, "stride": 50}
    encoding = gpt2.encode(TEXT, **cut)
    parts = encoding.overflowing
    repeated = sum(map(len, [encoding, *parts])) - len(gpt2.encode(TEXT))
    assert encoding.is_truncated and repeated > 100
    call = Call(added_tokens=100)
    with pytest.raises(EncodeError, match="one call may add 100 beyond"):
        call.run(lambda: encoding.overflowing)
    assert Call.current() is None and call.run(Call.current) is not None


@pytest.fixture
def megabytes(tmp_path):
    """A tokenizer with a token of a megabyte."""
    path = tmp_path / "tokenizer.json"
    model = {"type": "WordLevel", "vocab": {MEGABYTE: 0, "<unk>": 1}, "unk_token": "<unk>"}
    path.write_text(json.dumps({"model": model, "pre_tokenizer": {"type": "WhitespaceSplit"}}))
    return Tokenizer.from_file(path)


def test_a_text_that_comes_back_is_never_too_long(megabytes):
    text = " ".join([MEGABYTE] * 30)
    call = Call()
    encodings = [call.run(lambda: megabytes.encode(text)) for _ in range(3)]
    assert [call.run(encoding.round_trip) for encoding in encodings] == [True] * 3
    with pytest.raises(DecodeError, match="of which it has made"):
        call.run(lambda: [megabytes.decode(each.ids) for each in encodings])


def test_a_document_that_comes_back_is_never_too_long(megabytes):
    text = " ".join([MEGABYTE] * 70).encode()
    tally = Tally([megabytes], measures=["round_trip"])
    tally.add(text, np.array([len(text)], np.uint64))
    assert tally.sums(0)["exact_documents"].tolist() == [1]


def test_parts_that_overlap_are_bounded(gpt2):
    encoding = gpt2.encode(TEXT * 30, truncation="longest_first", max_length=5000, stride=4999)
    with pytest.raises(EncodeError, match="parts that overlap would add"):
        _ = encoding.overflowing


def test_stages_that_multiply_are_bounded(tmp_path):
    tenfold = {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaa"}
    decodes = written(tmp_path, decoder={"type": "Sequence", "decoders": [tenfold] * 12})
    with pytest.raises(DecodeError, match="67108864 beyond 32 for each id"):
        decodes.decode([1, 2, 1])
    assert not decodes.encode("a").round_trip(), "what is far longer is not the text"
    normalizes = written(tmp_path, normalizer={"type": "Sequence", "normalizers": [tenfold] * 12})
    with pytest.raises(EncodeError, match="Replace"):
        normalizes.encode("abc")
    prepends = {"type": "Prepend", "prepend": "a" * 1000}
    with pytest.raises(EncodeError, match="Prepend"):
        written(tmp_path, normalizer={"type": "Sequence", "normalizers": [prepends] * 1000}).encode("abc")
    parts = [{"Sequence": {"id": "A", "type_id": 0}}] * 100_000
    template = {"type": "TemplateProcessing", "single": parts, "pair": parts, "special_tokens": {}}
    repeats = written(tmp_path, post_processor=template)
    with pytest.raises(EncodeError, match="the template would add"):
        repeats.encode("abc" * 200)
    assert len(repeats.encode("a")) == 100_000
    with pytest.raises(EncodeError, match=r"the template would add 99999 tokens.* 10000 beyond"):
        repeats.trace("a")


def test_calls_of_one_request_share_their_limits(tmp_path):
    tokenizer = written(
        tmp_path, normalizer={"type": "Replace", "pattern": {"String": "b"}, "content": "a" * 1_000_000}
    )
    assert len(tokenizer.encode("b")) == 1_000_000

    def several() -> None:
        for _ in range(9):
            tokenizer.encode("b")

    with pytest.raises(EncodeError, match=f"one call may make {LIMIT['normalized_bytes']} beyond 32"):
        Call().run(several)


def test_a_stretch_with_too_many_segmentations_is_refused(unigram):
    for draw in (lambda: unigram.sample("ab" * 2_200_000), lambda: unigram.n_best("ab" * 100_000, 1000)):
        with pytest.raises(EncodeError, match="draw or list fewer"):
            draw()
    assert 1000 <= unigram.sample("ab" * 1000).size <= 2000


def test_what_stages_change_is_bounded_too(tmp_path):
    tenfold = {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaa"}
    tokenizer = written(tmp_path, normalizer={"type": "Sequence", "normalizers": [tenfold] * 12})
    with pytest.raises(EncodeError, match="the normalizer makes"):
        tokenizer.changes("a" * 1000)
    with pytest.raises(EncodeError):
        tokenizer.trace("a" * 1000)
