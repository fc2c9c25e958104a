"""Superwords against their definition, and their files in `tokenizers`."""

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from tokenizers import Tokenizer as Reference
from tokenizers import pre_tokenizers

from tests.differential.test_training import BYTES, byte_of, pairs, saved, trained

Words = Counter[tuple[bytes, ...]]


def of_bytes(pieces: list[str]) -> Words:
    """Words as tuples of single bytes."""
    words = Counter(piece.encode() for piece in pieces)
    return Counter({tuple(bytes([byte]) for byte in word): count for word, count in words.items()})


def joined(words: Words, pair: tuple[bytes, bytes]) -> Words:
    """The words with a pair merged everywhere, from left to right."""
    made: Words = Counter()
    for word, count in words.items():
        parts: list[bytes] = []
        for part in word:
            # What was just joined is no left part of the same merge again: it is longer than the left part.
            if parts and (parts[-1], part) == pair:
                parts[-1] += part
            else:
                parts.append(part)
        made[tuple(parts)] += count
    return made


def learn(words: Words, ids: dict[bytes, int], size: int, most_words: float) -> tuple[list[tuple[bytes, bytes]], Words]:
    """The definition: count all pairs, join the best one everywhere, until there are `size` tokens."""
    merges = []
    while len(ids) < size:
        counts: Counter[tuple[bytes, bytes]] = Counter()
        for word, count in words.items():
            for pair in pairwise(word):
                counts[pair] += count
        allowed = [
            pair
            for pair, count in counts.items()
            if count > 1 and b"".join(pair) not in ids and len(b"".join(pair).split()) <= most_words
        ]
        if not allowed:
            break
        best = min(allowed, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        ids[b"".join(best)] = len(ids)
        merges.append(best)
        words = joined(words, best)
    return merges, words


def texts(seed: int) -> list[str]:
    source = random.Random(seed)
    words = [
        "of",
        "the",
        "sat",
        "a cat",
        "don't",
        "12",
        "on 34567",
        "end.",
        "语言。",
        "naïve,",
        '"Yes."',
        "3.14",
        "e.g.x",
        "\n",
    ]
    return [" ".join(source.choices(words, [1 / rank for rank in range(1, len(words) + 1)], k=40)) for _ in range(30)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limits", [{}, {"superword_words": 2, "superword_digits": True, "superword_marks": True}])
def test_two_phases_are_those_of_the_definition(seed: int, limits: dict, tmp_path: Path):
    given = texts(seed)
    ours = trained(given, vocab_size=340, superwords_from=290, pre_tokenizer=BYTES, **limits)
    made = [tuple(b"".join(map(byte_of, part)) for part in merge) for merge in pairs(saved(ours, tmp_path)["merges"])]

    reference = Reference.from_file(str(tmp_path / "tokenizer.json"))
    plain = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    phrases = [text[start:end] for text in given for _, (start, end) in reference.pre_tokenizer.pre_tokenize_str(text)]
    words = [phrase[start:end] for phrase in phrases for _, (start, end) in plain.pre_tokenize_str(phrase)]
    ids = {byte_of(character): id for id, character in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    first, _ = learn(of_bytes(words), ids, 290, float("inf"))
    whole = of_bytes(phrases)
    for merge in first:
        whole = joined(whole, merge)
    second, _ = learn(whole, ids, 340, limits.get("superword_words", 4))

    assert made == first + second
    assert len(first) == 34
    assert any(b" " in token.strip() for token in map(b"".join, second))
    for text in [*given, *texts(seed + 100), "the cat sat on the mat 12345 times. Don't!\r\n\r\n  of the"]:
        assert ours.encode_ids(text).tolist() == reference.encode(text).ids


def test_no_token_crosses_what_a_limit_forbids():
    tokenizer = trained(texts(0) * 3, vocab_size=400, superwords_from=290, pre_tokenizer=BYTES)
    tokens = [tokenizer.token_bytes(id).decode(errors="replace") for id in range(290, tokenizer.vocab_size)]
    assert any(len(token.split()) == 4 for token in tokens)
    assert all(len(token.split()) <= 4 and "\n" not in token[:-1].strip("\n") for token in tokens)
    several = [token for token in tokens if len(token.split()) > 1]
    assert not [token for token in several if any(character.isdigit() for character in token)]
    assert not [token for token in several if token.rstrip().endswith((".", "。"))]
