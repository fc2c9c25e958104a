"""Searches a vocabulary, page by page or as one stream, and audits which tokens some text produces.

Not here: one token in detail (`vocabulary`), the search itself (`engine_rs/inspect/src/vocabulary`).
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Literal, cast, get_args

from lab_app.engine import KINDS, SCRIPTS, VERDICTS, VocabularyIndex
from lab_app.errors import BadValue
from lab_app.json_text import json_text
from lab_app.services.csv_lines import csv_line
from lab_app.services.lab import Lab

Mode = Literal["text", "regex", "hex", "ids"]
Verdict = Literal["reachable", "unreachable", "undecided"]
Order = Literal["words", "id", "length", "characters", "rank", "merged_into_count"]
MAX_ROWS = 1000
CHUNK_ROWS = 5000


@dataclass(frozen=True)
class Query:
    """A search: the query, the filters and the order.

    `mode` says how to read `text`: a text or a regular expression inside the token, bytes as hexadecimal digits, or ids as
    `first-last`. An empty tuple filters nothing. `shortest` and `longest` are in bytes.
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
        """The query for the engine. Raises BadValue for invalid digits or ids.

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


@dataclass  # not frozen, like all tokens: a page has thousands, and a frozen one takes three times as long to make
class TokenHead:
    """A token in short. `text` is None if the bytes are not whole characters; `bytes` is lower-case hex."""

    id: int
    text: str | None
    bytes: str


@dataclass
class ExportedToken(TokenHead):
    """The facts of one token: the columns of an export."""

    kind: str
    script: str
    length: int
    """Bytes."""
    characters: int | None
    """None if the bytes are not whole characters."""
    rank: int | None
    score: float | None
    """Natural logarithm of the probability, in a Unigram model."""
    merged_into_count: int
    """Tokens that a merge makes from this one and a neighbour."""
    special: bool
    reachable: Verdict | None
    """None before the audit."""


COLUMNS = tuple(field.name for field in fields(ExportedToken))


@dataclass
class TokenRow(ExportedToken):
    """The facts of one token."""

    parts: tuple[TokenHead, TokenHead] | None
    """The two tokens of its last merge."""


@dataclass(frozen=True)
class FacetCount:
    """The number of tokens that a filter would leave."""

    name: str
    count: int


@dataclass(frozen=True)
class Facets:
    """Counts per filter; `verdicts` is None before the audit."""

    kinds: list[FacetCount]
    scripts: list[FacetCount]
    verdicts: list[FacetCount] | None


@dataclass(frozen=True)
class VocabularyPage:
    """One page of a search."""

    tokenizer: str
    count: int
    """All tokens of the vocabulary."""
    total: int
    """Matches."""
    offset: int
    tokens: list[TokenRow]
    facets: Facets
    lengths: list[int]
    """Matches per length in bytes; the last entry counts lengths of 32 and more."""
    elapsed_ns: int


@dataclass(frozen=True)
class AuditReason:
    """The number of tokens that one reason decided."""

    reason: str
    verdict: Verdict
    explanation: str
    count: int


@dataclass(frozen=True)
class Audit:
    """Which tokens some text produces."""

    tokenizer: str
    count: int
    verdicts: dict[Verdict, int]
    reasons: list[AuditReason]
    elapsed_ns: int


def search(lab: Lab, id: str, query: Query, offset: int = 0, limit: int = 100) -> VocabularyPage:
    """One page of the matches, and counts of all of them.

    Raises BadValue for an invalid query, NotFound for an unknown tokenizer.

    >>> from lab_app.settings import Settings
    >>> found = search(Lab(Settings()), "gpt2", Query("^tok.*n$", "regex"))
    >>> found.total, [token.text for token in found.tokens]
    (2, ['token', 'Token'])
    """
    if not 0 <= limit <= MAX_ROWS or offset < 0:
        raise BadValue(
            f"limit is {limit} and offset {offset}", f"give a limit from 0 to {MAX_ROWS}, and an offset of 0 or more"
        )
    entry, _, index = lab.indexes.get(id)
    found = _find(lab, index, query)
    page = found["ids"][offset : offset + limit].tolist()
    return VocabularyPage(
        entry.id,
        len(index),
        int(found["ids"].size),
        offset,
        rows(index, page),
        Facets(_listed(found["kinds"]), _listed(found["scripts"]), found["verdicts"] and _listed(found["verdicts"])),
        found["lengths"],
        found["elapsed_ns"],
    )


def rows(index: VocabularyIndex, ids: list[int]) -> list[TokenRow]:
    """The facts of some tokens."""
    found = _facts(index, ids)
    heads = heads_of(index, {part for row in found for part in row["parts"] or ()})
    for row in found:
        row["parts"] = row["parts"] and tuple(heads[part] for part in row["parts"])
    return [TokenRow(**row) for row in found]


def _facts(index: VocabularyIndex, ids: list[int]) -> list[dict[str, Any]]:
    """What the index knows of some tokens, with `parts` as ids."""
    found = index.rows(ids)
    for row in found:
        row["merged_into_count"] = row.pop("part_of")
    return found


def heads_of(index: VocabularyIndex, ids: set[int]) -> dict[int, TokenHead]:
    """Some tokens in short, by id."""
    return {row["id"]: TokenHead(row["id"], row["text"], row["bytes"]) for row in index.rows(sorted(ids))}


def audit(lab: Lab, id: str) -> Audit:
    """Audits which tokens some text produces: counts per verdict and per reason. Later searches know the verdicts.

    Raises as `search`.
    """
    entry, _, index = lab.indexes.get(id)
    found: Audit = lab.indexes.answer(index, "audit", lambda: _audit(entry.id, index))
    return found


def _audit(id: str, index: VocabularyIndex) -> Audit:
    began = time.perf_counter_ns()
    verdicts, reasons = index.audit()
    elapsed_ns = time.perf_counter_ns() - began
    return Audit(
        id,
        len(index),
        {name: int((verdicts == number).sum()) for number, name in enumerate(get_args(Verdict))},
        [
            AuditReason(name, cast(Verdict, verdict), explanation, count)
            for name, (verdict, explanation, count) in reasons.items()
            if count
        ],
        elapsed_ns,
    )


def export(lab: Lab, id: str, query: Query, format: Literal["csv", "json"]) -> Iterator[str]:
    """All matches, in chunks of text: CSV with a line of names, or one JSON array. Raises as `search`, before the first chunk.

    `text` is null in JSON and empty in CSV (`csv_lines`) if the bytes are not whole characters; `bytes` has them in both.
    """
    _, _, index = lab.indexes.get(id)
    ids = _find(lab, index, query)["ids"]
    chunks = (ids[start : start + CHUNK_ROWS].tolist() for start in range(0, ids.size, CHUNK_ROWS))
    return _csv(index, chunks) if format == "csv" else _json(index, chunks)


def _csv(index: VocabularyIndex, chunks: Iterator[list[int]]) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for ids in chunks:
        yield "".join(csv_line(row[name] for name in COLUMNS) for row in _facts(index, ids))


def _json(index: VocabularyIndex, chunks: Iterator[list[int]]) -> Iterator[str]:
    yield "["
    for number, ids in enumerate(chunks):
        found = [json_text({name: row[name] for name in COLUMNS}) for row in _facts(index, ids)]
        yield (",\n" if number else "\n") + ",\n".join(found)
    yield "\n]\n"


def _find(lab: Lab, index: VocabularyIndex, query: Query) -> dict[str, Any]:
    for name, wanted, known in (
        ("kind", query.kinds, KINDS), ("script", query.scripts, SCRIPTS), ("verdict", query.verdicts, VERDICTS),
        ("mode", (query.mode,), get_args(Mode)), ("order", (query.order,), get_args(Order)),
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
                order="part_of" if query.order == "merged_into_count" else query.order,
                descending=query.descending,
            )
        except ValueError as error:  # an invalid regular expression
            raise BadValue(
                str(error), "the syntax is that of the Rust crate regex: no look-around, no back-references"
            ) from error

        return {**answer, "elapsed_ns": time.perf_counter_ns() - began}

    # The audit adds counts to every search.
    found: dict[str, Any] = lab.indexes.answer(index, (query, index.audited), ask)
    return found


def _listed(counts: dict[str, int]) -> list[FacetCount]:
    return [FacetCount(name, count) for name, count in counts.items()]


def _ids(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,10})?\s*(?:([-–]|\.\.)\s*(\d{1,10})?)?\s*", text)
    if found is None or not (found[1] or found[3]):
        raise BadValue(f'"{text[:80]}" is not a range of ids', "give one id, or first-last")
    first = int(found[1] or 0)
    last = int(found[3]) if found[3] else first if found[2] is None else 2**32 - 1
    if not first <= last <= 2**32 - 1:
        raise BadValue(f"no id is from {first} to {last}", "give the smaller one first; IDs are below 2^32")
    return first, last
