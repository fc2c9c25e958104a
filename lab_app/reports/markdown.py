"""A report as Markdown. Text of others stays text: it becomes no markup and no HTML."""

import re
from collections.abc import Collection, Iterator, Sequence

from lab_app.reports.report import Cell, Charts, Facts, Key, Notes, Part, Report, Table, number_words, visible

SPACE = "·"
MARKS = frozenset("\\`*_{}[]<>#|&~$!")
LIST_MARK = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[-+]))(.)")
"""What would make a line an entry of a list or a rule."""


def markdown(report: Report) -> Iterator[str]:
    """The file in parts."""
    blocks = [f"# {plain(report.title)}", *([plain(report.about)] if report.about else [])]
    for part in report.parts:
        blocks += _blocks(part)
    blocks += ["## How this was made", _facts(report.made), "## Repeat", code(report.command)]
    yield "\n\n".join(blocks) + "\n"


def plain(text: str) -> str:
    r"""The one escape: `text` in one line, without markup.

    >>> print(plain("<b>a|b</b>\n*c*"))
    \<b\>a\|b\</b\> \*c\*
    """
    escaped = "".join(f"\\{each}" if each in MARKS else each for each in visible(text).strip())
    return LIST_MARK.sub(r"\1\\\2", escaped)


def table(head: Sequence[str | Key], rows: Sequence[Sequence[Cell]], spaced: Collection[int] = ()) -> str:
    r"""A table.

    >>> print(table(["a", "b"], [["1", "2|3"]]))
    | a | b |
    | --- | --- |
    | 1 | 2\|3 |
    """
    return "\n".join([_row(map(str, head)), f"|{' --- |' * len(head)}", *(_row(_words(row, spaced)) for row in rows)])


def _words(row: Sequence[Cell], spaced: Collection[int]) -> Iterator[str]:
    """Of a text whose white space matters, the spaces at its ends are shown: Markdown drops them."""
    for at, cell in enumerate(row):
        words = number_words(cell)
        inner = words.strip(" ")
        yield words.replace(" ", SPACE) if at in spaced and words != inner else words


def code(text: str) -> str:
    """A block of code, which holds `text` as it is, but for characters that are not seen.

    >>> code("a\\nb")
    '    a\\n    b'
    """
    return "\n".join(f"    {visible(line)}" for line in text.splitlines())


def _blocks(part: Part) -> list[str]:
    """What is for pages alone has none."""
    title = [] if isinstance(part, Charts) or not part.title else [f"## {plain(part.title)}"]
    if isinstance(part, Table) and part.rows:
        return [*title, table(part.head, part.rows, part.spaced), *([plain(part.about)] if part.about else [])]
    if isinstance(part, Facts) and part.items:
        return [*title, _facts(part.items)]
    if isinstance(part, Notes) and part.items:
        return [*title, "\n".join(f"- {plain(note)}" for note in part.items)]
    return []


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"- {plain(name)}: {plain(value)}" for name, value in facts)


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(map(plain, cells))} |"
