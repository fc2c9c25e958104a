"""`Cargo.toml` has the version; what cannot read it there says the same."""

import re
import tomllib

from tests.rules.sources import ROOT


def test_all_files_name_one_version():
    version = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]["version"]
    said = {"CITATION.cff": re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[1]}
    for lock in ("Cargo.lock", "engine_rs/bench/Cargo.lock", "engine_rs/fuzz/Cargo.lock"):
        packages = tomllib.loads((ROOT / lock).read_text("utf-8"))["package"]
        own = [
            each
            for each in packages
            if re.fullmatch(r"token-(?!.*(bench|fuzz)$).+", each["name"]) and "source" not in each
        ]
        assert own, lock
        said |= {f"{lock}: {each['name']}": each["version"] for each in own}
    assert {place: each for place, each in said.items() if each != version} == {}
    assert re.search(r"^## (.+?)(?: - .+| \(.+\))?$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)[1] in (
        version,
        "Unreleased",
    )


def test_packages_take_the_version_from_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" not in project and "version" in project["dynamic"]
    manifests = [
        path for path in (ROOT / "engine_rs").glob("*/Cargo.toml") if path.parent.name not in ("bench", "fuzz")
    ]
    assert manifests
    for path in manifests:
        assert tomllib.loads(path.read_text("utf-8"))["package"]["version"] == {"workspace": True}, path
