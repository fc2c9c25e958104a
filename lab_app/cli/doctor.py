"""`tokenlab doctor`: what is installed, what is missing, how to get it; repairs the database."""

import platform
import sys
import tempfile
from typing import Annotated, NamedTuple

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, the_settings
from lab_app.errors import Conflict, LabError, StoreFailed, reason


class Check(NamedTuple):
    """One line: `missing` is the word for what is not `ok`. What is `optional` is only counted in the table."""

    name: str
    ok: bool
    detail: str
    missing: str = "missing"
    optional: bool = False


def doctor(
    format: FormatOption = "table",
    repair: Annotated[
        bool, typer.Option("--repair", help="Copy a damaged database, then keep the rows that can be read.")
    ] = False,
) -> None:
    """List what is installed, what is missing or damaged, and what to do. Fails if the lab cannot work."""
    if repair:
        _repair()
    checks = [_engine(), _page(), _data(), _database(), *_tokenizers(), _window()]
    needed = {"engine", "page", "data folder", "database"}
    if format == "json":
        found = [{"name": each.name, "ok": each.ok, "detail": each.detail} for each in checks]
        output.print_json({"checks": found})
    else:
        from lab_app.version import lab_version

        output.print_chunks([f"tokenlab {lab_version()}, Python {platform.python_version()}, {platform.platform()}"])
        shown = [each for each in checks if each.ok or not each.optional]
        rows = [(each.name, "ok" if each.ok else each.missing, each.detail) for each in shown]
        if left := len(checks) - len(shown):
            rows.append(("tokenizers", "", f"{left} more can be downloaded; `tokenlab list` shows them"))
        output.table(("", "", ""), rows)
    if not all(each.ok for each in checks if each.name in needed):
        raise typer.Exit(output.FAILED)


def _engine() -> Check:
    try:
        from lab_app import engine
    except ImportError as error:
        return Check("engine", False, f"{error}; install the lab, or run `make lab` in a checkout")
    return Check("engine", True, f"patterns {', '.join(engine.PATTERNS)}")


def _page() -> Check:
    from lab_app import paths

    index, vendor = paths.page() / "index.html", paths.page() / "vendor" / "codemirror.js"
    missing = [str(file) for file in (index, vendor) if not file.is_file()]
    if missing:
        return Check("page", False, f"missing: {', '.join(missing)}; run `make lab`")
    return Check("page", True, str(paths.page()))


def _data() -> Check:
    from lab_app import paths
    from lab_app.private import private_folder

    folder = paths.data_dir(the_settings())
    try:
        private_folder(folder, paths.OWN_NAMES)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        hint = "make it writable, or set TOKENLAB_DATA_DIR to another folder"
        return Check("data folder", False, f"{folder} cannot be written: {reason(error)}; {hint}", "damaged")
    return Check("data folder", True, str(folder))


def _database() -> Check:
    from lab_app import paths
    from lab_app.store import repair
    from lab_app.store.database import Database

    path = paths.database(the_settings())
    try:
        if found := repair.faults(path):
            hint = "`tokenlab doctor --repair` copies the file, then keeps what can be read"
            return Check("database", False, f"{path} is damaged: {'; '.join(found)}; {hint}", "damaged")
        with Database(path).write():
            pass
    except OSError as error:
        return Check("database", False, f"{path} cannot be read: {reason(error)}", "damaged")
    except LabError as error:
        return Check("database", False, str(error), "damaged")
    return Check("database", True, str(path))


def _repair() -> None:
    """Repairs the database if it has faults, and says what was kept. Raises Conflict while a lab uses it."""
    from lab_app import paths
    from lab_app.desktop.single_instance import Instance
    from lab_app.store import repair

    settings = the_settings()
    path = paths.database(settings)
    lock = Instance(paths.window_lock(settings))
    if not lock.acquire():
        raise Conflict("the lab is open", "close it, then repair")
    try:
        if not repair.faults(path):
            output.print_note("the database has no faults: nothing was changed")
            return
        done = repair.repair(path)
    except OSError as error:
        raise StoreFailed(
            f"{path} cannot be repaired: {reason(error)}", "check the permissions and the free space"
        ) from error
    finally:
        lock.release()
    output.print_note(f"the damaged database was copied to {done.copy}")
    kept = ", ".join(f"{count} in {table}" for table, count in done.kept.items())
    output.print_note(f"rows kept: {kept or 'none'}")
    if done.incomplete:
        output.print_note(f"some or all rows were lost in: {', '.join(done.incomplete)}")
    if "tokenizers" in done.incomplete:
        folder = paths.tokenizers(settings)
        output.print_note(f"the files of added tokenizers are still in {folder}: `tokenlab add PATH` adds one again")


def _tokenizers() -> list[Check]:
    try:
        from lab_app.cli.common import the_lab
        from lab_app.services.tokenizers.tokenizers import list_tokenizers

        entries = list_tokenizers(the_lab()).tokenizers
    except (ImportError, LabError) as error:
        return [Check("tokenizers", False, str(error))]
    found = []
    for entry in entries:
        if entry.problem:
            detail = f"{entry.problem.message}; {entry.problem.hint}"
        elif not entry.available:
            detail = entry.needs or "" if entry.gated else f"fetch it: tokenlab add {entry.id}"
        else:
            detail = f"{entry.source}, {entry.vocab_size} tokens"
        missing = "damaged" if entry.problem else "missing"
        found.append(Check(entry.id, entry.available, detail, missing, optional=entry.problem is None))
    return found


def _window() -> Check:
    from lab_app.desktop.window_check import window_problem

    problem = window_problem()
    if problem is None:
        return Check("window", True, f"can be opened on this {sys.platform} system")
    return Check("window", False, f"{problem}; `tokenlab` opens the browser instead")
