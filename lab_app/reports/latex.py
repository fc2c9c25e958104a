"""A report as LaTeX: its tables with caption and label, and how it was made as comments. Needs the packages `booktabs`
and, for what is longer than a page, `longtable`."""

import re
from collections.abc import Iterable, Iterator

from lab_app.number_words import DASH, THIN_SPACE
from lab_app.reports.report import Cell, Facts, Notes, Report, Table, number_words, visible

DIGITS = 3
"""Significant digits of a number in a paper."""
MOST_ON_A_PAGE = 40
"""Rows of a table that floats; a longer one goes on over pages."""
ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"\textasciigrave{}",
        **{each: f"\\{each}" for each in "#$%&_{}"},
    }
)


def latex(report: Report) -> Iterator[str]:
    """The file in parts."""
    yield "\n".join(
        [*_comments(report), *(line for n, each in enumerate(_tables(report)) for line in _lines(report, n, each))]
    )
    yield "\n"


def plain(text: str) -> str:
    r"""The one escape: `text` in one line, with LaTeX's own characters and its ligatures of hyphens escaped.

    >>> print(plain("cl100k_base, 50 % --x"))
    cl100k\_base, 50 \% -{}-x
    """
    return visible(text).translate(ESCAPES).replace("--", "-{}-").replace("--", "-{}-")


def _tables(report: Report) -> list[Table]:
    return [each for each in report.tables() if each.for_papers]


def _comments(report: Report) -> list[str]:
    """What is no table: comments end at the end of a line, so that no line of others leaves them."""
    lines = [report.title, report.about]
    for part in report.parts:
        if isinstance(part, Facts):
            lines += [f"{name}: {value}" for name, value in part.items]
        elif isinstance(part, Notes):
            lines += part.items
    lines += [f"{name}: {value}" for name, value in report.made]
    return [f"% {visible(line)}" for text in [*lines, report.command] for line in text.splitlines()]


def _lines(report: Report, number: int, table: Table) -> list[str]:
    label = re.sub("[^A-Za-z0-9-]+", "-", report.name) + (f"-{number + 1}" if number else "")
    caption = table.caption or ": ".join(each for each in (report.title, table.title) if each)
    columns = "".join("r" if at in table.right else "l" for at in range(len(table.head)))
    caption = rf"\caption{{{_numbers(caption)}}}"
    label = rf"\label{{tab:{label}}}"
    head = [r"\toprule", _row(map(str, table.head)), r"\midrule"]
    rows = [*(_row(row) for row in table.rows), r"\bottomrule"]
    if len(table.rows) > MOST_ON_A_PAGE:
        parts = [caption, label + r" \\", *head, r"\endhead", *rows]
        return [rf"\begin{{longtable}}{{{columns}}}", *parts, r"\end{longtable}"]
    tabular = [rf"\begin{{tabular}}{{{columns}}}", *head, *rows, r"\end{tabular}"]
    return [r"\begin{table}", r"\centering", caption, label, *tabular, r"\end{table}"]


def _row(cells: Iterable[Cell]) -> str:
    r"""One line. A bracket or a star at its start would be read as the argument of the `\\` before it."""
    line = " & ".join(_words(each) if isinstance(each, str) else _number(each) for each in cells) + r" \\"
    return "{}" + line if line.startswith(("[", "*")) else line


def _number(number: float | None) -> str:
    return _numbers(number_words(number, DIGITS))


def _numbers(text: str) -> str:
    """As `_words`, with thin spaces between the digits of numbers: only where no name of somebody else's has digits."""
    return _words(re.sub(r"(?<=\d) (?=\d{3}\b)", THIN_SPACE, text))


def _words(text: str) -> str:
    """The escaped text, with LaTeX's signs for thin spaces, dashes and minus."""
    return plain(text).replace(THIN_SPACE, r"\,").replace(DASH, "--").replace("−", "$-$")
