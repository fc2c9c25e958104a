"""Trained vocabularies against those of `tokenizers` and SentencePiece, on generated texts and on the shared corpus."""

import io
import json
import random
from pathlib import Path

import pytest
import sentencepiece
from tokenizers import Regex, models, pre_tokenizers, trainers
from tokenizers import Tokenizer as Reference

from lab_app.engine import Tokenizer, Trainer, WordCounter

WORDS = {"type": "WhitespaceSplit"}
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


def unigram(lines: list[str], vocab_size: int) -> Tokenizer:
    return trained(
        lines,
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
    # Seeds that end words are found in unique words and not in SentencePiece's text, so ours may be better.
    assert found[0] <= 1.005 * expected[0]
    assert found[1] <= 1.005 * expected[1]


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
