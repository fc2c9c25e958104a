"""Styles of a screen stay on it: all sheets are one file, so a rule reaches every screen that has its class."""

import re

from tests.rules.sources import ROOT

SCREENS = ROOT / "lab_ui" / "js" / "screens"


def test_no_two_screens_style_the_same_class_without_a_scope():
    found: dict[str, set[str]] = {}
    for sheet in SCREENS.rglob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{}]+)\{", text):
            for selector in re.split(r",(?![^(]*\))", selectors):
                # The whole of a selector that is one class, such as `.stage-name`.
                if re.fullmatch(r"\s*\.[\w-]+\s*", selector):
                    found.setdefault(selector.strip(), set()).add(sheet.relative_to(SCREENS).parts[0])
    shared = {selector: sorted(screens) for selector, screens in found.items() if len(screens) > 1}
    assert found and not shared, f"begin these rules with the class of their screen: {shared}"
