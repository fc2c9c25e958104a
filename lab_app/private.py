"""Keeps the lab's files to their owner: saved texts, and the secret of a run, are nobody else's.

Windows gives a user's folders to that user alone; there nothing is changed here.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Collection
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def private_folder(path: Path, own: Collection[str] = ()) -> None:
    """Makes the folder `path`, with its parents, readable for its owner alone. Raises OSError.

    A folder that is there already is restricted if all it holds is named in `own`: any other may be shared on purpose.
    """
    try:
        path.mkdir(parents=True, mode=0o700)
    except FileExistsError:
        if not path.is_dir():
            raise
        if not _is_others_business(path) and all(each.name in own for each in path.iterdir()):
            _restrict(path)


def private_file(path: Path) -> None:
    """Makes the file `path`, if it is not there, and restricts it to its owner. Raises OSError."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    _restrict(path)


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, all of it or nothing. Raises OSError."""
    temporary = path.with_name(path.name + ".new")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    temporary.replace(path)


def _is_others_business(path: Path) -> bool:
    """Whether `path` is the home folder, the root of a file system, or a folder for all users such as `/tmp`."""
    whole = path.resolve()
    return whole == whole.parent or whole == Path.home().resolve() or bool(whole.stat().st_mode & stat.S_ISVTX)


def _restrict(path: Path) -> None:
    """Takes what others may do with `path` away, if it is this user's."""
    if sys.platform == "win32":
        return
    found = path.stat()
    if found.st_mode & OTHERS and found.st_uid == os.geteuid():
        path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
