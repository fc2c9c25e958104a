"""Who may import whom in lab_app. The table is CONTRIBUTING.md's; imports inside functions count too."""

import sys
import tomllib

import pytest

from tests.rules.sources import ROOT, cycle, files, module_name, name, python_imports

# Low to high: a part imports from its own line and the lines above.
LAYERS = [
    ["errors", "settings", "paths", "version"],
    ["engine", "references"],
    ["store", "catalog", "corpora", "analysis", "chat"],
    ["benchmarks", "jobs"],
    ["cluster"],
    ["services"],
    ["api"],
    ["desktop"],
    ["cli", "__main__"],
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

# Libraries that belong to one part: the others would be tied to the web, the terminal or the window through them.
HOMES = {
    "fastapi": {"api", "desktop"},
    "starlette": {"api", "desktop"},
    "uvicorn": {"api", "desktop", "cli"},
    "typer": {"cli"},
    "rich": {"cli"},
    "webview": {"desktop", "cli"},
    "PyQt6": {"desktop", "cli"},
    "qtpy": {"desktop", "cli"},
    "tokenizers": {"references"},
    "tiktoken": {"references"},
    "sentencepiece": {"references"},
    "huggingface_hub": {"catalog", "references"},
    "jinja2": {"chat", "services"},
    "sqlite3": {"store", "catalog", "jobs"},
    "lab_app._engine": {"engine"},
}

# Slow to import and needed by few calls: `tokenlab list` and the window's first second must not wait for them.
LAZY = {
    "huggingface_hub",
    "jinja2",
    "plotly",
    "webview",
    "PyQt6",
    "qtpy",
    "tokenizers",
    "tiktoken",
    "sentencepiece",
    "pandas",
}

# Modules whose classes are a slow library's: it is they that are imported late.
MADE_OF = {"lab_app.desktop.qt": {"PyQt6"}}

MODULES = files("lab_app", ".py")


def part_of(module: str) -> str:
    """The first name under lab_app; `` for lab_app itself."""
    return module.split(".")[1] if "." in module else ""


def test_every_module_has_a_layer():
    strangers = {name(path) for path in MODULES if (part := part_of(module_name(path))) and part not in LEVEL}
    assert not strangers, (
        f"put {sorted(strangers)} into a part of LAYERS, or give the new part a line here and in CONTRIBUTING.md"
    )


def test_imports_go_down_only():
    wrong = [
        f"{name(path)}:{line} imports {target}"
        for path in MODULES
        for line, target, _ in python_imports(path)
        if target.startswith("lab_app.") and part_of(target) in LEVEL
        if LEVEL[part_of(target)] > LEVEL.get(part_of(module_name(path)), -1)
    ]
    assert not wrong, (
        "a lower part imports a higher one; move the code down or pass the thing in as an argument:\n"
        + "\n".join(wrong)
    )


def test_no_cycles():
    known = {module_name(path) for path in MODULES}
    graph: dict[str, set[str]] = {module: set() for module in known}
    for path in MODULES:
        for _, target, now in python_imports(path):
            # `from lab_app.x import y` imports module y where there is one, else the name y of module x.
            module = target if target in known else target.rpartition(".")[0]
            if now and module in known and module != module_name(path):
                graph[module_name(path)].add(module)
    found = cycle(graph)
    assert found is None, (
        "modules import each other in a circle; move what they share into a module of its own: "
        + " -> ".join(found or [])
    )


@pytest.mark.parametrize("library", HOMES)
def test_a_library_stays_in_its_part(library: str):
    wrong = [
        f"{name(path)}:{line}"
        for path in MODULES
        for line, target, _ in python_imports(path)
        if (target + ".").startswith(library + ".") and part_of(module_name(path)) not in HOMES[library]
    ]
    assert not wrong, f"{library} may be imported by {sorted(HOMES[library])} only; call that part instead: {wrong}"


def test_slow_libraries_are_imported_where_they_are_used():
    wrong = [
        f"{name(path)}:{line} {target}"
        for path in MODULES
        for line, target, now in python_imports(path)
        if now and (library := target.split(".")[0]) in LAZY and library not in MADE_OF.get(module_name(path), ())
    ]
    wrong += [
        f"{name(path)}:{line} {target}"
        for path in MODULES
        for line, target, now in python_imports(path)
        if now and any((target + ".").startswith(module + ".") for module in MADE_OF)
    ]
    assert not wrong, f"import these inside the function that needs them: {wrong}"


def test_nothing_is_imported_from_the_tests():
    wrong = [
        f"{name(p)}:{line}" for p in MODULES for line, target, _ in python_imports(p) if target.startswith("tests")
    ]
    assert not wrong, f"the product must not need its tests: {wrong}"


def test_only_declared_libraries_are_imported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = project["project"]["dependencies"] + project["dependency-groups"]["references"]
    declared = {line.partition(";")[0].strip() for line in lines}
    names = {"".join(c if c.isalnum() else "_" for c in spec.split(">")[0].split("[")[0]).lower() for spec in declared}
    names |= {"lab_app", "lab_ui", "webview", "multipart", "starlette", "pydantic", "click", "distributed", "dask"}
    wrong = {
        f"{name(path)}:{line} {target}"
        for path in MODULES
        for line, target, _ in python_imports(path)
        if (top := target.split(".")[0]) not in sys.stdlib_module_names and top.lower() not in names
    }
    assert not wrong, f"add it to pyproject.toml and docs/design/dependencies.md, or do without: {sorted(wrong)}"
