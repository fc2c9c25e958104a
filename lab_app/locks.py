"""Locks of the system on open files: released with the process that holds them, however it ends."""

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: IO[bytes]) -> bool:
        """Locks an open file until it is closed. False if another open file of it has the lock."""
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(file: IO[bytes] | int) -> bool:
        """Locks an open file, or a folder, until it is closed. False if another open file of it has the lock."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
