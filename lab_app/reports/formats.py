"""The formats of files: every report has those of `RENDERERS`, and each kind has further ones for its data."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from lab_app.errors import BadValue
from lab_app.reports.html import html
from lab_app.reports.latex import latex
from lab_app.reports.markdown import markdown
from lab_app.reports.report import Report

RENDERERS: dict[str, Callable[[Report], Iterator[str]]] = {"html": html, "md": markdown, "tex": latex}
MEDIA_TYPES = {
    "json": "application/json",
    "suite": "application/json",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "npz": "application/x-npz",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "zip": "application/zip",
}


T = TypeVar("T")


def report_writers(report: Callable[[T], Report]) -> dict[str, Callable[[T], str]]:
    """What writes something in each format of RENDERERS, by the format. `report` makes the report of it."""

    def writer(render: Callable[[Report], Iterator[str]]) -> Callable[[T], str]:
        return lambda value: "".join(render(report(value)))

    return {format: writer(render) for format, render in RENDERERS.items()}


def check_format(format: str, formats: Iterable[str], what: str) -> None:
    """Raises BadValue for a format that `what` cannot be written in."""
    if format not in formats:
        raise BadValue(f'{what} cannot be written as "{format}"', f"choose among {', '.join(formats)}")
