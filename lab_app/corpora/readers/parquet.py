"""Parquet: a document is a value of a column. Row groups are read alone, a few rows at a time; no Python object per value
is made, and a value that many rows share is in memory once. Source: parquet.apache.org/docs/file-format."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.corpora.corpus import CorpusFile
from lab_app.corpora.readers.objects import MAX_DEPTH, text_of
from lab_app.corpora.readers.rows import Rows, Source
from lab_app.corpora.streams import check_unchanged, damaged, valid_utf8
from lab_app.errors import LoadFailed, reason
from lab_app.files import temporary_folder

MAGIC = b"PAR1"
MOST_TIMES = 64
"""How much larger than the packed file the unpacked one may be, above `UNPACKED_ANYWAY`: Parquet is compressed inside."""
UNPACKED_ANYWAY = 64_000_000
FEW_ROWS = 16
MOST_ROWS = 65_536
UNPACKED_AT_A_TIME = 1 << 20
MOST_BYTES = 16_000_000
"""Of the values that are decoded at a time where a short value in the file may be a long text: it holds differences to the
value before. A single value may be longer."""
DIFFERENCES = {"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"}


def read_parquet(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The text column of the row groups whose first byte is in `start` to `end`.

    Raises LoadFailed for a file that is no Parquet or lacks the column.
    """
    corpus = source.corpus
    names = [name for name in (corpus.text_column, corpus.language_column) if name]
    # As a dictionary, a value that the file holds once is not repeated for each of its rows.
    with opened_parquet(source.file, names[:1]) as file:
        missing = [name for name in names if name not in columns_of(file.schema_arrow)]
        if missing:
            raise damaged(source.file, f'it has no column "{missing[0]}"')
        has_dictionary = _has_dictionary(file.metadata, names[0])
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            is_here = source.file.compression is not None or start <= _first_byte(group) < end
            if is_here and group.num_rows:
                _check_size(source, group, names[0], number)
                rows = _rows_at_a_time(source, group) if has_dictionary else _rows_of_differences(group, names[0])
                found = file.iter_batches(rows, [number], names, use_threads=False)
                for batch in found if has_dictionary else _gathered(found, source.batch_bytes):
                    yield from _rows(source, batch)


@contextmanager
def opened_parquet(file: CorpusFile, dictionaries: Sequence[str] = ()) -> Iterator[Any]:
    """The file, its metadata read; columns in `dictionaries` are read as values and indices if they can be.

    One that is packed as a whole is unpacked into a temporary file, since Parquet is read from its end. Raises LoadFailed if
    the file is not Parquet, is damaged or has changed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_unchanged(file)
    try:
        with _unpacked(file) as path:
            metadata = pq.read_metadata(path)
            found = [name for name in dictionaries if _has_dictionary(metadata, name)]
            with pq.ParquetFile(path, metadata=metadata, pre_buffer=False, read_dictionary=found) as opened:
                yield opened
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, " ".join(str(error).split())) from error
    check_unchanged(file)


@contextmanager
def _unpacked(file: CorpusFile) -> Iterator[str]:
    """The path of the file as Parquet wrote it."""
    import pyarrow as pa

    if file.compression is None:
        yield file.path
        return
    with temporary_folder() as folder:
        path = folder / "unpacked.parquet"
        left = max(MOST_TIMES * file.size_bytes, UNPACKED_ANYWAY)
        with pa.CompressedInputStream(pa.OSFile(file.path), file.compression) as packed, path.open("wb") as unpacked:
            is_first = True
            while block := packed.read(UNPACKED_AT_A_TIME):
                if is_first and not block.startswith(MAGIC):
                    raise damaged(file, "unpacked, it is not Parquet")
                is_first = False
                left -= len(block)
                if left < 0:
                    raise damaged(file, f"unpacked, it is more than {MOST_TIMES} times as large")
                try:
                    unpacked.write(block)
                except OSError as error:
                    raise LoadFailed(
                        f"{file.path} cannot be unpacked into {folder}: {reason(error)}",
                        "make room there, or unpack it yourself: Parquet is compressed inside",
                    ) from error
        yield str(path)


def columns_of(schema: Any) -> list[str]:
    """The columns that may hold text, in order; of a struct its fields, after the name of the column and a dot."""
    return [name for name, _ in _paths(schema)]


def _paths(fields: Any, depth: int = MAX_DEPTH) -> Iterator[tuple[str, list[int]]]:
    """The name of each column, and where it is: the number of the column, then of the field in each struct.

    The names of columns and fields may hold dots themselves, so a name alone does not say it.
    """
    import pyarrow as pa

    for number, each in enumerate(fields):
        if pa.types.is_struct(each.type) and each.type.num_fields and depth:
            yield from ((f"{each.name}.{name}", [number, *path]) for name, path in _paths(each.type, depth - 1))
        else:
            yield each.name, [number]


def _column(batch: Any, name: str) -> Any:
    """The values of a column, or of a field of a struct."""
    import pyarrow.compute as pc

    number, *inner = next(path for each, path in _paths(batch.schema) if each == name)
    return pc.struct_field(batch.column(number), inner) if inner else batch.column(number)


def _has_dictionary(metadata: Any, name: str) -> bool:
    """Whether a column is of plain values that Arrow reads as a dictionary: all but those stored as differences.

    Lists of messages, whose texts are joined, are read as they are.
    """
    numbers = [n for n in range(metadata.num_columns) if metadata.schema.column(n).path == name]
    groups = range(metadata.num_row_groups)
    encodings = {each for n in numbers for group in groups for each in metadata.row_group(group).column(n).encodings}
    return bool(numbers) and encodings.isdisjoint(DIFFERENCES)


def _rows_at_a_time(source: Source, group: Any) -> int:
    """How many rows have about `batch_bytes`. A value that many of them share is decoded once."""
    row_bytes = max(int(group.total_byte_size) // int(group.num_rows), 1)
    return min(max(source.batch_bytes // row_bytes, 1), MOST_ROWS)


def _rows_of_differences(group: Any, name: str) -> int:
    """How many values have at most `MOST_BYTES`: none is longer than all that the column stores, unpacked."""
    return min(max(MOST_BYTES // max(_column_bytes(group, name), 1), 1), MOST_ROWS)


def _gathered(batches: Iterator[Any], size_bytes: int) -> Iterator[Any]:
    """The same rows, some of them together: at least `size_bytes` but for the last."""
    import pyarrow as pa

    waiting: list[Any] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= size_bytes or len(waiting) >= MOST_ROWS:
            yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
            waiting, size = [], 0
    if waiting:
        yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()


def _check_size(source: Source, group: Any, name: str, number: int) -> None:
    """Raises LoadFailed for a group that holds values above the limit only because they are packed: they would be in memory
    before one of them could be skipped."""
    size = _column_bytes(group, name)
    if size > source.most * max(int(group.num_rows), FEW_ROWS):
        what = f"row group {number} holds {size} bytes in {group.num_rows} rows; a document has at most {source.most} bytes"
        raise damaged(source.file, what)


def _column_bytes(group: Any, name: str) -> int:
    """The size of a column in a row group, unpacked."""
    columns = map(group.column, range(group.num_columns))
    return sum(int(column.total_uncompressed_size) for column in columns if _is_of(column.path_in_schema, name))


def _is_of(path: str, name: str) -> bool:
    """Whether the leaf at `path` is the column `name` or a part of it."""
    return path == name or path.startswith(f"{name}.")


def _first_byte(group: Any) -> int:
    columns = [group.column(number) for number in range(group.num_columns)]
    first = (one.dictionary_page_offset if one.has_dictionary_page else one.data_page_offset for one in columns)
    return min(map(int, first))


def _rows(source: Source, batch: Any) -> Iterator[Rows]:
    """The documents of some rows, about `batch_bytes` at a time; those above the limit are reported."""
    import pyarrow as pa
    import pyarrow.compute as pc

    corpus = source.corpus
    column = _column(batch, corpus.text_column or "")
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        column = _joined_messages(source, column)
    if not pa.types.is_dictionary(column.type):
        column = pa.DictionaryArray.from_arrays(pa.array(np.arange(len(column), dtype=np.int32)), column)
    try:
        values = column.dictionary.cast(pa.large_binary())
    except pa.ArrowNotImplementedError:
        kind = column.type.value_type
        raise damaged(source.file, f'its column "{corpus.text_column}" holds {kind}, which is not text') from None
    lengths = pc.fill_null(pc.take(pc.binary_length(values), column.indices), 0).to_numpy(zero_copy_only=False)
    for length in lengths[lengths > source.most].tolist():
        source.skip_long(f'column "{corpus.text_column}"', length)
    kept = np.flatnonzero(lengths <= source.most)
    batches = np.cumsum(lengths[kept]) // source.batch_bytes
    for part in np.split(kept, np.flatnonzero(np.diff(batches)) + 1):
        rows = pa.array(part)
        languages = None
        if corpus.language_column:
            named = _column(batch, corpus.language_column)
            languages = _languages(source, named.take(rows))
        yield _valid(source, pc.fill_null(values.take(column.indices.take(rows)), b""), languages)


def _joined_messages(source: Source, column: Any) -> Any:
    """The text of each list of chat messages. Raises LoadFailed if the column holds other lists."""
    import pyarrow as pa

    texts = [text_of(value) for value in column.to_pylist()]
    if None in texts:
        raise damaged(source.file, f'its column "{source.corpus.text_column}" holds {column.type}, which is not text')
    return pa.array(texts, pa.large_string())


def _valid(source: Source, values: Any, languages: NDArray[np.uint16] | None) -> Rows:
    """The rows of some values; what is not UTF-8 is replaced."""
    text, ends = _buffers(values)
    if _is_utf8(text, ends):
        return Rows(text, ends, languages)
    parts = [valid_utf8(value, source.report) for value in values.to_pylist()]
    return Rows(b"".join(parts), np.cumsum([len(part) for part in parts], dtype=np.uint64), languages)


def _buffers(values: Any) -> tuple[bytes, NDArray[np.uint64]]:
    """The bytes of all values one after the other, and their ends."""
    if not len(values):
        return b"", np.zeros(0, np.uint64)
    _, offsets, data = values.buffers()
    bounds = np.frombuffer(offsets, np.int64)[values.offset : values.offset + len(values) + 1]
    text = data[int(bounds[0]) : int(bounds[-1])].to_pybytes() if data is not None else b""
    return text, (bounds[1:] - bounds[0]).astype(np.uint64)


def _is_utf8(text: bytes, ends: NDArray[np.uint64]) -> bool:
    """Whether each value is valid UTF-8: all of them together are, and none ends inside a character."""
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    inside = ends[ends < len(text)].astype(np.int64)
    return not np.any((np.frombuffer(text, np.uint8)[inside] & 0xC0) == 0x80)


def _languages(source: Source, column: Any) -> NDArray[np.uint16]:
    """The number of each language; each name is looked at once."""
    import pyarrow as pa

    encoded = column.cast(pa.string()).fill_null("").dictionary_encode()
    numbers = np.array([source.languages.number(name) for name in encoded.dictionary.to_pylist()], np.uint16)
    indices: NDArray[np.int32] = encoded.indices.to_numpy(zero_copy_only=False)
    return numbers[indices]
