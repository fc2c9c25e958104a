"""Names of repositories on a Hugging Face Hub, and the Hub's address. Not here: asking it (`hub`)."""

import os
import re
from dataclasses import dataclass

from lab_app.errors import BadValue
from lab_app.settings import Settings

PUBLIC_HUB = "https://huggingface.co"
_REFERENCE = re.compile(
    r"(?P<repository>[\w][\w.-]*(?:/[\w][\w.-]*)?)(?:@(?P<revision>[^\s:@]+))?(?::(?P<file>[^\s:@/][^\s:@]*))?"
)


@dataclass(frozen=True)
class HubReference:
    """A repository at a revision: a branch, a tag or a commit. `file`, if given, is the only file wanted."""

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


def endpoint_of(settings: Settings) -> str:
    """The address of the Hub to ask: the setting, else HF_ENDPOINT, else the public one."""
    return (settings.hub_endpoint or os.environ.get("HF_ENDPOINT") or PUBLIC_HUB).rstrip("/")


def page_of(settings: Settings, repository: str) -> str:
    """The page of a repository, where a person can accept its terms.

    >>> page_of(Settings(hub_endpoint="http://hub.test/"), "org/name")
    'http://hub.test/org/name'
    """
    return f"{endpoint_of(settings)}/{repository}"
