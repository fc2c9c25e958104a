"""How the lab ends: the status of the process where jobs have not ended."""

import os

import pytest

from lab_app.api.server import lab_server
from lab_app.desktop import shell
from lab_app.settings import Settings


@pytest.fixture
def open_with(monkeypatch, tmp_path):
    """Opens a lab with an unfinished job, in which `_Shell.open` is replaced. A process that would end raises SystemExit."""

    def end(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(os, "_exit", end)

    def start(act) -> int:
        class Shell:
            def __init__(self, settings, *_: object) -> None:
                self.server = lab_server(settings)
                self.server.unfinished = lambda: ["a job"]  # type: ignore[assignment, return-value, list-item]

            def open(self, _problem: object) -> int:
                self.server.stop()
                return act()

        monkeypatch.setattr(shell, "_Shell", Shell)
        return shell.open_lab(Settings(data_dir=tmp_path, display="none"), None, None)

    return start


def test_the_process_that_leaves_jobs_ends_with_the_status_of_the_lab(open_with):
    for status in (0, 1):
        with pytest.raises(SystemExit) as ended:
            open_with(lambda status=status: status)
        assert ended.value.code == status


def test_an_error_is_reported_though_jobs_have_not_ended(open_with):
    def fail() -> int:
        raise RuntimeError("the window is gone")

    with pytest.raises(RuntimeError, match="the window is gone"):
        open_with(fail)
