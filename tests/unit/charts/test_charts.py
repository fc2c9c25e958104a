"""Charts hold the values of the result, escape what others wrote, and do not flatter."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from lab_app.analysis.corpus.result import CorpusResult, Curve
from lab_app.charts.changes import changes
from lab_app.charts.chart import Chart, NoChart, token_label
from lab_app.charts.look import DASHES, PRINT, SYMBOLS, printed
from lab_app.charts.registry import CHARTS
from tests.corpus_sample import COUNTS, HOSTILE, sample
from tests.rules.sources import ROOT

RESULT = sample()


def made(name: str, result: CorpusResult = RESULT) -> Chart:
    return CHARTS[name](result)


def traces(name: str, letter: str, result: CorpusResult = RESULT) -> list[dict[str, Any]]:
    """The traces of a tokenizer that have values to read."""
    data = made(name, result).figure["data"]
    return [each for each in data if each.get("legendgroup") == letter and each.get("hoverinfo") != "skip"]


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_says_what_it_shows_and_is_safe(name: str):
    chart = made(name)
    assert chart.name == name
    assert chart.title and chart.subtitle and chart.summary
    assert [key.letter for key in chart.keys] == ["A", "B", "C"]
    assert chart.table.rows and {len(row) for row in chart.table.rows} == {len(chart.table.head)}
    drawn = [{key: value for key, value in trace.items() if key != "customdata"} for trace in chart.figure["data"]]
    text = json.dumps([drawn, chart.figure["layout"]], allow_nan=False)
    assert HOSTILE not in text and "<i>c</i>" not in text, "names and tokens are escaped"
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    assert used <= set(PRINT), "every colour has one for print"
    assert "var(--" not in json.dumps(printed(chart.figure))
    for trace in chart.figure["data"]:
        if trace.get("hoverinfo") != "skip" and trace["type"] != "heatmap":
            assert len(trace["hovertext"]) == len(trace["x"]) == len(trace["y"])


def test_print_has_the_colours_of_the_light_theme():
    css = (ROOT / "lab_ui" / "css" / "variables.css").read_text(encoding="utf-8")
    light = css.split('[data-theme="dark"]')[0]
    for name, colour in PRINT.items():
        if colour.startswith("#"):
            assert re.search(rf"--{name}: {colour};", light), name


def test_the_page_and_the_charts_have_one_shape_per_letter():
    page = (
        (ROOT / "lab_ui" / "js" / "ui" / "tokens" / "shapes.js")
        .read_text(encoding="utf-8")
        .split("[", 1)[1]
        .split("]")[0]
    )
    assert tuple(re.findall(r"'([\w-]+)'", page)) == SYMBOLS
    css = (ROOT / "lab_ui" / "css" / "components" / "controls.css").read_text(encoding="utf-8")
    badges = re.findall(r'^:is\(\.badge\[data-letter="(\w)"\], \.entrant\[data-shape="([\w-]+)"\]\)', css, re.MULTILINE)
    assert badges == list(zip("ABCDEFGH", SYMBOLS, strict=True))


def test_zipf_has_the_counts_and_the_fit():
    (curve,) = traces("zipf", "B")
    assert (curve["x"], curve["y"]) == ([1, 2, 3, 4, 5], COUNTS["gpt2"])
    fit = made("zipf").figure["data"][1]
    # 10 occurrences at rank 4, and slope -1 before it.
    assert (fit["x"], fit["y"]) == ([1, 4], [40.0, 10.0])
    assert made("zipf").table.rows[:2] == [["bert", 1, 90], ["bert", 2, 60]]


def test_coverage_has_the_milestones():
    curve, marks = traces("coverage", "B")
    assert curve["y"] == pytest.approx([100 * c / 1110 for c in (500, 800, 1000, 1100, 1110)])
    # A mark is on the curve: two types cover 72 %, more than the milestone of 50 %.
    assert marks["x"] == [2, 3, 3, 4, 4]
    assert marks["y"] == [curve["y"][rank - 1] for rank in marks["x"]]
    assert "2 types cover 50" in marks["hovertext"][0]


def test_axes_are_those_of_the_counts_and_have_whole_numbers():
    layout = made("zipf").figure["layout"]
    assert 10 ** layout["yaxis"]["range"][1] < 2 * max(COUNTS["gpt2"]), "the fit does not stretch the axis"
    assert layout["xaxis"]["dtick"] == "D2" and layout["yaxis"]["dtick"] == 1
    lengths = made("lengths").figure["layout"]
    assert lengths["yaxis"]["dtick"] == 1 and "dtick" not in lengths["xaxis"]


def test_lengths_say_what_is_in_the_last_bin():
    (steps,) = traces("lengths", "A")
    assert (steps["x"], steps["y"]) == ([0, 4, 8, 12, 16], [2, 4, 2, 1, 1])
    assert steps["hovertext"][3].startswith("A bert<br>12 or more tokens: 1 document")
    assert (
        "documents per bin of 4 tokens; 12 and more in the last bin; dashed: median A 5, B 5, C 5; A hollow"
        in made("lengths").subtitle
    )
    assert ["bert", 12, None, 1] in made("lengths").table.rows


def test_premium_is_hollow_where_text_is_unknown():
    (marks,) = traces("premium", "A")
    at = dict(zip([each["language"] for each in marks["customdata"]], range(9), strict=False))
    assert marks["x"][at["th"]] == 0.2 and marks["x"][at["fr"]] == 1.5
    assert marks["marker"]["symbol"][at["th"]] == "circle-open" and marks["marker"]["symbol"][at["fr"]] == "circle"
    assert "95.0" in marks["hovertext"][at["th"]] and "unknown" not in marks["hovertext"][at["fr"]]
    assert "hollow: over 5" in made("premium").subtitle
    assert ["bert", "th", 0.2, 5.0, 3, 0.95, "yes"] in made("premium").table.rows
    assert made("premium").summary.startswith("A bert: from 1.5 (fr) to 1.5 (fr); more than 5 % unknown in th.")
    ticks = made("premium").figure["layout"]["yaxis"]["ticktext"]
    assert ticks == ["th", "fr"], "the dearest first, without the reference"
    without = made("premium", sample(("gpt2",)))
    assert "hollow" not in without.subtitle


def test_premium_shows_the_languages_at_both_ends():
    one = RESULT.tokenizers[1]
    base = next(each for each in one.languages if each.language == "fr")
    languages = [replace(base, language=f"l{n:02}", premium=1 + n / 10) for n in range(20)]
    chart = made("premium", replace(RESULT, tokenizers=[replace(one, languages=languages)]))
    ticks = chart.figure["layout"]["yaxis"]["ticktext"]
    assert ticks == [f"l{n}" for n in range(19, 14, -1)] + ["⋮"] + [f"l{n:02}" for n in range(4, -1, -1)]
    marks = next(each for each in chart.figure["data"] if each.get("legendgroup") == "A")
    assert marks["y"] == [*range(5), *range(6, 11)] and marks["x"][0] == 2.9 and marks["x"][-1] == 1
    assert "the ends of 20 languages" in chart.subtitle and len(chart.table.rows) == 20


def test_dots_of_languages_are_hollow_where_text_is_unknown():
    (dots,) = traces("language_bytes", "A")
    ticks = made("language_bytes").figure["layout"]["yaxis"]["ticktext"]
    symbols = dict(zip([each["language"] for each in dots["customdata"]], dots["marker"]["symbol"], strict=True))
    assert symbols == {"th": "circle-open", "fr": "circle", "en": "circle"} and set(ticks) == set(symbols)
    (unknown,) = traces("language_unknown", "A")
    assert unknown["x"] == [95, 0, 0]
    (premium,) = traces("language_premium", "A")
    assert premium["x"] == [0.2, 1.5, 1] and "in English, which is 1" in made("language_premium").subtitle


def test_words_are_not_counted_where_no_spaces_separate_them():
    (dots,) = traces("fertility", "A")
    chart = made("fertility")
    assert chart.figure["layout"]["yaxis"]["ticktext"] == ["fr", "en"], "Thai is left out"
    assert dots["x"] == [150 / 80, 100 / 80] and "left out, no spaces between words: th" in chart.subtitle
    one = RESULT.tokenizers[1]
    rare = [replace(each, words=10, words_unicode=400, script="Ethiopic") for each in one.languages]
    few = replace(RESULT, tokenizers=[replace(one, languages=[rare[0], *one.languages[1:]])])
    assert f"no spaces between words: {rare[0].language}, th" in made("fertility", few).subtitle
    with pytest.raises(NoChart, match="put no spaces between words"):
        made("fertility", replace(RESULT, tokenizers=[replace(one, languages=rare)]))


def test_one_language_far_above_the_others_makes_the_axis_logarithmic():
    assert made("fertility").figure["layout"]["xaxis"].get("type") != "log"
    one = RESULT.tokenizers[1]
    values = {"en": 1.2, "th": 300.0, "fr": 1.5}
    languages = [replace(each, fertility=values[each.language], script="Latin") for each in one.languages]
    skewed = replace(RESULT, tokenizers=[replace(one, languages=languages)])
    axis = made("fertility", skewed).figure["layout"]["xaxis"]
    assert axis["type"] == "log" and 1 < 10 ** axis["range"][0] < 1.2 and 300 < 10 ** axis["range"][1] < 400
    assert made("fertility", skewed).subtitle.endswith("logarithmic axis")
    with_zero = [replace(each, fertility=each.fertility if each.language == "th" else 0.0) for each in languages]
    result = replace(RESULT, tokenizers=[replace(one, languages=with_zero)])
    assert made("fertility", result).figure["layout"]["xaxis"].get("type") != "log", "it could not show a zero"


def test_many_tokenizers_are_marks_on_one_line_per_language():
    one = RESULT.tokenizers[0]
    many = replace(RESULT, tokenizers=[replace(one, tokenizer=f"t{n}", name=f"t{n}") for n in range(8)])
    data = made("language_bytes", many).figure["data"]
    assert {each["type"] for each in data} == {"scatter"} and len(data) == 1 + 8
    heights = [made("language_bytes", each).figure["layout"]["height"] for each in (many, RESULT)]
    assert heights[0] == heights[1]


def test_frequencies_show_unknown_tokens_first_in_the_warning_colour():
    result = sample(("bert",))
    one = result.tokenizers[0]
    rows = [one.frequencies[2], one.frequencies[0], one.frequencies[1]]
    ranked = [replace(row, rank=n + 1) for n, row in enumerate(rows)]
    (bars,) = traces("frequency", "A", replace(result, tokenizers=[replace(one, frequencies=ranked)]))
    assert bars["x"] == [90, 50, 60]
    assert bars["marker"]["color"] == ["var(--unknown)", "var(--a)", "var(--a)"]
    assert bars["customdata"][0] == {"tokenizer": "bert", "id": 101, "token": "[UNK]"}


def test_frequencies_leave_out_parts_of_characters_unless_there_is_nothing_else():
    result = sample(("gpt2",))
    one = result.tokenizers[0]
    rows = [replace(row, text=None, bytes="e0ba") if n < 3 else row for n, row in enumerate(one.frequencies)]
    chart = made("frequency", replace(result, tokenizers=[replace(one, frequencies=rows)]))
    assert [row[1] for row in chart.table.rows] == [row.rank for row in rows[3:]]
    assert "without tokens that are parts of characters" in chart.subtitle
    chart = made("frequency", replace(result, tokenizers=[replace(one, frequencies=rows[:3])]))
    assert len(chart.table.rows) == 3 and "without tokens" not in chart.subtitle


def test_tokens_are_shown_as_text_or_bytes():
    row = RESULT.tokenizers[1].frequencies[2]
    shown = lambda **values: token_label(replace(row, **values))  # noqa: E731
    assert shown(token="##s", text="s") == "##s"
    assert shown(token="Ġthe", text=" the") == "·the"
    assert shown(token="âĢ", text=None, bytes="e280") == "&lt;e2 80&gt;"
    assert shown(token="\n", text="\n") == "⏎"


def test_languages_that_a_tokenizer_cannot_write_are_counted():
    one = RESULT.tokenizers[0]
    languages = [replace(each, premium=None) if each.language == "th" else each for each in one.languages]
    result = replace(RESULT, tokenizers=[replace(one, languages=languages), *RESULT.tokenizers[1:]])
    chart = made("premium", result)
    assert chart.subtitle.endswith("left out, over 10\u202f% of the characters unknown: 1 of A")
    assert not [row for row in chart.table.rows if row[:2] == ["bert", "th"]]


def test_agreement_is_written_with_its_pairs():
    (heat,) = made("agreement").figure["data"]
    assert heat["z"] == RESULT.agreement
    assert made("agreement").table.head == ["tokenizer", "bert", "gpt2", "<i>c</i>"]


def test_panels_share_their_axes_and_show_the_others_in_grey():
    layout = made("zipf_panels").figure["layout"]
    assert layout["xaxis2"]["matches"] == "x" and layout["yaxis3"]["matches"] == "y"
    second = [each for each in made("zipf_panels").figure["data"] if each.get("xaxis") == "x2"]
    grey = [each for each in second if each["line"]["color"] == "var(--line-2)"]
    assert sorted(each["y"] for each in grey) == sorted([COUNTS["bert"], COUNTS["<i>c</i>"]])


@pytest.mark.parametrize(
    ("name", "result", "reason"),
    [
        ("premium", replace(RESULT, settings=replace(RESULT.settings, reference_language=None)), "parallel"),
        ("agreement", sample(("gpt2",)), "two tokenizers"),
        ("zipf_panels", sample(("gpt2",)), "two tokenizers"),
        ("agreement", replace(RESULT, agreement=None, not_measured={"agreement": "not asked for"}), "not asked for"),
        (
            "fertility",
            replace(RESULT, tokenizers=[replace(each, languages=[]) for each in RESULT.tokenizers]),
            "no languages",
        ),
    ],
)
def test_a_chart_without_values_says_why(name: str, result: CorpusResult, reason: str):
    with pytest.raises(NoChart) as caught:
        made(name, result)
    assert reason in caught.value.reason


def test_ten_tokenizers_differ_in_hue_marker_or_dash():
    one = RESULT.tokenizers[1]
    many = replace(RESULT, tokenizers=[replace(one, tokenizer=f"t{n}", name=f"t{n}") for n in range(10)])
    looks = {
        (each["line"]["color"], each["line"]["dash"], each["marker"]["symbol"])
        for each in made("zipf", many).figure["data"]
        if each.get("hoverinfo") != "skip"
    }
    assert len(looks) == 10
    assert len(set(SYMBOLS)) == len(set(DASHES)) == 8


def test_a_tokenizer_has_the_look_of_its_letter():
    data = CHARTS["zipf"](sample(("gpt2",)), "B").figure["data"]
    same = [each for each in made("zipf").figure["data"] if each["name"] == "B gpt2"]
    assert data[0] == same[0]


def test_a_tokenizer_without_tokens_is_left_out():
    empty = replace(RESULT.tokenizers[1], curve=Curve([], [], []), milestones={}, zipf=None, tokens=0)
    result = replace(RESULT, tokenizers=[empty])
    assert made("zipf", result).summary == "A gpt2 has no tokens."
    assert not made("coverage", result).figure["data"]


def test_what_is_there_once_is_not_several():
    one = replace(RESULT.tokenizers[1], curve=Curve([1, 2], [3, 1], [0.75, 1.0]), milestones={50: 1}, zipf=None)
    result = replace(RESULT, tokenizers=[one])
    assert traces("zipf", "A", result)[0]["hovertext"][1].endswith(": 1 occurrence")
    assert "<br>1 type covers 50" in traces("coverage", "A", result)[1]["hovertext"][0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("premium", "th pays most: 8.3 times the tokens of English with gpt2."),
        ("language_unknown", "th is lost most: 95\u202f% of the tokens of bert are unknown."),
    ],
)
def test_the_answer_is_one_sentence_above_the_chart(name: str, words: str):
    assert made(name).answer == words


def test_what_is_mostly_unknown_is_no_answer():
    """Thai has the fewest tokens with BERT, which knows none of it."""
    assert made("premium", sample(("bert",))).answer == "fr pays most: 1.5 times the tokens of English with bert."


def changed(**values: float | None) -> CorpusResult:
    """The result with other values of its first two tokenizers; the third is not in it."""
    first, second, _ = RESULT.tokenizers
    return replace(RESULT, tokenizers=[replace(first, **values), replace(second, fertility=3.0)])


def test_changes_have_the_percentage_of_each_ratio_that_differs():
    before = changed(bytes_per_token=4.0, fertility=None, unknown_rate=0.0, tokens=1)
    after = replace(
        RESULT, tokenizers=[replace(each, bytes_per_token=5.0, fertility=6.0) for each in RESULT.tokenizers]
    )
    chart = changes(before, after, "CAB")
    was = before.tokenizers[1].bytes_per_token
    assert [row[:2] for row in chart.table.rows] == [
        ["bert", "Bytes per token"], ["gpt2", "Bytes per token"], ["gpt2", "Fertility"],
    ]  # fmt: skip
    assert chart.table.rows[0][3:] == [4.0, 5.0, 25.0] and chart.table.rows[1][3:5] == [was, 5.0]
    marks = [trace for trace in chart.figure["data"] if trace.get("hovertext")]
    assert [(trace["legendgroup"], len(trace["x"])) for trace in marks] == [("C", 1), ("A", 2)]
    assert marks[1]["x"][1] == 100 and "from 3 to 6" in marks[1]["hovertext"][1]
    assert [key.letter for key in chart.keys] == ["C", "A"] and "changed most, by 25" in chart.summary


def test_changes_leave_out_what_is_against_another_first_tokenizer():
    before, after = (
        replace(RESULT, tokenizers=[replace(each, normalised_sequence_length=value) for each in RESULT.tokenizers])
        for value in (1.0, 0.5)
    )
    assert {row[1] for row in changes(before, after).table.rows} == {"Normalised sequence length"}
    with pytest.raises(NoChart, match="no ratio"):
        changes(before, replace(after, tokenizers=after.tokenizers[::-1]))


def test_changes_without_a_ratio_that_differs_have_a_reason():
    with pytest.raises(NoChart, match="no ratio"):
        changes(
            RESULT, replace(RESULT, tokenizers=[replace(each, tokens=each.tokens + 1) for each in RESULT.tokenizers])
        )
    with pytest.raises(NoChart, match="share no tokenizer"):
        changes(sample(("gpt2",)), sample(("bert",)))
