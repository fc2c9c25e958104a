"""`tokenlab bench`: measures engines on one text."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lab_app.benchmarks.options import MAX_BYTES, BenchmarkOptions, CostOptions, Output, Shape, Temperature
from lab_app.cli import output
from lab_app.cli.common import (
    ForceOption,
    Format,
    FormatOption,
    TextArgument,
    given_options,
    option_of,
    the_lab,
    tokenizer_option,
)
from lab_app.cli.costs import Cost, show_stages
from lab_app.cli.running import running_job
from lab_app.errors import BadRequest, BadValue, Conflict

if TYPE_CHECKING:
    from lab_app.benchmarks.result import BenchmarkResult, BenchmarkSettings, Subject, TextSource
    from lab_app.services.benchmarks.changes import BenchmarkChanges
    from lab_app.services.lab import Lab

USUAL_TOKENIZER = "gpt2"
USUAL_CORPUS = "udhr"
COST_LIMIT_S = 2.0
"""The time of one text above which --cost tries no larger ones."""
COST_OPTIONS = (
    *("cost", "tokenizer", "subject", "rounds", "max_bytes"),
    *("time_limit", "seed", "input", "merges", "format"),
)
COST_TEXTS = ("text", "corpus", "file")
"""For costs of a text; the others make their own."""


Preset = Literal["bert-gpt2", "reference", "installed"]
"""Usual choices of what to compare."""


def bench(
    context: typer.Context,
    text: TextArgument = None,
    tokenizer: Annotated[
        list[str] | None,
        tokenizer_option("A tokenizer; may be repeated."),
    ] = None,
    preset: Annotated[
        Preset | None, typer.Option("--preset", help="What to compare, for the first tokenizer.", show_default=False)
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="ENGINES", help="Compare the lab's engine with these: tiktoken,tokenizers ..."
        ),
    ] = None,
    subject: Annotated[
        list[str] | None,
        typer.Option("--subject", metavar="ID/ENGINE", help="One to compare, such as gpt2/tiktoken; may be repeated."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="ID/ENGINE", help="What ratios divide by; default: the first subject."),
    ] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="CORPUS", help="The id of a corpus, or a file or folder.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="PATH", help="Read the text from a file.")] = None,
    mode: Annotated[Temperature, option_of(BenchmarkOptions, "temperature")] = BenchmarkOptions.temperature,
    shape: Annotated[Shape, option_of(BenchmarkOptions, "shape")] = BenchmarkOptions.shape,
    returned: Annotated[Output, option_of(BenchmarkOptions, "output")] = BenchmarkOptions.output,
    threads: Annotated[int, option_of(BenchmarkOptions, "threads")] = BenchmarkOptions.threads,
    rounds: Annotated[int, option_of(BenchmarkOptions, "rounds")] = BenchmarkOptions.rounds,
    max_bytes: Annotated[str, option_of(BenchmarkOptions, "max_bytes", metavar="SIZE")] = "2MB",
    time_limit: Annotated[float, option_of(BenchmarkOptions, "time_limit_s")] = BenchmarkOptions.time_limit_s,
    seed: Annotated[int, option_of(BenchmarkOptions, "seed")] = BenchmarkOptions.seed,
    save: Annotated[
        list[Path] | None,
        typer.Option(
            "--save", metavar="FILE", help="Write the result: .json, .csv, .html, .md or .tex; may be repeated."
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the result in the lab, where the Benchmark screen shows it.")
    ] = False,
    compare: Annotated[
        int | None, typer.Option("--compare", metavar="NUMBER", help="Compare with a kept benchmark; see --keep.")
    ] = None,
    cost: Annotated[
        Cost | None,
        typer.Option("--cost", help="Measure where time goes or how it grows instead.", show_default=False),
    ] = None,
    input: Annotated[
        str | None,
        typer.Option("--input", metavar="KIND", help="With --cost, the kind of text: words, random_letters, cjk ..."),
    ] = None,
    merges: Annotated[
        int | None, typer.Option("--merges", min=1, help="With --cost trainers, the merges of each. [default: 500]")
    ] = None,
    engines: Annotated[bool, typer.Option("--engines", help="List the engines, and how to install them.")] = False,
    force: ForceOption = False,
    format: FormatOption = "table",
) -> None:
    """Measure the speed of engines on one text: interleaved rounds, each engine in a process of its own."""
    from lab_app.benchmarks.result import BenchmarkSettings
    from lab_app.reports import benchmark as report
    from lab_app.services.benchmarks import benchmarks

    lab = the_lab()
    if engines:
        return _show_engines(benchmarks.engines(lab, tokenizer[0] if tokenizer else None), format)
    if cost is not None:
        taken = COST_OPTIONS + (COST_TEXTS if cost in ("stages", "trainers") else ())
        if names := given_options(context, but=taken):
            raise BadRequest(f"--cost {cost} is given with {names}", "leave them out: they have no effect here")
        return _measure_cost(
            lab,
            cost,
            tokenizer or [USUAL_TOKENIZER],
            subject or [],
            _cost_source(cost, text, corpus, file),
            input=input,
            rounds=rounds,
            limit_s=min(time_limit, COST_LIMIT_S),
            max_bytes=max_bytes,
            seed=seed,
            merges=merges,
            format=format,
        )
    if merges is not None:
        raise BadValue("--merges is given without --cost trainers", "leave it out")
    if input is not None:
        raise BadValue("--input is given without --cost", "add --cost growth, or leave it out")
    for path in save or []:
        if path.suffix[1:] not in report.FORMATS:
            raise BadValue(f"{path} has no known suffix", f"choose among .{', .'.join(report.FORMATS)}")
        if path.is_file() and not force:
            raise Conflict(f"{path} already exists", "give another name, or --force to replace it")
    subjects, usual_baseline = _subjects(lab, tokenizer or [], preset, against, subject or [])
    size = output.size_in_bytes(max_bytes)
    settings = BenchmarkSettings(
        subjects=subjects,
        source=_source(text, corpus, file),
        baseline=baseline or usual_baseline,
        temperature=mode,
        shape=shape,
        output=returned,
        threads=threads,
        rounds=rounds,
        max_bytes=int(size) if size is not None else MAX_BYTES,
        time_limit_s=time_limit,
        seed=seed,
    )
    before = None if compare is None else benchmarks.load(lab, compare)
    title = benchmarks.title_of(settings)
    with running_job("benchmark", title, unit="samples") as running:
        run = benchmarks.run_and_keep if keep else benchmarks.run
        result = run(lab, settings, title, running)
    if format == "json":
        output.print_json(_as_json(result))
    else:
        _show(result, settings)
    if before is not None:
        from lab_app.services.benchmarks.changes import changes_between

        _show_changes(changes_between(before, result))
    for path in save or []:
        content = report.write(result, path.suffix[1:])
        output.print_note(f"{path}: {output.write_file(path, [content], force=force)} bytes")
    if keep:
        output.print_note(f"kept as benchmark {result.id}")
    if not any(row.throughput_mb_per_s for row in result.rows):
        raise typer.Exit(output.FAILED)
    return None


def _measure_cost(
    lab: "Lab",
    cost: Cost,
    tokenizers: list[str],
    given: list[str],
    source: "TextSource | None",
    *,
    max_bytes: str,
    **options: Any,
) -> None:
    """The lab's engine with each tokenizer, unless subjects are given."""
    from lab_app.benchmarks.result import Subject
    from lab_app.cli import costs
    from lab_app.peers.registry import OURS

    pairs = [each.rpartition("/") for each in given]
    subjects = [Subject(id, engine) for id, _, engine in pairs] or [Subject(id, OURS) for id in tokenizers]
    size = output.size_in_bytes(max_bytes)
    most = CostOptions.max_bytes if size is None else min(int(size), CostOptions.max_bytes)
    costs.measure(lab, cost, subjects, source, max_bytes=most, **options)


def _subjects(
    lab: "Lab", tokenizers: list[str], preset: Preset | None, against: str | None, given: list[str]
) -> "tuple[list[Subject], str]":
    """What to compare, and the key of the usual baseline. Raises BadValue for options that contradict each other."""
    from lab_app.benchmarks.result import Subject
    from lab_app.peers.registry import OURS
    from lab_app.services.benchmarks import presets

    if sum((preset is not None, against is not None, bool(given))) > 1:
        raise BadValue("--preset, --against and --subject are given together", "give one of them")
    if given:
        pairs = [each.rpartition("/") for each in given]
        subjects = [Subject(id, engine) for id, _, engine in pairs]
        return subjects, subjects[0].key
    ids = list(dict.fromkeys(lab.catalog.entry(id).id for id in tokenizers or [USUAL_TOKENIZER]))
    if against is not None:
        names = [name.strip() for name in against.split(",") if name.strip()]
        subjects = list(dict.fromkeys(Subject(id, name) for id in ids for name in (*names, OURS)))
        return subjects, subjects[0].key
    if preset is None and len(ids) > 1:
        subjects = [Subject(id, OURS) for id in ids]
        return subjects, subjects[0].key
    found = presets.preset(lab, preset or "reference", ids[0])
    return found.subjects, found.baseline


def _cost_source(cost: Cost, text: str | None, corpus: str | None, file: Path | None) -> "TextSource | None":
    """None: trainers use their own usual text."""
    if cost == "trainers" and text is None and corpus is None and file is None:
        return None
    return _source(text, corpus, file)


def _source(text: str | None, corpus: str | None, file: Path | None) -> "TextSource":
    from lab_app.benchmarks.result import TextSource

    if sum(each is not None for each in (text, corpus, file)) > 1:
        raise BadValue("a text, --corpus and --file are given together", "give one of them")
    if text is not None:
        return TextSource("text", "", output.read_text(text, None))
    if file is not None:
        return TextSource("file", str(file))
    if corpus is not None and any(sign in corpus for sign in "/\\."):
        return TextSource("file", corpus)
    return TextSource("corpus", corpus or USUAL_CORPUS)


def _as_json(result: "BenchmarkResult") -> dict[str, Any]:
    """The environment and one object per subject; `result` has everything."""
    settings = result.settings
    runs = [
        {
            "tokenizer": row.tokenizer,
            "engine": row.engine,
            "mode": settings.temperature,
            "output": settings.output,
            "threads": settings.threads,
            "mb_per_s": row.throughput_mb_per_s,
            "ratio": row.ratio,
            "exact": None if row.exactness is None else row.exactness.differing == 0 and row.state == "ok",
            "problem": row.message,
        }
        for row in result.rows
    ]
    return {"environment": result.environment, "runs": runs, "result": result}


def _show(result: "BenchmarkResult", settings: "BenchmarkSettings") -> None:
    """`settings` as given: those of the result do not name the folder of a file."""
    from lab_app.reports import benchmark as report
    from lab_app.services.benchmarks import benchmarks

    output.print_note(report.sentence(result))
    head, rows = report.table(result)
    output.table(head, rows, right=("rank", *head[4:-1]))
    if stages := report.stages_of(result):
        show_stages(stages)
    for remark in report.remarks(result):
        output.print_note(remark)
    output.print_note(f"repeat: {shlex.join(benchmarks.command(settings, with_folder=True))}")


def _show_changes(found: "BenchmarkChanges") -> None:
    if found.settings:
        output.table(("changed", "before", "now"), [(each.name, each.before, each.after) for each in found.settings])
    rows = [
        (
            each.key,
            each.quantity,
            *("–" if value is None else f"{100 * value:+.1f} %" for value in (each.change, each.low, each.high)),
            each.reason or each.verdict.replace("_", " "),
        )
        for each in found.rows
    ]
    if rows:
        output.table(("subject", "quantity", "change", "low", "high", "verdict"), rows, right=("change", "low", "high"))


def _show_engines(found: Any, format: Format) -> None:
    if format == "json":
        output.print_json(found)
        return
    rows = [(each.name, each.version or "–", each.install or each.misfit or "") for each in found.engines]
    output.table(("engine", "version", "to install it, or why it cannot be used"), rows)
