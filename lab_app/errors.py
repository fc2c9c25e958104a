"""Every error the lab reports to a person or a program: a code, what happened and what to do about it.

Not here: the engine's own exceptions (`lab_app.engine`), and which HTTP status a code becomes (`lab_app.api.errors`).
"""

import errno
import math
from typing import ClassVar, Self

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""The system's numbers for a full disk and for a used-up quota."""


class LabError(Exception):
    """An error with a `code` for programs, a `message` with the value and the place, and a `hint`: what to do.

    The hint makes sense to everybody: in the window, to a program, on a terminal. `on_terminal` is what to do where there
    is a command line, for an error whose way out is a command or an option of one; the command line says it in place of
    the hint.

    >>> error = NotFound("there is no tokenizer gpt9", "the library lists them", on_terminal="`tokenlab list` lists them")
    >>> error.code, str(error)
    ('not_found', 'there is no tokenizer gpt9: the library lists them')
    """

    code: ClassVar[str] = "internal"

    def __init__(self, message: str, hint: str = "", *, on_terminal: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.on_terminal = on_terminal or hint

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message

    def as_json(self) -> dict[str, dict[str, str]]:
        """The one shape of an error in every answer.

        >>> LabError("the disk is full", "make room").as_json()
        {'error': {'code': 'internal', 'message': 'the disk is full', 'hint': 'make room'}}
        """
        return {"error": {"code": self.code, "message": _escaped(self.message), "hint": _escaped(self.hint)}}


def _escaped(text: str) -> str:
    """`text` with lone surrogates, which no answer can carry, as escapes: a quoted value may have some."""
    return text.encode("utf-8", "backslashreplace").decode()


def reason(error: OSError) -> str:
    """Why the system refused, in its words.

    >>> reason(FileNotFoundError(2, "No such file or directory")), reason(OSError("is a directory"))
    ('No such file or directory', 'is a directory')
    """
    return error.strerror or str(error)


def plain_number(value: float) -> str:
    """A number as a person would write it, without an exponent.

    >>> plain_number(100_000_001), plain_number(1e8), plain_number(0.25), plain_number(2.0**63), plain_number(float("nan"))
    ('100000001', '100000000', '0.25', '9223372036854775808', 'nan')
    """
    from decimal import Decimal

    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return format(Decimal(repr(value)), "f") if math.isfinite(value) else str(value)


class BadRequest(LabError):
    """What was asked for is not well formed."""

    code = "bad_request"


class BadValue(BadRequest):
    """Well formed, but a value is outside what is allowed."""

    @classmethod
    def out_of_range(cls, field: str, value: float, low: float, high: float) -> Self:
        """The error of a number that is too small or too large.

        >>> str(BadValue.out_of_range("max_bytes", 10**8 + 1, 1, 10**8))
        'max_bytes is 100000001: give a number from 1 to 100000000'
        """
        return cls(
            f"{field} is {plain_number(value)}", f"give a number from {plain_number(low)} to {plain_number(high)}"
        )


class Unauthorized(LabError):
    """The secret of this run is missing or wrong."""

    code = "unauthorized"


class Forbidden(LabError):
    """The request comes from, or was sent to, somewhere else."""

    code = "forbidden"


class NotFound(LabError):
    """There is no such tokenizer, token or page."""

    code = "not_found"


class NotAllowed(LabError):
    """The address exists, but not for this method."""

    code = "method_not_allowed"


class Conflict(LabError):
    """The id is taken, or cannot be changed."""

    code = "conflict"


class DocumentClosed(LabError):
    """The document is closed: open it again."""

    code = "document_gone"


class TooLarge(LabError):
    """More bytes than the lab takes."""

    code = "too_large"


class EncodeFailed(LabError):
    """A text that cannot be encoded as asked."""

    code = "encode_error"


class DecodeFailed(LabError):
    """Ids that cannot be decoded."""

    code = "decode_error"


class TrainFailed(LabError):
    """A tokenizer that cannot be trained as asked."""

    code = "train_error"


class LoadFailed(LabError):
    """Files that are no tokenizer, or are not those they should be."""

    code = "load_error"


class StoreFailed(LabError):
    """The lab's database cannot be used, so what it keeps is out of reach."""

    code = "store_error"


class DiskFull(StoreFailed):
    """There is no room to write."""

    code = "disk_full"


class Unavailable(LabError):
    """Known, but its files are not here and could not be fetched."""

    code = "unavailable"


class Gated(Unavailable):
    """Its owner asks everybody to accept terms first."""

    code = "gated"


class TokenRefused(Unavailable):
    """A Hub does not take the token that was given to it, or the token may not read the repository."""

    code = "token_refused"


class Interrupted(LabError):
    """The program that did it has ended."""

    code = "interrupted"


class Cancelled(LabError):
    """Whoever asked for it has stopped it."""

    code = "cancelled"
