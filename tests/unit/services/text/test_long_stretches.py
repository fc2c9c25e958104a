"""Explanations of a long segment of a Unigram model: only the part around the place, whatever the length of the text."""

import json
import random
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from lab_app.analysis.explain import boundaries, explain
from lab_app.services.lab import Lab
from lab_app.services.text.explain import MAX_PLACES, explain_text
from lab_app.services.text.trace import trace_of
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests.results import plain

NEARBY = [["?", 0.0], ["a", -2.0], ["b", -2.2], ["ab", -3.1], ["ba", -3.7], ["aba", -4.9]]
FAR = [["?", 0.0], ["a", -9.0], ["b", -9.0], ["ab", -1.0], ["ba", -1.0]]
"""A single letter is dear: without a boundary the path is out of step up to the next one that there has to be."""
MOST_TOKENS = 64
NAMES = SimpleNamespace(spell=str)
LONGEST = 9_999


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    lab = Lab(Settings(data_dir=tmp_path_factory.mktemp("lab"), offline=True))
    stages = dict.fromkeys(["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"])
    for name, vocab in [("nearby", NEARBY), ("far", FAR)]:
        model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab}
        path = tmp_path_factory.mktemp(name) / "tokenizer.json"
        path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages}))
        add(lab, path, id=name)
    return lab


def all_segmentations(text: str, vocab: list[list[Any]]) -> list[tuple[list[int], float]]:
    """Every segmentation of `text`: the starts of its tokens, and the sum of their scores."""
    if not text:
        return [([], 0.0)]
    tokens = [(token, score) for token, score in vocab[1:] if text.startswith(token)]
    return [
        ([0, *(start + len(token) for start in starts)], score + total)
        for token, score in tokens
        for starts, total in all_segmentations(text[len(token) :], vocab)
    ]


@pytest.mark.parametrize(("id", "vocab"), [("nearby", NEARBY), ("far", FAR)])
def test_the_path_without_a_boundary_is_the_best_of_all_without_it(lab, id, vocab):
    choices, checked = random.Random(7), 0
    for length in [*range(2, 12)] * 6:
        turns = ("ab" * length)[:length]
        text = "".join(letter if choices.random() < 0.9 else "b" for letter in turns)
        segmentations, scores = all_segmentations(text, vocab), dict(vocab)
        for place in plain(explain_text(lab, id, text, edits=False))["places"]:
            at, other, segment = place["at"], place["details"]["segmentation_without"], place["details"]["segment"]
            expected = max((score for starts, score in segmentations if at not in starts), default=None)
            if other is None:
                assert expected is None
                continue
            checked += 1
            assert other["score"] == pytest.approx(expected)
            spans = [token["span"] for token in other["tokens"]]
            assert [spans[0][0], spans[-1][1]] == segment["span"] and segment["excerpt_of"] is None
            assert all(left[1] == right[0] for left, right in pairwise(spans)) and at not in {a for a, _ in spans}
            best = max(score for starts, score in all_segmentations(segment["text"], vocab))
            cost = best - sum(scores[text[start:end]] for start, end in spans)
            assert cost == pytest.approx(place["details"]["worse_by"])
    assert checked > 60


@pytest.mark.parametrize("id", ["nearby", "far"])
def test_the_longest_text_has_a_small_trace(lab, id):
    text = ("ab" * LONGEST)[:LONGEST]
    steps = trace_of(lab, id, text)["pretokens"][0]["steps"]
    assert len(steps["units"]) == 1 and len(steps["without"]) > LONGEST / 3
    kept = [path for _, path in steps["without"] if path]
    assert all(0 < len(path["tokens"]) <= MOST_TOKENS for path in kept)
    assert all(path["span"][0] < at < path["span"][1] for at, path in steps["without"] if path)
    if id == "far":
        assert max(path["left_out"] for path in kept) > LONGEST / 5, "out of step for a long way"
    else:
        assert all(len(path["tokens"]) < 10 and path["left_out"] == 0 for path in kept)


@pytest.mark.parametrize("id", ["nearby", "far"])
def test_the_longest_text_has_a_small_explanation(lab, id):
    text = ("ab" * LONGEST)[:LONGEST]
    trace = trace_of(lab, id, text)
    places = boundaries(trace)
    assert len(json.dumps([explain(trace, at, NAMES) for at in places[:MAX_PLACES]])) < 4_000_000
    middle = places[len(places) // 2]
    for at in [1, 2, middle, middle + 1, LONGEST - 1]:
        place = explain(trace, at, NAMES)
        assert len(json.dumps(place)) < 40_000
        segment = place["details"]["segment"]
        start, end = segment["span"]
        assert segment["excerpt_of"] == {"span": [0, LONGEST], "characters": LONGEST}
        assert start < at < end and at - start <= 32 and end - at <= 32
        assert segment["text"] == text[start:end]
        assert [one["byte"] - start for one in segment["boundaries"]] == [
            one["character"] for one in segment["boundaries"]
        ]
        for path in [
            *segment["segmentations"],
            *([place["details"]["segmentation_without"]] if place["boundary"] else []),
        ]:
            spans = [token["span"] for token in path["tokens"]]
            assert spans[0][0] <= start < spans[0][1] and spans[-1][0] < end <= spans[-1][1]
            assert all(left[1] == right[0] for left, right in pairwise(spans))
        if place["boundary"]:
            runner_up = place["details"]["runner_up"]
            assert len(runner_up["tokens"]) <= MOST_TOKENS < runner_up["left_out"]


def test_unknown_characters_that_become_one_token_are_shortened_too(lab):
    text = "x" * 5_000 + "ab" + "y" * 4_000
    for at in [1, 2_500, 4_999, 5_003, LONGEST - 1_000]:
        [place] = plain(explain_text(lab, "nearby", text, at, edits=False))["places"]
        assert not place["boundary"] and len(json.dumps(place)) < 40_000
        segment = place["details"]["segment"]
        assert len(segment["text"]) <= 64 and segment["excerpt_of"]["characters"] >= 4_000
