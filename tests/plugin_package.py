"""Plug-ins for tests, installed as a package is: a module and its metadata in a folder of Python's path."""

import textwrap
from pathlib import Path

WITHOUT_SPANS = """
class Mute:
    def encode(self, text): return [ord(letter) for letter in text]
    def decode(self, ids): return "another text"
    def vocab(self): return {f"<{id}>": id for id in range(32, 1000)}
"""


def install_plugin(site: Path, package: str, code: str, **points: str) -> None:
    """Writes the package into `site`. `points` are its entry points: a name, with _ for -, and a class of `code`."""
    module = package.replace("-", "_")
    (site / f"{module}.py").write_text(textwrap.dedent(code))
    info = site / f"{module}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    lines = "\n".join(f"{name.replace('_', '-')} = {module}:{value}" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[tokenlab.tokenizers]\n{lines}\n")
