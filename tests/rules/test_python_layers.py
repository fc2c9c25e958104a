"""Who may import whom in lab_app. The table is CONTRIBUTING.md's; imports inside functions count too."""

import re
import sys
import tomllib

import pytest

from tests.rules.sources import ROOT, cycle, files, module_name, name, python_imports

# Low to high: a part imports from its own line and the lines above.
LAYERS = [
    [
        "errors",
        "settings",
        "paths",
        "version",
        "options",
        "private",
        "files",
        "locks",
        "number_words",
        "spelling",
        "children",
        "json_text",
        "memory",
        "times",
    ],
    ["engine", "peers"],
    ["store", "library", "corpora", "analysis", "chat"],
    ["benchmarks", "shards", "training"],
    ["editing"],
    ["charts"],
    ["jobs"],
    ["cluster"],
    ["services"],
    ["reports"],
    ["api"],
    ["desktop"],
    ["cli", "notebook", "__main__"],
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

# Folders beside each other, which share what stands in the folder above and import nothing of each other.
APART = {"lab_app.benchmarks": {"speed", "cost"}}

# Low to high inside `services`, above the modules that stand in the folder itself.
SERVICES = [
    "text",
    "chats",
    "suites",
    "lessons",
    "vocabularies",
    "tokenizers",
    "corpora",
    "editing",
    "exercises",
    "analyses",
    "shards",
    "trainings",
    "benchmarks",
    "sessions",
    "handouts",
]

# Libraries that belong to one part: the others would be tied to the web, the terminal or the window through them.
HOMES = {
    "fastapi": {"api"},
    "starlette": {"api"},
    "uvicorn": {"api"},
    "typer": {"cli"},
    "rich": {"cli"},
    "plotly": {"charts"},
    "webview": {"desktop", "cli"},
    "PySide6": {"desktop", "cli"},
    "qtpy": {"desktop", "cli"},
    "huggingface_hub": {"library"},
    "httpx2": {"library"},
    "jinja2": {"chat", "reports"},
    "tokenizers": {"peers"},
    "tiktoken": {"peers"},
    "sentencepiece": {"peers"},
    "distributed": {"cluster"},
    "sqlite3": {"store", "library", "jobs"},
    "lab_app._engine": {"engine"},
}

# Slow to import and needed by few calls: `tokenlab list` and the window's first second must not wait for them.
LAZY = {
    "distributed",
    "ftfy",
    "huggingface_hub",
    "httpx2",
    "jinja2",
    "plotly",
    "prometheus_client",
    "pyarrow",
    "selectolax",
    "sentencepiece",
    "tiktoken",
    "tokenizers",
    "webview",
    "PySide6",
    "qtpy",
}

# Modules whose classes are a slow library's: it is they that are imported late.
MADE_OF = {"lab_app.desktop.qt": {"PySide6"}}

MODULES = files("lab_app", ".py")


def part_of(module: str) -> str:
    """The first name under lab_app; `` for lab_app itself."""
    return module.split(".")[1] if "." in module else ""


def test_every_module_has_a_layer():
    strangers = {name(path) for path in MODULES if (part := part_of(module_name(path))) and part not in LEVEL}
    assert not strangers, (
        f"put {sorted(strangers)} into a part of LAYERS, or give the new part a line here and in CONTRIBUTING.md"
    )


def test_every_layer_exists():
    gone = set(LEVEL) - {part_of(module_name(path)) for path in MODULES}
    assert not gone, f"lab_app has no {sorted(gone)}: take it out of LAYERS and CONTRIBUTING.md"


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


def service_level(module: str) -> int | None:
    """Where a module is in SERVICES: 0 for what all of them share, None outside the services."""
    names = module.split(".")
    if names[:2] != ["lab_app", "services"]:
        return None
    return SERVICES.index(names[2]) + 1 if len(names) > 2 and names[2] in SERVICES else 0


def test_services_import_down_only():
    packages = {path.parent.name for path in MODULES if path.parent.parent.name == "services"}
    assert packages == set(SERVICES)
    wrong = [
        f"{name(path)}:{line} imports {target}"
        for path in MODULES
        if (own := service_level(module_name(path))) is not None
        for line, target, _ in python_imports(path)
        if (level := service_level(target)) is not None and level > own
    ]
    assert not wrong, "a lower service imports a higher one; move what both need down:\n" + "\n".join(wrong)


@pytest.mark.parametrize("package", APART)
def test_folders_that_are_apart_import_nothing_of_each_other(package: str):
    def folder(module: str) -> str | None:
        inside = module.removeprefix(f"{package}.").split(".")[0]
        return inside if module.startswith(f"{package}.") else None

    wrong = [
        f"{name(path)}:{line} imports {target}"
        for path in MODULES
        if (own := folder(module_name(path))) is not None
        for line, target, _ in python_imports(path)
        if (other := folder(target)) in APART[package] and other != own
    ]
    assert not wrong, f"put what both need into {package} itself:\n" + "\n".join(wrong)


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


# Libraries that are imported under another name.
IMPORTED_AS = {
    "pywebview": "webview",
    "pyside6_addons": "pyside6",
    "pyside6_essentials": "pyside6",
    "pyside6_webengine": "pyside6",
    "python_multipart": "multipart",
}


def declared() -> set[str]:
    """The libraries that pyproject.toml declares for those who use the lab, by the names they are imported under."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    names = {re.match(r"[\w-]+", line)[0].lower().replace("-", "_") for line in lines}
    return {IMPORTED_AS.get(one, one) for one in names}


def imported() -> dict[str, str]:
    """Every library that lab_app imports, by the first place where it does."""
    found: dict[str, str] = {}
    for path in MODULES:
        for line, target, _ in python_imports(path):
            top = target.split(".")[0]
            if top not in sys.stdlib_module_names and top != "lab_app":
                found.setdefault(top.lower(), f"{name(path)}:{line}")
    return found


def test_only_declared_libraries_are_imported():
    wrong = {library: place for library, place in imported().items() if library not in declared()}
    assert not wrong, f"add it to pyproject.toml and docs/design/dependencies.md, or do without: {wrong}"


def test_every_declared_library_is_used():
    """Imported by the lab, or under "Not imported" in docs/design/dependencies.md with the reason why it is installed."""
    page = (ROOT / "docs" / "design" / "dependencies.md").read_text(encoding="utf-8")
    section = re.search(r"^### Not imported$(.*?)^#", page, re.M | re.S)
    assert section, "docs/design/dependencies.md lacks its section on libraries that nothing imports"
    explained = {
        IMPORTED_AS.get(one, one)
        for one in re.findall(r"^\| `([\w-]+)` \|", section[1].replace("python-m", "python_m"), re.M)
    }
    unused = declared() - set(imported())
    assert unused == explained, (
        f"nothing imports {sorted(unused - explained)}; imported or gone, but explained: {sorted(explained - unused)}"
    )
