"""An analysis as a file for people: HTML with its charts, Markdown, a LaTeX table.

Each holds the digests of tokenizers and corpus, the versions, the settings, what cleaning changed and the command that
repeats the analysis. Not here: the page (`analysis_report_html`), JSON, CSV and Parquet (`analysis_writers`).
"""

import re
from collections.abc import Callable

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.analysis.figures import DASH, number_of
from lab_app.charts.chart import THIN_SPACE, short
from lab_app.reports import markdown
from lab_app.reports.analysis_report_html import html_report
from lab_app.reports.analysis_report_rows import Row, language_rows, reasons, rows, words
from lab_app.services.analyses.provenance import made_words
from lab_app.services.sessions.citation import latex

LATEX_DIGITS = 3
"""Significant digits of a figure in a paper."""


def markdown_report(result: CorpusResult) -> str:
    """Tables of the numbers, and how they were made."""
    names = [one.name for one in result.tokenizers]
    lines = [f"# {markdown.plain(result.corpus.title)}: {markdown.plain(', '.join(names))}", ""]
    lines += markdown.table(["metric", "unit", *names], [_cells(row) for row in rows(result)])
    languages = language_rows(result)
    if languages:
        lines += ["", "## Languages", ""]
        lines += markdown.table(
            ["language", "metric", "unit", "tokenizer", "value"],
            [[each.language, each.title, each.unit, each.tokenizer, words(each.value)] for each in languages],
        )
    lines += ["", "## Not measured", ""] if reasons(result) else []
    lines += [f"- `{name}`: {markdown.plain(reason)}" for name, reason in reasons(result).items()]
    lines += ["", "## How this was made", ""]
    lines += [f"- {label}: {markdown.plain(value)}" for label, value in made_words(result)]
    lines += ["", *markdown.code(result.command)]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    return [row.title, row.unit, *map(words, row.values)]


def latex_report(result: CorpusResult) -> str:
    """The numbers of the whole corpus as a table with caption and label; needs the package `booktabs`."""
    comments = [f"{label}: {value}" for label, value in made_words(result)] + result.command.splitlines()
    head = ["Metric", "Unit", *(one.name for one in result.tokenizers)]
    counted = f"{number_of(result.corpus.documents, 'document')}, {number_of(result.corpus.bytes, 'byte')}"
    lines = [
        *(f"% {line}" for comment in comments for line in comment.splitlines()),
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_latex(f'Tokenizers on {result.corpus.title}: {counted}.')}}}",
        rf"\label{{tab:{result.corpus.id or 'corpus'}}}",
        rf"\begin{{tabular}}{{ll{'r' * len(result.tokenizers)}}}",
        r"\toprule",
        _latex_row(head),
        r"\midrule",
        *(_latex_row(_latex_cells(row)) for row in rows(result)),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: list[str]) -> str:
    return " & ".join(map(_latex, cells)) + r" \\"


def _latex(text: str) -> str:
    return (
        re.sub(r"(?<=\d) (?=\d)", r"\,", latex(text)).replace(THIN_SPACE, r"\,").replace("–", "--").replace("−", "$-$")
    )


def _latex_cells(row: Row) -> list[str]:
    return [row.title, row.unit, *(DASH if each is None else short(each, LATEX_DIGITS) for each in row.values)]


REPORTS: dict[str, Callable[[CorpusResult], str]] = {".html": html_report, ".md": markdown_report, ".tex": latex_report}
"""By the suffix of the file."""
