"""The words and sentences of a corpus that tasks are drawn from: the same for the same corpus, language and seed."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from lab_app.errors import BadValue, LabError
from lab_app.services.corpora.corpora import corpus as corpus_of
from lab_app.services.corpora.language_examples import MAX_LIMIT, language_examples
from lab_app.services.corpora.texts import corpus_texts, sentences_in
from lab_app.services.lab import Lab

PLAIN_WORD = re.compile("[a-z]{6,14}")
FEWEST_PLAIN = 20
SHORTEST_WORD, LONGEST_WORD = 5, 14
"""Letters, and marks such as those of vowels."""
BUNDLED = "udhr"
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

    Raises NotFound for a corpus or language that is not here, BadValue for a corpus without both words and sentences of a fitting length.

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
        words.update(words_in(document))
        sentences.update(each for each in sentences_in(document, LONGEST) if len(each) >= SHORTEST)
    if not words and not sentences:
        raise BadValue(
            f'the part of the corpus "{described.title}" that was read has no word of {SHORTEST_WORD} to {LONGEST_WORD} letters'
            f" and no sentence of {SHORTEST} to {LONGEST} characters",
            "choose another corpus",
        )
    return Material(described.id, described.sha256, language, sorted(words), sorted(sentences))


def words_in(document: str) -> Iterator[str]:
    """The words of a fitting length, without punctuation around them.

    >>> list(words_in("“Everyone”, don't हिन्दी!"))
    ['Everyone', 'हिन्दी']
    """

    def is_letter(character: str) -> bool:
        return unicodedata.category(character)[0] in "LM"

    for piece in document.split():
        word = piece.strip("".join(each for each in piece if not is_letter(each)))
        if SHORTEST_WORD <= len(word) <= LONGEST_WORD and all(map(is_letter, word)):
            yield word


def plain_words(lab: Lab, material: Material) -> list[str]:
    """Words of ASCII letters in lower case: those of the corpus, or of the bundled one in English if it has few."""
    found = [each for each in material.words if PLAIN_WORD.fullmatch(each)]
    if len(found) >= FEWEST_PLAIN or (material.corpus, material.language) == (BUNDLED, LANGUAGE):
        return found
    try:
        return plain_words(lab, material_of(lab, BUNDLED, LANGUAGE, 0))
    except LabError:
        return found
