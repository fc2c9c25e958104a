"""The page of a handout: script, styles, engine and vocabularies in one file or beside it, with a policy that allows nothing else.

The page itself is `lab_ui/js/handout`; `make page` and `make wasm` build what is put in here.
"""

import base64
import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

from lab_app.errors import NotFound
from lab_app.json_text import json_text
from lab_app.paths import packed, page
from lab_app.services.handouts.contents import Contents, HandoutTokenizer
from lab_app.services.handouts.packing import packed_gzip

PAGE = """<!doctype html>
<html lang="en" data-state="busy">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>Handout</title>
{styles}
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
{parts}
</body>
</html>
"""
PARTS = """<script type="application/json" id="handout">{contents}</script>
<script type="text/plain" id="engine">{engine}</script>
{tokenizers}<script>{script}</script>"""
TOKENIZER = '<script type="text/plain" id="tokenizer-{number}">{data}</script>\n'
POLICY = "default-src 'none'; script-src '{script}' 'wasm-unsafe-eval'; style-src '{styles}'; base-uri 'none'; form-action 'none'"
VOCABULARIES = "tokenizer-*.bin"
"""Names of files, with the number of the tokenizer."""
BESIDE = """<p id="waiting">The parts of this page are files beside it, which a browser reads from a web server only. On this machine:
<code>python -m http.server</code> in this folder, then open <code>http://localhost:8000</code>.</p>
<script src="handout.js?v={version}"></script>"""
STYLES_BESIDE = '<link rel="stylesheet" href="handout.css?v={version}">'


@dataclass(frozen=True)
class Built:
    """What every handout holds."""

    script: str
    styles: str
    engine: bytes
    """The module of WebAssembly, compressed."""


def built() -> Built:
    """Reads what was built. Raises NotFound if it was not."""
    folder = page() / "vendor"
    script, styles = (_read(folder / f"handout.{suffix}", "make page").decode() for suffix in ("js", "css"))
    if "</" in styles or "</script" in script.lower() or "<!--" in script:
        raise ValueError("the script or the styles of handouts would end their own element")
    return Built(script, styles, _read(packed() / "engine.wasm.gz", "make wasm"))


def _read(path: Path, command: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"{path.name}, which every handout holds, is not built", f"run `{command}`") from None


def one_file(contents: Contents, vocabularies: list[str], parts: Built) -> str:
    """A page with its parts. `vocabularies` are packed, one for each tokenizer."""
    inside = PARTS.format(
        contents=json_text(asdict(contents)).replace("<", "\\u003c"),
        engine=packed_gzip(parts.engine) if contents.needs_engine else "",
        tokenizers="".join(TOKENIZER.format(number=number, data=data) for number, data in enumerate(vocabularies)),
        script=parts.script,
    )
    policy = POLICY.format(script=_digest(parts.script), styles=_digest(parts.styles))
    return PAGE.format(policy=policy, styles=f"<style>{parts.styles}</style>", parts=inside)


def beside(contents: Contents, vocabularies: list[bytes], parts: Built) -> dict[str, bytes]:
    """A page and its parts as files of one folder, by name, the page last. `vocabularies` are compressed, one for each tokenizer."""
    policy = POLICY.format(script="self", styles="self") + "; connect-src 'self'"
    # A browser that kept the files of an earlier folder must not use them with this one.
    script, styles = (hashlib.sha256(each.encode()).hexdigest()[:16] for each in (parts.script, parts.styles))
    page = PAGE.format(policy=policy, styles=STYLES_BESIDE.format(version=styles), parts=BESIDE.format(version=script))
    # No suffix that a server takes for a compressed file: it would say so, and the browser would unpack it twice.
    data = {VOCABULARIES.replace("*", str(number)): data for number, data in enumerate(vocabularies)}
    engine = {"engine.bin": parts.engine} if contents.needs_engine else {}
    texts = {
        "handout.js": parts.script,
        "handout.css": parts.styles,
        "contents.json": json_text(asdict(contents)),
        "LICENCES.txt": "\n\n".join(_licence(each) for each in contents.tokenizers),
    }
    return {name: text.encode() for name, text in texts.items()} | engine | data | {"index.html": page.encode()}


def _licence(tokenizer: HandoutTokenizer) -> str:
    return (
        f"{tokenizer.name}: {tokenizer.licence or 'licence not known to the lab'}\n\n{tokenizer.notice or ''}".strip()
        + "\n"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
