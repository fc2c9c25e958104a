"""What the page takes from its libraries: every name in the entry of a bundle is used, or it is shipped for nothing."""

import re

from tests.rules.sources import ROOT, files

ENTRY = ROOT / "lab_ui" / "codemirror.entry.js"


def test_every_name_taken_from_codemirror_is_used():
    taken = set()
    for group in re.findall(r"export \{([^}]*)\}", ENTRY.read_text(encoding="utf-8")):
        taken |= {name.strip() for name in group.split(",") if name.strip()}
    modules = "\n".join(path.read_text(encoding="utf-8") for path in files("lab_ui/js", ".js"))
    unused = sorted(name for name in taken if not re.search(rf"\b{name}\b", modules))
    assert taken and not unused, f"take these out of {ENTRY.name}: {unused}"
