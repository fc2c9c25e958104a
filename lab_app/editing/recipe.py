"""Recipes of edits: `[[edit]]` tables of a TOML file, read, checked, written and applied from top to bottom.

>>> step = steps_of_toml('[[edit]]\\nkind = "add_words"\\nwords = ["regolith"]\\n')[0]
>>> step.kind, step.options["words"], step.on
('add_words', ['regolith'], True)

Not here: the edits themselves, and what they are given from outside (`Sources`).
"""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lab_app.corpora.batch import Batch
from lab_app.editing import joining, learning, removal
from lab_app.editing.kinds import FUNCTIONS, KINDS, TYPES
from lab_app.editing.tables import Definition
from lab_app.errors import BadValue, LoadFailed

MAX_STEPS = 100


@dataclass(frozen=True)
class Step:
    """One edit of a recipe. One that is not `on` is kept and not applied."""

    kind: str
    options: Mapping[str, Any]
    on: bool = True

    @property
    def key(self) -> str:
        """The step as a text: equal for steps that do the same."""
        return json.dumps([self.kind, self.options], sort_keys=True, ensure_ascii=False)


class Sources(Protocol):
    """What edits take from outside of a recipe."""

    def documents(self, names: Sequence[str], languages: Sequence[str] | None) -> Iterable[Batch]:
        """The documents of corpora, some at a time, of all languages or of these. Raises NotFound, LoadFailed, BadValue."""

    def counts(self, definition: Definition, documents: Iterable[Batch]) -> Mapping[int, int]:
        """How often each ID occurs in documents under a definition."""

    def definition(self, tokenizer: str) -> Definition:
        """The definition of a tokenizer of the Library. Raises NotFound, BadValue."""


def steps_of(values: Any) -> list[Step]:
    """Reads a list of edits. Raises BadValue with the place and the field."""
    if not isinstance(values, list) or len(values) > MAX_STEPS:
        raise BadValue(f"the edits are not a list of at most {MAX_STEPS}", "write one [[edit]] for each")
    return [_step(f"edit {number}", value) for number, value in enumerate(values, start=1)]


def steps_of_toml(text: str, name: str = "the recipe") -> list[Step]:
    """Reads a recipe's TOML. Raises LoadFailed if it is not TOML, BadValue with the place and the field."""
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LoadFailed(f"{name} is not a recipe: {error}", "correct it; docs/guide/workshop.md has one") from error
    strange = next((field for field in values if field != "edit"), None)
    if strange is not None:
        raise BadValue(f'{name} has a field "{strange}"', "write edits alone, each under [[edit]]")
    return steps_of(values.get("edit", []))


def toml_of(steps: Sequence[Step]) -> str:
    """The recipe as TOML, which `steps_of_toml` reads again.

    >>> print(toml_of([Step("shrink", {"size": 300}, on=False)]))
    [[edit]]
    kind = "shrink"
    on = false
    size = 300
    <BLANKLINE>
    """
    written = []
    for step in steps:
        fields = {"kind": step.kind, **({} if step.on else {"on": False}), **step.options}
        written.append("\n".join(["[[edit]]", *(f"{name} = {_value(value)}" for name, value in fields.items()), ""]))
    return "\n".join(written)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(name)} = {_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # The strings of JSON are those of TOML, but for DEL, which must be escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _step(place: str, value: Any) -> Step:
    if not isinstance(value, Mapping):
        raise BadValue(f"{place} is no table", "write [[edit]] and its fields below")
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadValue(f"{place} has the kind {kind!r}", f"choose one of {', '.join(KINDS)}")
    known, options = KINDS[kind].options, {}
    for name, given in value.items():
        if name in ("kind", "on"):
            continue
        if name not in known:
            names = ", ".join(known) or "none"
            raise BadValue(f'{place}, {kind}, has no option "{name}"', f"choose among its options: {names}")
        words, is_one = TYPES[known[name].type]
        if given is None:
            continue
        if not is_one(given):
            raise BadValue(f"{place}, {kind}: {name} is {str(given)[:80]!r}", f"give {words}")
        options[name] = given
    missing = next((name for name, option in known.items() if option.needed and name not in options), None)
    if missing is not None:
        raise BadValue(f"{place}, {kind}, needs {missing}", f"give {TYPES[known[missing].type][0]}")
    on = value.get("on", True)
    if not isinstance(on, bool):
        raise BadValue(f"{place}, {kind}: on is {on!r}", "give true or false")
    return Step(kind, options, on)


def apply(definition: Definition, step: Step, sources: Sources) -> Definition:
    """The definition after one edit. Raises BadValue with what it refuses, and as the sources do."""
    options = dict(step.options)
    match step.kind:
        case "trim":
            counts = sources.counts(definition, _documents(options, step.kind, sources))
            if not any(counts.values()):
                raise BadValue("trim was given no text: no token occurs in it", "name a corpus that has documents")
            return removal.trim(definition, counts, **options)
        case "continue_training":
            texts = (batch.strings() for batch in _documents(options, step.kind, sources))
            tokens = options.pop("tokens")
            return joining.with_merges(definition, learning.learned(definition, texts, tokens, **options))
        case "merge_with":
            other = options["tokenizer"]
            return joining.merge_with(definition, sources.definition(other), names=("the base", other))
    made: Definition = FUNCTIONS[step.kind](definition, **options)
    return made


def _documents(options: dict[str, Any], kind: str, sources: Sources) -> Iterable[Batch]:
    corpora, text, languages = (options.pop(name, None) for name in ("corpus", "text", "languages"))
    if (corpora is None) == (text is None):
        raise BadValue(f"{kind} has {'neither a corpus nor' if text is None else 'a corpus and'} a text", "give one")
    if corpora == [] or languages == []:
        raise BadValue(f"{kind} names no {'language' if corpora else 'corpus'}", "name one, or leave the list out")
    if corpora is not None:
        return sources.documents(corpora, languages)
    if languages is not None:
        raise BadValue(f"{kind} has languages and a text", "languages are those of a corpus: leave them out")
    data = (text or "").encode()
    return [Batch(data, np.array([len(data)], np.uint64))]
