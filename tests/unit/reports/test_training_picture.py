"""The picture in a training's report: every mark and name is inside of it, and none covers another."""

import re
from itertools import combinations

import pytest

from lab_app.reports.training_picture import CHARACTER, HEIGHT, ROW, WIDTH, curve_picture
from lab_app.services.trainings.results import TrainingCurve, TrainingReference
from lab_app.training.steps import CurvePoint

POINTS = [CurvePoint(size, 1 + size / 2000, 9) for size in range(256, 4096, 64)]
NAMES = ["GPT-2", "cl100k_base", "BERT base, uncased", "<b>x</b> with a very long name of a tokenizer"]


def curve_of(points: list[CurvePoint], ratios: list[float | None], unknown: float = 0.0) -> TrainingCurve:
    references = [
        TrainingReference(name, name, 50_000 - 9000 * at, ratio, unknown)
        for at, (name, ratio) in enumerate(zip(NAMES, ratios, strict=False))
    ]
    return TrainingCurve(points, [], [], references)


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    found = []
    for x, y, anchor, name in re.findall(r'class="name" x="(.*?)" y="(.*?)" text-anchor="(.*?)">(.*?)<', picture):
        width, middle = CHARACTER * len(name.replace("&lt;", "<").replace("&gt;", ">")), float(y) - 4
        left = float(x) - (width if anchor == "end" else 0)
        found.append((left, middle - ROW / 2, left + width, middle + ROW / 2))
    return found


@pytest.mark.parametrize("points", [POINTS, POINTS[-1:]], ids=["a curve", "one point"])
@pytest.mark.parametrize("ratios", [[], [4.4, 4.3, 3.9, 4.35], [3.0, 3.0, 3.0, 3.0], [None, 2.0]])
def test_names_are_inside_and_apart(points: list[CurvePoint], ratios: list[float | None]):
    picture = curve_picture(curve_of(points, ratios), None)
    measured = 1 + sum(ratio is not None for ratio in ratios)
    assert picture.count("<circle") == len(boxes(picture)) == measured and "<b>" not in picture
    for left, top, right, bottom in boxes(picture):
        assert left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT
    for a, b in combinations(boxes(picture), 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)


@pytest.mark.parametrize("sizes", [(257, 300), (5, 6), (9, 10), (95, 105), (49_000, 51_000), (1000, 1000), (1, 2)])
def test_every_picture_says_its_sizes(sizes: tuple[int, int]):
    picture = curve_picture(curve_of([CurvePoint(size, 2.0, 9) for size in sizes], []), None)
    ticks = re.findall(r'text-anchor="middle">([\d ]+)<', picture)
    assert 1 <= len(ticks) <= 20 and len(set(ticks)) == len(ticks), ticks


def test_much_unknown_text_makes_a_mark_hollow():
    assert "hollow" not in curve_picture(curve_of(POINTS, [4.0], 0.05), 0.05)
    assert 'class="own hollow"' in curve_picture(curve_of(POINTS, [4.0]), 0.06)
    hollow = curve_picture(curve_of(POINTS, [4.0], 0.3), None)
    assert 'class="other hollow"' in hollow and "more than 5 % of its tokens are unknown" in hollow
