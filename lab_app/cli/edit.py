"""`tokenlab edit`: a changed tokenizer from a base and a recipe of edits."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import ForceOption, FormatOption, the_lab
from lab_app.errors import BadValue
from lab_app.files import check_free
from lab_app.number_words import integer

if TYPE_CHECKING:
    from lab_app.services.editing.edits import Edited


def edit(
    id: Annotated[str, typer.Argument(metavar="ID", help="The base: the tokenizer to change.", show_default=False)],
    recipe: Annotated[
        Path, typer.Argument(metavar="RECIPE.toml", help="The edits, each under [[edit]].", show_default=False)
    ],
    out: Annotated[Path | None, typer.Option("--output", metavar="PATH", help="The file to write.")] = None,
    to: Annotated[
        str,
        typer.Option("--to", metavar="FORMAT", help="tokenizer.json, tiktoken, sentencepiece, vocab.txt, vocab+merges"),
    ] = "tokenizer.json",
    add: Annotated[str | None, typer.Option("--add", metavar="ID", help="Add the result to the Library.")] = None,
    map: Annotated[
        Path | None,
        typer.Option("--map", metavar="PATH", help="Write the map of rows: .json, .csv, .npz or .parquet."),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="PATH", help="A .safetensors file or a model's folder, for its embeddings."),
    ] = None,
    embeddings: Annotated[
        Path | None, typer.Option("--embeddings", metavar="PATH", help="Write the new embeddings of --model here.")
    ] = None,
    input: Annotated[
        str | None, typer.Option("--input-tensor", metavar="NAME", help="The tensor of input embeddings in --model.")
    ] = None,
    output_name: Annotated[
        str | None, typer.Option("--output-tensor", metavar="NAME", help="The tensor of output embeddings in --model.")
    ] = None,
    text: Annotated[str, typer.Option("--text", help="A text that must come back as before.")] = "",
    audit: Annotated[bool, typer.Option("--audit/--no-audit", help="Prove which tokens no text gives.")] = True,
    force: ForceOption = False,
    format: FormatOption = "table",
) -> None:
    """Change a tokenizer by a recipe of edits, say what each does, check the result, and write it."""
    from lab_app.editing.recipe import steps_of_toml
    from lab_app.services.editing import edits, row_files
    from lab_app.services.editing.embeddings import write_embeddings
    from lab_app.services.tokenizers.convert import files_of

    lab, steps = the_lab(), steps_of_toml(output.read_text(None, recipe), recipe.name)
    kind = row_files.format_of(map) if map is not None else None
    if (model is None) != (embeddings is None):
        raise BadValue("--model and --embeddings belong together", "give both or none")
    if out is not None:
        files_of(to, out, force=force)
    for path in filter(None, (map, embeddings)):
        check_free(path, force=force)
    if add is not None:
        edits.check_new_id(lab, add)
    done = edits.edited(lab, id, steps, text=text)
    if done.problem is not None:
        problem = done.problem
        raise BadValue(f"edit {problem.number}, {steps[problem.number - 1].kind}: {problem.message}", problem.hint)
    if audit:
        done.checks.extend(edits.audited(lab, id, steps))
    if model is not None and embeddings is not None:
        made = row_files.map_of_rows(lab, id, steps)
        names = write_embeddings(made, model, embeddings, input=input, output=output_name, force=force)
        output.print_note(f"{embeddings} has {', '.join(names)}")
    if out is not None:
        edits.write_to(lab, id, steps, to, out, force=force)
    if map is not None and kind is not None:
        row_files.write(row_files.map_of_rows(lab, id, steps), kind, map, force=force)
    if add is not None:
        edits.keep(lab, id, steps, add)
    output.print_found(done, format, _show)


def _show(done: "Edited") -> None:
    rows = []
    for number, step in enumerate(done.steps, start=1):
        counts = (*_signed(step.added, step.removed), integer(step.moved), integer(step.vocab_size))
        rows.append((number, step.kind if step.on else f"{step.kind} (off)", *counts))
    columns = ("", "edit", "added", "removed", "moved IDs", "tokens")
    output.table(columns, rows, right=("", "added", "removed", "moved IDs", "tokens"))
    output.print_chunks([f"{done.base}: {integer(done.vocab_size_before)} tokens; now {integer(done.vocab_size)}"])
    for check in done.checks:
        more = f" ({'; '.join(check.examples[:5])})" if check.examples else ""
        output.print_chunks([f"{'ok' if check.passed else 'LOOK'}  {check.name}: {check.message}{more}"])


def _signed(added: int, removed: int) -> tuple[str, str]:
    return f"+{integer(added)}" if added else "0", f"-{integer(removed)}" if removed else "0"
