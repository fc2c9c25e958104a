"""Reads the project's own files for the rules: what is ours, what it imports, where a line stands.

Text and syntax only: nothing of the project is imported or run here.
"""

import ast
import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Made at set-up or by tools; git ignores them all.
NOT_OURS = {".git", ".venv", "node_modules", "target", "dist", "vendor", "vendor.new", "test-results", "__pycache__"}
NOT_OURS |= {".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache"}


def files(folder: str, *suffixes: str) -> list[Path]:
    """Our files under a folder of the checkout, sorted; all of them where no suffix is given."""
    found = []
    for place, folders, names in os.walk(ROOT / folder):
        folders[:] = [each for each in folders if each not in NOT_OURS]  # not entered: they hold 100,000 files
        found += [Path(place, each) for each in names if each.endswith(suffixes or "") and each not in NOT_OURS]
    return sorted(path for path in found if path.is_file())


def name(path: Path) -> str:
    """The path as people write it: from the checkout, with slashes."""
    return path.relative_to(ROOT).as_posix()


def at(path: Path, text: str, offset: int) -> str:
    """Where an offset into a file's text is: `lab_ui/js/main.js:12`."""
    return f"{name(path)}:{text.count(chr(10), 0, offset) + 1}"


def matches(paths: list[Path], pattern: str, flags: int = 0) -> Iterator[tuple[str, re.Match[str]]]:
    """Every match of a pattern in some files, with the place."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(pattern, text, flags):
            yield at(path, text, match.start()), match


def module_name(path: Path) -> str:
    """`lab_app/api/app.py` -> `lab_app.api.app`; a package's `__init__.py` is the package."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache  # some thirty tests ask for all files
def python_imports(path: Path) -> list[tuple[int, str, bool]]:
    """Every module that a file imports, inside functions too: line, absolute name, whether at import time.

    `from lab_app import engine` gives `lab_app.engine`: the name may be a module, and a name that is none does no harm.
    """
    return list(_python_imports(path))


def _python_imports(path: Path) -> Iterator[tuple[int, str, bool]]:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    # Nodes that run when the module is imported: not inside a function, not under TYPE_CHECKING.
    late = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        or (isinstance(outer, ast.If) and "TYPE_CHECKING" in ast.unparse(outer.test))
        for node in ast.walk(outer)
    }
    package = module_name(path).split(".")
    if path.stem != "__init__":
        package = package[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, id(node) not in late
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{origin}.{alias.name}", id(node) not in late


def cycle(graph: dict[str, set[str]]) -> list[str] | None:
    """One cycle of a graph, as the names along it, or None."""
    done: set[str] = set()

    def visit(node: str, path: list[str]) -> list[str] | None:
        if node in path:
            return [*path[path.index(node) :], node]
        if node in done:
            return None
        for follower in sorted(graph.get(node, ())):
            if found := visit(follower, [*path, node]):
                return found
        done.add(node)
        return None

    for start in sorted(graph):
        if found := visit(start, []):
            return found
    return None
