"""How long a key in Inspect takes while an analysis runs, beside the same with an idle lab. No test judges this.

    python -m tests.performance.responsive [--rounds 6] [--keys 30] [--megabytes 200] [--kilobytes 10]

A round types into Inspect without an analysis, then while one counts a corpus with four tokenizers and every measure, on all
cores. The time of a key runs from the key to the end of the frame that shows its tokens, that of its answer is the time under
way to the lab and back; both are medians. Printed are both, and the ratio busy / idle of each round: what else the machine
does falls on both halves of a round. `counted` says that the analysis went on meanwhile. Run by `make bench-responsive`.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import Server, launch
from tests.performance.ui import FOUR, PARAGRAPH, SCRIPT, text_of

READY = "document.documentElement.dataset.state === 'ready'"
WARM = 10


def main() -> None:
    """Prints a line per round, and the median of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--keys", type=int, default=30)
    parser.add_argument("--megabytes", type=float, default=200, help="of the corpus")
    parser.add_argument("--kilobytes", type=float, default=10, help="of the text in Inspect")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as folder, sync_playwright() as playwright:
        corpus = Path(folder) / "corpus.txt"
        _write(corpus, int(options.megabytes * 1e6))
        server = Server(Path(folder) / "data", TOKENLAB_OFFLINE="1")
        try:
            server.call("PUT", "preferences", {"chosen": ["gpt2"], "active": "gpt2", "theme": "light"})
            server.call("POST", "corpora", {"paths": [str(corpus)]})
            context = launch(playwright).new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
            page = context.new_page()
            page.goto(server.address)
            page.wait_for_function(READY)
            page.add_script_tag(content=SCRIPT)
            page.evaluate("text => { window.benchText = text; }", text_of(int(options.kilobytes * 1000)))
            page.evaluate("() => benchComponent()")
            _rounds(page, server, options.rounds, options.keys)
        finally:
            server.stop()


def _rounds(page: Page, server: Server, rounds: int, keys: int) -> None:
    ratios = []
    print(f"{'round':<8}{'idle: key, answer ms':>22}{'busy: key, answer ms':>24}{'key':>8}{'answer':>8}{'counted':>12}")
    for number in range(rounds):
        idle = _typed(page, keys)
        with _analysis(server) as counted:
            busy = _typed(page, keys)
            done = counted()
        ratios.append([b / i for i, b in zip(idle, busy, strict=True)])
        cells = [f"{key:.1f}, {answer:.1f}" for key, answer in (idle, busy)]
        key, answer = ratios[-1]
        print(f"{number + 1:<8}{cells[0]:>22}{cells[1]:>24}{key:>8.2f}{answer:>8.2f}{done / 1e6:>9.0f} MB", flush=True)
    for name, found in zip(("key", "answer"), zip(*ratios, strict=True), strict=True):
        spread = f"{min(found):.2f}-{max(found):.2f}"
        print(f"{name}: busy / idle, median of {rounds} rounds: {statistics.median(found):.2f} ({spread})")


def _typed(page: Page, keys: int) -> tuple[float, float]:
    """Milliseconds of a key until its tokens are painted, and of its answer: medians."""
    page.evaluate("options => benchKeys(options)", {"keys": WARM})
    found = page.evaluate("options => benchKeys(options)", {"keys": keys})
    return statistics.median(found["key_ms"]), statistics.median(found["answer_ms"])


@contextmanager
def _analysis(server: Server) -> Iterator:
    """An analysis that runs while the block lasts; gives what says how many bytes it has counted in it."""
    job = server.call("POST", "analyses", {"corpus": "corpus", "tokenizers": FOUR})

    def state() -> dict:
        return server.call("GET", f"jobs/{job['id']}")

    while not (now := state())["done"]:
        time.sleep(0.05)
    first = now["done"]

    def counted() -> int:
        now = state()
        if now["state"] != "running":
            raise SystemExit(f"the analysis is {now['state']} before the keys were typed: give more --megabytes")
        return now["done"] - first

    yield counted
    server.call("DELETE", f"jobs/{job['id']}")
    while state()["state"] == "running":
        time.sleep(0.05)


def _write(path: Path, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(size // len(PARAGRAPH.format(n=0).encode())):
            file.write(PARAGRAPH.format(n=number))


if __name__ == "__main__":
    main()
