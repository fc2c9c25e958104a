"""`tokenlab corpus`: the corpora of the lab."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import Format, FormatOption, option_of, the_lab
from lab_app.cli.corpus_options import CleanOption, LanguageColumnOption, ParallelOption, TextColumnOption
from lab_app.cli.running import running_job
from lab_app.cli.usage import Command, Group, epilog
from lab_app.corpora.corpus import FileFormat
from lab_app.corpora.options import CorpusOptions
from lab_app.number_words import integer, number_of

app = typer.Typer(cls=Group, help="List, add, show and remove corpora.", no_args_is_help=True)
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The corpus.", show_default=False)]


@app.command("list", cls=Command, epilog=epilog("corpus list"))
def list_corpora(format: FormatOption = "table") -> None:
    """List the corpora: those that come with the lab, and those that were added."""
    from lab_app.services.corpora import corpora

    found = corpora.list_corpora(the_lab())
    if format == "json":
        output.print_json(found)
        return
    rows = [
        (
            one.id,
            one.title,
            integer(one.files),
            integer(one.documents),
            integer(one.bytes),
            len(one.languages) or "",
            one.sha256[:12],
        )
        for one in found.corpora
    ]
    head = ("id", "title", "files", "documents", "bytes", "languages", "sha256")
    output.table(head, rows, right=("files", "documents", "bytes", "languages"))


@app.command("add", cls=Command, epilog=epilog("corpus add"))
def add(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Files, folders, or patterns in quotes; or hub:datasets/OWNER/NAME.",
            show_default=False,
        ),
    ],
    id: Annotated[str | None, option_of(CorpusOptions, "id")] = None,
    title: Annotated[str, option_of(CorpusOptions, "title", show_default=False)] = "",
    file_format: Annotated[FileFormat | None, option_of(CorpusOptions, "format")] = None,
    text_column: TextColumnOption = None,
    language_column: LanguageColumnOption = None,
    parallel: ParallelOption = False,
    clean: CleanOption = None,
    format: FormatOption = "table",
) -> None:
    """Add files as a corpus. They stay where they are; the lab notices if they change."""
    from lab_app.services.corpora import corpora

    options = CorpusOptions(
        id, title, file_format, text_column, language_column, parallel=parallel, cleaning=tuple(clean or ())
    )
    with running_job("corpus", "adding") as running:
        added = corpora.add(the_lab(), paths, options, running)
    if format == "json":
        output.print_json(added)
        return
    output.print_chunks([f"{added.id}: {number_of(added.documents, 'document')}, {number_of(added.bytes, 'byte')}"])
    if added.text_column and added.language_column:
        languages = number_of(len(added.languages), "language")
        output.print_note(f"text = {added.text_column}, language = {added.language_column}, {languages}")
    if added.report:
        for line in corpora.notes(added.report):
            output.print_note(line)


@app.command("show", cls=Command, epilog=epilog("corpus show"))
def show(id: IdArgument, clean: CleanOption = None, format: FormatOption = "table") -> None:
    """Show a corpus: its files, its languages and the beginnings of its first documents.

    With --clean, show instead what these steps of cleaning would do to its first documents.
    """
    if clean:
        _show_cleaning(id, clean, format)
        return
    from lab_app.services.corpora import corpora

    found = corpora.describe(the_lab(), id)
    if format == "json":
        output.print_json(found)
        return
    facts = [
        ("id", found.id),
        ("title", found.title),
        ("files", integer(found.files)),
        ("documents", integer(found.documents)),
        ("bytes", integer(found.bytes)),
        ("sha256", found.sha256),
        ("format", found.format),
        ("columns", ", ".join(found.columns)),
        ("text column", found.text_column or ""),
        ("language column", found.language_column or ""),
        ("languages", "; ".join(found.languages) + (" (parallel)" if found.is_parallel else "")),
        ("cleaning", ", ".join(found.cleaning)),
        ("problem", found.problem or ""),
        *(
            (f"document {number}{f', {each.language}' if each.language else ''}", output.short(each.text))
            for number, each in enumerate(found.sample, 1)
        ),
        *((f"file {number}", file.path) for number, file in enumerate(found.first_files[:10], 1)),
    ]
    output.table(("", ""), [fact for fact in facts if fact[1]])
    if found.report:
        for line in corpora.notes(found.report):
            output.print_note(line)


def _show_cleaning(id: str, steps: list[str], format: Format) -> None:
    from lab_app.services.corpora import cleaning, corpora

    found = cleaning.preview(corpora.corpus(the_lab(), id), steps)
    if format == "json":
        output.print_json(found)
        return
    output.table(("before", "after"), [(each.before, each.after or "removed") for each in found.samples])
    output.table(("step", "documents"), [(each.step, each.documents) for each in found.steps], right=("documents",))
    output.print_note(f"{found.changed} of the first {number_of(found.documents, 'document')} change")


@app.command("remove", cls=Command, epilog=epilog("corpus remove"))
def remove(id: IdArgument) -> None:
    """Remove a corpus from the lab. Its files stay, unless the lab keeps them."""
    from lab_app.services.corpora import corpora

    corpora.remove(the_lab(), id)
    output.print_chunks([f"{id} is removed"])
