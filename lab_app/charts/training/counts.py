"""How often what became a token occurred, against its rank, and the least count at which training ends."""

from math import log10
from typing import Any

from lab_app.charts.chart import Chart, ChartTable, NoChart
from lab_app.charts.look import figure, log_axis
from lab_app.charts.training.subject import DrawnTraining, curve, dots, end_value, form
from lab_app.number_words import thin, thin_number_of

MERGED = "How often the merged pair occurs"
CHOSEN = "How often each token occurs"
NEAR = 100
"""A least count that is at most so many times rarer than the rarest pair is drawn."""


def counts_title(training: DrawnTraining) -> str:
    """The title, which depends on the algorithm."""
    return MERGED if _is_merge(training) else CHOSEN


def counts(training: DrawnTraining) -> Chart:
    """A line, or a dot per merge where the highest score is merged first. Raises NoChart."""
    drawn = [each for each in training.counts if each.count > 0]
    if not drawn:
        raise NoChart("Nothing is counted yet." if training.is_live else "Nothing was counted.")
    is_merge, options = _is_merge(training), training.options
    by_score = options["algorithm"] == "wordpiece" and options.get("score") == "likelihood"
    what = "merged pair" if is_merge else "token"
    last, least, most = drawn[-1], min(each.count for each in drawn), max(each.count for each in drawn)
    limit = options.get("min_frequency") or 0
    has_limit = is_merge and not by_score and limit > 1 and least < NEAR * limit
    last_rank = max(training.total or 1, last.rank + 1) if training.is_live else last.rank + 1
    x = log_axis("", 1, max(last_rank, 2), tickformat="~s")
    y = log_axis("", min(limit, least) if has_limit else least, max(most, 2), tickformat="~s")
    ranks, values = [each.rank + 1 for each in drawn], [each.count for each in drawn]
    words = [f"rank {thin(each.rank + 1)}<br>{thin_number_of(each.count, 'occurrence')}" for each in drawn]
    notes = [] if by_score else [end_value(log10(last.rank + 1), log10(last.count), thin(last.count))]
    return Chart(
        name="counts",
        title=counts_title(training),
        subtitle=f"count of the {what} against {'rank of the merge' if is_merge else 'its rank'}"
        f"{'; the highest score is merged first' if by_score else ''}",
        summary=f"The first {what} occurs {thin_number_of(drawn[0].count, 'time')},"
        f" number {thin(last.rank + 1)} {thin_number_of(last.count, 'time')}.",
        keys=[],
        figure=figure(
            (dots if by_score else curve)("count", ranks, values, words),
            form(
                x,
                y,
                annotations=[*notes, *([_limit_words(limit)] if has_limit else [])],
                shapes=[_limit_line(limit)] if has_limit else [],
            ),
        ),
        table=ChartTable(["rank", "count"], [[each.rank + 1, each.count] for each in drawn]),
    )


def _is_merge(training: DrawnTraining) -> bool:
    return training.options["algorithm"] in ("bpe", "wordpiece")


def _limit_words(limit: int) -> dict[str, Any]:
    return {
        "text": f"Minimum count {thin(limit)}: training ends here",
        "x": 0,
        "xref": "paper",
        "y": log10(limit),
        "xanchor": "left",
        "yanchor": "bottom",
        "xshift": 4,
        "showarrow": False,
        "font": {"color": "var(--bad)"},
    }


def _limit_line(limit: int) -> dict[str, Any]:
    dashed = {"color": "var(--bad)", "width": 1.3, "dash": "5px,4px"}
    return {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": limit, "y1": limit, "line": dashed}
