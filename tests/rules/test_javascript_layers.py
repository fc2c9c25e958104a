"""Who may import whom in lab_ui/js: a part only those listed before it."""

import re
from pathlib import Path

from tests.rules.sources import ROOT, at, cycle, files, name

JS = ROOT / "lab_ui" / "js"
PARTS = [
    "util",
    "text",
    "api",
    "ui",
    "editor",
    "lessons",
    "handout",
    "picture",
    "app",
    "screens",
    "screens.js",
    "main.js",
]
"""Low to high."""
LEVEL = {part: level for level, part in enumerate(PARTS)}
TYPES = JS / "api" / "types.js"
"""Declares types alone, in comments, so that every layer may name them, as it may those of `schema.d.ts`."""

IMPORT = re.compile(
    r"""(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{][^'"`;]*?\bfrom\s*)?['"]([^'"]+)['"]  # import a from 'b', export * from
      | \bimport\s*\(\s*([^)]*)\)                                                       # import('b')
    """,
    re.X,
)


def part_of(path: Path) -> str:
    return path.relative_to(JS).parts[0]


def level(path: Path, otherwise: int) -> int:
    return 0 if path in (TYPES, TYPES.with_name("schema.d.ts")) else LEVEL.get(part_of(path), otherwise)


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
    assert not strangers, f"put these into one of {PARTS}: {strangers}"


def test_imports_name_files():
    """No bundler stands between source and browser: an import is a path, with its extension, to a file that is there.

    A library that is loaded when it is first used has the address of its file, which is the same in the bundle.
    """
    wrong = [
        f"{place} imports {specifier}"
        for path, place, specifier in imports()
        if not specifier.startswith(("./", "../", "new URL('vendor/"))
        or not ((path.parent / specifier).is_file() or "vendor/" in specifier)
    ]
    assert not wrong, "import by a relative path that ends in .js:\n" + "\n".join(wrong)


def test_imports_go_down_only():
    wrong = []
    for path, place, specifier in imports():
        target = target_of(path, specifier)
        if target and level(target, len(LEVEL)) > level(path, -1):
            wrong.append(f"{place} imports {specifier}")
    assert not wrong, "a lower part imports a higher one; pass it in by property or report by event:\n" + "\n".join(
        wrong
    )


def test_types_hold_no_code():
    code = re.sub(r"/\*.*?\*/", "", TYPES.read_text(encoding="utf-8"), flags=re.S)
    assert code.split() == ["export", "{};"], "declare only types, in comments: every layer may import this file"


def test_screens_do_not_import_screens():
    wrong = []
    for path, place, specifier in imports():
        target = target_of(path, specifier)
        if target and part_of(path) == part_of(target) == "screens" and screen_of(target) != screen_of(path):
            wrong.append(f"{place} imports {specifier}")
    assert not wrong, "move what both screens need into app, editor, ui or text:\n" + "\n".join(wrong)


def screen_of(path: Path) -> str:
    """All of `screens/compare/` is the screen `compare`."""
    return path.relative_to(JS / "screens").parts[0]


def test_no_cycles():
    graph: dict[str, set[str]] = {}
    for path, _, specifier in imports():
        if target := target_of(path, specifier):
            graph.setdefault(name(path), set()).add(name(target))
    found = cycle(graph)
    assert found is None, "modules import each other in a circle: " + " -> ".join(found or [])
