"""Files that are one document, and Python's documentation, which is a table of documents in one file."""

import ast
from collections.abc import Iterator

import numpy as np

from lab_app.corpora.readers.rows import Rows, Source, as_rows
from lab_app.corpora.readers.text import MARK
from lab_app.corpora.streams import damaged, opened, valid_utf8


def read_whole(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The file as one document; line ends are "\\n" whatever the file has. One above the limit is skipped."""
    content = _content(source)
    if content is not None:
        yield Rows(content, np.array([len(content)], np.uint64))


def read_topics(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The values of the table that `pydoc_data/topics.py` defines. Raises LoadFailed if it defines none."""
    content = _content(source)
    if content is None:
        return
    try:
        tables = [node.value for node in ast.parse(content).body if isinstance(node, ast.Assign | ast.AnnAssign)]
        topics = ast.literal_eval(tables[0]) if tables and tables[0] else {}
        texts = [str(text) for text in topics.values()]
    except (SyntaxError, ValueError, AttributeError) as error:
        raise damaged(source.file, str(error)) from error
    yield as_rows(texts)


def _content(source: Source) -> bytes | None:
    """The whole file as UTF-8, None if it is above the limit."""
    parts: list[bytes] = []
    size = 0
    with opened(source.file, source.report) as stream:
        while part := stream.read(source.batch_bytes):
            size += len(part)
            if size <= source.most:
                parts.append(part)
    if size > source.most:
        source.skip_long("", size)
        return None
    return valid_utf8(b"".join(parts).removeprefix(MARK), source.report).replace(b"\r\n", b"\n")
