"""Shows the first documents of one language of a corpus, with their tokens under several tokenizers.

Not here: the figures of a language (`lab_app.analysis.corpus`), where a token occurs (`concordance`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.errors import NotFound
from lab_app.services.corpora.corpora import named_corpus
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab

LIMIT = 5
MAX_LIMIT = 100
CHARACTERS = 2000
"""Of a document; the rest of a longer one is left out, and its tokens are not counted."""
MAX_BYTES = 64_000_000
"""Text that is read to find documents of the language, about."""
PART_BYTES = 4e6
BATCH_BYTES = 200_000


@dataclass(frozen=True)
class LanguageExample:
    """The beginning of one document."""

    text: str
    """At most 2000 characters."""
    is_whole: bool
    """Whether `text` is the whole document."""
    bytes: int
    """UTF-8 bytes of `text`."""
    tokens: list[int]
    """Of `text` under each tokenizer, without added special tokens."""


@dataclass(frozen=True)
class LanguageExamples:
    """The first documents of a language that have text, in the order of the corpus."""

    corpus: str
    corpus_sha256: str
    language: str
    tokenizers: list[str]
    examples: list[LanguageExample]
    more: bool
    """Whether part of the corpus was not read: there are enough examples, or 64 MB were read."""


def language_examples(
    lab: Lab, corpus: str, language: str, tokenizers: Sequence[str], *, limit: int = LIMIT
) -> LanguageExamples:
    """Finds the first `limit` documents of a language that have text. Files that hold another language alone are not read.

    Raises NotFound for a corpus, language or tokenizer that does not exist, LoadFailed for a corpus that changed.
    """
    described = named_corpus(lab, [corpus])
    if language not in described.languages:
        named = ", ".join(described.languages[:8]) + (", ..." if len(described.languages) > 8 else "")
        raise NotFound(
            f'the corpus "{described.title}" has no language "{language:.40}"',
            f"its languages are {named}" if named else "it names no languages",
        )
    loaded = [lab.loaded.get(id) for id in tokenizers]
    texts: list[str] = []
    more = False
    for text in _documents(described, language):
        more = text is None or len(texts) == limit
        if text is None or more:
            break
        texts.append(text)
    shown = [text[:CHARACTERS] for text in texts]
    counts: list[list[int]] = []
    for _, tokenizer in loaded:
        with translate_engine_errors():
            counts.append(np.diff(tokenizer.encode_ids_batch(shown, specials="text")[1]).tolist() if shown else [])
    return LanguageExamples(
        corpus=described.id,
        corpus_sha256=described.sha256,
        language=language,
        tokenizers=[entry.id for entry, _ in loaded],
        examples=[
            LanguageExample(text, len(text) == len(texts[n]), len(text.encode()), [each[n] for each in counts])
            for n, text in enumerate(shown)
        ],
        more=more,
    )


def _documents(corpus: Corpus, language: str) -> Iterator[str | None]:
    """The documents of a language that have text; None if `MAX_BYTES` were read before the end."""
    wanted = corpus.languages.index(language)
    done = 0
    for part in partitions(corpus, PART_BYTES):
        if all(file.language not in (None, wanted) for file in corpus.files[part.first_file : part.end_file]):
            continue
        for batch in batches(corpus, part, BATCH_BYTES):
            if done >= MAX_BYTES:
                yield None
                return
            done += len(batch.text)
            if batch.languages is None:
                continue
            starts = np.concatenate([[0], batch.ends[:-1]]).astype(np.int64)
            for n in np.flatnonzero(batch.languages == wanted).tolist():
                if text := batch.text[starts[n] : int(batch.ends[n])].decode():
                    yield text
