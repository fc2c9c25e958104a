"""What the lab encoded since it started: `/metrics` and `/metrics/{id}` below the prefix.

`root` has Prometheus's own address, `/metrics` without the prefix. All of them need the secret, as every call does: they
tell which tokenizers somebody uses, and how much.
"""

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from lab_app.api.json_route import json_router
from lab_app.api.routes.lab import TheLab
from lab_app.services.live_metrics import LiveMetrics, MetricsOfTokenizer, live_metrics, metrics_of, prometheus_text

router = json_router("metrics")


@router.get("/metrics", summary="Count what was encoded")
def all_metrics(lab: TheLab) -> LiveMetrics:
    """Every tokenizer that encoded something since the lab started."""
    return live_metrics(lab)


@router.get("/metrics/{id:path}", summary="Count what one tokenizer encoded")
def metrics(lab: TheLab, id: str) -> MetricsOfTokenizer:
    """Texts, tokens, characters per token, the time of each stage, and memory. Zeros if it encoded nothing yet."""
    return metrics_of(lab, id)


root = APIRouter()


@root.get("/metrics", summary="The same for Prometheus", tags=["metrics"], response_class=PlainTextResponse)
def prometheus(lab: TheLab) -> Response:
    """In Prometheus's text format."""
    content, media_type = prometheus_text(lab)
    return Response(content, media_type=media_type)
