"""Waits for what happens in other processes, and says what did not: a loop without an end hides which wait it was."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

PATIENCE_S = 60.0


def until(probe: Callable[[], Any], why: Callable[[], str] | str) -> Any:
    """Calls `probe` until it gives something true, which is returned; fails with `why` after a minute."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if found := probe():
            return found
        time.sleep(0.02)
    pytest.fail(why if isinstance(why, str) else why())


async def until_async(probe: Callable[[], Any]) -> None:
    """As `until` for a test that runs in an event loop; raises TimeoutError after a minute."""
    async with asyncio.timeout(PATIENCE_S):
        while not probe():
            await asyncio.sleep(0.01)
