"""The lab in the menus of a Linux desktop: an entry with its icon, and the types of the files that it opens.

Sources: the Desktop Entry, Icon Theme and Shared MIME-info specifications of freedesktop.org.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from lab_app import paths
from lab_app.children import exit_status, this_program
from lab_app.errors import Unavailable, reason
from lab_app.files import replaced
from lab_app.version import LAB, PACKAGE

UPDATE_TIMEOUT_S = 30.0
PLAIN_TYPES = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values", "application/x-ndjson")
"""The types of the files that the lab opens, as far as every desktop knows them."""
OWN_TYPES = {
    "application/vnd.tokenizer+json": ("Tokenizer", ("tokenizer.json", "tekken.json"), "application/json"),
    "application/vnd.sentencepiece.model": ("SentencePiece model", ("*.model",), "application/octet-stream"),
    "application/vnd.tiktoken": ("Rank file of a tokenizer", ("*.tiktoken",), "text/plain"),
    "application/vnd.gguf": ("GGUF model", ("*.gguf",), "application/octet-stream"),
    "application/jsonl": ("Lines of JSON", ("*.jsonl",), "text/plain"),
}
"""The others: a description, patterns of names, and the type of which it is a kind."""

ENTRY = """[Desktop Entry]
Type=Application
Version=1.0
Name={name}
GenericName=Tokenizer laboratory
Comment=See how tokenizers split a text, and why
TryExec={program}
Exec={command} %F
Icon={icon}
Terminal=false
Categories=Science;ComputerScience;
Keywords=tokenizer;BPE;WordPiece;Unigram;corpus;
MimeType={types};
"""
TYPE = """  <mime-type type="{type}">
    <comment>{comment}</comment>
    <sub-class-of type="{parent}"/>
{globs}  </mime-type>
"""
GLOB = """    <glob pattern="{pattern}" weight="{weight}"/>
"""
TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
{types}</mime-info>
"""


def install() -> list[Path]:
    """Writes the entry, the icon and the types for this user, and returns their files. Raises Unavailable."""
    command = _command()
    files = {
        _entry(): ENTRY.format(
            name=LAB,
            program=_string(command[0]),
            command=exec_line(command),
            icon=PACKAGE,
            types=";".join([*PLAIN_TYPES, *OWN_TYPES]),
        ),
        _types(): TYPES.format(types="".join(map(_type, OWN_TYPES))),
    }
    try:
        for path, content in {**files, _icon(): (paths.page() / "icon.svg").read_text(encoding="utf-8")}.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with replaced(path) as new:
                new.write_text(content, encoding="utf-8", newline="\n")
    except OSError as error:
        raise _unwritable(error) from error
    _update()
    return [_entry(), _icon(), _types()]


def remove() -> list[Path]:
    """Removes what `install` wrote, and returns the files that were there. Raises Unavailable."""
    _refuse_others()
    found = [path for path in (_entry(), _icon(), _types()) if path.exists()]
    try:
        for path in found:
            path.unlink()
    except OSError as error:
        raise _unwritable(error) from error
    if found:
        _update()
    return found


def exec_line(command: Sequence[str]) -> str:
    r"""A command as the value of `Exec`: each argument is quoted, and the whole is a string of the format.

    >>> print(exec_line(["/opt/the lab/tokenlab"]))
    "/opt/the lab/tokenlab"
    >>> print(exec_line(["/a$b/100%/c\\d"]))
    "/a\\$b/100%%/c\\\\d"
    """
    quoted = (f'"{_escaped(argument)}"' for argument in command)
    return _string(" ".join(quoted).replace("%", "%%"))


def _escaped(argument: str) -> str:
    for sign in '\\"`$':  # the backslash first
        argument = argument.replace(sign, f"\\{sign}")
    return argument


def _string(value: str) -> str:
    """A value of the type `string`."""
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _command() -> list[str]:
    """How this program is started again. Raises Unavailable on other systems."""
    _refuse_others()
    return this_program()


def _refuse_others() -> None:
    if sys.platform != "linux":
        raise Unavailable(
            f"the menus of {sys.platform} have no entries that the lab could write",
            "make a shortcut to tokenlab; `tokenlab FILE...` opens files here, too",
        )


def _type(type: str) -> str:
    comment, patterns, parent = OWN_TYPES[type]
    # A whole name goes before `*.json`, of the same weight or less.
    globs = "".join(GLOB.format(pattern=each, weight=50 if each.startswith("*") else 60) for each in patterns)
    return TYPE.format(type=type, comment=comment, parent=parent, globs=globs)


def _data() -> Path:
    return platformdirs.user_data_path()


def _entry() -> Path:
    return _data() / "applications" / f"{PACKAGE}.desktop"


def _icon() -> Path:
    return _data() / "icons" / "hicolor" / "scalable" / "apps" / f"{PACKAGE}.svg"


def _types() -> Path:
    return _data() / "mime" / "packages" / f"{PACKAGE}.xml"


def _update() -> None:
    """Tells the desktop, as far as its programs are installed; it looks by itself, too, only later."""
    for program, folder in (("update-mime-database", "mime"), ("update-desktop-database", "applications")):
        found = shutil.which(program)
        if found:
            exit_status([found, str(_data() / folder)], _data(), timeout_s=UPDATE_TIMEOUT_S)


def _unwritable(error: OSError) -> Unavailable:
    return Unavailable(
        f"{error.filename or _data()} cannot be written: {reason(error)}",
        "check its permissions, or set XDG_DATA_HOME to a folder of yours",
    )
