"""The lines of a parallel corpus next to each other: document N of every language is the same sentence."""

from collections.abc import Iterator

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition, partitions
from lab_app.corpora.reading import BATCH_BYTES, batches


def parallel_lines(
    corpus: Corpus, batch_bytes: float = BATCH_BYTES
) -> tuple[tuple[str, ...], Iterator[tuple[str, ...]]]:
    """The languages, and one tuple per line with its text in each of them. All files are read at once, streamed.

    Raises ValueError if the corpus is not parallel, LoadFailed while reading.

    >>> from lab_app.corpora.builtin import udhr
    >>> languages, lines = parallel_lines(udhr())
    >>> dict(zip(languages, next(lines), strict=True))["German, Standard (1996)"][:53]
    'Alle Menschen sind frei und gleich an Würde und Recht'
    """
    if not corpus.is_parallel:
        raise ValueError(f"{corpus.title} is not a parallel corpus")
    if all(file.language is None for file in corpus.files):
        return corpus.languages, _rows(corpus, batch_bytes)
    files = [_whole(number, corpus) for number in range(len(corpus.files))]
    return corpus.languages, zip(*(_strings(corpus, [part], batch_bytes) for part in files), strict=True)


def _whole(number: int, corpus: Corpus) -> Partition:
    size = corpus.files[number].size_bytes
    return Partition(0, number, number + 1, 0, size, size)


def _strings(corpus: Corpus, parts: list[Partition], batch_bytes: float) -> Iterator[str]:
    for part in parts:
        for batch in batches(corpus, part, batch_bytes):
            yield from batch.strings()


def _rows(corpus: Corpus, batch_bytes: float) -> Iterator[tuple[str, ...]]:
    """The rows of tables, whose documents follow each other row by row."""
    cells = _strings(corpus, partitions(corpus), batch_bytes)
    return zip(*[cells] * len(corpus.languages), strict=True)
