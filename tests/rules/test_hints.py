"""What an error tells makes sense to everybody who may meet it: nobody in the window can type a command or an option.

A hint that names one is given as `on_terminal`, beside one that does not. Not here: that every error has a hint.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.rules.sources import files, matches, name

# The command line speaks of itself, the desktop shell to the terminal it was started from.
ON_A_TERMINAL = ("lab_app/cli/", "lab_app/desktop/", "lab_app/__main__.py")
COMMAND = re.compile(r"tokenlab [a-z]|(?<=\w )--[a-z]")


def strangers(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a module that name a command or an option: line and text. Docstrings, `on_terminal` and the words that
    `split` makes the arguments of another program are left out.
    """
    tree = ast.parse(source)
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "on_terminal":
            left_out |= {id(part) for part in ast.walk(node.value)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            left_out |= {id(part) for part in ast.walk(node.func.value)}
    for node in ast.walk(tree):
        words = node.value if isinstance(node, ast.Constant) and id(node) not in left_out else None
        if isinstance(words, str) and COMMAND.search(words):
            yield node.lineno, words


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise NotFound("no", "`tokenlab list` shows those")', 1),
        ('hint = f"give {id} with --id"', 1),
        ('raise NotFound("no", "the library", on_terminal=f"`tokenlab add {id}` or --force")', 0),
        ('"""`tokenlab list` shows those."""', 0),
        ('run(["--quiet", *"download --no-deps x".split()])', 0),
    ],
)
def test_the_rule_tells_a_hint_for_terminals(source, found):
    assert len(list(strangers(source))) == found


def test_no_error_names_a_command_but_on_a_terminal():
    found = [
        f"{name(path)}:{line} {text}"
        for path in files("lab_app", ".py")
        if not name(path).startswith(ON_A_TERMINAL)
        for line, text in strangers(path.read_text(encoding="utf-8"))
    ]
    assert not found, "say what to do in the window, too, and give the command as on_terminal:\n" + "\n".join(found)


def test_the_page_names_no_command():
    found = [place for place, _ in matches(files("lab_ui/js", ".js"), r"^[^*\n]*tokenlab [a-z]", re.MULTILINE)]
    assert not found, "\n".join(found)
