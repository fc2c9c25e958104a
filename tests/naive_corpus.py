"""The slow twin of counting a corpus: from `Tokenizer.encode` of each document, one at a time."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from lab_app.analysis.corpus.counts import CorpusCounts, TokenizerCounts
from lab_app.analysis.corpus.parity import ParallelCounts, parallel_counts
from lab_app.engine import UNKNOWN, Tokenizer

WORD = re.compile(r"\S+")


def counted(
    tokenizers: Sequence[Tokenizer],
    documents: Sequence[str],
    languages: Sequence[int] | None = None,
    *,
    parallel: bool = False,
) -> CorpusCounts:
    """The counts of the documents. `languages`: the language of each, from 0. `parallel`: as many lines of each, in order."""
    of = list(languages or [0] * len(documents))
    groups = max(of, default=0) + 1
    text_sums = {
        name: np.zeros(groups, np.uint64)
        for name in ("documents", "bytes", "characters", "words", "multibyte_characters")
    }
    for language, text in zip(of, documents, strict=True):
        for name, value in (
            ("documents", 1),
            ("bytes", len(text.encode())),
            ("characters", len(text)),
            ("words", len(WORD.findall(text))),
            ("multibyte_characters", sum(each > "\x7f" for each in text)),
        ):
            text_sums[name][language] += np.uint64(value)
    shared = np.zeros((len(tokenizers), len(tokenizers)), np.uint64)
    either = np.zeros_like(shared)
    bounds = [[boundaries(each, text) for text in documents] for each in tokenizers]
    for a, b in combinations_with_replacement(range(len(tokenizers)), 2):
        for mine, theirs in zip(bounds[a], bounds[b], strict=True):
            for row, column in {(a, b), (b, a)}:
                shared[row, column] += np.uint64(len(mine & theirs))
                either[row, column] += np.uint64(len(mine | theirs))
    return CorpusCounts(
        documents=len(documents),
        bytes=int(text_sums["bytes"].sum()),
        text_sums=text_sums,
        tokenizers=[of_tokenizer(each, documents, of, groups, parallel=parallel) for each in tokenizers],
        shared=shared,
        either=either,
    )


def boundaries(tokenizer: Tokenizer, text: str) -> set[int]:
    """Byte offsets inside the text at which a token starts or ends."""
    spans = encoded(tokenizer, text).span_utf8
    return set(spans.flatten().tolist()) - {0, len(text.encode())}


def encoded(tokenizer: Tokenizer, text: str):
    """The tokens of the text alone; special tokens that it spells are text."""
    return tokenizer.encode(text, add_special_tokens=False, specials="text")


def of_tokenizer(
    tokenizer: Tokenizer, documents: Sequence[str], of: Sequence[int], groups: int, *, parallel: bool
) -> TokenizerCounts:
    """The counts of one tokenizer."""
    occurrences = np.zeros(tokenizer.vocab_size, np.uint64)
    sums: dict[str, np.ndarray] = {}
    lengths: Counter[int] = Counter()
    lines: list[list[tuple[int, int, int]]] = [[] for _ in range(groups)]
    for language, text in zip(of, documents, strict=True):
        encoding = encoded(tokenizer, text)
        lengths[encoding.ids.size] += 1
        occurrences += np.bincount(encoding.ids, minlength=tokenizer.vocab_size).astype(np.uint64)
        found = figures(tokenizer, text)
        lines[language].append((found["tokens"], len(text), found["unknown_characters"]))
        for name, value in found.items():
            sums.setdefault(name, np.zeros(groups, np.uint64))[language] += np.uint64(value)
    return TokenizerCounts(
        counts=occurrences,
        lengths=np.array(sorted(lengths), np.uint32),
        documents=np.array([lengths[each] for each in sorted(lengths)], np.uint64),
        sums=sums,
        parallel=_parallel(lines) if parallel else None,
    )


def figures(tokenizer: Tokenizer, text: str) -> dict[str, int]:
    """The sums of one document."""
    encoding = encoded(tokenizer, text)
    spans, unknown = encoding.span_char.tolist(), (encoding.flags & UNKNOWN) != 0
    per_word = [sum(start < word.end() and end > word.start() for start, end in spans) for word in WORD.finditer(text)]
    decoded = tokenizer.decode(encoding.ids, skip_special_tokens=False)
    nfc = unicodedata.normalize("NFC", decoded) == unicodedata.normalize("NFC", text)
    return {
        "tokens": encoding.ids.size,
        "word_tokens": sum(per_word),
        "continued_words": sum(each > 1 for each in per_word),
        "unknown_tokens": int(unknown.sum()),
        "unknown_characters": len(
            {at for (start, end), bad in zip(spans, unknown, strict=True) if bad for at in range(start, end)}
        ),
        "exact_documents": int(decoded == text),
        "nfc_documents": int(nfc),
        "stable_documents": int(np.array_equal(encoded(tokenizer, decoded).ids, encoding.ids)),
        **digits(tokenizer, text),
    }


def digits(tokenizer: Tokenizer, text: str) -> dict[str, int]:
    """Boundaries inside runs of digits, against groups of three from the right."""
    starts = {start for start, _ in encoded(tokenizer, text).span_char.tolist()}
    true = predicted = expected = 0
    for run in re.finditer("[0-9]+", text):
        mine = starts & set(range(run.start() + 1, run.end()))
        groups = set(range(run.end() - 3, run.start(), -3))
        true, predicted, expected = true + len(mine & groups), predicted + len(mine), expected + len(groups)
    return {"digit_true": true, "digit_predicted": predicted, "digit_expected": expected}


def _parallel(lines: list[list[tuple[int, int, int]]]) -> ParallelCounts:
    table = np.array(lines, np.uint64).transpose(1, 0, 2)
    return parallel_counts(table[:, :, 0], table[:, :, 1], table[:, :, 2])
