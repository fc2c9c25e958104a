"""`python -m tools.readme_chart`: the chart of the README, from the figures of docs/reference/performance.md, light and dark.

SVG without scripts or fonts, so that GitHub and the package index show it. A test compares the files with the page.
"""

import re
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "performance.md"
IMAGES = ROOT / "docs" / "guide" / "images"
ROW = r"^\| cl100k_base \| english \| warm \| (\d+) .*$"
SHOWN = ["gigatoken", "fastokens", "tokenizers-1.0", "splintr", "tiktoken", "tokenizers"]
"""Libraries of the row, the reference libraries among them."""
COLOURS = {
    "light": {"ink": "#1d1c1a", "faint": "#6b675f", "own": "#2451c4", "other": "#b9b4a8"},
    "dark": {"ink": "#eceae6", "faint": "#a5a19a", "own": "#9db8ff", "other": "#57544e"},
}
BOLD = ' font-weight="600"'
WIDTH, BAR, GAP, LEFT, RIGHT = 760, 20, 8, 130, 90


def speeds(page: str) -> dict[str, float]:
    """MB/s of the lab and of the libraries shown, the fastest first."""
    row = re.search(ROW, page, re.M)
    assert row, "performance.md has no row for cl100k_base, english, warm"
    found = {"this lab": float(row[1])}
    for name in SHOWN:
        speed = re.search(rf"[ |]{re.escape(name)} ([\d.]+) \(", row[0])
        assert speed, f"the row does not have {name}"
        found[name] = float(speed[1])
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def chart(values: dict[str, float], theme: str) -> str:
    """The SVG text of a bar per library."""
    colour, longest = COLOURS[theme], max(values.values())
    height = len(values) * (BAR + GAP) + 34
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="{escape(summary(values))}">',
        f'<text x="0" y="14" fill="{colour["faint"]}">Encoding English with cl100k_base on one thread, MB per second</text>',
    ]
    for n, (name, value) in enumerate(values.items()):
        top = 28 + n * (BAR + GAP)
        width = max(1, round((WIDTH - LEFT - RIGHT) * value / longest))
        own = name == "this lab"
        lines += [
            f'<text x="{LEFT - 10}" y="{top + 15}" text-anchor="end" fill="{colour["ink"]}"'
            f"{BOLD if own else ''}>{escape(name)}</text>",
            f'<rect x="{LEFT}" y="{top}" width="{width}" height="{BAR}" rx="2" '
            f'fill="{colour["own" if own else "other"]}"/>',
            f'<text x="{LEFT + width + 8}" y="{top + 15}" fill="{colour["ink"]}">{value:g}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def summary(values: dict[str, float]) -> str:
    """The chart in words."""
    return "MB per second: " + ", ".join(f"{name} {value:g}" for name, value in values.items())


def files() -> dict[Path, str]:
    """The text of each file."""
    values = speeds(PAGE.read_text(encoding="utf-8"))
    return {IMAGES / f"speed-{theme}.svg": chart(values, theme) for theme in COLOURS}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
