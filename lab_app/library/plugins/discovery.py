"""Which plug-ins are installed. Nothing of them is imported here: that is for their own process (`worker`)."""

from dataclasses import dataclass
from importlib.metadata import entry_points

GROUP = "tokenlab.tokenizers"


@dataclass(frozen=True)
class Plugin:
    """An entry point: its name, `module:attribute`, and the package that brings it."""

    name: str
    value: str
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}, {self.value}"


def installed_plugins() -> list[Plugin]:
    """All plug-ins, by package and name; one that is found twice on Python's path counts once."""
    found = {
        Plugin(each.name, each.value, each.dist.name if each.dist else "", each.dist.version if each.dist else "")
        for each in entry_points(group=GROUP)
    }
    return sorted(found, key=lambda plugin: (plugin.package.lower(), plugin.name.lower()))
