"""The map of rows as a file: which old row of an embedding each new row is, or the mean of.

Not here: the map itself (`lab_app.editing.rows`).
"""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from lab_app.editing.recipe import Step
from lab_app.editing.rows import Row, rows
from lab_app.errors import BadValue
from lab_app.files import written
from lab_app.services.editing.edits import Drafts
from lab_app.services.lab import Lab

MapFormat = Literal["json", "csv", "npz", "parquet"]
COLUMNS = ("token", "kind", "old", "new", "parts", "weights")


def map_of_rows(lab: Lab, base: str, steps: Sequence[Step]) -> list[Row]:
    """The map of a recipe. Raises as `edits.edited` does, and BadValue for an edit that refuses."""
    draft = lab.own(Drafts).draft(base, steps)
    return rows(draft.before, draft.after, draft.renamed)


def format_of(path: Path) -> MapFormat:
    """The format that a file's name asks for. Raises BadValue.

    >>> format_of(Path("rows.npz"))
    'npz'
    """
    for format in get_args(MapFormat):
        if path.suffix.lower() == f".{format}":
            return format  # type: ignore[no-any-return]
    raise BadValue(f"{path.name} is no map of rows", f"end its name with .{', .'.join(get_args(MapFormat))}")


def file_of(made: Sequence[Row], format: MapFormat) -> bytes:
    """The map as the bytes of a file; docs/guide/workshop.md describes the fields.

    >>> file_of([Row("a", 0, 0, "copied", [(0, 1.0)])], "csv").decode().splitlines()
    ['token,kind,old,new,parts,weights', 'a,copied,0,0,0,1.0']
    """
    match format:
        case "json":
            listed = [dict(zip(COLUMNS, _cells(row), strict=True)) for row in made]
            return json.dumps(listed, ensure_ascii=False).encode()
        case "csv":
            return _csv(made)
        case "npz":
            return _npz(made)
        case "parquet":
            return _parquet(made)


def write(made: Sequence[Row], format: MapFormat, path: Path, *, force: bool = False) -> None:
    """Writes the map to a file. Raises Conflict if it exists and not `force`, Unavailable if it cannot be written."""
    with written(path, force=force) as target:
        target.write_bytes(file_of(made, format))


def _cells(row: Row) -> tuple[object, ...]:
    parts, weights = [part for part, _ in row.parts], [weight for _, weight in row.parts]
    return row.token, row.kind, row.old, row.new, parts, weights


def _csv(made: Sequence[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in made:
        *cells, parts, weights = _cells(row)
        lists = [" ".join(map(str, each)) for each in (parts, weights)]  # type: ignore[call-overload]
        writer.writerow([*cells, *lists])
    return out.getvalue().encode()


def _npz(made: Sequence[Row]) -> bytes:
    """`old` and `new`, -1 for none; the parts of row n are `parts[part_starts[n]:part_starts[n + 1]]`."""
    ends = np.cumsum([len(row.parts) for row in made], dtype=np.int64)
    out = io.BytesIO()
    np.savez_compressed(
        out,
        old=np.array([-1 if row.old is None else row.old for row in made], np.int64),
        new=np.array([-1 if row.new is None else row.new for row in made], np.int64),
        part_starts=np.concatenate([[0], ends]).astype(np.int64),
        parts=np.array([part for row in made for part, _ in row.parts], np.int64),
        weights=np.array([weight for row in made for _, weight in row.parts], np.float64),
    )
    return out.getvalue()


def _parquet(made: Sequence[Row]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = list(zip(*map(_cells, made), strict=True)) or [()] * len(COLUMNS)
    types = [pa.string(), pa.string(), pa.int64(), pa.int64(), pa.list_(pa.int64()), pa.list_(pa.float64())]
    arrays = [pa.array(list(column), kind) for column, kind in zip(columns, types, strict=True)]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, names=list(COLUMNS)), sink)
    return bytes(sink.getvalue().to_pybytes())
