"""A report as one HTML file that needs nothing else: charts and what draws them are inside, and no network is asked.

Its policy allows only the script and the style of the file, by their digests. Names and tokens are other people's text: the
template escapes all of it, and the charts are data, which no browser runs.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab_app.charts.look import printed
from lab_app.errors import NotFound
from lab_app.json_text import json_text
from lab_app.paths import page
from lab_app.reports.report import Charts, Report, Table, Tokens, number_words

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parent / "templates"
MAX_TABLE_ROWS = 500
"""Of the values of a chart."""
EXPORT = re.compile(r"export\s*\{\s*([\w$]+) as default\s*\}\s*;?\s*$")


def html(report: Report) -> Iterator[str]:
    """The page in parts. Raises NotFound if it has charts and plotly.js was not built with the page."""
    charts = [chart for part in report.parts if isinstance(part, Charts) for chart in part.make()]
    script = drawing_script() if charts else ""
    style = _style("tokens.css", "report.css")
    stream = _template("report.html").stream(
        report=report,
        charts=charts,
        data=_data({each.name: printed(each.figure) for each in charts}),
        most_rows=MAX_TABLE_ROWS,
        script=script,
        style=style,
        script_digest=_digest(script),
        style_digest=_digest(style),
    )
    stream.enable_buffering(200)
    return iter(stream)


def fragment(parts: Sequence[Table | Tokens]) -> str:
    """Parts of a report as they stand in a cell of a notebook: no script, and a style that touches nothing else."""
    return _template("notebook.html").render(parts=parts, style=_style("tokens.css", "notebook.css"))


def _template(name: str) -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["words"] = number_words
    return environment.get_template(name)


def _style(*names: str) -> str:
    return "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in names)


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
    drawing = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    return f"{library[: found.start()]}const Plotly={found[1]};\n{drawing}"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(value: Any) -> str:
    """JSON that cannot end the element that holds it."""
    return json_text(value).replace("<", "\\u003c")
