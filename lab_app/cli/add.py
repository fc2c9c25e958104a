"""`tokenlab add`: takes files in, or fetches a tokenizer from a Hub."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import MAX_DIGITS, FormatOption, the_lab
from lab_app.errors import BadValue


def add(
    what: Annotated[
        str,
        typer.Argument(
            metavar="PATH|hub:OWNER/NAME|ID",
            help="A file, a folder, a repository of the Hugging Face Hub, or a known id such as bert-base-uncased.",
            show_default=False,
        ),
    ],
    id: Annotated[str | None, typer.Option("--id", help="Its id. [default: derived from the file's name]")] = None,
    pattern: Annotated[
        str | None,
        typer.Option(help="The split pattern of an unknown rank file: a name or a regular expression."),
    ] = None,
    special: Annotated[
        list[str] | None, typer.Option(metavar="TEXT=ID", help="A special token of a rank file; may be repeated.")
    ] = None,
    format: FormatOption = "table",
) -> None:
    """Add a tokenizer from a file or folder, from the Hugging Face Hub, or fetch a known one.

    Files: tokenizer.json, SentencePiece models, vocab.json with merges.txt (or encoder.json with vocab.bpe), BERT's
    and ESM's vocab.txt, tiktoken rank files, tekken.json, GGUF, RWKV's vocabulary, Wav2Vec2's vocab.json and CLIP's merges. They are copied; the originals can go. hub:OWNER/NAME@REVISION takes a branch, tag or commit, hub:OWNER/NAME:FILE one file.
    """
    from lab_app.services.tokenizers import tokenizers

    lab = the_lab()
    with output.progress(what) as report:
        entry = tokenizers.add(lab, what, id=id, pattern=pattern, special_tokens=_specials(special), report=report)
    if format == "json":
        output.print_json(entry)
    else:
        output.print_chunks([f"{entry.id}: {entry.family}, {entry.vocab_size} tokens, {entry.source}"])
        if entry.note is not None:
            output.print_note(entry.note)


def _specials(given: list[str] | None) -> dict[str, int] | None:
    if not given:
        return None
    found = {}
    for each in given:
        text, _, number = each.rpartition("=")
        if not text or not number.isdecimal() or len(number) > MAX_DIGITS:
            raise BadValue(f'--special cannot be "{each}"', 'give it as TEXT=ID, such as "<|endoftext|>=50256"')
        found[text] = int(number)
    return found
