"""The name of the lab, its version, which `Cargo.toml` has for both languages, and the commit it was made from."""

import contextlib
import json
import os
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from lab_app.children import exit_status

LAB = "Tokenization Laboratory"
PACKAGE = "tokenization-lab"
ROOT = Path(__file__).resolve().parent.parent
HASH_DIGITS = (40, 64)
"""Of SHA-1 and of SHA-256."""
MODIFIED = "+modified"
"""What follows the commit of a checkout whose files are others than the commit's."""
GIT_S = 5
"""How long git may take to compare the files."""
SHOWN_DIGITS = 12


def lab_version() -> str:
    """The version that is installed; "0+unknown" where the lab runs without being installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "0+unknown"


def lab_url() -> str | None:
    """The project's address, if its metadata has one."""
    try:
        urls = distribution(PACKAGE).metadata.get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    return next((url.partition(",")[2].strip() for url in urls), None)


@cache
def lab_commit() -> str | None:
    """The commit the lab was made from: of the repository it was installed from, or of the checkout it runs in.

    "+modified" follows it if files of the checkout differ from it, as far as git is there to say so. None for a release,
    which its version describes.
    """
    with contextlib.suppress(PackageNotFoundError, ValueError):
        # PEP 610: pip writes where a package came from.
        source = json.loads(distribution(PACKAGE).read_text("direct_url.json") or "{}")
        if commit := source.get("vcs_info", {}).get("commit_id"):
            return str(commit)
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if commit := _head(ROOT / ".git"):
            return commit + (MODIFIED if _is_modified(ROOT) else "")
    return None


def short_commit(commit: str) -> str:
    """A commit for people, and whether files differ from it.

    >>> short_commit("0123456789abcdef"), short_commit("0123456789abcdef+modified")
    ('0123456789ab', '0123456789ab+modified')
    """
    hash, plus, _ = commit.partition("+")
    return hash[:SHOWN_DIGITS] + (MODIFIED if plus else "")


def _is_modified(folder: Path) -> bool:
    """Whether files that git follows in a checkout differ from its commit. False without git, or if it takes too long."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "diff", "--quiet", "--no-ext-diff", "HEAD"]
    status = exit_status(command, folder, timeout_s=GIT_S, environment={**environment, "GIT_OPTIONAL_LOCKS": "0"})
    return status == 1  # 128: git could not compare


def _head(git: Path) -> str | None:
    """The commit that HEAD of a repository names. `git` is its folder, or the file that names it in a linked worktree."""
    if git.is_file():
        git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return _hash(head)
    name = head.removeprefix("ref:").strip()
    shared = git / "commondir"
    common = git / shared.read_text(encoding="utf-8").strip() if shared.is_file() else git
    for folder in (git, common):
        if (folder / name).is_file():
            return _hash((folder / name).read_text(encoding="utf-8").strip())
    for line in (common / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return _hash(commit)
    return None


def _hash(word: str) -> str | None:
    return word if len(word) in HASH_DIGITS and set(word) <= set("0123456789abcdef") else None
