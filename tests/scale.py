"""How much the tests compare: `LAB_TEXTS` times what `make test` does, which proves every path once on every vocabulary.

`make test-all` and `make hunt` run the same tests with `LAB_TEXTS=10`.
"""

import os

LAB_TEXTS = int(os.environ.get("LAB_TEXTS", "1"))


def scaled(count: int) -> int:
    """How many texts, examples or rounds to try where `make test` tries `count`."""
    return count * LAB_TEXTS


def step(every: int) -> int:
    """The step through a list of texts of which `make test` takes one in `every`."""
    return max(1, every // LAB_TEXTS)
