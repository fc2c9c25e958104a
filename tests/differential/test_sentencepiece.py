"""SentencePiece `.model` files: the engine against the library `sentencepiece`, on real models and on small ones trained here.

Ids, spans and decoded texts must be the library's. Not here: SentencePiece models as a tokenizer.json (test_small_models.py).
"""

import io
import itertools
import random
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import sentencepiece
import tokenizers

from lab_app.engine import SaveError, Tokenizer
from tests.differential.conftest import first_difference
from tests.generators import texts
from tests.scale import scaled, step

Reference = sentencepiece.SentencePieceProcessor

REAL = [
    "t5/spiece.model",
    "llama2/tokenizer.model",
    "sp-small/test_model.model",
    "sp-small/test_ja_model.model",
    "sp-small/keras_t5_test_vocab.spm",
    "sp-small/keras_llama_test_vocab.spm",
]

TRAINING = [
    *texts(200, seed=5),
    *["The quick brown fox jumps over the lazy dog. 12 345", "Ein naïver Café, 日本語 und ㍿ ﬁ Å!"] * 30,
]


def load(path: Path) -> tuple[Tokenizer, Reference]:
    reference = Reference()
    reference.load(str(path))
    return Tokenizer.from_file(path), reference


def check(tokenizer: Tokenizer, reference: Reference, batch: Iterable[str], seed: int = 0) -> None:
    """Ids, spans and decoding of every text, and decoding of ids drawn at random."""
    chance = random.Random(seed)
    size = reference.vocab_size()
    for text in batch:
        theirs = reference.encode(text, out_type="offset_mapping")
        encoding = tokenizer.encode(text, add_special_tokens=False)
        ids = encoding.ids.tolist()
        assert ids == theirs["ids"], first_difference(text, ids, theirs["ids"])
        spans = [tuple(span) for span in encoding.span_char.tolist()]
        # The library gives all bytes of a character but the last one no place.
        kept = [at for at, id in enumerate(ids) if not reference.is_byte(id)]
        assert [spans[at] for at in kept] == [theirs["offsets"][at] for at in kept], text
        assert tokenizer.encode_ids(text).tolist() == ids
        drawn = [chance.randrange(min(size, chance.choice((size, 300)))) for _ in range(chance.choice((1, 4, 12)))]
        for some in (ids, drawn):
            assert tokenizer.decode(some) == reference.decode(some), some


@pytest.mark.parametrize("name", REAL)
def test_real_models(name: str, shared: Path, corpus_lines: list[str]):
    tokenizer, reference = load(shared / "vocab" / name)
    tokens = [reference.id_to_piece(id).replace("▁", " ") for id in range(reference.vocab_size())]
    check(tokenizer, reference, texts(scaled(1000), seed=len(name), tokens=tokens))
    check(tokenizer, reference, corpus_lines[:: step(40)])


@pytest.mark.parametrize("name", REAL)
def test_decomposed_lines(name: str, shared: Path, corpus_lines: list[str]):
    """A letter and the marks behind it become one character, which tokens join with what is before it."""
    tokenizer, reference = load(shared / "vocab" / name)
    decomposed = ((line, unicodedata.normalize("NFD", line)) for line in corpus_lines)
    check(tokenizer, reference, [now for line, now in decomposed if now != line][::20])


@pytest.mark.parametrize("name", REAL)
def test_whole_texts(name: str, shared: Path, corpus: list[tuple[str, str]]):
    """Far into a text sums of 32-bit scores are coarse, and the library's rounding decides."""
    tokenizer, reference = load(shared / "vocab" / name)
    long = "".join(text for _, text in corpus[::4])[:1_200_000]
    ids = tokenizer.encode_ids(long).tolist()
    theirs = reference.encode(long)
    assert ids == theirs, first_difference(long, ids, theirs)


@pytest.mark.parametrize("name", REAL)
def test_tokens_are_shown_by_what_they_stand_for(name: str, shared: Path):
    tokenizer, reference = load(shared / "vocab" / name)
    for id in range(reference.vocab_size()):
        piece = reference.id_to_piece(id)
        assert tokenizer.id_to_token(id) == piece
        if reference.is_control(id) or reference.is_unknown(id):
            expected = piece.encode()
        elif reference.is_byte(id):
            expected = bytes([int(piece[3:5], 16)])
        else:
            expected = piece.replace("▁", " ").encode()
        assert tokenizer.token_bytes(id) == expected
        found = tokenizer.token_to_id(expected)
        # A byte and a character may stand for the same.
        assert found == id or reference.is_byte(id), piece
        assert tokenizer.token_to_id(piece) == id
    special = [id for id in range(reference.vocab_size()) if reference.is_control(id) or reference.is_unknown(id)]
    assert sorted(tokenizer.special_tokens.values()) == special
    assert tokenizer.unknown_id == reference.unk_id()
    assert tokenizer.base_vocab_size == reference.vocab_size() - len(special)


@pytest.mark.parametrize("name", REAL)
def test_same_bytes_written(name: str, shared: Path, tmp_path: Path):
    path = shared / "vocab" / name
    Tokenizer.from_file(path).to_file(tmp_path / "written.model", format="sentencepiece")
    assert (tmp_path / "written.model").read_bytes() == path.read_bytes()


KINDS = {"unigram": 500, "bpe": 400, "word": 120, "char": 150}
RULES = ["nmt_nfkc", "nfkc", "nmt_nfkc_cf", "identity"]
SYMBOLS = {
    "none": {},
    "user": {"user_defined_symbols": ["<x>", "fox", "ﬁ", "  ", "日本", "▁the", "!!", "<x>y"]},
    "control": {"control_symbols": ["<ctl>", "the"], "pad_id": 3},
    "both": {"user_defined_symbols": ["<sep>", "é", "quick brown"], "control_symbols": ["<ctl>"], "unk_surface": "?!"},
}
SPACES = {
    "usual": {},
    "as it is": {"add_dummy_prefix": False, "remove_extra_whitespaces": False},
    "no prefix": {"add_dummy_prefix": False},
    "all kept": {"remove_extra_whitespaces": False},
    "suffix": {"treat_whitespace_as_suffix": True},
    "suffix, all kept": {"treat_whitespace_as_suffix": True, "remove_extra_whitespaces": False},
    "across words": {"split_by_whitespace": False},
    "runs": {"allow_whitespace_only_pieces": True, "remove_extra_whitespaces": False, "split_digits": True},
    "loose": {"split_by_unicode_script": False, "split_by_number": False, "max_sentencepiece_length": 6},
}


def configurations() -> Iterator[tuple[str, ...]]:
    """Every kind of model with every way of spaces, with and without byte fallback; the rest drawn for each."""
    chance = random.Random(3)
    for kind, spaces, fallback in itertools.product(KINDS, SPACES, ["bytes", "unknown"]):
        if fallback == "bytes" and kind in {"word", "char"} and spaces not in {"usual", "as it is"}:
            continue
        yield kind, spaces, fallback, chance.choice(RULES), chance.choice(sorted(SYMBOLS))


def trained(kind: str, spaces: str, fallback: str, rules: str, symbols: str) -> bytes:
    """The bytes of a small model."""
    model = io.BytesIO()
    byte_fallback = fallback == "bytes"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TRAINING),
        model_writer=model,
        model_type=kind,
        vocab_size=KINDS[kind] + 256 * byte_fallback,
        hard_vocab_limit=False,
        byte_fallback=byte_fallback,
        character_coverage=0.98,
        normalization_rule_name=rules,
        num_threads=1,
        minloglevel=2,
        **SYMBOLS[symbols],
        **SPACES[spaces],
    )
    return model.getvalue()


@pytest.mark.parametrize("configuration", list(configurations()), ids=" | ".join)
def test_small_models(configuration: tuple[str, ...], tmp_path: Path):
    path = tmp_path / "small.model"
    path.write_bytes(trained(*configuration))
    tokenizer, reference = load(path)
    tokens = [reference.id_to_piece(id).replace("▁", " ") for id in range(reference.vocab_size())]
    seed = sum(map(ord, "".join(configuration)))
    symbols = ["<x>", "fox", "ﬁ", "日本", "▁the", "▁", "<x>y", "<ctl>", "<sep>", "<unk>", "<0x41>", "㍿", "  "]
    batch = [
        *texts(scaled(150), seed=seed, tokens=tokens + symbols * 30),
        "",
        " ",
        "  ",
        "\x01",
        " a  b ",
        "▁▁ ▁a",
        *TRAINING[::9],
    ]
    check(tokenizer, reference, batch, seed)
    tokenizer.to_file(tmp_path / "written.model", format="sentencepiece")
    assert (tmp_path / "written.model").read_bytes() == path.read_bytes()


NATURAL = [
    "",
    " ",
    "  a  b ",
    "The fox, 日本語 Å!",
    "The quick brown fox jumps over the lazy dog. 12 345",
    "Ein naïver Café, 日本語 und Å!",
    "a lazy fox, quick and naïve",
    "🙂 unknown ☃ things",
    "two\nlines\tand a tab",
]

CONVERTED = [
    ("bpe", {"remove_extra_whitespaces": False, "normalization_rule_name": "identity"}),
    ("bpe", {"add_dummy_prefix": False, "normalization_rule_name": "identity"}),
    ("bpe", {"byte_fallback": True, "vocab_size": 600, "normalization_rule_name": "identity"}),
    ("unigram", {"remove_extra_whitespaces": False, "normalization_rule_name": "identity"}),
    ("unigram", {"byte_fallback": True, "vocab_size": 700}),
]


@pytest.mark.parametrize(("kind", "options"), CONVERTED)
def test_written_as_stages_and_back(kind: str, options: dict, tmp_path: Path):
    """A `.model` as a tokenizer.json gives the same ids, in the engine and in `tokenizers`; and, Llama's way, back."""
    model = io.BytesIO()
    settings = {"model_type": kind, "vocab_size": KINDS[kind], "num_threads": 1, "minloglevel": 2} | options
    plain = [text for text in TRAINING if text.isprintable()]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(plain), model_writer=model, hard_vocab_limit=False, **settings
    )
    (tmp_path / "one.model").write_bytes(model.getvalue())
    tokenizer, reference = load(tmp_path / "one.model")
    tokenizer.to_file(tmp_path / "tokenizer.json")
    stages = Tokenizer.from_file(tmp_path / "tokenizer.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    # Not runs of the same: of two overlapping places for one piece the library takes the left one, the stages the first pair.
    for text in NATURAL:
        ids = reference.encode(text)
        assert stages.encode_ids(text).tolist() == ids, text
        assert theirs.encode(text).ids == ids, text
    if "identity" in options.values() and options.get("remove_extra_whitespaces") is False:
        stages.to_file(tmp_path / "back.model", format="sentencepiece")
        _, back = load(tmp_path / "back.model")
        for text in NATURAL:
            assert back.encode(text) == reference.encode(text), text
    else:
        with pytest.raises(SaveError, match="the normalizer"):
            stages.to_file(tmp_path / "back.model", format="sentencepiece")


@pytest.mark.parametrize(
    ("configuration", "what"),
    [
        (("word", "usual", "unknown", "identity", "none"), "word or character model"),
        (("bpe", "usual", "unknown", "identity", "user"), "user-defined piece"),
        (("bpe", "suffix", "unknown", "identity", "none"), "spaces after words"),
    ],
)
def test_what_stages_cannot_say_is_an_error(configuration: tuple[str, ...], what: str, tmp_path: Path):
    (tmp_path / "one.model").write_bytes(trained(*configuration))
    with pytest.raises(SaveError, match=what):
        Tokenizer.from_file(tmp_path / "one.model").to_file(tmp_path / "tokenizer.json")


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number as protobuf writes it, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def with_unused(data: bytes, chance: random.Random) -> bytes:
    """A model in which some pieces, single characters among them, are of the type UNUSED."""
    found, at = bytearray(), 0
    while at < len(data):
        tag, start = varint(data, at)
        assert tag & 7 == 2, "all fields of a model are messages"
        size, start = varint(data, start)
        field = data[start : start + size]
        if tag == 1 << 3 | 2 and 3 << 3 not in field[-2:-1] and chance.random() < 0.2:
            field += bytes([3 << 3, 5])  # the type; of one that is written twice the last counts
        length = bytearray()
        size = len(field)
        while size > 127:
            length.append(size & 127 | 128)
            size >>= 7
        found += bytes([tag]) + length + bytes([size]) + field
        at = start + varint(data, at + 1)[0]
    return bytes(found)


@pytest.mark.parametrize("name", ["llama2/tokenizer.model", "sp-small/keras_llama_test_vocab.spm", "t5/spiece.model"])
def test_pieces_that_are_no_longer_used(name: str, shared: Path, corpus_lines: list[str], tmp_path: Path):
    path = tmp_path / "some.model"
    path.write_bytes(with_unused((shared / "vocab" / name).read_bytes(), random.Random(4)))
    tokenizer, reference = load(path)
    size = reference.vocab_size()
    assert sum(reference.is_unused(id) for id in range(size)) > size / 10
    for text in [*texts(scaled(300), seed=len(name)), *corpus_lines[:: step(200)]]:
        assert tokenizer.encode_ids(text).tolist() == reference.encode(text), text
