"""The same sentence in languages of many scripts, for the lesson that compares languages when it is given no text.

Source: article 1 of the Universal Declaration of Human Rights.
"""

from collections import Counter
from pathlib import Path

from lab_app.corpora.builtin import udhr

PER_SCRIPT = 2
"""Languages of each script: the first ones of the corpus, which begins with English."""


def parallel_sentences() -> dict[str, str]:
    """The sentence by language. Raises LoadFailed without the files of the corpus.

    >>> sentences = parallel_sentences()
    >>> next(iter(sentences)), sentences["French"][:22], "Japanese" in sentences
    ('English', 'Tous les êtres humains', True)
    """
    corpus, seen, found = udhr(), Counter[str](), dict[str, str]()
    for file, language, script in zip(corpus.files, corpus.languages, corpus.scripts, strict=True):
        seen[script] += 1
        if seen[script] <= PER_SCRIPT:
            with Path(file.path).open(encoding="utf-8") as lines:
                found[language] = lines.readline().strip()
    return found
