"""Postprocessors of every kind against Hugging Face `tokenizers`, alone and one after the other, on one text and on two.

One thing differs on purpose: a token that one postprocessor added is a special one also after the next, where the
reference forgets it.
Not here: truncation and padding (test_lengths.py).
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import tokenizers
from tokenizers import processors

from lab_app.engine import LoadError, Tokenizer
from tests.differential.test_small_models import trained
from tests.generators import texts


def template() -> processors.TemplateProcessing:
    return processors.TemplateProcessing("$A:1 a", "a $B:1 b:2 $A", [("a", 0), ("b", 1)])


def roberta(*, trim: bool, prefix: bool) -> processors.RobertaProcessing:
    return processors.RobertaProcessing(("b", 1), ("a", 0), trim_offsets=trim, add_prefix_space=prefix)


def byte_level(*, prefix: bool) -> processors.ByteLevel:
    return processors.ByteLevel(trim_offsets=True, add_prefix_space=prefix)


POSTPROCESSORS: dict[str, Callable[[], object]] = {
    "bert": lambda: processors.BertProcessing(("b", 1), ("a", 0)),
    "roberta": lambda: roberta(trim=True, prefix=True),
    "roberta, no prefix": lambda: roberta(trim=True, prefix=False),
    "roberta, no trimming": lambda: roberta(trim=False, prefix=True),
    "bytes": lambda: byte_level(prefix=True),
    "bytes, no prefix": lambda: byte_level(prefix=False),
    "template": template,
    "bytes, template": lambda: processors.Sequence([byte_level(prefix=True), template()]),
    "template, bytes": lambda: processors.Sequence([template(), byte_level(prefix=False)]),
    "bytes twice, bert": lambda: processors.Sequence(
        [byte_level(prefix=False), byte_level(prefix=True), processors.BertProcessing(("b", 1), ("a", 0))]
    ),
    "bert, roberta": lambda: processors.Sequence(
        [processors.BertProcessing(("b", 1), ("a", 0)), roberta(trim=True, prefix=False)]
    ),
    "roberta, template": lambda: processors.Sequence([roberta(trim=True, prefix=True), template()]),
    "template, bert": lambda: processors.Sequence([template(), processors.BertProcessing(("b", 1), ("a", 0))]),
}

# Model, pretokenizer, normalizer, decoder, postprocessor (put in its place below), added tokens.
FAMILIES = {
    "byte-level BPE": ("bpe unk", "bytes", "none", "bytes", "none", "none"),
    "byte-level BPE, added tokens": ("bpe unk", "bytes", "none", "bytes", "none", "flags"),
    "byte-level BPE, bert": ("bpe unk", "bytes", "bert", "bytes", "none", "none"),
    "byte-level BPE, lower": ("bpe unk", "bytes", "nfkc lower", "bytes", "none", "none"),
    "BPE": ("bpe unk", "none", "none", "none", "none", "flags"),
    "WordPiece": ("wordpiece", "bert", "bert", "wordpiece", "none", "plain"),
    "WordLevel": ("wordlevel", "string", "none", "none", "none", "none"),
    "Unigram": ("unigram", "metaspace", "none", "metaspace", "none", "plain"),
}
# 13 postprocessors, 8 families: about 21 000 texts.
TEXTS_EACH = 200


@pytest.mark.parametrize("family", FAMILIES)
def test_same_encodings(family: str, tmp_path: Path):
    reference = trained(*FAMILIES[family])
    tokens = sorted(reference.get_vocab())
    for seed, (name, make) in enumerate(POSTPROCESSORS.items()):
        folder = tmp_path / str(seed)
        folder.mkdir()
        reference.post_processor = make()
        reference.save(str(folder / "tokenizer.json"))
        check(folder, random.Random(seed), list(texts(TEXTS_EACH, seed=100 + seed, tokens=tokens)), f"{family}, {name}")


def check(folder: Path, chance: random.Random, batch: list[str], case: str) -> None:
    reference = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    ours = Tokenizer.from_file(folder)
    # Spaces at the ends and characters that are normalized are what trimming is about.
    batch = [chance.choice(["", "", " ", "  ", "\u3000", "中", "é"]) + text[:60] for text in batch]
    for text in batch:
        pair = chance.choice([None, None, chance.choice(batch), " "])
        specials = chance.random() < 0.7
        mine = ours.encode(text, pair, add_special_tokens=specials)
        other = reference.encode(text, pair, add_special_tokens=specials)
        place = (case, text, pair, specials)
        assert mine.ids.tolist() == other.ids, place
        assert mine.type_ids.tolist() == other.type_ids, place
        assert mine.word_ids == other.word_ids, place
        if not case.endswith((", bert, roberta", ", template, bert")):
            assert mine.special_tokens_mask.tolist() == other.special_tokens_mask, place
        assert [tuple(span) for span in mine.span_char.tolist()] == other.offsets, place


def test_a_template_around_a_template_is_refused(tmp_path: Path):
    reference = trained(*FAMILIES["WordLevel"])
    reference.post_processor = processors.Sequence([template(), template()])
    reference.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(LoadError, match="a template after a template"):
        Tokenizer.from_file(tmp_path)
