"""Where the time goes: a stacked bar per engine or path, with the time of one MB of input at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.benchmarks.growth_result import StageReport, StageTimes
from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.charts.benchmarks.subjects import settings_words, subjects_of
from lab_app.charts.chart import Cell, Chart, ChartKey, ChartTable, NoChart, plain
from lab_app.charts.look import FAINT, axis, figure, layout
from lab_app.number_words import THIN_SPACE, time_words

BAR_PX = 40
AROUND_PX = 62
MB = 1e6
NARROW = 0.07
"""Share below which a part has no room for its number."""
STAGES = {
    "normalizer": ("Normalizer", "var(--rank2)"),
    "pretokenizer": ("Pretokenizer", "var(--len4)"),
    "model": ("Model", "var(--len1)"),
    "postprocessor": ("Postprocessor", "var(--id1)"),
    "output": ("Output", "var(--grey1)"),
}
PATHS = {"fast": "fast path", "stages": "stage by stage"}


@dataclass(frozen=True)
class Bar:
    """A bar. `parts` has the time of each stage in ns; it is empty if the engine does not report them."""

    name: str
    parts: Mapping[str, int]
    ns_per_mb: float | None
    mark: str = ""
    """The letter or number of its row; empty outside of runs."""


def stages(result: BenchmarkResult, letters: str = "") -> Chart:
    """A bar per engine of a run. Raises NoChart if no engine reports its stages, and before they are timed."""
    if result.state == "running":
        raise NoChart("stages are timed after the rounds")
    bars = [
        Bar(each.name, _parts(each.row.stages), _ns_per_mb(each.row), each.mark)
        for each in subjects_of(result, letters)
        if each.row.tokens
    ]
    return stage_chart(bars, f"share of the time per stage; right: time of 1 MB of input; {settings_words(result)}")


def stage_report(report: StageReport) -> Chart:
    """A bar per tokenizer and path. Raises NoChart if nothing was measured."""
    many = len({row.tokenizer for row in report.rows}) > 1
    bars = [_bar(row, many) for row in report.rows if row.total_ns]
    return stage_chart(bars, "share of the time per stage; right: time of 1 MB of input")


def _bar(row: StageTimes, many: bool) -> Bar:
    name = f"{row.tokenizer}, {PATHS[row.path]}" if many else PATHS[row.path]
    per_mb = row.total_ns / row.bytes * MB if row.total_ns and row.bytes else None
    return Bar(name, _parts(row), per_mb)


def stage_chart(bars: Sequence[Bar], subtitle: str) -> Chart:
    """Stacked bars of shares. Raises NoChart if none has parts."""
    if not any(bar.parts for bar in bars):
        raise NoChart("no engine reports the time of its stages")
    used = [stage for stage in STAGES if any(bar.parts.get(stage) for bar in bars)]
    traces = [_stage(stage, bars) for stage in used]
    unknown = [n for n, bar in enumerate(bars) if not bar.parts]
    if unknown:
        traces.append(_hatched(bars, unknown))
    y = axis(
        tickvals=list(range(len(bars))),
        ticktext=[plain(bar.name) for bar in bars],
        range=[len(bars) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
        tickfont={"color": "var(--ink)"},
    )
    x = axis(range=[0, 100], ticksuffix=f"{THIN_SPACE}%", dtick=25, showgrid=False, fixedrange=True)
    form = layout(
        x,
        y,
        barmode="stack",
        bargap=0.45,
        dragmode=False,
        height=len(bars) * BAR_PX + AROUND_PX,
        margin={"l": 48, "r": 76, "t": 30, "b": 32},
        showlegend=True,
        legend={
            "orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal",
            "itemclick": False, "itemdoubleclick": False, "bgcolor": "rgba(0,0,0,0)", "font": {"color": FAINT},
        },
        annotations=[_end(n, bar) for n, bar in enumerate(bars)],
    )  # fmt: skip
    return Chart(
        name="stages",
        title="Where the time goes",
        subtitle=subtitle,
        summary=" ".join(map(_sentence, bars)),
        keys=[ChartKey(bar.mark or str(n + 1), bar.name) for n, bar in enumerate(bars)],
        figure=figure(traces, form),
        table=ChartTable(
            ["engine", *(f"{STAGES[stage][0].lower()} ns" for stage in STAGES), "ns per MB"],
            [[bar.name, *(_cell(bar, stage) for stage in STAGES), bar.ns_per_mb] for bar in bars],
        ),
    )


def _parts(times: StageTimes | None) -> dict[str, int]:
    if times is None:
        return {}
    return {stage: value for stage in STAGES if (value := getattr(times, f"{stage}_ns")) is not None}


def _ns_per_mb(row: BenchmarkRow) -> float | None:
    found = row.throughput_mb_per_s
    return 1e9 / found.median if found and found.median else None


def _share(bar: Bar, stage: str) -> float | None:
    value, total = bar.parts.get(stage), sum(bar.parts.values())
    return None if value is None or not total else value / total


def _stage(stage: str, bars: Sequence[Bar]) -> dict[str, Any]:
    title, colour = STAGES[stage]
    shares = [_share(bar, stage) for bar in bars]
    return {
        "type": "bar",
        "orientation": "h",
        "name": title,
        "x": [None if share is None else 100 * share for share in shares],
        "y": list(range(len(bars))),
        "marker": {"color": colour, "line": {"color": "var(--panel)", "width": 1}},
        "text": [f" {100 * share:.0f}{THIN_SPACE}%" if share and share >= NARROW else "" for share in shares],
        "textposition": "inside",
        "insidetextanchor": "start",
        "constraintext": "none",
        "textangle": 0,
        "textfont": {"color": "var(--ink)"},
        "hoverinfo": "text",
        "hovertext": [
            f"{plain(bar.name)}<br>{title.lower()}: "
            + ("not measured" if share is None else f"{100 * share:.1f}{THIN_SPACE}%, {time_words(bar.parts[stage])}")
            for bar, share in zip(bars, shares, strict=True)
        ],
    }


def _hatched(bars: Sequence[Bar], unknown: list[int]) -> dict[str, Any]:
    """Whole bars for engines that do not report their stages."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": "Not reported",
        "x": [100] * len(unknown),
        "y": unknown,
        "marker": {
            "color": "var(--sunken)",
            "line": {"color": "var(--line)", "width": 1},
            "pattern": {
                "shape": "/", "fillmode": "overlay", "fgcolor": "var(--line-2)", "bgcolor": "var(--sunken)",
                "size": 6, "solidity": 0.15,
            },
        },
        "hoverinfo": "text",
        "hovertext": [f"{plain(bars[n].name)}<br>the engine does not report its stages" for n in unknown],
    }  # fmt: skip


def _end(n: int, bar: Bar) -> dict[str, Any]:
    return {
        "text": "–" if bar.ns_per_mb is None else time_words(bar.ns_per_mb),
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "xshift": 10,
        "y": n,
        "showarrow": False,
    }


def _sentence(bar: Bar) -> str:
    if not bar.parts:
        return f"{bar.name} does not report its stages."
    words = ", ".join(f"{STAGES[stage][0].lower()} {100 * (_share(bar, stage) or 0):.0f} %" for stage in bar.parts)
    return f"{bar.name}: {words}."


def _cell(bar: Bar, stage: str) -> Cell:
    return bar.parts.get(stage)
