"""Messages to tokens: `/chat`."""

from lab_app.api.json_route import json_router
from lab_app.api.requests import ChatBody, ChatCountBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.text import chat as chats

router = json_router("encode")


@router.post("/chat", summary="Render messages and encode them")
def chat(lab: TheLab, body: ChatBody) -> chats.Chat:
    """The text that a chat template makes of messages, and its tokens."""
    return chats.chat(
        lab,
        body.tokenizer,
        body.messages,
        tools=body.tools,
        add_generation_prompt=body.add_generation_prompt,
        template=body.template,
        template_text=body.template_text,
        variables=body.variables,
    ).whole()


@router.post("/chat/count", summary="Count messages by a published rule")
def count(lab: TheLab, body: ChatCountBody) -> chats.ChatCount:
    """The tokens of each message, with what is around it, for `cl100k_base` and `o200k_base`."""
    return chats.count_messages(lab, body.tokenizer, body.messages)


@router.get("/chat/{id}", summary="List a tokenizer's chat templates")
def templates(lab: TheLab, id: str) -> chats.ChatTemplates:
    """Their names; empty if the tokenizer has none."""
    return chats.templates_of(lab, id)
