"""Tokens are hostile text and the lab works offline: what the page may never contain."""

from html.parser import HTMLParser

import pytest

from tests.rules.sources import files, matches, name

PAGE = files("lab_ui", ".js", ".css", ".html", ".svg")

# Names of XML namespaces look like addresses and are never fetched.
NAMESPACES = ("http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg")

SINKS = {
    r"\binnerHTML\b": "textContent, or build nodes",
    r"\bouterHTML\s*\+?=(?!=)": "replaceWith",
    r"\binsertAdjacentHTML\b": "insertAdjacentElement, insertAdjacentText or append",
    r"\bdocument\.write(ln)?\b": "build nodes",
    r"\b(setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|srcdoc)\b": "build nodes",
    r"\beval\s*\(": "a function",
    r"\bnew\s+Function\b": "a function",
    r"\bset(Timeout|Interval)\s*\(\s*['\"`]": "a function instead of a string",
}


@pytest.mark.parametrize("pattern", SINKS)
def test_no_text_becomes_code_or_markup(pattern: str):
    found = [place for place, _ in matches(PAGE, pattern)]
    assert not found, f"use {SINKS[pattern]} (the word is refused in comments too): {found}"


def test_no_address_of_another_machine():
    found = [
        f"{place} {match[0]}"
        for place, match in matches(PAGE, r"""(?:https?:|wss?:|ftp:|(?<=['"(=]))//[\w.-]+[^\s'"`)<>]*""")
        if not match[0].startswith(NAMESPACES)
    ]
    assert not found, (
        f"the page works offline: put the file into lab_ui/vendor at set-up, or the address into the backend: {found}"
    )


class Inline(HTMLParser):
    """Collects what the Content-Security-Policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.inside = tag if tag in {"script", "style"} else None
        if tag == "script" and not given.get("src"):
            self.found.append(f"line {self.getpos()[0]}: <script> without src")
        for key, value in attrs:
            if key.startswith("on") or key == "style" or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"line {self.getpos()[0]}: {key}= on <{tag}>")

    def handle_endtag(self, tag: str) -> None:
        self.inside = None

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.found.append(f"line {self.getpos()[0]}: text inside <{self.inside}>")


def test_no_inline_script_or_style():
    pages = files("lab_ui", ".html")
    assert pages, "lab_ui/index.html is missing"
    for path in pages:
        parser = Inline()
        parser.feed(path.read_text(encoding="utf-8"))
        assert not parser.found, f"{name(path)}: put it into a file under css or js: {parser.found}"


def test_labels_of_tokens_run_from_left_to_right():
    """The `##` or the space at the start of an Arabic token would otherwise stand at its right, which reads as its end."""
    wrong = [
        place
        for place, match in matches(PAGE, r"h\('bdi', (\{[^}]*\}), ?[^\n]*labelNodes\(")
        if "dir: 'ltr'" not in match[1]
    ]
    assert not wrong, f"give these labels dir: 'ltr': {wrong}"
