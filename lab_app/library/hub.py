"""A Hugging Face Hub: which files of a repository make its tokenizer, and fetching them, each checked before it is given.

The token, where there is one, is found by `huggingface_hub` (HF_TOKEN, or the file in HF_HOME), which also says whether
HF_HUB_OFFLINE forbids asking. The downloads are made here: the library's can neither be stopped nor taken up again by a
later call, and tokenizers need both. Not here: known tokenizers and other sources (`download`), the catalog's entry.

Source: the Hub's HTTP interface, https://huggingface.co/docs/hub/api.
"""

import fnmatch
import hashlib
import os
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lab_app import paths
from lab_app.errors import BadValue, Gated, LoadFailed, NotFound, TooLarge, Unavailable
from lab_app.library.importing import BESIDE
from lab_app.library.progress import Progress, Report, no_report
from lab_app.settings import Settings

if TYPE_CHECKING:
    import httpx

PUBLIC_HUB = "https://huggingface.co"
# Names, in a repository's top folder, of what a tokenizer is made of. A GGUF file holds a whole model: only where named.
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
    "tekken.json",
    "chat_template.jinja",
)
MAX_FILE_BYTES = 512_000_000
READ_TIMEOUT_S = 30.0
WAIT_S = 0.2
MAX_SHOWN = 8
_REFERENCE = re.compile(
    r"(?P<repository>[\w][\w.-]*(?:/[\w][\w.-]*)?)(?:@(?P<revision>[^\s:@]+))?(?::(?P<file>[^\s:@/][^\s:@]*))?"
)


@dataclass(frozen=True)
class HubReference:
    """A repository at a revision: a branch, a tag or a commit. `file`, where given, is the one file wanted."""

    repository: str
    revision: str = "main"
    file: str | None = None

    @classmethod
    def parse(cls, text: str) -> "HubReference":
        """Reads `[hub:]OWNER/NAME[@REVISION][:FILE]`. Raises BadValue.

        >>> HubReference.parse("hub:google-bert/bert-base-cased@main")
        HubReference(repository='google-bert/bert-base-cased', revision='main', file=None)
        """
        match = _REFERENCE.fullmatch(text.strip().removeprefix("hub:").removeprefix(PUBLIC_HUB + "/"))
        if match is None or ".." in text:
            raise BadValue(
                f'"{text}" is not the name of a Hub repository', "give it as hub:OWNER/NAME, or hub:OWNER/NAME@REVISION"
            )
        return cls(match["repository"], match["revision"] or "main", match["file"])

    @property
    def name(self) -> str:
        """The last part of the repository's name."""
        return self.repository.rpartition("/")[2]

    def __str__(self) -> str:
        return f"the Hugging Face Hub ({self.repository})"


@dataclass(frozen=True)
class HubFile:
    """One file as the Hub describes it; one of the two digests says what its bytes must be."""

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
    """What the Hub says of a repository at one commit."""

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


def endpoint_of(settings: Settings) -> str:
    """The address of the Hub to ask: the setting, else HF_ENDPOINT, else the public one."""
    return (settings.hub_endpoint or os.environ.get("HF_ENDPOINT") or PUBLIC_HUB).rstrip("/")


def page_of(settings: Settings, repository: str) -> str:
    """The page of a repository, where a person can accept its terms.

    >>> page_of(Settings(hub_endpoint="http://hub.test/"), "org/name")
    'http://hub.test/org/name'
    """
    return f"{endpoint_of(settings)}/{repository}"


def fetch(reference: HubReference, folder: Path, settings: Settings, report: Report = no_report) -> Fetched:
    """Fetches the tokenizer's files of a repository into `folder`.

    What an earlier call that was stopped has already fetched of the same commit is taken up where it ended. `report` may
    raise, which stops the download. Raises Gated where the terms must be accepted first, NotFound for a repository,
    revision or file that is not there and for one without a tokenizer, LoadFailed for bytes that are not those announced,
    Unavailable where the Hub does not answer or refuses for now.
    """
    hub = _Hub(settings)
    with hub.client() as client:
        repository = hub.describe(client, reference)
        wanted = _wanted(repository)
        total = (
            sum(file.size_bytes or 0 for file in wanted)
            if all(file.size_bytes is not None for file in wanted)
            else None
        )
        place = paths.unfinished(settings) / _folder_name(repository)
        with _alone(place, lambda: report(Progress(str(reference), 0, total))):
            try:
                place.mkdir(parents=True, exist_ok=True)
                done = 0
                for file in wanted:

                    def tell(of_this_file: int, before: int = done) -> None:
                        report(Progress(str(reference), before + of_this_file, total))

                    done += hub.fetch_file(client, repository, file, place, tell)
                files = tuple((place / file.local_name).replace(folder / file.local_name) for file in wanted)
            except FileNotFoundError as error:
                said = f"another program downloaded {reference.repository} at the same time"
                raise Unavailable(said, "try again") from error
            _remove(place)
    return Fetched(files, repository)


_BUSY: dict[Path, threading.Lock] = {}
_BUSY_LOCK = threading.Lock()


@contextmanager
def _alone(place: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Lets one download of this program at a time use the folder `place`. `wait` is called while another does; it may raise."""
    with _BUSY_LOCK:
        lock = _BUSY.setdefault(place, threading.Lock())
    while not lock.acquire(timeout=WAIT_S):
        wait()
    try:
        yield
    finally:
        lock.release()


def _wanted(repository: Repository) -> list[HubFile]:
    reference = repository.reference
    if reference.file is not None:
        found = [file for file in repository.files if file.name == reference.file]
        if not found:
            raise NotFound(f"{reference.repository} has no file {reference.file}", f"it has {_shown(repository)}")
        return found
    top = [file for file in repository.files if "/" not in file.name]
    found = [file for file in top if any(fnmatch.fnmatchcase(file.name, name) for name in TOKENIZER_FILES)]
    if all(file.name in BESIDE for file in found):
        ggufs = [file.name for file in top if file.name.endswith(".gguf")]
        way = f"name a file of it: hub:{reference.repository}:{ggufs[0]}" if ggufs else f"it has {_shown(repository)}"
        raise NotFound(f"{reference.repository} has no tokenizer file in its top folder", way)
    return found


def _shown(repository: Repository) -> str:
    names = [file.name for file in repository.files]
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return (", ".join(names[:MAX_SHOWN]) or "no files") + more


def _folder_name(repository: Repository) -> str:
    return f"{repository.reference.repository.replace('/', '--')}--{repository.commit}"


class _Hub:
    """One Hub, asked as one person. `httpx` is imported with the first question."""

    def __init__(self, settings: Settings) -> None:
        from huggingface_hub import get_token
        from huggingface_hub.constants import is_offline_mode

        if settings.offline or is_offline_mode():
            which = "the setting `offline`" if settings.offline else "HF_HUB_OFFLINE"
            raise Unavailable(f"{which} forbids fetching", "leave it out, or add the files from this machine")
        self.endpoint = endpoint_of(settings)
        self._settings = settings
        self._token = get_token()

    def client(self) -> "httpx.Client":
        """A client that sends the token to this Hub and, as redirects lead elsewhere, to nobody else."""
        import httpx

        headers = {"Accept-Encoding": "identity", "User-Agent": "tokenization-lab"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        timeout = httpx.Timeout(READ_TIMEOUT_S, connect=self._settings.connect_timeout_s)
        return httpx.Client(headers=headers, timeout=timeout, follow_redirects=True)

    def describe(self, client: "httpx.Client", reference: HubReference) -> Repository:
        """Asks what is in the repository."""
        address = f"{self.endpoint}/api/models/{reference.repository}/revision/{quote(reference.revision, safe='')}"
        with self._asked(client, address, reference, params={"blobs": "true"}) as response:
            try:
                response.read()
                answer = _description(reference, response.json())
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise Unavailable(
                    f"{self.endpoint} sent an answer that is not from a Hugging Face Hub",
                    "check the setting hub_endpoint or HF_ENDPOINT",
                ) from error
        return answer

    def fetch_file(
        self, client: "httpx.Client", repository: Repository, file: HubFile, place: Path, tell: Callable[[int], None]
    ) -> int:
        """Fetches one file to `place`, checks it, and returns its bytes. What is there already is not fetched again."""
        target = place / file.local_name
        if target.is_file():
            tell(target.stat().st_size)
            return target.stat().st_size
        if (file.size_bytes or 0) > MAX_FILE_BYTES:
            raise TooLarge(
                f"{file.name} has {file.size_bytes} bytes", f"the lab reads files up to {MAX_FILE_BYTES} bytes"
            )
        with _part(target) as part:
            self._stream(client, repository, file, part, tell)
            _check(part, file, repository.reference)
            part.replace(target)
        return target.stat().st_size

    def _stream(
        self, client: "httpx.Client", repository: Repository, file: HubFile, part: Path, tell: Callable[[int], None]
    ) -> None:
        there = part.stat().st_size if part.exists() else 0
        if file.size_bytes is not None and there == file.size_bytes:
            return
        reference = repository.reference
        address = f"{self.endpoint}/{reference.repository}/resolve/{repository.commit}/{quote(file.name)}"
        headers = {"Range": f"bytes={there}-"} if there else {}
        with self._asked(client, address, reference, headers=headers) as response:
            # A server that knows no ranges sends the whole file.
            if response.status_code != 206:
                there = 0
            with part.open("ab" if there else "wb") as stream:
                tell(there)
                for chunk in response.iter_raw():
                    there += len(chunk)
                    if there > (file.size_bytes or MAX_FILE_BYTES):
                        break  # `_check` tells what is wrong
                    stream.write(chunk)
                    tell(there)

    @contextmanager
    def _asked(
        self, client: "httpx.Client", address: str, reference: HubReference, **options: Any
    ) -> Iterator["httpx.Response"]:
        """The answer to a GET, still to be read. Raises what a refusal means, and Unavailable where the network fails."""
        import httpx

        try:
            with client.stream("GET", address, **options) as response:
                if response.status_code not in (200, 206):
                    raise self._refusal(response, reference)
                yield response
        except httpx.ConnectError as error:
            raise Unavailable(
                f"{self.endpoint} does not answer{_reason(error)}",
                "connect to the network, or add the files from this machine",
            ) from error
        except httpx.InvalidURL as error:
            raise BadValue(
                f"{self.endpoint} is not an address", "correct the setting hub_endpoint or HF_ENDPOINT"
            ) from error
        except httpx.HTTPError as error:
            raise Unavailable(
                f"the download from {self.endpoint} was interrupted{_reason(error)}",
                "try again; the download continues where it stopped",
            ) from error

    def _refusal(self, response: "httpx.Response", reference: HubReference) -> Exception:
        status, code = response.status_code, response.headers.get("X-Error-Code", "")
        repository = reference.repository
        if code == "GatedRepo":
            return Gated(
                f"{repository} asks you to accept its terms",
                f"accept them at {page_of(self._settings, repository)}, then set HF_TOKEN to one of your tokens; "
                "or add its files from this machine",
            )
        if code == "RevisionNotFound":
            return NotFound(
                f"{repository} has no revision {reference.revision}", "give an existing branch, tag or commit"
            )
        if code == "EntryNotFound":
            return NotFound(f"{repository} has no such file ({response.url.path})", "its page lists its files")
        if status == 429:
            after = response.headers.get("Retry-After", "")
            when = f"try again in {after} s" if after.isdecimal() else "try again in a few minutes"
            return Unavailable(f"{self.endpoint} refuses more requests for now", f"{when}, or set HF_TOKEN")
        if code == "RepoNotFound" or status == 404 or (status == 401 and not self._token):
            hint = (
                "check its name"
                if self._token
                else "check its name; for a private one set HF_TOKEN to one of your tokens"
            )
            return NotFound(f"{self.endpoint} has no repository {repository}", hint)
        if status in (401, 403):
            return Unavailable(
                f"{self.endpoint} does not accept the token for {repository} (status {status})",
                "set HF_TOKEN to a token that may read it",
            )
        return Unavailable(f"{self.endpoint} failed with status {status}", "try again later")


def _description(reference: HubReference, answer: dict[str, Any]) -> Repository:
    files = []
    for one in answer["siblings"]:
        lfs = one.get("lfs") or {}
        size = lfs.get("size", one.get("size"))
        if _is_plain(one["rfilename"]):
            files.append(HubFile(one["rfilename"], size, lfs.get("sha256"), None if lfs else one.get("blobId")))
    card = answer.get("cardData") or {}
    licence = card.get("license")
    if licence == "other" and isinstance(card.get("license_name"), str):
        licence = card["license_name"]
    if isinstance(licence, list):
        licence = ", ".join(map(str, licence))
    commit = answer["sha"]
    if not re.fullmatch(r"[0-9a-f]{40,64}", commit):
        raise ValueError(commit)
    return Repository(reference, commit, licence, bool(answer.get("gated")), tuple(files))


def _reason(error: Exception) -> str:
    """What the system says of a connection, in brackets and without its number; "" if it says nothing.

    >>> _reason(OSError("[Errno -2] Name or service not known"))
    ' (Name or service not known)'
    """
    words = re.sub(r"^(\[[^]]*\]\s*)+", "", str(error)).strip()
    return f" ({words})" if words else ""


def _is_plain(name: str) -> bool:
    """Whether a name that the Hub gives stays in its folder, on every system."""
    return not (name.startswith("/") or set(name) & set("\\:\0") or {"..", ".", ""} & set(name.split("/")))


@contextmanager
def _part(target: Path) -> Iterator[Path]:
    """The unfinished file of `target`, taken for this call alone and put back where the call ends early."""
    waiting = target.with_name(target.name + ".part")
    own = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    # Renaming is atomic: of two calls one gets what is there, the other begins anew.
    try:
        waiting.rename(own)
    except FileNotFoundError:
        own.touch()
    try:
        yield own
    finally:
        if own.exists():
            own.replace(waiting)


def _check(part: Path, file: HubFile, reference: HubReference) -> None:
    """Raises LoadFailed, and removes the file, where its bytes are not those the Hub announced."""
    size = part.stat().st_size
    if file.size_bytes is not None and size < file.size_bytes:
        raise Unavailable(
            f"{file.name} of {reference.repository} stopped after {size} of {file.size_bytes} bytes",
            "try again; the download continues where it stopped",
        )
    digest = hashlib.sha256() if file.sha256 else hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    found, announced = _digest(part, digest), file.sha256 or file.git_sha1
    if announced is not None and found != announced:
        part.unlink()
        raise LoadFailed(
            f"{file.name} of {reference.repository} is damaged: its digest is {found[:12]}…, not {announced[:12]}…",
            "try again; a proxy on the way may change files",
        )


def _digest(path: Path, digest: Any) -> str:
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return str(digest.hexdigest())


def _remove(place: Path) -> None:
    for left in place.glob("*.part"):
        left.unlink(missing_ok=True)
    try:
        place.rmdir()
    except OSError:
        return  # another call is at work there
