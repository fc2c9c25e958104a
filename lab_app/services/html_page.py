"""The frame of a report as one HTML file: no script, and nothing is loaded. Not here: what is in it (the `*_writers`)."""

import html


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
body {{ font: 14px/1.5 system-ui, sans-serif; max-width: {max_width_px}px; margin: 32px auto; padding: 0 16px; color: #222; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid #ddd; vertical-align: top; }}
pre {{ background: #f5f3ee; padding: 12px; white-space: pre-wrap; }}
{style}</style>
<h1>{html.escape(title)}</h1>
{body}</html>
"""
