"""Many texts in one body and their IDs in one answer, a row per text: as lines of JSON or as a stream of Arrow.

Each text becomes a Python string. The answer is made while it is sent, a chunk of lines or a record batch of Arrow at a time.
Arrow must have a column `text` of plain strings. Compressed data could be a thousand times as large as its body, and a dictionary names
one text many times.
Not here: encoding them (`lab_app.services.text.encode`).
"""

import io
import json
import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lab_app.api.bodies import MAX_VALUES
from lab_app.errors import BadRequest, BadValue, TooLarge
from lab_app.services.text.encode import Batch, refuse_surrogates, row_chunks

if TYPE_CHECKING:
    import pyarrow as pa

LINES = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
PLAIN = "text/plain"
MEDIA: dict[str, Any] = {
    LINES: {"schema": {"type": "string"}, "example": '"Hello"\n{"text": "Hello, world"}\n'},
    ARROW: {"schema": {"type": "string", "format": "binary"}},
    PLAIN: {"schema": {"type": "string"}, "example": "Hello, world"},
}
"""What the description of the interface says of each form of texts."""
ANSWERS: dict[str, Any] = {
    LINES: {"schema": {"type": "string"}, "example": '{"ids": [15496]}\n{"ids": [15496, 11, 995]}\n'},
    ARROW: MEDIA[ARROW],
}
COLUMN = "text"
ARROW_ROWS = 8192
"""Rows of one record batch of an answer."""


def texts_of(body: bytes, media_type: str) -> list[str]:
    """The texts of a body. Raises BadRequest, BadValue and TooLarge with the row that is wrong.

    >>> texts_of(b'"one"\\n{"text": "two"}\\n', LINES), texts_of(b"one\\ntwo", PLAIN)
    (['one', 'two'], ['one\\ntwo'])
    """
    readers: dict[str, Callable[[bytes], list[str]]] = {LINES: _lines, ARROW: _arrow, PLAIN: _plain}
    kind = media_type.partition(";")[0].strip().lower()
    if kind not in readers:
        raise BadRequest(f'rows cannot be read from "{kind:.80}"', f"send {LINES}, {ARROW} or {PLAIN}")
    texts = readers[kind](body)
    if len(texts) > MAX_VALUES:
        raise TooLarge(f"the body has {len(texts)} rows", f"send at most {MAX_VALUES} at a time")
    return texts


def written(batch: Batch, media_type: str) -> Iterator[bytes]:
    """The IDs of each row as `LINES` or `ARROW`, in chunks."""
    return _arrow_chunks(batch) if media_type == ARROW else _line_chunks(batch)


def _plain(body: bytes) -> list[str]:
    try:
        return [body.decode()]
    except UnicodeDecodeError as error:
        raise BadValue(f"the body is not UTF-8: byte {error.start}, {error.reason}", "send UTF-8") from None


def _lines(body: bytes) -> list[str]:
    lines = body.removesuffix(b"\n").split(b"\n", MAX_VALUES + 1) if body else []
    if len(lines) > MAX_VALUES + 1:
        raise TooLarge(f"the body has more than {MAX_VALUES} lines", "send the texts in several requests")
    texts = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            raise BadRequest(f"line {number} is empty", 'write "" for an empty text, or leave the line out')
        try:
            texts.append(_text_of(json.loads(line), number))
        except (ValueError, RecursionError) as error:
            raise BadRequest(f"line {number} is not JSON: {error}", "send a string or an object per line") from None
    return texts


def _text_of(value: object, number: int) -> str:
    text = value.get(COLUMN) if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise BadValue(f"line {number} has no text", f'send a string, or an object with "{COLUMN}"')
    refuse_surrogates(text, f"line {number}: ")
    return text


def _arrow(body: bytes) -> list[str]:
    import pyarrow as pa

    if not body:
        raise BadRequest("the body is empty", f"send {ARROW}")
    texts: list[str] = []
    stream = pa.BufferReader(body)
    try:
        reader: Any = pa.ipc.MessageReader.open_stream(stream)
        schema = pa.ipc.read_schema(reader.read_next_message())
        _check_schema(schema)
        for message in reader:
            if message.type != "record batch" or _is_compressed(bytes(message.metadata)):
                raise BadValue("the stream is compressed or has dictionaries", "send plain record batches")
            rows = pa.ipc.read_record_batch(message, schema)
            rows.validate(full=True)
            texts += _strings(rows.column(COLUMN), len(texts))
        if rest := len(body) - stream.tell():
            raise BadRequest(f"the body has {rest} bytes after the end of the stream of Arrow", "send one stream alone")
    except (pa.ArrowException, struct.error, OSError, EOFError, StopIteration, UnicodeDecodeError) as error:
        raise BadRequest(f"the body is no stream of Arrow: {error}", f"send {ARROW}") from None
    return texts


def _check_schema(schema: "pa.Schema") -> None:
    import pyarrow as pa

    names = [name for name in schema.names if name == COLUMN]
    if len(names) != 1 or schema.field(COLUMN).type not in (pa.string(), pa.large_string()):
        raise BadValue(f'there is no one column "{COLUMN}" of strings', "send a table with such a column")
    for field in schema:
        if pa.types.is_dictionary(field.type):
            raise BadValue(f'column "{field.name:.80}" is a dictionary', "leave it out, or send its plain values")


def _strings(column: "pa.Array", before: int) -> list[str]:
    if column.null_count:
        row = before + column.is_null().to_pylist().index(True)
        raise BadValue(f"row {row} is null", "send an empty text, or leave the row out")
    return list(column.to_pylist())


def _is_compressed(metadata: bytes) -> bool:
    """Whether the buffers of a record batch are compressed: the fourth field of `RecordBatch`, which is the third of `Message`.

    pyarrow has checked the metadata before, and does not say it. Source: Message.fbs of Apache Arrow; FlatBuffers' internals.
    """

    def field(table: int, number: int) -> int:
        """Where a field of a table is; 0 if it is not there."""
        vtable = table - struct.unpack_from("<i", metadata, table)[0]
        if 4 + 2 * number >= struct.unpack_from("<H", metadata, vtable)[0]:
            return 0
        offset = int(struct.unpack_from("<H", metadata, vtable + 4 + 2 * number)[0])
        return table + offset if offset else 0

    message = int(struct.unpack_from("<I", metadata, 0)[0])
    header = field(message, 2)
    batch = header + int(struct.unpack_from("<I", metadata, header)[0])
    return field(batch, 3) != 0


def _line_chunks(batch: Batch) -> Iterator[bytes]:
    return row_chunks(batch.ids, batch.row_starts.tolist(), '{"ids": [', "]}\n")


def _arrow_chunks(batch: Batch) -> Iterator[bytes]:
    import pyarrow as pa

    schema = pa.schema([pa.field("ids", pa.large_list(pa.field("item", pa.uint32(), nullable=False)), nullable=False)])
    sink = io.BytesIO()
    starts = batch.row_starts.astype("i8")
    with pa.ipc.new_stream(sink, schema) as writer:
        for first in range(0, starts.size - 1, ARROW_ROWS):
            rows = starts[first : first + ARROW_ROWS + 1]
            offsets = pa.array(rows - rows[0])
            ids = pa.LargeListArray.from_arrays(offsets, pa.array(batch.ids[rows[0] : rows[-1]]), type=schema[0].type)
            writer.write_batch(pa.record_batch([ids], schema=schema))
            yield sink.getvalue()
            sink.seek(0)
            sink.truncate()
    yield sink.getvalue()
