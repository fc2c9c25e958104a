"""Every module, public class and public function of lab_app says what it is."""

import ast
from collections.abc import Iterator

from tests.rules.sources import files, name


def public(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Classes and functions of a module, and the methods of its classes, that have no underscore before their name."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        yield node.name, node
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method


def is_declaration(node: ast.AST) -> bool:
    """An overload, an override or a setter: the thing it belongs to has the words."""
    decorators = [ast.unparse(one) for one in getattr(node, "decorator_list", [])]
    return any(one.split(".")[-1] in {"overload", "override", "setter"} for one in decorators)


def test_everything_public_has_a_docstring():
    missing = []
    for path in files("lab_app", ".py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not ast.get_docstring(tree):
            missing.append(name(path))
        missing += [
            f"{name(path)}:{node.lineno} {label}"
            for label, node in public(tree)
            if not ast.get_docstring(node) and not is_declaration(node)
        ]
    assert not missing, "say in one sentence what it is (units, errors and an example where they help):\n" + "\n".join(
        missing
    )
