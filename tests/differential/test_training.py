"""Trained vocabularies against those of `tokenizers` and SentencePiece, on generated texts and on the shared corpus."""

import io
import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import sentencepiece
from tokenizers import Regex, models, pre_tokenizers, trainers
from tokenizers import Tokenizer as Reference

from lab_app.engine import Tokenizer, Trainer, WordCounter
from lab_app.training.options import resolved
from tests.scale import scaled

WORDS = {"type": "WhitespaceSplit"}
SPACES = {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": False}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
MARKS = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
# SentencePiece joins no letters with digits or punctuation.
ONE_KIND = {
    "type": "Split",
    "pattern": {"Regex": r"▁?[\p{L}\p{M}]+|▁?[^\p{L}\p{M}▁]+|▁"},
    "behavior": "Isolated",
    "invert": False,
}


def trained(texts: list[str], **options) -> Tokenizer:
    given = json.dumps(options)
    counter = WordCounter(given)
    counter.add(texts)
    trainer = Trainer(given, counter)
    assert json.loads(trainer.run(10**9, 10**9))["finished"]
    return trainer.tokenizer()


def saved(tokenizer: Tokenizer, folder: Path) -> dict:
    """The model of a tokenizer.json."""
    tokenizer.to_file(folder / "tokenizer.json")
    return json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]


def generated(seed: int, letters: str) -> list[str]:
    """Texts of words that occur more or less often."""
    source = random.Random(seed)
    words = ["".join(source.choices(letters, k=source.randint(1, 9))) for _ in range(300)]
    weights = [1 / rank for rank in range(1, 301)]
    return [" ".join(source.choices(words, weights, k=50)) for _ in range(60)]


def byte_of(character: str) -> bytes:
    """The byte that a character of GPT-2's alphabet stands for."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return bytes([ord(character) if ord(character) < 256 else others[ord(character) - 256]])


def pairs(merges: list) -> list[list[str]]:
    return [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("min_frequency", [1, 2, 20])
def test_merges_of_bytes_are_those_of_tokenizers(seed: int, min_frequency: int, tmp_path: Path):
    texts = generated(seed, "abcdeé字 🙂")
    reference = Reference(models.BPE())
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        min_frequency=min_frequency,
        special_tokens=["<s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    reference.train_from_iterator(texts, trainer)
    expected = json.loads(reference.to_str())["model"]
    ours = trained(texts, vocab_size=600, min_frequency=min_frequency, special_tokens=["<s>"], pre_tokenizer=BYTES)
    model = saved(ours, tmp_path)
    assert pairs(model["merges"]) == pairs(expected["merges"])
    assert model["vocab"] == expected["vocab"]


@pytest.mark.parametrize("seed", range(8))
def test_merges_of_characters_are_those_of_tokenizers(seed: int, tmp_path: Path):
    texts = generated(seed, "abcdeé字")
    reference = Reference(models.BPE(unk_token="<unk>"))
    reference.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(vocab_size=200, min_frequency=2, special_tokens=["<unk>"], show_progress=False)
    reference.train_from_iterator(texts, trainer)
    expected = json.loads(reference.to_str())["model"]
    ours = trained(
        texts, vocab_size=200, alphabet="characters", unknown_token="<unk>", min_frequency=2, pre_tokenizer=WORDS
    )
    model = saved(ours, tmp_path)
    assert pairs(model["merges"]) == pairs(expected["merges"])
    assert model["vocab"] == expected["vocab"]


def merges_of_whole_characters(texts: list[str], merges: int) -> list[list[bytes]]:
    """The definition, by places in the text: a token may end within a character only if it has no part of another one."""
    words = Counter(word.encode() for text in texts for word in text.split(" "))
    starts = {word: [at for at, byte in enumerate(word) if byte & 0xC0 != 0x80] + [len(word)] for word in words}
    ends = {word: list(range(len(word) + 1)) for word in words}
    ids = {
        bytes([byte]): id for id, byte in enumerate(b"".join(map(byte_of, sorted(pre_tokenizers.ByteLevel.alphabet()))))
    }
    made: list[list[bytes]] = []
    while len(made) < merges:
        counts: Counter[tuple[bytes, bytes]] = Counter()
        for word, places in ends.items():
            for (start, middle), (_, end) in pairwise(pairwise(places)):
                are_whole = {start, middle, end} <= set(starts[word])
                if are_whole or not any(start < place < end for place in starts[word]):
                    counts[word[start:middle], word[middle:end]] += words[word]
        new = {pair: count for pair, count in counts.items() if count > 1 and b"".join(pair) not in ids}
        if not new:
            break
        best = min(new, key=lambda pair: (-new[pair], ids[pair[0]], ids[pair[1]]))
        ids[b"".join(best)] = len(ids)
        made.append(list(best))
        for word, places in ends.items():
            at = 0
            while at + 2 < len(places):
                if (word[places[at] : places[at + 1]], word[places[at + 1] : places[at + 2]]) == best:
                    del places[at + 1]
                at += 1
    return made


@pytest.mark.parametrize("seed", range(4))
def test_merges_of_whole_characters_are_those_of_the_definition(seed: int, tmp_path: Path):
    texts = generated(seed, "aéèê字孖🙂🙃")
    ours = trained(texts, vocab_size=400, pre_tokenizer=SPACES, whole_characters=True)
    made = [[b"".join(map(byte_of, part)) for part in merge] for merge in pairs(saved(ours, tmp_path)["merges"])]
    assert made == merges_of_whole_characters(texts, 144)
    reference = Reference.from_file(str(tmp_path / "tokenizer.json"))
    for text in [*texts, "aé字🙂 e\u0301 ह\u093fन"]:
        assert ours.encode_ids(text).tolist() == reference.encode(text).ids


def wordpiece(texts: list[str], vocab_size: int) -> tuple[Reference, Tokenizer]:
    """WordPiece by frequency, as `tokenizers` trains it and as the engine does."""
    reference = Reference(models.WordPiece(unk_token="<unk>"))
    reference.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocab_size, min_frequency=2, special_tokens=["<unk>"], show_progress=False
    )
    reference.train_from_iterator(texts, trainer)
    ours = trained(
        texts,
        algorithm="wordpiece",
        score="frequency",
        vocab_size=vocab_size,
        unknown_token="<unk>",
        pre_tokenizer=WORDS,
    )
    return reference, ours


def merges_before_a_tie(texts: list[str]) -> int:
    """How many merges there are until two pairs are the most frequent ones: from there on `tokenizers` may take either,
    because the ids of its characters with ## come from the order of a hash table."""
    words = Counter(word for text in texts for word in text.split())
    parts = {word: [word[0], *(f"##{each}" for each in word[1:])] for word in words}
    merges = 0
    while True:
        counts: Counter[tuple[str, str]] = Counter()
        for word, tokens in parts.items():
            for pair in pairwise(tokens):
                counts[pair] += words[word]
        best = counts.most_common(2)
        if not best or best[0][1] < 2 or (len(best) == 2 and best[0][1] == best[1][1]):
            return merges
        merges += 1
        (left, right), _ = best[0]
        for tokens in parts.values():
            at = 0
            while at + 1 < len(tokens):
                if tokens[at] == left and tokens[at + 1] == right:
                    tokens[at : at + 2] = [left + right.removeprefix("##")]
                at += 1


@pytest.mark.parametrize("seed", range(12))
def test_wordpiece_by_frequency_is_that_of_tokenizers_up_to_a_tie(seed: int):
    source = random.Random(seed)
    words = ["".join(source.choices("abcdefé字", k=source.randint(1, 3))) for _ in range(300)]
    texts = [" ".join([word] * source.randint(2, 2000)) for word in words]
    merges = merges_before_a_tie(texts)
    letters = {letter for word in words for letter in word}
    inside = {letter for word in words for letter in word[1:]}
    size = 1 + len(letters) + len(inside) + merges
    reference, ours = wordpiece(texts, size)
    assert {ours.id_to_token(id) for id in range(ours.vocab_size)} == set(reference.get_vocab())
    assert merges >= 15 and ours.vocab_size == size


@pytest.mark.parametrize(
    ("name", "vocab_size"),
    [
        ("en-prose/botchan.txt", 4000),
        ("en-prose/great_expectations.md", 8000),
        ("multilingual/wikipedia_mars_russian.txt", 8000),
        ("multilingual/wikipedia_mars_hindi.txt", 4000),
        ("multilingual/ja_wagahaiwa_nekodearu.txt", 8000),
    ],
)
def test_wordpiece_divides_a_corpus_as_tokenizers_does(shared: Path, name: str, vocab_size: int):
    lines = (shared / "corpus" / name).read_text(encoding="utf-8").split("\n")
    reference, ours = wordpiece(lines, vocab_size)
    assert ours.vocab_size == reference.get_vocab_size() == vocab_size
    expected = sum(len(each.ids) for each in reference.encode_batch(lines))
    found = sum(len(ours.encode_ids(line)) for line in lines)
    assert abs(found - expected) <= 0.005 * expected


def test_words_are_those_of_tokenizers(tmp_path: Path):
    texts = generated(3, "abcd")
    reference = Reference(models.WordLevel(unk_token="<unk>"))
    reference.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordLevelTrainer(vocab_size=100, special_tokens=["<unk>"], show_progress=False)
    reference.train_from_iterator(texts, trainer)
    ours = trained(
        texts, algorithm="wordlevel", vocab_size=100, min_frequency=1, unknown_token="<unk>", pre_tokenizer=WORDS
    )
    assert saved(ours, tmp_path)["vocab"] == json.loads(reference.to_str())["model"]["vocab"]


def tokens_and_loss(encode, score, lines: list[str]) -> tuple[int, float]:
    """The number of tokens of lines, and the negative logarithm of their probability."""
    ids = [int(id) for line in lines for id in encode(line)]
    return len(ids), -sum(score(id) for id in ids)


def with_sentencepiece(lines: list[str], vocab_size: int, folder: Path) -> sentencepiece.SentencePieceProcessor:
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus),
        model_writer=model,
        model_type="unigram",
        vocab_size=vocab_size,
        character_coverage=1.0,
        normalization_rule_name="identity",
        num_threads=1,
        max_sentence_length=1 << 20,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def unigram(lines: list[str], vocab_size: int, variant: str = "words") -> Tokenizer:
    return trained(
        lines,
        variant=variant,
        algorithm="unigram",
        vocab_size=vocab_size,
        special_tokens=["<s>", "</s>"],
        unknown_token="<unk>",
        pre_tokenizer={"type": "Sequence", "pretokenizers": [MARKS, ONE_KIND]},
    )


@pytest.mark.parametrize(("name", "vocab_size"), [("botchan.txt", 4000), ("tinyshakespeare.txt", 8000)])
def test_unigram_divides_a_corpus_as_well_as_sentencepiece(shared: Path, tmp_path: Path, name: str, vocab_size: int):
    text = (shared / "corpus" / "en-prose" / name).read_text(encoding="utf-8")
    # SentencePiece takes white space at the ends of lines and doubled spaces away.
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    reference = with_sentencepiece(lines, vocab_size, tmp_path)
    ours = unigram(lines, vocab_size)
    assert ours.vocab_size == reference.get_piece_size() == vocab_size
    expected = tokens_and_loss(reference.encode, reference.get_score, lines)
    found = tokens_and_loss(ours.encode_ids, ours.score, lines)
    # All words are seeds, and not only those that SentencePiece finds in its text, so ours are better.
    assert found[0] <= 1.005 * expected[0]
    assert found[1] <= 1.005 * expected[1]
    equal = unigram(lines, vocab_size, "sentencepiece")
    check_equal(tokens_and_loss(equal.encode_ids, equal.score, lines), expected)


def check_equal(found: tuple[int, float], expected: tuple[int, float]) -> None:
    assert found[0] == pytest.approx(expected[0], rel=0.005)
    assert found[1] == pytest.approx(expected[1], rel=0.005)


def lines_of_prose(seed: int) -> list[str]:
    """Lines of words that share stems and endings, with signs at their ends, so that pruning has much to choose."""
    source = random.Random(seed)
    # SentencePiece joins no letters of two scripts.
    letters, endings = (("aeioubdklmnprstéß", ["s", "ing"]), ("аеиоубдклмнпрст", ["ость", "ед"]))[seed % 2]
    stems = ["".join(source.choices(letters, k=source.randint(2, 6))) for _ in range(1500)]
    words = [stem + source.choice(["", "", *endings]) for stem in stems for _ in range(3)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    lines = []
    for _ in range(3000):
        line = source.choices(words, weights, k=source.randint(3, 12))
        lines.append(" ".join(word + source.choice(["", "", "", ",", " 17"]) for word in line) + source.choice(".!"))
    return lines


@pytest.mark.parametrize(("seed", "vocab_size"), [(1, 500), (2, 800), (3, 1200), (4, 1500)])
def test_the_variant_of_sentencepiece_is_within_half_a_percent(seed: int, vocab_size: int, tmp_path: Path):
    lines = lines_of_prose(seed)
    reference = with_sentencepiece(lines, vocab_size, tmp_path)
    ours = unigram(lines, vocab_size, "sentencepiece")
    assert ours.vocab_size == reference.get_piece_size()
    check_equal(
        tokens_and_loss(ours.encode_ids, ours.score, lines),
        tokens_and_loss(reference.encode, reference.get_score, lines),
    )


RUSSIAN, ENGLISH = "multilingual/wikipedia_mars_russian.txt", "en-prose/origin_of_species.md"
SIZED = [(RUSSIAN, 2000), (ENGLISH, 4000), (RUSSIAN, 4000), (ENGLISH, 2000)]


@pytest.mark.parametrize(("name", "vocab_size"), SIZED[: scaled(2)])
def test_the_variant_of_sentencepiece_on_the_corpus(shared: Path, tmp_path: Path, name: str, vocab_size: int):
    text = (shared / "corpus" / name).read_text(encoding="utf-8")
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    reference = with_sentencepiece(lines, vocab_size, tmp_path)
    ours = unigram(lines, vocab_size, "sentencepiece")
    assert ours.vocab_size == reference.get_piece_size()
    check_equal(
        tokens_and_loss(ours.encode_ids, ours.score, lines),
        tokens_and_loss(reference.encode, reference.get_score, lines),
    )


def test_unigram_divides_a_corpus_as_well_as_tokenizers(shared: Path):
    text = (shared / "corpus" / "en-prose" / "botchan.txt").read_text(encoding="utf-8")[:60_000]
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    reference = Reference(models.Unigram())
    reference.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(), pre_tokenizers.Split(Regex(ONE_KIND["pattern"]["Regex"]), "isolated")]
    )
    trainer = trainers.UnigramTrainer(vocab_size=1000, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    reference.train_from_iterator(lines, trainer)
    ours = unigram(lines, reference.get_vocab_size())
    found = sum(len(ours.encode_ids(line)) for line in lines)
    assert found <= 1.005 * sum(len(reference.encode(line).ids) for line in lines)


@pytest.mark.parametrize(("preset", "byte_tokens"), [("llama", 256), ("sentencepiece", 0)])
def test_what_presets_train_is_a_model_of_sentencepiece(tmp_path: Path, preset: str, byte_tokens: int):
    lines = [*lines_of_prose(1), *lines_of_prose(2)]
    options = json.loads(resolved(preset, {"vocab_size": 1200}).as_json())
    ours = trained(["\n".join(lines)], **options)
    ours.to_file(tmp_path / "tokenizer.model", "sentencepiece")
    reference = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "tokenizer.model"))
    again = Tokenizer.from_file(tmp_path / "tokenizer.model")
    texts = [*lines, *generated(1, "abcdeé字 1🙂"), " a  b\nc\n\n d", "", " ", "10 000,5", "\u2581a"]
    for text in texts:
        expected = reference.encode(text)
        # Of two equal sums of the same tokens, tokenizer.json takes the other one than a `.model`.
        found = ours.encode_ids(text).tolist()
        assert found == expected or (byte_tokens == 0 and sorted(found) == sorted(expected)), text
        assert again.encode_ids(text).tolist() == expected, text
        if 0 not in expected:
            assert ours.decode(expected) == text.replace("\u2581", " ")
    # No token reaches across what the pretokenizer splits.
    first = 3 + byte_tokens
    pieces = [reference.id_to_piece(id) for id in range(first, len(reference)) if not reference.is_byte(id)]
    assert all("\u2581" not in piece[1:] for piece in pieces)
    if preset == "llama":
        assert all(len(piece) == 1 or not any(map(str.isdigit, piece)) for piece in pieces)
