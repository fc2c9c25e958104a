"""Every control of every screen is in the guide: by its name, in one of the pages of docs/guide."""

import re
from pathlib import Path

from tests.browser.conftest import SCREENS, Lab

CONTROLS = "button, a[href], input:not([type=file]), select, textarea, [role=switch], [role=radio], [role=tab]"

# What a control is called: as assistive tools hear it.
NAMES = """selector => [...document.querySelectorAll(selector)].filter(element => element.checkVisibility()
  && !element.closest('[data-tokenizer], .stage, text-invitation, .token-layer, .split-characters, [role=row], [role=option], .session, .chip, facet-chips .small-chip'))
  .map(element => (element.ariaLabel || [...element.labels ?? []].map(label => label.textContent).join(' ')
    || element.textContent || element.placeholder || element.title).trim().replace(/\\s+/g, ' '))"""

# Names that are values: tokenizers, counts, what a text holds.
VALUES = re.compile(r"^(Remove |Inspect with |Show .* here|Use |Token \d|Theme: |E?\d|.*\d$|$)")


def guide(root: Path) -> str:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in sorted((root / "docs" / "guide").glob("*.md")))
    return re.sub(r"\s+", " ", pages.replace("*", "").replace("`", "")).lower()


def test_every_control_is_in_the_guide(lab: Lab, root: Path):
    words = guide(root)
    for screen in SCREENS:
        lab.go(screen)
        names = {name for name in lab.page.evaluate(NAMES, CONTROLS) if not VALUES.match(name)}
        missing = sorted(
            name
            for name in names
            if re.sub(r" \(.*\)$|, (smallest|largest) first$", "", name).strip(" …").lower() not in words
        )
        assert names and not missing, f"{screen}: say what these do in docs/guide: {missing}"
