"""The segmentations of a stretch that a Unigram model weighs: against all of them one by one, and against sentencepiece."""

import math
from itertools import pairwise
from pathlib import Path

import pytest
import sentencepiece

from lab_app.engine import Tokenizer
from tests.differential import test_sentencepiece as models
from tests.differential.test_small_models import trained
from tests.generators import texts

MOST_WAYS = 5
WORDS = ["the fox", "tokenization", "Hello, world", "aaaaaa", "ﬁne É", "日本語", "x", "quick fox!", "ab ba", "é日x"]
REAL = ["t5/tokenizer.json", "albert-base-v2/tokenizer.json", "t5/spiece.model", "sp-small/test_ja_model.model"]


Piece = tuple[int | None, int, float]
"""A token, or None for an unknown character, where it ends in characters of the stretch, and its score."""


def all_ways(text: str, tokens: dict[str, list[tuple[int, float]]], unknown: float) -> list[tuple[list[Piece], float]]:
    """The definition: every way to spell `text` with tokens, with the sum of the scores; characters that are no token
    have the score `unknown`.
    """
    if not text:
        return [([], 0.0)]
    starts: list[Piece] = [
        (id, end, score) for end in range(1, len(text) + 1) for id, score in tokens.get(text[:end], [])
    ]
    if text[0] not in tokens:
        starts.append((None, 1, unknown))
    return [
        ([(id, end, score), *((one, end + at, of) for one, at, of in rest)], score + total)
        for id, end, score in starts
        for rest, total in all_ways(text[end:], tokens, unknown)
    ]


def check(tokenizer: Tokenizer, text: str, *, joins: bool = True) -> int:
    """Checks each stretch that is short enough to count its ways; returns how many were. `joins`: whether unknown
    neighbours become one token.
    """
    checked = 0
    for pretoken in tokenizer.trace(text).as_dict()["pretokens"]:
        if pretoken["steps"]["model"] != "unigram":
            continue
        nodes, units = pretoken["steps"]["nodes"], pretoken["steps"]["units"]
        tokens: dict[str, list[tuple[int, float]]] = {}
        for id, score in {(node["id"], node["score"]) for node in nodes if node["id"] is not None}:
            tokens.setdefault(tokenizer.id_to_token(id), []).append((id, score))
        unknown = next((node["score"] for node in nodes if node["id"] is None), 0.0)
        for unit in units:
            shares = [way["probability"] for way in unit["n_best"]]
            assert all(after <= before * (1 + 1e-3) for before, after in pairwise(shares))
            assert 0 < sum(shares) <= 1 + 1e-6 and len(shares) <= MOST_WAYS
            assert [place["byte"] for place in unit["boundaries"]] == sorted(
                {place["byte"] for place in unit["boundaries"]}
            )
            if len(unit["text"]) > 11:
                continue
            checked += 1
            ways = all_ways(unit["text"], tokens, unknown)
            best = sorted((score for _, score in ways), reverse=True)[:MOST_WAYS]
            ways = [(way, score - best[0]) for way, score in ways]  # many unknown characters are too little for a float
            total = math.fsum(math.exp(score) for _, score in ways)
            for way, score in zip(unit["n_best"], best, strict=True):
                assert math.isclose(way["score"], score, abs_tol=1e-3), (text, unit)
                assert math.isclose(way["probability"], math.exp(score - best[0]) / total, rel_tol=1e-2)
            for place in unit["boundaries"]:
                here = (math.exp(score) for way, score in ways if splits_at(way, place["character"], joins))
                assert math.isclose(place["probability"], math.fsum(here) / total, abs_tol=1e-5), (text, unit, place)
    return checked


def splits_at(way: list[Piece], character: int, joins: bool) -> bool:
    """Whether two tokens of a way meet there; unknown neighbours that become one token do not."""
    return any(
        left[1] == character and not (joins and left[0] is None and right[0] is None) for left, right in pairwise(way)
    )


@pytest.mark.parametrize("name", REAL)
def test_of_real_files(name: str, shared: Path):
    tokenizer = Tokenizer.from_file(shared / "vocab" / name)
    given = [*WORDS, *(text[:60] for text in texts(80, seed=31))]
    assert sum(check(tokenizer, text) for text in given) > 40


@pytest.mark.parametrize("fallback", ["bytes", "unknown"])
def test_of_small_sentencepiece_models(fallback: str, tmp_path: Path):
    path = tmp_path / "small.model"
    path.write_bytes(models.trained("unigram", "all kept", fallback, "identity", "none"))
    tokenizer = Tokenizer.from_file(path)
    given = [*WORDS, *(text[:40] for text in texts(60, seed=32))]
    # Bytes take the place of each unknown character on its own.
    assert sum(check(tokenizer, text, joins=fallback == "unknown") for text in given) > 50


def test_of_a_small_tokenizer_json(tmp_path: Path):
    trained("unigram", "metaspace", "none", "metaspace", "none", "plain").save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(tmp_path)
    assert sum(check(tokenizer, text) for text in [*WORDS, *texts(60, seed=33)]) > 20


@pytest.mark.parametrize("name", ["t5/spiece.model", "sp-small/test_model.model", "sp-small/test_ja_model.model"])
def test_words_have_the_ways_of_sentencepiece(name: str, shared: Path):
    tokenizer, reference = models.load(shared / "vocab" / name)
    assert isinstance(reference, sentencepiece.SentencePieceProcessor)
    compared = 0
    for word in [
        "tokenization",
        "the",
        "Hello",
        "unbelievable",
        "aaaaaa",
        "東京",
        "fox",
        "known",
        "saw",
        "this",
        "teach",
        "こと",
        "吾輩は",
        "ている",
    ]:
        [pretoken] = tokenizer.trace(word).as_dict()["pretokens"]
        units = pretoken["steps"]["units"]
        # The library has no ways of a part, but a mark that no token reaches over is a stretch of its own.
        mark = len(pretoken["text"]) - len(units[0]["text"]) if units else 0
        if not units or units[0]["text"] != pretoken["text"][mark:] or mark > 1:
            continue
        compared += 1
        [unit] = units
        theirs = reference.nbest_encode(word, nbest_size=MOST_WAYS)
        ours = [[token["id"] for token in way["tokens"]] for way in unit["n_best"]]
        assert ours == [ids[mark:] for ids in theirs], word
        for way in unit["n_best"]:
            scores = [token["id"] for token in way["tokens"]]
            if reference.unk_id() not in scores:
                assert math.isclose(way["score"], math.fsum(map(reference.get_score, scores)), abs_tol=1e-4)
        ways = tokenizer.n_best(word, 10_000)
        total = math.fsum(math.exp(score) for _, score in ways)
        assert math.isclose(unit["n_best"][0]["probability"], math.exp(ways[0][1]) / total, rel_tol=1e-3), word
    assert compared >= 2, name
