"""The charts of a run by name, and those of measurements of cost."""

from collections.abc import Callable

from lab_app.charts.benchmarks.latency import latency
from lab_app.charts.benchmarks.memory import memory
from lab_app.charts.benchmarks.rounds import rounds
from lab_app.charts.benchmarks.speed import speed
from lab_app.charts.benchmarks.stages import stages
from lab_app.charts.benchmarks.subjects import in_table
from lab_app.charts.chart import Chart

BENCHMARK_CHARTS: dict[str, Callable[..., Chart]] = {
    "speed": speed,
    "latency": latency,
    "memory": memory,
    "stages": stages,
    "rounds": rounds,
}
"""In the order of a report. Each takes a `BenchmarkResult` and the letters of its tokenizers, without any A, B, C.

Raises NoChart, with the reason, if the run lacks its values.
"""

TABLE_CHARTS: dict[str, Callable[..., Chart]] = {
    "speed_rows": lambda result, letters="": in_table(speed(result, letters)),
    "latency_rows": lambda result, letters="": in_table(latency(result, letters)),
    "memory_rows": lambda result, letters="": in_table(memory(result, letters)),
}
"""Those that the page draws into its table."""
