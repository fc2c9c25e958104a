"""The lab's app for a quick start: serves the page at once, then the calls of a page that opens, then everything.

FastAPI, pydantic and what is made of them take most of a second to import, while the page asks for its first tokens. So the
calls that lead there are answered without them (`first_calls`), and the import of the rest begins when the page is quiet
(`quiet`) or another call comes. Every request passes the checks once, here. Not here: the whole app (`app`), which gets all
other calls.
"""

import asyncio
import gc
import logging
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Receive, Scope, Send

from lab_app import paths
from lab_app.api.drain import Drain
from lab_app.api.errors import response_of
from lab_app.api.guard.checks import checked
from lab_app.api.guard.drain import READY, not_now
from lab_app.api.page import Page
from lab_app.api.quick_start.quiet import Quiet
from lab_app.api.request_log import note
from lab_app.api.window_requests import WindowRequests
from lab_app.errors import LabError
from lab_app.settings import Settings

if TYPE_CHECKING:
    from lab_app.api.quick_start.first_calls import FirstCalls
    from lab_app.jobs.job import Job

# Import holds the interpreter for this long at a time while others wait (Python's own value is 5 ms).
SWITCH_S = 0.0005


class StartupApp:
    """Answers with the page and its first calls, and passes the others on to the whole app, waiting for it if it must.

    `at_once`: do not wait for a page before the whole app is imported. `drain`: that of the server.
    """

    def __init__(
        self,
        settings: Settings,
        window_requests: WindowRequests | None = None,
        *,
        at_once: bool = False,
        drain: Drain | None = None,
    ) -> None:
        page = Page(
            paths.page(),
            bundled=not settings.dev,
            max_request_bytes=int(settings.max_request_mb * 1e6),
            theme=lambda: _theme(settings),
        )
        self._is_file = page.names_a_file
        self._page = page
        self._checked = checked(self._answer, settings, drain)
        self._first: Future[FirstCalls] = Future()
        self._whole: Future[ASGIApp] = Future()
        self._needed = threading.Event()
        """Set when the import of the whole app must not wait any longer."""
        self._quiet = Quiet()
        if at_once:
            self._needed.set()
        threading.Thread(target=self._make, args=(settings, window_requests), name="import", daemon=True).start()

    @property
    def is_whole(self) -> bool:
        """Whether every call is answered without waiting for an import."""
        return self._whole.done()

    def unfinished(self) -> list["Job"]:
        """The jobs that wait or run. Waits for nothing: a handler of a signal may ask."""
        is_there = self._first.done() and self._first.exception() is None
        return self._first.result().unfinished() if is_there else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        self._quiet.asks()
        await self._checked(scope, receive, send)
        self._quiet.asks()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._is_file(scope["path"]):
            note(scope, path="/{file}")
            await self._page(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == READY and not self.is_whole:
            note(scope, path=READY)
            await not_now("the lab is starting", 1)(scope, receive, send)
        elif scope["type"] == "http" and not self.is_whole:
            await self._first_call(scope, receive, send)
        else:
            await self._pass_on(scope, receive, send)

    async def _first_call(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            first = await asyncio.shield(asyncio.wrap_future(self._first))
        except Exception:
            response = None  # the whole app cannot be made either, and says so
        else:
            response, receive = await first.answer(scope, receive)
        if response is None:
            await self._pass_on(scope, receive, send)
            return
        await response(scope, receive, send)
        if scope["method"] == "POST":
            self._quiet.has_tokens()

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._needed.set()
        try:
            if not self._whole.done():
                # Shielded: a call that is given up must not end the waiting of the others.
                await asyncio.shield(asyncio.wrap_future(self._whole))
            whole = self._whole.result()
        except Exception:
            logging.getLogger(__name__).exception("the lab did not start")
            error = LabError("the lab did not start", "read why on its terminal, and start it again")
            await response_of(error)(scope, receive, send)
            return
        await whole(scope, receive, send)

    def _make(self, settings: Settings, window_requests: WindowRequests | None) -> None:
        try:
            with _importing():
                from lab_app.api.quick_start.first_calls import FirstCalls
                from lab_app.services.lab import Lab

                lab = Lab(settings)
                first = FirstCalls(lab, window_requests)
                self._first.set_result(first)
                first.prepare()
            self._wait_until_quiet()
            with _importing():
                from lab_app.api.app import create_app
                from lab_app.services.restarting import take_up_waiting

                whole = create_app(settings, lab, window_requests, checks=False)
            self._whole.set_result(whole)
        except BaseException as error:
            if not self._first.done():
                self._first.set_exception(error)
            self._whole.set_exception(error)
        else:
            take_up_waiting(lab)

    def _wait_until_quiet(self) -> None:
        # In small steps, because the time changes with every request.
        while not self._quiet.is_now() and not self._needed.wait(0.1):
            pass


def _theme(settings: Settings) -> str | None:
    from lab_app.store.database import Database
    from lab_app.store.preferences import theme

    return theme(Database(paths.database(settings)))


@contextmanager
def _importing() -> Iterator[None]:
    """Makes an import quick, and short each time it holds the interpreter while others wait."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    gc.disable()  # what is imported stays: looking through it for garbage is a tenth of the time
    try:
        yield
    finally:
        gc.enable()
        sys.setswitchinterval(before)
