"""What prose names exists: options, settings, files and modules, in every page and in what the code says of its pages.

`test_reference_docs.py` checks the tables of the reference; this file checks the sentences between them.
"""

import importlib.util
import re
from dataclasses import fields

import pytest

from tests.rules.sources import ROOT, files, matches, name
from tests.rules.test_reference_docs import commands

PAGES = [path for path in files(".", ".md") if path.name != "CHANGELOG.md"]
OF_OTHER_PROGRAMS = {
    "--ignore-scripts": "npm",
    "--require-hashes": "pip",
    "--port": "dask scheduler, too",
    "--nworkers": "dask worker",
    "--json": "curl",
    "--data-binary": "curl",
    "--detach": "docker compose",
    "--profile": "docker compose",
    "--nthreads": "dask worker",
    "--release": "cargo",
    "--example": "cargo",
    "--path": "openapi-python-client",
    "--output-path": "openapi-python-client",
    "--meta": "openapi-python-client",
    "--tool": "valgrind",
    "--quick": "make bench",
    "--rounds": "make bench",
    "--megabytes": "make bench",
    "--rows": "make bench",
    "--linear": "make bench-train",
    "--texts": "make hunt",
}
"""Options in our pages that belong to programs other than `tokenlab`."""
SOURCE = re.compile(r"`([\w./-]+\.(?:rs|py|pyi|js|mjs|css|md))`")
OF_OTHER_PROJECTS = {"plotly.js", "tokenization.py"}


def options() -> set[str]:
    """Every option of every command, `--no-` forms included."""
    found = {"--help"}
    for command in commands().values():
        for parameter in command.params:
            found |= {*parameter.opts, *parameter.secondary_opts}
    return found


def test_every_option_exists():
    known = options() | OF_OTHER_PROGRAMS.keys()
    wrong = [f"{place}: {m[0]}" for place, m in matches(PAGES, r"(?<![\w-])--[a-z][a-z-]*[a-z]") if m[0] not in known]
    assert not wrong, f"no command has these options: {wrong}"


def test_every_environment_variable_is_a_setting():
    from lab_app.settings import Settings

    known = {f"TOKENLAB_{field.name.upper()}" for field in fields(Settings)}
    wrong = [f"{place}: {m[0]}" for place, m in matches(PAGES, r"\bTOKENLAB_[A-Z_]*[A-Z]\b") if m[0] not in known]
    assert not wrong, f"these are no settings: {wrong}"


def test_every_source_file_exists():
    """A name without its folders, or with the last ones, is enough."""
    ours = ["/" + name(path) for path in files(".")]
    wrong = [
        f"{place}: {m[1]}"
        for place, m in matches(PAGES, SOURCE.pattern)
        if m[1] not in OF_OTHER_PROJECTS and not any(path.endswith("/" + m[1].removeprefix("./")) for path in ours)
    ]
    assert not wrong, f"these files do not exist: {wrong}"


def test_every_module_exists():
    def exists(dotted: str) -> bool:
        """A module, or a name in one."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            path = ROOT.joinpath(*parts[:end])
            if (
                path.with_suffix(".py").is_file()
                or path.with_suffix(".pyi").is_file()
                or (path / "__init__.py").is_file()
            ):
                if end == len(parts):
                    return True
                module = importlib.import_module(".".join(parts[:end]))
                return end == len(parts) - 1 and hasattr(module, parts[-1])
        return False

    found = {m[1] for _, m in matches(PAGES, r"`((?:lab_app|tests)(?:\.\w+)+)")}
    wrong = [dotted for dotted in sorted(found) if not exists(dotted)]
    assert found and not wrong, f"these modules do not exist: {wrong}"


@pytest.mark.parametrize("folder", ["lab_app", "lab_ui", "engine_rs", "tests"])
def test_every_page_that_the_code_names_exists(folder: str):
    sources = files(folder, ".py", ".rs", ".js", ".toml", ".css")
    named = matches(sources, r"(?<![\w/])docs/(?:guide|reference|design)/[\w/]+\.md\b")
    wrong = [f"{place}: {m[0]}" for place, m in named if not (ROOT / m[0]).is_file()]
    assert not wrong, f"these pages do not exist: {wrong}"


def test_the_plural_of_id_has_capitals():
    """`ids` is a field or an option. The page of measured performance is generated, with the names of its rows."""
    code = re.compile(r"^```.*?^```|``[^`]*``|`(?:[^`\n]|\n(?!\n))*`|\]\([^)]*\)", re.M | re.S)
    wrong = [
        f"{name(path)}: {m[0]}"
        for path in PAGES
        if path.name != "performance.md"
        for m in re.finditer(r".*\b(?:ids|Ids)\b.*", code.sub("", path.read_text(encoding="utf-8")))
    ]
    for command, found in commands().items():
        texts = [found.help, *(getattr(parameter, "help", None) for parameter in found.params)]
        wrong += [f"{command}: {text}" for text in texts if text and re.search(r"(?<![-`])\b(?:ids|Ids)\b(?!`)", text)]
    assert not wrong, f"write IDs in {wrong}"


def test_numbers_have_narrow_no_break_spaces():
    """Thousands are parted by U+202F outside of code, as on the screen; the page of measured performance is generated."""
    wrong = []
    for path in PAGES:
        text = re.sub(
            r"^```.*?^```|`[^`\n]*`|\bnumber such\s+as 1,500",
            lambda m: "\n" * m[0].count("\n"),
            path.read_text(encoding="utf-8"),
            flags=re.M | re.S,
        )
        wrong += [
            f"{name(path)}: {m[0]}"
            for m in re.finditer(r"(?<![\d,.])\d{1,3}(?:[, ]\d{3})+(?![\d,])", text)
            if path.name != "performance.md"
        ]
    assert not wrong, f"write a narrow no-break space (U+202F) in {wrong}"


def test_numbers_of_the_page_and_the_lab_do_not_break_over_lines():
    sources = [*files("lab_ui/js", ".js"), *files("lab_app", ".py", ".html")]
    found = [place for place, _ in matches(sources, r"\u2009|\\u2009|&thinsp;|&#8201;")]
    assert not found, f"write a narrow no-break space (U+202F), THIN_SPACE of format.js or chart.py, in {found}"


def test_every_engine_that_can_be_measured_is_explained():
    from lab_app.peers import registry

    page = (ROOT / "docs" / "design" / "dependencies.md").read_text(encoding="utf-8").lower()
    missing = [one for one in registry.MODULES if one != "tokenlab" and not re.search(rf"`{re.escape(one)}[`-]", page)]
    assert not missing, f"docs/design/dependencies.md lacks {missing}"


def test_every_member_of_a_tokenizer_is_explained():
    from lab_app.engine import Encoding, Tokenizer

    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    members = {*vars(Tokenizer), *vars(Encoding)}
    missing = [one for one in sorted(members) if not one.startswith("_") and not re.search(rf"\b{one}\b", page)]
    assert not missing, f"docs/reference/python.md lacks {missing}"
