"""The parameter that every endpoint has: the lab this app was made for."""

from typing import Annotated

from fastapi import Depends, Request

from lab_app.services.lab import Lab


async def _lab(request: Request) -> Lab:  # async: another kind would be called in a thread of its own
    lab = request.app.state.lab
    assert isinstance(lab, Lab)
    return lab


TheLab = Annotated[Lab, Depends(_lab)]
