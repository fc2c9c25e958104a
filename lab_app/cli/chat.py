"""`tokenlab chat`: messages as tokens, and tests of chat templates."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lab_app.cli import output
from lab_app.cli.common import the_lab, tokenizer_option
from lab_app.errors import BadValue
from lab_app.number_words import integer, number_of

if TYPE_CHECKING:
    from lab_app.services.chats.budget import Budget
    from lab_app.services.chats.chat import Chat
    from lab_app.services.chats.conversation import Conversation, Template
    from lab_app.services.lab import Lab


ChatFormat = Literal["text", "json", "ids", "count"]
"""How `chat` prints."""
ALL = "all"


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
    template: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="A template of the tokenizer, chatml, harmony, or a file."),
    ] = None,
    mask: Annotated[
        Literal["template", "roles"],
        typer.Option(help="Who says what a model is trained on: the template's generation blocks, or the roles."),
    ] = "template",
    as_text: Annotated[
        list[str] | None,
        typer.Option(metavar="N|all", help="A message, from 1, whose control tokens are encoded as ordinary text."),
    ] = None,
    context: Annotated[int | None, typer.Option(metavar="N", help="Show how N tokens of context are used.")] = None,
    reserve: Annotated[int, typer.Option(metavar="N", help="Tokens of the context kept for the answer.")] = 0,
    check: Annotated[bool, typer.Option("--check", help="Test the template, on these messages and others.")] = False,
    format: Annotated[
        ChatFormat, typer.Option("--format", help="The text, JSON for programs, the IDs, or the number of tokens.")
    ] = "text",
) -> None:
    """Render messages with a chat template and encode the result.

    The count of tokens goes to stderr: all, and those of each message and of the template around it. Messages of cl100k_base
    and o200k_base are counted by OpenAI's rule.
    """
    given = _messages(output.read_file(messages), messages)
    from lab_app.services.chats import chat as chats
    from lab_app.services.chats.conversation import Conversation
    from lab_app.services.chats.counting import counting_rule

    lab = the_lab()
    listed = given.pop("messages")
    if format == "count" and counting_rule(lab, tokenizer) and not _is_other(lab, tokenizer, template):
        asked = {"--template": template, "--add-generation-prompt": add_generation_prompt or None, **given}
        _refuse_uncounted(tokenizer, [name for name, value in asked.items() if value is not None])
        _print_count(lab, tokenizer, listed)
        return
    conversation = Conversation(
        listed,
        given.pop("tools", None),
        given.pop("documents", None),
        given.pop("add_generation_prompt", False) or add_generation_prompt,
        given,
    )
    chosen = _template(lab, tokenizer, template)
    if check:
        _print_checks(lab, tokenizer, conversation, chosen, format)
        return
    found = chats.chat(
        lab,
        tokenizer,
        conversation,
        chosen,
        mask=mask,
        as_text=_numbers(as_text or [], len(listed)),
        context=context,
        reserve=reserve,
    )
    if format == "json":
        output.print_json(found)
    elif format == "count":
        output.print_chunks([str(found.count)])
    elif format == "ids":
        output.print_chunks([" ".join(map(str, found.ids))])
    else:
        output.print_chunks([found.text])
    output.flush()
    for note in _notes(found, format):
        output.print_note(note)


def _file(lab: "Lab", tokenizer: str, template: str) -> Path | None:
    """The file that `--template` names: a name of a template comes first."""
    from lab_app.services.chats.conversation import templates_of

    known = templates_of(lab, tokenizer)
    path = Path(template)
    return path if template not in [*known.templates, *known.built_in] and path.is_file() else None


def _is_other(lab: "Lab", tokenizer: str, template: str | None) -> bool:
    """Whether `--template` names a file or a built-in template."""
    from lab_app.chat.published import BUILT_IN

    return template is not None and (template in BUILT_IN or _file(lab, tokenizer, template) is not None)


def _template(lab: "Lab", tokenizer: str, template: str | None) -> "Template":
    from lab_app.services.chats.conversation import find_template

    path = None if template is None else _file(lab, tokenizer, template)
    if path:
        return find_template(lab, tokenizer, text=output.read_text(None, path))
    return find_template(lab, tokenizer, template)


def _numbers(given: list[str], count: int) -> list[int]:
    """The numbers of messages, from 0. Raises BadValue."""
    if given == [ALL]:
        return list(range(count))
    for each in given:
        if not each.isdecimal() or not 1 <= int(each) <= count:
            raise BadValue(f"--as-text {each} is no message", f"give a number from 1 to {count}, or all")
    return [int(each) - 1 for each in given]


def _notes(found: "Chat", format: ChatFormat) -> Iterator[str]:
    """What to say of a chat on stderr."""
    for each in found.control_tokens:
        where = "the tools spell" if each.message is None else f"message {each.message + 1} spells"
        read = f", where a message of the role {each.role} begins" if each.role else ""
        yield f"note: {where} the control token {each.token}{read}"
    for number, message in enumerate(found.messages, 1):
        for part in message.left_out:
            yield f"note: the template leaves out {part.field} of message {number}: {number_of(part.count, 'token')}"
    yield from (f"note: {each}" for each in found.warnings if format == "json" or not each.startswith("Mask unknown"))
    if format in ("text", "count"):
        parts = [
            f"{each.role} {each.count} + {each.template_count}" for each in found.messages if each.count is not None
        ]
        yield "; ".join([number_of(found.count, "token"), *([", ".join(parts)] if parts else [])])
    if found.budget and format != "json":
        yield from _budget(found.budget)


def _budget(budget: "Budget") -> Iterator[str]:
    roles = ", ".join(f"{each.role} {integer(each.count)}" for each in budget.roles or [])
    template = "" if budget.template_count is None else f", template {integer(budget.template_count)}"
    used = f"{roles}{template}, reserved {integer(budget.reserve)}".removeprefix(", ")
    if budget.free >= 0:
        yield f"of {integer(budget.context)}: {used}, free {integer(budget.free)}"
        return
    yield f"of {integer(budget.context)}: {used}, {number_of(-budget.free, 'token')} too many"
    if budget.dropped:
        gone = budget.dropped.messages
        yield f"without messages {gone[0] + 1} to {gone[-1] + 1} there are {number_of(budget.dropped.count, 'token')}"
    else:
        yield "no older turns can be dropped so that the rest fits"


def _print_checks(
    lab: "Lab", tokenizer: str, conversation: "Conversation", template: "Template", format: ChatFormat
) -> None:
    """Prints the tests of a template; exit code 1 if one failed."""
    from lab_app.services.chats.checks import check_template

    found = check_template(lab, tokenizer, conversation, template)
    if format == "json":
        output.print_json(found)
    else:
        output.table(
            ["check", "outcome", "what it found"], [(each.name, each.outcome, each.summary) for each in found.checks]
        )
    if any(each.outcome == "failed" for each in found.checks):
        raise typer.Exit(output.FAILED)


def _refuse_uncounted(tokenizer: str, names: list[str]) -> None:
    """Raises BadValue for the first option, or field of the file beside its messages, as the published rule knows none."""
    if names:
        raise BadValue(
            f"{names[0]} is not counted by the rule for messages of {tokenizer}",
            "leave it out: the rule counts messages and the prompt for the answer, and no tools or variables",
        )


def _print_count(lab: "Lab", tokenizer: str, messages: list[dict[str, Any]]) -> None:
    """The count by a published rule: the number, and on stderr what it is made of."""
    from lab_app.services.chats.counting import count_messages

    found = count_messages(lab, tokenizer, messages)
    output.print_chunks([str(found.count)])
    output.flush()
    parts = [f"{one.get('role', 'message')} {count}" for one, count in zip(messages, found.messages, strict=True)]
    output.print_note(f"{', '.join(parts)}, prompt for the answer {found.reply_prompt}; counted as in {found.source}")


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
