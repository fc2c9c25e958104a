"""The engine's errors as the lab's own, with a code and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from lab_app import engine
from lab_app.errors import BadValue, Cancelled, DecodeFailed, EncodeFailed, LabError

CLASSES: dict[type[Exception], type[LabError]] = {
    engine.DecodeError: DecodeFailed,
    engine.CallCancelled: Cancelled,
    engine.EncodeError: EncodeFailed,
}


@contextmanager
def translate_engine_errors() -> Iterator[None]:
    """Translates EncodeError to EncodeFailed, DecodeError to DecodeFailed, CallCancelled to Cancelled, and ValueError to BadValue.

    >>> with translate_engine_errors():
    ...     engine.Tokenizer.builtin("gpt2").decode([50257])
    Traceback (most recent call last):
        ...
    lab_app.errors.DecodeFailed: id 50257 at position 0 is not in the vocabulary, whose ids are below 50257: were these ids made by another tokenizer?
    """
    try:
        yield
    except engine.EngineError as error:
        found = translated(error)
        if found is None:
            raise
        raise found from error
    except ValueError as error:
        raise BadValue(*parts(error)) from error
    except OverflowError as error:
        raise BadValue(
            f"a number is too large: {error}", "give a number below 2^63, or the limit that this value has"
        ) from error


def translated(error: Exception) -> LabError | None:
    """An error of a call of the engine as the lab's own; None for others."""
    for of_engine, of_lab in CLASSES.items():
        if isinstance(error, of_engine):
            return of_lab(*parts(error))
    return None


def parts(error: Exception) -> tuple[str, str]:
    """Problem and hint of an error of the engine. A ValueError has them in its message alone.

    >>> parts(ValueError("a; b is 3; give less"))
    ('a; b is 3', 'give less')
    """
    if isinstance(error, engine.EncodeError | engine.DecodeError) and hasattr(error, "problem"):
        return error.problem, error.hint
    problem, mark, hint = str(error).rpartition("; ")
    return (problem, hint) if mark else (hint, "")
