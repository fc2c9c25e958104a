"""An option is declared once, in the type of a field: `Annotated[int, Option("Samples of each subject.", 5, 1000)]`.

The body of a request, the option of a command, the check and the command that repeats a result follow from it. Not here: how a
body (`lab_app.api.requests`) or a command (`lab_app.cli.common`) writes it.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lab_app.errors import BadValue


@dataclass(frozen=True)
class Option:
    """What people read of an option, and the numbers that it may be. One bound alone is checked by the service that knows the other."""

    help: str
    low: float | None = None
    high: float | None = None
    flag: str = ""
    """Its name on the command line; empty: the name of the field with hyphens."""


def options_of(declared: Any) -> dict[str, tuple[Any, Option]]:
    """The options among the fields of a dataclass, with their types, in their order."""
    hints = get_type_hints(declared, include_extras=True)
    parts = {name: get_args(hint) for name, hint in hints.items()}
    return {name: (kind[0], kind[1]) for name, kind in parts.items() if len(kind) > 1 and isinstance(kind[1], Option)}


def flag_of(declared: type, name: str) -> str:
    """The name of an option on the command line.

    >>> from lab_app.benchmarks.options import BenchmarkOptions
    >>> flag_of(BenchmarkOptions, "max_bytes"), flag_of(BenchmarkOptions, "temperature")
    ('--max-bytes', '--mode')
    """
    return options_of(declared)[name][1].flag or f"--{name.replace('_', '-')}"


def check_options(value: object) -> None:
    """Raises BadValue for an option that is none of its choices, or out of its range."""
    for name, (kind, option) in options_of(type(value)).items():
        given = getattr(value, name)
        if given is None and type(None) in get_args(kind):
            continue
        if get_origin(kind) is Literal:
            if given not in get_args(kind):
                raise BadValue(f'{name} cannot be "{given}"', f"choose among {', '.join(get_args(kind))}")
        elif option.low is not None and option.high is not None and not option.low <= given <= option.high:
            raise BadValue.out_of_range(name, given, option.low, option.high)


def command_words(value: object) -> list[str]:
    """The options as the words of a command, all of them: other defaults of another version change nothing.

    >>> from lab_app.benchmarks.options import BenchmarkOptions
    >>> command_words(BenchmarkOptions(rounds=5))[-8:]
    ['--rounds', '5', '--max-bytes', '2000000', '--time-limit', '60', '--seed', '0']
    """
    given = {flag_of(type(value), name): getattr(value, name) for name in options_of(type(value))}
    return [word for flag, each in given.items() for word in (flag, _word(each))]


def _word(value: object) -> str:
    """A number without the end that says nothing, and never rounded.

    >>> _word(60.0), _word(1234.5678), _word("cold")
    ('60', '1234.5678', 'cold')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
