"""Writes a file whole or not at all. Not here: files that only their owner may read (`private`)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """The path of a file beside `path`. It takes the place of `path` when the block ends, and goes if the block raises.

    The new file has the mode of the old one. A link stays a link. A pipe or a device is given as it is, since nothing can
    take its place. Raises OSError.
    """
    if is_stream(path):
        yield path
        return
    import tempfile  # a fifth of what the lab imports before it starts its window

    end = path.resolve()
    mode = end.stat().st_mode & 0o777 if end.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=".tokenlab-", dir=end.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(mode)
        temporary.replace(end)
    finally:
        temporary.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Whether `path` is a pipe or a device: writing to it replaces nothing."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _umask() -> int:
    """The mode bits that new files of this process lack."""
    before = os.umask(0o077)
    os.umask(before)
    return before
