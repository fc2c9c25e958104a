"""Reads JSON files that somebody else may have written, with faults that name the place.

Not here: what the files hold (`sessions.files`, `exercises.files`, `exercises.playlists`, `suites`).
"""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from lab_app.errors import LabError

SHOWN_FAULTS = 3

M = TypeVar("M", bound=BaseModel)

Short = Annotated[str, Field(max_length=200)]


def _moment(text: str) -> str:
    datetime.fromisoformat(text)
    return text


Moment = Annotated[str, AfterValidator(_moment)]
"""A date and a time in ISO 8601."""


class FileModel(BaseModel):
    """Fields of a file: each has the type that JSON gives it, and there are no others."""

    model_config = ConfigDict(strict=True, extra="forbid")


def parsed(content: str | bytes, refused: Callable[[str], LabError]) -> object:
    """The JSON of a file. Raises what `refused` makes of the fault, which has line and column.

    >>> parsed("[1]", LabError)
    [1]
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise refused(str(error)) from None


def validated(model: type[M], value: object, refused: Callable[[str], LabError]) -> M:
    """The fields of a file. Raises what `refused` makes of the first faults."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise refused(faults(error)) from None


def faults(error: Exception) -> str:
    """The first faults that pydantic has found, each with its place; of another error its words."""
    if not isinstance(error, ValidationError):
        return str(error)
    found = [
        f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg']}"
        for each in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return "; ".join(found[:SHOWN_FAULTS])
