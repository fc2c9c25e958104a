"""The wheel that several tests install."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the engine that is built already: where cargo finds nothing to do it takes 2 s."""
    folder = tmp_path_factory.mktemp("wheel")
    maturin = Path(sys.executable).parent / "maturin"
    command = [maturin, "build", "--quiet", "--release", "--compatibility", "linux", "--out", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found
