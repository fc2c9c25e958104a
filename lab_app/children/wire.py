"""What the lab and a plug-in's process say to each other: JSON documents, each after its length in 4 bytes."""

import json
import struct
from typing import IO, Any

MAX_BYTES = 512_000_000


def write(stream: IO[bytes], value: dict[str, Any]) -> None:
    """Sends one document."""
    data = json.dumps(value).encode()
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data)} bytes are more than the {MAX_BYTES} that can be sent")
    stream.write(struct.pack(">I", len(data)) + data)
    stream.flush()


def read(stream: IO[bytes]) -> dict[str, Any] | None:
    """The next document; None if the other side has ended. Raises ValueError for anything else.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> write(buffer, {"ids": [1, 2]})
    >>> _ = buffer.seek(0)
    >>> read(buffer), read(buffer)
    ({'ids': [1, 2]}, None)
    """
    head = stream.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    if length > MAX_BYTES:
        raise ValueError(f"{length} bytes are more than the {MAX_BYTES} that can be sent")
    data = stream.read(length)
    if len(data) < length:
        return None
    value = json.loads(data)
    if not isinstance(value, dict):
        raise ValueError(f"a {type(value).__name__} is not a valid answer")
    return value
