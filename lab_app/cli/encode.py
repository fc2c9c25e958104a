"""`tokenlab encode`: prints the tokens of a text."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    EncodeFormat,
    FileOption,
    ForceOption,
    SpecialsOption,
    TextArgument,
    given_options,
    note_special_text,
    option_of,
    the_lab,
    tokenizer_option,
)
from lab_app.errors import BadValue, Conflict
from lab_app.number_words import integer, number_of, ratio
from lab_app.services.text.lengths import UNCHANGED, Lengths, Padding, Side, Truncation
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.spelling import spelled

if TYPE_CHECKING:
    from lab_app.engine import Specials
    from lab_app.services.lab import Lab
    from lab_app.services.text.encode_file import StreamFormat
    from lab_app.services.text.results import Result

# People read no more rows than this; programs take JSON.
MAX_ROWS = 2000
STREAMED_BYTES = 1_000_000
"""From this size on, IDs are written while the text is read."""
STDOUT = Path("-")
STDIN = Path("/dev/stdin")


WITH_OUTPUT = ("tokenizer", "file", "add_special_tokens", "specials", "output_file", "force", "threads")
"""What is given with --output."""


def encode(
    context: typer.Context,
    tokenizer: Annotated[
        list[str],
        tokenizer_option("The tokenizer; may be repeated."),
    ],
    text: TextArgument = None,
    file: FileOption = None,
    pair: Annotated[str | None, typer.Option(help="A second text, for tokenizers that take a pair.")] = None,
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    truncation: Annotated[Truncation | None, option_of(Lengths, "truncation")] = None,
    max_length: Annotated[int | None, option_of(Lengths, "max_length", metavar="TOKENS")] = None,
    truncation_side: Annotated[Side | None, option_of(Lengths, "truncation_side")] = None,
    stride: Annotated[int, option_of(Lengths, "stride", metavar="TOKENS")] = 0,
    padding: Annotated[Padding | None, option_of(Lengths, "padding")] = None,
    pad_to_multiple_of: Annotated[int | None, option_of(Lengths, "pad_to_multiple_of", metavar="TOKENS")] = None,
    format: Annotated[
        EncodeFormat, typer.Option("--format", help="Tables for people, JSON for programs, bare IDs.")
    ] = "table",
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Write the IDs of a text of any size to a file: for numpy where it ends in .npy, else 32 bits each. - is stdout.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    threads: Annotated[int, typer.Option(min=0, help="Threads that encode for --output; 0: all cores.")] = 0,
) -> None:
    """Print the tokens of a text, or write the IDs of a file.

    JSON is one object, or with several tokenizers a list of them; IDs are one line per tokenizer. The IDs of a file or of stdin are
    written while it is read where `--format ids` or --output asks for them: a text of any size takes little memory.
    """
    if output_file is not None:
        is_typed = text not in (None, "-") or (file is None and text is None and sys.stdin.isatty())
        if len(tokenizer) != 1 or is_typed or (file is not None and text is not None):
            raise BadValue(
                "--output takes one tokenizer and a text from --file or stdin",
                "give -t once, and --file PATH or a pipe",
            )
        if others := given_options(context, but=WITH_OUTPUT):
            raise BadValue("--output writes the IDs of a whole file, as they are", f"leave out {others}")
        write_ids(
            tokenizer[0],
            file,
            output_file,
            add_special_tokens=add_special_tokens,
            specials=specials,
            threads=threads,
            force=force,
        )
        return
    if unused := [name for name, is_given in {"--threads": threads != 0, "--force": force}.items() if is_given]:
        raise BadValue(
            f"{' and '.join(unused)} without --output", f"give --output PATH, or leave out {' and '.join(unused)}"
        )
    lengths = Lengths(truncation, max_length, stride, padding, pad_to_multiple_of, truncation_side)
    beginning = b""
    lab = the_lab()
    is_plain = format == "ids" and len(tokenizer) == 1 and pair is None and lengths == UNCHANGED
    if is_plain and lab.catalog.entry(tokenizer[0]).plugin is None:
        is_long, beginning = output.read_beginning(text, file, STREAMED_BYTES)
        if is_long and streamed_ids(lab, tokenizer[0], file, beginning, add_special_tokens, specials):
            return
    content = output.decoded(beginning, "stdin") if beginning else output.read_text(text, file)
    from lab_app.services.text.encode import encode as encode_text

    results = (
        encode_text(lab, id, content, pair, add_special_tokens=add_special_tokens, specials=specials, lengths=lengths)
        for id in tokenizer
    )
    note_special_text(lab, tokenizer, content if pair is None else f"{content}\n{pair}", specials)
    if format == "ids":
        for result in results:
            ids = b",".join(result.items("ids")).decode()  # without the array, which needs numpy
            output.print_chunks([" ".join(ids.replace(",", " ").split())])
    elif format == "json" and len(tokenizer) == 1:
        output.print_chunks(map(bytes.decode, next(results).json_chunks()))
    elif format == "json":
        for number, result in enumerate(results):
            sys.stdout.write(", " if number else "[")
            sys.stdout.writelines(map(bytes.decode, result.json_chunks()))
        output.print_chunks(["]"])
    else:
        for result in results:
            show(result)


def streamed_ids(
    lab: "Lab", id: str, file: Path | None, beginning: bytes, add_special_tokens: bool, specials: "Specials"
) -> bool:
    """Writes the IDs while the text is read; False if the text must be read as a whole, and can be."""
    from lab_app.services.text.encode_file import NeedsWholeText

    try:
        stream(lab, id, file, "text", beginning, add_special_tokens=add_special_tokens, specials=specials)
    except NeedsWholeText:
        if file is None or not file.is_file():
            raise
        return False
    return True


def stream(
    lab: "Lab",
    id: str,
    file: Path | None,
    format: "StreamFormat",
    beginning: bytes = b"",
    *,
    add_special_tokens: bool,
    specials: "Specials",
    threads: int = 0,
) -> None:
    """Writes the IDs of a file, or of `beginning` and what is left of stdin, to stdout."""
    from lab_app.services.text.encode_file import encode_to_stdout

    output.flush()
    encode_to_stdout(
        lab,
        id,
        file,
        format,
        beginning,
        add_special_tokens=add_special_tokens,
        specials=specials,
        threads=threads,
    )


def write_ids(
    id: str, file: Path | None, path: Path, *, add_special_tokens: bool, specials: "Specials", threads: int, force: bool
) -> None:
    """Writes the IDs of a file to `path`, and says how many there are."""
    from lab_app.services.text.encode_file import encode_file

    if path == STDOUT:
        stream(the_lab(), id, file, "raw", add_special_tokens=add_special_tokens, specials=specials, threads=threads)
        return
    if file is None and not STDIN.exists():
        raise BadValue("this system has no name for stdin", "give --file PATH, or --output -")
    if path.is_file() and not force:
        raise Conflict(f"{path} already exists", "give another name, or --force to replace it")
    count = encode_file(
        the_lab(), id, file or STDIN, path, add_special_tokens=add_special_tokens, specials=specials, threads=threads
    )
    output.print_note(f"{number_of(count, 'ID')} written to {path}")


def show(result: "Result") -> None:
    """Prints one result as a table, with its counts above it."""
    from lab_app.analysis import figures

    summary = result.summary()
    parts = [(summary.added_special_count, "added"), (summary.padding_count, "of padding")]
    added = [f" + {integer(count)} {label}" for count, label in parts if count]
    notes = [f"{ratio(summary.bytes_per_token)} bytes per token"]
    if summary.unknown_count:
        notes.append(figures.unknown_words(summary))
    if summary.split_character_count:
        notes.append(f"{number_of(summary.split_character_count, 'character')} split")
    if not result.has_spans:
        notes.append("no spans: the plug-in does not report them")
    if result.encoding.is_truncated:
        notes.append(f"truncated; {number_of(len(result.overflowing), 'more part')}")
    elif not summary.round_trip:
        notes.append("decoding changes the text")
    own = summary.count if summary.text_token_count is None else summary.text_token_count
    size, characters = (
        number_of(number, word)
        for number, word in ((result.figures.bytes, "byte"), (result.figures.characters, "character"))
    )
    head = f"{result.id}: {number_of(own, 'token')}{''.join(added)} for {size}, {characters}"
    output.print_chunks(["; ".join([head, *notes])])
    rows = [
        (
            number,
            token.id,
            spelled(token.text, token.bytes),
            bytes.fromhex(token.bytes).hex(" "),
            "" if token.sequence is None or token.span_utf8 is None else "{}–{}".format(*token.span_utf8),
        )
        for number, token in enumerate(result.first_tokens(MAX_ROWS))
    ]
    output.table(("", "id", "token", "bytes", "span (bytes)"), rows, right=("", "id", "span (bytes)"))
    if summary.count > MAX_ROWS:
        output.print_note(f"{summary.count - MAX_ROWS} more tokens; --format json has all")
