"""A corpus under two tokenizers, such as before and after a recipe: tokens in all and by language, and the documents that changed most.

Not here: measures of one tokenizer (`lab_app.services.analyses`).
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from lab_app import engine
from lab_app.corpora.corpus import Corpus
from lab_app.editing.recipe import Step
from lab_app.editing.stopping import stoppable
from lab_app.services.corpora.corpora import named_corpus
from lab_app.services.editing.edits import Drafts
from lab_app.services.editing.watching import Watch
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab

MAX_DOCUMENTS = 100
"""Documents named, of those that became longer and of those that became shorter."""
SHORT_TOKENS = 100
"""Documents of fewer tokens are not ranked: one token more is many percent."""
SHOWN_CHARACTERS = 2000
READ_CHARACTERS = 20_000
"""Of a document that is ranked: its lines that changed, and the removed tokens that it uses, are found among them."""


@dataclass(frozen=True)
class TokensOf:
    """Tokens before and after. `name`: a language, or None for all."""

    name: str | None
    before: int
    after: int
    bytes: int


@dataclass(frozen=True)
class ChangedDocument:
    """A document with its number in the corpus, from 0, the first of its lines that changed, its tokens before and after."""

    number: int
    language: str | None
    text: str
    before: int
    after: int


@dataclass(frozen=True)
class Measured:
    """A corpus under the base and under the draft."""

    corpus: str
    title: str
    is_trained_on: bool
    """Whether an edit took texts from it, so that it is not held out."""
    total: TokensOf
    languages: list[TokensOf]
    """The worst first."""
    documents: int
    longer: int
    shorter: int
    short_documents: int
    """Documents below 100 tokens, which are counted and not ranked."""
    worst: list[ChangedDocument]
    best: list[ChangedDocument]
    missed: list[str]
    """The tokens that edits removed and that the documents of `worst` use, the most frequent first."""


def measured(lab: Lab, base: str, steps: Sequence[Step], corpus: str, *, watch: Watch | None = None) -> Measured:
    """Counts a corpus with both. Raises NotFound, LoadFailed, Cancelled, and BadValue for an edit that refuses."""
    watch = watch or Watch()
    draft = lab.own(Drafts).draft(base, steps, watch)
    watch.begin(None)
    taken = {name for step in steps if step.on for name in step.options.get("corpus", [])}
    removed = {id: token for token, id in draft.changes.removed}
    found = _measured(named_corpus(lab, [corpus]), draft.base, draft.made, removed, watch)
    return replace(found, is_trained_on=corpus in taken)


def measured_between(lab: Lab, a: str, b: str, corpus: str, *, watch: Watch | None = None) -> Measured:
    """Counts a corpus with two tokenizers, such as two versions of one. Raises NotFound, LoadFailed, Cancelled, BadValue.

    >>> from lab_app.settings import Settings
    >>> found = measured_between(Lab(Settings()), "gpt2", "cl100k_base", "udhr")
    >>> found.total.before > found.total.after, found.worst[0].before < found.worst[0].after
    (True, True)
    """
    tokenizers = [lab.loaded.get(id) for id in (a, b)]
    return _measured(named_corpus(lab, [corpus]), tokenizers[0][1], tokenizers[1][1], {}, watch or Watch())


def _measured(
    corpus: Corpus, base: engine.Tokenizer, made: engine.Tokenizer, removed: Mapping[int, str], watch: Watch
) -> Measured:
    """`removed`: the tokens of the base that the other does not have, by ID."""
    languages = corpus.languages
    tally = engine.Tally([base, made], groups=max(1, len(languages)), measures=["tokens"])
    ranked = _Ranked()
    with translate_engine_errors():
        for batch in watch.reading([corpus]):
            counts = tally.add(batch.text, batch.ends, batch.languages, threads=0, per_document=True)
            assert counts is not None
            names = None if batch.languages is None else [languages[each] for each in batch.languages.tolist()]
            ranked.add(batch.text, batch.ends.tolist(), names, counts["tokens"])
        worst, best = ranked.worst(), ranked.best()
        missed = Counter(removed[id] for each in worst for id in base.encode_ids(each.text).tolist() if id in removed)
        worst, best = (
            [replace(each, text=_changed_lines(each.text, base, made)) for each in all] for all in (worst, best)
        )
    sizes = tally.text_sums()["bytes"]
    before, after = tally.sums(0)["tokens"], tally.sums(1)["tokens"]
    rows = [TokensOf(name, int(before[at]), int(after[at]), int(sizes[at])) for at, name in enumerate(languages)]
    rows.sort(key=lambda row: -row.after / max(row.before, 1))
    total = TokensOf(None, int(before.sum()), int(after.sum()), int(sizes.sum()))
    return Measured(
        corpus.id, corpus.title, False, total, [row for row in rows if row.before], ranked.documents,
        ranked.longer, ranked.shorter, ranked.short, worst, best, [token for token, _ in missed.most_common()],
    )  # fmt: skip


def _changed_lines(text: str, a: engine.Tokenizer, b: engine.Tokenizer) -> str:
    """The lines whose number of tokens differs, `SHOWN_CHARACTERS` at most; the start of a text without such a line."""
    lines, size = [], 0
    for line in stoppable(text.splitlines(keepends=True)):
        if len(a.encode_ids(line)) != len(b.encode_ids(line)):
            lines.append(line)
            size += len(line)
        if size >= SHOWN_CHARACTERS:
            break
    return ("".join(lines) or text)[:SHOWN_CHARACTERS]


class _Ranked:
    """The documents whose tokens changed most, as they come."""

    def __init__(self) -> None:
        self.documents = self.longer = self.shorter = self.short = 0
        self._worst: list[tuple[float, int, ChangedDocument]] = []
        self._best: list[tuple[float, int, ChangedDocument]] = []

    def add(
        self,
        text: bytes,
        ends: list[int],
        names: Sequence[str] | None,
        tokens: "np.ndarray[tuple[int, int], np.dtype[np.uint32]]",
    ) -> None:
        """Documents that lie one after the other in `text`, and their tokens, shape (2, documents)."""
        before, after = tokens[0].astype(np.int64), tokens[1].astype(np.int64)
        self.longer += int(np.count_nonzero(after > before))
        self.shorter += int(np.count_nonzero(after < before))
        is_short = before < SHORT_TOKENS
        self.short += int(np.count_nonzero(is_short))
        spans = list(pairwise([0, *ends]))
        for at in np.flatnonzero(~is_short & (after != before)).tolist():
            share = float(after[at] / before[at])
            heap, key = (self._worst, share) if share > 1 else (self._best, -share)
            number = self.documents + at
            if len(heap) == MAX_DOCUMENTS and (key, -number) <= heap[0][:2]:
                continue
            start, end = spans[at]
            shown = text[start:end].decode()[:READ_CHARACTERS]
            name = None if names is None else names[at]
            push = heapq.heappush if len(heap) < MAX_DOCUMENTS else heapq.heapreplace
            push(heap, (key, -number, ChangedDocument(number, name, shown, int(before[at]), int(after[at]))))
        self.documents += len(ends)

    def worst(self) -> list[ChangedDocument]:
        """The documents that became longer, by share, the worst first."""
        return [each for _, _, each in sorted(self._worst, key=lambda one: one[:2], reverse=True)]

    def best(self) -> list[ChangedDocument]:
        """The documents that became shorter, by share, the best first."""
        return [each for _, _, each in sorted(self._best, key=lambda one: one[:2], reverse=True)]
