"""`tokenlab` whose long work stops for ever in the middle, so that a test can kill it there, however fast the machine is.

The first argument says which work: `counting` the corpus `large`, `reading` a corpus, or `training`, which goes on when
somebody wishes something. The other arguments are those of `tokenlab`.
"""

import sys
import threading
from collections.abc import Iterator

from lab_app.cli.main import main
from lab_app.engine import Trainer
from lab_app.jobs.job import Running
from lab_app.services.analyses import counting
from lab_app.training import run

counted, report, report_steps = counting.counted, Running.report, run.Run._report
first_batch = threading.Lock()


def count_one_batch(part, corpus, *given, **options) -> Iterator[None]:
    """One thread counts one batch; then it waits, and so do all others before they begin."""
    batches = counted(part, corpus, *given, **options)
    if corpus.id == "large":
        first_batch.acquire()
        yield next(batches)
        first_batch.acquire()
    yield from batches


def read_one_batch(self: Running, done: int, total: int | None = None, message: str = "") -> None:
    report(self, done, total, message)
    if message == "counting documents" and total and 0 < done < total:
        threading.Event().wait()


def train_ten_steps(self: run.Run, trainer: Trainer) -> None:
    report_steps(self, trainer)
    while (self.tracker.now.done or 0) >= 10 and self.control.wish == "run":
        self.control.serve(0.05)


if __name__ == "__main__":
    match sys.argv.pop(1):
        case "counting":
            counting.counted = count_one_batch
        case "reading":
            Running.report = read_one_batch  # type: ignore[method-assign]
        case "training":
            run.STEPS_AT_ONCE = 1
            run.Run._report = train_ten_steps  # type: ignore[method-assign]
    main()
