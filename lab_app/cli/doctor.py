"""`tokenlab doctor`: what is installed, what is missing, how to get it."""

import platform
import sys

import typer

from lab_app.cli import output
from lab_app.cli.common import Format, FormatOption, the_settings
from lab_app.errors import LabError

Check = tuple[str, bool, str]


def doctor(format: FormatOption = Format.table) -> None:
    """List what is installed, what is missing and how to install it. Fails if the lab cannot work."""
    checks = [_engine(), _page(), _data(), *_tokenizers(), _window()]
    needed = {"engine", "page", "data folder"}
    if format == Format.json:
        output.print_json({"checks": [{"name": name, "ok": ok, "detail": detail} for name, ok, detail in checks]})
    else:
        from lab_app.version import lab_version

        output.print_chunks([f"tokenlab {lab_version()}, Python {platform.python_version()}, {platform.platform()}"])
        output.table(("", "", ""), [(name, "ok" if ok else "missing", detail) for name, ok, detail in checks])
    if not all(ok for name, ok, _ in checks if name in needed):
        raise typer.Exit(output.FAILED)


def _engine() -> Check:
    try:
        from lab_app import engine
    except ImportError as error:
        return "engine", False, f"{error}; install the lab, or run `make lab` in a checkout"
    return "engine", True, f"patterns {', '.join(engine.PATTERNS)}"


def _page() -> Check:
    from lab_app import paths

    index, vendor = paths.page() / "index.html", paths.page() / "vendor" / "codemirror.js"
    missing = [str(file) for file in (index, vendor) if not file.is_file()]
    if missing:
        return "page", False, f"missing: {', '.join(missing)}; run `make lab`"
    return "page", True, str(paths.page())


def _data() -> Check:
    from lab_app import paths
    from lab_app.store.database import Database

    settings = the_settings()
    try:
        with Database(paths.database(settings)).write():
            pass
    except LabError as error:
        return "data folder", False, str(error)
    return "data folder", True, str(paths.data_dir(settings))


def _tokenizers() -> list[Check]:
    try:
        from lab_app.cli.common import the_lab
        from lab_app.services.tokenizers import list_tokenizers

        entries = list_tokenizers(the_lab()).tokenizers
    except (ImportError, LabError) as error:
        return [("tokenizers", False, str(error))]
    found = []
    for entry in entries:
        if entry.problem:
            detail = f"{entry.problem.message}; {entry.problem.hint}"
        elif not entry.available:
            detail = entry.needs or "" if entry.gated else f"fetch it: tokenlab add {entry.id}"
        else:
            detail = f"{entry.source}, {entry.vocab_size} tokens"
        found.append((entry.id, entry.available, detail))
    return found


def _window() -> Check:
    from lab_app.desktop.window_check import window_problem

    problem = window_problem()
    if problem is None:
        return "window", True, f"can be opened on this {sys.platform} system"
    return "window", False, f"{problem}; `tokenlab` opens the browser instead"
