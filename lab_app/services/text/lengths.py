"""How long encodings are made: truncated, padded, or neither. The names are those of the engine's `encode`."""

from dataclasses import dataclass
from typing import Literal, TypedDict

Truncation = Literal["longest_first", "only_first", "only_second", "file"]
"""Which of two texts is shortened; "file": as the tokenizer's file says, if it does."""

Side = Literal["left", "right"]
"""The end of a text at which truncation drops tokens."""

Padding = Literal["longest", "max_length", "file"]
"""How long encodings become; "file": as the tokenizer's file says, if it does."""


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

    truncation: Truncation | None = None
    max_length: int | None = None
    stride: int = 0
    padding: Padding | None = None
    pad_to_multiple_of: int | None = None
    truncation_side: Side | None = None
    """None: as the tokenizer's file says, or the right."""

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
