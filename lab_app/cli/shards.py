"""`tokenlab shards`: a corpus as files of IDs for training a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, SpecialsOption, option_of, the_lab, tokenizer_option
from lab_app.cli.corpus_options import CleanOption, TextColumnOption
from lab_app.cli.running import running_job
from lab_app.number_words import integer, number_of
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.shards.layouts import Layout
from lab_app.shards.options import MOST_SHARD_BYTES, ShardOptions

if TYPE_CHECKING:
    from lab_app.services.shards.checking import CheckedShards
    from lab_app.services.shards.shards import Shards


def shards(
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS...", help="The id of a corpus, or files, folders and patterns.", show_default=False
        ),
    ],
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder for the files.", show_default=False)
    ],
    layout: Annotated[Layout, option_of(ShardOptions, "layout")] = ShardOptions.layout,
    end: Annotated[str | None, option_of(ShardOptions, "end", metavar="TOKEN|none", show_default=False)] = None,
    shuffle: Annotated[int | None, option_of(ShardOptions, "shuffle", metavar="SEED", show_default=False)] = None,
    shard_size: Annotated[str, option_of(ShardOptions, "shard_bytes", metavar="SIZE|all")] = "64MB",
    specials: SpecialsOption = DEFAULT_SPECIALS,
    text_column: TextColumnOption = None,
    clean: CleanOption = None,
    threads: Annotated[int, typer.Option("--threads", help="Threads of this machine; 0: one for each core.")] = 0,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Encode on the Dask cluster of this scheduler, tcp://host:8786.", show_default=False
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Encode in this many processes of this machine.", show_default=False),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Read the files back, and compare them with the corpus.")
    ] = False,
    format: FormatOption = "table",
) -> None:
    """Write the IDs of a corpus as files for training a model. The same command goes on where it was stopped."""
    from lab_app.corpora.corpus import NO_COLUMN
    from lab_app.corpora.options import CorpusOptions
    from lab_app.services.cluster import cluster
    from lab_app.services.corpora.corpora import named_corpus
    from lab_app.services.shards.checking import check_shards
    from lab_app.services.shards.shards import by_threads, write_shards

    lab = the_lab()
    columns = CorpusOptions(text_column=text_column, language_column=NO_COLUMN, cleaning=tuple(clean or ()))
    read = named_corpus(lab, corpus, columns)
    size = output.size_in_bytes(shard_size)
    options = ShardOptions(layout, end, shuffle, MOST_SHARD_BYTES if size is None else int(size), specials)
    with running_job("shards", "Shards") as running, cluster(scheduler, workers) as found:
        if found is None:
            write = by_threads(threads)
        else:
            from lab_app.cluster.shards import writer

            write = writer(found.connection)
        try:
            made = write_shards(lab, tokenizer, read, folder, options, running, write)
        except KeyboardInterrupt:
            output.print_note("stopped; whole shards stay, and the same command goes on with the others")
            raise
        checked = check_shards(lab, read, folder, running) if check else None
    if format == "json":
        output.print_json({**vars(made), "checked": checked})
    else:
        _show(made, checked)


def _show(made: "Shards", checked: "CheckedShards | None") -> None:
    end = "no end token" if made.end is None else f"end token {made.end}"
    order = "in the order of the corpus" if made.seed is None else f"shuffled with seed {made.seed}"
    rows = [
        ("shards", integer(made.shards)),
        ("documents", integer(made.documents)),
        ("tokens", integer(made.tokens)),
        ("bytes of text", integer(made.text_bytes)),
        ("IDs", f"{made.width}, {end}"),
        ("order", order),
    ]
    output.table(("", made.folder), rows)
    if made.skipped:
        output.print_note(f"{number_of(made.skipped, 'document')} could not be read and was left out")
    if made.reused:
        stayed = number_of(made.reused, "shard of an earlier run stayed", "shards of an earlier run stayed")
        output.print_note(stayed)
    if checked is not None:
        output.print_note(
            f"checked: {number_of(checked.files, 'file')} with their digests, {number_of(checked.tokens, 'token')} in the "
            f"vocabulary, {number_of(checked.encoded_again, 'document')} encoded again with the same IDs"
        )
