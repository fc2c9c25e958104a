"""Who may use a shared server: a file with a line per person, the name and a token of their own, or its SHA-256.

    # comments and empty lines are left out
    reader  sha256:4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8
    editor  a-token-of-at-least-16-characters

A token is random, so its digest needs no salt: nobody can try all. The file must belong to the user that runs the lab, or to root, who
alone may write to it. A file with tokens must be closed to reading by others, too. All people share one lab; names are for the log. Not here: what a token opens (`security`).
"""

import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from lab_app.errors import BadValue, reason
from lab_app.settings import SHORTEST_TOKEN, TOKEN

NAME = re.compile(r"[A-Za-z0-9._@-]{1,64}")
DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
MAX_FILE_BYTES = 1_000_000
CLOSED = stat.S_IRWXG | stat.S_IRWXO
ROOT = 0
NOT_WRITABLE = stat.S_IWGRP | stat.S_IWOTH


def digest_of(token: str) -> str:
    """The SHA-256 of a token, as the file has it.

    >>> digest_of("a-token-of-at-least-16-characters")[:12]
    'cdc50a7d7dd2'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_people(path: Path | None) -> Mapping[str, str]:
    """The names of the people by the digest of their tokens; nobody without a file.

    Raises BadValue, which never repeats a token, with the line that cannot be read.
    """
    if path is None:
        return {}
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise BadValue(f"{path} is larger than {MAX_FILE_BYTES} bytes", "name a file with a line per person")
        lines = content.decode().splitlines()
    except OSError as error:
        raise BadValue(f"{path} cannot be read: {reason(error)}", "name the file of the tokens") from error
    except UnicodeDecodeError as error:
        raise BadValue(f"{path} is not UTF-8: byte {error.start}", "name a text file with a line per person") from None
    people, has_tokens = _people(path, lines)
    _check_owner(path, status, has_tokens)
    return people


def _people(path: Path, lines: list[str]) -> tuple[Mapping[str, str], bool]:
    """The people, and whether the file has tokens themselves."""
    people: dict[str, str] = {}
    has_tokens = False
    for number, name, secret in _rows(path, lines):
        found = DIGEST.fullmatch(secret)
        has_tokens |= found is None
        if found is None and not (len(secret) >= SHORTEST_TOKEN and TOKEN.fullmatch(secret)):
            hint = f"give sha256: and 64 hex digits, or at least {SHORTEST_TOKEN} letters, digits and -._~"
            raise BadValue(f"{path} line {number}: the token of {name} cannot be used", hint)
        digest = found[1] if found else digest_of(secret)
        if digest in people or name in people.values():
            raise BadValue(
                f"{path} line {number}: the name {name} or its token was used before", "give each person one of each"
            )
        people[digest] = name
    if not people:
        raise BadValue(f"{path} has no person", "give a line per person: a name and a token")
    return people, has_tokens


def _check_owner(path: Path, status: os.stat_result, has_tokens: bool) -> None:
    if sys.platform == "win32":
        return
    if status.st_uid not in (os.geteuid(), ROOT):
        hint = f"chown {os.geteuid()} {path}, or make root its owner"
        raise BadValue(f"{path} belongs to another user of this machine", hint)
    if status.st_mode & (CLOSED if has_tokens else NOT_WRITABLE):
        kept, command = ("read", "600") if has_tokens else ("written", "644")
        raise BadValue(f"{path} can be {kept} by other users of this machine", f"chmod {command} {path}")


def _rows(path: Path, lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """The number, the name and the token of each line that has them."""
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or not NAME.fullmatch(words[0]):
            hint = "write a name of letters, digits and ._@-, a space, and the token"
            raise BadValue(f"{path} line {number} is not a name and a token", hint)
        yield number, words[0], words[1]
