"""Options that several commands have, and the lab they work on."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab_app import paths, settings
from lab_app.errors import BadValue
from lab_app.settings import Settings

if TYPE_CHECKING:
    from lab_app.services.lab import Lab


class Format(StrEnum):
    """How a command prints."""

    table = "table"
    json = "json"


class EncodeFormat(StrEnum):
    """How `encode` prints."""

    table = "table"
    json = "json"
    ids = "ids"


class SpecialText(StrEnum):
    """What text that spells a special token becomes."""

    parse = "parse"
    text = "text"
    reject = "reject"


class TruncationChoice(StrEnum):
    """Which of two texts gives way."""

    longest_first = "longest_first"
    only_first = "only_first"
    only_second = "only_second"


class PaddingChoice(StrEnum):
    """How long encodings become."""

    longest = "longest"
    max_length = "max_length"


FormatOption = Annotated[Format, typer.Option("--format", help="Tables for people, JSON for programs.")]
TextArgument = Annotated[
    str | None, typer.Argument(metavar="[TEXT|-]", help="The text; - reads stdin.", show_default=False)
]
FileOption = Annotated[Path | None, typer.Option("--file", metavar="PATH", help="Read the text from a file.")]
SpecialsOption = Annotated[
    SpecialText, typer.Option("--specials", help="What text that spells a special token becomes.")
]
AddSpecialTokensOption = Annotated[
    bool, typer.Option("--add-special-tokens/--no-special-tokens", help="Add the template's own, such as [CLS].")
]


def the_settings(**flags: Any) -> Settings:
    """The settings of this run; flags that were not given are None."""
    return settings.load(flags, config_file=paths.config_file())


def the_lab() -> "Lab":
    """The lab of this run. Imports the engine, which `--help` and `--version` do not need."""
    from lab_app.services.lab import Lab

    return Lab(the_settings())


def numbers_in(text: str) -> list[int]:
    """The ids in a text; commas, spaces and brackets between them are all the same. Raises BadValue for other words."""
    words = text.translate(str.maketrans(",[];", "    ")).split()
    for word in words:
        if not word.isascii() or not word.isdecimal():
            raise BadValue(f'"{word}" is not an id', "give whole numbers, 0 or more")
    return [int(word) for word in words]
