"""The kinds of edits: what people call each, its function, and its options, which the function's parameters declare.

Not here: recipes, which name kinds and options (`recipe`).
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, get_args

from lab_app.editing import joining, learning, removal, stages, words
from lab_app.editing.options import Blocks, OtherTokenizer, TextsFrom
from lab_app.options import options_of

MAX_LISTED = 100_000
LARGEST = 10**9
"""The largest number: more tokens than any vocabulary has."""


@dataclass(frozen=True)
class EditOption:
    """An option of a kind of edit. `usual`: its value where it is left out, or null."""

    label: str
    type: str
    needed: bool
    usual: bool | int | float | None


@dataclass(frozen=True)
class EditKind:
    """What people call a kind of edit, what it does, its options."""

    name: str
    words: str
    options: dict[str, EditOption]


def _options(declared: Callable[..., Any]) -> dict[str, EditOption]:
    parameters = inspect.signature(declared).parameters
    found = {}
    for name, (kind, option) in options_of(declared).items():
        given = [each for each in get_args(kind) if each is not NoneType]
        type = _TYPE_OF[given[0] if NoneType in get_args(kind) else kind]
        default = parameters[name].default
        usual = default if isinstance(default, int | float) else None
        found[name] = EditOption(option.help, type, default is inspect.Parameter.empty, usual)
    return found


_TYPE_OF: Mapping[Any, str] = {
    str: "text", bool: "flag", float: "number", int: "count", str | int: "token",
    Sequence[str]: "texts", Sequence[str | int]: "tokens", Blocks: "blocks",
}  # fmt: skip
TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "text": ("a text", lambda value: isinstance(value, str) and value != ""),
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "number": (f"a number up to {LARGEST}", lambda value: _is_number(value, int | float) and abs(value) <= LARGEST),
    "count": (f"a number from 1 to {LARGEST}", lambda value: _is_number(value, int) and 1 <= value <= LARGEST),
    "token": ("a token's text or ID", lambda value: isinstance(value, str | int) and not isinstance(value, bool)),
    "texts": ("a list of texts", lambda value: _is_list(value, str)),
    "tokens": ("a list of texts or IDs", lambda value: _is_list(value, str | int)),
    "blocks": ("a list of blocks", lambda value: _is_list(value, str | dict)),
}
"""The types of options in words, and what says whether a value is one."""


def _is_number(value: Any, kinds: Any) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)


def _is_list(value: Any, kinds: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_LISTED
        and all(isinstance(one, kinds) and not isinstance(one, bool) and one != "" for one in value)
    )


_DECLARED: Mapping[str, tuple[Callable[..., Any], type | None, str, str]] = {
    "add_words": (words.add_words, None, "Add words", "Each becomes one token, with the merges that it needs."),
    "continue_training": (
        learning.learned, TextsFrom, "Train on", "New merges from a corpus, after those there are. IDs stay."
    ),
    "remove": (removal.remove, None, "Remove tokens", "By text or spelling, by ID: #50, or by a regular expression."),
    "trim": (removal.trim, TextsFrom, "Trim to a corpus", "Keeps the tokens that a corpus or a text uses."),
    "shrink": (removal.shrink, None, "Shrink to a size", "Keeps the first merges, or the best scores."),
    "merge_with": (
        joining.merge_with, OtherTokenizer, "Merge with a tokenizer", "Adds the tokens of another one of the same kind."
    ),
    "add_tokens": (words.add_tokens, None, "Add tokens", "Special ones, or texts that are always one token."),
    "rename_token": (
        words.rename_token, None, "Rename a token", "Another text for a token, or for an ID: #50. Its ID stays."
    ),
    "normalizer": (
        stages.change_normalizer, None, "Change the normalizer", "The blocks of the Library, in their order."
    ),
    "pretokenizer": (
        stages.change_pretokenizer, None, "Change the pretokenizer", "The blocks of the Library, in their order."
    ),
    "split_pattern": (
        stages.split_pattern, None, "Change the split pattern", "A regular expression, or that of a built-in tokenizer."
    ),
    "lower_case": (stages.lower_case, None, "Lower case", "Texts are written in lower case first."),
    "greedy": (
        stages.greedy, None, "Greedy longest match", "The longest token at each place, from the same vocabulary."
    ),
    "renumber": (removal.compact, None, "Renumber", "Closes the holes that removed tokens left. IDs move."),
}  # fmt: skip
"""The function of each kind of edit, what a recipe gives it in place of the parameters that are no options, its words."""
FUNCTIONS = {kind: edit for kind, (edit, _, _, _) in _DECLARED.items()}
KINDS: Mapping[str, EditKind] = {
    kind: EditKind(name, does, (_options(source) if source else {}) | _options(edit))
    for kind, (edit, source, name, does) in _DECLARED.items()
}
