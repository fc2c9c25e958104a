"""The three renderers of reports: names of others stay text wherever they stand, read back by parsers of each format."""

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from lab_app.reports import analysis, benchmark
from lab_app.reports.formats import RENDERERS
from lab_app.reports.report import Facts, Notes, Report, Table, visible
from tests.benchmark_result import benchmark_result
from tests.corpus_sample import sample
from tests.scale import few

NAMES = [
    "<img src=x onerror=alert(1)>",
    "</title><script>alert(1)</script>",
    "a|b",
    r"\input{x}",
    r"\end{tabular}",
    "$x$ $$y$$",
    "a\nb\n\n# c",
    "a\r\u2028b",
    "\u202eabc\u2066\u200f",
    "\x00\x1b[31m\x7f",
    "[x] y",
    "* z",
    "`c` ``d``",
    "**b** _c_ ~~d~~",
    "50 % & more #1",
    "&amp; &#60;",
    "[a](http://x) ![i](y) http://x www.x.y a@b.c",
    "--- -- -",
    "~ ^ ^^M",
    "\\",
    "\\|",
    "    code",
    "1. a",
    "- a",
    "> a",
    "a  b",
]


def report(name: str) -> Report:
    """One with the name in every place."""
    return Report(
        name,
        name,
        [
            Facts([(name, name)], name),
            Table([name, name], [[name, 1.5], [name, None]], name, about=name, right=[1], marked=[0]),
            Table(["a", "b"], [[name, name]], name, is_folded=True, for_papers=False),
            Notes([name], name),
        ],
        [(name, name)],
        name,
        name,
    )


def text_of(format: str, made: Report) -> str:
    return "".join(RENDERERS[format](made))


class Read(HTMLParser):
    """The tags of a page and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag in ("td", "th", "h1"):
            self.cells.append("")
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_names_as_they_are(name: str):
    found, usual = Read(text_of("html", report(name))), Read(text_of("html", report("usual")))
    assert found.tags == usual.tags
    shown = name.replace("\x00", "\ufffd").replace("\r", "\n")
    texts = [each.replace("\x00", "\ufffd").replace("\r", "\n") for each in found.cells]
    assert [each.startswith(shown) for each in texts] == [each.startswith("usual") for each in usual.cells]


def kinds(text: str) -> list[str]:
    """What a reader of Markdown makes of it: headings, lists, tables, and what stands inside of lines."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    inside = [each.type for token in tokens if token.children for each in token.children]
    return [each.type for each in tokens] + [each for each in inside if each not in ("text", "text_special")]


def texts(text: str) -> set[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return {"".join(each.content for each in token.children) for token in tokens if token.children}


@pytest.mark.parametrize("name", NAMES)
def test_markdown_shows_names_as_they_are(name: str):
    found = text_of("md", report(name))
    assert kinds(found) == kinds(text_of("md", report("usual")))
    assert visible(name).strip() in {each.strip() for each in texts(found)}


COMMANDS = r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textasciigrave)\{\}"


LIVE = r"[#$%&_{}~^\\<>|`]|--"


def bare(line: str) -> str:
    """A line of a table without what the report writes itself: escapes, ends of cells and of rows."""
    line = re.sub(r"\\\\$|^\{\}", "", re.sub(COMMANDS, "", line)).replace(" & ", " ; ")
    return re.sub(r"\\[#$%&_{}]|-\{\}(?=-)", "", line)


@pytest.mark.parametrize("name", NAMES)
def test_latex_shows_names_as_they_are(name: str):
    lines, usual = (text_of("tex", report(each)).splitlines() for each in (name, "usual"))
    rows = [line for line in lines if not line.startswith("%")]
    expected = [line for line in usual if not line.startswith("%")]
    assert len(rows) == len(expected)
    for line, other in zip(rows, expected, strict=True):
        if "usual" in other and other.endswith(r" \\"):
            assert len(re.split(r"(?<!\\) & ", line)) == 2 and not line.startswith(("[", "*"))
            assert not re.search(LIVE, bare(line.replace(" & -- ", " & "))), line  # a dash for what was not measured
        elif other.startswith(r"\caption"):
            assert not re.search(LIVE, bare(line.removeprefix(r"\caption{").removesuffix("}"))), line
        elif other.startswith(r"\label"):
            assert re.fullmatch(r"\\label\{tab:[A-Za-z0-9-]+\}", line), line
        else:
            assert line == other


@pytest.mark.parametrize("format", ["md", "tex"])
def test_nothing_in_a_text_file_is_hidden(format: str):
    for name in NAMES:
        found = text_of(format, report(name))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u061c\u200e\u200f\u2028\u202a-\u202e\u2066-\u2069]", found)


@pytest.mark.parametrize("name", few(NAMES, 8))
def test_names_stay_text_in_the_reports_of_results(name: str):
    run = benchmark_result()
    run = replace(run, title=name, rows=[replace(row, tokenizer=name, message=name) for row in run.rows])
    counted = sample()
    counted = replace(counted, tokenizers=[replace(one, name=name) for one in counted.tokenizers])
    for made, (kinds_of_usual, rows_of_usual) in zip(
        [benchmark.report(run), analysis.report(counted)], usual_reports(), strict=True
    ):
        tags = Read(text_of("html", made)).tags
        assert "img" not in tags and tags.count("script") == (2 if made.keys else 0)
        assert set(kinds(text_of("md", made))) == kinds_of_usual
        assert len(rows_of(text_of("tex", made))) == rows_of_usual


@cache
def usual_reports() -> list[tuple[set[str], int]]:
    """The kinds of lines in Markdown and the number of rows in LaTeX, of both reports with usual names."""
    plain = [benchmark.report(replace(benchmark_result(), title="usual")), analysis.report(sample())]
    return [(set(kinds(text_of("md", each))), len(rows_of(text_of("tex", each)))) for each in plain]


def rows_of(latex: str) -> list[str]:
    return [line for line in latex.splitlines() if not line.startswith("%")]


def test_every_table_of_a_paper_has_a_caption_and_a_label_of_its_own():
    found = text_of("tex", benchmark.report(benchmark_result()))
    assert found.count(r"\caption{") == found.count(r"\begin{table}") == 2
    assert re.findall(r"\\label\{(.*?)\}", found) == ["tab:benchmark-12", "tab:benchmark-12-2"]
