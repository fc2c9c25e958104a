"""A lab in a process of its own, in the middle of a benchmark: prints `hanging` once an engine does not come back."""

import sys
from pathlib import Path

import pytest

from lab_app.benchmarks.result import BenchmarkSettings, Subject, TextSource
from lab_app.jobs.job import Job, Running
from lab_app.services.benchmarks import benchmarks
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests.fake_engines.registering import use


def main() -> None:
    use(pytest.MonkeyPatch(), "honest", "hanging")
    subjects = [Subject("gpt2", "honest"), Subject("gpt2", "hanging")]
    settings = BenchmarkSettings(subjects, TextSource("text", "", "some words"), subjects[0].key, time_limit_s=600)
    running = Running(Job("1", "benchmark", "a benchmark", "samples"))

    def watch() -> None:
        if running.job.message == "loading gpt2/hanging":
            print("hanging", flush=True)

    with running.watched(watch):
        benchmarks.run_and_keep(Lab(Settings(data_dir=Path(sys.argv[1]))), settings, "", running)


if __name__ == "__main__":
    main()
