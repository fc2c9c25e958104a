"""An analysis as one HTML file that needs nothing else: plotly.js, charts and tables are inside, and no network.

Its policy allows only the script and the style of the file, by their digests. Names and tokens are other people's text: the
template escapes all of it, and the charts are data, which no browser runs.
"""

import base64
import hashlib
import re
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.charts.chart import Cell, letter_of, unknown_note
from lab_app.charts.look import PRINT, SYMBOLS, printed
from lab_app.errors import NotFound
from lab_app.json_text import json_text
from lab_app.paths import page
from lab_app.reports.analysis_report_rows import reasons, rows, words
from lab_app.reports.charts import charts
from lab_app.services.analyses.provenance import made_words

TEMPLATES = Path(__file__).parent / "templates"
SHAPES = dict(zip(SYMBOLS, "●■◆▲⬢▼★✚", strict=True))
MAX_TABLE_ROWS = 500
EXPORT = re.compile(r"export\s*\{\s*([\w$]+) as default\s*\}\s*;?\s*$")


def html_report(result: CorpusResult) -> str:
    """The page. Raises NotFound if plotly.js was not built with the page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    script = drawing_script()
    style = (TEMPLATES / "analysis.css").read_text(encoding="utf-8")
    made = charts(result)
    text: str = environment.get_template("analysis.html").render(
        result=result,
        keys=_keys(result),
        rows=[row for row in rows(result) if any(value is not None for value in row.values)],
        words=words,
        cell=_cell,
        charts=made,
        data=_data({each.name: printed(each.figure) for each in made}),
        most_rows=MAX_TABLE_ROWS,
        reasons=reasons(result),
        made=made_words(result),
        script=script,
        style=style,
        script_digest=_digest(script),
        style_digest=_digest(style),
    )
    return text


@cache
def drawing_script() -> str:
    """plotly.js and the lines that draw the charts, as one module script.

    Raises NotFound if the page was not built, ValueError if its module does not end with its export.
    """
    path = page() / "vendor" / "plotly.js"
    if not path.is_file():
        raise NotFound("plotly.js is not built, so the report cannot hold charts", "run `make setup`")
    library = path.read_text(encoding="utf-8")
    found = EXPORT.search(library)
    if not found or "</script" in library.lower() or "<!--" in library:
        raise ValueError(f"{path.name} cannot be put into a page")
    drawing = (TEMPLATES / "analysis.js").read_text(encoding="utf-8")
    return f"{library[: found.start()]}const Plotly={found[1]};\n{drawing}"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(value: Any) -> str:
    """JSON that cannot end the element that holds it."""
    return json_text(value).replace("<", "\\u003c")


def _keys(result: CorpusResult) -> list[dict[str, str]]:
    return [
        {
            **{name: str(value) for name, value in asdict(one).items() if name in ("tokenizer", "name")},
            "letter": letter_of(n),
            "shape": SHAPES[SYMBOLS[(n + n // 8) % 8]],
            "colour": PRINT["abcdefgh"[n % 8]],
            "warning": unknown_note(one).removeprefix("<br>"),
        }
        for n, one in enumerate(result.tokenizers)
    ]


def _cell(value: Cell) -> str:
    return value if isinstance(value, str) else words(value)
