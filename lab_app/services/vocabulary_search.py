"""Searches a vocabulary, page by page or as one stream, and judges which tokens can be reached.

Not here: one token in detail (`vocabulary`), the search itself (`engine_rs/src/vocabulary_index`).
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from lab_app.engine import KINDS, SCRIPTS, VERDICTS, VocabularyIndex
from lab_app.errors import BadValue
from lab_app.services.csv_lines import csv_line
from lab_app.services.lab import Lab

Mode = Literal["text", "regex", "hex", "ids"]
Order = Literal["id", "length", "characters", "rank", "part_of"]
MODES: tuple[Mode, ...] = ("text", "regex", "hex", "ids")
ORDERS: tuple[Order, ...] = ("id", "length", "characters", "rank", "part_of")
MOST_ROWS = 1000
CHUNK_ROWS = 5000
COLUMNS = (
    "id", "text", "bytes", "kind", "script", "length", "characters", "rank", "score", "part_of", "special", "reachable",
)  # fmt: skip


@dataclass(frozen=True)
class Query:
    """What to look for, which tokens may be found, in which order.

    `text` is read as `mode` says: a text or a regular expression inside the token, bytes as hexadecimal digits, or ids as
    `first-last`. Empty tuples let everything through. `shortest` and `longest` are in bytes.
    """

    text: str = ""
    mode: Mode = "text"
    ignore_case: bool = True
    kinds: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    shortest: int = 0
    longest: int | None = None
    order: Order = "id"
    descending: bool = False

    def needle(self) -> dict[str, Any]:
        """The same for the engine. Raises BadValue for digits or ids that are none.

        >>> Query("e6 97", "hex").needle(), Query("5-", "ids").needle()
        ({'data': b'\\xe6\\x97'}, {'ids': (5, 4294967295)})
        """
        if self.mode == "hex":
            try:
                return {"data": bytes.fromhex(self.text.replace("0x", " ").strip())}
            except ValueError:
                raise BadValue(
                    f'"{self.text[:80]}" is not hexadecimal bytes', "give two hexadecimal digits per byte: e6 97 a5"
                ) from None
        if self.mode == "ids":
            return {"ids": _ids(self.text)} if self.text.strip() else {}
        return {self.mode: self.text, "ignore_case": self.ignore_case}


def search(lab: Lab, id: str, query: Query, offset: int = 0, limit: int = 100) -> dict[str, Any]:
    """One page of what is found, and counts of all of it. `docs/reference/http-api.md` has the fields.

    Raises BadValue for a search that is none, NotFound for an unknown tokenizer.

    >>> from lab_app.settings import Settings
    >>> found = search(Lab(Settings()), "gpt2", Query("^tok.*n$", "regex"))
    >>> found["total"], [token["text"] for token in found["tokens"]]
    (2, ['token', 'Token'])
    """
    if not 0 <= limit <= MOST_ROWS or offset < 0:
        raise BadValue(f"limit is {limit} and offset {offset}", f"limit is 0 to {MOST_ROWS}, offset is not negative")
    entry, _, index = lab.indexes.get(id)
    found = _find(lab, index, query)
    page = found["ids"][offset : offset + limit].tolist()
    return {
        "tokenizer": entry.id,
        "count": len(index),
        "total": int(found["ids"].size),
        "offset": offset,
        "tokens": rows(index, page),
        "facets": {name: _listed(found[name]) for name in ("kinds", "scripts", "verdicts")},
        "lengths": found["lengths"],
        "elapsed_ns": found["elapsed_ns"],
    }


def rows(index: VocabularyIndex, ids: list[int]) -> list[dict[str, Any]]:
    """The facts of some tokens; `parts` are the two that its last merge joins, as `id`, `text` and `bytes`."""
    found = index.rows(ids)
    wanted = {part for row in found for part in row["parts"] or ()}
    heads = heads_of(index, wanted)
    for row in found:
        row["parts"] = row["parts"] and [heads[part] for part in row["parts"]]
    return found


def heads_of(index: VocabularyIndex, ids: set[int]) -> dict[int, dict[str, Any]]:
    """`id`, `text` and `bytes` of some tokens, by id."""
    return {row["id"]: {name: row[name] for name in ("id", "text", "bytes")} for row in index.rows(sorted(ids))}


def audit(lab: Lab, id: str) -> dict[str, Any]:
    """Audit which tokens a text can produce: counts per verdict and per reason. Later searches know the verdicts.

    Raises as `search`.
    """
    entry, _, index = lab.indexes.get(id)
    report: dict[str, Any] = lab.indexes.answer(index, "audit", lambda: _audit(index))
    return {"tokenizer": entry.id, **report}


def _audit(index: VocabularyIndex) -> dict[str, Any]:
    began = time.perf_counter_ns()
    verdicts, reasons = index.audit()
    elapsed_ns = time.perf_counter_ns() - began
    return {
        "count": len(index),
        "verdicts": {name: int((verdicts == number).sum()) for number, name in enumerate(VERDICTS)},
        "reasons": [
            {"reason": name, "verdict": verdict, "words": words, "count": count}
            for name, (verdict, words, count) in reasons.items()
            if count
        ],
        "elapsed_ns": elapsed_ns,
    }


def export(lab: Lab, id: str, query: Query, format: Literal["csv", "json"]) -> Iterator[str]:
    """All that is found, in chunks of text: CSV with a line of names, or one JSON array. Errors come before the first.

    `text` is null in JSON and empty in CSV (`csv_lines`) if the bytes are not whole characters; `bytes` has them in both.
    """
    _, _, index = lab.indexes.get(id)
    ids = _find(lab, index, query)["ids"]
    chunks = (ids[start : start + CHUNK_ROWS].tolist() for start in range(0, ids.size, CHUNK_ROWS))
    return _csv(index, chunks) if format == "csv" else _json(index, chunks)


def _csv(index: VocabularyIndex, chunks: Iterator[list[int]]) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for ids in chunks:
        yield "".join(csv_line(row[name] for name in COLUMNS) for row in index.rows(ids))


def _json(index: VocabularyIndex, chunks: Iterator[list[int]]) -> Iterator[str]:
    yield "["
    for number, ids in enumerate(chunks):
        found = [json.dumps({name: row[name] for name in COLUMNS}, ensure_ascii=False) for row in index.rows(ids)]
        yield (",\n" if number else "\n") + ",\n".join(found)
    yield "\n]\n"


def _find(lab: Lab, index: VocabularyIndex, query: Query) -> dict[str, Any]:
    for name, wanted, known in (
        ("kind", query.kinds, KINDS), ("script", query.scripts, SCRIPTS), ("verdict", query.verdicts, VERDICTS),
        ("mode", (query.mode,), MODES), ("order", (query.order,), ORDERS),
    ):  # fmt: skip
        strange = next((each for each in wanted if each not in known), None)
        if strange is not None:
            raise BadValue(f'no {name} is called "{strange}"', f"choose from {', '.join(known)}")
    longest = 2**32 - 1 if query.longest is None else query.longest
    if not 0 <= query.shortest <= longest <= 2**32 - 1:
        raise BadValue(f"no length is from {query.shortest} to {longest} bytes", "give the shorter one first")
    needle = query.needle()

    def ask() -> dict[str, Any]:
        began = time.perf_counter_ns()
        try:
            answer = index.search(
                **needle,
                kinds=query.kinds,
                scripts=query.scripts,
                verdicts=query.verdicts,
                length=(query.shortest, longest),
                order=query.order,
                descending=query.descending,
            )
        except ValueError as error:  # a regular expression that is none
            raise BadValue(
                str(error), "the syntax is that of the Rust crate regex: no look-around, no back-references"
            ) from error

        return {**answer, "elapsed_ns": time.perf_counter_ns() - began}

    # The audit adds counts to every search.
    found: dict[str, Any] = lab.indexes.answer(index, (query, index.audited), ask)
    return found


def _listed(counts: dict[str, int] | None) -> list[dict[str, Any]] | None:
    if counts is None:
        return None
    return [{"name": name, "count": count} for name, count in counts.items()]


def _ids(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,10})?\s*(?:([-–]|\.\.)\s*(\d{1,10})?)?\s*", text)
    if found is None or not (found[1] or found[3]):
        raise BadValue(f'"{text[:80]}" is not a range of ids', "give one id, or first-last")
    first = int(found[1] or 0)
    last = int(found[3]) if found[3] else first if found[2] is None else 2**32 - 1
    if not first <= last <= 2**32 - 1:
        raise BadValue(f"no id is from {first} to {last}", "give the smaller one first; ids are below 2^32")
    return first, last
