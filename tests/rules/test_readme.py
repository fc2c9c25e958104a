"""What the README tells people to type works: its commands run, and show what it says they show; its Python runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


def sessions_of(page: str) -> list[tuple[str, str]]:
    """Every command after a `$ ` of a page with the lines under it: what it prints."""
    text = "".join(re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S))
    return [(command.strip(), shown) for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M)]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A data directory of its own, and a terminal as wide as the README."""
    programs = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "TOKENLAB_DATA_DIR": str(tmp_path_factory.mktemp("readme")),
        "COLUMNS": "110",
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
    }


SESSIONS = sessions_of(README)


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_a_command_shows_what_the_readme_says(command: str, shown: str, environment: dict[str, str]):
    run = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, f"{command} failed: {run.stderr}"
    if shown.strip():
        advice = f"README.md shows something else under `{command}`; put this there:\n{run.stdout}"
        assert lines(run.stdout) == lines(shown), advice


def lines(text: str) -> list[str]:
    """Lines without what nobody sees: spaces at their ends and empty lines."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_the_python_runs(environment: dict[str, str]):
    code = "\n".join(blocks("python"))
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, f"the Python of README.md fails: {run.stderr}"


def test_every_make_target_it_names_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pages = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z][a-z-]*[a-z])\b", "\n".join(re.findall(r"`[^`\n]+`|^make .*$", pages, re.M))))
    missing = {one for one in named if not re.search(rf"^{one}:", makefile, re.M)}
    assert named, "README.md names no make command"
    assert not missing, f"the Makefile has no {sorted(missing)}"


def test_it_is_read_in_a_few_minutes():
    assert len(README.splitlines()) <= 100


def test_its_chart_shows_what_was_measured():
    from tools.readme_chart import PAGE, files, speeds

    for path, text in files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python -m tools.readme_chart"
    alternative = re.search(r'alt="Bars: ([^"]*)"', README)[1]
    for name, value in speeds(PAGE.read_text(encoding="utf-8")).items():
        shown = f"{value:.0f}" if value > 10 else f"{value:.1f}"
        assert re.search(rf"{re.escape(name)} {re.escape(shown)}\b", alternative), f"the README must say {name} {shown}"


def test_every_picture_of_the_guide_is_shown():
    """On a page of the guide or in the README; the dark one with its light twin."""
    pages = README + "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    images = (ROOT / "docs" / "guide" / "images").iterdir()
    unused = [each.name for each in images if each.name.replace("-dark.", "-light.") not in pages]
    assert not unused, f"show these, or take them away: {sorted(unused)}"


def test_its_pictures_fit_the_column():
    widths = [int(width) for width in re.findall(r'<img width="(\d+)"', README)]
    assert len(widths) == README.count("<img ") and max(widths) <= 830
