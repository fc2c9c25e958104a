"""Fetches tokenizers from a Hub into the library: the known ones, and any repository.

A known tokenizer may have several sources. One that does not answer within `connect_timeout_s` is skipped. Not here: how
a Hub is asked (`hub`), progress on a screen (`lab_app.services.tokenizers.fetching`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from lab_app.errors import Cancelled, Conflict, LabError, LoadFailed, NotFound, Unavailable
from lab_app.files import temporary_folder
from lab_app.library import adding, hub, importing
from lab_app.library.catalog import Catalog
from lab_app.library.entry import Entry, Known, Provenance
from lab_app.library.hub_reference import HubReference
from lab_app.library.known import known_tokenizer, known_tokenizers
from lab_app.library.progress import Progress, ProgressCallback, ignore_progress
from lab_app.settings import Settings


def fetch(catalog: Catalog, id: str, report: ProgressCallback = ignore_progress, *, token: str | None = None) -> Entry:
    """Fetches a known tokenizer, unless it is here. Raises Unavailable if no source has its files.

    `token` of the user is for the Hub.
    """
    known = known_tokenizer(id)
    if known is None:
        ids = ", ".join(each.id for each in known_tokenizers() if each.sources)
        raise NotFound(
            f'"{id}" is not a tokenizer that the lab can download',
            f"choose one that can be downloaded, {ids}, or give the path of its file",
        )
    entry = catalog.entry(known.id)
    if entry.available:
        return entry
    with _folder() as folder:
        found = download(known, folder, catalog.settings, report, token=token)
        files = importing.primary_first(found.files, folder)
        with importing.staged(files, catalog.folder, suggested_id=known.id) as imported:
            try:
                return adding.keep(catalog, imported, known.id, _provenance(found.repository))
            except Conflict:
                entry = catalog.entry(known.id)
                if entry.available:  # another download of it has ended meanwhile
                    return entry
                raise


def add_from_hub(
    catalog: Catalog, reference: HubReference, id: str | None = None, report: ProgressCallback = ignore_progress
) -> Entry:
    """Fetches the tokenizer of a repository and adds it as `id` or as the repository's name.

    Raises what `hub.fetch` and `adding.add` raise.
    """
    if id is not None:
        adding.refuse_taken(catalog, importing.check_id(id))
    with _folder() as folder:
        fetched = hub.fetch(reference, folder, catalog.settings, report)
        files = importing.primary_first(fetched.files, folder)
        name = id or _free_id(catalog, reference)
        return adding.add(catalog, files, name, id=id, provenance=_provenance(fetched.repository))


def download(
    known: Known,
    folder: Path,
    settings: Settings,
    report: ProgressCallback = ignore_progress,
    *,
    token: str | None = None,
) -> hub.Fetched:
    """The files of `known`, in `folder`, with their sha256 checked if it is known.

    `report` may raise, which stops the download. Raises what the only source raised, or Unavailable with the reason of each
    source if none of several has the files; `folder` stays empty then.
    """
    unavailable = partial(
        Unavailable,
        hint=f"connect to the network, or add the files from this machine as {known.id}",
        on_terminal=f"connect to the network, or add the files from this machine: `tokenlab add PATH --id {known.id}`",
    )
    failures: list[tuple[str, LabError]] = []
    for number, source in enumerate(known.sources):
        place = folder / f"source-{number}"
        place.mkdir()
        try:
            reference = HubReference(source.repository, source.revision, source.file, token)
            return _verified(_from_hub(reference, place, settings, report), known, folder)
        except Cancelled:
            raise
        except (LabError, OSError) as error:
            failures.append((str(source), error if isinstance(error, LabError) else LabError(str(error))))
    if len(failures) == 1 and failures[0][1].hint:
        raise failures[0][1]
    reasons = "; ".join(f"{source}: {error.message}" for source, error in failures)
    raise unavailable(f"{known.id} could not be fetched; {reasons}")


def _verified(found: hub.Fetched, known: Known, folder: Path) -> hub.Fetched:
    if known.sha256 is not None:
        digest = importing.sha256_of(found.files[0])
        if digest != known.sha256:
            raise LoadFailed(f"the file there has sha256 {digest}, not {known.sha256}")
    if known.file is not None:
        return hub.Fetched((found.files[0].replace(folder / known.file),), found.repository)
    return hub.Fetched(tuple(file.replace(folder / file.name) for file in found.files), found.repository)


def _from_hub(reference: HubReference, folder: Path, settings: Settings, report: ProgressCallback) -> hub.Fetched:
    report(Progress(str(reference), 0))
    return hub.fetch(reference, folder, settings, report)


def _free_id(catalog: Catalog, reference: HubReference) -> str:
    """The repository's name; with its owner if the name alone is taken or that of a known tokenizer."""
    short = importing.id_from(reference.name)
    if known_tokenizer(reference.name) is not None or catalog.is_taken(short):
        return importing.id_from(reference.repository)
    return short


def _provenance(repository: hub.Repository) -> Provenance:
    name = repository.reference.repository
    return Provenance("downloaded", name, name, repository.commit, repository.licence, repository.gated)


@contextmanager
def _folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder
