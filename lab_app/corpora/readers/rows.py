"""What every reader gets and gives. Not here: batches, cleaning (`lab_app.corpora.reading`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.corpora.report import ReadReport
from lab_app.errors import LoadFailed

MOST_LANGUAGES = 1000
UNKNOWN = "unknown"


class Rows(NamedTuple):
    """Some documents one after the other as UTF-8, the end byte of each: (documents,), and the language of each:
    (documents,), None where the reader does not know it."""

    text: bytes
    ends: NDArray[np.uint64]
    languages: NDArray[np.uint16] | None = None


class TooManyLanguages(LoadFailed):
    """A column has more values than there are languages, so it holds something else."""


class Languages:
    """Numbers for the names of languages. Unless `names` are given, they are numbered as they come.

    >>> languages = Languages()
    >>> [languages.number(name) for name in ("de", "en", "de", "")], languages.names
    ([0, 1, 0, 2], ['de', 'en', 'unknown'])
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = list(names)
        self._numbers = {name: number for number, name in enumerate(names)}

    def number(self, name: str) -> int:
        """The number of a language; "" is unknown. Raises TooManyLanguages for the first that cannot be one."""
        name = name.strip() or UNKNOWN
        if name not in self._numbers:
            if len(self.names) == MOST_LANGUAGES:
                raise TooManyLanguages(
                    f"there are more than {MOST_LANGUAGES} languages, such as {name[:40]!r}",
                    "choose the column that holds the language of each row",
                )
            self._numbers[name] = len(self.names)
            self.names.append(name)
        return self._numbers[name]


@dataclass(frozen=True)
class Source:
    """A file to be read, and the limits: `batch_bytes` are read at a time, a document has `most` bytes."""

    corpus: Corpus
    file: CorpusFile
    report: ReadReport
    languages: Languages
    batch_bytes: int
    most: int

    def skip_long(self, place: str, size: int) -> None:
        """Reports a document above the limit."""
        self.report.skip(
            f"{self.file.path} {place}",
            f"a document of {size} bytes; {self.most} bytes are the most, so divide it into several",
        )


def as_rows(texts: Sequence[str], languages: Sequence[int] | None = None) -> Rows:
    """The rows of some strings, which hold no half of a surrogate pair.

    >>> as_rows(["a", "é"]).ends.tolist()
    [1, 3]
    """
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([len(one) for one in encoded], dtype=np.uint64)
    return Rows(b"".join(encoded), ends, None if languages is None else np.array(languages, np.uint16))
