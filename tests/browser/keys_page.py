"""`make keys-page`: docs/reference/keys.md, the keys and commands of every screen, as the lab itself lists them."""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import VIEWPORT, Lab, Server, launch
from tests.conftest import ROOT, build_page_bundle

PAGE = ROOT / "docs" / "reference" / "keys.md"
HEAD = """# Keys and commands

<!-- Made by `make keys-page` from the lists in the lab. -->

? shows the keys of the screen you are on, Ctrl+K finds every command. On macOS, press ⌘ where this page says Ctrl. Single keys are off while you
type; *Single-key shortcuts* in the list of keys turns them off for good. NAME stands for a tokenizer.
"""
KEYS = """() => [...document.querySelectorAll('.key-map section')].flatMap(section =>
    [...section.querySelectorAll('dt')].map(keys => [section.querySelector('h2').textContent, keys.nextSibling.textContent,
        [...keys.querySelectorAll('.keys')].map(one => [...one.children].map(part => part.textContent).join('+'))]))"""
PALETTE = """() => [...document.querySelectorAll('#palette-list [role=option]')].map(row =>
    [row.querySelector('.faint')?.textContent ?? 'Everywhere', row.querySelector('.grow').textContent, []])"""
Row = tuple[str, str, str]
"""Group, command, keys."""


def rows(lab: Lab, names: list[str]) -> list[Row]:
    """What the keys and the palette of the shown screen list; each command once."""
    lab.page.keyboard.press("?")
    found = lab.page.evaluate(KEYS)
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("Control+k")
    found += lab.page.evaluate(PALETTE)
    lab.page.keyboard.press("Escape")
    lab.idle()
    a_name = re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)))
    listed: dict[tuple[str, str], list[str]] = {}
    for group, label, keys in found:
        label = label if label.startswith("Start afresh") else a_name.sub("NAME", label)
        listed.setdefault((group, label), []).extend(keys)
    return [(group, label.replace("|", "\\|"), " or ".join(keys)) for (group, label), keys in listed.items()]


def text_of(lab: Lab) -> str:
    """The page, from a lab that was just opened."""
    entries = lab.server.call("GET", "tokenizers")["tokenizers"]
    names = [name for entry in entries for name in (entry["name"], entry["name"].partition(" (")[0])]
    found: dict[Row, None] = {}
    for href in lab.page.evaluate("[...document.querySelectorAll('.rail a[href^=\"#\"]')].map(a => a.hash)"):
        lab.go(href.removeprefix("#/"))
        found |= dict.fromkeys(rows(lab, names))
    lab.go("compare")
    lab.page.keyboard.press("Shift+P")
    lab.ready()
    found |= {("Present" if group == "Compare" else group, *row): None for group, *row in rows(lab, names)}
    lines = [HEAD]
    for group in dict.fromkeys(["Everywhere", *(group for group, _, _ in found)]):
        own = [(label, keys) for owner, label, keys in found if owner == group]
        with_keys = [f"| {keys} | {label} |" for label, keys in own if keys]
        others = [f"* {label}" for label, keys in own if not keys]
        lines += [f"## {group}", "", "| keys | command |", "| --- | --- |", *with_keys, ""]
        lines += ["Commands without a key:", "", *others, ""] if others else []
    return "\n".join(lines)


def main() -> None:
    """Writes the page."""
    build_page_bundle()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = launch(playwright)
        lab = Lab(browser.new_page(viewport=VIEWPORT), server)
        server.call("PUT", "preferences", {"chosen": ["bert-base-uncased", "gpt2"], "active": "gpt2"})
        lab.open()
        PAGE.write_text(text_of(lab), encoding="utf-8")
        browser.close()
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
