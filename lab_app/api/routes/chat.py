"""Messages to tokens: `/chat`."""

from lab_app.api.json_route import json_router
from lab_app.api.requests import ChatBody, ChatCountBody, ChatTemplateBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.chats import chat as chats
from lab_app.services.chats import checks, conversation, counting

router = json_router("encode")


@router.post("/chat", summary="See messages as tokens")
def chat(lab: TheLab, body: ChatBody) -> chats.Chat:
    """The text that a chat template makes of messages, its tokens, and the message each belongs to."""
    return chats.chat(
        lab,
        body.tokenizer,
        body.conversation(),
        conversation.find_template(lab, body.tokenizer, body.template, body.template_text, now=body.now),
        mask=body.mask,
        as_text=body.as_text,
        context=body.context,
        reserve=body.reserve,
    )


@router.post("/chat/checks", summary="Test a chat template")
def check(lab: TheLab, body: ChatTemplateBody) -> checks.ChatChecks:
    """Tests of a template on these messages, and on small conversations of their own."""
    template = conversation.find_template(lab, body.tokenizer, body.template, body.template_text, now=body.now)
    return checks.check_template(lab, body.tokenizer, body.conversation(), template)


@router.post("/chat/count", summary="Count messages by a published rule")
def count(lab: TheLab, body: ChatCountBody) -> counting.ChatCount:
    """The tokens of each message, with what is around it, for `cl100k_base` and `o200k_base`."""
    return counting.count_messages(lab, body.tokenizer, body.messages)


@router.get("/chat/{id}", summary="List a tokenizer's chat templates")
def templates(lab: TheLab, id: str) -> conversation.ChatTemplates:
    """The names of its own, empty if it has none, and of those that are built in."""
    return conversation.templates_of(lab, id)
