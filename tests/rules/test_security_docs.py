"""Every defence that `docs/design/security.md` names has a test, and it is there."""

import re

from tests.rules.sources import ROOT

TEXT = (ROOT / "docs" / "design" / "security.md").read_text("utf-8")


def test_every_named_test_exists():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)
    missing = [f"{path}::{test}" for path, test in named if f"def {test}(" not in source(path)]
    assert named and not missing, missing


def test_every_attack_has_a_test():
    tables = re.findall(r"^\| attack \| defence \| test \|\n\|[- |]+\|\n((?:\|.*\|\n)+)", TEXT, re.M)
    assert len(tables) == 5, "a table for each of those who attack"
    rows = [row for table in tables for row in table.splitlines()]
    unproven = [row for row in rows if "::test_" not in row and "`make attack`" not in row]
    assert not unproven, unproven


def source(path: str) -> str:
    file = ROOT / path
    return file.read_text("utf-8") if file.is_file() else ""
