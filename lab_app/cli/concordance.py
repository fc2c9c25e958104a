"""`tokenlab concordance`: a token or a word in a corpus, in context."""

from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, option_of, the_lab, tokenizer_option
from lab_app.cli.running import running_job
from lab_app.corpora.options import Page, Query
from lab_app.errors import BadValue
from lab_app.number_words import number_of
from lab_app.spelling import spelled

if TYPE_CHECKING:
    from lab_app.services.corpora.concordance import Concordance, Occurrence, WordSegmentations


def concordance(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="A corpus by its id, or a file or a folder.", show_default=False)
    ],
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    id: Annotated[int | None, option_of(Query, "id", metavar="N")] = None,
    token: Annotated[str | None, option_of(Query, "token", metavar="TOKEN")] = None,
    word: Annotated[str | None, option_of(Query, "word", metavar="WORD")] = None,
    segmentations: Annotated[
        bool, typer.Option("--segmentations", help="Count the segmentations of the word instead.")
    ] = False,
    limit: Annotated[int, option_of(Page, "limit", metavar="N")] = Page.limit,
    start: Annotated[str | None, option_of(Page, "start", metavar="NEXT")] = None,
    context: Annotated[int, option_of(Page, "context", metavar="N")] = Page.context,
    sample: Annotated[str, option_of(Page, "max_bytes", metavar="SIZE|all")] = "all",
    format: FormatOption = "table",
) -> None:
    """Find a token or a word in a corpus, or count how a word is segmented."""
    from lab_app.services.corpora.concordance import concordance as find
    from lab_app.services.corpora.concordance import word_segmentations

    most = output.size_in_bytes(sample)
    with running_job("concordance", "Concordance") as running:
        if not segmentations:
            page = Page(start, limit, context, most)
            found = find(the_lab(), tokenizer, corpus, Query(id, token, word), page, running)
        elif word is None:
            raise BadValue("--segmentations needs a word", "give one as --word WORD")
        else:
            counted = word_segmentations(the_lab(), tokenizer, corpus, word, running, max_bytes=most)
    if format == "json":
        output.print_json(counted if segmentations else found)
    elif segmentations:
        _show_segmentations(counted)
    else:
        _show(found)


def _show(found: "Concordance") -> None:
    rows = [(each.document, *_in_context(each)) for each in found.occurrences]
    output.table(("document", "before", "found", "after"), rows, right=("document", "before"))
    _note_end(found.more, found.searched_bytes)
    if found.next is not None:
        output.print_note(f"next page: --start {found.next}")


def _show_segmentations(found: "WordSegmentations") -> None:
    rows = [
        (each.count, f"{100 * each.share:.1f} %", " ".join(each.tokens), " ".join(map(str, each.ids)))
        for each in found.segmentations
    ]
    output.table(("count", "share", "tokens", "ids"), rows, right=("count", "share"))
    output.print_note(
        f"{number_of(found.occurrences, 'occurrence')} of {found.word}, {found.distinct} different segmentations"
    )
    _note_end(found.more, found.searched_bytes)


def _note_end(more: bool, searched: int) -> None:
    output.print_note(f"there is more after {searched} bytes" if more else f"end of the corpus after {searched} bytes")


def _in_context(each: "Occurrence") -> tuple[str, str, str]:
    return (
        spelled(each.before, ""),
        spelled(each.text, "") + (" (part)" if each.is_partial else ""),
        spelled(each.after, ""),
    )
