"""Vocabularies over HTTP: `/vocabulary/{id}` and what is below it."""

from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Response
from fastapi.responses import StreamingResponse

from lab_app.api.file_answers import file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import TruncateBody
from lab_app.api.routes.lab import TheLab
from lab_app.errors import BadValue
from lab_app.services.vocabularies import search as vocabulary_search
from lab_app.services.vocabularies import vocabulary

router = json_router("vocabulary")


def _query(
    q: Annotated[str, Query(description="The query, interpreted according to `mode`.")] = "",
    mode: Annotated[
        vocabulary_search.Mode, Query(description="A text, a regular expression, bytes in hex, or IDs: first-last.")
    ] = "text",
    ignore_case: Annotated[bool, Query(description="Ignore case.")] = True,
    kind: Annotated[list[str], Query(description="Filter by kind; may be repeated.")] = [],  # noqa: B006
    script: Annotated[list[str], Query(description="Filter by script; may be repeated.")] = [],  # noqa: B006
    verdict: Annotated[list[str], Query(description="Filter by verdict of the audit; may be repeated.")] = [],  # noqa: B006
    shortest: Annotated[int, Query(ge=0, description="Fewest bytes.")] = 0,
    longest: Annotated[int | None, Query(ge=0, description="Most bytes.")] = None,
    order: vocabulary_search.Order = "id",
    descending: Annotated[bool, Query(description="The largest first.")] = False,
) -> vocabulary_search.Query:
    return vocabulary_search.Query(
        q, mode, ignore_case, tuple(kind), tuple(script), tuple(verdict), shortest, longest, order, descending
    )


Search = Annotated[vocabulary_search.Query, Depends(_query)]


@router.get("/vocabulary/{id}", summary="Look tokens up")
def look_up(
    lab: TheLab, id: str, ids: Annotated[str, Query(description="IDs separated by commas, at most 1,000.")]
) -> vocabulary.VocabularyTokens:
    """The tokens of some IDs."""
    try:
        numbers = [int(each) for each in ids.split(",")] if ids else []
    except ValueError:
        raise BadValue(f'ids cannot be "{ids[:80]}"', "give numbers separated by commas") from None
    return vocabulary.tokens(lab, id, numbers)


@router.get("/vocabulary/{id}/search", summary="Search a vocabulary")
def search(
    lab: TheLab,
    id: str,
    query: Search,
    offset: Annotated[int, Query(ge=0, description="The number of tokens to skip.")] = 0,
    limit: Annotated[
        int, Query(ge=0, le=vocabulary_search.MAX_ROWS, description="The maximum number of tokens.")
    ] = 100,
) -> vocabulary_search.VocabularyPage:
    """One page of the matches, and counts of all of them."""
    return vocabulary_search.search(lab, id, query, offset, limit)


@router.get("/vocabulary/{id}/token/{token_id}", summary="Describe one token")
def token(lab: TheLab, id: str, token_id: Annotated[int, Path(ge=0, lt=2**32)]) -> vocabulary.TokenDetail:
    """How merges build one token, the tokens that contain it, its variants, and whether some text produces it."""
    return vocabulary.token(lab, id, token_id)


@router.get("/vocabulary/{id}/audit", summary="Audit which tokens a text can produce")
def audit(lab: TheLab, id: str) -> vocabulary_search.Audit:
    """Counts of reachable, unreachable and undecided tokens, with the reasons."""
    return vocabulary_search.audit(lab, id)


@router.get(
    "/vocabulary/{id}/export",
    summary="Export a vocabulary",
    response_class=StreamingResponse,
    responses={200: {"model": list[vocabulary_search.ExportedToken], "content": {"text/csv": {}}}},
)
def export(lab: TheLab, id: str, query: Search, format: Literal["csv", "json"] = "csv") -> Response:
    """All matches of a search, as a file."""
    name = "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "_" for each in id)
    return file_answer(vocabulary_search.export(lab, id, query, format), f"{name}-vocabulary.{format}")


@router.post("/vocabulary/{id}/truncate", summary="Encode a text with a truncated vocabulary")
def truncate(lab: TheLab, id: str, body: TruncateBody) -> vocabulary.TruncatedVocabulary:
    """A text under the first merges of the tokenizer, or its best scores."""
    return vocabulary.truncate(lab, id, body.size, body.text)
