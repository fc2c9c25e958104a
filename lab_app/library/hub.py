"""A Hugging Face Hub: which files of a repository make its tokenizer, or are the tables of a dataset, and fetching them, each
checked before it is used.

`huggingface_hub` asks and downloads: the user's token, mirrors, proxies and HF_HUB_OFFLINE are its to find, and what it has
in the user's cache is not fetched again. Here are the choice of files, their digests, progress, and clear errors. Not here:
known tokenizers with several sources (`fetching`), the catalog's entry (`adding`).

Source: https://huggingface.co/docs/huggingface_hub.
"""

import fnmatch
import hashlib
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab_app.errors import Gated, LabError, LoadFailed, NotFound, TooLarge, Unavailable
from lab_app.library.hub_errors import check_token, explained
from lab_app.library.hub_reference import HubReference, endpoint_of
from lab_app.library.importing import SIDECAR_FILES
from lab_app.library.progress import Progress, ProgressCallback, ignore_progress
from lab_app.settings import Settings
from lab_app.version import lab_version

if TYPE_CHECKING:
    from huggingface_hub import HfApi

# Files in a repository's top folder that belong to its tokenizer. A GGUF file holds a whole model: it must be named.
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.*",
    "encoder.json",
    "merges.txt",
    "*.model",
    "*.tiktoken",
    "rwkv_vocab*.txt",
    "tekken.json",
    "chat_template.jinja",
)
DATASET_FILES = "*.parquet"
MAX_FILE_BYTES = 512_000_000
CHUNK_BYTES = 65_536
MAX_SHOWN = 8


@dataclass(frozen=True)
class HubFile:
    """One file as the Hub describes it. One of the two digests says what its bytes must be; a cache may have neither."""

    name: str
    size_bytes: int | None
    sha256: str | None
    git_sha1: str | None

    @property
    def local_name(self) -> str:
        """The name without its folder."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True)
class Repository:
    """A repository at one commit."""

    reference: HubReference
    commit: str
    licence: str | None
    gated: bool
    files: tuple[HubFile, ...]


@dataclass(frozen=True)
class Fetched:
    """Files of one commit, checked, in a folder that the caller owns."""

    files: tuple[Path, ...]
    repository: Repository


def fetch(
    reference: HubReference, folder: Path, settings: Settings, report: ProgressCallback = ignore_progress
) -> Fetched:
    """Copies the tokenizer's files of a repository into `folder`.

    The Hub is asked for the newest commit of the revision, and only what is not in the user's Hugging Face cache is
    downloaded. If it may not be asked, or does not say what the repository has, the files in that cache are used; so are
    those of another commit if the terms are not accepted. `report` may raise, which stops the download. Raises Gated if the
    terms must be accepted first, NotFound for a repository, revision or file that does not exist and for a repository
    without a tokenizer, LoadFailed for damaged files, Unavailable if the Hub does not answer or refuses for now,
    TokenRefused if it does not accept the token.
    """
    try:
        api = _api(settings, reference)
        with explained(reference, settings):
            repository = _description(reference, api, settings)
    except Unavailable as error:
        repository, files = _offline(reference, error, report)
    else:
        try:
            files = _online(repository, _wanted(repository), api, settings, report)
        except Gated as error:
            described, (repository, files) = repository, _offline(reference, error, report)
            if repository.commit == described.commit:  # what the cache has of this commit is not all of it
                raise
    copies = [shutil.copyfile(path, folder / file.local_name) for file, path in files]
    return Fetched(tuple(copies), repository)


def fetch_dataset(
    reference: HubReference, settings: Settings, report: ProgressCallback = ignore_progress
) -> list[Path]:
    """The Parquet files of a dataset, or those that its `file` or pattern names, in the user's Hugging Face cache.

    They lie there under their commit, so that they never change. What is there already is not downloaded again, but the Hub
    is asked what there is. A star of the pattern goes over folders. Raises as `fetch`; NotFound for a dataset without such
    files, TooLarge for more than the disk has room for.
    """
    api = _api(settings, reference)
    with explained(reference, settings):
        repository = _description(reference, api, settings)
    pattern = reference.file or DATASET_FILES
    wanted = [file for file in repository.files if fnmatch.fnmatchcase(file.name, pattern)]
    if not wanted:
        raise NotFound(
            f"{reference.repository} has no file {pattern} at {reference.revision}",
            f"name some of its files: hub:{reference.page}:PATTERN, of {_shown(repository)}; "
            "or the revision that the Hub makes: @refs/convert/parquet",
        )
    _check_room(reference, wanted)
    return [path for _, path in _online(repository, wanted, api, settings, report)]


def _check_room(reference: HubReference, wanted: Sequence[HubFile]) -> None:
    """Raises TooLarge for files that the disk of the cache has no room for, whether or not some are there already."""
    from huggingface_hub import constants

    folder = Path(constants.HF_HUB_CACHE)
    there = next(each for each in (folder, *folder.parents) if each.exists())
    size, room = sum(file.size_bytes or 0 for file in wanted), shutil.disk_usage(there).free
    if size > room:
        raise TooLarge(
            f"{len(wanted)} files of {reference.repository} have {size} bytes, and {there} has room for {room}",
            f"name some of its files: hub:{reference.page}:PATTERN, of {', '.join(file.name for file in wanted[:MAX_SHOWN])}",
        )


def _online(
    repository: Repository, wanted: Sequence[HubFile], api: "HfApi", settings: Settings, report: ProgressCallback
) -> list[tuple[HubFile, Path]]:
    """The wanted files of the described commit, in the user's cache."""
    reference = repository.reference
    sizes = [file.size_bytes for file in wanted if file.size_bytes is not None]
    total = sum(sizes) if len(sizes) == len(wanted) else None
    done, files = 0, []
    for file in wanted:
        if reference.kind == "model" and (file.size_bytes or 0) > MAX_FILE_BYTES:
            raise TooLarge(
                f"{file.name} has {file.size_bytes} bytes", f"the lab reads files up to {MAX_FILE_BYTES} bytes"
            )

        def tell(of_this_file: int, before: int = done) -> None:
            report(Progress(str(reference), before + of_this_file, total))

        tell(0)
        with explained(reference, settings):
            path = _downloaded(api, repository, file, settings, tell)
        _check(path, file, reference)
        done += path.stat().st_size
        files.append((file, path))
    report(Progress(str(reference), done, total))
    return files


def _offline(
    reference: HubReference, error: LabError, report: ProgressCallback
) -> tuple[Repository, list[tuple[HubFile, Path]]]:
    """The wanted files that the user's cache has of the revision. Raises `error` if it has no tokenizer."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        snapshot = Path(snapshot_download(reference.repository, revision=reference.revision, local_files_only=True))
        paths = {path.name: path for path in snapshot.iterdir() if path.is_file()}
        cached = tuple(_cached(path) for path in paths.values())
        repository = Repository(reference, snapshot.name, None, isinstance(error, Gated), cached)
        files = [(file, paths[file.name]) for file in _wanted(repository)]
    except (LocalEntryNotFoundError, HFValidationError, NotFound):
        raise error from None
    for file, path in files:
        _check(path, file, reference)
    done = sum(path.stat().st_size for _, path in files)
    report(Progress("the cache of Hugging Face", done, done))
    return repository, files


def _cached(path: Path) -> HubFile:
    """A file of the cache. On systems with links it is a link to a blob, whose name is its digest."""
    blob = path.readlink().name if path.is_symlink() else ""
    digest = blob if re.fullmatch("[0-9a-f]+", blob) else ""
    return HubFile(path.name, None, digest if len(digest) == 64 else None, digest if len(digest) == 40 else None)


def _wanted(repository: Repository) -> list[HubFile]:
    reference = repository.reference
    if reference.file is not None:
        found = [file for file in repository.files if file.name == reference.file]
        if not found:
            raise NotFound(
                f"{reference.repository} has no file {reference.file}", f"choose one of its files: {_shown(repository)}"
            )
        return found
    top = [file for file in repository.files if "/" not in file.name]
    found = [file for file in top if any(fnmatch.fnmatchcase(file.name, name) for name in TOKENIZER_FILES)]
    if all(file.name in SIDECAR_FILES for file in found):
        ggufs = [file.name for file in top if file.name.endswith(".gguf")]
        way = (
            f"name a file of it: hub:{reference.repository}:{ggufs[0]}"
            if ggufs
            else f"choose one of its files: {_shown(repository)}"
        )
        raise NotFound(f"{reference.repository} has no tokenizer file in its top folder", way)
    return found


def _shown(repository: Repository) -> str:
    names = [file.name for file in repository.files]
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return (", ".join(names[:MAX_SHOWN]) or "no files") + more


def _api(settings: Settings, reference: HubReference) -> "HfApi":
    """The library, which is imported with the first question. Raises Unavailable if nothing may be asked."""
    from huggingface_hub import HfApi, constants

    if settings.offline or constants.is_offline_mode():
        which = "the setting `offline`" if settings.offline else "HF_HUB_OFFLINE"
        raise Unavailable(f"{which} forbids fetching", "turn it off, or add the files from this machine")
    check_token(reference)
    # Its chunks of 10 MB would show no progress of most tokenizers, and its transfers by Xet cannot be stopped.
    constants.DOWNLOAD_CHUNK_SIZE = CHUNK_BYTES
    constants.HF_HUB_DISABLE_XET = True
    return HfApi(
        endpoint=endpoint_of(settings),
        token=reference.token,
        library_name="tokenlab",
        library_version=lab_version(),
    )


def _description(reference: HubReference, api: "HfApi", settings: Settings) -> Repository:
    """What the Hub says of the repository. Raises Unavailable for an answer that is not a Hub's."""
    from huggingface_hub.errors import HFValidationError

    strange = Unavailable(
        f"{api.endpoint} sent an answer that is not from a Hugging Face Hub",
        "check the setting hub_endpoint or HF_ENDPOINT",
    )
    try:
        ask = api.model_info if reference.kind == "model" else api.dataset_info
        found = ask(
            reference.repository,
            revision=reference.revision,
            files_metadata=True,
            timeout=settings.connect_timeout_s,
        )
    except HFValidationError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise strange from error
    commit = str(found.sha)
    if not re.fullmatch(r"[0-9a-f]{40,64}", commit):
        raise strange
    files = [
        HubFile(
            one.rfilename,
            one.lfs.size if one.lfs else one.size,
            one.lfs.sha256 if one.lfs else None,
            None if one.lfs else one.blob_id,
        )
        for one in found.siblings or ()
        if _is_plain(one.rfilename)
    ]
    return Repository(reference, commit, _licence(found.card_data), bool(found.gated), tuple(files))


def _licence(card: Any) -> str | None:
    """The licence that a model card names."""
    if card is None:
        return None
    licence = card.get("license")
    if licence == "other" and isinstance(card.get("license_name"), str):
        return str(card.get("license_name"))
    return ", ".join(map(str, licence)) if isinstance(licence, list) else licence


def _downloaded(
    api: "HfApi", repository: Repository, file: HubFile, settings: Settings, tell: Callable[[int], None]
) -> Path:
    """The file in the user's cache; downloaded if it is not there."""
    from huggingface_hub import hf_hub_download

    return Path(
        hf_hub_download(
            repository.reference.repository,
            file.name,
            repo_type=repository.reference.kind,
            revision=repository.commit,
            endpoint=api.endpoint,
            token=api.token,
            library_name=api.library_name,
            library_version=api.library_version,
            etag_timeout=settings.connect_timeout_s,
            tqdm_class=_bar(tell),
        )
    )


def _bar(tell: Callable[[int], None]) -> Any:
    """The class of a progress bar that passes the number of bytes on. An error raised by `tell` ends the download."""

    class Bar:
        def __init__(self, *_: object, initial: int = 0, **__: object) -> None:
            self._done = initial

        def update(self, size: int) -> None:
            self._done += size
            tell(self._done)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            pass

    return Bar


def _is_plain(name: str) -> bool:
    """Whether a name that the Hub gives stays in its folder, on every system."""
    return not (name.startswith("/") or set(name) & set("\\:\0") or {"..", ".", ""} & set(name.split("/")))


def _check(path: Path, file: HubFile, reference: HubReference) -> None:
    """Raises LoadFailed, and takes the file out of the cache, if its bytes are not those that the Hub announced."""
    size = path.stat().st_size
    digest = hashlib.sha256() if file.sha256 else hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    found, announced = digest.hexdigest(), file.sha256 or file.git_sha1
    if announced is None or found == announced:
        return
    path.resolve().unlink(missing_ok=True)
    path.unlink(missing_ok=True)
    raise LoadFailed(
        f"{file.name} of {reference.repository} is damaged: its digest is {found[:12]}…, not {announced[:12]}…",
        "try again; a proxy on the way may change files",
    )
