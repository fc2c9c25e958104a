"""Trainings of tokenizers: `/trainings`. Not here: watching their jobs (`jobs`)."""

from typing import Annotated

from fastapi import Query, Response

from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.routes.figures import Letters
from lab_app.api.routes.lab import TheLab
from lab_app.api.routes.training_bodies import TrainedTokenizerBody, TrainingBody
from lab_app.charts.training.registry import HEIGHT_PX, WIDTH_PX
from lab_app.reports import training as training_report
from lab_app.reports import training_charts
from lab_app.services.tokenizers.tokenizers import CatalogEntry
from lab_app.services.trainings import files, trainings
from lab_app.services.trainings import steps as training_steps
from lab_app.services.trainings.results import (
    Training,
    TrainingBeginning,
    TrainingChoices,
    TrainingCurve,
    TrainingForecast,
    TrainingFormats,
    TrainingList,
    TrainingLog,
    TrainingSteps,
)

router = json_router("trainings")

Tokenizers = Annotated[str, Query(description="IDs of other tokenizers for the held-out text, with commas.")]
Pixels = Annotated[int, Query(ge=100, le=10_000)]


@router.get("/trainings", summary="List the trainings")
def list_trainings(lab: TheLab) -> TrainingList:
    """The newest first."""
    return trainings.list_trainings(lab)


@router.post("/trainings", summary="Train a tokenizer", status_code=202)
def start(lab: TheLab, body: TrainingBody) -> Training:
    """The training, whose `job` is its job. Options and sources are checked before it starts."""
    return trainings.start(lab, body.request())


@router.get("/trainings/options", summary="List presets and practice corpora")
def choices() -> TrainingChoices:
    """What a training can be made of."""
    return trainings.choices()


@router.post("/trainings/estimate", summary="Estimate a training")
def estimate(lab: TheLab, body: TrainingBody) -> TrainingForecast:
    """Time and memory, from a sample that is counted now; null if not measured."""
    return trainings.estimate(lab, body.request())


@router.get("/trainings/{id}", summary="Get a training")
def load(lab: TheLab, id: int) -> Training:
    """How far it is."""
    return trainings.load(lab, id)


@router.delete("/trainings/{id}", summary="Cancel or delete a training", status_code=204)
def remove(lab: TheLab, id: int) -> None:
    """One that runs is cancelled and stays in the list; one that has ended is deleted."""
    trainings.remove(lab, id)


@router.get("/trainings/{id}/steps", summary="Get the steps of a training")
def steps(
    lab: TheLab,
    id: int,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=0, le=training_steps.MAX_ROWS)] = 200,
    order: Annotated[str, Query(description="newest or first.")] = "newest",
) -> TrainingSteps:
    """Merges, words, characters or iterations."""
    return training_steps.steps(lab, id, offset, limit, order)


@router.get("/trainings/{id}/curve", summary="Get the values of the charts of a training")
def curve(lab: TheLab, id: int, tokenizers: Tokenizers = "") -> TrainingCurve:
    """Compression of the held-out text, counts and losses, at most 500 points each."""
    return training_steps.curve(lab, id, _listed(tokenizers))


@router.get("/trainings/{id}/figures", summary="Get the charts of a training")
def figures(
    lab: TheLab,
    id: int,
    tokenizers: Tokenizers = "",
    letters: Letters = "",
    width: Pixels = WIDTH_PX,
    height: Pixels = HEIGHT_PX,
) -> training_charts.TrainingFigures:
    """The charts as they are now, as plotly's JSON; names are placed for a drawing of `width` x `height` px."""
    return training_charts.figures(lab, id, _listed(tokenizers), letters, width, height)


@router.get("/trainings/{id}/beginning", summary="Get the beginning of the text of a training")
def beginning(lab: TheLab, id: int) -> TrainingBeginning:
    """The first 4000 bytes, as they were read."""
    return trainings.beginning(lab, id)


@router.get("/trainings/{id}/log", summary="Get the log of a training")
def log(lab: TheLab, id: int) -> TrainingLog:
    """What happened, oldest first."""
    return trainings.log(lab, id)


@router.post("/trainings/{id}/pause", summary="Pause a training")
def pause(lab: TheLab, id: int) -> Training:
    """It writes a checkpoint and waits."""
    return trainings.pause(lab, id)


@router.post("/trainings/{id}/continue", summary="Continue a paused training")
def go_on(lab: TheLab, id: int) -> Training:
    """It goes on where it was."""
    return trainings.go_on(lab, id)


@router.post("/trainings/{id}/keep", summary="Stop a training and keep its tokenizer")
def keep(lab: TheLab, id: int) -> Training:
    """It ends with the tokenizer of its last step."""
    return trainings.stop_and_keep(lab, id)


@router.post("/trainings/{id}/resume", summary="Resume a training from its checkpoint")
def resume(lab: TheLab, id: int) -> Training:
    """For one that was killed, cancelled or has failed."""
    return trainings.resume(lab, id)


@router.post("/trainings/{id}/tokenizer", summary="Add a trained tokenizer to the catalog", status_code=201)
def add_to_catalog(lab: TheLab, id: int, body: TrainedTokenizerBody) -> CatalogEntry:
    """A copy of the tokenizer as it is now; the training goes on."""
    return files.add_to_catalog(lab, id, body.name)


@router.get(
    "/trainings/{id}/file",
    summary="Save a trained tokenizer to a file",
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def file(
    lab: TheLab,
    id: int,
    format: Annotated[str, Query(description="tokenizer.json, vocab.txt, sentencepiece ...")] = "tokenizer.json",
) -> Response:
    """The tokenizer as it is now."""
    found = files.file(lab, id, format)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
    return Response(found.content, media_type=found.media_type, headers=headers)


@router.get(
    "/trainings/{id}/report",
    summary="Save a report of a training",
    responses=declared_files(training_report.FORMATS),
)
def report(
    lab: TheLab,
    id: int,
    format: Annotated[str, Query(description="html, md, tex, csv (all steps) or json (everything).")] = "html",
    tokenizers: Tokenizers = "",
) -> Response:
    """Options, figures, curve, steps, and the command that repeats the training."""
    content = training_report.write(lab, id, format, _listed(tokenizers))
    return file_answer(content, f"training-{id}.{format}")


@router.get("/trainings/{id}/formats", summary="List the formats of a trained tokenizer")
def formats(lab: TheLab, id: int) -> TrainingFormats:
    """Which formats can hold the tokenizer as it is now, and why the others cannot."""
    return files.formats(lab, id)


def _listed(ids: str) -> list[str]:
    return [each for each in ids.split(",") if each]
