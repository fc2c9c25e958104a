"""What `--help` shows of each command."""

import shlex

import pytest
import typer

from lab_app.cli.app import program
from lab_app.cli.usage import EXAMPLES, epilog

TOP = typer.main.get_command(program())


def test_help_has_examples_and_no_type_beside_switches(tokenlab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    shown = tokenlab("train", "--help").stdout.decode()
    assert "<bool>" not in shown and "--force" in shown
    assert all(example in shown for example in EXAMPLES["train"])
    assert "<bool>" not in tokenlab("corpus", "add", "--help").stdout.decode()
    assert "<bool>" not in tokenlab("--help").stdout.decode()
    assert tokenlab("--help", "encode").stdout == tokenlab("--help").stdout


def commands(group=TOP, before: str = "") -> dict[str, typer.core.TyperCommand]:
    """Every command by its name, such as `corpus add`; no groups."""
    found = {}
    for name, each in group.commands.items():
        inner = (
            commands(each, f"{before}{name} ") if isinstance(each, typer.core.TyperGroup) else {f"{before}{name}": each}
        )
        found |= inner
    return found


COMMANDS = commands()


def test_every_command_has_an_example_in_its_help():
    assert set(EXAMPLES) == set(COMMANDS)
    for name, examples in EXAMPLES.items():
        assert examples and COMMANDS[name].epilog == epilog(name)


@pytest.mark.parametrize(
    ("name", "example"), [(name, each) for name, examples in EXAMPLES.items() for each in examples]
)
def test_an_example_is_right_usage(name, example):
    words = shlex.split(example.rpartition("| ")[2])
    own = name.split()
    assert words[: 1 + len(own)] == ["tokenlab", *own]
    with TOP.make_context("tokenlab", own[:1]) as top:
        COMMANDS[name].make_context(name, words[1 + len(own) :], parent=top)


PLAIN = {
    name: example
    for name, examples in EXAMPLES.items()
    for example in examples[:1]
    if name
    not in (
        "serve",
        "add",
        "remove",
        "rename",
        "chat",
        "bench",
        "check",
        "train",
        "conformance",
        "robustness",
        "desktop",
        "undertrained",
    )
}
"""The first example of each command that needs no server, network, library or model of one's own, or minutes."""


def test_examples_do_what_they_show(tokenlab, tmp_path, monkeypatch):
    """Run in the order of the help, in a folder with a text: `report run` reads what `report save` wrote."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("freedom of thought and low lower lowest\n", encoding="utf-8")
    (tmp_path / "recipe.toml").write_text('[[edit]]\nkind = "add_words"\nwords = ["lowest"]\n', encoding="utf-8")
    for example in PLAIN.values():
        if example.startswith("tokenlab analyze"):
            example = example.replace("udhr", "notes.txt")
        tokenlab(*shlex.split(example)[1:])


def test_compare_explains_the_numbers_of_its_own_table(tokenlab):
    done = tokenlab("compare", "-t", "gpt2", "-t", "bert-base-uncased", "Hello, world", "--add-special-tokens")
    assert "3 + 2" in done.stdout.decode()
    assert '"3 + 2" tokens: 3 of the text, 2 added around it' in done.stderr.decode()
