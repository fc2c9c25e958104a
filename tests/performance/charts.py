"""How long a chart of 200,000 types takes: to make in Python, and to draw in the page. No test judges these.

`make` is processor time of Python, `draw` from `showFigure` to the frame that shows the chart, `cpu` the page's main thread in
it, which other programs on the machine do not change. Medians of the rounds; plotly is loaded, and the first round left out.
Run by `make bench-charts`.
"""

import argparse
import json
import statistics
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from playwright.sync_api import CDPSession, sync_playwright

from lab_app.analysis.corpus.coverage import curve
from lab_app.analysis.corpus.rarefaction import rarefaction
from lab_app.analysis.corpus.result import CorpusResult
from lab_app.charts.registry import CHARTS
from tests.browser.conftest import Server, launch
from tests.corpus_sample import sample

TYPES = 200_000
OPEN = """async () => {
    location.hash = '#/corpus';
    const LabChart = await customElements.whenDefined('lab-chart');
    const place = document.createElement('div');
    place.style.cssText = 'position: fixed; inset: 0; z-index: 9; background: var(--paper)';
    window.chart = new LabChart();
    place.append(window.chart);
    document.body.append(place);
}"""
DRAW = """async figure => {
    const begin = performance.now();
    window.chart.showFigure(figure);
    await window.chart.drawn;
    await new Promise(requestAnimationFrame);
    return performance.now() - begin;
}"""


def large() -> CorpusResult:
    """Three tokenizers with 200,000 types each, by Zipf's law."""
    result = sample()
    tokenizers = []
    for number, each in enumerate(result.tokenizers):
        ranks = np.arange(1, TYPES + 1)
        counts = np.ceil(2e6 / ranks ** (0.9 + number / 20)).astype(np.uint64)
        tokenizers.append(replace(each, types=TYPES, curve=curve(counts), rarefaction=rarefaction(counts)))
    return replace(result, tokenizers=tokenizers)


def busy_ms(session: CDPSession) -> float:
    """Time of the page's main thread so far."""
    found = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(each["value"] for each in found if each["name"] == "TaskDuration")


def run(rounds: int) -> None:
    """Prints a line per chart."""
    result = large()
    print(f"{'chart':<18}{'make ms':>9}{'JSON kB':>9}{'draw ms':>9}{'cpu ms':>9}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        page = launch(playwright).new_page(viewport={"width": 720, "height": 800})
        page.goto(server.address)
        page.evaluate(OPEN)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        for name, make in CHARTS.items():
            made, drawn, busy = [], [], []
            for _ in range(rounds + 1):
                begin = time.process_time()
                chart = asdict(make(result))
                made.append(1000 * (time.process_time() - begin))
                before = busy_ms(session)
                drawn.append(page.evaluate(DRAW, chart))
                busy.append(busy_ms(session) - before)
            size = len(json.dumps(chart)) / 1000
            median = [statistics.median(each[1:]) for each in (made, drawn, busy)]
            print(f"{name:<18}{median[0]:>9.1f}{size:>9.0f}{median[1]:>9.0f}{median[2]:>9.0f}")
        server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    run(parser.parse_args().rounds)
