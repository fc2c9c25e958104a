"""The frame: a JSON header and typed arrays in one body, for answers that would be slow as JSON.

Little-endian: 4 bytes `TLF1`; u32 length of the header; the header, padded with spaces so that what follows starts at a
multiple of 8; the arrays, each padded with zeros to a multiple of 8. `docs/reference/http-api.md` describes it.
"""

import json
import struct
from collections.abc import Iterable
from typing import Any

import numpy as np
from fastapi import Response

from lab_app.json_text import json_text

MAGIC = b"TLF1"
MEDIA_TYPE = "application/octet-stream"
_NAMES = {"uint8": "u1", "uint32": "u4", "uint64": "u8"}


def pack(header: object, arrays: Iterable[tuple[str, np.ndarray[Any, Any]]]) -> bytes:
    """The bytes of a frame. `header` is a dataclass or a dictionary; `arrays` are named, of dtype uint8, uint32 or uint64, and are written flat, row-major.

    >>> frame = pack({"count": 2}, [("ids", np.array([7, 9], np.uint32))])
    >>> frame[:4], len(frame) % 8, unpack(frame)[1]["ids"].tolist()
    (b'TLF1', 0, [7, 9])
    """
    parts: list[Any] = []
    described, offset = [], 0
    for name, array in arrays:
        dtype = _NAMES[array.dtype.name]
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        described.append({"name": name, "dtype": dtype, "length": int(array.size), "offset": offset})
        padding = -data.nbytes % 8
        parts += [data.data, b"\0" * padding]
        offset += data.nbytes + padding
    fields = header if isinstance(header, dict) else vars(header)
    text = json_text({**fields, "arrays": described}).encode()
    text += b" " * (-(8 + len(text)) % 8)
    return b"".join([MAGIC, struct.pack("<I", len(text)), text, *parts])


def unpack(frame: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Header and arrays of a frame: the inverse of `pack`, for tests and programs in Python."""
    if frame[:4] != MAGIC:
        raise ValueError(f"a frame begins with {MAGIC!r}, not {frame[:4]!r}")
    (length,) = struct.unpack_from("<I", frame, 4)
    header = json.loads(frame[8 : 8 + length])
    return header, {
        each["name"]: np.frombuffer(frame, f"<{each['dtype']}", each["length"], 8 + length + each["offset"])
        for each in header["arrays"]
    }


def frame_response(header: object, arrays: Iterable[tuple[str, np.ndarray[Any, Any]]]) -> Response:
    """The answer that carries a frame."""
    return Response(pack(header, arrays), media_type=MEDIA_TYPE)
