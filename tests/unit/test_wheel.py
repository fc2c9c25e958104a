"""The wheel holds all that the lab needs: page, vocabularies, texts, licences; nothing of the checkout is beside it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from tools import check_wheel


def test_the_wheel_holds_licences_and_types_and_nothing_of_the_build(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("lab_app/py.typed", "lab_app/_engine.pyi", "lab_ui/vendor/LICENSES.txt", "lab_ui/vendor/app.html"):
        assert needed in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    made_of = [name for name in names if name.endswith((".mjs", ".entry.js", ".rs", "tsconfig.json", ".pyc"))]
    assert not made_of, made_of
    assert not [name for name in names if name.startswith(("tests/", "docs/", "tools/"))]


def test_the_lab_runs_from_the_wheel_alone(wheel: Path, tmp_path: Path):
    """Its own files come from the wheel, and the packages that it needs from this environment."""
    site = tmp_path / "site"
    install = [check_wheel.UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--target", site, wheel]
    subprocess.run(install, check=True)
    environment = {**os.environ, "PYTHONPATH": str(site), "TOKENLAB_DATA_DIR": str(tmp_path / "data"), "PATH": ""}
    code = "import lab_app, lab_app._engine; print(lab_app.__file__, lab_app._engine.__file__)"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert run.stdout.decode().count(str(site)) == 2
    check_wheel.use(site / "bin" / "tokenlab", environment, tmp_path)
