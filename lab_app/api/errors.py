"""Every error of the interface in one shape: `{"error": {"code", "message", "hint"}}`.

Not here: what FastAPI and pydantic find wrong (`handlers`).
"""

from dataclasses import dataclass

from starlette.responses import JSONResponse

from lab_app import errors


@dataclass(frozen=True)
class ErrorFields:
    """What is wrong, and what to do."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True)
class ErrorAnswer:
    """Every error of the interface."""

    error: ErrorFields


STATUS: dict[type[errors.LabError], int] = {
    errors.BadRequest: 400,
    errors.BadValue: 422,
    errors.Unauthorized: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.NotAllowed: 405,
    errors.Conflict: 409,
    errors.DocumentClosed: 410,
    errors.TooLarge: 413,
    errors.EncodeFailed: 422,
    errors.DecodeFailed: 422,
    errors.LoadFailed: 422,
    errors.TrainFailed: 422,
    errors.StoreFailed: 503,
    errors.DiskFull: 507,
    errors.Unavailable: 503,
    errors.Gated: 403,
    errors.TokenRefused: 403,
    errors.Cancelled: 409,
    errors.Interrupted: 409,
}


def status_of(error: errors.LabError) -> int:
    """The HTTP status of an error.

    >>> status_of(errors.NotFound("no"))
    404
    """
    return STATUS.get(type(error), 500)


def response_of(error: errors.LabError) -> JSONResponse:
    """The answer that tells an error."""
    return JSONResponse(error.as_json(), status_of(error))
