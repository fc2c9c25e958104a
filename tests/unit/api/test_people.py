import os
import sys
from pathlib import Path

import pytest

from lab_app.api.guard.people import digest_of, read_people
from lab_app.errors import BadValue

READER = "reader-token-of-at-least-16"
HASHED = f"reader sha256:{digest_of(READER)}\n"


def file_of(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "tokens"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(mode)
    return path


def test_without_a_file_there_is_nobody():
    assert read_people(None) == {}


def test_a_person_has_a_token_or_its_hash(tmp_path):
    path = file_of(tmp_path, f"# the team\n\n{HASHED}  editor@lab   {'b' * 16}\n")
    assert read_people(path) == {digest_of(READER): "reader", digest_of("b" * 16): "editor@lab"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no person"),
        ("# only a comment\n", "has no person"),
        ("reader\n", "line 1 is not a name and a token"),
        (f"{HASHED}reader two {READER}\n", "line 2 is not a name and a token"),
        (f"a/b {READER}", "line 1 is not a name and a token"),
        ("reader short", "line 1: the token of reader cannot be used"),
        (f"reader {'é' * 16}", "not UTF-8: byte 7"),
        ("reader sha256:0123", "line 1: the token of reader cannot be used"),
        ("reader sha256:" + "G" * 64, "line 1: the token of reader cannot be used"),
        (f"{HASHED}reader {'b' * 16}\n", "line 2: the name reader or its token was used before"),
        (f"{HASHED}editor {READER}\n", "line 2: the name editor or its token was used before"),
        ("reader " + "x" * 1_000_000, "is larger than"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_without_its_tokens(tmp_path, text, said):
    with pytest.raises(BadValue, match=said) as error:
        read_people(file_of(tmp_path, text))
    assert READER not in str(error.value) and "short" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode")
@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        (f"reader {READER}\n", 0o640, "can be read by other users"),
        (f"reader {READER}\n", 0o604, "can be read by other users"),
        (HASHED, 0o664, "can be written by other users"),
        (HASHED, 0o646, "can be written by other users"),
        (HASHED, 0o644, None),
        (f"reader {READER}\n", 0o400, None),
    ],
)
def test_a_file_that_others_may_read_or_write_is_refused(tmp_path, text, mode, said):
    path = file_of(tmp_path, text, mode)
    if said is None:
        assert read_people(path)
        return
    with pytest.raises(BadValue, match=said) as error:
        read_people(path)
    assert error.value.hint.startswith("chmod ") and error.value.hint.endswith(str(path))


@pytest.mark.skipif(sys.platform == "win32", reason="files have no owner's number")
def test_a_file_of_another_user_is_refused(tmp_path, monkeypatch):
    """Its owner could add people to it."""
    path = file_of(tmp_path, HASHED, 0o644)
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(BadValue, match="belongs to another user") as error:
        read_people(path)
    assert error.value.hint.startswith(f"chown {os.geteuid()} {path}")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadValue, match="No such file"):
        read_people(tmp_path / "absent")
    with pytest.raises(BadValue, match=os.strerror(21)):
        read_people(tmp_path)
