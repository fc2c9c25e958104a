"""Small tokenizers of every kind, trained by Hugging Face `tokenizers` in many configurations and compared with it.

Not here: the tokenizers of well-known models (test_tokenizer_json.py).
"""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers

from lab_app.engine import EncodeError, Tokenizer
from tests.generators import texts
from tests.scale import scaled, step

UNK = "[UNK]"
TEXTS = [
    *texts(150, seed=21),
    "The quick brown fox jumps over the lazy dog. " * 20,
    "Ein naïver Café, 日本語 und 12 345!",
]

MODELS = {
    "bpe": lambda: (models.BPE(), trainers.BpeTrainer(vocab_size=400, show_progress=False)),
    "bpe unk": lambda: (
        models.BPE(unk_token=UNK),
        trainers.BpeTrainer(vocab_size=300, limit_alphabet=40, special_tokens=[UNK], show_progress=False),
    ),
    "bpe fuse": lambda: (
        models.BPE(unk_token=UNK, fuse_unk=True),
        trainers.BpeTrainer(vocab_size=300, limit_alphabet=40, special_tokens=[UNK], show_progress=False),
    ),
    "bpe bytes": lambda: (
        models.BPE(unk_token=UNK, fuse_unk=True, byte_fallback=True),
        trainers.BpeTrainer(
            vocab_size=600,
            limit_alphabet=40,
            special_tokens=[UNK, *(f"<0x{byte:02X}>" for byte in range(256))],
            show_progress=False,
        ),
    ),
    "bpe some bytes": lambda: (
        models.BPE(unk_token=UNK, byte_fallback=True),
        trainers.BpeTrainer(
            vocab_size=400,
            limit_alphabet=40,
            special_tokens=[UNK, *(f"<0x{byte:02X}>" for byte in range(0x80, 0xE6))],
            show_progress=False,
        ),
    ),
    "bpe suffix": lambda: (
        models.BPE(unk_token=UNK, end_of_word_suffix="</w>"),
        trainers.BpeTrainer(vocab_size=500, special_tokens=[UNK], end_of_word_suffix="</w>", show_progress=False),
    ),
    "bpe prefix": lambda: (
        models.BPE(unk_token=UNK, continuing_subword_prefix="##"),
        trainers.BpeTrainer(vocab_size=500, special_tokens=[UNK], continuing_subword_prefix="##", show_progress=False),
    ),
    "bpe whole": lambda: (
        models.BPE(unk_token=UNK, ignore_merges=True),
        trainers.BpeTrainer(vocab_size=500, special_tokens=[UNK], show_progress=False),
    ),
    "wordpiece": lambda: (
        models.WordPiece(unk_token=UNK, max_input_chars_per_word=20),
        trainers.WordPieceTrainer(vocab_size=500, special_tokens=[UNK], show_progress=False),
    ),
    "wordlevel": lambda: (
        models.WordLevel(unk_token=UNK),
        trainers.WordLevelTrainer(vocab_size=100, special_tokens=[UNK], show_progress=False),
    ),
    "unigram": lambda: (
        models.Unigram(),
        trainers.UnigramTrainer(vocab_size=1500, unk_token=UNK, special_tokens=[UNK], show_progress=False),
    ),
    "unigram bytes": lambda: (
        models.Unigram([(UNK, 0.0), ("a", -1.0)], 0, True),
        trainers.UnigramTrainer(
            vocab_size=1700,
            unk_token=UNK,
            special_tokens=[UNK, *(f"<0x{byte:02X}>" for byte in range(256))],
            show_progress=False,
        ),
    ),
}

NORMALIZERS = {
    "none": lambda: None,
    "nfkc lower": lambda: normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]),
    "nfd accents": lambda: normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
    "strip": lambda: normalizers.Strip(left=True, right=True),
    "nmt": lambda: normalizers.Sequence([normalizers.Nmt(), normalizers.NFC()]),
    "llama": lambda: normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
    "collapse": lambda: normalizers.Replace(Regex(r"\s+"), " "),
    "bert": lambda: normalizers.BertNormalizer(),
    "bytes": lambda: normalizers.ByteLevel(),
}

PRETOKENIZERS = {
    "none": lambda: None,
    "whitespace": lambda: pre_tokenizers.Whitespace(),
    "split": lambda: pre_tokenizers.WhitespaceSplit(),
    "bytes": lambda: pre_tokenizers.ByteLevel(add_prefix_space=True),
    "bytes alone": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    "metaspace": lambda: pre_tokenizers.Metaspace(),
    "metaspace first": lambda: pre_tokenizers.Metaspace(prepend_scheme="first"),
    "metaspace whole": lambda: pre_tokenizers.Metaspace(prepend_scheme="never", split=False),
    "bert": lambda: pre_tokenizers.BertPreTokenizer(),
    "digits": lambda: pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)]
    ),
    "punctuation": lambda: pre_tokenizers.Punctuation("merged_with_previous"),
    "scripts": lambda: pre_tokenizers.Sequence([pre_tokenizers.UnicodeScripts(), pre_tokenizers.WhitespaceSplit()]),
    "delimiter": lambda: pre_tokenizers.CharDelimiterSplit("e"),
    "regex": lambda: pre_tokenizers.Split(Regex(r"\p{L}+|\d{1,3}"), "isolated"),
    "inverted": lambda: pre_tokenizers.Split(Regex(r"\w+|[^\w\s]+"), "removed", invert=True),
    "string": lambda: pre_tokenizers.Split(" ", "merged_with_next"),
    "length": lambda: pre_tokenizers.FixedLength(4),
}

DECODERS = {
    "none": lambda: None,
    "bytes": lambda: decoders.ByteLevel(),
    "wordpiece": lambda: decoders.WordPiece(),
    "metaspace": lambda: decoders.Metaspace(),
    "bpe": lambda: decoders.BPEDecoder(),
    "ctc": lambda: decoders.CTC(pad_token="a", word_delimiter_token="e"),
    "llama": lambda: decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    ),
}

POSTPROCESSORS = {
    "none": lambda: None,
    "bert": lambda: processors.BertProcessing(("b", 1), ("a", 0)),
    "roberta": lambda: processors.RobertaProcessing(("b", 1), ("a", 0)),
    "bytes": lambda: processors.ByteLevel(trim_offsets=True),
    "template": lambda: processors.TemplateProcessing("$A:1 a", "a $B:1 b:2 $A", [("a", 0), ("b", 1)]),
    "both": lambda: processors.Sequence(
        [processors.ByteLevel(trim_offsets=True), processors.TemplateProcessing("a $A", "a $A $B", [("a", 0)])]
    ),
}

ADDED = {
    "none": [],
    "plain": ["<|x|>", AddedToken("fox", normalized=False)],
    "flags": [
        AddedToken("THE", normalized=True, lstrip=True),
        AddedToken("é", single_word=True, rstrip=True),
        AddedToken("[MASK]", special=True, normalized=True, lstrip=True, rstrip=True),
        AddedToken("[M", special=False, normalized=False),
    ],
}


def configurations() -> Iterator[tuple[str, ...]]:
    """Every model with every pretokenizer, the rest drawn for each."""
    chance = random.Random(8)
    rest = [NORMALIZERS, DECODERS, POSTPROCESSORS, ADDED]
    for model, pretokenizer in itertools.product(MODELS, PRETOKENIZERS):
        yield model, pretokenizer, *(chance.choice(sorted(part)) for part in rest)


def one_in(every: int, first: int) -> list[tuple[str, ...]]:
    """One configuration in `every` where `make test` runs, from the one at `first`: values of a column may be left out."""
    return list(configurations())[first % step(every) :: step(every)]


def assert_all_values(chosen: list[tuple[str, ...]]) -> None:
    """Each model, pretokenizer, normalizer, decoder, postprocessor and kind of added tokens is in a configuration."""
    of_all, of_chosen = ([set(column) for column in zip(*each, strict=True)] for each in (configurations(), chosen))
    assert of_chosen == of_all


def trained(model: str, pretokenizer: str, normalizer: str, decoder: str, postprocessor: str, added: str):
    core, trainer = MODELS[model]()
    tokenizer = tokenizers.Tokenizer(core)
    if (part := NORMALIZERS[normalizer]()) is not None:
        tokenizer.normalizer = part
    if (part := PRETOKENIZERS[pretokenizer]()) is not None:
        tokenizer.pre_tokenizer = part
    if (part := DECODERS[decoder]()) is not None:
        tokenizer.decoder = part
    if (part := POSTPROCESSORS[postprocessor]()) is not None:
        tokenizer.post_processor = part
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.add_tokens(ADDED[added])
    return tokenizer


def outcome(
    reference: tokenizers.Tokenizer, text: str, pair: str | None
) -> tuple[list[int], list[tuple[int, int]]] | None:
    encoding = reference_encodes(reference, text, pair)
    return None if encoding is None else (encoding.ids, encoding.offsets)


def reference_encodes(reference: tokenizers.Tokenizer, text: str, pair: str | None) -> tokenizers.Encoding | None:
    """The encoding, or None where an unknown token is missing."""
    try:
        return reference.encode(text, pair)
    except Exception as error:  # the library has no type of its own
        if "nk" not in str(error):
            raise
        return None


@pytest.mark.parametrize("configuration", list(configurations()), ids=" | ".join)
def test_same_tokens(configuration: tuple[str, ...], tmp_path: Path):
    trained(*configuration).save(str(tmp_path / "tokenizer.json"))
    # As read from the file: the last bits of scores are not those of the training.
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(tmp_path)
    seed = sum(map(ord, "".join(configuration)))
    tokens = sorted(reference.get_vocab())
    batch = list(texts(scaled(25), seed=seed, tokens=tokens)) + TEXTS[::10] + ["", " ", "THE the [MASK] é é."]
    for text, pair in zip(batch, [None, "a pair", *([None] * len(batch))], strict=False):
        theirs = reference_encodes(reference, text, pair)
        if theirs is None:
            with pytest.raises(EncodeError, match="no unknown token"):
                tokenizer.encode(text, pair)
            continue
        ours = tokenizer.encode(text, pair)
        assert ours.ids.tolist() == theirs.ids, text
        assert ours.type_ids.tolist() == theirs.type_ids
        assert ours.word_ids == theirs.word_ids
        assert ours.special_tokens_mask.tolist() == theirs.special_tokens_mask
        if spans_are_right(configuration):
            assert [tuple(span) for span in ours.span_char.tolist()] == theirs.offsets, text
        for skip in (True, False):
            assert tokenizer.decode(theirs.ids, skip_special_tokens=skip) == reference.decode(
                theirs.ids, skip_special_tokens=skip
            )
    tokenizer.to_file(tmp_path / "written.json")
    written = tokenizers.Tokenizer.from_file(str(tmp_path / "written.json"))
    for text in batch[:20]:
        assert outcome(written, text, None) == outcome(reference, text, None)
    Tokenizer.from_file(tmp_path / "written.json").to_file(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "written.json").read_bytes()


MARKS = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ],
}


def bpe_of_marks(pretokenizer: dict | None, unknown: str | None) -> str:
    """A tokenizer.json of few characters, in which spaces are marks."""
    tokens = ["<unk>", "▁", "▁▁", "a", "b", "ab"]
    model = {
        "type": "BPE",
        "unk_token": unknown,
        "fuse_unk": False,
        "byte_fallback": False,
        "vocab": {token: id for id, token in enumerate(tokens)},
        "merges": [["▁", "▁"], ["a", "b"]],
    }
    return json.dumps({"version": "1.0", "normalizer": MARKS, "pre_tokenizer": pretokenizer, "model": model})


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize(
    "behavior", ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous", None], ids=str
)
@pytest.mark.parametrize("unknown", [None, "<unk>"])
def test_bpe_whose_spaces_are_marks(unknown: str | None, behavior: str | None, inverted: bool, tmp_path: Path):
    """A split may leave out the whole text, and a character may be left out between two that merge."""
    split = {"type": "Split", "pattern": {"String": " "}, "behavior": behavior, "invert": inverted}
    file = tmp_path / "tokenizer.json"
    file.write_text(bpe_of_marks(split if behavior else None, unknown), encoding="utf-8")
    reference, tokenizer = tokenizers.Tokenizer.from_file(str(file)), Tokenizer.from_file(file)
    drawn = random.Random(3)
    batch = ["a b", "x a", "a x a", "axb", "a  xb", *("".join(drawn.choices("aabbx  ", k=8)) for _ in range(60))]
    for text in batch * 2:
        assert tokenizer.encode_ids(text).tolist() == reference.encode(text).ids, text


def spans_are_right(configuration: tuple[str, ...]) -> bool:
    """Not where the reference leaves out unknown characters for want of an unknown token: the spans of all that follow are
    too far left then."""
    return configuration[0] not in {"bpe", "bpe some bytes"}
