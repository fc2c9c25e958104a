"""Applies steps to documents, in order, and counts what each of them changed."""

from collections.abc import Iterator, Sequence

import numpy as np

from lab_app.corpora.batch import strings
from lab_app.corpora.cleaning.steps import function
from lab_app.corpora.readers.rows import Rows, as_rows
from lab_app.corpora.report import ReadReport


class Cleaner:
    """The steps of one corpus. Raises BadValue for a step that does not exist.

    >>> report = ReadReport()
    >>> Cleaner(["white_space", "length:2-9"], report).document("  a b "), report.cleaning
    ('a b', {'white_space': 1, 'length:2-9': 0})
    """

    def __init__(self, steps: Sequence[str], report: ReadReport) -> None:
        self._steps = [(step, function(step)) for step in steps]
        self._counts = report.cleaning
        for step in steps:
            self._counts.setdefault(step, 0)

    def document(self, text: str) -> str | None:
        """One document after all steps, None if one of them removes it: later steps do not see it then."""
        for step, change in self._steps:
            changed = change(text)
            if changed != text:
                self._counts[step] += 1
            if changed is None:
                return None
            text = changed
        return text

    def rows(self, parts: Iterator[Rows]) -> Iterator[Rows]:
        """Documents after all steps; those that were removed are left out."""
        for part in parts:
            cleaned = [self.document(text) for text in strings(part.text, part.ends)]
            kept = np.array([text is not None for text in cleaned], bool)
            languages = None if part.languages is None else part.languages[kept]
            yield as_rows([text for text in cleaned if text is not None])._replace(languages=languages)
