"""Memory of this process that nothing uses any more: given back to the system. Not here: what holds memory."""

import contextlib
import ctypes
import sys

MMAP_THRESHOLD = -3
"""`M_MMAP_THRESHOLD` of malloc.h."""
LARGE_BYTES = 256 << 10


def give_back_large_blocks() -> None:
    """From now on, blocks of memory above 256 kB go back to the system when they are freed. Does nothing but with glibc.

    By itself, glibc keeps blocks of the size of the largest one that was ever freed, in a heap for each thread: with ten
    tokenizers and two threads, a tenth of all memory.

    Source: mallopt(3), "M_MMAP_THRESHOLD" and "dynamic mmap threshold".

    >>> give_back_large_blocks()
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library has no such function
            ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE_BYTES)
