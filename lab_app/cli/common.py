"""Options that several commands have, and the lab they work on."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lab_app import paths, settings
from lab_app.cli import output
from lab_app.errors import BadValue, LabError
from lab_app.options import flag_of, options_of
from lab_app.settings import Settings, SpecialText

if TYPE_CHECKING:
    from lab_app.services.lab import Lab


MAX_SHOWN = 8
"""Special tokens named in a note."""


Format = Literal["table", "json"]
"""How a command prints."""

CitationFormat = Literal["bibtex", "text", "json"]
"""How `cite` prints."""

EncodeFormat = Literal["table", "json", "ids"]
"""How `encode` prints."""


def option_of(declared: type, name: str, **more: Any) -> Any:
    """What typer makes of an option of a dataclass (`lab_app.options`). Its bounds are left to the service, whose errors say them."""
    return typer.Option(flag_of(declared, name), help=options_of(declared)[name][1].help, **more)


def tokenizer_ids(incomplete: str) -> list[str]:
    """The installed tokenizers whose ids begin so: what a shell offers after `-t`."""
    from lab_app.services.tokenizers.tokenizers import list_tokenizers

    try:
        ids = [entry.id for entry in list_tokenizers(the_lab()).tokenizers if entry.available]
    except LabError:  # its message would stand in the line that is typed
        return []
    return [id for id in ids if id.startswith(incomplete)]


def tokenizer_option(help: str) -> Any:
    """`-t ID`, as many commands have it."""
    return typer.Option("-t", "--tokenizer", metavar="ID", help=help, show_default=False, autocompletion=tokenizer_ids)


FormatOption = Annotated[Format, typer.Option("--format", help="Tables for people, JSON for programs.")]
TextArgument = Annotated[
    str | None, typer.Argument(metavar="[TEXT|-]", help="The text; - reads stdin.", show_default=False)
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
FileOption = Annotated[Path | None, typer.Option("--file", metavar="PATH", help="Read the text from a file.")]
SpecialsOption = Annotated[
    SpecialText,
    typer.Option(
        "--specials",
        help="How to treat text that looks like a special token, such as <|endoftext|>: text (ordinary text), parse (the "
        "special token) or reject (an error).",
    ),
]
AddSpecialTokensOption = Annotated[
    bool,
    typer.Option(
        "--add-special-tokens/--no-special-tokens", help="Add the postprocessor's special tokens, such as [CLS]."
    ),
]

IgnoreSpacesOption = Annotated[
    bool,
    typer.Option(
        "--ignore-spaces/--count-spaces", help="Whether a boundary next to whitespace counts at the start of it."
    ),
]


def the_settings(**flags: Any) -> Settings:
    """The settings of this run; flags that were not given are None."""
    return settings.load(flags, config_file=paths.config_file())


def the_lab() -> "Lab":
    """Opens the lab. Imports the engine here, because `--help` and `--version` do not need it."""
    from lab_app.services.lab import Lab

    return Lab(the_settings())


def note_special_text(lab: "Lab", tokenizers: Sequence[str], text: str, specials: SpecialText) -> None:
    """Says on stderr which special tokens the text spells, how they were read, and how to read them otherwise."""
    from lab_app.services.text.special_text import special_text

    readings = {"text": "ordinary text", "parse": "special tokens"}
    if specials not in readings:
        return
    other = next(each for each in readings if each != specials)
    for id in dict.fromkeys(tokenizers):
        found = special_text(lab, id, text)
        if found:
            shown = ", ".join(found[:MAX_SHOWN]) + (", …" if len(found) > MAX_SHOWN else "")
            output.print_note(
                f"{id}: {shown} in the text read as {readings[specials]}; --specials {other} reads {readings[other]}"
            )


# Python refuses to read numbers of some thousand digits.
MAX_DIGITS = 20


def numbers_in(text: str) -> list[int]:
    """Reads IDs separated by commas, spaces or brackets. Raises BadValue for any other word."""
    words = text.translate(str.maketrans(",[];", "    ")).split()
    for word in words:
        if not word.isascii() or not word.isdecimal() or len(word) > MAX_DIGITS:
            raise BadValue(f'"{word:.80}" is not an id', "give whole numbers from 0 to 4294967295")
    return [int(word) for word in words]


def given_options(context: typer.Context, but: tuple[str, ...]) -> str:
    """The arguments of the command line except those in `but`, as people write them; empty without any."""
    sources = ((each, context.get_parameter_source(each.name or "")) for each in context.command.params)
    found = [
        each.opts[0] for each, source in sources if source and source.name == "COMMANDLINE" and each.name not in but
    ]
    return ", ".join(found)
