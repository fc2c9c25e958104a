"""What must be the same in every process that counts a part of a corpus, so that the parts add up exactly."""

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from lab_app.version import lab_commit, lab_version, short_commit

READING = ("ftfy", "selectolax")
"""Packages that change text while a corpus is cleaned."""
MISSING = "not installed"


@cache
def versions() -> dict[str, str]:
    """The version of the lab with its engine, of Python with its Unicode tables, and of the packages that clean text.

    >>> sorted(versions())
    ['Python', 'Tokenization Lab', 'ftfy', 'selectolax']
    """
    commit = lab_commit()
    lab = lab_version() + (f" (commit {short_commit(commit)})" if commit else "")
    python = ".".join(platform.python_version_tuple()[:2])
    return {"Tokenization Lab": lab, "Python": python} | {package: _version(package) for package in READING}


def difference(there: dict[str, str], here: dict[str, str]) -> str | None:
    """Names the first version that differs, in words; None if all are the same.

    >>> difference({"Python": "3.11"}, {"Python": "3.12"})
    'Python is 3.11 there and 3.12 here'
    """
    for name in [*here, *(there.keys() - here.keys())]:
        old, new = there.get(name, MISSING), here.get(name, MISSING)
        if old != new:
            return f"{name} is {old} there and {new} here"
    return None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return MISSING
