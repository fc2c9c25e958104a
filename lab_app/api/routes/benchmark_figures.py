"""Charts of benchmarks: `/benchmarks/{id}/figures`. Not here: the runs (`benchmarks`)."""

from lab_app.api.json_route import json_router
from lab_app.api.routes.figures import Letters
from lab_app.api.routes.lab import TheLab
from lab_app.benchmarks.growth_result import CostReport, Profile
from lab_app.reports import benchmark_charts, charts

router = json_router("benchmarks")


@router.get("/benchmarks/{id}/figures", summary="List the charts of a run")
def list_figures(lab: TheLab, id: int) -> charts.FigureList:
    """All charts in the order of a report; those without values with the reason."""
    return benchmark_charts.figures(lab, id)


@router.get("/benchmarks/{id}/figures/{name}", summary="Get a chart of a run")
def figure(lab: TheLab, id: int, name: str, letters: Letters = "") -> charts.Figure:
    """The chart as plotly's JSON, with colours as names of the page's style sheet, its table and words for readers."""
    return benchmark_charts.figure(lab, id, name, letters)


@router.post("/benchmarks/cost/figures", summary="Draw measurements of cost")
def cost_figures(body: CostReport, letters: Letters = "") -> charts.Figures:
    """The charts of growth, stages, hard inputs and the race, as far as the report has them."""
    return benchmark_charts.cost_figures(body, letters)


@router.post("/benchmarks/profile/figures", summary="Draw the profile of a document")
def profile_figures(body: Profile) -> charts.Figures:
    """The time along one document, and its stages."""
    return benchmark_charts.profile_figures(body)
