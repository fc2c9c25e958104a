"""`tokenlab train`: trains a tokenizer from files into a folder."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from lab_app.cli import output
from lab_app.cli.common import ForceOption, Format, FormatOption, given_options, option_of, the_lab
from lab_app.errors import BadRequest
from lab_app.number_words import integer, number_of, percent
from lab_app.services.trainings.results import Invalid, TrainingRequest
from lab_app.spelling import printable

if TYPE_CHECKING:
    from lab_app.services.lab import Lab
    from lab_app.services.trainings.folder import TrainingOrder
    from lab_app.training.control import Control
    from lab_app.training.progress import Progress


RACE_OPTIONS = (
    "algorithm",
    "vocab_size",
    "input",
    "preset",
    "min_frequency",
    "option",
    "special_token",
    "column",
    "sample_bytes",
    "algorithm_trace",
    "format",
)
"""The options that --algorithm-trace uses."""


TrainAlgorithm = Literal["bpe", "wordpiece", "unigram", "wordlevel", "character"]
"""What is trained."""

Variant = Literal["words", "sentencepiece"]
"""How Unigram chooses its first tokens and ends its rounds."""


def train(
    context: typer.Context,
    algorithm: Annotated[
        TrainAlgorithm | None, typer.Argument(help="What to train; not with --resume.", show_default=False)
    ] = None,
    vocab_size: Annotated[
        int | None, typer.Option("--vocab-size", min=1, help="Tokens, special ones included. [default: 4096]")
    ] = None,
    input: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="PATH",
            help="A file, folder or pattern, the id of a corpus, or practice:topics; may be repeated.",
            show_default=False,
        ),
    ] = None,
    output_folder: Annotated[
        Path | None, typer.Option("--output", metavar="DIR", help="The folder for the files.", show_default=False)
    ] = None,
    preset: Annotated[str | None, option_of(TrainingRequest, "preset")] = None,
    min_frequency: Annotated[
        int | None, typer.Option("--min-frequency", min=0, help="The least count of a pair or word. [default: 2]")
    ] = None,
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", help="Unigram: for fewer tokens, or as SentencePiece trains. [default: words]"),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help='Any other option of the training, such as max_token_length=16 or normalizer=\'{"type": "NFKC"}\'; may be '
            "repeated.",
        ),
    ] = None,
    special_token: Annotated[
        list[str] | None,
        typer.Option("--special-token", metavar="TEXT", help="One more special token; may be repeated."),
    ] = None,
    column: Annotated[str | None, typer.Option("--column", help="The text column of tables.")] = None,
    held_out: Annotated[
        str | None,
        typer.Option("--held-out", metavar="SHARE|PATH", help="A share such as 0.05, or another text, to measure on."),
    ] = None,
    sample_bytes: Annotated[str, option_of(TrainingRequest, "sample_bytes", metavar="SIZE|all")] = "all",
    threads: Annotated[int | None, option_of(TrainingRequest, "threads")] = None,
    invalid: Annotated[Invalid, option_of(TrainingRequest, "invalid")] = "replace",
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Count on a Dask cluster: tcp://host:8786, or local."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Go on with a training that was killed.")
    ] = None,
    algorithm_trace: Annotated[
        bool, typer.Option("--algorithm-trace", help="Run the four algorithms of BPE side by side instead.")
    ] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="Estimate time and memory instead.")] = False,
    force: ForceOption = False,
    format: FormatOption = "table",
) -> None:
    """Train a tokenizer from files.

    Writes tokenizer.json and the other formats that can hold the tokenizer. Ctrl+C stops it; what there is stays in the
    folder and --resume goes on.
    """
    from lab_app.services.trainings import folder
    from lab_app.training.option_text import read_options

    lab = the_lab()
    if resume is not None:
        if names := given_options(context, but=("resume", "format", "scheduler")):
            raise BadRequest(
                f"--resume is given with {names}",
                "give --resume DIR alone: the training goes on with its own text and options",
            )
        _run(lambda control, changed, log: folder.resume(lab, resume, control, changed, log, scheduler), format)
        return
    if algorithm is None:
        raise BadRequest("no algorithm was named", f"choose one of {', '.join(get_args(TrainAlgorithm))}")
    if not input:
        raise BadRequest("no text was named", "give --input PATH; practice:topics needs no file")
    if variant is not None and algorithm != "unigram":
        raise BadRequest(f"{algorithm} has no variants", "leave --variant out, or train unigram")
    own = {"vocab_size": vocab_size, "min_frequency": min_frequency, "variant": variant}
    options = {"algorithm": algorithm, **{name: value for name, value in own.items() if value is not None}}
    size = output.size_in_bytes(sample_bytes)
    order = folder.TrainingOrder(
        preset=preset,
        options={**options, **read_options(option or [], options)},
        special_tokens=special_token or [],
        inputs=input,
        column=column,
        held_out=held_out,
        sample_bytes=None if size is None else max(1, round(size)),
        threads=threads or 0,
        skip_invalid=invalid == "skip",
        scheduler=scheduler,
    )
    if algorithm_trace:
        if names := given_options(context, but=RACE_OPTIONS):
            raise BadRequest(f"--algorithm-trace is given with {names}", "leave them out: they have no effect here")
        _race(lab, order, format)
        return
    if estimate:
        _estimate(lab, order, format)
        return
    if output_folder is None:
        raise BadRequest("no folder was named", "give --output DIR")
    _run(
        lambda control, changed, log: folder.train(lab, order, output_folder, control, changed, log, force=force),
        format,
    )


def _run(work: Callable[..., object], format: Format) -> None:
    from lab_app.services.trainings.folder import TrainedFolder
    from lab_app.training.control import Control as NewControl

    control = NewControl()
    with _progress_bar() as changed, _stopped_by_interrupt(control):
        found = work(control, changed, output.print_note if format == "table" else lambda words: None)
    assert isinstance(found, TrainedFolder)
    if format == "json":
        output.print_json(found)
        return
    for file in found.files:
        output.print_chunks([file])
    for note in found.left_out:
        output.print_note(note)
    held = found.held_out
    if held is not None and held.bytes_per_token is not None:
        unknown = f", {percent(held.unknown_rate)} of them unknown" if held.unknown_rate else ""
        tokens = number_of(held.tokens, "token")
        output.print_note(f"Held-out text: {held.bytes_per_token:.2f} bytes per token, {tokens}{unknown}.")


def _race(lab: "Lab", order: "TrainingOrder", format: Format) -> None:
    from lab_app.cli.costs import step_rows
    from lab_app.services.trainings import folder

    found = folder.race_algorithms(lab, order)
    if format == "json":
        output.print_json(found)
        return
    heads = [each.algorithm for each in found.trainers]
    rows = [
        ("merges", *(integer(each.merges) for each in found.trainers)),
        ("same merges", *("yes" if each.same_merges else "NO" for each in found.trainers)),
        *step_rows([each.steps for each in found.trainers]),
        ("ms", *(f"{each.elapsed_ns / 1e6:.1f}" for each in found.trainers)),
    ]
    output.table(("", *heads), rows, right=heads)
    if found.limits:
        output.print_note(f"{found.text}: {', '.join(found.limits)}")
    for each in found.trainers:
        output.print_note(f"{each.algorithm}: {each.description}")


def _estimate(lab: "Lab", order: "TrainingOrder", format: Format) -> None:
    from lab_app.number_words import size_words
    from lab_app.services.trainings import folder

    found = folder.estimate_order(lab, order)
    if format == "json":
        output.print_json(found)
        return
    seconds = "–" if found.seconds is None else f"{found.seconds:.3g} s"
    memory = "–" if found.memory_bytes is None else size_words(found.memory_bytes)
    output.table(("text", "time", "memory"), [(size_words(found.text_bytes), seconds, memory)])
    output.print_note(found.basis)


@contextmanager
def _stopped_by_interrupt(control: "Control") -> Iterator[None]:
    """Makes Ctrl+C cancel the training, which then writes a checkpoint."""
    before = signal.signal(signal.SIGINT, lambda number, frame: control.cancel() and None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress_bar() -> "Iterator[Callable[[Progress], None]]":
    """Draws each progress on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = [
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[figures]}"),
    ]
    with Bar(*columns, console=output.console(stderr=True), transient=True) as shown:
        task = shown.add_task("Read", total=None, figures="")

        def draw(progress: "Progress") -> None:
            stage = next((each for each in progress.stages if each.state == "running"), None)
            if stage is None:
                return
            figures = [stage.rate or ""]
            if progress.vocab_size and stage.name == "merge":
                figures.append(number_of(progress.vocab_size, "token"))
            if progress.held_out is not None and progress.held_out.bytes_per_token and stage.name == "merge":
                figures.append(f"{progress.held_out.bytes_per_token:.2f} bytes/token held out")
            if stage.left_s is not None:
                figures.append(f"{stage.left_s:.0f} s left")
            shown.update(
                task,
                description=stage.title,
                total=None if stage.share is None else 1.0,
                completed=stage.share or 0.0,
                figures=printable(" · ".join(filter(None, figures))),
            )

        yield draw
