"""Rows and charts of a training, and other tokenizers on its held-out text. Not here: trainings (`trainings`)."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from lab_app.errors import BadValue, LabError
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.trainings.results import Training, TrainingCurve, TrainingReference, TrainingSteps
from lab_app.services.trainings.runs import LiveTrainings, folder_of
from lab_app.services.trainings.trainings import load
from lab_app.training import saved
from lab_app.training.steps import CurvePoint, Row, Steps

MAX_ROWS = 1000
MAX_REFERENCES = 8
ENDED = ("done", "kept")
"""States with a finished tokenizer."""


def steps(lab: Lab, id: int, offset: int, limit: int, order: str) -> TrainingSteps:
    """Rows from the `offset`th on, the newest or the first of them first. Raises NotFound, BadValue."""
    if offset < 0 or not 0 <= limit <= MAX_ROWS:
        raise BadValue(f"{limit} rows from {offset} on", f"ask for at most {MAX_ROWS} rows from 0 on")
    if order not in ("newest", "first"):
        raise BadValue(f'there is no order "{order}"', "choose newest or first")
    found = _steps(lab, id)
    return TrainingSteps(len(found), found.rows(offset, limit, newest=order == "newest"))


def every_step(lab: Lab, id: int) -> list[Row]:
    """All rows, the first first. Raises NotFound."""
    found = _steps(lab, id)
    return found.rows(0, len(found), newest=False)


def curve(lab: Lab, id: int, tokenizers: Sequence[str] = ()) -> TrainingCurve:
    """The values of the charts, with `tokenizers` of the catalog on the same held-out text. Raises NotFound, BadValue."""
    if len(tokenizers) > MAX_REFERENCES:
        raise BadValue(f"{len(tokenizers)} tokenizers", f"name at most {MAX_REFERENCES}")
    found = _steps(lab, id)
    held, texts = _held_out(folder_of(lab, id))
    size = sum(len(text.encode()) for text in texts)
    references = [_reference(lab, each, texts, size) for each in tokenizers]
    points = _with_end(found.curve(size, held), load(lab, id))
    return TrainingCurve(points, found.counts(), found.losses(), references)


def _with_end(points: list[CurvePoint], training: Training) -> list[CurvePoint]:
    """The curve up to what the finished tokenizer makes of the held-out text: trainers of words and characters measure nothing
    before, and that of WordPiece counts merges, not longest matches."""
    held, size = training.held_out, training.vocab_size
    if training.state not in ENDED or held is None or held.bytes_per_token is None or size is None:
        return points
    before = [point for point in points if point.vocab_size != size]
    return [*before, CurvePoint(size, held.bytes_per_token, held.tokens)]


def _steps(lab: Lab, id: int) -> Steps:
    live = lab.own(LiveTrainings).find(id)
    if live is not None:
        return live.run.steps
    load(lab, id)
    path = folder_of(lab, id) / saved.STEPS
    try:
        facts = path.stat()
    except OSError:
        return Steps(path)
    return _read_steps(path, facts.st_size, facts.st_mtime_ns)


@lru_cache(maxsize=4)
def _read_steps(path: Path, size_bytes: int, modified_ns: int) -> Steps:
    """The steps in a file of that size and time."""
    return Steps(path)


def _held_out(folder: Path) -> tuple[int | None, list[str]]:
    """Tokens before the first step, and the held-out texts."""
    try:
        found = json.loads((folder / saved.HELD_OUT).read_text("utf-8"))
    except (OSError, ValueError):
        return None, []
    return found["first_tokens"], found["texts"]


def _reference(lab: Lab, id: str, texts: list[str], size_bytes: int) -> TrainingReference:
    entry, tokenizer = lab.loaded.get(id)
    tokens = unknown = 0
    try:
        with translate_engine_errors():
            ids = tokenizer.encode_ids_batch(texts)[0]
            tokens = len(ids)
            if tokenizer.unknown_id is not None:
                unknown = int(np.count_nonzero(ids == tokenizer.unknown_id))
    except LabError:
        tokens = 0
    ratio, rate = (size_bytes / tokens, unknown / tokens) if tokens else (None, None)
    return TrainingReference(entry.id, entry.name, tokenizer.vocab_size, ratio, rate, tokenizer.lossy)
