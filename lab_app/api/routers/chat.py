"""Messages to tokens: `/chat`."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from lab_app.api.bodies import described, parse
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import answers
from lab_app.api.schemas.requests import ChatBody
from lab_app.services import chat as chats

router = APIRouter(tags=["encode"])


@router.post(
    "/chat",
    summary="Render messages and encode them",
    openapi_extra=described(ChatBody),
    responses={200: {"model": answers.Chat}},
)
def chat(lab: TheLab, body: RawBody) -> Response:
    """The text that a chat template makes of messages, and its tokens."""
    asked = parse(ChatBody, body)
    found = chats.chat(
        lab,
        asked.tokenizer,
        asked.messages,
        tools=asked.tools,
        add_generation_prompt=asked.add_generation_prompt,
        template=asked.template,
        template_text=asked.template_text,
        variables=asked.variables,
    )
    return JSONResponse(found.as_json())


@router.get(
    "/chat/{id}", summary="List a tokenizer's chat templates", responses={200: {"model": answers.ChatTemplates}}
)
def templates(lab: TheLab, id: str) -> Response:
    """Their names; none where the tokenizer brings none."""
    return JSONResponse({"templates": chats.template_names(lab, id)})
