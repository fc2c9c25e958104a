"""`tokenlab` whose trainings make one merge at a time and wait after it, so that a test can act in the middle of one, however
fast the machine is."""

import time

from lab_app.cli.main import main
from lab_app.training import run
from lab_app.training.steps import Steps

PAUSE_S = 0.005

run.STEPS_AT_ONCE = 1
add = Steps.add


def add_slowly(self: Steps, *given: object) -> None:
    add(self, *given)  # type: ignore[arg-type]
    time.sleep(PAUSE_S)


Steps.add = add_slowly  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
