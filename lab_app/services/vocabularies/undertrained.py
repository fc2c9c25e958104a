"""Tokens of a vocabulary that a model hardly saw in training, beside whether a text can produce them at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.undertrained import SHARE, distances, norms
from lab_app.errors import BadValue
from lab_app.library.embeddings import find_embeddings
from lab_app.services.lab import Lab
from lab_app.services.vocabularies.search import TokenHead, Verdict

Unused = Literal["given", "beyond the vocabulary", "unreachable", "none"]
Indicator = Literal["norm", "distance"]


@dataclass
class UndertrainedToken(TokenHead):
    """A token with its indicators: the lower they are, the less the model saw of it."""

    norm: float
    """Of its input embedding."""
    distance: float | None
    """Of its output embedding from those of unused tokens; None where none is known, or the row is nothing but the common part."""
    reachable: Verdict


@dataclass(frozen=True)
class UndertrainedTokens:
    """The tokens with the lowest indicator. Special tokens, parts of characters and unreachable tokens stay out, as in the paper."""

    tokenizer: str
    input: str
    """Name of the tensor."""
    output: str | None
    """None if the model has one tensor for both."""
    rows: int
    unused: Unused
    """How it is known which tokens are unused."""
    unused_count: int
    indicator: Indicator
    """What tokens are ordered by: the norm, or the distance where one tensor is both."""
    threshold: float | None
    """The lowest 2 % have at most this; None if no token is left."""
    candidate_count: int
    tokens: list[UndertrainedToken]


def undertrained(
    lab: Lab,
    id: str,
    weights: Path,
    *,
    unused: Sequence[int] = (),
    input: str | None = None,
    output: str | None = None,
    limit: int = 50,
) -> UndertrainedTokens:
    """Orders tokens by the indicators of `lab_app.analysis.undertrained`, lowest first.

    Unused tokens are those given, or the rows that the model has beyond the vocabulary, or the tokens that no text produces.

    Raises BadValue where the tensors do not fit the vocabulary, and as `find_embeddings` and `search`.
    """
    entry, _, index = lab.indexes.get(id)
    first, second = find_embeddings(weights, input=input, output=output)
    size = len(index)
    for each in (first, *([second] if second else [])):
        if each.rows < size:
            raise BadValue(
                f"{each.name} has {each.rows} rows, and {entry.id} has {size} tokens",
                "give the model of this tokenizer",
            )
    scored = second or first
    strange = next((each for each in unused if not 0 <= each < scored.rows), None)
    if strange is not None:
        raise BadValue(f"there is no row {strange}", f"{scored.name} has {scored.rows}")
    verdicts, _ = index.audit()
    unreachable = np.flatnonzero(verdicts == get_args(Verdict).index("unreachable"))
    how, rows = _unused(unused, range(size, scored.rows), unreachable.tolist())
    lengths = norms(first.blocks)
    apart = distances(scored.blocks, rows) if rows else np.full(scored.rows, np.nan)
    indicator: Indicator = "distance" if second is None and rows else "norm"
    ordered = apart if indicator == "distance" else lengths
    facts = index.rows(list(range(size)))
    tried = [row["id"] for row in facts if row["text"] is not None and not row["special"]]
    tried = [token for token in tried if verdicts[token] != get_args(Verdict).index("unreachable")]
    tried = [token for token in tried if not np.isnan(ordered[token])]
    tried.sort(key=lambda token: ordered[token])
    threshold = float(np.quantile(ordered[tried], SHARE)) if tried else None
    return UndertrainedTokens(
        entry.id,
        first.name,
        second.name if second else None,
        scored.rows,
        how,
        len(rows),
        indicator,
        threshold,
        int((ordered[tried] <= threshold).sum()) if threshold is not None else 0,
        [_token(facts[token], lengths, apart, get_args(Verdict)[verdicts[token]]) for token in tried[:limit]],
    )


def _unused(given: Sequence[int], beyond: Sequence[int], unreachable: Sequence[int]) -> tuple[Unused, list[int]]:
    if given:
        return "given", sorted(set(given))
    if beyond:
        return "beyond the vocabulary", list(beyond)
    return ("unreachable", list(unreachable)) if unreachable else ("none", [])


def _token(
    facts: dict[str, object], lengths: NDArray[np.float64], apart: NDArray[np.float64], verdict: Verdict
) -> UndertrainedToken:
    id, text, data = facts["id"], facts["text"], facts["bytes"]
    assert isinstance(id, int) and (text is None or isinstance(text, str)) and isinstance(data, str)
    distance = None if np.isnan(apart[id]) else float(apart[id])
    return UndertrainedToken(id, text, data, float(lengths[id]), distance, verdict)
