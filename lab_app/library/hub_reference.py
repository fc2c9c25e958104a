"""Names of repositories on a Hugging Face Hub, and the Hub's address. Not here: asking it (`hub`)."""

import os
import re
from dataclasses import dataclass, field
from typing import Literal

from lab_app.errors import BadValue, TokenRefused
from lab_app.settings import Settings

Kind = Literal["model", "dataset"]
DATASETS = "datasets/"
PUBLIC_HUB = "https://huggingface.co"
TOKEN_NOT_SENT = "the token of the Hub has a space or a character that no token has, so it was not sent"
_TOKEN = re.compile("[!-~]+")
_REFERENCE = re.compile(
    r"(?P<repository>[\w][\w.-]*(?:/[\w][\w.-]*)?)(?:@(?P<revision>[^\s:@]+))?(?::(?P<file>[^\s:@/][^\s:@]*))?"
)


@dataclass(frozen=True)
class HubReference:
    """A repository at a revision: a branch, a tag or a commit. `file`, if given, is the only file wanted; of a dataset also a
    pattern such as `data/*.parquet`.

    `token` of the user opens gated and private repositories; without one, the user's own settings of the Hub have it.
    """

    repository: str
    revision: str = "main"
    file: str | None = None
    token: str | None = field(default=None, repr=False)
    kind: Kind = "model"

    @classmethod
    def parse(cls, text: str, token: str | None = None) -> "HubReference":
        """Reads `[hub:][datasets/]OWNER/NAME[@REVISION][:FILE]`. Raises BadValue.

        >>> HubReference.parse("hub:google-bert/bert-base-cased@main")
        HubReference(repository='google-bert/bert-base-cased', revision='main', file=None, kind='model')
        >>> HubReference.parse("hub:datasets/wikimedia/wikipedia:20231101.ab/*.parquet").kind
        'dataset'
        """
        name = text.strip().removeprefix("hub:").removeprefix(PUBLIC_HUB + "/")
        kind: Kind = "dataset" if name.startswith(DATASETS) else "model"
        match = _REFERENCE.fullmatch(name.removeprefix(DATASETS))
        if match is None or ".." in text:
            raise BadValue(
                f'"{text}" is not the name of a Hub repository',
                "give it as hub:{0}OWNER/NAME, or hub:{0}OWNER/NAME@REVISION".format(
                    DATASETS if kind == "dataset" else ""
                ),
            )
        return cls(match["repository"], match["revision"] or "main", match["file"], token, kind)

    @property
    def page(self) -> str:
        """The repository as the address of its page names it."""
        return self.repository if self.kind == "model" else DATASETS + self.repository

    @property
    def name(self) -> str:
        """The last part of the repository's name."""
        return self.repository.rpartition("/")[2]

    def __str__(self) -> str:
        return f"the Hugging Face Hub ({self.repository})"


def is_sendable(token: str) -> bool:
    """Whether a token can be sent: its characters are those of printable ASCII without the space.

    >>> is_sendable("hf_a"), is_sendable("hf_ä"), is_sendable("hf_a b"), is_sendable("")
    (True, False, False, False)
    """
    return _TOKEN.fullmatch(token) is not None


def check_given_token(token: str | None) -> None:
    """Raises TokenRefused for a token of the user that cannot be sent; the error does not repeat it."""
    if token is not None and not is_sendable(token):
        raise TokenRefused(TOKEN_NOT_SENT, "check the token: copy it whole and nothing else")


def endpoint_of(settings: Settings) -> str:
    """The address of the Hub to ask: the setting, else HF_ENDPOINT, else the public one."""
    return (settings.hub_endpoint or os.environ.get("HF_ENDPOINT") or PUBLIC_HUB).rstrip("/")


def page_of(settings: Settings, repository: str) -> str:
    """The page of a repository, where a person can accept its terms.

    >>> page_of(Settings(hub_endpoint="http://hub.test/"), "org/name")
    'http://hub.test/org/name'
    """
    return f"{endpoint_of(settings)}/{repository}"
