"""Two tokenizers beside each other, whatever the text: `/transfer`, `/compatibility`, `/difference`."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from lab_app.api.bodies import described, parse
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import relations as answers
from lab_app.api.schemas.requests import TransferBody, TwoTokenizersBody
from lab_app.errors import BadValue
from lab_app.services.compatibility import compatibility as compatibility_of
from lab_app.services.difference import difference as difference_of
from lab_app.services.transfer import transfer as transfer_ids
from lab_app.services.transfer import transfer_text

router = APIRouter(tags=["compare"])


@router.post(
    "/transfer",
    summary="Convert ids to another vocabulary",
    openapi_extra=described(TransferBody),
    responses={200: {"model": answers.Transfer}},
)
def transfer(lab: TheLab, body: RawBody) -> Response:
    """Ids of one tokenizer as ids of another, and what is lost."""
    asked = parse(TransferBody, body)
    if (asked.text is None) == (asked.ids is None):
        raise BadValue("a transfer needs text or ids", "send one of the two")
    if asked.ids is not None:
        return JSONResponse(transfer_ids(lab, asked.source, asked.target, asked.ids).as_json())
    return JSONResponse(
        transfer_text(lab, asked.source, asked.target, asked.text or "", specials=asked.specials).as_json()
    )


@router.post(
    "/compatibility",
    summary="Report how far one tokenizer can replace another",
    openapi_extra=described(TwoTokenizersBody),
    responses={200: {"model": answers.Compatibility}},
)
def compatibility(lab: TheLab, body: RawBody) -> Response:
    """What two vocabularies share, and what a table of embeddings could keep."""
    asked = parse(TwoTokenizersBody, body)
    return JSONResponse(compatibility_of(lab, asked.a, asked.b, asked.text, specials=asked.specials).as_json())


@router.post(
    "/difference",
    summary="List the differences between two tokenizers",
    openapi_extra=described(TwoTokenizersBody),
    responses={200: {"model": answers.Difference}},
)
def difference(lab: TheLab, body: RawBody) -> Response:
    """Stages, vocabulary, merges and added tokens that differ, and the effect on a text."""
    asked = parse(TwoTokenizersBody, body)
    return JSONResponse(difference_of(lab, asked.a, asked.b, asked.text, specials=asked.specials).as_json())
