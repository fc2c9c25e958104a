"""`make app`: the folder that PyInstaller makes works without this environment. It takes two minutes, so `make test-all` alone
makes it."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.desktop.conftest import Program
from tests.scale import LAB_TEXTS
from tools import check_wheel

pytestmark = [
    pytest.mark.skipif(LAB_TEXTS == 1, reason="`make test-all` makes the app"),
    pytest.mark.skipif(importlib.util.find_spec("PyInstaller") is None, reason="PyInstaller is not installed"),
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in the folder."""
    folder = tmp_path_factory.mktemp("app")
    command = [
        sys.executable,
        "-m",
        "PyInstaller",
        "--log-level",
        "ERROR",
        "--distpath",
        folder,
        "--workpath",
        folder / "work",
    ]
    subprocess.run([*command, ROOT / "tools" / "tokenlab.spec"], cwd=folder, check=True, capture_output=True)
    return folder / "tokenlab" / "tokenlab"


@pytest.fixture
def bare(data_dir: Path) -> dict[str, str]:
    """An environment in which no Python is found."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}, "PATH": ""}


def test_the_app_encodes_and_serves_the_page_the_guide_and_the_interface(app, bare, tmp_path):
    check_wheel.use(app, bare, tmp_path)


def test_the_app_opens_its_window_and_ends(app, bare):
    program = Program([str(app)], {**bare, "QT_QPA_PLATFORM": "offscreen"})
    try:
        program.says("open in a window")
        program.remember_family()
        program.process.terminate()
        assert program.ends() == 0
    finally:
        program.kill()
