"""Edits that take tokens away: removed by name, trimmed by counts, shrunk to a size. Kept tokens keep their IDs if asked.

A byte-pair token is kept as long as a merge makes it: whoever keeps a token keeps its parts. Bytes, single characters, the
unknown token and added tokens stay, so that every text still encodes. Not here: counting (`lab_app.services`).
"""

import heapq
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Annotated, Any

from lab_app import engine
from lab_app.editing.options import KeepIds, LeastCount, Size, Tokens
from lab_app.editing.segments import Merging
from lab_app.editing.stages import loaded
from lab_app.editing.stopping import stoppable
from lab_app.editing.tables import Definition, Merge, Tables, named
from lab_app.errors import BadValue
from lab_app.number_words import number_of
from lab_app.options import Option


def remove(
    definition: Definition,
    tokens: Tokens = (),
    *,
    matching: Annotated[str | None, Option("Or all that match this regular expression")] = None,
    with_built: Annotated[bool, Option("Also all that are built from them")] = False,
    keep_ids: KeepIds = None,
) -> dict[str, Any]:
    """Removes tokens, named by ID, text or spelling, or all whose texts have a match of the regular expression `matching`, but
    for those that must stay. `with_built`: also all that are built from them alone, else they refuse.

    `keep_ids`: holes stay where tokens were; None where the format allows it. Raises BadValue.

    >>> vocab = {"a": 0, "b": 1, "ab": 2, "abb": 3}
    >>> abb = {"model": {"type": "BPE", "vocab": vocab, "merges": ["a b", "ab b"]}}
    >>> remove(abb, ["ab"], with_built=True)["model"]["vocab"]
    {'a': 0, 'b': 1}
    """
    tables = Tables.of(definition)
    if not tokens and matching is None:
        raise BadValue("no token is named", "give tokens, or matching: a regular expression")
    gone = set(tables.find(tokens))
    _refuse_needed(tables, gone)
    if matching is not None:
        gone |= set(tables.find(_matching(definition, matching))) - _required(tables)
    built = _built_from(tables, gone)
    if built and not with_built:
        raise BadValue(
            f"{number_of(len(built), 'token')} {'is' if len(built) == 1 else 'are'} built from them: {named(built)}",
            "keep their parts, or remove them too: with_built = true",
        )
    return _settled(_kept(tables, tables.all_ids().keys() - gone - built), keep_ids)


def trim(
    definition: Definition,
    counts: Mapping[int, int],
    *,
    min_count: LeastCount = 1,
    keep: Annotated[Sequence[str | int], Option("Keep these, one per line")] = (),
    size: Annotated[int | None, Option("Tokens in all")] = None,
    keep_characters: Annotated[bool, Option("Keep single characters")] = True,
    keep_ids: KeepIds = None,
) -> dict[str, Any]:
    """Removes the tokens that occur fewer than `min_count` times, then the rarest until `size` are left.

    `counts`: occurrences by ID. Those of `keep`, parts of tokens that stay and, with
    `keep_characters`, single characters stay. Raises BadValue.
    """
    tables = Tables.of(definition)
    stays = _required(tables, keep_characters) | set(tables.find(keep))
    kept = _dropped(tables, stays, counts, min_count, size)
    if size is not None and len(kept) > size:
        raise _too_small(size, len(kept))
    return _settled(_kept(tables, kept), keep_ids)


def shrink(definition: Definition, size: Size, *, keep_ids: KeepIds = None) -> dict[str, Any]:
    """Keeps the first merges, or the best scores, and `size` tokens in all: as if training had stopped earlier.

    Raises BadValue for a model without an order, and a size below what must stay.
    """
    tables = Tables.of(definition)
    required = {token["content"] for token in tables.added}
    if tables.scores:
        required |= _required(tables)
        others = sorted(tables.ids.keys() - required, key=lambda token: (-tables.scores[token], tables.ids[token]))
    elif tables.kind == "BPE":
        made = dict.fromkeys(tables.products())
        required |= tables.ids.keys() - made.keys()
        others = [token for token in made if token not in required]
    else:
        raise BadValue(f"{tables.kind} has no order of tokens", "trim it to the tokens that a corpus uses")
    room = size - len(required)
    if room < 0:
        raise _too_small(size, len(required))
    return _settled(_kept(tables, required | set(others[:room])), keep_ids)


def compact(definition: Definition) -> dict[str, Any]:
    """Gives the tokens the IDs from 0 on, in their order, and stages and padding the new ones.

    >>> compact({"model": {"type": "WordLevel", "vocab": {"a": 3, "b": 1}}})["model"]["vocab"]
    {'a': 1, 'b': 0}
    """
    return _compacted(Tables.of(definition)).to_definition()


def _compacted(tables: Tables) -> Tables:
    new = {id: place for place, id in enumerate(sorted(set(tables.all_ids().values())))}
    moved = dict(tables.definition)
    moved["post_processor"] = _moved(moved.get("post_processor"), new)
    if moved.get("padding"):
        moved["padding"] = {**moved["padding"], "pad_id": new.get(moved["padding"]["pad_id"], 0)}
    model = dict(tables.model)
    if model.get("unk_id") is not None:
        model["unk_id"] = new[model["unk_id"]]
    ids = {token: new[id] for token, id in tables.ids.items()}
    added = [{**token, "id": new[token["id"]]} for token in tables.added]
    return replace(tables, definition={**moved, "model": model}, ids=ids, added=added)


def _moved(stage: Any, new: Mapping[int, int]) -> Any:
    """A postprocessor with other IDs. Those of BERT and RoBERTa stand beside a token, those of templates in `ids`."""
    if isinstance(stage, Mapping):
        ids = {"ids": [new[id] for id in stage["ids"]]} if isinstance(stage.get("ids"), list) else {}
        return {name: _moved(part, new) for name, part in stage.items()} | ids
    if isinstance(stage, list):
        if len(stage) == 2 and isinstance(stage[0], str) and isinstance(stage[1], int):
            return [stage[0], new[stage[1]]]
        return [_moved(part, new) for part in stage]
    return stage


def _settled(tables: Tables, keep_ids: bool | None) -> dict[str, Any]:
    if keep_ids is None:
        keep_ids = not tables.scores
    return (tables if keep_ids else _compacted(tables)).to_definition()


def _kept(tables: Tables, kept: Collection[str]) -> Tables:
    """The tables with these tokens, and the merges whose parts and product are all among them."""
    kept = set(kept)
    merges = [
        merge
        for merge, product in zip(tables.merges, tables.products(), strict=True)
        if merge[0] in kept and merge[1] in kept and product in kept
    ]
    ids = {token: id for token, id in tables.ids.items() if token in kept}
    scores = {token: score for token, score in tables.scores.items() if token in kept}
    added = [token for token in tables.added if token["content"] in kept]
    return replace(tables, ids=ids, merges=merges, scores=scores, added=added)


def _required(tables: Tables, characters: bool = True) -> set[str]:
    """The tokens without which some texts do not encode: bytes, the unknown one, those of stages; single characters."""
    stays = {token["content"] for token in tables.added} | {str(tables.unknown)}
    stays |= tables.bytes_of
    if characters or tables.is_byte_level:
        stays |= tables.symbols(tables.ids)
    return stays & tables.all_ids().keys()


def _matching(definition: Definition, pattern: str) -> list[str | int]:
    try:
        found: list[str | int] = engine.VocabularyIndex(loaded(definition)).search(regex=pattern)["ids"].tolist()
    except ValueError as error:
        raise BadValue(f"matching: {error}", "give a regular expression") from error
    if not found:
        raise BadValue(f'no token matches "{pattern}"', "give another regular expression")
    return found


def _refuse_needed(tables: Tables, gone: set[str]) -> None:
    free = {token["content"] for token in tables.added} - {tables.unknown}
    needed = gone & (_required(tables, characters=False) - free)
    stages = json.dumps([tables.definition.get("post_processor"), tables.definition.get("padding")], ensure_ascii=False)
    needed |= {token["content"] for token in tables.added if token["content"] in gone and _quoted(token) in stages}
    if needed:
        raise BadValue(
            f"{named(sorted(needed))}: bytes, the unknown token and tokens of the postprocessor are needed",
            "leave them in the vocabulary",
        )


def _quoted(token: Mapping[str, Any]) -> str:
    return json.dumps(token["content"], ensure_ascii=False)


def _built_from(tables: Tables, gone: set[str]) -> set[str]:
    """The tokens that no merge makes any more without `gone`."""
    products = tables.products()
    made, dead = set(products), set(gone)
    # Ends: each round but the last finds a dead token. Tokens are built in few steps.
    for _ in stoppable(repeat(None)):
        pairs = zip(tables.merges, products, strict=True)
        still = {product for (left, right), product in pairs if left not in dead and right not in dead}
        if not (lost := made - still - dead):
            break
        dead |= lost
    return dead - gone


def _dropped(tables: Tables, stays: set[str], counts: Mapping[int, int], min_count: int, size: int | None) -> set[str]:
    """What is left: tokens that occur `min_count` times, those that stay, and the parts of both.

    While there are more than `size`, the rarest that is no part of another goes; the last ID of equally rare ones.
    """
    parts, ids = _parts(tables), tables.ids
    left = {token for token, id in ids.items() if counts.get(id, 0) >= min_count} | stays
    waiting = list(left)
    # Ends: a token waits once, when it comes to those that are left.
    while waiting:
        new = [part for part in parts.get(waiting.pop(), ()) if part not in left]
        left.update(new)
        waiting += new
    if size is None or len(left) <= size:
        return left
    uses = Counter(part for token in left for part in parts.get(token, ()))
    heap = [(counts.get(ids[token], 0), -ids[token], token) for token in left - stays if token not in uses]
    heapq.heapify(heap)
    # Ends: every round takes a token, and a token comes once, when the last that is made of it has gone.
    while heap and (len(left) > size or heap[0][0] < min_count):
        _, _, token = heapq.heappop(heap)
        left.discard(token)
        for part in parts.get(token, ()):
            uses[part] -= 1
            if not uses[part] and part not in stays:
                heapq.heappush(heap, (counts.get(ids[part], 0), -ids[part], part))
    return left


def _parts(tables: Tables) -> dict[str, Merge]:
    """The two tokens that each token is made of: where several merges make it, those of the one that does in a text."""
    made: dict[str, Merge] = {}
    several: set[str] = set()
    for merge, product in zip(tables.merges, tables.products(), strict=True):
        if made.setdefault(product, merge) is not merge:
            several.add(product)
    merging = Merging(tables) if several else None
    for token in stoppable(several):
        made[token] = (merging.last(token) if merging else None) or made[token]
    return made


def _too_small(size: int, least: int) -> BadValue:
    return BadValue(f"size {size} is below the {number_of(least, 'token')} that must stay", f"give {least} or more")
