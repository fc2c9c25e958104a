"""The page's preferences: `/preferences`."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from lab_app.api.bodies import described, parse
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import answers
from lab_app.api.schemas.requests import PreferencesBody
from lab_app.services import preferences

router = APIRouter(tags=["preferences"])


@router.get("/preferences", summary="Read the preferences", responses={200: {"model": answers.Preferences}})
def load(lab: TheLab) -> Response:
    """The object saved last, {} before the first."""
    return JSONResponse(preferences.load(lab))


@router.put(
    "/preferences",
    summary="Replace the preferences",
    openapi_extra=described(PreferencesBody),
    responses={200: {"model": answers.Preferences}},
)
def save(lab: TheLab, body: RawBody) -> Response:
    """Any object of at most 64 kB of JSON."""
    return JSONResponse(preferences.save(lab, parse(PreferencesBody, body).root))
