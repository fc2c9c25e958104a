"""Plain text: a document is a line. No Python object per line is made."""

from collections.abc import Iterator

from lab_app.corpora.lines import line_blocks, without_line_ends
from lab_app.corpora.readers.rows import Rows, Source
from lab_app.corpora.streams import opened, valid_utf8

MARK = b"\xef\xbb\xbf"


def read_text(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The lines that start in the bytes `start` to `end` of the file; all of them if it can only be read whole."""
    for _, block in lines(source, start, end):
        yield Rows(*without_line_ends(block))


def lines(source: Source, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines in valid UTF-8, each with the byte of the file at which it started about."""
    file, report = source.file, source.report
    first = max(start - 1, 0)
    with opened(file, report, first) as stream:
        blocks = line_blocks(
            stream,
            block_bytes=source.batch_bytes,
            max_line_bytes=source.most,
            limit=None if end >= file.size_bytes else end - first,
            inside=start > 0,
            too_long=lambda at, size: source.skip_long(f"byte {first + at}", size),
        )
        at = first
        for block in blocks:
            yield at, valid_utf8(block if at else block.removeprefix(MARK), report)
            at += len(block)
