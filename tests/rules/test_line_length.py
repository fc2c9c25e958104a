"""No line of the page is longer than 120 characters: the formatter breaks code, we break strings and comments."""

import re

from tests.rules.sources import ROOT, files, name

LONGEST = 120
PAGE = [*files("lab_ui", ".js", ".mjs", ".css"), *files("tests/js", ".js")]

# Data: texts in many scripts, and the ranges of each font file.
DATA = {ROOT / "lab_ui/js/text/samples.js", ROOT / "lab_ui/css/fonts.css"}
# A class of characters is one word, which no line break may part.
CHARACTER_CLASS = re.compile(r"\s*/\[.*\]/\w*[;,]?$")


def test_no_line_is_too_long():
    found = [
        f"{name(path)}:{number} has {len(line)}"
        for path in PAGE
        if path not in DATA
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST and not CHARACTER_CLASS.match(line)
    ]
    assert not found, f"at most {LONGEST} characters; split the string or the comment:\n" + "\n".join(found)
