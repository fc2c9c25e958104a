"""The engine's errors as the lab's own, with a code and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from lab_app import engine
from lab_app.errors import BadValue, DecodeFailed, EncodeFailed


@contextmanager
def errors_of_the_engine() -> Iterator[None]:
    """Turns EncodeError into EncodeFailed, DecodeError (and ids that are none anywhere) into DecodeFailed, and options that
    make no sense into BadValue.

    >>> with errors_of_the_engine():
    ...     engine.Tokenizer.builtin("gpt2").decode([50257])
    Traceback (most recent call last):
        ...
    lab_app.errors.DecodeFailed: id 50257 at position 0 is not in the vocabulary, whose ids are below 50257: were these ids made by another tokenizer?
    """
    try:
        yield
    except (engine.DecodeError, OverflowError) as error:
        message, _, hint = str(error).partition("; ")
        raise DecodeFailed(message, hint or "give ids of this tokenizer's own vocabulary") from error
    except engine.EncodeError as error:
        message, _, hint = str(error).partition("; ")
        raise EncodeFailed(message, hint or 'set `specials` to "text" or "parse", or change the text') from error
    except ValueError as error:
        message, _, hint = str(error).partition("; ")
        raise BadValue(message, hint) from error
