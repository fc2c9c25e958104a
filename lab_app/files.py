"""Writes a file whole or not at all; temporary folders. Not here: files that only their owner may read (`private`)."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR

from lab_app.errors import Conflict, Unavailable, reason
from lab_app.locks import try_lock

TEMPORARY = "tokenlab-temporary-"
"""A name that nobody gives to a folder of their own: what has it is deleted."""
YOUNG_S = 60.0


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


def check_free(path: Path, *, force: bool = False) -> None:
    """Raises Conflict if there is a file that must not be replaced. A pipe or a device is free."""
    if path.exists() and not is_stream(path) and not force:
        raise Conflict(
            f"{path} already exists", "give another name", on_terminal="give another name, or --force to overwrite it"
        )


@contextmanager
def written(path: Path, *, force: bool = False) -> Iterator[Path]:
    """As `replaced`, for a file that a person named. Raises Conflict as `check_free`, Unavailable if it cannot be written."""
    check_free(path, force=force)
    try:
        with replaced(path) as target:
            yield target
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be written: {reason(error)}", "check that its folder exists and may be written to"
        ) from error


@contextmanager
def temporary_folder(place: Path | None = None) -> Iterator[Path]:
    """A folder for the block, in `place`, or in the system's place for temporary files. Raises OSError.

    A killed program leaves its folders: the next that makes one deletes them.
    """
    import tempfile

    place = place or Path(tempfile.gettempdir())
    _sweep(place)
    folder = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=place))
    descriptor = None if sys.platform == "win32" else os.open(folder, os.O_RDONLY)
    try:
        if descriptor is not None:
            try_lock(descriptor)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if descriptor is not None:
            os.close(descriptor)


def _sweep(place: Path) -> None:
    """Deletes the temporary folders that nobody holds the lock of. Windows cannot lock folders, so it keeps them.

    A folder may have been made just now, and its lock not taken yet: the youngest are left alone.
    """
    if sys.platform == "win32":
        return
    for left in place.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            found = left.lstat()
            if not S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or time.time() - found.st_ctime < YOUNG_S:
                continue
            descriptor = os.open(left, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                if try_lock(descriptor):
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(descriptor)


def is_stream(path: Path) -> bool:
    """Whether `path` is a pipe or a device: writing to it replaces nothing."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _umask() -> int:
    """The mode bits that new files of this process lack."""
    before = os.umask(0o077)
    os.umask(before)
    return before
