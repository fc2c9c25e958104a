"""Recipes over HTTP: `/compose`. Not here: keeping one (`POST /tokenizers`)."""

from lab_app.api.json_route import json_router
from lab_app.api.requests import ComposeBody
from lab_app.api.routes.lab import TheLab
from lab_app.library.recipe import Recipe
from lab_app.services.text.results import EncodingResult
from lab_app.services.tokenizers import recipes

router = json_router("tokenizers")


@router.get("/compose", summary="List the blocks of a recipe")
def blocks() -> recipes.Blocks:
    """Names of normalizers and pretokenizers."""
    return recipes.blocks()


@router.post("/compose", summary="Try a recipe on a text")
def preview(lab: TheLab, body: ComposeBody) -> EncodingResult:
    """The tokens of a text under a recipe. The tokenizer is not added."""
    return recipes.preview(lab, Recipe.of(body.recipe), body.text).whole()
