"""Charts of a kept analysis: `/analyses/{id}/figures`. Not here: the analysis itself (`analyses`)."""

from typing import Annotated

from fastapi import Query

from lab_app.api.json_route import json_router
from lab_app.api.routes.lab import TheLab
from lab_app.reports import charts
from lab_app.services.analyses import analyses

router = json_router("analyses")

Letters = Annotated[
    str, Query(description="The letters of the different tokenizers, in the order in which they occur, such as ACB.")
]


@router.get("/analyses/{id}/figures", summary="List the charts of an analysis")
def list_figures(lab: TheLab, id: int) -> charts.FigureList:
    """All charts in the order of a report; those without values with the reason."""
    return charts.figures(analyses.load(lab, id))


@router.get("/analyses/{id}/compare/{other}/figures", summary="Get the chart of two kept analyses")
def compare(lab: TheLab, id: int, other: int, letters: Letters = "") -> charts.Figures:
    """How much each ratio changed from `id` to `other`; empty if none did. The letters are those of `other`."""
    return charts.change_figures(analyses.load(lab, id), analyses.load(lab, other), letters)


@router.get("/analyses/{id}/figures/{name}", summary="Get a chart of an analysis")
def figure(lab: TheLab, id: int, name: str, letters: Letters = "") -> charts.Figure:
    """The chart as plotly's JSON, with colours as names of the page's style sheet, its table and words for readers."""
    return charts.figure(analyses.load(lab, id), name, letters)
