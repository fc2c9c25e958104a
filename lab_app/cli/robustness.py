"""`tokenlab robustness`: how far small edits change tokens."""

from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.analysis.options import RobustnessOptions as Options
from lab_app.cli import output
from lab_app.cli.common import FormatOption, option_of, the_lab, tokenizer_option
from lab_app.cli.running import running_job
from lab_app.number_words import number_of

if TYPE_CHECKING:
    from lab_app.services.analyses.robustness import Robustness


def robustness(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="A corpus by its id, or a file or a folder.", show_default=False)
    ],
    tokenizer: Annotated[list[str], tokenizer_option("A tokenizer.")],
    sentences: Annotated[int, option_of(Options, "sentences", metavar="N")] = Options.sentences,
    kind: Annotated[list[str] | None, option_of(Options, "kinds", metavar="KIND")] = None,
    sample: Annotated[str, option_of(Options, "sample_bytes", metavar="SIZE|all")] = "2MB",
    seed: Annotated[int, option_of(Options, "seed")] = Options.seed,
    format: FormatOption = "table",
) -> None:
    """Measure how far a typo, a case, a space or a Unicode form moves boundaries, and compression under noise."""
    from lab_app.services.analyses.robustness import measure

    options = Options(sentences, tuple(kind) if kind else None, seed, output.size_in_bytes(sample))
    with running_job("robustness", "Robustness", "sentences") as running:
        found = measure(the_lab(), tokenizer, corpus, options, running)
    output.print_found(found, format, _show)


def _show(found: "Robustness") -> None:
    rows = [
        (
            each.tokenizer,
            kind.kind,
            kind.edits,
            _number(kind.moved_outside),
            _percent(kind.moved_outside_share),
            _number(None if kind.reach_bytes is None else kind.reach_bytes.mean),
            "—" if kind.reach_bytes is None else kind.reach_bytes.p95,
            _percent(kind.count_changed_share),
        )
        for each in found.tokenizers
        for kind in each.kinds
    ]
    columns = ("tokenizer", "edit", "edits", "moved outside", "edits that do", "reach", "reach p95", "count changes")
    output.table(columns, rows, right=columns[2:])
    noise = [
        (each.tokenizer, *(_number(level.tokens_per_byte, 4) for level in each.noise)) for each in found.tokenizers
    ]
    levels = tuple(f"{level.level:.0%} noise" for level in found.tokenizers[0].noise)
    output.table(("tokens per byte", *levels), noise, right=levels)
    output.print_note(
        f"{number_of(found.sentences, 'sentence')}, seed {found.seed}, one edit of each kind per sentence. moved outside: boundaries "
        "outside of the edited word per edit. reach: bytes from the edit to the farthest boundary that moves"
    )
    for left in found.not_measured:
        output.print_note(f"not measured: {left.what}: {left.reason}")


def _number(value: float | None, digits: int = 2) -> str:
    return "—" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:.1f} %"
