import os
import sys
from pathlib import Path

import pytest

from lab_app.api.guard.people import digest_of, read_people
from lab_app.errors import BadValue

ADA = "ada-token-of-at-least-16"
HASHED = f"ada sha256:{digest_of(ADA)}\n"


def file_of(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "tokens"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(mode)
    return path


def test_without_a_file_there_is_nobody():
    assert read_people(None) == {}


def test_a_person_has_a_token_or_its_hash(tmp_path):
    path = file_of(tmp_path, f"# the team\n\n{HASHED}  alan@lab   {'b' * 16}\n")
    assert read_people(path) == {digest_of(ADA): "ada", digest_of("b" * 16): "alan@lab"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names nobody"),
        ("# only a comment\n", "names nobody"),
        ("ada\n", "line 1 is not a name and a token"),
        (f"{HASHED}ada lovelace {ADA}\n", "line 2 is not a name and a token"),
        (f"a/b {ADA}", "line 1 is not a name and a token"),
        ("ada short", "line 1: the token of ada cannot be used"),
        (f"ada {'é' * 16}", "not UTF-8: byte 4"),
        ("ada sha256:0123", "line 1: the token of ada cannot be used"),
        ("ada sha256:" + "G" * 64, "line 1: the token of ada cannot be used"),
        (f"{HASHED}ada {'b' * 16}\n", "line 2: ada, or the same token, is there already"),
        (f"{HASHED}alan {ADA}\n", "line 2: alan, or the same token, is there already"),
        ("ada " + "x" * 1_000_000, "is larger than"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_without_its_tokens(tmp_path, text, said):
    with pytest.raises(BadValue, match=said) as error:
        read_people(file_of(tmp_path, text))
    assert ADA not in str(error.value) and "short" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode")
@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        (f"ada {ADA}\n", 0o640, "can be read by other users"),
        (f"ada {ADA}\n", 0o604, "can be read by other users"),
        (HASHED, 0o664, "can be written by other users"),
        (HASHED, 0o646, "can be written by other users"),
        (HASHED, 0o644, None),
        (f"ada {ADA}\n", 0o400, None),
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


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadValue, match="No such file"):
        read_people(tmp_path / "absent")
    with pytest.raises(BadValue, match=os.strerror(21)):
        read_people(tmp_path)
