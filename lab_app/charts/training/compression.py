"""Bytes per token of the held-out text against the size of the vocabulary, with other tokenizers as marks."""

import re
from collections.abc import Sequence
from math import log10
from typing import Any

from lab_app.charts.chart import Cell, Chart, ChartTable, NoChart, plain
from lab_app.charts.labels import Box, Mark, boxes_along, place_labels
from lab_app.charts.look import FAINT, axis, figure, hue, log_axis, marker
from lab_app.charts.training.subject import (
    ACCENT,
    END_PX,
    MARGIN,
    DrawnTraining,
    Reference,
    curve,
    form,
    much_unknown,
    thin_percent,
    unknown_note,
)
from lab_app.number_words import ratio, thin, thin_number_of
from lab_app.training.steps import CurvePoint

TITLE = "Compression of the held-out text"
OWN = "This training"
HOLLOW = "hollow: more than 5 % of its tokens are unknown"
ALMOST = 0.995
"""Of the target: from there on it is reached, and has no line of its own."""
LEAST_DECADES = 0.32
"""Of the horizontal axis: so wide a range holds a round number."""
TICKS = (("D1", log10(5)), ("D2", 3.0))
"""Of the horizontal axis, with the decades below which each is right: a tick per digit, or at 1, 2 and 5."""
Range = tuple[float, float]


def compression(training: DrawnTraining, width: int, height: int) -> Chart:
    """A line for the training, which is labelled like the marks for a drawing of that many px. Raises NoChart."""
    points, others = training.points, training.references
    if not points:
        raise NoChart(_reason(training))
    target: int | None = training.options.get("vocab_size") or None
    sizes = [*(each.vocab_size for each in points), *(each.vocab_size for each in others)]
    ratios = [*(each.bytes_per_token for each in points), *(each.bytes_per_token for each in others)]
    low, high = min(*sizes, target or sizes[0]), max(*sizes, target or sizes[0])
    x_range = _sizes(low, high)
    if target is not None and points[-1].vocab_size >= target * ALMOST:
        target = None
    room = max(0.08 * (max(ratios) - min(*ratios, 1.0)), 0.1)
    y_range = (min(*ratios, 1.0) - room / 2, max(ratios) + 2 * room)  # names have room above their marks
    x = log_axis("", low, high, range=list(x_range), tickformat="~s", dtick=_dtick(x_range[1] - x_range[0]))
    y = axis(range=list(y_range), nticks=7, tickformat=",~r")
    notes = _labels(training, target, x_range, y_range, width, height)
    lines = []
    if target is not None:
        notes.append(_target_words(target, x_range))
        lines.append(_target_line(target))
    hollow = much_unknown(training.unknown_rate)
    held = training.held_out
    return Chart(
        name="compression",
        title=TITLE,
        subtitle="; ".join([
            "bytes per token against vocabulary size",
            *([f"{plain(held.title)}, {thin_number_of(held.bytes, 'byte')}"] if held else []),
            *([thin_percent(HOLLOW)] if hollow or any(each.is_hollow for each in others) else []),
        ]),
        summary=" ".join([
            f"{OWN}: {ratio(points[-1].bytes_per_token)} bytes per token with"
            f" {thin_number_of(points[-1].vocab_size, 'token')}{_hollow_words(hollow)}.",
            *(
                f"{each.name}: {ratio(each.bytes_per_token)} with {thin(each.vocab_size)}{_hollow_words(each.is_hollow)}."
                for each in others
            ),
        ]),
        keys=[],
        figure=figure(
            [*_curve(training, hollow), *map(_mark, others)], form(x, y, annotations=notes, shapes=lines)
        ),
        table=_table(points, others),
    )  # fmt: skip


def _reason(training: DrawnTraining) -> str:
    if training.held_out is None and not training.wants_held_out:
        return "No text is held out, so compression is not measured."
    if training.is_live and training.options["algorithm"] in ("wordlevel", "character"):
        return "Measured when the training ends."
    if training.is_live:
        return "Measured from the first step on."
    if training.is_done and training.wants_held_out and not (training.held_out and training.held_out.bytes):
        return "Not measured: the text can be split at too few places to hold out a part."
    return "Not measured in this training."


def _sizes(least: float, most: float) -> Range:
    """Powers of ten with some room on both sides."""
    low, high = log10(max(1, least)), log10(max(1, most))
    room = max(0.04 * (high - low), (LEAST_DECADES - (high - low)) / 2, 0.06)
    return low - room, high + room


def _dtick(decades: float) -> str | int:
    return next((dtick for dtick, most in TICKS if decades < most), 1)


def _hollow_words(is_hollow: bool) -> str:
    return "; hollow, since much text is unknown to it" if is_hollow else ""


def _curve(training: DrawnTraining, hollow: bool) -> list[dict[str, Any]]:
    points = training.points
    words = [
        f"{thin_number_of(each.vocab_size, 'token')}<br>{ratio(each.bytes_per_token)} bytes per token<br>"
        f"{thin_number_of(each.held_out_tokens, 'token')} of held-out text"
        for each in points
    ]
    if note := unknown_note(training.unknown_rate):
        words[-1] += f"<br>{thin_percent(note)}"
    x, y = [each.vocab_size for each in points], [each.bytes_per_token for each in points]
    return curve(OWN, x, y, words, hollow=hollow)


def _mark(each: Reference) -> dict[str, Any]:
    lines = [
        plain(each.name),
        thin_number_of(each.vocab_size, "token"),
        f"{ratio(each.bytes_per_token)} bytes per token",
        plain(each.note, 200),
        thin_percent(unknown_note(each.unknown_rate)),
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": plain(each.name),
        "x": [each.vocab_size],
        "y": [each.bytes_per_token],
        "marker": marker(each, END_PX),
        "hoverinfo": "text",
        "hovertext": ["<br>".join(filter(None, lines))],
    }


def _labels(
    training: DrawnTraining, target: int | None, x_range: Range, y_range: Range, width: int, height: int
) -> list[dict[str, Any]]:
    """The names of the marks and of the curve's end, clear of each other, of the curve and of the line of the target."""
    right, bottom = width - MARGIN["l"] - MARGIN["r"], height - MARGIN["t"] - MARGIN["b"]

    def place(size: float, ratio: float) -> tuple[float, float]:
        across = (log10(max(1, size)) - x_range[0]) / (x_range[1] - x_range[0])
        return across * right, (y_range[1] - ratio) / (y_range[1] - y_range[0]) * bottom

    last = training.points[-1]
    value = ratio(last.bytes_per_token)
    own = "This training" if training.is_live else "This tokenizer"
    marks = [Mark(*place(last.vocab_size, last.bytes_per_token), f"{own} {value}", value)]
    names = _short_names([each.name for each in training.references])
    marks += [
        Mark(*place(each.vocab_size, each.bytes_per_token), plain(name), each.letter)
        for name, each in zip(names, training.references, strict=True)
    ]
    taken = boxes_along([place(each.vocab_size, each.bytes_per_token) for each in training.points])
    if target is not None:
        across, _ = place(target, 0)
        taken.append(Box(across - 3, 0, across + 3, bottom))
    places = place_labels(marks, Box(0, -MARGIN["t"] / 3, right, bottom), taken)
    drawn = [
        (last.vocab_size, last.bytes_per_token, ACCENT),
        *((each.vocab_size, each.bytes_per_token, hue(each)) for each in training.references),
    ]
    return [
        {**found.annotation(), "x": log10(max(1, size)), "y": height_of, "font": {"color": colour}}
        for found, (size, height_of, colour) in zip(places, drawn, strict=True)
    ]


def _short_names(names: Sequence[str]) -> list[str]:
    """Names without what is in brackets or follows a comma, except those that would become the same.

    >>> _short_names(["BERT base, uncased", "GPT-2 (own)", "a, b", "a, c"])
    ['BERT base', 'GPT-2', 'a, b', 'a, c']
    """
    short = [re.split(r",| \(", name)[0] or name for name in names]
    return [name if short.count(each) > 1 else each for name, each in zip(names, short, strict=True)]


def _target_words(target: int, x_range: Range) -> dict[str, Any]:
    at = (log10(target) - x_range[0]) / (x_range[1] - x_range[0])
    return {
        "text": f"target {thin(target)}",
        "x": log10(target),
        "y": 1,
        "yref": "paper",
        "xanchor": "right" if at > 0.85 else "left" if at < 0.15 else "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": FAINT},
    }


def _target_line(target: int) -> dict[str, Any]:
    dashed = {"color": "var(--line-2)", "width": 1, "dash": "4px,4px"}
    return {"type": "line", "x0": target, "x1": target, "y0": 0, "y1": 1, "yref": "paper", "line": dashed}


def _table(points: Sequence[CurvePoint], others: Sequence[Reference]) -> ChartTable:
    rows: list[list[Cell]] = [[OWN, each.vocab_size, each.bytes_per_token] for each in points]
    rows += [[each.name, each.vocab_size, each.bytes_per_token] for each in others]
    return ChartTable(["tokenizer", "vocabulary size", "bytes per token"], rows)
