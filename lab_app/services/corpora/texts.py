"""Documents of a corpus as strings, streamed: whole or a sample of it. For counting, batches go to the engine as bytes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition, partitions
from lab_app.corpora.reading import batches
from lab_app.corpora.sampling import sample
from lab_app.errors import BadValue, plain_number

PARTS = 200
"""A sample is drawn from about this many parts of each file that can be divided."""
SMALLEST_PART_BYTES = 20_000
SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True)
class CorpusTexts:
    """A corpus, and the parts of it to read."""

    corpus: Corpus
    parts: list[Partition]
    most_bytes: float | None
    """Reading stops after this many bytes of text; None reads all of `parts`."""

    @property
    def bytes(self) -> int:
        """Size on disk of what is read, at most."""
        size = sum(part.size_bytes for part in self.parts)
        return size if self.most_bytes is None else min(size, int(self.most_bytes))

    def read(self) -> Iterator[list[str]]:
        """The documents, some hundred kilobytes at a time. Raises LoadFailed for files that are gone or have changed."""
        done = 0
        for part in self.parts:
            for batch in batches(self.corpus, part, 200_000):
                yield batch.strings()
                done += len(batch.text)
                if self.most_bytes is not None and done >= self.most_bytes:
                    return


def corpus_texts(corpus: Corpus, sample_bytes: float | None, seed: int) -> CorpusTexts:
    """The texts of a corpus, or a sample of about `sample_bytes` drawn with `seed`. Raises BadValue for a size below 1."""
    if sample_bytes is not None and not sample_bytes >= 1:
        raise BadValue(f"sample_bytes is {plain_number(sample_bytes)}", "give at least 1 byte")
    if sample_bytes is None or sample_bytes >= corpus.bytes:
        return CorpusTexts(corpus, partitions(corpus), None)
    parts = partitions(corpus, max(SMALLEST_PART_BYTES, min(sample_bytes, corpus.bytes) / PARTS))
    return CorpusTexts(corpus, sample(parts, sample_bytes, seed), sample_bytes)


def sentences_in(document: str, most_characters: int) -> Iterator[str]:
    """The sentences of a document that have a letter, by their punctuation; longer ones are left out.

    >>> list(sentences_in("One. Two!\\n3. Much longer.", 6))
    ['One.', 'Two!']
    """
    for sentence in SENTENCE_END.split(document):
        cleaned = sentence.strip()
        if len(cleaned) <= most_characters and any(map(str.isalpha, cleaned)):
            yield cleaned
