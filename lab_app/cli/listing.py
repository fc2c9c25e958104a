"""`tokenlab list`: the catalog."""

from typing import TYPE_CHECKING

from lab_app.cli import output
from lab_app.cli.common import FormatOption, the_lab
from lab_app.number_words import integer

if TYPE_CHECKING:
    from lab_app.services.tokenizers.tokenizers import CatalogEntry


def list_tokenizers(format: FormatOption = "table") -> None:
    """List the tokenizers: built in, downloaded, added, and available to download."""
    from lab_app.services.tokenizers.tokenizers import list_tokenizers

    found = list_tokenizers(the_lab())
    if format == "json":
        output.print_json(found)
        return
    rows = [
        (
            entry.id,
            entry.family or "unknown",
            "" if entry.vocab_size is None else integer(entry.vocab_size),
            entry.source if entry.available else _why_not(entry),
            entry.licence or "",
            {True: "yes", False: "no", None: ""}[entry.checked],
        )
        for entry in found.tokenizers
    ]
    if found.problem is not None:
        output.print_note(f"only tokenizers that need no database: {found.problem.message}; {found.problem.hint}")
    output.table(("id", "family", "vocabulary", "source", "licence", "checked"), rows, right=("vocabulary",))


def _why_not(entry: "CatalogEntry") -> str:
    if entry.problem:
        return f"damaged: see tokenlab info {entry.id}"
    return f"not downloaded: {'gated, see tokenlab info' if entry.gated else 'tokenlab add'} {entry.id}"
