"""Truncation and padding against Hugging Face `tokenizers`: every field, and the parts left over in their order.

Two things differ on purpose. A length that the special tokens alone exceed, and a stride that a part has no room for, are
errors whatever the text; the reference cuts nothing in the first case and in the second depends on the text. And a part left
over has no parts of its own, which the reference gives it where both of two texts were cut.
"""

import random
from pathlib import Path

import pytest
import tokenizers

from lab_app.engine import EncodeError, Encoding, Tokenizer
from tests.differential.test_small_models import TEXTS, spans_are_right, trained
from tests.generators import texts
from tests.scale import scaled

REAL = ["albert-base-v2", "bert-base-uncased", "gpt2", "roberta-base", "t5"]
SMALL = [
    ("bpe unk", "whitespace", "none", "none", postprocessor, "flags")
    for postprocessor in ("none", "bert", "roberta", "bytes", "template", "both")
] + [
    ("bpe unk", "bytes", "none", "bytes", "roberta", "none"),
    ("unigram", "metaspace", "none", "metaspace", "both", "plain"),
    ("wordpiece", "bert", "bert", "wordpiece", "template", "plain"),
]
STRATEGIES = ["longest_first", "only_first", "only_second"]


class Sides:
    """The two libraries over one file, which says at which side texts are cut and filled."""

    def __init__(self, reference: tokenizers.Tokenizer, side: str, folder: Path, spans: bool = True):
        self.side, self.spans = side, spans
        self.pad = {"direction": side, "pad_id": 1, "pad_type_id": 3, "pad_token": reference.id_to_token(1)}
        reference.enable_truncation(100, direction=side)
        reference.enable_padding(**self.pad)
        reference.save(str(folder / "tokenizer.json"))
        # As read from the file: the last bits of scores are not those of the training.
        self.reference = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.reference.no_truncation()
        self.reference.no_padding()
        self.ours = Tokenizer.from_file(folder)

    def check(self, text: str, pair: str | None, specials: bool, length: int, stride: int, strategy: str) -> bool:
        """Compares one truncation; returns whether there was one."""
        try:
            mine = self.ours.encode(
                text, pair, add_special_tokens=specials, truncation=strategy, max_length=length, stride=stride
            )
        except EncodeError:
            mine = None
        try:
            self.reference.enable_truncation(length, stride=stride, strategy=strategy, direction=self.side)
            theirs = self.reference.encode(text, pair, add_special_tokens=specials)
        except BaseException as error:  # the library's panics are no exceptions
            if isinstance(error, KeyboardInterrupt):
                raise
            theirs = None
        finally:
            self.reference.no_truncation()
        added = self.reference.num_special_tokens_to_add(pair is not None) if specials else 0
        case = (text[:100], pair, specials, length, stride, strategy)
        if length < added or (stride and stride >= length - added):
            assert mine is None, case
            return False
        # The reference checks the stride against the specials of one text even where they are not added.
        if theirs is None and not specials and stride > length - self.reference.num_special_tokens_to_add(False):
            return False
        assert (mine is None) == (theirs is None), case
        if mine is not None and theirs is not None:
            assert_same(mine, theirs, self.spans, case)
            assert len(mine.overflowing) == len(theirs.overflowing), case
            for part, other in zip(mine.overflowing, theirs.overflowing, strict=True):
                assert_same(part, other, self.spans, case)
                assert part.overflowing == []
            assert mine.is_truncated == bool(theirs.overflowing), case
            return mine.is_truncated
        return False

    def check_padding(self, batch: list[str], length: int | None, multiple: int | None, cut: int | None) -> None:
        """Compares padding of a batch, and of every text alone."""
        self.reference.enable_padding(**self.pad, length=length, pad_to_multiple_of=multiple)
        asked = {"padding": "longest" if length is None else "max_length", "pad_to_multiple_of": multiple}
        asked["max_length"] = length
        if cut is not None:
            # Both lengths are one option here.
            asked |= {"max_length": cut, "truncation": "longest_first"}
            self.reference.enable_truncation(cut, direction=self.side)
            self.reference.enable_padding(
                **self.pad, length=cut if length is not None else None, pad_to_multiple_of=multiple
            )
        theirs = self.reference.encode_batch(batch)
        alone = [self.reference.encode(text) for text in batch]
        self.reference.no_truncation()
        self.reference.no_padding()
        ours = self.ours.encode_batch(batch, **asked)
        for mine, other in [*zip(ours, theirs, strict=True)] + [
            (self.ours.encode(text, **asked), other) for text, other in zip(batch, alone, strict=True)
        ]:
            assert_same(mine, other, self.spans, asked)
            for part, part_of_other in zip(mine.overflowing, other.overflowing, strict=True):
                assert_same(part, part_of_other, self.spans, asked)


def assert_same(mine: Encoding, other: tokenizers.Encoding, spans: bool, case: object) -> None:
    assert mine.ids.tolist() == other.ids, case
    assert mine.type_ids.tolist() == other.type_ids, case
    assert mine.word_ids == other.word_ids, case
    assert mine.attention_mask.tolist() == other.attention_mask, case
    assert mine.special_tokens_mask.tolist() == other.special_tokens_mask, case
    if spans:
        assert [tuple(span) for span in mine.span_char.tolist()] == other.offsets, case


def checked(sides: Sides, batch: list[str], seed: int, count: int) -> int:
    """Random options on random texts, lengths around the edges more often; returns how many texts were cut."""
    chance, cut = random.Random(seed), 0
    for _ in range(count):
        text = chance.choice(batch)
        pair = chance.choice([None, chance.choice(batch), ""])
        length = chance.choice([*range(9), 12, 20, 50])
        stride = chance.choice([0, 0, 1, 2, 5, max(length - 3, 0)])
        cut += sides.check(text, pair, chance.random() < 0.8, length, stride, chance.choice(STRATEGIES))
    batch = [text for text in batch if text]
    for length, multiple, limit in [(None, None, None), (None, 8, None), (7, None, None), (5, 4, None), (9, None, 9)]:
        sides.check_padding(chance.sample(batch, 8), length, multiple, limit)
    sides.check_padding(chance.sample(batch, 8), None, 6, 10)
    return cut


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("configuration", SMALL, ids=" | ".join)
def test_small_models(configuration: tuple[str, ...], side: str, tmp_path: Path):
    sides = Sides(trained(*configuration), side, tmp_path, spans_are_right(configuration))
    batch = [text[:60] for text in (*TEXTS, *texts(60, seed=2), "")]
    assert checked(sides, batch, seed=5, count=scaled(150)) > scaled(20)


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str, side: str, shared: Path, tmp_path: Path):
    reference = tokenizers.Tokenizer.from_file(str(shared / "vocab" / name / "tokenizer.json"))
    sides = Sides(reference, side, tmp_path, spans=name not in {"albert-base-v2", "t5"})
    assert checked(sides, [text[:80] for text in texts(100, seed=9)], seed=6, count=scaled(150)) > scaled(20)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_side_of_the_caller_goes_before_that_of_the_file(side: str, tmp_path: Path):
    reference = trained("wordpiece", "bert", "bert", "wordpiece", "template", "plain")
    reference.enable_truncation(100, direction="left" if side == "right" else "right")
    reference.save(str(tmp_path / "tokenizer.json"))
    ours = Tokenizer.from_file(tmp_path)
    reference.enable_truncation(9, direction=side)
    options = {"truncation": "longest_first", "max_length": 9}
    for text in texts(60, seed=4):
        theirs = reference.encode(text)
        assert_same(ours.encode(text, truncation_side=side, **options), theirs, True, text)
        assert_same(ours.encode_batch([text], truncation_side=side, **options)[0], theirs, True, text)
    for given in ({}, {"truncation": "file"}, {**options, "truncation_side": "up"}):
        with pytest.raises(ValueError, match="truncation_side is"):
            ours.encode("a", **{"truncation_side": side, **given})


@pytest.mark.parametrize("fixed", [None, 7, 64])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "truncation", [None, {"max_length": 9, "stride": 2}, {"max_length": 5, "strategy": "only_first"}]
)
def test_as_the_file_says(tmp_path: Path, fixed: int | None, side: str, truncation: dict | None):
    """`"file"` gives what `tokenizers` gives for a file with truncation and padding; without it both are off."""
    reference = trained("wordpiece", "bert", "bert", "wordpiece", "template", "plain")
    reference.enable_padding(direction=side, length=fixed, pad_to_multiple_of=4, pad_id=2, pad_type_id=1, pad_token="c")
    if truncation:
        reference.enable_truncation(**truncation, direction=side)
    reference.save(str(tmp_path / "tokenizer.json"))
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    ours = Tokenizer.from_file(tmp_path)
    assert ours.padding == reference.padding
    assert ours.truncation == reference.truncation
    batch = [text for text in texts(60, seed=4) if text]
    for text in batch:
        assert_same(ours.encode(text, truncation="file", padding="file"), reference.encode(text), True, text)
    for mine, theirs in zip(
        ours.encode_batch(batch, truncation="file", padding="file"), reference.encode_batch(batch), strict=True
    ):
        assert_same(mine, theirs, True, "a batch")
    reference.no_padding()
    reference.no_truncation()
    for text in batch:
        assert ours.encode(text).ids.tolist() == reference.encode(text).ids


def test_a_file_without_lengths_changes_nothing(tmp_path: Path):
    trained("wordpiece", "bert", "bert", "wordpiece", "none", "plain").save(str(tmp_path / "tokenizer.json"))
    ours = Tokenizer.from_file(tmp_path)
    assert ours.padding is None and ours.truncation is None
    text = "the quick brown fox " * 50
    assert ours.encode(text, truncation="file", padding="file").ids.tolist() == ours.encode(text).ids.tolist()
    for options in ({"max_length": 3}, {"stride": 3}, {"pad_to_multiple_of": 4}):
        with pytest.raises(ValueError, match=r"leave .* out"):
            ours.encode(text, truncation="file", padding="file", **options)
