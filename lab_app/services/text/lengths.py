"""How long encodings are made: truncated, padded, or neither. The names are those of the engine's `encode`."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from lab_app.options import Option

Truncation = Literal["longest_first", "only_first", "only_second", "file"]
"""Which of two texts is shortened; "file": as the tokenizer's file says, if it does."""

Side = Literal["left", "right"]
"""The end of a text at which truncation drops tokens."""

Padding = Literal["longest", "max_length", "file"]
"""How long encodings become; "file": as the tokenizer's file says, if it does."""


MAX_LENGTH = 2**32 - 1


class Options(TypedDict, total=False):
    """Keywords of the engine's `encode`."""

    truncation: Truncation | None
    max_length: int | None
    truncation_side: Side | None
    stride: int
    padding: Padding | None
    pad_to_multiple_of: int | None


@dataclass(frozen=True)
class Lengths:
    """Truncation and padding; by default neither. Lengths are in tokens, the template's counted."""

    truncation: Annotated[
        Truncation | None,
        Option(
            "Truncate to the largest length, and which of two texts to shorten; file: as the tokenizer's file says."
        ),
    ] = None
    max_length: Annotated[int | None, Option("The length to truncate or pad to.", 0, MAX_LENGTH)] = None
    stride: Annotated[int, Option("Tokens that each truncated part repeats from the one before.", 0, MAX_LENGTH)] = 0
    padding: Annotated[
        Padding | None,
        Option("Pad to the longest text, to the largest length or to a multiple; file: as the tokenizer's file says."),
    ] = None
    pad_to_multiple_of: Annotated[int | None, Option("Pad to a multiple of this.", 1, MAX_LENGTH)] = None
    truncation_side: Annotated[
        Side | None, Option("The end at which to drop tokens; none: as the tokenizer's file says, or right.")
    ] = None

    def options(self) -> Options:
        """As keywords.

        >>> Lengths("only_first", max_length=8).options()["max_length"]
        8
        """
        return Options(
            truncation=self.truncation,
            max_length=self.max_length,
            truncation_side=self.truncation_side,
            stride=self.stride,
            padding=self.padding,
            pad_to_multiple_of=self.pad_to_multiple_of,
        )


UNCHANGED = Lengths()
