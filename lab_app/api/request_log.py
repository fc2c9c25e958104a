"""What the server writes to stderr: messages, and from level `info` on a line per request, as text or as JSON.

A line of a request has its method, the pattern of its path, status, time and the person who asked. Never what a request says: no path
as it came, no query, no header, no body. So it can hold neither a text nor a secret. Not here: what uvicorn may say (`server`).
"""

import json
import logging
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab_app.settings import Settings

NOTED = "tokenlab.noted"
"""Where a request's scope has what its line says."""
UNKNOWN = "-"
"""Stands for the pattern if no route of the lab has the path."""
log = logging.getLogger("lab_app.requests")


def configure(settings: Settings) -> None:
    """Sets up the logs of this process, once."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if settings.log_format == "json" else _text_lines())
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])


def logs_requests(settings: Settings) -> bool:
    """Whether requests have lines."""
    return settings.log_level in ("debug", "info")


def _text_lines() -> logging.Formatter:
    lines = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    lines.converter = time.gmtime
    return lines


class JsonLines(logging.Formatter):
    """One JSON object per line: `time` (UTC), `level`, `logger`, `message`, those of a request, `exception`."""

    def __init__(self) -> None:
        super().__init__()
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        time_text = f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}Z"
        fields = {"time": time_text, "level": record.levelname.lower(), "logger": record.name}
        fields["message"] = record.getMessage()
        fields |= getattr(record, "request", {})
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


def note(scope: Scope, **facts: str) -> None:
    """Says what the line of a request tells: `path`, the pattern; `person`."""
    if NOTED in scope:
        scope[NOTED].update(facts)


class RequestLogMiddleware:
    """Writes the line of each request when it is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope[NOTED] = {}
        status: int | None = None  # of an answer that never began: the client has left, or the server has ended

        async def watched(message: Message) -> None:
            nonlocal status
            if status is None:
                status = message.get("status") or {"websocket.accept": 101, "websocket.close": 403}.get(message["type"])
            await send(message)

        begin = time.perf_counter()
        try:
            await self.app(scope, receive, watched)
        finally:
            _write(scope, status, time.perf_counter() - begin)


def _write(scope: Scope, status: int | None, elapsed_s: float) -> None:
    noted: dict[str, str] = scope[NOTED]
    facts: dict[str, Any] = {
        "method": "WEBSOCKET" if scope["type"] == "websocket" else scope["method"],
        "path": noted.get("path", UNKNOWN),
        "status": status,
        "ms": round(elapsed_s * 1e3, 1),
        "person": noted.get("person") or None,
    }
    shown = " ".join(str(UNKNOWN if each is None else each) for each in facts.values())
    log.info("%s", shown, extra={"request": facts})
