"""Names the script of a text, for corpora that do not say which script a language is written in.

Not here: the scripts of the entries of a vocabulary (`lab_app.engine.VocabularyIndex`).
Source: names of letters begin with their script (The Unicode Standard, section 4.8).
"""

import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import islice

from lab_app.corpora.cleaning.steps import NEEDS_ALL
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.reading import batches

OTHER_NAMES = {
    "Cjk": "Han",
    "Hiragana": "Japanese",
    "Katakana": "Japanese",
    "Katakana-Hiragana": "Japanese",
    "Fullwidth": "Latin",
}
MOST_LETTERS = 2000
MOST_CHARACTERS = 20_000
BEGINNING_BYTES = 65_536
BATCHES = 8


def script_of(text: str) -> str | None:
    """The script of most of the first 2,000 letters; None without letters. Any kana makes a text Japanese.

    >>> script_of("Привет, world! Как дела?"), script_of("日本語のテキスト"), script_of("123")
    ('Cyrillic', 'Japanese', None)
    """
    letters = [each for each in text if each.isalpha()][:MOST_LETTERS]
    found = Counter(_script(each) for each in letters)
    if found["Japanese"] and found["Han"] and found["Japanese"] * 10 > found["Han"]:
        return "Japanese"
    # Of equally many, the first in the alphabet.
    return max(sorted(found), key=lambda script: found[script], default=None)


def language_scripts(corpus: Corpus) -> list[str | None]:
    """The script of each language: what the corpus says, or that of its first documents.

    Only the beginning of a file is read, so a language that a table names later has None. Raises LoadFailed.
    """
    if corpus.scripts:
        return list(corpus.scripts)
    # Duplicates are found in whole corpora alone, and have no other script.
    corpus = replace(corpus, cleaning=tuple(step for step in corpus.cleaning if step != NEEDS_ALL))
    beginnings = [""] * len(corpus.languages)
    first_files = {file.language: number for number, file in reversed(list(enumerate(corpus.files)))}
    for number in sorted(first_files.values()) if corpus.languages else []:
        size = corpus.files[number].size_bytes
        for batch in islice(batches(corpus, Partition(0, number, number + 1, 0, size, size), BEGINNING_BYTES), BATCHES):
            if batch.languages is not None:
                for language, text in zip(batch.languages.tolist(), batch.strings(), strict=True):
                    if len(beginnings[language]) < MOST_CHARACTERS:
                        beginnings[language] += text[:MOST_CHARACTERS]
    return [script_of(text) for text in beginnings]


def _script(letter: str) -> str:
    first = unicodedata.name(letter, "Unnamed").split(" ")[0].capitalize()
    return OTHER_NAMES.get(first, first)
