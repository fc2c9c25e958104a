"""The compression of a training as an SVG: its curve and other tokenizers. Part of its report (`training`).

Not here: the chart as the page draws it (`lab_ui/js/screens/train/figures.js`).
"""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from lab_app.analysis.figures import MUCH_UNKNOWN, integer
from lab_app.services.trainings.results import TrainingCurve

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 24, 40
CHARACTER, ROW = 7.0, 16.0
"""Width and height of a character of a label, px."""
AWAY = 9.0
"""Px between a mark and its label."""
SHIFTS = (0.0, -1.0, 1.0, -2.0, 2.0, -3.0, 3.0, -4.0, 4.0)
"""Rows that a label may be above or below its mark, the better ones first."""
MOST_NAME = 28


@dataclass(frozen=True)
class _Mark:
    """A tokenizer, or the end of the training: where it is in the picture, and how it is called."""

    x: float
    y: float
    name: str
    look: str


def curve_picture(curve: TrainingCurve, unknown_rate: float | None) -> str:
    """An SVG with its caption; empty without a measured point. `unknown_rate` is that of the trained tokenizer.

    >>> curve_picture(TrainingCurve([], [], [], []), None)
    ''
    """
    others = [each for each in curve.references if each.bytes_per_token is not None]
    if not curve.points:
        return ""
    sizes = [each.vocab_size for each in curve.points] + [each.vocab_size for each in others]
    ratios = [each.bytes_per_token for each in curve.points] + [each.bytes_per_token or 0.0 for each in others]
    low, high = math.log10(max(1, min(sizes))), math.log10(max(sizes))
    room = max(0.04 * (high - low), 0.05)
    low, high, top = low - room, high + room, 1.12 * max(ratios)

    def x_of(size: float) -> float:
        return LEFT + (math.log10(max(1, size)) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y_of(ratio: float) -> float:
        return HEIGHT - BOTTOM - ratio / top * (HEIGHT - TOP - BOTTOM)

    last = curve.points[-1]
    own = _Mark(x_of(last.vocab_size), y_of(last.bytes_per_token), "this training", _look("own", unknown_rate))
    marks = [own]
    for each in others:
        look = _look("other", each.unknown_rate)
        marks.append(_Mark(x_of(each.vocab_size), y_of(each.bytes_per_token or 0.0), each.title, look))
    line = " ".join(f"{x_of(each.vocab_size):.1f},{y_of(each.bytes_per_token):.1f}" for each in curve.points)
    hollow = "; hollow: more than 5 % of its tokens are unknown" if any("hollow" in each.look for each in marks) else ""
    drawn = [
        *(_upright(x_of(size), integer(size)) for size in _ticks(low, high)),
        *(_level(y_of(ratio), f"{ratio:g}") for ratio in _even(top)),
        f'<polyline class="curve" points="{line}"/>',
        *(f'<circle class="{each.look}" cx="{each.x:.1f}" cy="{each.y:.1f}" r="4"/>' for each in marks),
        *_labels(marks),
    ]
    return (
        f'<figure><svg class="picture" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Compression against vocabulary size">\n'
        + "\n".join(drawn)
        + f"\n</svg><figcaption>bytes per token of the held-out text against vocabulary size{hollow}</figcaption></figure>"
    )


def _look(name: str, unknown_rate: float | None) -> str:
    return f"{name} hollow" if (unknown_rate or 0.0) > MUCH_UNKNOWN else name


def _upright(x: float, words: str) -> str:
    bottom = HEIGHT - BOTTOM
    return (
        f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}"/>'
        f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{words}</text>'
    )


def _level(y: float, words: str) -> str:
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{words}</text>'
    )


def _labels(marks: Sequence[_Mark]) -> list[str]:
    """The names beside their marks, each where it covers the least of the others."""
    taken = [(each.x - AWAY, each.y - AWAY, each.x + AWAY, each.y + AWAY) for each in marks]
    found = []
    for number, each in enumerate(marks):
        name = each.name if len(each.name) <= MOST_NAME else f"{each.name[: MOST_NAME - 1]}…"
        others = [box for at, box in enumerate(taken) if at != number]
        places = [_box(each, name, anchor, dy * ROW) for dy in SHIFTS for anchor in ("start", "end")]
        anchor, box = min(places, key=lambda place: _cost(place[1], others))
        taken.append(box)
        x, y = (box[0] if anchor == "start" else box[2]), (box[1] + box[3]) / 2 + 4
        found.append(f'<text class="name" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(name)}</text>')
    return found


_Box = tuple[float, float, float, float]


def _box(mark: _Mark, name: str, anchor: str, dy: float) -> tuple[str, _Box]:
    width = CHARACTER * len(name)
    left = mark.x + AWAY if anchor == "start" else mark.x - AWAY - width
    return anchor, (left, mark.y + dy - ROW / 2, left + width, mark.y + dy + ROW / 2)


def _cost(box: _Box, others: Sequence[_Box]) -> float:
    """What a box covers of the others and what of it is outside of the picture, px²."""
    inside = _shared(box, (LEFT, 0, WIDTH, HEIGHT - BOTTOM))
    outside = (box[2] - box[0]) * (box[3] - box[1]) - inside
    return 4 * outside + sum(_shared(box, other) for other in others)


def _shared(a: _Box, b: _Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers within a range of exponents: powers of ten; if there are few, numbers between them.

    >>> _ticks(2.0, 4.5), _ticks(2.4, 4.0), _ticks(2.38, 2.46)
    ([100, 1000, 10000], [500, 1000, 2000, 5000, 10000], [240, 250, 260, 270, 280])
    """
    ticks: list[int] = []
    for steps, least in (((10,), 3), ((10, 20, 50), 2), (range(10, 100), 0)):
        sizes = {step * 10**power // 10 for power in range(math.ceil(high) + 1) for step in steps}
        ticks = sorted(size for size in sizes if size and low <= math.log10(size) <= high)
        if len(ticks) >= least:
            break
    return ticks


def _even(top: float) -> list[float]:
    """At most eight round numbers from 0 on.

    >>> _even(3.9), _even(12)
    ([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0])
    """
    step = next(size for size in (0.5, 1.0, 2.0, 5.0, 10.0, 100.0, top) if top / size < 7.5)
    return [step * number for number in range(int(top / step) + 1)]
