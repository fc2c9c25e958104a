"""`tokenlab` without a command, and `tokenlab FILE...`: opens the lab, with files."""

import os
from collections.abc import Sequence
from pathlib import Path

from lab_app.errors import BadValue

SIGNS = tuple(sign for sign in (".", os.sep, os.altsep) if sign)
"""What no command has in its name. A word with one of them is a path, so that a file that is missing is called a file."""


def files_named(words: Sequence[str]) -> list[str] | None:
    """The files that the arguments name, which may be none; None if they are those of a command, or options alone.

    The name of a command is that command, whatever files there are. Raises BadValue for an option together with files.

    >>> files_named(["--browser"]), files_named(["./encode", "b.txt"]), files_named(["encode", "b.txt"])
    ([], ['./encode', 'b.txt'], None)
    """
    files = [word for word in words if word != "--browser"]
    if files and not _is_file(files[0]):
        return None
    for word in files:
        if word.startswith("-"):
            raise BadValue(
                f"{word} is not an option of `tokenlab FILE...`", f"leave it out; a file of that name is ./{word}"
            )
    return files


def _is_file(word: str) -> bool:
    if word.startswith("-"):
        return False
    if any(sign in word for sign in SIGNS):
        return True
    from lab_app.cli.commands import COMMANDS

    return word not in COMMANDS and Path(word).exists()


def open_lab(browser: bool, files: Sequence[str] = ()) -> int:
    """Opens the window, or the browser, with the files, and returns when it is closed; the exit status.

    If a lab is open on the data folder, it is asked to come forward and to open the files. Raises LabError for a file that the
    lab cannot open, and for more than MOST_FILES; then no file is opened.
    """
    from lab_app.api.window_requests import MOST_FILES
    from lab_app.desktop.window_check import missing_for_window
    from lab_app.desktop.window_process import WindowProcess

    if len(files) > MOST_FILES:
        raise BadValue(f"{len(files)} files are named", f"name {MOST_FILES} at most, or name a folder instead")
    # First of all, since what the window imports takes longest: all the rest is imported beside it. The settings, which are
    # among the rest, may say that there is to be none; it ends before it has shown anything then.
    problem = None if browser else missing_for_window()
    window = WindowProcess() if not browser and problem is None else None
    try:
        from lab_app import paths, settings
        from lab_app.desktop import shell

        given = settings.load({"display": "browser" if browser else None}, config_file=paths.config_file())
        full = [Path(file).absolute() for file in files]
        if full:
            from lab_app.services.corpora.file_kinds import check

            for file in full:
                check(file, int(given.max_request_mb * 1e6))
        return shell.open_lab(given, window, problem, full)
    finally:
        if window is not None:
            window.end()
