"""`tokenlab desktop`: the entry of the menus, its icon and the types of files."""

import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

from lab_app.desktop import entry

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such entries")
SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def share(tmp_path, monkeypatch):
    """The folder of this user's data, with a space in its name."""
    folder = tmp_path / "data of mine"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A `tokenlab` whose path needs all quotes there are."""
    path = tmp_path / "a b's $HOME \\100%" / "tokenlab"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr(entry, "_command", lambda: [str(path)])
    return path


def values(file) -> dict[str, str]:
    """The keys of an entry, with the escapes of strings undone."""
    lines = (line.partition("=") for line in file.read_text().splitlines() if "=" in line)
    return {key: value.replace("\\\\", "\\") for key, _, value in lines}


def test_what_is_installed_is_removed(tokenlab, share, program):
    written = tokenlab("desktop", "--install").stdout.decode().splitlines()
    files = [share / "applications/tokenization-lab.desktop", share / "mime/packages/tokenization-lab.xml"]
    files.insert(1, share / "icons/hicolor/scalable/apps/tokenization-lab.svg")
    assert written == [f"Wrote {file}" for file in files] and all(file.is_file() for file in files)
    tokenlab("desktop", "--install")
    assert tokenlab("desktop", "--remove").stdout.decode().splitlines() == [f"Removed {file}" for file in files]
    assert not any(file.exists() for file in files)
    assert tokenlab("desktop", "--remove").stdout == b"There is nothing to remove.\n"


def test_the_entry_starts_the_program_with_files(tokenlab, share, program):
    tokenlab("desktop", "--install")
    file = share / "applications" / "tokenization-lab.desktop"
    found = values(file)
    # The shell's rules for double quotes are those of the format.
    shown = subprocess.run(["sh", "-c", f"printf '%s\\n' {found['Exec']}"], capture_output=True, text=True, check=True)
    assert shown.stdout.replace("%%", "%").splitlines() == [str(program), "%F"]
    assert found["TryExec"] == str(program) and found["Icon"] == "tokenization-lab"
    if check := shutil.which("desktop-file-validate"):
        done = subprocess.run([check, file], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_every_type_of_its_own_is_described(tokenlab, share, program):
    tokenlab("desktop", "--install")
    types = values(share / "applications" / "tokenization-lab.desktop")["MimeType"].strip(";").split(";")
    described = xml.parse(share / "mime" / "packages" / "tokenization-lab.xml").getroot()
    own = {each.get("type"): [glob.get("pattern") for glob in each.iter(f"{SPACE}glob")] for each in described}
    assert set(own) < set(types) and len(types) == len(set(types))
    assert {"tokenizer.json", "*.model", "*.tiktoken", "*.gguf", "*.jsonl"} <= {
        one for each in own.values() for one in each
    }


def test_wrong_use_and_other_systems_are_told(tokenlab, share, monkeypatch):
    for words in ((), ("--install", "--remove")):
        assert b"give --install or --remove" in tokenlab("desktop", *words, status=2).stderr
    monkeypatch.setattr(entry.sys, "platform", "darwin")
    for word in ("--install", "--remove"):
        assert b"make a shortcut to tokenlab" in tokenlab("desktop", word, status=1).stderr
    assert not share.exists()


def test_a_folder_that_cannot_be_written_is_named(tokenlab, share, program):
    share.write_text("a file")
    assert str(share).encode() in tokenlab("desktop", "--install", status=1).stderr
