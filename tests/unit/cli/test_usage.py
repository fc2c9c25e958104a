"""What `--help` shows of each command."""

import shlex

import pytest
import typer

from lab_app.cli.app import app
from lab_app.cli.usage import EXAMPLES

TOP = typer.main.get_command(app)


def test_help_has_examples_and_no_type_beside_switches(tokenlab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    shown = tokenlab("train", "--help").stdout.decode()
    assert "<bool>" not in shown and "--force" in shown
    assert all(example in shown for example in EXAMPLES["train"])
    assert "<bool>" not in tokenlab("corpus", "add", "--help").stdout.decode()
    assert "<bool>" not in tokenlab("--help").stdout.decode()


@pytest.mark.parametrize("example", [each for examples in EXAMPLES.values() for each in examples])
def test_an_example_is_right_usage(example):
    _, name, *arguments = shlex.split(example.rpartition("| ")[2])
    assert example in EXAMPLES[name]
    with TOP.make_context("tokenlab", [name]) as top:
        TOP.get_command(top, name).make_context(name, arguments, parent=top)


def test_compare_explains_the_numbers_of_its_own_table(tokenlab):
    done = tokenlab("compare", "-t", "gpt2", "-t", "bert-base-uncased", "Hello, world", "--add-special-tokens")
    assert "3 + 2" in done.stdout.decode()
    assert '"3 + 2" tokens: 3 of the text, 2 added around it' in done.stderr.decode()
