"""`python -m tests.performance.bench_harness`: how well `tokenlab bench` measures, with real processes on this machine.

Three questions: does it measure a sleep and a loop of known cost as they are; how often does the interval of two equal engines
hold 1; how often is an engine found that is made 5 % slower? The processes stay for all runs, so that a hundred runs of 31
rounds take about a minute on a quiet machine. With `--cpu`, CPU times are compared instead of wall times: those a busy machine
disturbs less.
"""

import argparse
import random
import statistics as plain
import tempfile
from pathlib import Path

from lab_app.benchmarks.environment import chosen_cpus, environment
from lab_app.benchmarks.process import SubjectProcess
from lab_app.benchmarks.speed import noise, statistics, worker
from lab_app.benchmarks.speed.workload import Workload

COST_NS = 20_000_000
TURNS = 100_000
TEXT = Workload("a word", ("word",))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--cpu", action="store_true", help="compare CPU times")
    options = parser.parse_args()
    card, noisy = environment(chosen_cpus(1)), noise.measure()
    print(f"{card.cpu}, load {card.load_average}, noise {100 * noisy.spread:.1f} %, {card.python}")
    for kind in ("sleep", "spin"):
        times = samples([f"{kind}:{COST_NS}"], options.rounds, "elapsed_ns")[0]
        found = plain.median(times)
        print(f"{kind} of {COST_NS / 1e6:g} ms: {found / 1e6:.3f} ms, {100 * (found / COST_NS - 1):+.2f} %")
    clock = "cpu_ns" if options.cpu else "elapsed_ns"
    equal = runs([TURNS, TURNS], options, clock)
    middle = plain.median(run.median for run in equal)
    held = sum(not run.differs for run in equal)
    print(f"equal engines: the interval holds 1 in {held} of {len(equal)} runs; median ratio {middle:.4f}")
    slower = runs([TURNS, TURNS * 105 // 100], options, clock)
    middle = plain.median(run.median for run in slower)
    found = sum(run.high < 1 for run in slower)
    print(f"5 % slower: found in {found} of {len(slower)} runs; median ratio {middle:.4f}, expected {1 / 1.05:.4f}")


def runs(turns: list[int], options: argparse.Namespace, clock: str) -> list[statistics.Ratio]:
    """The ratio of the second to the first, in each run."""
    both = samples([f"turns:{count}" for count in turns], options.runs * options.rounds, clock)
    found = []
    for start in range(0, options.runs * options.rounds, options.rounds):
        baseline, subject = (times[start : start + options.rounds] for times in both)
        ratio = statistics.ratio(baseline, subject, start)
        assert ratio is not None
        found.append(ratio)
    return found


def samples(names: list[str], rounds: int, clock: str) -> list[list[int]]:
    """Interleaved samples of working engines: per engine, one time per round."""
    with tempfile.TemporaryDirectory() as folder:
        text = TEXT.write(Path(folder))
        processes = [SubjectProcess(1, 0, lambda: None, worker.main) for _ in names]
        try:
            for process, name in zip(processes, names, strict=True):
                request = {"do": "load", "engine": "tests.fake_engines.working", "files": {"tokenizer": name}}
                request |= {"output": "ids", "shape": "whole", "threads": 1, "cpus": chosen_cpus(1), "parts": [(0, 1)]}
                process.ask(request | text, 60)
            found: list[list[int]] = [[] for _ in names]
            order, turn = random.Random(0), list(range(len(names)))
            for _ in range(rounds):
                order.shuffle(turn)
                for number in turn:
                    answer = processes[number].ask({"do": "sample", "part": 0, "calls": 1, "fresh": False}, 60)
                    found[number].append(answer[clock])
            return found
        finally:
            for process in processes:
                process.end()


if __name__ == "__main__":
    main()
