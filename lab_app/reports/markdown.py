"""The one way the lab writes Markdown, for every report. Text of others stays text: it becomes no markup and no HTML."""

from collections.abc import Sequence

MARKS = frozenset("\\`*_{}[]<>#|&~")


def plain(text: str) -> str:
    r"""`text` in one line, without markup.

    >>> print(plain("<b>a|b</b>\n*c*"))
    \<b\>a\|b\</b\> \*c\*
    """
    return " ".join("".join(f"\\{each}" if each in MARKS else each for each in text).splitlines())


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table.

    >>> table(["a", "b"], [["1", "2|3"]])
    ['| a | b |', '| --- | --- |', '| 1 | 2\\\\|3 |']
    """
    return [_row(head), f"|{' --- |' * len(head)}", *map(_row, rows)]


def code(text: str) -> list[str]:
    """The lines of a block of code, which hold `text` as it is.

    >>> code("a\\nb")
    ['    a', '    b']
    """
    return [f"    {line}" for line in text.splitlines()]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(plain, cells))} |"
