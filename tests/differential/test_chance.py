"""What is left to chance: dropout, the n best ways to cut a text, and random ones."""

import itertools
import math
from collections import Counter
from pathlib import Path

import pytest
import sentencepiece

from lab_app.engine import EncodeError, Tokenizer
from tests import tiny
from tests.differential import test_sentencepiece as models
from tests.differential.test_small_models import TEXTS, trained
from tests.generators import texts

UNIGRAM = ("unigram", "metaspace", "none", "metaspace", "none", "plain")
MERGES = [
    ("bpe unk", "whitespace", "none", "none", "none", "flags"),
    ("bpe bytes", "bytes", "none", "bytes", "none", "none"),
    ("bpe fuse", "metaspace", "nfkc lower", "none", "none", "none"),
]


def saved(configuration: tuple[str, ...], folder: Path) -> Tokenizer:
    trained(*configuration).save(str(folder / "tokenizer.json"))
    return Tokenizer.from_file(folder)


def check_dropout(tokenizer: Tokenizer) -> None:
    different = 0
    words = TEXTS[-2]
    for seed, text in enumerate([*texts(60, seed=8), *(words[start : start + 60] for start in range(0, 300, 9))]):
        plain = tokenizer.encode_ids(text).tolist()
        assert tokenizer.encode_ids(text, dropout=0.0, seed=seed).tolist() == plain
        some = tokenizer.encode_ids(text, dropout=0.3, seed=seed).tolist()
        assert some == tokenizer.encode_ids(text, dropout=0.3, seed=seed).tolist()
        none = tokenizer.encode_ids(text, dropout=1.0).tolist()
        assert max(len(plain), len(some)) <= len(none)
        if tokenizer.stages["decoder"] == "bytes":
            assert tokenizer.decode(some) == tokenizer.decode(plain) == tokenizer.decode(none)
        different += some != plain
    assert different > 10


@pytest.mark.parametrize("configuration", MERGES, ids=" | ".join)
def test_dropout_of_small_models(configuration: tuple[str, ...], tmp_path: Path):
    check_dropout(saved(configuration, tmp_path))


def test_dropout_of_ranks():
    gpt2 = Tokenizer.builtin("gpt2")
    assert gpt2.dropout is None
    check_dropout(gpt2)
    assert gpt2.encode_ids("hello", dropout=1.0).tolist() == [71, 68, 75, 75, 78]


def test_dropout_is_as_frequent_as_asked():
    # One merge at most: "he" of "he".
    gpt2 = Tokenizer.builtin("gpt2")
    split = sum(gpt2.encode_ids("he", dropout=0.25, seed=seed).size == 2 for seed in range(4000))
    assert 0.22 < split / 4000 < 0.28


def test_n_best_of_a_small_model(tmp_path: Path):
    tokenizer = saved(UNIGRAM, tmp_path)
    for text in [*texts(40, seed=4), *TEXTS[::20], ""]:
        found = tokenizer.n_best(text, 20)
        assert found[0][0].tolist() == tokenizer.encode_ids(text).tolist()
        scores = [score for _, score in found]
        assert all(score <= before + 1e-9 for before, score in itertools.pairwise(scores))
        assert len({tuple(ids.tolist()) for ids, _ in found}) >= len(found) // 2  # unknown neighbours are one token
    assert tokenizer.n_best("the fox", 0) == []


def test_n_best_of_t5_are_those_of_sentencepiece(shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / "t5" / "tokenizer.json")
    reference = sentencepiece.SentencePieceProcessor(str(shared / "vocab" / "t5" / "spiece.model"))
    lines = (shared / "corpus" / "parallel" / "udhr").glob("*eng*")
    lines = next(lines).read_text(encoding="utf-8").split("\n")[:12]
    for line in lines:
        text = " ".join(line.split())[:60].strip()
        if not text:
            continue
        ours, theirs = tokenizer.n_best(text, 12), reference.nbest_encode(text, nbest_size=12)
        assert len(ours) == len(theirs)

        def score(ids: list[int]) -> float:
            return sum(reference.get_score(id) for id in ids)

        # Of equal sums either may come first; sentencepiece adds 32-bit floats.
        for (ids, mine), other in zip(ours, theirs, strict=True):
            assert math.isclose(mine, score(ids.tolist()), abs_tol=1e-3)
            assert math.isclose(mine, score(other), abs_tol=1e-3), text


def test_samples(tmp_path: Path):
    tokenizer = saved(UNIGRAM, tmp_path)
    text = "the fox"
    best = tokenizer.encode_ids(text).tolist()
    assert tokenizer.sample(text, seed=5).tolist() == tokenizer.sample(text, temperature=1.0, seed=5).tolist()
    assert (
        tokenizer.sample(text, alpha=0.5, seed=5).tolist() == tokenizer.sample(text, temperature=2.0, seed=5).tolist()
    )
    assert all(tokenizer.sample(text, temperature=0.0, seed=seed).tolist() == best for seed in range(50))
    # As often as the scores of all ways say.
    ways = tokenizer.n_best(text, 10_000)
    total = math.fsum(math.exp(score) for _, score in ways)
    drawn = Counter(tuple(tokenizer.sample(text, seed=seed).tolist()) for seed in range(3000))
    for ids, score in ways[:5]:
        assert abs(drawn[tuple(ids.tolist())] / 3000 - math.exp(score) / total) < 0.04


def test_models_without_such_a_thing_say_so(tmp_path: Path):
    words = Tokenizer.from_file(tiny.vocab_txt(tmp_path))
    for call in (lambda: words.encode_ids("hello", dropout=0.1), lambda: words.n_best("hello", 2)):
        with pytest.raises(EncodeError, match="the model is WordPiece"):
            call()
    with pytest.raises(EncodeError, match="have no probabilities"):
        Tokenizer.builtin("gpt2").sample("hello")
    with pytest.raises(ValueError, match=r"dropout is 1\.5"):
        Tokenizer.builtin("gpt2").encode_ids("a", dropout=1.5)
    with pytest.raises(ValueError, match="give one"):
        words.sample("a", temperature=1.0, alpha=1.0)


def check_ways(tokenizer: Tokenizer, reference: sentencepiece.SentencePieceProcessor, text: str, count: int) -> None:
    found = tokenizer.n_best(text, count)
    assert [ids.tolist() for ids, _ in found] == reference.nbest_encode(text, nbest_size=count), text
    # The search adds scores from the end, so that rounding may turn neighbours around.
    assert all(score <= before + 1e-2 for (_, before), (_, score) in itertools.pairwise(found))


UNIGRAM_MODELS = ["t5/spiece.model", "sp-small/test_model.model", "sp-small/test_ja_model.model"]


@pytest.mark.parametrize("name", UNIGRAM_MODELS)
def test_n_best_of_sentencepiece_models(name: str, shared: Path):
    tokenizer, reference = models.load(shared / "vocab" / name)
    for at, text in enumerate([*texts(150, seed=21), "", " ", "aaaaaaaaaaaaaaa", "the fox " * 20]):
        check_ways(tokenizer, reference, text[:120], (1, 2, 5, 30)[at % 4])


@pytest.mark.parametrize("symbols", sorted(models.SYMBOLS))
@pytest.mark.parametrize("fallback", ["bytes", "unknown"])
def test_n_best_of_small_sentencepiece_models(symbols: str, fallback: str, tmp_path: Path):
    path = tmp_path / "small.model"
    path.write_bytes(models.trained("unigram", "all kept", fallback, "nmt_nfkc", symbols))
    tokenizer, reference = models.load(path)
    for at, text in enumerate([*texts(60, seed=22), "a <x>y fox  the é<sep>日本!!", "ﬁ the<x>the", "aaaaaaaa"]):
        check_ways(tokenizer, reference, text[:80], (1, 2, 10, 60)[at % 4])


def test_samples_of_a_sentencepiece_model(tmp_path: Path):
    path = tmp_path / "small.model"
    path.write_bytes(models.trained("unigram", "usual", "unknown", "nmt_nfkc", "user"))
    tokenizer, _ = models.load(path)
    text = "quick fox"
    best = tokenizer.encode_ids(text).tolist()
    assert tokenizer.sample(text, temperature=0.0, seed=3).tolist() == best
    for temperature in (1.0, 4.0):
        weights = Counter[tuple[int, ...]]()
        for ids, score in tokenizer.n_best(text, 10_000):
            weights[tuple(ids.tolist())] += math.exp(score / temperature)
        total = math.fsum(weights.values())
        draws = (tokenizer.sample(text, temperature=temperature, seed=seed) for seed in range(3000))
        drawn = Counter(tuple(ids.tolist()) for ids in draws)
        for ids, weight in weights.most_common(5):
            assert abs(drawn[ids] / 3000 - weight / total) < 0.04


def test_what_sentencepiece_models_cannot_do(tmp_path: Path):
    path = tmp_path / "small.model"
    path.write_bytes(models.trained("bpe", "usual", "unknown", "nmt_nfkc", "none"))
    merges = Tokenizer.from_file(path)
    with pytest.raises(EncodeError, match="of a SentencePiece model"):
        merges.encode_ids("hello", dropout=0.1)
    for call in (lambda: merges.n_best("hello", 2), lambda: merges.sample("hello")):
        with pytest.raises(EncodeError, match="have no probabilities"):
            call()
