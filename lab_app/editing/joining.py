"""Edits that take tokens from elsewhere: of another tokenizer, or of merges that a corpus gave.

Old tokens keep their IDs, new ones follow; old merges come first. Not here: the training itself (`learning`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lab_app.editing.tables import Definition, Merge, Tables
from lab_app.editing.words import listed
from lab_app.errors import BadValue


def merge_with(definition: Definition, other: Definition, *, names: tuple[str, str] = ("A", "B")) -> dict[str, Any]:
    """Adds the tokens of another tokenizer of the same kind, after its own; stages stay. `names`: of both, for errors.

    Raises BadValue for two kinds of models, or other marks of words.

    >>> a = {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}
    >>> b = {"model": {"type": "BPE", "vocab": {"a": 5, "b": 3, "ab": 4}, "merges": ["a b"]}}
    >>> merge_with(a, b)["model"]["vocab"]
    {'a': 0, 'b': 1, 'ab': 2}
    """
    tables, others = Tables.of(definition), Tables.of(other)
    kinds = [_kind(tables), _kind(others)]
    if kinds[0] != kinds[1]:
        raise BadValue(
            f"{names[0]} and {names[1]} cannot be merged: {kinds[0]} and {kinds[1]}", "choose two of one kind of model"
        )
    if tables.scores:
        tables = listed(tables)
    ids, next_id = dict(tables.ids), tables.next_id()
    known = tables.all_ids()
    theirs = {token["content"]: token for token in others.added}
    added = list(tables.added)
    for token in sorted(others.all_ids(), key=others.all_ids().__getitem__):
        if token in known:
            continue
        if token in theirs:
            added.append({**theirs[token], "id": next_id})
        if token not in theirs or tables.scores:
            ids[token] = next_id
        next_id += 1
    there = set(tables.merges)
    made = ids.keys() - theirs.keys()
    merges = [merge for merge in others.merges if merge not in there and tables.product(merge) in made]
    scores = {token: tables.scores.get(token, others.scores.get(token, 0.0)) for token in ids} if tables.scores else {}
    return replace(tables, ids=ids, merges=[*tables.merges, *merges], scores=scores, added=added).to_definition()


def with_merges(definition: Definition, learned: Sequence[Merge]) -> dict[str, Any]:
    """Puts merges after all others, with the tokens that they make and symbols that are new.

    >>> with_merges({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}, [("a", "a")])["model"]["vocab"]
    {'a': 0, 'aa': 1}
    """
    tables = Tables.of(definition)
    ids, next_id = dict(tables.ids), tables.next_id()
    for merge in learned:
        for token in (*merge, tables.product(merge)):
            if token not in ids:
                ids[token], next_id = next_id, next_id + 1
    return replace(tables, ids=ids, merges=[*tables.merges, *learned]).to_definition()


def _kind(tables: Tables) -> str:
    """What two tokenizers must share to be one."""
    level = "byte-level " if tables.is_byte_level else ""
    suffix = tables.model.get("end_of_word_suffix")
    marks = [repr(mark) for mark in (tables.prefix, suffix) if mark]
    return level + tables.kind + (f" with {' and '.join(marks)}" if marks else "")
