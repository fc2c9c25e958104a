"""CSV and TSV: a document is a cell; the first row names the columns. Source: RFC 4180 for CSV.

In TSV a quotation mark is a character like others, and a cell ends at a tab or the end of the line. CSV may be separated
by semicolons, if its first line has them and no comma.
"""

import csv
from collections.abc import Iterator, Sequence

from lab_app.corpora.readers.rows import Rows, Source, as_rows
from lab_app.corpora.readers.text import lines
from lab_app.corpora.streams import damaged


def read_table(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The text column of all rows; of a parallel table all its columns, each one language. Short rows are reported.

    Raises LoadFailed for a column that is not there, and for CSV whose quotation marks do not close.
    """
    rows = table_rows(source)
    header = next(rows, [])
    corpus = source.corpus
    wanted = list(corpus.languages) if corpus.is_parallel else [corpus.text_column or ""]
    missing = [name for name in (*wanted, corpus.language_column) if name and name not in header]
    if missing:
        raise damaged(source.file, f'its first row has no column "{missing[0]}"')
    texts, languages, size = [], [], 0
    places = [header.index(name) for name in wanted]
    language = header.index(corpus.language_column) if corpus.language_column else None
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        if len(row) != len(header) and len(row) <= max(*places, language or 0):
            source.report.skip(
                f"{source.file.path} row {number}", f"{len(row)} cells, where the first row has {len(header)}"
            )
            continue
        for at, place in enumerate(places):
            texts.append(row[place])
            size += len(row[place])
            if corpus.is_parallel:
                languages.append(at)
            elif language is not None:
                languages.append(source.languages.number(row[language]))
        if size >= source.batch_bytes:
            yield as_rows(texts, languages or None)
            texts, languages, size = [], [], 0
    yield as_rows(texts, languages or None)


def table_rows(source: Source) -> Iterator[list[str]]:
    """The rows of a CSV or TSV file as lists of cells, the header first."""
    text = _text_lines(source)
    if source.file.format == "tsv":
        return _tsv_rows(text)
    return _csv_rows(source, text)


def _tsv_rows(text: Iterator[str]) -> Iterator[list[str]]:
    """The cells of each line; a blank line is no row, as in CSV, unless there is one column alone."""
    columns = 0
    for line in text:
        row = line.rstrip("\r\n").split("\t")
        columns = columns or len(row)
        yield [] if row == [""] and columns > 1 else row


def _csv_rows(source: Source, text: Iterator[str]) -> Iterator[list[str]]:
    first = next(text, "")
    delimiter = ";" if ";" in first and "," not in first else ","
    csv.field_size_limit(source.most)
    reader = csv.reader(_chain(first, text), delimiter=delimiter, strict=True)
    start = 1
    try:
        for row in reader:
            yield row
            start = reader.line_num + 1
    except csv.Error as error:
        why = f"the row of line {start}: {error}"
        if "end of data" in str(error) or "expected after" in str(error):
            why = f"the row of line {start}: a quotation mark is not closed, or text follows a closed one"
        if "limit" in str(error):
            why = (
                f"the row of line {start}: a cell of more than {source.most} bytes; a quotation mark may not be closed"
            )
        raise damaged(source.file, why) from error


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _text_lines(source: Source) -> Iterator[str]:
    for _, block in lines(source, 0, source.file.size_bytes):
        yield from _split(block.decode())


def _split(text: str) -> Sequence[str]:
    """Lines with their ends; only "\\n" ends one."""
    return [line + "\n" for line in text.removesuffix("\n").split("\n")]
