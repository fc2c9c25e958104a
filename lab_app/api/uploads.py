"""Files and paths that requests name. Not here: how large a body may be (`guard.limits`)."""

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from lab_app.api.bodies import turn
from lab_app.errors import BadValue, Unavailable

MAX_NAME_BYTES = 255


def full_path(given: str) -> Path:
    """A path that a request names, with `~` as the user's folder. Raises BadValue if it does not start at a root.

    >>> full_path("/tmp/x").as_posix()
    '/tmp/x'
    """
    try:
        path = Path(given).expanduser()
    except RuntimeError:
        path = Path(given)
    if not path.is_absolute():
        raise BadValue(f'"{given}" is not a full path', "give a path from the root of the file system")
    return path


def form_of_files(**fields: dict[str, str]) -> dict[str, Any]:
    """What the OpenAPI document says of a body of `files` and other fields, each with its schema."""
    files = {"type": "array", "items": {"type": "string", "format": "binary"}}
    schema = {"type": "object", "required": ["files"], "properties": {"files": files, **fields}}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


def sent_files(at_most: int) -> Callable[[Request], AsyncIterator[FormData]]:
    """Takes the form of a request with so many files at most, when it is the turn of files of their size."""

    async def form(request: Request) -> AsyncIterator[FormData]:
        async with request.form(max_files=at_most, max_fields=8) as sent:
            sizes = [each.size or 0 for _, each in sent.multi_items() if isinstance(each, UploadFile)]
            async with turn(sum(sizes)):
                yield sent

    return form


def write_uploads(form: FormData, folder: Path) -> list[Path]:
    """Writes the files of the field `files` into `folder`, under the names they have.

    Raises BadValue without files, or for a name that cannot be one or comes twice; Unavailable if there is no room.
    """
    uploads = [upload for upload in form.getlist("files") if isinstance(upload, UploadFile)]
    if not uploads:
        raise BadValue("files is missing", "send at least one file as the field `files` of a multipart/form-data body")
    return [_write(upload, folder) for upload in uploads]


def _write(upload: UploadFile, folder: Path) -> Path:
    # A browser may send a path, and anyone may send "../"; only the last part is a name.
    name = (upload.filename or "").replace("\\", "/").rpartition("/")[2]
    if name in ("", ".", "..") or "\0" in name or len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        raise BadValue(f"a file cannot be called {upload.filename!r:.80}", "send its name")
    to = folder / name
    try:
        with to.open("xb") as target:
            shutil.copyfileobj(upload.file, target)
    except FileExistsError:
        raise BadValue(f"two of the files are called {name}", "send each file once, under its own name") from None
    except OSError as error:
        raise Unavailable(f"{name} cannot be kept: {error.strerror}", "make room for temporary files") from error
    return to


def field_of(form: FormData, name: str) -> str | None:
    """The value of a field of text; None if it is missing or empty."""
    value = form.get(name)
    return value if isinstance(value, str) and value else None
