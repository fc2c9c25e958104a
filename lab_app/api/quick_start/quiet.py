"""When the page that opens is quiet, so that an import does not compete with it. Not here: what is imported (`startup`)."""

import time
from collections.abc import Callable

# The page is quiet when it has its tokens and has asked nothing for this long, ...
QUIET_S = 1.0
# ... but at the latest this long after the tokens, ...
LONGEST_S = 4.0
# ... or after this time, if no page asks for tokens.
PATIENCE_S = 20.0


class Quiet:
    """The time from which the page counts as quiet. Threads may share it.

    >>> now = 0.0
    >>> quiet = Quiet(lambda: now)
    >>> quiet.has_tokens()
    >>> now = 0.5
    >>> quiet.asks()
    >>> now = 1.2
    >>> quiet.is_now()
    False
    >>> now = 1.5
    >>> quiet.is_now()
    True
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begins = clock() + PATIENCE_S
        self._latest: float | None = None
        """Set when the page has got its tokens."""

    def asks(self) -> None:
        """The page asks for something, or has its answer."""
        if self._latest is not None:
            self._begins = min(self._clock() + QUIET_S, self._latest)

    def has_tokens(self) -> None:
        """The page has got tokens."""
        if self._latest is None:
            self._latest = self._clock() + LONGEST_S
        self.asks()

    def is_now(self) -> bool:
        """Whether it is quiet."""
        return self._clock() >= self._begins
