"""What is told of a long stretch that a Unigram model cuts: the part around a place, whatever the length of it all."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from lab_app.analysis.explain import cuts, explain
from lab_app.services.explain import MAX_PLACES, explain_text, trace_of
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import add
from lab_app.settings import Settings

NEARBY = [["?", 0.0], ["a", -2.0], ["b", -2.2], ["ab", -3.1], ["ba", -3.7], ["aba", -4.9]]
FAR = [["?", 0.0], ["a", -9.0], ["b", -9.0], ["ab", -1.0], ["ba", -1.0]]
"""A single letter is dear: without a cut the path is out of step up to the one that there has to be."""
MOST_TOKENS = 64
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


def all_ways(text: str, vocab: list[list[Any]]) -> list[tuple[list[int], float]]:
    """Every way to spell `text`: where its tokens start, and the sum of their scores."""
    if not text:
        return [([], 0.0)]
    tokens = [(token, score) for token, score in vocab[1:] if text.startswith(token)]
    return [
        ([0, *(start + len(token) for start in starts)], score + total)
        for token, score in tokens
        for starts, total in all_ways(text[len(token) :], vocab)
    ]


@pytest.mark.parametrize(("id", "vocab"), [("nearby", NEARBY), ("far", FAR)])
def test_the_path_without_a_cut_is_the_best_of_all_that_do_not_cut_there(lab, id, vocab):
    choices, checked = random.Random(7), 0
    for length in [*range(2, 12)] * 6:
        turns = ("ab" * length)[:length]
        text = "".join(letter if choices.random() < 0.9 else "b" for letter in turns)
        ways, scores = all_ways(text, vocab), dict(vocab)
        for place in explain_text(lab, id, text, edits=False)["places"]:
            at, other, unit = place["at"], place["details"]["without"], place["details"]["unit"]
            expected = max((score for starts, score in ways if at not in starts), default=None)
            if other is None:
                assert expected is None
                continue
            checked += 1
            assert other["score"] == pytest.approx(expected)
            spans = [token["span"] for token in other["tokens"]]
            assert [spans[0][0], spans[-1][1]] == unit["span"] and unit["part_of"] is None
            assert all(left[1] == right[0] for left, right in pairwise(spans)) and at not in {a for a, _ in spans}
            best = max(score for starts, score in all_ways(unit["text"], vocab))
            cost = best - sum(scores[text[start:end]] for start, end in spans)
            assert cost == pytest.approx(place["details"]["worse_by"])
    assert checked > 60


@pytest.mark.parametrize("id", ["nearby", "far"])
def test_the_longest_text_has_a_small_trace(lab, id):
    text = ("ab" * LONGEST)[:LONGEST]
    steps = trace_of(lab, id, text)["pretokens"][0]["steps"]
    assert len(steps["units"]) == 1 and len(steps["without"]) > LONGEST / 3
    told = [path for _, path in steps["without"] if path]
    assert all(0 < len(path["tokens"]) <= MOST_TOKENS for path in told)
    assert all(path["span"][0] < at < path["span"][1] for at, path in steps["without"] if path)
    if id == "far":
        assert max(path["left_out"] for path in told) > LONGEST / 5, "out of step for a long way"
    else:
        assert all(len(path["tokens"]) < 10 and path["left_out"] == 0 for path in told)


@pytest.mark.parametrize("id", ["nearby", "far"])
def test_the_longest_text_has_a_small_explanation(lab, id):
    text = ("ab" * LONGEST)[:LONGEST]
    trace = trace_of(lab, id, text)
    all_cuts = cuts(trace)
    assert len(json.dumps([explain(trace, at, str) for at in all_cuts[:MAX_PLACES]])) < 4_000_000
    middle = all_cuts[len(all_cuts) // 2]
    for at in [1, 2, middle, middle + 1, LONGEST - 1]:
        place = explain(trace, at, str)
        assert len(json.dumps(place)) < 40_000
        unit = place["details"]["unit"]
        start, end = unit["span"]
        assert unit["part_of"] == {"span": [0, LONGEST], "characters": LONGEST}
        assert start < at < end and at - start <= 32 and end - at <= 32
        assert unit["text"] == text[start:end]
        assert [cut["byte"] - start for cut in unit["cuts"]] == [cut["character"] for cut in unit["cuts"]]
        for path in [*unit["n_best"], *([place["details"]["without"]] if place["cut"] else [])]:
            spans = [token["span"] for token in path["tokens"]]
            assert spans[0][0] <= start < spans[0][1] and spans[-1][0] < end <= spans[-1][1]
            assert all(left[1] == right[0] for left, right in pairwise(spans))
        if place["cut"]:
            runner_up = place["details"]["runner_up"]
            assert len(runner_up["tokens"]) <= MOST_TOKENS < runner_up["left_out"]


def test_unknown_characters_that_become_one_token_are_told_in_part_too(lab):
    text = "x" * 5_000 + "ab" + "y" * 4_000
    for at in [1, 2_500, 4_999, 5_003, LONGEST - 1_000]:
        [place] = explain_text(lab, "nearby", text, at, edits=False)["places"]
        assert not place["cut"] and len(json.dumps(place)) < 40_000
        unit = place["details"]["unit"]
        assert len(unit["text"]) <= 64 and unit["part_of"]["characters"] >= 4_000
