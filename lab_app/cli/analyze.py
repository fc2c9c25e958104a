"""`tokenlab analyze`: several tokenizers over a corpus."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.analysis.options import AnalysisOptions as Options
from lab_app.cli import output
from lab_app.cli.common import (
    ForceOption,
    FormatOption,
    option_of,
    the_lab,
    tokenizer_option,
)
from lab_app.cli.corpus_options import CleanOption, LanguageColumnOption, ParallelOption, TextColumnOption
from lab_app.cli.running import running_job
from lab_app.errors import Conflict, Unavailable, reason
from lab_app.number_words import DASH, integer, number_of, ratio
from lab_app.spelling import spelled

if TYPE_CHECKING:
    from lab_app.analysis.corpus.result import CorpusResult, TokenizerResult

QUICK_LOOK = "50MB"
SHOWN_LANGUAGES = 100
SHOWN_CHANGES = 100


def analyze(
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS...", help="The id of a corpus, or files, folders and patterns.", show_default=False
        ),
    ],
    tokenizer: Annotated[
        list[str],
        tokenizer_option("A tokenizer; one to sixteen."),
    ],
    to: Annotated[
        list[Path],
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the result; the suffix says how.", show_default=False
        ),
    ] = [],  # noqa: B006 - typer copies it
    sample: Annotated[
        str,
        typer.Option(
            metavar="SIZE", help="Count about this much of the text, such as 50MB, or all; documents at random."
        ),
    ] = QUICK_LOOK,
    whole: Annotated[bool, typer.Option("--all", help="Count all of the text.")] = False,
    seed: Annotated[int, option_of(Options, "seed")] = Options.seed,
    measure: Annotated[list[str] | None, option_of(Options, "measures", metavar="NAME")] = None,
    reference: Annotated[str | None, option_of(Options, "reference_language", metavar="LANGUAGE")] = None,
    context_length: Annotated[list[int] | None, option_of(Options, "context_lengths", metavar="TOKENS")] = None,
    alpha: Annotated[float, option_of(Options, "alpha")] = Options.alpha,
    top: Annotated[int, option_of(Options, "top")] = Options.top,
    parallel: ParallelOption = False,
    text_column: TextColumnOption = None,
    language_column: LanguageColumnOption = None,
    clean: CleanOption = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the result in the lab, where the Corpus screen shows it.")
    ] = False,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Count on the Dask cluster of this scheduler, tcp://host:8786.", show_default=False
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Count in this many processes of this machine.", show_default=False),
    ] = None,
    against: Annotated[
        int | None,
        typer.Option(
            "--compare", metavar="NUMBER", help="Compare with a kept analysis; see --keep.", show_default=False
        ),
    ] = None,
    force: ForceOption = False,
    format: FormatOption = "table",
) -> None:
    """Measure how tokenizers behave on a corpus: frequencies, compression, languages, lengths, boundaries."""
    from lab_app.corpora.options import CorpusOptions
    from lab_app.reports.analysis_files import of_analysis, writer_of
    from lab_app.services.analyses import analyses
    from lab_app.services.analyses.machines import machines
    from lab_app.services.corpora.corpora import named_corpus

    writers = [(path, writer_of(path)) for path in to]
    for path in to:
        if path.is_file() and not force:
            raise Conflict(f"{path} already exists", "give another name, or --force to replace it")
    lab = the_lab()
    size = output.size_in_bytes(sample)
    options = Options(
        tuple(measure) if measure else None,
        reference,
        tuple(context_length) if context_length else Options.context_lengths,
        alpha,
        top,
        None if whole or size is None else int(size),
        seed,
    )
    before = None if against is None else analyses.load(lab, against)
    subjects = analyses.subjects_of(lab, tokenizer)
    columns = CorpusOptions(
        text_column=text_column, language_column=language_column, parallel=parallel, cleaning=tuple(clean or ())
    )
    found = named_corpus(lab, corpus, columns)
    with machines(scheduler, workers) as counting:
        if counting.words:
            output.print_note(f"counted by {counting.words}")
        with running_job("analysis", found.title, says_time_left=True) as running:
            analysis = analyses.run_analysis(found, subjects, options, running.report, counting.counter, counting.words)
    if format == "json":
        output.print_json(analysis.result)
    else:
        _show(analysis.result)
        if before is not None:
            _show_changes(before, analysis.result)
    for path, write in writers:
        try:
            write(of_analysis(analysis), path)
        except OSError as error:
            raise Unavailable(
                f"{path} cannot be written: {reason(error)}",
                "check the permissions and the free space there, or name another file",
            ) from error
        output.print_note(f"{path}: {path.stat().st_size} bytes")
    if keep:
        output.print_note(f"kept as analysis {analyses.keep(lab, analysis).id}")


def _show(result: "CorpusResult") -> None:
    """What was counted, then metrics, frequent tokens and languages as tables."""
    from lab_app.analysis import figures

    corpus = result.corpus
    ids = [each.tokenizer for each in result.tokenizers]
    output.table(("metric", *ids, "unit"), _metric_rows(result), right=ids)
    for each in result.tokenizers:
        rows = [
            (
                row.rank,
                spelled(row.text, row.bytes) + (" (unknown)" if row.unknown else ""),
                integer(row.count),
                _percent(row.share),
                _percent(row.cumulative),
            )
            for row in each.frequencies
        ]
        if rows:
            columns = ("rank", each.tokenizer, "count", "share", "cumulative")
            output.table(columns, rows, right=("rank", "count", "share", "cumulative"))
    _show_ratios(result)
    _show_languages(result)
    amounts = number_of(corpus.documents, "document"), number_of(corpus.bytes, "byte")
    counted = f"{', '.join(amounts)} of {corpus.title}"
    part = "" if corpus.sampled is None else f", a sample of {_percent(corpus.sampled)} (--all counts everything)"
    output.print_note(f"{counted}{part}; special tokens are not added; ratios are of sums over the corpus")
    if corpus.skipped or corpus.replaced_characters:
        output.print_note(
            f"{number_of(corpus.skipped, 'document')} skipped, "
            f"{number_of(corpus.replaced_characters, 'invalid character')} replaced"
        )
    for each in result.tokenizers:
        if (each.unknown_rate or 0) > figures.MUCH_UNKNOWN:
            lost = _percent(each.unknown_character_rate)
            output.print_note(
                f"{each.tokenizer}: {lost} of the characters are unknown, so compression looks better than it is"
            )
    for why, names in _missing(result).items():
        output.print_note(f"{', '.join(names)}: not measured, {why}")


def _show_ratios(result: "CorpusResult") -> None:
    found = result.token_ratios
    if found is None:
        return
    output.table(
        ("tokens of", "per token of", "ratio"), [(one.tokenizer, one.against, one.words) for one in found.ratios]
    )
    output.print_note(
        f"{100 * found.level:.0f} % intervals over {integer(found.resamples)} samples of the documents, seed {found.seed}; not told "
        "apart: the interval holds 1"
    )


ROWS = (
    ("tokens", "tokens", "tokens"),
    ("bytes per token", "bytes_per_token", "bytes"),
    ("characters per token", "characters_per_token", "characters"),
    ("unknown tokens", "unknown_rate", "% of tokens"),
    ("round trip, exact", "round_trip.exact", "% of documents"),
    ("stable IDs", "round_trip.stable", "% of documents"),
    ("fertility", "fertility", "tokens per word"),
    ("continued words", "continued_word_rate", "% of words"),
    ("types", "types", "different tokens"),
    ("utilisation", "vocabulary_utilisation", "% of entries"),
    *((f"{each} % coverage", f"milestones.{each}", "types") for each in (50, 75, 90, 95, 99)),
    ("Zipf exponent", "zipf.exponent", "none"),
    ("Rényi efficiency", "renyi_efficiency", "0 to 1"),
    ("median length", "lengths.median", "tokens"),
    ("95 % length", "lengths.p95", "tokens"),
    ("split characters", "utf8.split_character_rate", "% of multi-byte"),
    ("digit F1", "digit_f1", "0 to 1"),
    ("Gini", "gini", "0 to 1"),
)
"""Title, name of the metric, and unit of the rows that a terminal shows. Percentages have "%" in their unit."""


def _metric_rows(result: "CorpusResult") -> Iterator[tuple[str, ...]]:
    from lab_app.services.analyses.changes import metric_values

    values = [metric_values(each) for each in result.tokenizers]
    for title, name, unit in ROWS:
        chosen = any(_is_chosen(each, name.partition(".")[0]) for each in result.tokenizers)
        if chosen and (name != "gini" or result.corpus.is_parallel):
            yield (title, *(_number(each.get(name), unit) for each in values), unit)


def _is_chosen(result: "TokenizerResult", name: str) -> bool:
    """Whether a metric was asked for: `--measure` leaves out the others."""
    return not _is_left_out(result.not_measured.get(name, ""))


def _is_left_out(why: str) -> bool:
    """Whether a metric has no value because `--measure` did not name its measure."""
    from lab_app.analysis.corpus.language import NOT_COUNTED

    return why.endswith(NOT_COUNTED.rpartition("{}")[2])


def _number(value: float | None, unit: str) -> str:
    if unit.startswith("%"):
        return ratio(None if value is None else 100 * value)
    if value is None or isinstance(value, int):
        return integer(value)
    return ratio(value, 3 if unit == "0 to 1" else 2)


def _show_languages(result: "CorpusResult") -> None:
    if len(result.corpus.languages) < 2:
        return
    name = "premium" if result.corpus.is_parallel else "fertility"
    ids = [each.tokenizer for each in result.tokenizers]
    rows = [
        (each[0].language, each[0].script or "", *(ratio(getattr(one, name)) for one in each))
        for each in zip(*(each.languages for each in result.tokenizers), strict=True)
    ]
    against = f"{name}, {result.settings.reference_language} is 1" if name == "premium" else f"{name}, tokens per word"
    output.table((against, "script", *ids), rows[:SHOWN_LANGUAGES], right=ids)
    if len(rows) > SHOWN_LANGUAGES:
        output.print_note(f"{len(rows) - SHOWN_LANGUAGES} more languages; --format json has all")


def _show_changes(before: "CorpusResult", after: "CorpusResult") -> None:
    """What differs from an earlier result, as tables."""
    from lab_app.services.analyses.changes import changes_between

    found = changes_between(before, after)
    if found.settings:
        output.table(("changed", "before", "now"), [(each.name, each.before, each.after) for each in found.settings])
    rows = [
        (
            each.tokenizer,
            each.language or "",
            each.metric,
            *map(_value, (each.before, each.after, each.difference)),
            each.unit,
        )
        for each in found.metrics[:SHOWN_CHANGES]
    ]
    if rows:
        columns = ("tokenizer", "language", "metric", "before", "now", "difference", "unit")
        output.table(columns, rows, right=columns[3:6])
    for words, ids in (
        ("only in this analysis", found.added_tokenizers),
        (f"only in analysis {found.before}", found.removed_tokenizers),
        ("files differ", found.changed_tokenizers),
    ):
        if ids:
            output.print_note(f"{', '.join(ids)}: {words}")
    output.print_note(
        f"{number_of(len(found.metrics), 'metric')} of {found.compared} differ from analysis {found.before}"
        + (f"; {SHOWN_CHANGES} are shown" if len(found.metrics) > SHOWN_CHANGES else "")
    )


def _value(value: float | None) -> str:
    return integer(value) if value is None or isinstance(value, int) else f"{value:.4g}"


def _percent(share: float | None) -> str:
    return DASH if share is None else f"{ratio(100 * share)} %"


def _missing(result: "CorpusResult") -> dict[str, list[str]]:
    """The metrics without a value by the reason, but for those left out by `--measure`; one that a single tokenizer lacks
    names it.
    """
    found: dict[str, list[str]] = {}
    for name, why in result.not_measured.items():
        found.setdefault(why, []).append(name)
    for each in result.tokenizers:
        for name, why in each.not_measured.items():
            if name not in result.not_measured:
                found.setdefault(why, []).append(f"{name} of {each.tokenizer}")
    return {why: names for why, names in found.items() if not _is_left_out(why)}
