"""Checks an answer of the interface against the model that its route declares: nothing missing, added or of another type."""

import functools
import json
from typing import Any

from fastapi.routing import APIRoute
from httpx2 import Response
from pydantic import TypeAdapter

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.api.app import ROUTES
from lab_app.api.errors import ErrorAnswer
from lab_app.api.frame import MEDIA_TYPE, unpack
from lab_app.api.json_route import API
from lab_app.benchmarks.result import BenchmarkResult
from lab_app.jobs.job import Job, Jobs
from lab_app.reports.text import ExportedComparison, ExportedEncoding
from lab_app.reports.training import TrainingReport
from lab_app.services.lessons.lessons import LessonFacts
from lab_app.services.sessions.files import SessionContent
from lab_app.services.text.compare import ComparisonHead
from lab_app.services.text.documents import EditHead, OpenedHead
from lab_app.services.text.encode import BatchHead
from lab_app.services.text.excerpts import ExcerptHead
from lab_app.services.text.results import EncodingSummary
from lab_app.services.vocabularies.search import ExportedToken

HEADERS = {
    "/tokenize": EncodingSummary,
    "/tokenize_batch": BatchHead,
    "/compare": ComparisonHead,
    "/lessons/{name}": LessonFacts,
    "/documents": OpenedHead,
    "/documents/excerpt": ExcerptHead,
    "/documents/{id}/edits": EditHead,
}
"""The headers of frames."""
FILES = {
    "/analyses/{id}/file": CorpusResult,
    "/benchmarks/{id}/file": BenchmarkResult,
    "/export": ExportedEncoding | ExportedComparison,
    "/vocabulary/{id}/export": list[ExportedToken],
    "/sessions/{id}/file": SessionContent,
    "/trainings/{id}/report": TrainingReport,
}
"""The content of files in JSON."""
EVENTS = {"/jobs/events": Jobs, "/jobs/{id}/events": Job}
"""The data of server-sent events."""
OTHERS = {"/trainings/{id}/file", "/tokenize_rows"}
"""Files of formats that others define."""
TEXTS = (
    "text/csv",
    "text/html",
    "text/markdown",
    "application/x-tex",
    "application/vnd.apache.parquet",
    "application/zip",
)


def check(response: Response) -> None:
    """Raises if an answer under `/api/v1` is not as declared."""
    route = route_of(response.request.method, response.request.url.path)
    kind = response.headers.get("content-type", "").partition(";")[0]
    if response.status_code >= 400 and kind == "application/json":
        check_json(ErrorAnswer, response.content)
    elif route is None or response.status_code == 204 or kind in TEXTS or path_of(route) in OTHERS:
        return
    elif kind == MEDIA_TYPE:
        header, _ = unpack(response.content)
        del header["arrays"]
        check_json(HEADERS[path_of(route)], json.dumps(header))
    elif kind == "text/event-stream":
        for event in response.text.split("\n\n"):
            if event.startswith("data: "):
                check_json(EVENTS[path_of(route)], event.removeprefix("data: "))
    else:
        check_json(model_of(route, response.status_code), response.content)


def route_of(method: str, path: str) -> APIRoute | None:
    """The route that answers a request."""
    own = (route for route in ROUTES if isinstance(route, APIRoute))
    return next((route for route in own if method in route.methods and route.path_regex.match(path)), None)


def path_of(route: APIRoute) -> str:
    """The path of a route, below the prefix."""
    return route.path.removeprefix(API)


def model_of(route: APIRoute, status: int) -> Any:
    """The model of a route's answers with a status."""
    if status == (route.status_code or 200):
        return FILES.get(path_of(route), route.response_model)
    return route.responses[status]["model"]


def check_json(model: Any, content: bytes | str) -> None:
    """Raises if `content` is not a value of `model`, or has more fields."""
    adapter = _adapter(model)
    value = adapter.validate_json(content, strict=True)
    assert adapter.dump_python(value, mode="json") == json.loads(content), model


@functools.cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)
