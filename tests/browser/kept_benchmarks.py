"""A page whose kept benchmarks are the example of `tests/benchmark_result.py`: a row in every state, the same on every machine.

The page asks the real server for all else. Runs that are started for real: `test_benchmark.py`.
"""

import re
from dataclasses import replace
from functools import cache
from typing import Any

from playwright.sync_api import Page, Route

from lab_app.benchmarks.result import BenchmarkResult, Ratio
from lab_app.charts.benchmarks.history import history
from lab_app.charts.benchmarks.registry import BENCHMARK_CHARTS, TABLE_CHARTS
from lab_app.charts.chart import NoChart
from lab_app.json_text import json_text
from lab_app.peers.registry import EngineState
from lab_app.reports.benchmark_charts import HISTORY
from lab_app.reports.charts import Figure, FigureEntry, csv_text
from lab_app.services.benchmarks.benchmarks import summary
from lab_app.services.benchmarks.changes import changes_between
from tests.benchmark_result import benchmark_result

SLOWER = 0.7
"""The newest run's ratio of the lab's engine, divided by that of the one before."""
CHARTS = {**BENCHMARK_CHARTS, **TABLE_CHARTS}


def runs() -> list[BenchmarkResult]:
    """Three runs of the same question, the newest first: the lab's engine became slower, the noise larger."""
    newest = benchmark_result()
    rows = [
        replace(
            row,
            ratio=Ratio(row.ratio.median / SLOWER, row.ratio.low / SLOWER, row.ratio.high / SLOWER, differs=True),
            samples_ns=[value and round(value * SLOWER) for value in row.samples_ns or []],
        )
        if row.ratio and row.engine == "tokenlab"
        else row
        for row in newest.rows
    ]
    assert newest.noise
    noisy = replace(newest.noise, spread=0.12)
    return [
        newest,
        replace(newest, id=11, rows=rows, created_at="2026-05-13T15:02:11+00:00"),
        replace(newest, id=10, noise=noisy, created_at="2026-05-12T08:40:03+00:00"),
    ]


def answers() -> dict[str, Any]:
    """The answer to each request for benchmarks, by its path below the root of the API."""
    kept = runs()
    found: dict[str, Any] = {
        "benchmarks": {"benchmarks": list(map(summary, kept))},
        "benchmarks/engines": {
            "tokenizer": "cl100k_base",
            "engines": [
                EngineState("tokenlab", "Tokenlab", "0.1.0", None, None),
                EngineState("tiktoken", "tiktoken", "0.14.0", None, None),
                EngineState("tokie", "tokie", None, "pip install tokie", None),
                EngineState("sentencepiece", "sentencepiece", "0.2.1", None, "it reads .model files"),
            ],
        },
    }
    for n, run in enumerate(kept):
        id, before = f"benchmarks/{run.id}", list(reversed(kept[n:]))
        found[id] = run
        found |= {f"{id}/compare/{later.id}": changes_between(run, later) for later in kept[:n]}
        made = {name: _figure(lambda make=make, run=run: make(run)) for name, make in CHARTS.items()}
        made[HISTORY] = _figure(lambda before=before: history(before))
        found[f"{id}/figures"] = {
            "figures": [
                FigureEntry(name, each.title, None)
                if isinstance(each, Figure)
                else FigureEntry(name, None, each.reason)
                for name, each in made.items()
            ]
        }
        found |= {f"{id}/figures/{name}": each for name, each in made.items() if isinstance(each, Figure)}
    return found


@cache
def bodies() -> dict[str, str]:
    """The answers as JSON, by their path."""
    return {path: json_text(answer) for path, answer in answers().items()}


def keep(page: Page) -> None:
    """Gives these answers to the page from now on; the presets are those of the server."""
    known = bodies()

    def answer(route: Route) -> None:
        path = re.sub(r"^.*/api/v1/|[?].*$", "", route.request.url)
        if route.request.method == "GET" and path in known:
            route.fulfill(status=200, content_type="application/json", body=known[path])
        else:
            route.fallback()

    page.route("**/api/v1/benchmarks**", answer)


def _figure(make: Any) -> Figure | NoChart:
    try:
        chart = make()
    except NoChart as missing:
        return missing
    return Figure(**vars(chart), csv=csv_text(chart))
