"""The options of corpora and of searches in them, each declared once (`lab_app.options`)."""

from dataclasses import dataclass
from typing import Annotated

from lab_app.corpora.corpus import FileFormat
from lab_app.options import Option

MAX_OCCURRENCES = 1000
MAX_CONTEXT = 1000


@dataclass(frozen=True)
class CorpusOptions:
    """How files become a corpus: see `lab_app.corpora.describe.describe`."""

    id: Annotated[str | None, Option("Its id; default made from the name.")] = None
    title: Annotated[str, Option("Its title; default the name of the file or folder.")] = ""
    format: Annotated[
        FileFormat | None, Option("The format of all files; default as their names say.", flag="--file-format")
    ] = None
    text_column: Annotated[str | None, Option("The column of a table that holds the text.")] = None
    language_column: Annotated[
        str | None, Option("The column that names the language; empty for none; default language, lang or locale.")
    ] = None
    parallel: Annotated[bool, Option("Line N of all files is the same sentence, each file one language.")] = False
    cleaning: Annotated[
        tuple[str, ...],
        Option("Steps applied to each document while it is read, such as html or length:10-5000.", flag="--clean"),
    ] = ()


@dataclass(frozen=True)
class Query:
    """What to find: exactly one of a token's id, a token as the vocabulary spells it, and a word."""

    id: Annotated[int | None, Option("The token with this id.", 0, 2**32 - 1)] = None
    token: Annotated[str | None, Option("The token, as the vocabulary spells it.")] = None
    word: Annotated[str | None, Option("A word.")] = None


@dataclass(frozen=True)
class Page:
    """Which part of the answer."""

    start: Annotated[str | None, Option("The page to return: the `next` of the one before.")] = None
    limit: Annotated[int, Option("Occurrences of a page.", 1, MAX_OCCURRENCES)] = 50
    context: Annotated[int, Option("Characters before and after.", 1, MAX_CONTEXT)] = 40
    max_bytes: Annotated[float | None, Option("How much to search for a page, about.", flag="--sample")] = 64_000_000
    """None searches to the end."""
