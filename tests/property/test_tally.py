"""Counts over documents: hand-worked examples, any partition merges to the same, threads do not matter, bad input."""

import itertools
import json
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_app.engine import (
    TALLY_MEASURES,
    DecodeError,
    EncodeError,
    Tally,
    Tokenizer,
    occurrences,
    segmentations,
    word_places,
)
from tests import naive_tally, tiny
from tests.generators import texts as generated
from tests.scale import scaled

any_text = st.one_of(st.text(max_size=40), st.integers(0, 2**32).map(lambda seed: next(generated(1, seed))[:200]))
corpora = st.lists(st.tuples(any_text, st.integers(0, 2)), max_size=12)


def packed(texts):
    """Text and ends of documents."""
    data = [text.encode() for text in texts]
    return b"".join(data), np.cumsum([len(part) for part in data], dtype=np.uint64)


def tally_of(tokenizers, texts, groups=None, group_count=1, **options):
    """A tally of the texts, in one call."""
    text, ends = packed(texts)
    tally = Tally(tokenizers, groups=group_count, measures=options.pop("measures", TALLY_MEASURES))
    tally.add(text, ends, None if groups is None else np.array(groups, np.uint16), **options)
    return tally


def sums_of(tally, tokenizer=0):
    """Sums over all groups."""
    return {key: int(by_group.sum()) for key, by_group in tally.sums(tokenizer).items()}


@pytest.fixture(scope="module")
def gpt2() -> Tokenizer:
    return Tokenizer.builtin("gpt2")


@pytest.fixture(scope="module")
def lossy(tmp_path_factory: pytest.TempPathFactory) -> list[Tokenizer]:
    """WordPiece, whole words with an unknown one, and Unigram with bytes behind a normalizer that adds a space."""
    folder = tmp_path_factory.mktemp("tokenizers")
    bytes_ = [[f"<0x{byte:02X}>", -9.0] for byte in range(256)]
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": True}
    model["vocab"] = [["<unk>", 0.0], *bytes_, ["▁", -2.0], ["a", -2.0], ["▁a", -1.5], ["12", -3.0], ["é", -3.0]]
    definition = {
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}]},
        "model": model,
    }  # fmt: skip
    unigram = folder / "unigram.json"
    unigram.write_text(json.dumps(definition), encoding="utf-8")
    files = [tiny.vocab_txt(folder), tiny.tokenizer_json(folder), unigram]
    return [Tokenizer.from_file(file) for file in files]


def test_a_hand_worked_example(gpt2):
    # GPT-2: "1234567" is 123 45 67, " 語" is three tokens with b" \xe8" the first, "don't" is don 't.
    tally = tally_of([gpt2], ["don't 1234567 語", "", " a  b\n"])
    assert [gpt2.token_bytes(i) for i in gpt2.encode_ids("don't 1234567 語")] == [
        *(b"don", b"'t", b" 123", b"45", b"67", b" \xe8", b"\xaa", b"\x9e"),
    ]  # fmt: skip
    assert {key: value.tolist() for key, value in tally.text_sums().items()} == {
        "documents": [3],
        "bytes": [23],
        "characters": [21],
        "multibyte_characters": [1],
        "lines": [2],
        "words": [5],
        "words_unicode": [5],
    }
    assert sums_of(tally) == {
        "tokens": 12,  # and " a", " ", " b", "\n"
        "word_tokens": 2 + 3 + 3 + 1 + 1,
        "continued_words": 3,
        "word_tokens_unicode": 2 + 3 + 3 + 1 + 1,
        "continued_words_unicode": 3,
        "unknown_tokens": 0,
        "unknown_characters": 0,
        "whole_character_tokens": 9,
        "crossing_tokens": 1,
        "split_characters": 1,
        "digit_true": 0,
        "digit_predicted": 2,  # 123|45|67
        "digit_expected": 2,  # 1|234|567
        "space_runs": 3,
        "space_boundaries": 3,
        "space_boundaries_before": 3,
        "space_boundaries_after": 0,
        "exact_documents": 3,
        "nfc_documents": 3,
        "stable_documents": 3,
    }
    lengths, documents = tally.lengths(0)
    assert (lengths.tolist(), documents.tolist()) == ([0, 4, 8], [1, 1, 1])
    assert tally.counts(0).sum() == 12 and tally.counts(0).size == gpt2.vocab_size
    assert {key: value.tolist() for key, value in tally.boundary_pairs().items()} == {
        "shared": [[10]],
        "either": [[10]],
    }


def test_unknown_text_and_dropped_text(lossy):
    bert = tally_of([lossy[0]], ["hello zzé  world", "token"])
    sums = sums_of(bert)
    # [UNK] stands for "zzé"; the boundaries are those of the three words.
    assert (sums["unknown_tokens"], sums["unknown_characters"], sums["exact_documents"]) == (1, 3, 1)
    assert (sums["space_runs"], sums["space_boundaries_before"], sums["space_boundaries_after"]) == (2, 2, 2)
    assert bert.boundary_pairs()["shared"].tolist() == [[4]]
    # Byte fallback: the tokens of a character that the vocabulary lacks split it.
    sums = sums_of(tally_of([lossy[2]], ["a語"]))
    assert (sums["split_characters"], sums["unknown_tokens"], sums["whole_character_tokens"]) == (1, 0, 1)


def byte_level(path: Path, missing: str = "", **definition) -> Tokenizer:
    """Byte-level BPE without merges and without an unknown token, whose vocabulary lacks some characters."""
    characters = [character for character in tiny.BYTE_CHARACTERS.values() if character not in missing]
    stage = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    model = {"type": "BPE", "merges": [], "vocab": {character: id for id, character in enumerate(characters)}}
    path.write_text(json.dumps({"pre_tokenizer": stage, "decoder": stage, "model": model, **definition}), "utf-8")
    return Tokenizer.from_file(path)


def test_characters_that_a_model_without_an_unknown_token_leaves_out_are_unknown(tmp_path: Path):
    # z is one byte, 0xA9 the second one of é, Ġ a space.
    tokenizer = byte_level(tmp_path / "tokenizer.json", missing="z©Ġ")
    texts = ["azzb z", "é", "zzz", "plain", "", "xéz語é"]
    tally = tally_of([tokenizer], texts)
    sums = sums_of(tally)
    assert (sums["unknown_tokens"], sums["tokens"]) == (0, 2 + 1 + 5 + (1 + 1 + 3 + 1))
    assert sums["unknown_characters"] == 3 + 1 + 3 + 0 + 0 + 3
    whole = byte_level(tmp_path / "tokenizer.json", normalizer={"type": "NFC"})
    assert sums_of(tally_of([whole], [*texts, "e\u0301"]))["unknown_characters"] == 0
    check(tally_of([tokenizer, whole], texts), [tokenizer, whole], texts, [0] * len(texts), 1)


def test_a_byte_level_tokenizer_says_why_it_may_lose_text(tmp_path: Path):
    path = tmp_path / "tokenizer.json"
    stage = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
    sequence = {"type": "Sequence", "pretokenizers": [stage]}
    token = {"id": 256, "content": "<x>", "single_word": False, "normalized": False, "special": True, "rstrip": False}
    for definition, text, lossy in (
        ({}, "a b", None),
        ({"pre_tokenizer": stage}, "a b", "a space is put before the text"),
        ({"pre_tokenizer": sequence}, "a b", "a space is put before the text"),
        ({"missing": "z"}, "a z", "what the vocabulary lacks is left out"),
        ({"added_tokens": [{**token, "lstrip": True}]}, "a <x>", "an added token takes the white space beside it"),
        ({"added_tokens": [{**token, "lstrip": False}]}, "a <x>", None),
    ):
        tokenizer = byte_level(path, **definition)
        ids = tokenizer.encode_ids(text, specials="parse")
        comes_back = tokenizer.decode(ids, skip_special_tokens=False) == text
        assert (tokenizer.lossy, comes_back) == (lossy, lossy is None)


def test_white_space_that_an_added_token_takes_does_not_come_back(tmp_path: Path):
    token = {"id": 256, "content": "<x>", "single_word": False, "normalized": False, "special": False}
    strips = {"added_tokens": [{**token, "lstrip": True, "rstrip": True}]}
    plain = {"added_tokens": [{**token, "lstrip": False, "rstrip": False}]}
    texts = ["a <x> b", "a<x>b", "a b", "<x> é"]
    tokenizers = [byte_level(tmp_path / "tokenizer.json", **options) for options in (strips, plain)]
    tally = tally_of(tokenizers, texts)
    assert [sums_of(tally, at)["exact_documents"] for at in range(2)] == [2, 4]
    assert sums_of(tally)["stable_documents"] == 4
    check(tally, tokenizers, texts, [0] * len(texts), 1)


def check(tally, tokenizers, texts, groups, group_count):
    """Holds a tally to the plain way."""
    expected = naive_tally.count(tokenizers, texts, groups, group_count)
    left_out = "" if all(naive_tally.has_plain_words(text) for text in texts) else "_unicode"
    for key, by_group in tally.text_sums().items():
        if left_out and key.endswith(left_out):
            continue
        assert by_group.tolist() == [sums[key] for sums in expected["texts"]], key
    for at, lane in enumerate(expected["lanes"]):
        assert dict(enumerate(tally.counts(at).tolist())) == {
            i: lane["ids"][i] for i in range(tokenizers[at].vocab_size)
        }
        assert list(zip(*(array.tolist() for array in tally.lengths(at)), strict=True)) == lane["lengths"]
        for key, by_group in tally.sums(at).items():
            if left_out and key.endswith(left_out):
                continue
            assert by_group.tolist() == [sums[key] for sums in lane["sums"]], (tokenizers[at], key)
    for key, pairs in tally.boundary_pairs().items():
        assert pairs.tolist() == expected["pairs"][key], key


@settings(max_examples=scaled(60))
@given(corpus=corpora)
def test_a_tally_is_what_the_plain_way_counts(gpt2, lossy, corpus):
    texts, groups = [text for text, _ in corpus], [group for _, group in corpus]
    tokenizers = [gpt2, *lossy]
    check(tally_of(tokenizers, texts, groups, 3), tokenizers, texts, groups, 3)


@settings(max_examples=scaled(60))
@given(corpus=corpora, cuts=st.lists(st.integers(0, 12), max_size=4), order=st.randoms(use_true_random=False))
def test_any_partition_merges_to_the_same(gpt2, lossy, corpus, cuts, order):
    tokenizers = [gpt2, lossy[0]]
    whole = tally_of(tokenizers, [text for text, _ in corpus], [group for _, group in corpus], 3)
    places = sorted({0, len(corpus), *(cut for cut in cuts if cut < len(corpus))})
    parts = [corpus[a:b] for a, b in itertools.pairwise(places)] or [corpus]
    order.shuffle(parts)
    tallies = [tally_of(tokenizers, [text for text, _ in part], [group for _, group in part], 3) for part in parts]
    merged = Tally.from_bytes(tokenizers, tallies[0].to_bytes())
    for tally in tallies[1:]:
        merged.merge(tally)
    assert merged.to_bytes() == whole.to_bytes()


def test_threads_and_batches_do_not_matter(gpt2, lossy):
    tokenizers = [gpt2, *lossy]
    # Long enough for several shares, with one document that is longer than a share.
    texts = [*generated(800, seed=3), "word 12345 é" * 25_000, *generated(200, seed=4)]
    groups = [at % 3 for at in range(len(texts))]
    reports = []
    for threads in (1, 2, 7, 0):
        text, ends = packed(texts)
        tally = Tally(tokenizers, groups=3)
        rows = tally.add(text, ends, np.array(groups, np.uint16), threads=threads, per_document=True)
        reports.append((tally.to_bytes(), {key: value.tolist() for key, value in rows.items()}))
    assert reports[0] == reports[1] == reports[2] == reports[3]
    by_document = Tally(tokenizers, groups=3)
    for text, group in zip(texts, groups, strict=True):
        by_document.add(*packed([text]), np.array([group], np.uint16))
    assert by_document.to_bytes() == reports[0][0]
    rows = reports[0][1]
    assert rows["characters"] == [len(text) for text in texts]
    assert rows["tokens"][1] == [lossy[0].encode_ids(text).size for text in texts]
    assert sum(rows["unknown_characters"][1]) == sums_of(by_document, 1)["unknown_characters"] > 0


def test_measures_do_not_change_each_other(gpt2, lossy):
    texts = list(generated(50, seed=5))
    whole = tally_of([gpt2, lossy[0]], texts)
    for measure in TALLY_MEASURES:
        alone = tally_of([gpt2, lossy[0]], texts, measures=[measure])
        assert alone.measures == list(dict.fromkeys(["tokens", measure]))
        for at in range(2):
            assert alone.counts(at).tolist() == whole.counts(at).tolist()
            assert sums_of(alone, at).items() <= sums_of(whole, at).items()
        if measure == "agreement":
            assert alone.boundary_pairs()["shared"].tolist() == whole.boundary_pairs()["shared"].tolist()
        else:
            with pytest.raises(ValueError, match="does not measure agreement"):
                alone.boundary_pairs()


def test_empty_and_odd_documents(gpt2, lossy):
    tokenizers = [gpt2, *lossy]
    empty = Tally(tokenizers, groups=2)
    before = empty.to_bytes()
    assert empty.add(b"", np.array([], np.uint64), threads=2, per_document=True)["tokens"].shape == (4, 0)
    assert (empty.documents, empty.to_bytes()) == (0, before)
    texts = ["", "\0", "\0\0a\0", "\ufeff", "", "\n", " ", "x" * 300, "1" * 100, "\u0301" * 50, "<|endoftext|>"]
    check(tally_of(tokenizers, texts, [0] * len(texts)), tokenizers, texts, [0] * len(texts), 1)


def test_buffers_of_every_kind_are_read(gpt2):
    text, ends = packed(["one two", "three"])
    expected = tally_of([gpt2], ["one two", "three"]).to_bytes()
    for buffer in (bytearray(text), memoryview(text), np.frombuffer(text, np.uint8), np.frombuffer(text, np.int8)):
        tally = Tally([gpt2])
        tally.add(buffer, np.repeat(ends, 2)[::2])
        assert tally.to_bytes() == expected


@pytest.mark.parametrize(
    ("text", "ends", "groups", "error", "message"),
    [
        (b"ab\x80c", [2, 4], None, EncodeError, "document 1 is not UTF-8: byte 0x80 at 0"),
        (b"ab\xc3\xa9", [3, 4], None, EncodeError, "document 0 is not UTF-8: byte 0xC3 at 2"),
        (b"abcd", [3, 2, 4], None, ValueError, "document 1 ends at byte 2, before its start at byte 3"),
        (b"abcd", [3], None, ValueError, "end at byte 3, but the text has 4 bytes"),
        (b"abcd", [5], None, ValueError, "end at byte 5, but the text has 4 bytes"),
        (b"abcd", [], None, ValueError, "end at byte 0"),
        (b"a", [1], [2], ValueError, "document 0 is of group 2, but the tally has 2 groups"),
        (b"a", [1], [0, 1], ValueError, "2 groups are given for 1 documents"),
    ],
)
def test_bad_documents_are_refused_whole(gpt2, text, ends, groups, error, message):
    tally = tally_of([gpt2], ["fine"], group_count=2)
    before = tally.to_bytes()
    with pytest.raises(error, match=message):
        tally.add(text, np.array(ends, np.uint64), None if groups is None else np.array(groups, np.uint16))
    assert tally.to_bytes() == before


def test_a_document_that_cannot_be_encoded_is_named_and_nothing_is_counted(gpt2, tmp_path: Path):
    path = tmp_path / "tokenizer.json"
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "[UNK]"}
    path.write_text(json.dumps({"pre_tokenizer": {"type": "WhitespaceSplit"}, "model": model}), encoding="utf-8")
    tokenizers = [gpt2, Tokenizer.from_file(path)]
    tally = tally_of(tokenizers, ["a a"])
    before = tally.to_bytes()
    with pytest.raises(EncodeError, match='document 2, tokenizer 1: "b" at byte 2 is not in the vocabulary'):
        tally.add(*packed(["a", "a a", "a b", "b"]), threads=2)
    assert tally.to_bytes() == before
    tally.merge(tally_of(tokenizers, ["a"]))
    assert sums_of(tally, 1)["tokens"] == 3


def test_arguments_that_do_not_fit_say_so(gpt2, lossy):
    with pytest.raises(TypeError, match="ends is no array of uint64"):
        Tally([gpt2]).add(b"a", np.array([1]))
    with pytest.raises(TypeError, match="groups is no array of uint16"):
        Tally([gpt2]).add(b"a", np.array([1], np.uint64), np.array([0]))
    with pytest.raises(TypeError, match="text is <class 'str'>"):
        Tally([gpt2]).add("a", np.array([1], np.uint64))
    with pytest.raises(ValueError, match='no measure "wrods"; the measures are tokens, words'):
        Tally([gpt2], measures=["wrods"])
    for groups in (0, -1, 65537):
        with pytest.raises(ValueError, match=f"groups is {groups}"):
            Tally([gpt2], groups=groups)
    with pytest.raises(IndexError, match="tokenizer is 1, but the tally has 1"):
        Tally([gpt2]).counts(1)
    others = [Tally([lossy[0]]), Tally([gpt2], groups=2), Tally([gpt2], measures=["words"])]
    for other, what in zip(others, ("tokenizers", "number of groups", "measures"), strict=True):
        with pytest.raises(ValueError, match=f"differ in their {what}"):
            Tally([gpt2]).merge(other)


def test_stored_bytes_are_checked(gpt2, lossy):
    tally = tally_of([gpt2], ["some text", "more"])
    data = tally.to_bytes()
    assert len(data) < 200 and Tally.from_bytes([gpt2], data).to_bytes() == data
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 1
        with pytest.raises(ValueError, match="not a stored tally"):
            Tally.from_bytes([gpt2], bytes(damaged))
        with pytest.raises(ValueError, match="not a stored tally"):
            Tally.from_bytes([gpt2], data[:at])
    with pytest.raises(ValueError, match="not a stored tally"):
        Tally.from_bytes([gpt2], data + b"\0")
    for others in ([], [lossy[0]], [gpt2, gpt2]):
        with pytest.raises(ValueError, match="other tokenizers"):
            Tally.from_bytes(others, data)


def test_counts_go_beyond_32_bits(gpt2):
    tally = tally_of([gpt2], ["a" * 1000] * 5)
    for _ in range(40):
        tally.merge(Tally.from_bytes([gpt2], tally.to_bytes()))
    expected = 5 * len(gpt2.encode_ids("a" * 1000)) << 40
    assert tally.counts(0).sum() == sums_of(tally)["tokens"] == expected > 2**50


def test_occurrences_are_all_tokens_of_the_id(gpt2, lossy):
    texts = list(generated(60, seed=6))
    text, ends = packed(texts)
    for tokenizer in (gpt2, *lossy):
        tokens = [naive_tally.tokens_of(tokenizer, text) for text in texts]
        id = max(token[0] for row in tokens for token in row)
        expected = [(at, *span) for at, row in enumerate(tokens) for token, span in row if token == id]
        found = list(zip(*(array.tolist() for array in occurrences(tokenizer, text, ends, id, 1000)), strict=True))
        assert found == expected and found
        first = list(zip(*(array.tolist() for array in occurrences(tokenizer, text, ends, id, 1)), strict=True))
        assert first == expected[:1]
    with pytest.raises(DecodeError, match="no token has id 999999"):
        occurrences(gpt2, text, ends, 999_999, 5)


def test_segmentations_of_a_word_in_context(gpt2):
    ids = {text: gpt2.encode_ids(text).tolist() for text in ("unbelievable", " unbelievable", " Unbelievable")}
    text, ends = packed(
        ["unbelievable", "an unbelievable unbelievable.", "unbelievables, unbelievable-", "Unbelievable"]
    )
    word = b"unbelievable"
    assert segmentations(gpt2, text, ends, word, 100) == [
        (ids[" unbelievable"], 3, 1, 3),
        (ids["unbelievable"], 1, 0, 0),
    ]
    assert segmentations(gpt2, text, ends, word, 2) == sorted(
        [(ids["unbelievable"], 1, 0, 0), (ids[" unbelievable"], 1, 1, 3)]
    )
    assert segmentations(gpt2, text, ends, b"absent", 5) == segmentations(gpt2, text, ends, b"", 5) == []
    with pytest.raises(ValueError, match="word is not UTF-8"):
        segmentations(gpt2, text, ends, b"\x80", 5)


def is_of_word(character: str) -> bool:
    """A letter, mark or number. Letters are those of Unicode's property Alphabetic, which a few symbols have, such as Ⓐ."""
    return unicodedata.category(character)[0] in "LMN" or bool(regex.match(r"\p{Alphabetic}", character))


@pytest.mark.parametrize(
    "beside", ["b", "7", "\u0301", "\u0903", "\u20dd", "Ⓐ", "ⅷ", "½", "一", "_", "-", " ", "👩", "ª", "\u200d"]
)
def test_a_word_ends_where_no_letter_mark_or_number_goes_on(gpt2, beside: str):
    word = "cát"
    texts = [word, word + beside, beside + word, f"{word} {word}{beside}{word}"]
    expected = []
    for number, line in enumerate(texts):
        for found in re.finditer(word, line):
            around = line[: found.start()][-1:] + line[found.end() :][:1]
            if not any(map(is_of_word, around)):
                expected.append((number, len(line[: found.start()].encode()), len(line[: found.end()].encode())))
    text, ends = packed(texts)
    assert word_places(text, ends, word) == expected
    assert sum(count for _, count, _, _ in segmentations(gpt2, text, ends, word.encode(), 100)) == len(expected)
    assert word_places(text, ends, "") == []


def test_threads_may_count_into_one_tally(gpt2):
    texts = list(generated(400, seed=8))
    parts = [packed(texts[at::4]) for at in range(4)]
    together, alone = Tally([gpt2]), Tally([gpt2])
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: together.add(*part), parts * 3))
    for part in parts * 3:
        alone.add(*part)
    assert together.to_bytes() == alone.to_bytes()


def test_tokenizers_that_differ_in_merges_alone_are_told_apart(tmp_path: Path):
    files = []
    for number, merges in enumerate(("a b\nb a\na ba\nab a", "b a\na b\nab a\na ba")):
        folder = tmp_path / str(number)
        path = tiny.vocab_and_merges(folder)
        vocab = {**{character: id for id, character in enumerate(tiny.BYTE_CHARACTERS.values())}, "ab": 256, "ba": 257}
        path.write_text(json.dumps({**vocab, "aba": 258}), encoding="utf-8")
        (folder / "merges.txt").write_text(f"#version: 0.2\n{merges}\n", encoding="utf-8")
        files.append(Tokenizer.from_file(path))
    one, other = files
    assert one.vocab() == other.vocab()
    with pytest.raises(ValueError, match="other tokenizers"):
        Tally.from_bytes([one], Tally([other]).to_bytes())
