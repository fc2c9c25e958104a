"""How every chart looks: hairline grid, thin lines in the hue of a series, markers and dashes that differ without colour.

Colours are names of the page's style sheet (`lab_ui/css/variables.css`). Plotly accepts them as they are.
"""

from collections.abc import Sequence
from math import log10
from typing import TYPE_CHECKING, Any, Protocol

from lab_app.number_words import THIN_SPACE

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

LINE_PX = 1.8
MARKER_PX = 7
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "hexagon", "triangle-down", "hexagram", "cross")
"""Of tokenizers A, B and so on: the page has the same ones, for badges (`lab_ui/js/ui/tokens/shapes.js`)."""
DASHES = ("solid", "9px,3px", "3px,2px", "9px,3px,2px,3px", "14px,4px", "6px,2px,2px,2px,2px,2px", "5px,5px", "1px,3px")
PATTERNS = ("", "/", "\\", "x", "-", "|", "+", ".")
HUES = 8
FEW = 5
"""A count up to which an axis has a tick per 1."""
NARROW = 50
"""Ratio of the ends of a logarithmic axis up to which it has ticks between powers of ten."""
WARNING = "var(--unknown)"
PANEL = "var(--panel)"
FAINT = "var(--ink-2)"
GRID = "var(--line)"

PRINT = {
    "ink": "#1d1c1a",
    "ink-2": "#5d5a54",
    "line": "#e2ded6",
    "line-2": "#cfcabf",
    "panel": "#ffffff",
    "sunken": "#f3f1ec",
    "accent": "#2451c4",
    "bad": "#b3261e",
    "len1": "#c9dcfd",
    "len4": "#5c8ae1",
    "rank2": "#aedb92",
    "id1": "#e6a96d",
    "grey1": "#cfcac0",
    "unknown": "#8a5a00",
    "a": "#0b7285",
    "b": "#b0450f",
    "c": "#5f3dc4",
    "d": "#2b7a2f",
    "e": "#b1257a",
    "f": "#6f6200",
    "g": "#1c62b9",
    "h": "#a11d33",
    "sans": "Inter, system-ui, sans-serif",
    "mono": "ui-monospace, monospace",
}
"""The colours of the page's light theme, on white."""


class Drawn(Protocol):
    """What has a look of its own in a chart: a tokenizer, an engine, an algorithm."""

    @property
    def number(self) -> int:
        """Gives hue, marker and dash; from 0."""

    @property
    def is_hollow(self) -> bool:
        """Whether its figures look better than they are."""


def hue(series: Drawn) -> str:
    """The colour of a series; the ninth has the first's, with another symbol and dash."""
    return f"var(--{'abcdefgh'[series.number % HUES]})"


def symbol(series: Drawn, *, hollow: bool | None = None) -> str:
    """The marker of a series, hollow if its figures look better than they are."""
    name = SYMBOLS[(series.number + series.number // HUES) % HUES]
    return f"{name}-open" if (series.is_hollow if hollow is None else hollow) else name


def marker(series: Drawn, size: int | list[int] = MARKER_PX, **more: Any) -> dict[str, Any]:
    """The marker of a series, with an outline in the same hue."""
    outline = {"color": hue(series), "width": 1.5}
    return {"color": hue(series), "symbol": symbol(series), "size": size, "line": outline, "opacity": 1, **more}


def pattern(series: Drawn) -> str:
    """The pattern of the bars of a series."""
    return PATTERNS[series.number % len(PATTERNS)]


def hatch(series: Drawn) -> dict[str, Any]:
    """How the pattern of the bars of a series is drawn, without its shape."""
    return {"fillmode": "overlay", "bgcolor": hue(series), "fgcolor": PANEL, "solidity": 0.2, "size": 6}


def line(series: Drawn, variant: int = 0, **more: Any) -> dict[str, Any]:
    """The line of a series; series of one hue differ by `variant`, from 0."""
    dash = DASHES[(series.number + series.number // HUES + variant) % HUES]
    return {"color": hue(series), "width": LINE_PX, "dash": dash, **more}


def sparse(total: int, shown: int = 8) -> list[int]:
    """Marker sizes that show about `shown` of `total` points, the first and the last among them.

    >>> sparse(5, 3)
    [7, 0, 7, 0, 7]
    """
    if total <= shown:
        return [MARKER_PX] * total
    at = {round(n * (total - 1) / (shown - 1)) for n in range(shown)}
    return [MARKER_PX if n in at else 0 for n in range(total)]


def axis(title: str = "", **more: Any) -> dict[str, Any]:
    """An axis with a hairline grid."""
    words = {"title": {"text": title, "standoff": 6, "font": {"color": FAINT}}} if title else {}
    return {
        "gridcolor": GRID,
        "linecolor": "var(--line-2)",
        "zeroline": False,
        "tickfont": {"color": FAINT},
        "automargin": True,
        "separatethousands": True,
        **words,
        **more,
    }


def count_axis(title: str, most: float, **more: Any) -> dict[str, Any]:
    """An axis of whole numbers from 0, whose largest value is `most`: no tick is a fraction.

    >>> count_axis("tokens", 3)["dtick"], "dtick" in count_axis("tokens", 300)
    (1, False)
    """
    return axis(title, tickformat=",d", rangemode="tozero", **({"dtick": 1} if most <= FEW else {}), **more)


def log_axis(title: str, least: float, most: float, **more: Any) -> dict[str, Any]:
    """A logarithmic axis of positive values, with some room on both sides of `least` and `most`.

    Has a tick per power of ten, or at 1, 2, 5, 10, 20 if the values are small.

    >>> log_axis("rank", 1, 1000)["range"]
    [-0.15, 3.15]
    """
    room = max(0.05 * log10(most / least), 0.1)
    ends = [round(log10(least) - room, 4), round(log10(most) + room, 4)]
    dtick = "D2" if most / least < NARROW else 1
    return axis(title, **{"type": "log", "dtick": dtick, "tickformat": ",d", "range": ends} | more)


def read_points(name: str, group: str, x: Any, y: Any, words: Sequence[str], **more: Any) -> dict[str, Any]:
    """The trace of a series, with what is read at each of its points. `group`: the traces that a legend shows as one."""
    found = {"type": "scatter", "name": name, "legendgroup": group, "x": x, "y": y}
    return {**found, "hoverinfo": "text", "hovertext": words, **more}


def rule(x: Any, y: Any, look: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line without points to read, such as a limit."""
    found = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": look}
    return {**found, "showlegend": False, "hoverinfo": "skip", **more}


def spans(values: Sequence[Sequence[float]]) -> dict[str, Any]:
    """One broken line: from the lowest to the highest value of each row, counted from 0."""
    rows: list[float | None] = []
    ends: list[float | None] = []
    for n, each in enumerate(values):
        if each:
            rows += [n, n, None]
            ends += [min(each), max(each), None]
    return rule(ends, rows, {"color": "var(--line-2)", "width": 2})


def layout(x: dict[str, Any], y: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The layout of a chart with these axes."""
    return {
        "xaxis": x,
        "yaxis": y,
        "font": {"family": "var(--sans)", "color": "var(--ink)"},
        "margin": {"l": 48, "r": 12, "t": 8, "b": 40},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "separators": f".{THIN_SPACE}",
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": PANEL,
            "bordercolor": "var(--line-2)",
            "font": {"family": "var(--sans)", "color": "var(--ink)"},
            "align": "left",
        },
        "showlegend": False,
        "dragmode": "zoom",
        **more,
    }


def figure(traces: list[dict[str, Any]], form: dict[str, Any]) -> dict[str, Any]:
    """The figure as plotly's JSON. Plotly checks every name and value: a wrong one is a ValueError."""
    from plotly import graph_objects

    no_defaults = graph_objects.layout.Template()
    made = graph_objects.Figure(traces, graph_objects.Layout(template=no_defaults, **form))
    found: dict[str, Any] = made.to_plotly_json()
    del found["layout"]["template"]
    return found


def printed(value: Any) -> Any:
    """A figure with the colours of paper: for reports and notebooks, which have no style sheet of the lab.

    >>> printed({"color": "var(--a)", "width": 1.8})
    {'color': '#0b7285', 'width': 1.8}
    """
    if isinstance(value, dict):
        return {name: printed(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [printed(each) for each in value]
    if isinstance(value, str) and value.startswith("var(--"):
        return PRINT[value[6:-1]]
    return value


def on_its_own(value: dict[str, Any], title: str, subtitle: str) -> "Figure":
    """A figure of plotly with what the page writes around it: its title, and the names of its series as a legend."""
    from plotly.graph_objects import Figure

    titles = {"text": title, "subtitle": {"text": subtitle}}
    return Figure(printed(value)).update_layout(title=titles, showlegend=True, margin={"t": 90})
