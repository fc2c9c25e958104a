"""The frame of a report as one HTML file: no script, and nothing is loaded. Not here: what is in it (the `*_writers`)."""

import html

COLOURS = """:root { color-scheme: light dark; --paper: #ffffff; --sunken: #f3f1ec; --ink: #1d1c1a; --dim: #5d5a54; --line: #e2ded6;
  --accent: #2451c4; --warn: #6b4a00; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #141517; --sunken: #1d1f22; --ink: #eceae6; --dim: #b2aea6;
  --line: #2c2e32; --accent: #9db7ff; --warn: #f0c36b; } }"""
"""The page is dark where the reader's system is, and light on paper."""


def html_page(title: str, body: str, *, max_width_px: int, style: str = "") -> str:
    """A whole page with `title` as its heading. `body` is HTML; `style` are further rules of its style sheet.

    >>> html_page("a < b", "<p>Less.</p>\\n", max_width_px=1000).splitlines()[-3:]
    ['<h1>a &lt; b</h1>', '<p>Less.</p>', '</html>']
    """
    return f"""<!doctype html>
<html lang=en>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content="default-src 'none'; style-src 'unsafe-inline'">
<title>{html.escape(title)}</title>
<style>
{COLOURS}
body {{ font: 14px/1.5 system-ui, sans-serif; max-width: {max_width_px}px; margin: 32px auto; padding: 0 16px; }}
body {{ background: var(--paper); color: var(--ink); }}
h1 {{ font-size: 22px; line-height: 1.3; overflow-wrap: anywhere; }} h2 {{ font-size: 17px; margin: 28px 0 8px; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }}
td.number, th.number {{ text-align: right; }}
pre {{ background: var(--sunken); padding: 12px; white-space: pre-wrap; }}
{style}</style>
<h1>{html.escape(title)}</h1>
{body}</html>
"""
