"""The HTML file of a handout: script, styles, engine and vocabularies in one, with a policy that allows nothing else.

The page itself is `lab_ui/js/handout`; `make page` and `make wasm` build what is put in here.
"""

import base64
import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

from lab_app.errors import NotFound
from lab_app.json_text import json_text
from lab_app.paths import packed, page
from lab_app.services.handouts.contents import Contents
from lab_app.services.handouts.packing import packed_gzip

PAGE = """<!doctype html>
<html lang="en" data-state="busy">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{styles}</style>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="handout">{contents}</script>
<script type="text/plain" id="engine">{engine}</script>
{tokenizers}<script>{script}</script>
</body>
</html>
"""
TOKENIZER = '<script type="text/plain" id="tokenizer-{number}">{data}</script>\n'
POLICY = "default-src 'none'; script-src '{script}' 'wasm-unsafe-eval'; style-src '{styles}'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Built:
    """What every handout holds."""

    script: str
    styles: str
    engine: str
    """The module of WebAssembly, packed."""


def built() -> Built:
    """Reads what was built. Raises NotFound if it was not."""
    folder = page() / "vendor"
    script, styles = (_read(folder / f"handout.{suffix}", "make page").decode() for suffix in ("js", "css"))
    if "</" in styles or "</script" in script.lower() or "<!--" in script:
        raise ValueError("the script or the styles of handouts would end their own element")
    return Built(script, styles, packed_gzip(_read(packed() / "engine.wasm.gz", "make wasm")))


def _read(path: Path, command: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"{path.name}, which every handout holds, is not built", f"run `{command}`") from None


def written(contents: Contents, vocabularies: list[str], parts: Built) -> str:
    """The file. `vocabularies` are packed, one for each tokenizer."""
    return PAGE.format(
        policy=POLICY.format(script=_digest(parts.script), styles=_digest(parts.styles)),
        title="Handout",
        styles=parts.styles,
        contents=json_text(asdict(contents)).replace("<", "\\u003c"),
        engine=parts.engine,
        tokenizers="".join(TOKENIZER.format(number=number, data=data) for number, data in enumerate(vocabularies)),
        script=parts.script,
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
