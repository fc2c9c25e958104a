"""What the charts of a training draw, and the look that they share: one line in the accent, with its value at its end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from lab_app.analysis.figures import MUCH_UNKNOWN
from lab_app.charts.look import LINE_PX, layout
from lab_app.number_words import THIN_SPACE, percent
from lab_app.training.progress import HeldOutState
from lab_app.training.steps import CountPoint, CurvePoint, LossPoint

ACCENT = "var(--accent)"
MARGIN = {"l": 48, "r": 14, "t": 24, "b": 34}
NO_AUTOMARGIN = {"automargin": False}
"""The room for labels is known before plotly draws."""
END_PX = 9
DIGIT_PX = 7.6
"""Width of a bold digit."""


@dataclass(frozen=True)
class Reference:
    """Another tokenizer on the held-out text."""

    number: int
    """Of its letter, from 0: gives hue and marker."""
    letter: str
    name: str
    vocab_size: int
    bytes_per_token: float
    unknown_rate: float | None
    note: str = ""
    """What it does to the text, if it does not keep it."""

    @property
    def is_hollow(self) -> bool:
        """Whether so much is unknown to it that compression looks better than it is."""
        return much_unknown(self.unknown_rate)


@dataclass(frozen=True)
class DrawnTraining:
    """A training at one moment, as its charts show it."""

    options: dict[str, Any]
    is_live: bool
    is_done: bool
    """It ended by itself."""
    wants_held_out: bool
    """Whether a text was to be held out."""
    held_out: HeldOutState | None
    total: int | None
    """Steps that are to be made."""
    points: Sequence[CurvePoint]
    counts: Sequence[CountPoint]
    losses: Sequence[LossPoint]
    references: Sequence[Reference] = field(default_factory=list)

    @property
    def unknown_rate(self) -> float | None:
        """The share of unknown tokens in the held-out text."""
        return self.held_out.unknown_rate if self.held_out else None


def much_unknown(rate: float | None) -> bool:
    """Whether more than 5 % of the tokens are unknown."""
    return (rate or 0.0) > MUCH_UNKNOWN


def unknown_note(rate: float | None) -> str:
    """What unknown tokens do to a compression; empty without any.

    >>> unknown_note(0.004), unknown_note(0)
    ('<1 % of its tokens are unknown', '')
    >>> unknown_note(0.12)
    '12 % of its tokens are unknown: compression looks better than it is'
    """
    if not rate:
        return ""
    note = f"{percent(rate)} of its tokens are unknown"
    return f"{note}: compression looks better than it is" if much_unknown(rate) else note


def thin_percent(words: str) -> str:
    """The words with a space before % at which no line breaks."""
    return words.replace(" %", f"{THIN_SPACE}%")


def curve(
    name: str, x: Sequence[float], y: Sequence[float], words: Sequence[str], *, hollow: bool = False
) -> list[dict[str, Any]]:
    """The line of a training, and its last point as a mark."""
    line = {"color": ACCENT, "width": LINE_PX}
    outline = {"color": ACCENT, "width": 1.5} if hollow else {"color": "var(--panel)", "width": 2}
    mark = {"color": ACCENT, "symbol": "circle-open" if hollow else "circle", "size": END_PX, "line": outline}
    return [
        {**_points(name, x, y, words), "mode": "lines", "line": line},
        {**_points(name, x[-1:], y[-1:], words[-1:]), "mode": "markers", "marker": mark},
    ]


def dots(name: str, x: Sequence[float], y: Sequence[float], words: Sequence[str]) -> list[dict[str, Any]]:
    """A dot for each step, for values that go up and down."""
    return [
        {**_points(name, x, y, words), "mode": "markers", "marker": {"color": ACCENT, "size": 3.5, "opacity": 0.7}},
    ]


def _points(name: str, x: Sequence[float], y: Sequence[float], words: Sequence[str]) -> dict[str, Any]:
    found = {"type": "scatter", "name": name, "x": list(x), "y": list(y)}
    return {**found, "hoverinfo": "text", "hovertext": list(words)}


def end_value(x: float, y: float, words: str) -> dict[str, Any]:
    """The value right of the end of a line; `x` and `y` as plotly has them for an annotation."""
    return {
        "x": x,
        "y": y,
        "text": f"<b>{words}</b>",
        "xanchor": "left",
        "yanchor": "middle",
        "xshift": END_PX,
        "showarrow": False,
        "font": {"color": ACCENT},
    }


def form(x: dict[str, Any], y: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The layout of a chart of a training, with room right of it for a value at the end of its line."""
    words = [each["text"] for each in more["annotations"] if each.get("xshift") == END_PX]
    right = max((END_PX + DIGIT_PX * (len(each) - len("<b></b>")) for each in words), default=0)
    margin = {**MARGIN, "r": max(MARGIN["r"], ceil(right))}
    return layout({**x, **NO_AUTOMARGIN}, {**y, **NO_AUTOMARGIN}, margin=margin, **more)
