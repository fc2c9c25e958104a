"""Makes the app: checks, calls, page. Nothing is opened or started here; a server runs what `create_app` returns."""

import logging

from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware

from lab_app import paths
from lab_app.api import docs, guide, handlers
from lab_app.api.guard.checks import security_middleware
from lab_app.api.page import Page
from lab_app.api.quick_start.quick import QuickCallsMiddleware, quick_calls
from lab_app.api.routes import (
    analyses,
    benchmark_figures,
    benchmarks,
    chat,
    concordance,
    conformance,
    corpora,
    costs,
    documents,
    edits,
    encoding,
    exercises,
    explain,
    export,
    figures,
    handouts,
    jobs,
    labels,
    lessons,
    metrics,
    preferences,
    recipes,
    relations,
    robustness,
    sessions,
    tokenizers,
    trainings,
    vocabulary,
    window,
)
from lab_app.api.routes.lab import TheLab
from lab_app.api.window_requests import WindowRequests
from lab_app.errors import StoreFailed, Unavailable
from lab_app.services.lab import Lab
from lab_app.settings import Settings, with_token
from lab_app.store.preferences import theme
from lab_app.version import LAB, lab_version

ROUTERS = (
    encoding.router,
    tokenizers.router,
    recipes.router,
    edits.router,
    vocabulary.router,
    documents.router,
    explain.router,
    chat.router,
    relations.router,
    analyses.router,
    figures.router,
    conformance.router,
    concordance.router,
    robustness.router,
    costs.router,
    benchmarks.router,
    benchmark_figures.router,
    trainings.router,
    export.router,
    handouts.router,
    jobs.router,
    corpora.router,
    labels.router,
    exercises.router,  # before `/lessons/{name}`
    lessons.router,
    sessions.router,
    preferences.router,
    window.router,
    metrics.router,
)
ROUTES = [route for router in ROUTERS for route in router.routes]
"""Every call below `/api/v1`, built once for all apps."""
root = APIRouter()
"""The others. FastAPI remembers their functions for ever: one made in `create_app` would keep its app."""


@root.get("/healthz", summary="Whether the server is up", tags=["server"])
async def healthz() -> dict[str, str]:
    """Needs no secret, tells nothing but the version, and waits for no other request."""
    return {"status": "ok", "version": lab_version()}


@root.get("/readyz", summary="Whether the server takes requests", tags=["server"])
def readyz(lab: TheLab) -> dict[str, str]:
    """Needs no secret. 503 while the lab starts, while it ends, and where its database cannot be used."""
    try:
        with lab.database.read() as connection:
            connection.execute("SELECT 1")
    except StoreFailed as error:
        logging.getLogger(__name__).warning("not ready: %s", error)
        raise Unavailable("the lab's database cannot be used", "read in its log why") from None
    return {"status": "ready"}


def create_app(
    settings: Settings, lab: Lab | None = None, window_requests: WindowRequests | None = None, *, checks: bool = True
) -> FastAPI:
    """The lab's ASGI app.

    `settings.token` is the secret of the run; where it is empty a new one is made, `app.state.token` has it. `lab` spares
    making another one. `window_requests` take what later starts ask of the window. `guard.checks`: false if the caller checks requests.
    """
    settings = with_token(settings)
    lab = lab or Lab(settings)
    app = FastAPI(
        title=LAB,
        version=lab_version(),
        docs_url=None,
        redoc_url=None,
        middleware=[
            *(security_middleware(settings) if checks else []),
            Middleware(handlers.LastResort),
            Middleware(QuickCallsMiddleware, lab=lab, calls=quick_calls(ROUTES)),
        ],
    )
    app.state.lab = lab
    app.state.token = settings.token
    app.state.window_requests = window_requests
    handlers.install(app)
    app.router.routes.extend([*ROUTES, *root.routes, *metrics.root.routes, *docs.router.routes, *guide.router.routes])
    # What no call has an address for is a file; mounted at "/" it would also take calls with the wrong method.
    app.router.default = Page(
        paths.page(),
        bundled=not settings.dev,
        max_request_bytes=int(settings.max_request_mb * 1e6),
        theme=lambda: theme(lab.database),
    )
    return app
