"""Charts of trainings hold the values, keep names apart, and do not flatter."""

import json
import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from lab_app.charts.chart import Chart, NoChart
from lab_app.charts.labels import Box, Mark, place_labels
from lab_app.charts.look import PRINT, SYMBOLS
from lab_app.charts.training.compression import compression
from lab_app.charts.training.counts import counts
from lab_app.charts.training.loss import loss
from lab_app.charts.training.registry import charts_of
from lab_app.charts.training.size import size
from lab_app.charts.training.subject import MARGIN, DrawnTraining, Reference
from lab_app.training.progress import HeldOutState
from lab_app.training.steps import CountPoint, CurvePoint, LossPoint

HELD = HeldOutState("<i>held</i>", 1000, 500, 2.0)
POINTS = [CurvePoint(256, 1.0, 1000), CurvePoint(1668, 2.0, 500)]
GPT2 = Reference(1, "B", "<b>GPT-2</b>", 50257, 4.0, 0.0)
TRAINING = DrawnTraining(
    {"algorithm": "bpe", "vocab_size": 8192, "min_frequency": 2},
    is_live=True,
    is_done=False,
    wants_held_out=True,
    held_out=HELD,
    total=7936,
    points=POINTS,
    counts=[CountPoint(0, 900), CountPoint(1411, 158)],
    losses=[LossPoint(0, 12.5, 9000), LossPoint(1, 11.25, 8000)],
    references=[GPT2],
)
EMPTY = replace(TRAINING, points=[], counts=[], losses=[], references=[])


def drawn(training: DrawnTraining = TRAINING, width: int = 420, height: int = 300) -> Chart:
    return compression(training, width, height)


def of(algorithm: str, training: DrawnTraining = TRAINING, **options: Any) -> DrawnTraining:
    return replace(training, options={**training.options, "algorithm": algorithm, **options})


def texts(chart: Chart) -> list[str]:
    return [each["text"] for each in chart.figure["layout"].get("annotations", ())]


def lines(chart: Chart) -> list[Any]:
    return list(chart.figure["layout"].get("shapes", ()))


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece", "unigram", "wordlevel", "character"])
def test_every_chart_says_what_it_shows_and_is_safe(algorithm: str):
    for name, (title, make) in charts_of(of(algorithm)).items():
        chart = make()
        assert (chart.name, chart.title) == (name, title) and chart.subtitle and chart.summary
        assert chart.table.rows and {len(row) for row in chart.table.rows} == {len(chart.table.head)}
        text = json.dumps(chart.figure, allow_nan=False)
        assert "<i>" not in text + chart.subtitle and "<b>GPT" not in text, "names are escaped"
        assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= set(PRINT), "every colour has one for print"
        for trace in chart.figure["data"]:
            assert len(trace["hovertext"]) == len(trace["x"]) == len(trace["y"])


def test_every_size_has_its_tokens_per_byte_and_its_parameters():
    chart = size(TRAINING)
    assert chart.table.rows == [
        [256, 1.0, 524_288, 4_194_304],
        [1668, 0.5, 3_416_064, 27_328_512],
    ]
    *costs, line, _ = chart.figure["data"]
    assert [each["y"] for each in costs] == [[row[at] for row in chart.table.rows] for at in (2, 3)]
    assert (line["x"], line["y"]) == ([256, 1668], [1.0, 0.5]) and "yaxis" not in line
    with pytest.raises(NoChart, match="held-out"):
        size(EMPTY)
    assert "size" not in charts_of(of("wordpiece")), (
        "only the first tokens of BPE are a vocabulary as training would make it"
    )


def test_compression_has_the_curve_its_end_the_target_and_the_marks():
    chart = drawn()
    line, end, mark = chart.figure["data"]
    assert (line["x"], line["y"]) == ([256, 1668], [1.0, 2.0]) and (end["x"], end["y"]) == ([1668], [2.0])
    assert (mark["x"], mark["y"], mark["marker"]["symbol"]) == ([50257], [4.0], SYMBOLS[1])
    assert mark["marker"]["color"] == "var(--b)" and mark["name"] == "&lt;b&gt;GPT-2&lt;/b&gt;"
    assert texts(chart)[0] == "<b>This training 2.00</b>" and texts(chart)[-1] == "target 8\u202f192"
    assert len(lines(chart)) == 1
    assert chart.table.rows == [["This training", 256, 1.0], ["This training", 1668, 2.0], ["<b>GPT-2</b>", 50257, 4.0]]
    ended = drawn(replace(TRAINING, is_live=False, points=[CurvePoint(8192, 3.0, 333)]))
    assert texts(ended)[0] == "<b>This tokenizer 3.00</b>" and not lines(ended)


def test_unknown_text_flatters_so_its_mark_is_hollow_and_says_why():
    assert "hollow" not in drawn().subtitle
    few = drawn(replace(TRAINING, references=[replace(GPT2, unknown_rate=0.004)]))
    assert "hollow" not in few.subtitle and "<1\u202f% of its tokens" in few.figure["data"][2]["hovertext"][0].replace(
        "&lt;", "<"
    )
    for changed, at in (
        (replace(TRAINING, references=[replace(GPT2, unknown_rate=0.12)]), 2),
        (replace(TRAINING, held_out=replace(HELD, unknown_rate=0.12)), 1),
    ):
        chart = drawn(changed)
        mark = chart.figure["data"][at]
        assert mark["marker"]["symbol"].endswith("-open") and "hollow: more than 5" in chart.subtitle
        assert "12\u202f% of its tokens are unknown: compression looks better than it is" in mark["hovertext"][0]
        assert "hollow, since much text is unknown to it" in chart.summary


@pytest.mark.parametrize(
    ("training", "words"),
    [
        (EMPTY, "from the first step on"),
        (replace(EMPTY, held_out=None, wants_held_out=False), "No text is held out"),
        (of("wordlevel", EMPTY), "when the training ends"),
        (replace(EMPTY, is_live=False, is_done=True, held_out=None), "too few places"),
        (replace(EMPTY, is_live=False), "Not measured in this training"),
    ],
)
def test_compression_that_is_not_measured_has_a_reason(training: DrawnTraining, words: str):
    with pytest.raises(NoChart, match=words):
        drawn(training)


def test_counts_and_losses_that_are_not_measured_have_a_reason():
    for make in (counts, loss):
        for is_live in (True, False):
            with pytest.raises(NoChart, match=r"\.$"):
                make(replace(EMPTY, is_live=is_live))


def test_counts_have_the_limit_at_which_training_ends_if_it_is_near():
    chart = counts(replace(TRAINING, counts=[*TRAINING.counts, CountPoint(5000, 3)]))
    assert "Minimum count 2" in texts(chart)[-1] and len(lines(chart)) == 1
    assert texts(chart)[0] == "<b>3</b>" and chart.table.rows[-1] == [5001, 3]
    far = counts(replace(TRAINING, counts=[CountPoint(0, 90_000)]))
    assert not lines(far) and texts(far) == ["<b>90\u202f000</b>"]


def test_merges_by_score_are_dots_without_a_limit():
    points = [CountPoint(0, 3), CountPoint(1, 900), CountPoint(2, 2)]
    chart = counts(of("wordpiece", replace(TRAINING, counts=points), score="likelihood"))
    assert [trace["mode"] for trace in chart.figure["data"]] == ["markers"]
    assert not texts(chart) and not lines(chart)


def test_losses_have_the_last_value_at_the_end():
    chart = loss(of("unigram"))
    assert texts(chart) == ["<b>11.250</b>"] and chart.figure["layout"]["xaxis"]["dtick"] == 1
    assert chart.table.rows == [[1, 12.5, 9000], [2, 11.25, 8000]]


@pytest.mark.parametrize("sizes", [(257, 300), (5, 6), (9, 10), (95, 105), (49_000, 51_000), (1000, 1000), (1, 2)])
def test_the_axis_of_sizes_has_a_round_number(sizes: tuple[int, int]):
    points = [CurvePoint(size, 2.0, 9) for size in sizes]
    axis = drawn(replace(of("bpe", vocab_size=None), points=points, references=[])).figure["layout"]["xaxis"]
    low, high = (10**end for end in axis["range"])
    assert axis["dtick"] == "D1" and any(
        low <= digit * 10**power <= high for digit in range(1, 10) for power in range(6)
    )


NAMES = ["GPT-2", "cl100k_base", "BERT base, uncased", "a very long name of a tokenizer"]


@pytest.mark.parametrize("ratios", [[4.4, 4.3, 3.9, 4.35], [3.0, 3.0, 3.0, 3.0], [2.0]])
@pytest.mark.parametrize("width", [330, 720])
def test_names_are_inside_and_apart(ratios: list[float], width: int):
    others = [Reference(at, "ABCD"[at], NAMES[at], 50_000 - 9000 * at, ratio, 0.0) for at, ratio in enumerate(ratios)]
    points = [CurvePoint(size, 1 + size / 2000, 9) for size in range(256, 4096, 64)]
    layout = drawn(replace(TRAINING, points=points, references=others), width).figure["layout"]
    area = (width - MARGIN["l"] - MARGIN["r"], 300 - MARGIN["t"] - MARGIN["b"])
    boxes = [box for each in layout["annotations"][: 1 + len(others)] for box in [covered(each, layout, area)]]
    for box in boxes:
        assert box.left >= 0 and box.right <= area[0] and box.top >= -MARGIN["t"] and box.bottom <= area[1]
    for a, b in combinations(boxes, 2):
        assert a.right <= b.left or b.right <= a.left or a.bottom <= b.top or b.bottom <= a.top, (a, b)


def covered(note: dict[str, Any], layout: dict[str, Any], area: tuple[int, int]) -> Box:
    """What a label covers, if a character is 7 px wide and 12 px high."""
    (low, high), (bottom, top) = layout["xaxis"]["range"], layout["yaxis"]["range"]
    x = (note["x"] - low) / (high - low) * area[0] + note["xshift"]
    y = (top - note["y"]) / (top - bottom) * area[1] - note["yshift"]
    wide = 7 * len(re.sub("<[^>]*>", "", note["text"]))
    left = x - {"left": 0, "center": wide / 2, "right": wide}[note["xanchor"]]
    return Box(left, y - 6, left + wide, y + 6)


def test_labels_shrink_where_there_is_no_room():
    area = Box(0, 0, 300, 200)
    far = place_labels([Mark(50, 50, "one", "X"), Mark(200, 150, "two", "X")], area, [])
    assert [(each.text, each.anchor) for each in far] == [("one", "left"), ("two", "left")]
    (edge,) = place_labels([Mark(292, 100, "cl100k_base", "X")], area, [])
    assert edge.anchor == "right"
    crowd = place_labels([Mark(150 + 6 * n, 100, NAMES[3], "X") for n in range(8)], area, [])
    assert any(each.text == "X" for each in crowd)
