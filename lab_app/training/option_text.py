"""Options of a training as text: `NAME=VALUE`, where the value is JSON or a plain word. Not here: what they mean (`options`)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_type_hints

from lab_app.errors import BadRequest, BadValue
from lab_app.training.options import TrainingOptions

ALGORITHM = "algorithm"
NAMES = tuple(each.name for each in fields(TrainingOptions) if each.name != ALGORITHM)
"""The options that have a text, in their order."""
ON_COMMAND_LINE = {"vocab_size": "--vocab-size", "min_frequency": "--min-frequency", "variant": "--variant"}
"""Options of the trainers that are options of the command line, too; `--option` sets the others."""
EXAMPLES: dict[type, str] = {
    dict: '{"type": "NFKC"}',
    tuple: '["a", "b"]',
    bool: "true",
    int: "16",
    float: "0.5",
}
"""A value of each type that is no text."""


def read_options(given: Sequence[str], others: Mapping[str, object] | None = None) -> dict[str, Any]:
    """The options that texts such as `max_token_length=16` set. `others` are set already.

    Raises BadRequest for a text without a name or value and for an option that is set twice, BadValue for an unknown option
    and for a value that is not JSON where only JSON can be.

    >>> read_options(["max_token_length=16", "continuing_prefix=@@", 'normalizer={"type": "NFKC"}'])
    {'max_token_length': 16, 'continuing_prefix': '@@', 'normalizer': {'type': 'NFKC'}}
    """
    found: dict[str, Any] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise BadRequest(f'the option "{text}" has no value', "write NAME=VALUE, such as max_token_length=16")
        if name == ALGORITHM:
            raise BadRequest("the algorithm is not given as an option", "name it before the options")
        if name not in NAMES:
            raise BadValue(f'there is no option "{name}"', f"options are: {', '.join(sorted(NAMES))}")
        if name in found or name in (others or ()):
            raise BadRequest(f"{name} is given twice", "give it once")
        found[name] = _value(name, value)
    return found


def write_option(name: str, value: object) -> str:
    """An option as `read_options` reads it.

    >>> write_option("continuing_prefix", "@@"), write_option("unknown_token", "null"), write_option("byte_fallback", True)
    ('continuing_prefix=@@', 'unknown_token="null"', 'byte_fallback=true')
    """
    if isinstance(value, str) and _value(name, value) == value:
        return f"{name}={value}"
    return f"{name}={json.dumps(value, ensure_ascii=False)}"


def _value(name: str, text: str) -> Any:
    """The value of a text: JSON. An option whose value is a text takes all else as it is."""
    example = _example(name)
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        if example is None:
            return text
        raise BadValue(f"{name} cannot be {text}: this is not JSON", f"write it as {name}={example}") from error
    is_text = value is None or isinstance(value, str)
    return text if example is None and not is_text else value


@cache
def _example(name: str) -> str | None:
    """A value of the option; None if it is a text."""
    hint = get_type_hints(TrainingOptions)[name]
    kinds = [getattr(each, "__origin__", each) for each in (hint, *get_args(hint))]
    return next((EXAMPLES[kind] for kind in kinds if kind in EXAMPLES), None)


def _refuse(constant: str) -> Any:
    """NaN and Infinity are no JSON."""
    raise ValueError(constant)
