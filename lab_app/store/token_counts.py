"""The counts of every type of an analysis as one Parquet file, read a page at a time.

One row per type and tokenizer: first those that occur, by rank, then those that do not, by id. A tokenizer's rows are
together. Not here: the other results of an analysis (`analyses`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab_app.errors import LoadFailed
from lab_app.files import replaced

if TYPE_CHECKING:
    import pyarrow

GROUP_ROWS = 20_000
"""Rows of a row group: what a page reads at least."""


@dataclass(frozen=True)
class TokenCounts:
    """The rows of one tokenizer: arrays and lists of the same length."""

    tokenizer: str
    ids: NDArray[np.int64]
    counts: NDArray[np.uint64]
    """Falling; 0 for types that do not occur."""
    tokens: Sequence[str]
    """As the vocabulary spells them."""
    texts: Sequence[str | None]
    """None if the bytes are not whole characters."""
    bytes: Sequence[bytes]
    unknown_id: int | None


@dataclass(frozen=True)
class CountRow:
    """One type. `rank` and `cumulative` (occurrences of it and all more frequent types) are None if it does not occur."""

    rank: int | None
    id: int
    token: str
    text: str | None
    bytes: bytes
    count: int
    cumulative: int | None
    unknown: bool


@dataclass(frozen=True)
class CountPage:
    """Some rows, and how many there are in all."""

    total: int
    rows: list[CountRow]


def write(path: Path, tokenizers: Iterator[TokenCounts], made: str = "") -> None:
    """Writes the file, all of it or nothing, with `made` as metadata under `tokenlab`. Raises OSError."""
    from pyarrow import parquet

    with replaced(path) as target, parquet.ParquetWriter(target, _schema(), compression="zstd") as writer:
        for each in tokenizers:
            writer.write_table(_table(each), row_group_size=GROUP_ROWS)
        writer.add_key_value_metadata({"tokenlab": made})


def unreadable(error: BaseException) -> LoadFailed:
    """The error for a file of counts that is damaged or gone."""
    return LoadFailed(
        f"the counts of this analysis cannot be read: {error}",
        "run the analysis again; its other results are kept",
    )


def read(path: Path, tokenizer: str, *, seen: bool, offset: int = 0, limit: int = 100, search: str = "") -> CountPage:
    """Rows of one tokenizer that occur (`seen`) or do not, from `offset` on.

    `search` keeps those whose spelling or text contains it, capitals aside. Raises LoadFailed for a file that is damaged or
    gone.
    """
    rows: list[CountRow] = []
    total = 0
    with _explained(path) as file:
        for group in range(file.num_row_groups):
            kept = _rows_of(file.metadata.row_group(group), tokenizer, seen=seen)
            is_needed = kept and (search or (total + kept > offset and len(rows) < limit))
            if is_needed:
                found = _selected(file.read_row_group(group), search, seen=seen)
                part = (
                    found.slice(max(0, offset - total), limit - len(rows))
                    if total + found.num_rows > offset
                    else found[:0]
                )
                rows += [CountRow(**row) for row in part.drop_columns("tokenizer").to_pylist()]
                kept = found.num_rows
            total += kept
    return CountPage(total, rows)


def _schema() -> "pyarrow.Schema":
    import pyarrow

    return pyarrow.schema(
        [
            ("tokenizer", pyarrow.string()),
            ("rank", pyarrow.uint32()),
            ("id", pyarrow.uint32()),
            ("token", pyarrow.string()),
            ("text", pyarrow.string()),
            ("bytes", pyarrow.binary()),
            ("count", pyarrow.uint64()),
            ("cumulative", pyarrow.uint64()),
            ("unknown", pyarrow.bool_()),
        ]
    )


def _table(counts: TokenCounts) -> "pyarrow.Table":
    import pyarrow

    absent = counts.counts == 0
    ranks = np.arange(1, counts.ids.size + 1)
    columns: list[Any] = [
        pyarrow.repeat(counts.tokenizer, counts.ids.size),
        pyarrow.array(ranks, pyarrow.uint32(), mask=absent),
        pyarrow.array(counts.ids, pyarrow.uint32()),
        pyarrow.array(counts.tokens, pyarrow.string()),
        pyarrow.array(counts.texts, pyarrow.string()),
        pyarrow.array(counts.bytes, pyarrow.binary()),
        pyarrow.array(counts.counts, pyarrow.uint64()),
        pyarrow.array(np.cumsum(counts.counts, dtype=np.uint64), pyarrow.uint64(), mask=absent),
        pyarrow.array(counts.ids == (-1 if counts.unknown_id is None else counts.unknown_id), pyarrow.bool_()),
    ]
    return pyarrow.Table.from_arrays(columns, schema=_schema())


def _rows_of(group: Any, tokenizer: str, *, seen: bool) -> int:
    """How many rows of a row group are a tokenizer's that occur, or do not: from the statistics, without reading them."""
    if group.column(0).statistics.min != tokenizer:
        return 0
    unseen: int = group.column(1).statistics.null_count
    return group.num_rows - unseen if seen else unseen


def _selected(table: "pyarrow.Table", search: str, *, seen: bool) -> "pyarrow.Table":
    """The rows of a table that occur, or do not, and contain `search`."""
    from pyarrow import compute

    table = table.filter(compute.is_valid(table["rank"]) if seen else compute.is_null(table["rank"]))
    if not search:
        return table
    in_token, in_text = (
        compute.match_substring(table[column], search, ignore_case=True) for column in ("token", "text")
    )
    return table.filter(compute.or_(in_token, compute.fill_null(in_text, False)))


class _explained:
    """Opens a Parquet file; its errors become the lab's."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Any:
        from pyarrow import parquet

        try:
            self._file = parquet.ParquetFile(self._path)
        except Exception as error:
            self._raise(error)
        return self._file

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._file.close()
        if error is not None:
            self._raise(error)

    def _raise(self, error: BaseException) -> None:
        import pyarrow

        if isinstance(error, OSError | pyarrow.ArrowException):
            raise unreadable(error) from error
        raise error
