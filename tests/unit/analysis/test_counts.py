import numpy as np
import pytest

from lab_app.analysis.counts import split_characters
from lab_app.analysis.positions import Positions


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        ("", [], 0),
        ("ab", [[0, 1], [1, 2]], 0),
        ("日", [[0, 3]], 0),
        ("日", [[0, 2], [2, 3]], 1),
        ("日", [[0, 1], [1, 2], [2, 3]], 1),  # one character, however many cuts
        ("日本", [[0, 1], [1, 3], [3, 4], [4, 6]], 2),
        ("日本", [[0, 1], [1, 4], [4, 6]], 2),  # a token with parts of two
        ("½", [[0, 2], [0, 2], [0, 2]], 1),  # "1⁄2" came of it, three tokens, all of them the whole character
        (" 日", [[0, 2], [2, 4]], 1),
    ],
)
def test_split_characters(text, spans, expected):
    assert split_characters(np.array(spans, np.uint32).reshape(-1, 2), Positions(text)) == expected
