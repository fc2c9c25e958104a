"""Normalizers that change or drop spaces, before and after the stage that makes marks of them: ids and spans of texts that fall
into segments at spaces, compared with the stages in order and with `tokenizers`.

Not here: normalizers beside stages without marks (test_small_models.py).
"""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import tokenizers
from tokenizers import Regex, models, normalizers, pre_tokenizers

from lab_app.engine import Tokenizer
from tests.scale import scaled

MARK = "▁"
MERGES = ["▁ a", "▁ ▁", "a b", "▁ ab", "▁▁ ▁▁", "▁ ."]
CHARACTERS = [*"ab.,_1Aé", MARK, " ", "\n", "\t"]


def bpe(*more: str) -> models.BPE:
    """BPE over some characters, with merges of several marks."""
    merges = [(left, right) for left, right in map(str.split, [*MERGES, *more])]
    tokens = ["<unk>", *CHARACTERS, *(left + right for left, right in merges)]
    vocab = {token: id for id, token in enumerate(tokens)}
    return models.BPE(vocab, merges, unk_token="<unk>", fuse_unk=True)


def unigram() -> models.Unigram:
    """A lattice with pieces of several marks, and none with a mark after another character. Sums of the scores are exact, so that
    ties are decided alike."""
    pieces = ["<unk>", *CHARACTERS, "ab", "▁a", "▁ab", "▁▁", "▁▁▁", "▁.", "a."]
    return models.Unigram([(piece, -1.0 - 0.25 * n) for n, piece in enumerate(pieces)], 0, False)


MODELS = {"bpe": bpe, "bpe over marks": lambda: bpe("▁a ▁", ". ▁"), "unigram": unigram}

CHANGES = {
    "runs to a space": lambda: normalizers.Replace(Regex(r"\s+"), " "),
    "long runs to a space": lambda: normalizers.Replace(Regex(r"\s{2,}"), " "),
    "long runs to nothing": lambda: normalizers.Replace(Regex(" {2,}"), ""),
    "long runs to a mark": lambda: normalizers.Replace(Regex(" {2,}"), MARK),
    "spaces to two": lambda: normalizers.Replace(Regex(" +"), "  "),
    "spaces to a line end": lambda: normalizers.Replace(Regex(" {2,}"), "\n"),
    "a space to two": lambda: normalizers.Replace(" ", "  "),
    "a space to two marks": lambda: normalizers.Replace(" ", MARK * 2),
    "a space to nothing": lambda: normalizers.Replace(" ", ""),
    "a space to a sign": lambda: normalizers.Replace(" ", "_"),
    "a sign to a space": lambda: normalizers.Replace("_", " "),
    "a sign to a mark": lambda: normalizers.Replace("_", MARK),
    "two marks to one": lambda: normalizers.Replace(MARK * 2, MARK),
    "a mark to a space": lambda: normalizers.Replace(MARK, " "),
    "a mark to a sign": lambda: normalizers.Replace(MARK, "_"),
    "a sign and a mark": lambda: normalizers.Replace("." + MARK, ","),
    "a mark and a sign": lambda: normalizers.Replace(MARK + ".", MARK),
    "two signs to one": lambda: normalizers.Replace("._", ","),
    "two signs to a letter": lambda: normalizers.Replace("..", "a"),
    "a sign to nothing": lambda: normalizers.Replace(".", ""),
    "a line end to a space": lambda: normalizers.Replace("\n", " "),
    "strip": lambda: normalizers.Strip(left=True, right=True),
    "strip at the end": lambda: normalizers.Strip(left=False, right=True),
    "nmt": normalizers.Nmt,
    "nfkc": normalizers.NFKC,
    "nfd without accents": lambda: normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
    "lowercase": normalizers.Lowercase,
    "bert": normalizers.BertNormalizer,
    "prepend a space": lambda: normalizers.Prepend(" "),
    "prepend a sign": lambda: normalizers.Prepend("_"),
}


def metaspace(scheme: str, *, split: bool, mark: str = MARK) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Metaspace(mark, scheme, split)


def gemma() -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Split(" ", "merged_with_previous")


# What makes marks: a normalizer, or else a pretokenizer.
MARKERS = {
    "replace": (lambda: normalizers.Replace(" ", MARK), None),
    "prepend and replace": (
        lambda: normalizers.Sequence([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)]),
        None,
    ),
    "replace and split": (lambda: normalizers.Replace(" ", MARK), gemma),
    "metaspace": (None, lambda: metaspace("always", split=True)),
    "metaspace whole": (None, lambda: metaspace("always", split=False)),
    "metaspace first": (None, lambda: metaspace("first", split=True)),
    "metaspace first whole": (None, lambda: metaspace("first", split=False)),
    "metaspace never": (None, lambda: metaspace("never", split=True)),
    "metaspace of a sign": (None, lambda: metaspace("always", split=True, mark="_")),
    "words and metaspace": (
        None,
        lambda: pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace("always", split=True)]),
    ),
}

PARTS = ["a", "b", "ab", "A", "é", "e\u0301", "1", ".", "..", ",", "_", "._", "x", MARK, MARK * 2, "." + MARK]
SPACES = [" ", "  ", "   ", "    ", " \n", "\n", "\n\n", "\t", " \t ", "\u00a0", " \u3000", "\u200b", " ."]


def texts(count: int) -> Iterator[str]:
    chance = random.Random(9)
    for _ in range(count):
        parts = (
            chance.choice(PARTS if n % 2 == chance.randrange(5) % 2 else SPACES) for n in range(chance.randrange(2, 12))
        )
        yield "".join(parts)


def normalizer_of(before: str | None, marker: str, after: str | None) -> normalizers.Normalizer | None:
    makes_marks = MARKERS[marker][0]
    steps = [
        CHANGES[before]() if before else None,
        makes_marks() if makes_marks else None,
        CHANGES[after]() if after else None,
    ]
    steps = [step for step in steps if step is not None]
    return normalizers.Sequence(steps) if len(steps) > 1 else steps[0] if steps else None


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("marker", MARKERS)
def test_a_normalizer_before_or_after_marks_are_made(marker: str, model: str, tmp_path: Path):
    sample = list(texts(60))
    orders: list[tuple[str | None, str | None]] = [(name, None) for name in CHANGES]
    if MARKERS[marker][0]:
        orders += [(None, name) for name in CHANGES]
    pairs = list(itertools.product(CHANGES, CHANGES))
    orders += random.Random(5).sample(pairs, min(scaled(8), len(pairs)))
    wrong = []
    for before, after in orders:
        reference = tokenizers.Tokenizer(MODELS[model]())
        if (normalizer := normalizer_of(before, marker, after)) is not None:
            reference.normalizer = normalizer
        if (make := MARKERS[marker][1]) is not None:
            reference.pre_tokenizer = make()
        reference.save(str(tmp_path / "tokenizer.json"))
        ours = Tokenizer.from_file(tmp_path / "tokenizer.json")
        staged, _, _ = ours.encode_timed(sample, path="stages", spans=True)
        for text, ids in zip(sample, staged, strict=True):
            theirs, encoding = reference.encode(text), ours.encode(text)
            found = encoding.ids.tolist(), [tuple(span) for span in encoding.span_char.tolist()]
            if (
                found != (theirs.ids, theirs.offsets)
                or ids.tolist() != theirs.ids
                or ours.encode_list(text) != theirs.ids
            ):
                wrong.append((before, after, text, theirs.tokens, encoding.tokens, ids.tolist() == theirs.ids))
                break
    assert not wrong, (len(wrong), wrong[:10])
