"""The one way the lab writes CSV (RFC 4180), for every export.

Text is always between quotes, with quotes doubled and line ends as they are. Numbers, `true` and `false` have no quotes; a
value that is not known is empty. So an empty text (`""`) differs from none. Lines end with CR LF.
`csv.writer` cannot do this before Python 3.12 (`QUOTE_STRINGS`).
"""

from collections.abc import Iterable

Cell = str | int | float | bool | None


def csv_line(cells: Iterable[Cell]) -> str:
    r"""One line.

    >>> csv_line([' a "b" c', 1, True, None, ""])
    '" a ""b"" c",1,true,,""\r\n'
    """
    return ",".join(map(_cell, cells)) + "\r\n"


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else repr(value)
