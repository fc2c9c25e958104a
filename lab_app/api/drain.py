"""Whether a server is ending, and how many requests it still answers. Not here: refusing others (`lab_app.api.guard.drain`)."""


class Drain:
    """The requests under way of one server. The event loop alone changes their number.

    >>> drain = Drain()
    >>> drain.is_on, drain.running
    (False, 0)
    """

    def __init__(self) -> None:
        self.is_on = False
        self.running = 0

    def begin(self) -> None:
        """From now on new requests are refused. A handler of a signal may call it."""
        self.is_on = True
