"""Files stay short, plain and free of the machine they were written on."""

import json
import re
import subprocess

from tests.rules.sources import ROOT, files, matches, name

MOST_LINES = 600
TEXT = {".css", ".html", ".js", ".json", ".lock", ".md", ".mjs", ".py", ".pyi", ".rs", ".toml", ".txt", ".yaml", ".yml", ""}


def ours() -> list:
    """Our text files; other people's texts among them (licences, locks) included."""
    return [path for path in files("") if path.suffix in TEXT]


def test_files_are_short():
    long = []
    for folder in ("engine_rs", "lab_app", "lab_ui"):
        for path in files(folder, ".py", ".rs", ".js", ".css", ".html", ".mjs"):
            text = path.read_text(encoding="utf-8")
            # Tables that a program wrote say so in their first lines; nobody reads them.
            if "@generated" in text[:500] or {"tests", "benches"} & set(path.parts) or path.stem == "tests":
                continue
            lines = len(re.split(r"#\[cfg\(test\)\]\s*mod\s", text)[0].splitlines())
            if lines > MOST_LINES:
                long.append(f"{name(path)}: {lines} lines")
    assert not long, f"more than {MOST_LINES} lines without tests wants to be two files: {long}"


def test_no_path_of_one_machine():
    pattern = r"(?<![\w.:/-])/(?:root|work|workspace)/\w|/(?:home|Users)/(?!USER|NAME|you\b|me\b)\w+/|\b[A-Z]:\\Users\\\w"
    found = [f"{place} {match[0]}" for place, match in matches(ours(), pattern)]
    assert not found, f"this path exists on one machine only; say it from the checkout or as an argument: {found}"


def test_locks_hold_no_addresses():
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    resolved = [key for key, value in packages.items() if "resolved" in value]
    assert not resolved, "make package-lock.json again with the .npmrc of this checkout: it names a registry"
    loose = [key for key, value in packages.items() if key and "integrity" not in value]
    assert not loose, f"these packages have no hash: {loose}"
    python = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in python, "requirements.lock names an address; make it again with `make lock`"
    assert not (ROOT / "uv.lock").exists(), "requirements.lock is the lock; uv.lock repeats the registry's address"


def test_every_python_dependency_is_locked():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [line for group in project["dependency-groups"].values() for line in group if isinstance(line, str)]
    wanted = {re.match(r"[\w-]+", line)[0].lower() for line in project["project"]["dependencies"] + groups}
    locked = set(re.findall(r"^([\w-]+)==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.M))
    assert wanted <= locked, f"run `make lock`: {sorted(wanted - locked)} are not in requirements.lock"


def test_every_dependency_is_explained():
    """docs/design/dependencies.md has a line for each library that we name ourselves."""
    import tomllib

    page = (ROOT / "docs" / "design" / "dependencies.md").read_text(encoding="utf-8").lower()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    python = project["project"]["dependencies"] + [
        line for group in project["dependency-groups"].values() for line in group if isinstance(line, str)
    ]
    names = {re.match(r"[\w-]+", line)[0].lower() for line in python}
    names |= set(json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"])
    for manifest in (ROOT / "engine_rs" / "Cargo.toml", ROOT / "engine_rs" / "python" / "Cargo.toml"):
        crate = tomllib.loads(manifest.read_text(encoding="utf-8"))
        names |= {*crate.get("dependencies", {}), *crate.get("dev-dependencies", {})} - {"token-engine"}
    missing = sorted(one for one in names if f"`{one}`" not in page)
    assert not missing, f"say in docs/design/dependencies.md why these are here: {missing}"


def test_nothing_made_is_in_git():
    if not (ROOT / ".git").exists():
        return  # an unpacked source archive
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    made = [path for path in tracked if re.search(r"^(lab_ui/vendor|node_modules|target|\.venv)/|\.(so|pyd|pyc)$", path)]
    assert not made, f"made at set-up, so ignored by git: git rm --cached {made}"
