"""The cases of tests/golden/figures.json; tests/js/figures.test.js checks the words of the page against the same."""

import json
from pathlib import Path

import pytest

from lab_app.analysis import figures
from lab_app.analysis.figures import Figures
from lab_app.number_words import ratio

CASES = json.loads((Path(__file__).parents[2] / "golden" / "figures.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_figures_and_their_words(case):
    result = Figures(**case["figures"])
    assert result.values() == case["result"]
    assert {
        "tokens": figures.token_words(result),
        "difference": figures.difference(result.text_token_count, case["base"]),
        "bytes_per_token": ratio(result.bytes_per_token),
        "characters_per_token": ratio(result.characters_per_token),
        "unknown": figures.unknown_words(result),
    } == case["words"]


def test_no_figure_depends_on_added_tokens_or_padding():
    plain = Figures(10, 0, 0, 2, 40, 30)
    filled = Figures(17, 3, 4, 2, 40, 30)
    for name in ("text_token_count", "bytes_per_token", "characters_per_token", "unknown_rate"):
        assert getattr(plain, name) == getattr(filled, name)
