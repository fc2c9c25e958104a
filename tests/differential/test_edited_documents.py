"""A document that is edited, against encoding its text anew: built-in tokenizers, and those of the test data where it is.

The same on tiny tokenizers, with every cut tried, is a test of the engine (`engine_rs/inspect/src/document/tests.rs`).
"""

import random
from pathlib import Path

import numpy as np
import pytest

from lab_app.engine import TEMPLATE, UNKNOWN, Document, Specials, Tokenizer
from tests.generators import texts
from tests.naive_divergence import divergences, unpacked
from tests.scale import scaled
from tests.tiny import tokenizer_json, vocab_and_merges, vocab_txt

EDITS = scaled(30)
MOST_CHARACTERS = 300
FILES = [
    "albert-base-v2/tokenizer.json", "bert-base-cased/tokenizer.json", "bert-base-uncased/tokenizer.json",
    "clip/tokenizer.json", "gpt2/tokenizer.json", "llama2/tokenizer.json", "roberta-base/tokenizer.json",
    "t5/tokenizer.json", "llama2/tokenizer.model", "t5/spiece.model", "sp-small/test_model.model", "qwen2",
]  # fmt: skip
# Beside spaces, of all kinds and behind all scripts, what the added tokens of these files are, and what normalizers change.
WORDS = (
    "the ", "a cat ", "  x", " 12 ", "naïve ", "한국 말 ", "हिन्दी में ", "مرحبا بك ", "<mask>", " <mask> ", "</s>", "[MASK]", "▁a", "e\u0301 ",
    "ﬁ ", "\u00a0", "\n", "\t", "日本 語", "<|endoftext|>", "<extra_id_1>", "ﱞ ", "ﾞ", "' s", "``", "  ",
)  # fmt: skip
ARRAYS = ["ids", "start_utf8", "end_utf8", "start_utf16", "end_utf16", "flags"]


def assert_is_whole(document: Document, tokenizers: list[Tokenizer], specials: Specials) -> None:
    for lane, tokenizer in enumerate(tokenizers):
        encoding = tokenizer.encode(document.text, specials=specials)
        arrays, counts = document.tokens(lane), document.counts(lane)
        before, behind = document.template(lane)
        own = slice(len(before), len(encoding) - len(behind))
        assert [*before, *arrays["ids"].tolist(), *behind] == encoding.ids.tolist(), document.text
        for unit in ("utf8", "utf16"):
            expected = getattr(encoding, f"span_{unit}")[own]
            assert arrays[f"start_{unit}"].tolist() == expected[:, 0].tolist(), document.text
            assert arrays[f"end_{unit}"].tolist() == expected[:, 1].tolist(), document.text
        assert arrays["flags"].tolist() == encoding.flags[own].tolist(), document.text
        assert counts["count"] == len(encoding) and counts["pretoken_count"] == encoding.pretoken_count
        assert counts["unknown_count"] == np.count_nonzero(encoding.flags & UNKNOWN)


def assert_differences(document: Document, tokenizers: list[Tokenizer], specials: Specials) -> None:
    """Both ways of counting spaces, against the definition on the tokens of the text encoded anew."""
    encodings = [tokenizer.encode(document.text, specials=specials) for tokenizer in tokenizers]
    spans = [encoding.span_utf8[(encoding.flags & TEMPLATE) == 0] for encoding in encodings]
    for ignore_spaces in (True, False):
        found = document.divergences(0, document.text_bytes, ignore_spaces)
        expected = divergences(document.text, spans, ignore_spaces=ignore_spaces)
        assert {name: array.tolist() for name, array in found.items()} == expected, document.text


def applied(before: dict, document: Document, lane: int, change: tuple, bytes_moved: int, units_moved: int) -> dict:
    """What somebody who has the old arrays makes of an edit: what the page does."""
    first, removed, inserted, _ = change
    new = unpacked(document.packed(lane, (first, first + inserted)))
    moved = {"start_utf8": bytes_moved, "end_utf8": bytes_moved, "start_utf16": units_moved, "end_utf16": units_moved}
    return {
        name: [
            *before[name][:first].tolist(),
            *new[name],
            *(int(value) + moved.get(name, 0) for value in before[name][first + removed :]),
        ]
        for name in ARRAYS
    }


def edit_at_random(tokenizers: list[Tokenizer], specials: Specials, seed: int) -> None:
    chance = random.Random(seed)
    pieces = [piece + "".join(chance.choices(WORDS, k=chance.randrange(4))) for piece in texts(EDITS, seed)]
    document = Document(tokenizers, "".join(pieces[:4]), specials=specials)
    for piece in pieces:
        text = document.text
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + (chance.choice((0, 0, 1, 2, 30)) if len(text) < MOST_CHARACTERS else 200))
        new = chance.choice((piece[:1], piece[:3], piece, "", " ", "\n"))
        units = [len(text[:at].encode("utf-16-le")) // 2 for at in (start, end)]
        before = [document.tokens(lane) for lane in range(len(tokenizers))]
        (_, old_end, new_end), changes = document.edit(*units, new)
        assert document.text == text[:start] + new + text[end:]
        assert_is_whole(document, tokenizers, specials)
        if chance.random() < 0.3:
            assert_differences(document, tokenizers, specials)
        moved = len(new.encode("utf-16-le")) // 2 - (units[1] - units[0])
        for lane, change in enumerate(changes):
            got = applied(before[lane], document, lane, change, new_end - old_end, moved)
            now = document.tokens(lane)
            assert got == {name: now[name].tolist() for name in ARRAYS}, (text, start, end, new)


@pytest.mark.parametrize("specials", ["text", "parse"])
def test_built_in_and_tiny_tokenizers(specials: Specials, tmp_path: Path):
    built_in = [Tokenizer.builtin(name) for name in ("gpt2", "cl100k_base", "o200k_base")]
    files = [vocab_txt(tmp_path), tokenizer_json(tmp_path / "words")]
    tiny = [Tokenizer.from_file(path) for path in files]
    tiny.append(Tokenizer.from_file(vocab_and_merges(tmp_path / "merges"), pattern="gpt2"))
    edit_at_random([*built_in, *tiny], specials, seed=3)


@pytest.mark.parametrize("specials", ["text", "parse"])
@pytest.mark.parametrize("file", FILES)
def test_files_of_well_known_models(file: str, specials: Specials, shared: Path):
    edit_at_random([Tokenizer.from_file(shared / "vocab" / file), Tokenizer.builtin("gpt2")], specials, seed=5)


@pytest.mark.parametrize(
    ("file", "whole"),
    [("llama2/tokenizer.model", False), ("llama2/tokenizer.json", False), ("t5/tokenizer.json", False), ("clip/tokenizer.json", False),
     ("albert-base-v2/tokenizer.json", False), ("roberta-base/tokenizer.json", False), ("qwen2", False), ("t5/spiece.model", True)],
)  # fmt: skip
def test_a_key_encodes_a_word_where_that_is_proved(file: str, whole: bool, shared: Path):
    document = Document([Tokenizer.from_file(shared / "vocab" / file)], "one word of many. " * 500)
    _, ((_, removed, _, all_again),) = document.edit(4000, 4001, "x")
    assert all_again is whole and removed < 10
    start, end = document.reach(4000, 4000)
    assert (end - start < 40) is not whole


def test_ranges_that_are_none_are_refused():
    document = Document([Tokenizer.builtin("gpt2")], "a👩b")
    for start, end in [(2, 3), (0, 5), (3, 1)]:
        with pytest.raises(ValueError, match=r"unit|range"):
            document.edit(start, end, "")
    assert document.text == "a👩b"
    document.edit(1, 3, "é")
    assert (document.text, document.text_bytes, document.text_characters, document.text_units) == ("aéb", 4, 3, 3)
