"""Names and notes of kept results: `/labels`."""

from lab_app.api.json_route import json_router
from lab_app.api.requests import LabelBody
from lab_app.api.routes.lab import TheLab
from lab_app.services import labels
from lab_app.services.labels import Labels
from lab_app.store.labels import Kind, Label

router = json_router("labels")


@router.get("/labels", summary="List the names and notes of results")
def list_labels(lab: TheLab) -> Labels:
    """Of analyses, benchmarks, trainings and sessions: those that somebody named or wrote about."""
    return labels.list_labels(lab)


@router.put("/labels/{kind}/{id}", summary="Name a result and write a note about it")
def put(lab: TheLab, kind: Kind, id: int, body: LabelBody) -> Label:
    """In place of the name and note that it had. With an empty name it has the lab's own again."""
    return labels.put(lab, kind, id, body.name, body.note)
