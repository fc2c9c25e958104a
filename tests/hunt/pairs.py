"""Every normalizer with every pretokenizer scheme, over small models: what the vocabularies at hand do not pair.

One subject per normalizer. It encodes a text with every scheme, one after the other, so that a difference of any shows.
"""

import functools
import itertools
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, trainers

from lab_app.engine import Tokenizer
from tests.conftest import SHARED
from tests.generators import texts
from tests.hunt.subjects import Row, Subject

UNKNOWN = "[UNK]"
TOKENS = ["<|x|>", "fox"]
# As Unicode has it; Python's own `strip` takes control characters, too.
WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
# Rules of SentencePiece delete them.
CONTROLS = ["\x01", "\x02", "\x7f", "\u200b"]
# A model per subject, in turn: each shows other boundaries.
MODELS: dict[str, Callable[[], tuple[models.Model, trainers.Trainer]]] = {
    "bpe": lambda: (
        models.BPE(unk_token=UNKNOWN),
        trainers.BpeTrainer(vocab_size=500, limit_alphabet=80, special_tokens=[UNKNOWN], show_progress=False),
    ),
    "wordlevel": lambda: (
        models.WordLevel(unk_token=UNKNOWN),
        trainers.WordLevelTrainer(vocab_size=300, special_tokens=[UNKNOWN], show_progress=False),
    ),
}
NORMALIZERS: dict[str, Callable[[], normalizers.Normalizer | None]] = {
    "none": lambda: None,
    "Precompiled": lambda: precompiled(),
    "Precompiled, lower": lambda: normalizers.Sequence([precompiled(), normalizers.Lowercase()]),
    "Strip, Precompiled": lambda: normalizers.Sequence([normalizers.Strip(), precompiled()]),
    "Precompiled, Prepend": lambda: normalizers.Sequence([precompiled(), normalizers.Prepend("x")]),
    "NFC": normalizers.NFC,
    "NFD": normalizers.NFD,
    "NFKC": normalizers.NFKC,
    "NFKD, StripAccents": lambda: normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents()]),
    "Lowercase": normalizers.Lowercase,
    "Strip": normalizers.Strip,
    "Strip left": lambda: normalizers.Strip(left=True, right=False),
    "Nmt": normalizers.Nmt,
    "Replace": lambda: normalizers.Replace(Regex(r"\s+"), " "),
    "Replace, deleting": lambda: normalizers.Replace(Regex(r"^\p{C}+"), ""),
    "Prepend, Replace": lambda: normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
    "BertNormalizer": normalizers.BertNormalizer,
    "ByteLevel": normalizers.ByteLevel,
}
PRETOKENIZERS: dict[str, Callable[[], pre_tokenizers.PreTokenizer | None]] = {
    "none": lambda: None,
    **{
        f"Metaspace {scheme}{'' if split else ', whole'}": lambda scheme=scheme, split=split: pre_tokenizers.Metaspace(
            prepend_scheme=scheme, split=split
        )
        for scheme, split in itertools.product(["always", "first", "never"], [True, False])
    },
    "WhitespaceSplit, Metaspace first": lambda: pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="first")]
    ),
    "Whitespace": pre_tokenizers.Whitespace,
    "WhitespaceSplit": pre_tokenizers.WhitespaceSplit,
    "ByteLevel": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False),
    "ByteLevel, space": lambda: pre_tokenizers.ByteLevel(add_prefix_space=True),
    "Bert": pre_tokenizers.BertPreTokenizer,
    "Punctuation": pre_tokenizers.Punctuation,
    "Digits": lambda: pre_tokenizers.Digits(individual_digits=True),
    "UnicodeScripts": pre_tokenizers.UnicodeScripts,
    "CharDelimiterSplit": lambda: pre_tokenizers.CharDelimiterSplit("e"),
    "Split": lambda: pre_tokenizers.Split(Regex(r"\p{L}+|\d{1,3}"), "isolated"),
    "FixedLength": lambda: pre_tokenizers.FixedLength(4),
}


@functools.cache
def precompiled() -> normalizers.Normalizer:
    """The rules of T5, which delete control characters."""
    document = json.loads((SHARED / "data" / "vocab" / "t5" / "tokenizer.json").read_text())
    rules = tokenizers.Tokenizer.from_str(json.dumps({**document, "added_tokens": []})).normalizer
    assert rules is not None
    return rules


def pairs() -> Iterator[tuple[str, Callable[[], Subject]]]:
    """Name and loader of every subject."""
    for number, name in enumerate(NORMALIZERS):
        model = list(MODELS)[number % len(MODELS)]
        yield f"pairs/{name}", lambda name=name, model=model: _subject(name, model)


def _subject(normalizer: str, model: str) -> Subject:
    both = [pair(normalizer, pretokenizer, model) for pretokenizer in PRETOKENIZERS]
    deletes = "Precompiled" in normalizer

    def ours(batch: list[str]) -> Iterable[Row]:
        encoded = [tokenizer.encode_batch(batch) for tokenizer, _ in both]
        return [
            _row([(each[at].ids.tolist(), each[at].span_char.tolist()) for each in encoded]) for at in range(len(batch))
        ]

    def theirs(batch: list[str]) -> Iterable[Row]:
        encoded = [reference.encode_batch(batch) for _, reference in both]
        return [_row([(each[at].ids, each[at].offsets) for each in encoded]) for at in range(len(batch))]

    return Subject(
        reference=f"tokenizers {tokenizers.__version__}",
        tokens=[*sorted(both[0][1].get_vocab())[:80], *TOKENS * 5, *CONTROLS * 10],
        ours=ours,
        theirs=theirs,
        # Decoding is hunted with the vocabularies.
        our_text=lambda ids: "",
        their_text=lambda ids: "",
        documented=lambda text: deletes and _deletes_a_start(text),
    )


def _row(encoded: list[tuple[list[int], list]]) -> Row:
    """The results of all schemes as one; the number of a scheme is put before its ids."""
    ids, spans = [], []
    for number, (some, places) in enumerate(encoded):
        ids += [-1 - number, *some]
        spans += [tuple(place) for place in places]
    return ids, spans


def _deletes_a_start(text: str) -> bool:
    """Whether SentencePiece rules delete a character at the start of a stretch: the reference then moves the spans of what
    follows, which docs/reference/formats.md says."""
    stretches = re.split("|".join(map(re.escape, [UNKNOWN, *TOKENS])), text)
    firsts = [first for each in stretches for first in (each[:1], each.lstrip(WHITE_SPACE)[:1]) if first]
    return any(not precompiled().normalize_str(first) for first in firsts)


def pair(normalizer: str, pretokenizer: str, model: str) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """A trained tokenizer, here and in the reference."""
    core, trainer = MODELS[model]()
    reference = tokenizers.Tokenizer(core)
    if (part := NORMALIZERS[normalizer]()) is not None:
        reference.normalizer = part
    if (scheme := PRETOKENIZERS[pretokenizer]()) is not None:
        reference.pre_tokenizer = scheme
    reference.train_from_iterator([*texts(120, seed=77), "the fox a b c 1 22 333 " * 5], trainer)
    reference.add_tokens([AddedToken("fox", normalized=True)])
    reference.add_special_tokens(["<|x|>"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        reference.save(str(path))
        return Tokenizer.from_file(path), tokenizers.Tokenizer.from_file(str(path))
