"""The window: `/window`. A second start of the lab asks the first to come forward, and to open files."""

from typing import Annotated

from fastapi import Depends, Request

from lab_app.api.json_route import json_router
from lab_app.api.requests import FilesBody
from lab_app.api.routes.lab import TheLab
from lab_app.api.uploads import full_path
from lab_app.api.window_requests import WindowRequests
from lab_app.errors import NotFound
from lab_app.services.corpora.opening import OpenedFiles, open_files

router = json_router("window")


async def _requests(request: Request) -> WindowRequests:
    found = request.app.state.window_requests
    if not isinstance(found, WindowRequests):
        raise NotFound("this server has no window", "open its address in a browser")
    return found


Requests = Annotated[WindowRequests, Depends(_requests)]


@router.post("/window", status_code=204, summary="Bring the window forward")
def focus(requests: Requests) -> None:
    """404 if this server has no window."""
    requests.focus()


@router.post("/window/files", status_code=204, summary="Open files in the window")
def hand_over(requests: Requests, body: FilesBody) -> None:
    """Files and folders of this machine. The window comes forward, and its page opens them. 404 if this server has no window."""
    requests.open_files([full_path(path) for path in body.paths])


@router.post("/window/opened", summary="Take the files that wait for the page")
def opened(requests: Requests, lab: TheLab) -> OpenedFiles:
    """Opens the files that were handed over since the last call: tokenizers are added, one text is read, more texts, tables and
    folders become a corpus. 404 if this server has no window."""
    return open_files(lab, requests.take_files())
