"""How a shard lies in files: the IDs of its documents one after the other, and where each document starts.

`numpy`: `NAME.npy` with the IDs and `NAME.starts.npy`, both for `numpy.load` (format 1.0 of NumPy's NEP 1). `megatron`: `NAME.bin`
and `NAME.idx`, which Megatron-LM's `IndexedDataset` opens, each document a sequence. All numbers have their lowest byte first.
Not here: what is written (`encoding`, `shuffling`).
"""

import hashlib
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab_app.errors import LoadFailed, Unavailable, reason
from lab_app.files import replaced

Layout = Literal["numpy", "megatron"]
Width = Literal["uint16", "uint32", "int32"]
"""The type of an ID in the file. Megatron-LM has no uint32: there an ID of more than 16 bits is an int32."""

SUFFIXES: dict[Layout, tuple[str, str]] = {"numpy": (".npy", ".starts.npy"), "megatron": (".bin", ".idx")}
"""Of the IDs, and of the index."""
NPY_HEADER_BYTES = 128
MEGATRON_HEADER = b"MMIDIDX\x00\x00"
MEGATRON_TYPES: dict[int, Width] = {8: "uint16", 4: "int32"}


@dataclass(frozen=True)
class Shard:
    """A shard that was written. The digests are those of its two files; `tokens` counts the end tokens, too."""

    name: str
    documents: int
    tokens: int
    ids_sha256: str
    index_sha256: str


def width_of(vocab_size: int, layout: Layout) -> Width:
    """The narrowest type that holds every ID below `vocab_size`.

    >>> width_of(50_257, "numpy"), width_of(65_537, "numpy"), width_of(100_277, "megatron")
    ('uint16', 'uint32', 'int32')
    """
    if vocab_size <= 2**16:
        return "uint16"
    return "uint32" if layout == "numpy" else "int32"


def files_of(folder: Path, name: str, layout: Layout) -> tuple[Path, Path]:
    """The files of a shard: IDs and index.

    >>> [path.name for path in files_of(Path("."), "shard-00000", "megatron")]
    ['shard-00000.bin', 'shard-00000.idx']
    """
    ids, index = SUFFIXES[layout]
    return folder / f"{name}{ids}", folder / f"{name}{index}"


class Writer:
    """Writes the documents of one shard as they come; memory holds 8 bytes a document. Use it in `writing`."""

    def __init__(self, ids: IO[bytes], index: IO[bytes], layout: Layout, width: Width) -> None:
        self._ids, self._index, self._layout = ids, index, layout
        self._type = _type(width)
        self._lengths: list[NDArray[np.int64]] = []
        if layout == "numpy":
            ids.write(bytes(NPY_HEADER_BYTES))

    def add(self, ids: NDArray[Any], lengths: NDArray[np.int64]) -> None:
        """Adds documents: their IDs one after the other, shape (tokens,), and the tokens of each, shape (documents,)."""
        self._ids.write(ids.astype(self._type, copy=False).data)
        self._lengths.append(lengths)

    def finish(self) -> tuple[int, int]:
        """Writes headers and index. Returns the number of documents and of tokens."""
        lengths = np.concatenate(self._lengths) if self._lengths else np.zeros(0, np.int64)
        starts = np.zeros(len(lengths) + 1, "<i8")
        np.cumsum(lengths, out=starts[1:])
        if self._layout == "numpy":
            self._ids.seek(0)
            self._ids.write(_npy_header(self._type, int(starts[-1])))
            self._index.write(_npy_header(starts.dtype, len(starts)) + starts.tobytes())
        else:
            self._index.write(_megatron_index(lengths, starts, self._type))
        return len(lengths), int(starts[-1])


@contextmanager
def writing(folder: Path, name: str, layout: Layout, width: Width) -> Iterator[tuple[Writer, list[Shard]]]:
    """A writer; when the block ends, both files appear under their names and the list holds the shard. If the block raises,
    neither does. What two processes write at a time is whole, that of one of them. Raises Unavailable."""
    written: list[Shard] = []
    paths = files_of(folder, name, layout)
    try:
        with ExitStack() as stack:
            parts = [stack.enter_context(replaced(path)) for path in paths]
            with parts[0].open("wb") as ids, parts[1].open("wb") as index:
                writer = Writer(ids, index, layout, width)
                yield writer, written
                documents, tokens = writer.finish()
            digests = [digest_of(path) for path in parts]
        written.append(Shard(name, documents, tokens, *digests))
    except OSError as error:
        raise Unavailable(
            f"{paths[0]} cannot be written: {reason(error)}",
            "check the permissions and the free space there; the same command goes on with what is missing",
        ) from error


def is_there(folder: Path, shard: Shard, layout: Layout, width: Width) -> bool:
    """Whether both files of a shard are there, that of the IDs with its size."""
    ids, index = files_of(folder, shard.name, layout)
    header = NPY_HEADER_BYTES if layout == "numpy" else 0
    size = header + shard.tokens * _type(width).itemsize
    return index.is_file() and ids.is_file() and ids.stat().st_size == size


def digest_of(path: Path) -> str:
    """The SHA-256 of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read(folder: Path, name: str, layout: Layout, width: Width) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The IDs of a shard, shape (tokens,), mapped from the file, and the starts of its documents, shape (documents + 1,).

    Raises LoadFailed for files that are gone, or that say another type or size than they have.
    """
    ids_path, index_path = files_of(folder, name, layout)
    try:
        if layout == "numpy":
            ids, starts = np.load(ids_path, mmap_mode="r"), np.load(index_path)
        else:
            found, starts = _read_megatron_index(index_path.read_bytes())
            ids = _mapped(ids_path, _type(found))
    except (OSError, EOFError, ValueError, struct.error) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise LoadFailed(
            f"the shard {name} cannot be read: {why}", "delete its files, and give the same command again"
        ) from error
    starts = starts.astype(np.int64, copy=False)
    if ids.dtype != _type(width) or ids.ndim != 1 or starts.ndim != 1 or not _are_starts(starts, len(ids)):
        raise LoadFailed(
            f"the index of the shard {name} does not fit its IDs", "delete its files, and give the same command again"
        )
    return ids, starts


def _are_starts(starts: NDArray[np.int64], tokens: int) -> bool:
    return bool(len(starts) and starts[0] == 0 and starts[-1] == tokens and (np.diff(starts) >= 0).all())


def _type(width: Width) -> np.dtype[Any]:
    return np.dtype(width).newbyteorder("<")


def _npy_header(kind: np.dtype[Any], count: int) -> bytes:
    text = f"{{'descr': '{kind.str}', 'fortran_order': False, 'shape': ({count},), }}"
    size = NPY_HEADER_BYTES - 10
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", size) + text.encode().ljust(size - 1) + b"\n"


def _megatron_index(lengths: NDArray[np.int64], starts: NDArray[np.int64], kind: np.dtype[Any]) -> bytes:
    code = next(code for code, width in MEGATRON_TYPES.items() if kind == _type(width))
    head = MEGATRON_HEADER + struct.pack("<QBQQ", 1, code, len(lengths), len(starts))
    places = (starts[:-1] * kind.itemsize).astype("<i8")
    documents = np.arange(len(starts), dtype="<i8")
    return head + lengths.astype("<i4").tobytes() + places.tobytes() + documents.tobytes()


def _read_megatron_index(data: bytes) -> tuple[Width, NDArray[np.int64]]:
    """Raises ValueError and struct.error for what is no such index."""
    if not data.startswith(MEGATRON_HEADER):
        raise ValueError("it is no index of Megatron-LM")
    at = len(MEGATRON_HEADER)
    _, code, count, _ = struct.unpack_from("<QBQQ", data, at)
    if code not in MEGATRON_TYPES:
        raise ValueError(f"its IDs have the type {code}")
    lengths = np.frombuffer(data, "<i4", count, at + 25)
    return MEGATRON_TYPES[code], np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def _mapped(path: Path, kind: np.dtype[Any]) -> NDArray[Any]:
    """The numbers of a file; an empty one cannot be mapped."""
    return np.memmap(path, kind, "r") if path.stat().st_size else np.zeros(0, kind)
