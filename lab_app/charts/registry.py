"""The charts by name."""

from functools import partial

from lab_app.charts.agreement import agreement
from lab_app.charts.chart import Maker
from lab_app.charts.coverage import coverage
from lab_app.charts.frequency import frequency
from lab_app.charts.languages import MEASURES, languages
from lab_app.charts.lengths import lengths
from lab_app.charts.panels import multiples
from lab_app.charts.premium import premium
from lab_app.charts.rarefaction import rarefaction
from lab_app.charts.zipf import zipf

CHARTS: dict[str, Maker] = {
    "premium": premium,
    "zipf": zipf,
    "coverage": coverage,
    "lengths": lengths,
    "frequency": frequency,
    **{name: partial(languages, name=name) for name in MEASURES},
    "rarefaction": rarefaction,
    "agreement": agreement,
    "zipf_panels": partial(multiples, make=zipf),
    "coverage_panels": partial(multiples, make=coverage),
    "lengths_panels": partial(multiples, make=lengths),
}
"""In the order in which a report shows them. Each raises NoChart, with the reason, if the result lacks its values."""
