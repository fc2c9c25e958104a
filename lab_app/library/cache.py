"""Values that are dear to make, kept while there is room for them. Threads may share a cache.

Not here: what is kept, and when a kept value is out of date, which is the caller's to say.
"""

import math
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import cachetools

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """At most `limit` values, and at most `max_size` of them by `size`; the least recently used is dropped first.

    The newest value stays, whatever its size. `size` is asked again on each use, since values may grow.

    >>> cache = Cache[str, str](limit=2)
    >>> [cache.get(word, lambda word=word: word.upper()) for word in ("a", "b", "a", "c")]
    ['A', 'B', 'A', 'C']
    >>> cache.find("a"), cache.find("b")
    ('A', None)
    """

    def __init__(self, limit: int, *, max_size: float = math.inf, size: Callable[[Value], float] | None = None) -> None:
        self._kept: cachetools.LRUCache[Key, Value] = cachetools.LRUCache(limit)
        self._max_size = max_size
        self._size = size
        self._lock = threading.Lock()
        # Per key that is being made: its lock, and how many threads hold or await it.
        self._making: dict[Key, tuple[threading.Lock, int]] = {}

    def get(self, key: Key, make: Callable[[], Value], *, current: Callable[[Value], bool] | None = None) -> Value:
        """The value of `key`, made by `make` if it is not kept, or if `current` is false for the one kept.

        Threads that ask for one key at once wait for one value. If `make` raises, nothing is kept, and the next thread tries.
        """
        found = self._usable(key, current)
        if found is None:
            with self._alone(key):
                found = self._usable(key, current)
                if found is None:
                    found = (make(),)
                    self.put(key, found[0])
        return found[0]

    def find(self, key: Key) -> Value | None:
        """The value of `key`, or None if it is not kept."""
        found = self._usable(key, None)
        return None if found is None else found[0]

    def put(self, key: Key, value: Value) -> None:
        """Keeps `value`, in place of an older one."""
        with self._lock:
            self._kept[key] = value
            self._make_room()

    def drop(self, key: Key) -> None:
        """Frees the value of `key`, if it is kept."""
        with self._lock:
            self._kept.pop(key, None)

    def _usable(self, key: Key, current: Callable[[Value], bool] | None) -> tuple[Value] | None:
        with self._lock:
            if key not in self._kept:
                return None
            value = self._kept[key]  # marks it as used
            self._make_room()
        return (value,) if current is None or current(value) else None

    @contextmanager
    def _alone(self, key: Key) -> Iterator[None]:
        """Lets one thread at a time make the value of `key`. The lock is gone when nobody needs it."""
        with self._lock:
            lock, threads = self._making.get(key, (threading.Lock(), 0))
            self._making[key] = lock, threads + 1
        try:
            with lock:
                yield
        finally:
            with self._lock:
                threads = self._making[key][1] - 1
                if threads:
                    self._making[key] = lock, threads
                else:
                    del self._making[key]

    def _make_room(self) -> None:
        if self._size is None:
            return
        # Not `self._kept[key]`: that is a use.
        held = sum(self._size(cachetools.Cache.__getitem__(self._kept, key)) for key in self._kept)
        while len(self._kept) > 1 and held > self._max_size:
            _, oldest = self._kept.popitem()
            held -= self._size(oldest)
