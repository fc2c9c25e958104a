"""The numbers of an analysis as rows for people: one per metric, with its unit and a value per tokenizer or language.

Titles and units are those of the registry of metrics.
"""

import re
from dataclasses import dataclass

from lab_app.analysis.corpus.registry import BY_NAME, METRICS, Metric
from lab_app.analysis.corpus.result import CorpusResult
from lab_app.analysis.figures import DASH
from lab_app.charts.chart import short
from lab_app.services.analyses.changes import metric_of, metric_values

Number = float | int | None


@dataclass(frozen=True)
class Row:
    """One number of each tokenizer."""

    metric: Metric
    title: str
    unit: str
    values: list[Number]
    """In the order of the tokenizers; None where nothing was measured."""


@dataclass(frozen=True)
class LanguageRow:
    """One number of one language and tokenizer."""

    tokenizer: str
    language: str
    title: str
    unit: str
    value: Number


def rows(result: CorpusResult) -> list[Row]:
    """Every number that a tokenizer has, in the order of the registry."""
    values = [metric_values(one) for one in result.tokenizers]
    names = dict.fromkeys(name for each in values for name, value in each.items() if value is not None)
    order = [metric.name for metric in METRICS]
    return [
        Row(metric_of(name), _title(name), _unit(name), [each.get(name) for each in values])
        for name in sorted(names, key=lambda name: order.index(metric_of(name).name))
    ]


def language_rows(result: CorpusResult) -> list[LanguageRow]:
    """Every number of each language that was measured."""
    return [
        LanguageRow(one.name, language.language, _title(name), _unit(name), value)
        for one in result.tokenizers
        for language in one.languages
        for name, value in metric_values(language).items()
        if value is not None
    ]


def words(value: Number) -> str:
    """A number for people, with four significant digits; a dash where nothing was measured.

    >>> words(3.14159), words(None)
    ('3.142', '–')
    """
    return DASH if value is None else short(value)


def reasons(result: CorpusResult) -> dict[str, str]:
    """Why metrics were not measured, by title."""
    found = dict(result.not_measured)
    for one in result.tokenizers:
        for name, reason in one.not_measured.items():
            found.setdefault(name, f"{one.name}: {reason}")
    return {BY_NAME[name].title if name in BY_NAME else name: reason for name, reason in found.items()}


def _unit(name: str) -> str:
    """The unit of a metric; empty for a number without one."""
    unit = metric_of(name).unit
    return "" if unit == "none" else unit


def _title(name: str) -> str:
    metric = metric_of(name)
    part = re.sub("[._]", " ", name.removeprefix(metric.name).lstrip("."))
    return f"{metric.title}: {part}" if part else metric.title
