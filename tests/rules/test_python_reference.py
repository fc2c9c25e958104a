"""The Python reference has every public name of the engine, and the examples of the stub run."""

import ast
import doctest
import re

import pytest

from lab_app import engine
from tests.rules.sources import ROOT

STUB = ROOT / "lab_app" / "_engine.pyi"
PAGE = ROOT / "docs" / "reference" / "python_engine.md"
DOCUMENTED = (ast.ClassDef, ast.FunctionDef)


def documented(tree: ast.AST, prefix: str = "") -> list[tuple[str, str]]:
    """Names and docstrings of the classes, methods and functions of the stub."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, DOCUMENTED):
            found.append((prefix + node.name, ast.get_docstring(node) or ""))
            found += documented(node, f"{prefix}{node.name}.")
    return found


STUBS = documented(ast.parse(STUB.read_text(encoding="utf-8")))
WITH_EXAMPLES = [(name, words) for name, words in STUBS if ">>>" in words]


@pytest.mark.parametrize(("name", "words"), WITH_EXAMPLES, ids=[name for name, _ in WITH_EXAMPLES])
def test_an_example_of_the_stub_runs(name: str, words: str):
    test = doctest.DocTestParser().get_doctest(words, dict(vars(engine)), name, str(STUB), 0)
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.attempted and not result.failed, "".join(report)


def test_every_public_name_is_in_the_reference():
    shown = re.findall(r"^\.\. auto\w+:: (?:lab_app\._engine\.)?(\w+)$", PAGE.read_text(encoding="utf-8"), re.M)
    assert sorted(shown) == sorted(engine.__all__), f"{PAGE.name} must have each name of lab_app.engine once"


def test_every_public_method_is_described():
    missing = [name for name, words in STUBS if not words and "__" not in name]
    assert not missing, f"say in lab_app/_engine.pyi what these do: {missing}"
