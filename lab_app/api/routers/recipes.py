"""Recipes over HTTP: `/compose`. Not here: keeping one (`POST /tokenizers`)."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from lab_app.api.bodies import described, parse
from lab_app.api.json_route import json_response
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import answers
from lab_app.api.schemas.requests import ComposeBody
from lab_app.library.recipe import Recipe
from lab_app.services import recipes
from lab_app.services.results import EncodingResult

router = APIRouter(tags=["tokenizers"])


@router.get("/compose", summary="List the blocks of a recipe", responses={200: {"model": answers.Blocks}})
def blocks() -> Response:
    """Names of normalizers and pretokenizers."""
    return JSONResponse(recipes.blocks())


@router.post(
    "/compose",
    summary="Try a recipe on a text",
    openapi_extra=described(ComposeBody),
    responses={200: {"model": EncodingResult}},
)
def preview(lab: TheLab, body: RawBody) -> Response:
    """The tokens of a text under a recipe. The tokenizer is not added."""
    asked = parse(ComposeBody, body)
    return json_response(recipes.preview(lab, Recipe.of(asked.recipe), asked.text).whole())
