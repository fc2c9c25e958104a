"""The window: `/window`. A second start of the lab asks the first to come forward."""

from fastapi import Request

from lab_app.api.json_route import json_router
from lab_app.errors import NotFound

router = json_router("window")


@router.post("/window", status_code=204, summary="Bring the window forward")
def focus(request: Request) -> None:
    """404 if this server has no window."""
    on_focus = request.app.state.on_focus
    if on_focus is None:
        raise NotFound("this server has no window", "open its address in a browser")
    on_focus()
