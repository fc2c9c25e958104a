"""The lab's app for a quick start: serves the page at once, while the calls behind it are still being imported.

FastAPI, pydantic and numpy take most of a second to import, the browser about as long to load the page; here the two run
side by side. The page is behind the same checks in both. Not here: the whole app (`app`), which this one passes the calls to.
"""

import asyncio
import gc
import logging
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future

from starlette.types import ASGIApp, Receive, Scope, Send

from lab_app import paths
from lab_app.api.checks import checked
from lab_app.api.errors import response_of
from lab_app.api.page import Page
from lab_app.errors import LabError
from lab_app.settings import Settings

# Import holds the interpreter for this long at a time while others wait (Python's own value is 5 ms).
SWITCH_S = 0.0005


class EarlyApp:
    """Answers with the page, and passes a call on to the whole app, waiting for it where it must."""

    def __init__(self, settings: Settings, on_focus: Callable[[], None] | None = None) -> None:
        page = Page(paths.page(), bundled=not settings.dev, max_request_bytes=int(settings.max_request_mb * 1e6))
        self._is_file = page.names_a_file
        self._page = checked(page, settings)
        self._whole: Future[ASGIApp] = Future()
        threading.Thread(target=self._make, args=(settings, on_focus), name="import", daemon=True).start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] == "http" and self._is_file(scope["path"]):
            await self._page(scope, receive, send)
            return
        try:
            # Whoever gives up a call gives up its own waiting alone.
            whole = await asyncio.shield(asyncio.wrap_future(self._whole))
        except Exception:
            logging.getLogger(__name__).exception("the lab did not start")
            error = LabError("the lab did not start", "its terminal shows why")
            await response_of(error)(scope, receive, send)
            return
        await whole(scope, receive, send)

    def _make(self, settings: Settings, on_focus: Callable[[], None] | None) -> None:
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)
        gc.disable()  # what is imported stays: looking through it for garbage is a tenth of the time
        try:
            from lab_app.api.app import create_app

            self._whole.set_result(create_app(settings, on_focus=on_focus))
        except BaseException as error:
            self._whole.set_exception(error)
        finally:
            gc.enable()
            sys.setswitchinterval(before)
