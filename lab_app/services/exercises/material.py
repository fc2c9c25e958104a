"""The words and sentences of a corpus that tasks are drawn from: the same for the same corpus, language and seed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from lab_app.errors import BadValue
from lab_app.services.corpora.corpora import corpus as corpus_of
from lab_app.services.corpora.language_examples import MAX_LIMIT, language_examples
from lab_app.services.corpora.texts import corpus_texts, sentences_in
from lab_app.services.lab import Lab

WORD = re.compile(r"[^\W\d_]{5,14}")
LANGUAGE = "English"
"""Of a corpus that names its languages, if it has it."""
SAMPLE_BYTES = 200_000
MOST_DOCUMENTS = 2_000
SHORTEST = 15
LONGEST = 80
"""Characters of a sentence."""


@dataclass(frozen=True)
class Material:
    """Words and sentences in their alphabetical order, and where they come from."""

    corpus: str
    sha256: str
    language: str | None
    words: list[str]
    sentences: list[str]


def material_of(lab: Lab, corpus: str, language: str | None, seed: int) -> Material:
    """Reads a part of a corpus: the first documents of a language, or a sample.

    Raises NotFound for a corpus or language that is not here, BadValue for a corpus without words or sentences of a fitting length.

    >>> from lab_app.settings import Settings
    >>> found = material_of(Lab(Settings()), "udhr", None, 1)
    >>> found.language, "All human beings are born free and equal in dignity and rights." in found.sentences
    ('English', True)
    """
    described = corpus_of(lab, corpus)
    language = language or (LANGUAGE if LANGUAGE in described.languages else None)
    documents: Iterator[str]
    if language is None:
        documents = chain.from_iterable(corpus_texts(described, SAMPLE_BYTES, seed).read())
    else:
        documents = (each.text for each in language_examples(lab, corpus, language, [], limit=MAX_LIMIT).examples)
    words: set[str] = set()
    sentences: set[str] = set()
    for document in islice(documents, MOST_DOCUMENTS):
        words.update(each[0] for each in WORD.finditer(document))
        sentences.update(each for each in sentences_in(document, LONGEST) if len(each) >= SHORTEST)
    for found, kind in (
        (words, "words of 5 to 14 letters"),
        (sentences, f"sentences of {SHORTEST} to {LONGEST} characters"),
    ):
        if not found:
            raise BadValue(
                f'the corpus "{described.title}" has no {kind} in the part that was read', "choose another corpus"
            )
    return Material(described.id, described.sha256, language, sorted(words), sorted(sentences))
