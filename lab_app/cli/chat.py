"""`tokenlab chat`: renders chat messages and encodes them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lab_app.cli import output
from lab_app.cli.common import the_lab, tokenizer_option
from lab_app.errors import BadValue
from lab_app.number_words import number_of

if TYPE_CHECKING:
    from lab_app.services.lab import Lab


ChatFormat = Literal["text", "json", "ids", "count"]
"""How `chat` prints."""


def chat(
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    messages: Annotated[
        Path,
        typer.Argument(
            metavar="MESSAGES.json|-", help="A list of messages, or an object with `messages`.", show_default=False
        ),
    ],
    add_generation_prompt: Annotated[
        bool, typer.Option("--add-generation-prompt", help="End with the prompt for the model's answer.")
    ] = False,
    template: Annotated[str | None, typer.Option(metavar="NAME", help="The name of one of several templates.")] = None,
    template_file: Annotated[Path | None, typer.Option(metavar="PATH", help="A template of your own.")] = None,
    format: Annotated[
        ChatFormat, typer.Option("--format", help="The text, JSON for programs, the IDs, or the number of tokens.")
    ] = "text",
) -> None:
    """Render messages with a tokenizer's chat template and encode the result.

    The count of tokens goes to stderr: all, and those of each message's own text. Messages of cl100k_base and o200k_base are
    counted by OpenAI's rule.
    """
    given = _messages(
        output.read_text("-", None) if str(messages) == "-" else output.read_text(None, messages), messages
    )
    from lab_app.services.text.chat import chat as chat_with
    from lab_app.services.text.chat import counting_rule

    lab = the_lab()
    listed = given.pop("messages")
    if format == "count" and template_file is None and counting_rule(lab, tokenizer):
        asked = {"--template": template, "--add-generation-prompt": add_generation_prompt or None, **given}
        _refuse_uncounted(tokenizer, [name for name, value in asked.items() if value is not None])
        _print_count(lab, tokenizer, listed)
        return
    found = chat_with(
        lab,
        tokenizer,
        listed,
        tools=given.pop("tools", None),
        add_generation_prompt=add_generation_prompt or given.pop("add_generation_prompt", False),
        template=template,
        template_text=None if template_file is None else output.read_text(None, template_file),
        variables={name: value for name, value in given.items() if name != "add_generation_prompt"},
    )
    count = len(found.encoded.encoding)
    for one in found.spelled_by_messages:
        output.print_note(f"note: the messages spell the control token {one}")
    if format == "json":
        output.print_json(found.whole())
    elif format == "count":
        output.print_chunks([str(count)])
        output.flush()
        output.print_note(_of_each(lab, tokenizer, listed).removeprefix("; "))
    elif format == "ids":
        output.print_chunks([" ".join(map(str, found.encoded.ids.tolist()))])
    else:
        output.print_chunks([found.text])
        output.flush()
        output.print_note(f"{number_of(count, 'token')}{_of_each(lab, tokenizer, listed)}")


def _refuse_uncounted(tokenizer: str, names: list[str]) -> None:
    """Raises BadValue for the first option, or field of the file beside its messages, as the published rule knows none."""
    if names:
        raise BadValue(
            f"{names[0]} is not counted by the rule for messages of {tokenizer}",
            "leave it out: the rule counts messages and the prompt for the answer, and no tools or variables",
        )


def _print_count(lab: "Lab", tokenizer: str, messages: list[dict[str, Any]]) -> None:
    """The count by a published rule: the number, and on stderr what it is made of."""
    from lab_app.services.text.chat import count_messages

    found = count_messages(lab, tokenizer, messages)
    output.print_chunks([str(found.count)])
    output.flush()
    parts = [f"{one.get('role', 'message')} {count}" for one, count in zip(messages, found.messages, strict=True)]
    output.print_note(f"{', '.join(parts)}, prompt for the answer {found.reply_prompt}; counted as in {found.source}")


def _of_each(lab: "Lab", tokenizer: str, messages: list[dict[str, Any]]) -> str:
    """What to say of the messages' own texts: the tokens of each, encoded alone."""
    from lab_app.services.text.chat import count_tokens

    texts = [(one.get("role", "message"), one["content"]) for one in messages if isinstance(one.get("content"), str)]
    counts = [f"{role} {count_tokens(lab, tokenizer, text)}" for role, text in texts]
    return f"; each text alone: {', '.join(counts)}" if counts else ""


def _messages(text: str, place: Path) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadValue(f"{place} is not JSON: {error}", 'give [{"role": "user", "content": "..."}]') from error
    found = {"messages": value} if isinstance(value, list) else value
    messages = found.get("messages") if isinstance(found, dict) else None
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise BadValue(f"{place} does not contain a list of messages", 'give [{"role": "user", "content": "..."}]')
    return dict(found)
