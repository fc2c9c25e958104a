"""Aligns the tokens of two tokenizers on a text or a corpus, and writes the map of their vocabularies to a file.

Not here: what a group and a pair are (`lab_app.analysis.alignment`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from lab_app.analysis.alignment import KINDS, Alignment, Pairs
from lab_app.engine import Specials
from lab_app.errors import BadValue, EncodeFailed
from lab_app.files import check_free, written
from lab_app.jobs.job import Running
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.corpora.corpora import named_corpus
from lab_app.services.corpora.texts import corpus_texts
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.settings import DEFAULT_SPECIALS

MapFormat = Literal["npz", "parquet", "csv"]
COLUMNS = ("a", "b", "bytes", "weight")


@dataclass(frozen=True)
class Group:
    """Tokens of both tokenizers that stand for the same bytes: indexes of their first tokens and behind their last ones."""

    a: tuple[int, int]
    b: tuple[int, int]


@dataclass(frozen=True)
class TokenAlignment:
    """Two tokenizers on a text or a corpus, without added special tokens."""

    a: str
    b: str
    a_tokens: int
    b_tokens: int
    kinds: dict[str, int]
    """Groups by kind, `tokens of a : tokens of b`: 1:1, 1:n, n:1, n:m, n:0, 0:m."""
    pair_count: int
    """Pairs of a token of `a` and one of `b` in the map."""
    groups: list[Group] | None
    """In the order of the text; None for a corpus."""


def align_text(
    lab: Lab, a: str, b: str, text: str, *, specials: Specials = DEFAULT_SPECIALS
) -> tuple[TokenAlignment, Pairs]:
    """The alignment of a text, with its groups, and the map of the vocabularies as far as the text has their tokens.

    Raises as `encode` does, and EncodeFailed where a tokenizer reports no spans.

    >>> from lab_app.settings import Settings
    >>> found, pairs = align_text(Lab(Settings()), "gpt2", "bert-base-uncased", "unbelievable!")
    >>> found.groups, found.kinds["n:1"], pairs.b.tolist()
    ([Group(a=(0, 4), b=(0, 1)), Group(a=(4, 5), b=(1, 2))], 1, [999, 23653, 23653, 23653, 23653])
    """
    refuse_surrogates(text)
    made = Alignment()
    groups = _add(made, _two(lab, a, b), [text], specials)[0]
    return _result(made, lab, a, b, [Group((x.start, x.stop), (y.start, y.stop)) for x, y in groups])


def align_corpus(
    lab: Lab, a: str, b: str, corpus: str, running: Running, *, sample_bytes: float | None = None, seed: int = 0
) -> tuple[TokenAlignment, Pairs]:
    """The same over the documents of a corpus, or a sample of it, without the groups. Raises also Cancelled."""
    found = named_corpus(lab, [corpus])
    texts = corpus_texts(found, sample_bytes, seed)
    made, two, done = Alignment(), _two(lab, a, b), 0
    for batch in texts.read():
        running.check()
        _add(made, two, batch, DEFAULT_SPECIALS)
        done += sum(len(text.encode()) for text in batch)
        running.report(min(done, texts.bytes), texts.bytes)
    return _result(made, lab, a, b, None)


def check_map(path: Path, *, force: bool = False) -> None:
    """Raises BadValue for a name that is no map's, Conflict if the file exists and not `force`."""
    if path.suffix[1:].lower() not in get_args(MapFormat):
        raise BadValue(f"{path.name} is no map", f"end its name with .{', .'.join(get_args(MapFormat))}")
    check_free(path, force=force)


def write_pairs(pairs: Pairs, path: Path, *, force: bool = False) -> None:
    """Writes the map to a .npz (compressed sparse rows), .parquet or .csv file. Raises as `check_map` and `written`."""
    check_map(path, force=force)
    with written(path, force=force) as target:
        _write(pairs, target, path.suffix[1:].lower())


def _write(pairs: Pairs, path: Path, format: str) -> None:
    values = (pairs.a, pairs.b, pairs.bytes, pairs.weights())
    if format == "npz":
        starts = np.searchsorted(pairs.a, np.arange(int(pairs.a.max(initial=-1)) + 2))
        with path.open("wb") as file:
            np.savez_compressed(file, starts=starts, b=pairs.b, bytes=pairs.bytes, weights=pairs.weights())
        return
    import pyarrow as pa
    from pyarrow import csv, parquet

    table = pa.table(dict(zip(COLUMNS, values, strict=True)))
    if format == "parquet":
        parquet.write_table(table, path)
    else:
        csv.write_csv(table, path)


def _two(lab: Lab, a: str, b: str) -> list[AnyTokenizer]:
    if a.lower() == b.lower():
        raise BadValue(f"{a} is named twice", "name two different tokenizers")
    return [lab.loaded.get_any(id)[1] for id in (a, b)]


def _add(
    made: Alignment, two: Sequence[AnyTokenizer], texts: Sequence[str], specials: Specials
) -> list[list[tuple[range, range]]]:
    with translate_engine_errors():
        encoded = [each.encode_batch(texts, add_special_tokens=False, specials=specials) for each in two]
    found = []
    for one, other in zip(*encoded, strict=True):
        if one.span_utf8 is None or other.span_utf8 is None:
            raise EncodeFailed("a tokenizer reports no token spans", "choose one that does: Inspect shows them")
        found.append(made.add(one.ids, one.span_utf8, other.ids, other.span_utf8))
    return found


def _result(made: Alignment, lab: Lab, a: str, b: str, groups: list[Group] | None) -> tuple[TokenAlignment, Pairs]:
    pairs = made.pairs()
    kinds = {kind: made.kinds[kind] for kind in KINDS}
    first, second = (lab.loaded.get_any(id)[0].id for id in (a, b))
    return TokenAlignment(first, second, *made.tokens, kinds, len(pairs.a), groups), pairs
