"""Styles of a screen stay on it: all sheets are one file, so a rule without its screen would reach every other one.

What several screens draw is styled in `lab_ui/css`.
"""

import re
from pathlib import Path

from tests.rules.sources import ROOT

SCREENS = ROOT / "lab_ui" / "js" / "screens"
COMBINATORS = re.compile(r"[\s>+~]")


def elements_of(screen: Path) -> set[str]:
    """The elements that a screen defines."""
    scripts = [path.read_text("utf-8") for path in screen.rglob("*.js")]
    return {name for text in scripts for name in re.findall(r"customElements\.define\(\s*'([\w-]+)'", text)}


def parts(selectors: str) -> list[str]:
    """The selectors of a rule. Commas within brackets part none."""
    found, depth = [""], 0
    for character in selectors:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [" ".join(one.split()) for one in found]


def is_scoped(selector: str, screen: str, elements: set[str]) -> bool:
    """Whether a selector begins with the screen, a class named after it, or an element of it."""
    if selector.startswith(f':where([data-screen="{screen}"]) '):
        return True
    first = COMBINATORS.split(selector)[0]
    if inner := re.match(r":is\((.*?)\)", selector):
        return all(is_scoped(one, screen, elements) for one in parts(inner[1]))
    element = re.match(r"[a-z][\w-]*", first)
    return bool(re.match(rf"\.{screen}\b", first)) or (element is not None and element[0] in elements)


def test_every_rule_of_a_screen_begins_with_it():
    wrong, checked = [], 0
    for folder in sorted(path for path in SCREENS.iterdir() if path.is_dir()):
        elements = elements_of(folder)
        for sheet in sorted(folder.rglob("*.css")):
            text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
            for selectors in re.findall(r"([^{}]+)\{", text):
                if selectors.strip().startswith("@"):
                    continue
                for selector in parts(selectors):
                    checked += 1
                    if not is_scoped(selector, folder.name, elements):
                        wrong.append(f"{sheet.relative_to(SCREENS)}: {selector}")
    assert checked > 500
    assert not wrong, "begin with the screen's class or element, or style it in lab_ui/css:\n" + "\n".join(wrong)
