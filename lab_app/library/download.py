"""Fetches the files of a known tokenizer: from each of its sources in turn until one gives them, with the right sha256
where that is known.

A source that does not answer within `connect_timeout_s` is left for the next one. The files are written into a folder of
the caller's. Not here: how a Hub is asked (`hub`), what becomes of the files (`catalog`).
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lab_app.errors import Cancelled, LabError, LoadFailed, Unavailable
from lab_app.library import hub
from lab_app.library.entry import HubSource, Known
from lab_app.library.importing import sha256_of
from lab_app.library.progress import Progress, Report, no_report
from lab_app.settings import Settings


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
            return _verified(_from_hub(source, place, settings, report), known, folder)
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
