"""Who may import whom in lab_ui/js: lib < api < components < lab.js lab_commands.js text_screen.js < views < main.js."""

import re
from pathlib import Path

from tests.rules.sources import ROOT, at, cycle, files, name

JS = ROOT / "lab_ui" / "js"
# lab.js is what all views share: the chosen tokenizers, the text, the frame around them.
LEVEL = {
    "lib": 0,
    "api": 1,
    "components": 2,
    "lab.js": 3,
    "lab_commands.js": 3,
    "text_screen.js": 3,
    "views": 4,
    "main.js": 5,
}

# The names in the page's addresses: `#/inspect`.
SCREENS = {"inspect", "compare", "vocabulary", "corpus", "benchmark", "train", "learn", "library", "reports"}

IMPORT = re.compile(
    r"""(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{][^'"`;]*?\bfrom\s*)?['"]([^'"]+)['"]  # import a from 'b', export * from
      | \bimport\s*\(\s*([^)]*)\)                                                       # import('b')
    """,
    re.X,
)


def part_of(path: Path) -> str:
    return path.relative_to(JS).parts[0]


def imports() -> list[tuple[Path, str, str]]:
    """Every import: the file, the place, what it names."""
    found = []
    for path in files("lab_ui/js", ".js"):
        text = path.read_text(encoding="utf-8")
        for match in IMPORT.finditer(text):
            found.append((path, at(path, text, match.end()), match[1] or match[2].strip().strip("'\"`")))
    return found


def target_of(path: Path, specifier: str) -> Path | None:
    """The file of ours that a relative import names, None where it leaves lab_ui/js."""
    target = (path.parent / specifier).resolve()
    return target if target.is_relative_to(JS) else None


def test_every_module_has_a_layer():
    strangers = [name(path) for path in files("lab_ui/js", ".js") if part_of(path) not in LEVEL]
    assert not strangers, f"put these into one of {list(LEVEL)}: {strangers}"


def test_imports_name_files():
    """No bundler stands between source and browser: an import is a path, with its extension, to a file that is there."""
    wrong = [
        f"{place} imports {specifier}"
        for path, place, specifier in imports()
        if not specifier.startswith(("./", "../"))
        or not ((path.parent / specifier).is_file() or "/vendor/" in specifier)
    ]
    assert not wrong, "import by a relative path that ends in .js:\n" + "\n".join(wrong)


def test_imports_go_down_only():
    wrong = []
    for path, place, specifier in imports():
        target = target_of(path, specifier)
        if target and LEVEL.get(part_of(target), 9) > LEVEL.get(part_of(path), -1):
            wrong.append(f"{place} imports {specifier}")
    assert not wrong, "a lower part imports a higher one; pass it in by property or report by event:\n" + "\n".join(
        wrong
    )


def test_views_do_not_import_views():
    """What several views share may stand beside them, but no view knows another."""
    wrong = []
    for path, place, specifier in imports():
        target = target_of(path, specifier)
        if target and part_of(path) == part_of(target) == "views" and view_of(target) in SCREENS - {view_of(path)}:
            wrong.append(f"{place} imports {specifier}")
    assert not wrong, "move what both views need into a module of its own, or into components or lib:\n" + "\n".join(
        wrong
    )


def view_of(path: Path) -> str:
    """`views/compare.js` and all of `views/compare/` are the view `compare`."""
    return path.relative_to(JS / "views").parts[0].removesuffix(".js")


def test_no_cycles():
    graph: dict[str, set[str]] = {}
    for path, _, specifier in imports():
        if target := target_of(path, specifier):
            graph.setdefault(name(path), set()).add(name(target))
    found = cycle(graph)
    assert found is None, "modules import each other in a circle: " + " -> ".join(found or [])
