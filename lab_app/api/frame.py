"""The frame: a JSON header and typed arrays in one body, for answers that would be slow as JSON.

Little-endian: 4 bytes `TLF1`; u32 length of the header; the header, padded with spaces so that what follows starts at a
multiple of 8; the arrays, each padded with zeros to a multiple of 8. `docs/reference/http-api.md` describes it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import Response

from lab_app.json_text import json_text

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"TLF1"
MEDIA_TYPE = "application/octet-stream"
FRAME: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
"""What a route declares that answers with a frame."""
_NAMES = {"uint8": "u1", "uint32": "u4", "uint64": "u8"}
_SIZES = {"u1": 1, "u4": 4, "u8": 8}


class Column(NamedTuple):
    """An array as it stands in a frame: its type, u1, u4 or u8, and its bytes, little-endian."""

    dtype: str
    data: bytes | memoryview


def pack(header: object, arrays: Iterable[tuple[str, np.ndarray[Any, Any] | Column]]) -> bytes:
    """The bytes of a frame. `header` is a dataclass or a dictionary; `arrays` are named. Those of numpy are of dtype uint8, uint32 or uint64, and are written flat, row-major.

    >>> import numpy as np
    >>> frame = pack({"count": 2}, [("ids", np.array([7, 9], np.uint32))])
    >>> frame[:4], len(frame) % 8, unpack(frame)[1]["ids"].tolist()
    (b'TLF1', 0, [7, 9])
    """
    parts: list[Any] = []
    described, offset = [], 0
    for name, array in arrays:
        dtype, data = array if isinstance(array, Column) else _column(array)
        size = memoryview(data).nbytes
        described.append({"name": name, "dtype": dtype, "length": size // _SIZES[dtype], "offset": offset})
        padding = -size % 8
        parts += [data, b"\0" * padding]
        offset += size + padding
    fields = header if isinstance(header, dict) else vars(header)
    text = json_text({**fields, "arrays": described}).encode()
    text += b" " * (-(8 + len(text)) % 8)
    return b"".join([MAGIC, struct.pack("<I", len(text)), text, *parts])


def _column(array: np.ndarray[Any, Any]) -> Column:
    import numpy as np  # here: the first answers need none

    data = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return Column(_NAMES[array.dtype.name], data.data)


def unpack(frame: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Header and arrays of a frame: the inverse of `pack`, for tests and programs in Python."""
    import numpy as np

    if frame[:4] != MAGIC:
        raise ValueError(f"a frame begins with {MAGIC!r}, not {frame[:4]!r}")
    (length,) = struct.unpack_from("<I", frame, 4)
    header = json.loads(frame[8 : 8 + length])
    return header, {
        each["name"]: np.frombuffer(frame, f"<{each['dtype']}", each["length"], 8 + length + each["offset"])
        for each in header["arrays"]
    }


def frame_response(header: object, arrays: Iterable[tuple[str, np.ndarray[Any, Any] | Column]]) -> Response:
    """The answer that carries a frame."""
    return Response(pack(header, arrays), media_type=MEDIA_TYPE)
