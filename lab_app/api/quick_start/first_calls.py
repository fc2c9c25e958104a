"""The few calls that the page makes while it opens, answered without FastAPI and pydantic, and those of one tokenizer without numpy.

These take a second to import, and the first tokens do not wait for them. A request is answered here only if it is one
that the page sends and if nothing goes wrong; otherwise the whole app (`app`) answers it. The answers are the same.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from starlette.responses import Response
from starlette.types import Receive, Scope

from lab_app.api.answers import comparison_frame, json_response, result_frame
from lab_app.api.guard.security import header
from lab_app.api.quick_start.small_bodies import again, is_small, read_body
from lab_app.api.request_log import note
from lab_app.api.window_requests import WindowRequests
from lab_app.engine import Specials
from lab_app.jobs.job import Job, Jobs
from lab_app.services import preferences
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.tokenizers import tokenizers
from lab_app.services.vocabularies import vocabulary

MAX_BODY_BYTES = 65_536
FRAME = "application/octet-stream"
VOCABULARY = re.compile(r"/api/v1/vocabulary/([A-Za-z0-9._-]+)")
FIRST_CHOICE = "bert-base-uncased"
"""The tokenizer that a page without preferences begins with (`lab_ui/js/app/tokenizers/catalog.js`)."""
IDS = re.compile(rb"ids=([0-9]{1,9}(?:(?:,|%2C)[0-9]{1,9})*)")

Fields = dict[str, Any]


class FirstCalls:
    """Answers for one lab."""

    def __init__(self, lab: Lab, window_requests: WindowRequests | None = None) -> None:
        self._lab = lab
        self._window_requests = window_requests

    def unfinished(self) -> list[Job]:
        """The jobs that wait or run."""
        return self._lab.jobs.unfinished()

    def prepare(self) -> None:
        """Opens the database, reads the catalog and loads the tokenizer that the page most likely shows: what takes longest
        the first time. No page need have asked yet."""
        with contextlib.suppress(Exception):  # the call that needs it fails too, and says so
            kept = preferences.load(self._lab)
            tokenizers.list_tokenizers(self._lab)
            self._lab.loaded.get_any(kept.get("active") or (kept.get("chosen") or [FIRST_CHOICE])[0])

    async def answer(self, scope: Scope, receive: Receive) -> tuple[Response | None, Receive]:
        """The answer, or None if the whole app is to answer. The second part is what it then receives from."""
        call = self._call(scope)
        if call is None:
            return None, receive
        note(scope, path=VOCABULARY.sub("/api/v1/vocabulary/{id}", scope["path"]))
        body = b""
        if scope["method"] == "POST":
            read = await read_body(receive)
            if read is None:  # the client has left: nobody reads the answer
                return Response(status_code=400), receive
            body, receive = read, again(read, receive)
        try:
            # Not starlette's threads: what they need takes 70 ms to import, for which every other answer would wait.
            return await asyncio.to_thread(call, body), receive
        except Exception:  # whatever it is, the whole app says it better
            return None, receive

    def _call(self, scope: Scope) -> Callable[[bytes], Response | None] | None:
        method, path, query = scope["method"], scope["path"], scope["query_string"]
        if method == "GET" and not query and path == "/api/v1/tokenizers":
            return lambda _: json_response(tokenizers.list_tokenizers(self._lab))
        if method == "GET" and not query and path == "/api/v1/jobs":  # the window asks before it closes
            return lambda _: json_response(Jobs(self._lab.jobs.jobs()))
        if method == "GET" and not query and path == "/api/v1/preferences":
            return lambda _: json_response(preferences.load(self._lab))
        if method == "GET" and (id := VOCABULARY.fullmatch(path)) and (ids := IDS.fullmatch(query)):
            numbers = [int(each) for each in ids[1].replace(b"%2C", b",").split(b",")]
            return lambda _: json_response(vocabulary.tokens(self._lab, id[1], numbers))
        if method == "POST" and path == "/api/v1/window" and self._window_requests is not None:
            return self._focus
        if method == "POST" and not query and path in self._bodies and is_small(scope, MAX_BODY_BYTES):
            return lambda body: self._bodies[path](self, body, header(scope, b"accept"))
        return None

    def _focus(self, _body: bytes) -> Response:
        """Another start asks for the window, and waits for no import."""
        assert self._window_requests is not None
        self._window_requests.focus()
        return Response(status_code=204)

    def _tokenize(self, body: bytes, accept: str) -> Response | None:
        fields = _fields(body, {"tokenizer": str, "text": str}, {"add_special_tokens": bool, "specials": str})
        if fields is None or FRAME not in accept:
            return None
        return result_frame(encode(self._lab, fields.pop("tokenizer"), fields.pop("text"), **fields))

    def _compare(self, body: bytes, accept: str) -> Response | None:
        from lab_app.services.text.compare import compare  # needs numpy

        optional = {"add_special_tokens": bool, "specials": str, "ignore_spaces": bool}
        fields = _fields(body, {"tokenizers": list, "text": str}, optional)
        if fields is None or FRAME not in accept or not all(isinstance(each, str) for each in fields["tokenizers"]):
            return None
        return comparison_frame(compare(self._lab, fields.pop("tokenizers"), fields.pop("text"), **fields))

    def _normalization_changes(self, body: bytes, _accept: str) -> Response | None:
        from lab_app.services.text.explain import changes_of  # needs numpy

        return self._of_text(changes_of, body)

    def _trace(self, body: bytes, _accept: str) -> Response | None:
        from lab_app.services.text.trace import trace_of

        return self._of_text(trace_of, body)

    def _of_text(self, service: Callable[..., object], body: bytes) -> Response | None:
        fields = _fields(body, {"tokenizer": str, "text": str}, {"specials": str})
        if fields is None:
            return None
        return json_response(service(self._lab, fields.pop("tokenizer"), fields.pop("text"), **fields))

    _bodies: Mapping[str, Callable[["FirstCalls", bytes, str], Response | None]] = {
        "/api/v1/tokenize": _tokenize,
        "/api/v1/compare": _compare,
        "/api/v1/normalization_changes": _normalization_changes,
        "/api/v1/trace": _trace,
    }


def _fields(body: bytes, required: Mapping[str, type], optional: Mapping[str, type]) -> Fields | None:
    """The fields of a body as keyword arguments, or None if they are not just these and of these types.

    >>> _fields(b'{"text": "a", "specials": "parse"}', {"text": str}, {"specials": str})
    {'text': 'a', 'specials': 'parse'}
    >>> _fields(b'{"text": 1}', {"text": str}, {})
    """
    types = {**required, **optional}
    given = json.loads(body.decode())
    if not isinstance(given, dict) or not required.keys() <= given.keys() <= types.keys():
        return None
    if any(type(value) is not types[name] for name, value in given.items()):
        return None
    return given if given.get("specials", "text") in get_args(Specials) else None
