"""Every command of the guide: sessions are run and show what the page shows; others have options that exist."""

import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest
import typer

from lab_app.engine import BUILTIN, LESSONS
from tests.rules.sources import ROOT, name
from tests.rules.test_readme import environment, lines, sessions_of

PAGES = sorted((ROOT / "docs").rglob("*.md"))
WITH_A_PLUGIN = ROOT / "docs" / "guide" / "plugins.md"
"""Its session needs the plug-in that the page writes."""
SESSIONS = [
    (page, *each) for page in PAGES if page != WITH_A_PLUGIN for each in sessions_of(page.read_text(encoding="utf-8"))
]
COMMANDS = [
    (page, line)
    for page in PAGES
    for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    for line in re.sub(r" *\\\n *", " ", block).splitlines()
    if line.startswith("tokenlab ")
]
__all__ = ["environment"]


@pytest.mark.parametrize(("page", "command", "shown"), SESSIONS, ids=[f"{name(one)} {two}" for one, two, _ in SESSIONS])
def test_a_session_shows_what_the_page_shows(
    page: Path, command: str, shown: str, environment: dict[str, str], tmp_path: Path
):
    run = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, f"{command} failed: {run.stderr}"
    assert lines(run.stdout) == lines(shown), f"{name(page)} shows something else; put this there:\n{run.stdout}"


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{name(page)} {line}" for page, line in COMMANDS])
def test_a_command_can_be_typed(page: Path, line: str):
    """Its arguments are those of a command; it is not run: its files are the reader's."""
    from lab_app.cli.app import program

    words = shlex.split(re.split(r" [|>] | && ", line)[0], comments=True)[1:]
    context = click.Context(typer.main.get_command(program()), info_name="tokenlab")
    while isinstance(context.command, click.Group) and words:
        command = context.command.get_command(context, words[0])
        assert command, f"{name(page)}: no command {words[0]}"
        context, words = click.Context(command, parent=context, info_name=words[0]), words[1:]
    try:
        context.command.parse_args(context, words)
    except click.UsageError as error:
        pytest.fail(f"{name(page)}: {line}: {error.format_message()}")


def test_addresses_of_lessons_exist():
    """`#/learn?lesson=...` names a lesson and, if it names one, a tokenizer that comes with the lab."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    found = re.findall(r"#/learn\?lesson=([\w-]+)(?:&tokenizer=([\w-]+))?", text)
    assert len(found) > 9
    assert {lesson for lesson, _ in found} <= {*LESSONS, "boundaries", "exercises", "count"}
    assert {tokenizer for _, tokenizer in found if tokenizer} <= {*BUILTIN, "bert-base-uncased"}
