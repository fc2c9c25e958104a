"""What cells of a notebook show: every token, in words and as markup that no text can break, and tables and charts of it."""

import re
import runpy
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from lab_app import notebook
from lab_app.charts.chart import NoChart
from lab_app.engine import Encoding, Tokenizer
from lab_app.errors import BadValue, LabError, NotFound
from lab_app.services.analyses import analyses
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.settings import Settings
from tests.conftest import ROOT
from tests.page_engine import held, needs_engine
from tests.unit.services.analyses.test_analyses import corpus_of, run

HOSTILE = 'a <script>alert("x")</script> <b onclick=x>日 &amp;\n\u202eend'


class Page(HTMLParser):
    """The elements and the text of markup."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.tokens: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        if tag == "p" and ("class", "tokens") in attributes:
            self.tokens.append("")

    def handle_data(self, data):
        if self.tokens:
            self.tokens[-1] += data


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lab:
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    monkeypatch.setattr(notebook, "_lab", lambda: lab)
    return lab


@pytest.mark.parametrize("text", [HOSTILE, "", " ", "Tokenization isn't neutral"])
def test_a_cell_has_the_whole_text_and_nothing_of_it_is_markup(lab: Lab, text: str):
    cell = notebook.show(text, "gpt2")
    page = Page(cell._repr_html_())
    assert cell._repr_html_() == cell._repr_html_()
    assert page.tokens[0].rstrip("\n") == text.rstrip("\n")
    assert page.tags <= {"div", "style", "h4", "bdi", "p", "span"} and not page.handlers


def test_a_comparison_has_a_text_for_each_tokenizer_and_the_difference(lab: Lab):
    cell = notebook.compare("unaffordable", ["gpt2", "bert-base-uncased"], add_special_tokens=False)
    assert Page(cell._repr_html_()).tokens[0].split() == ["unaffordable", "bert-base-uncased:", "4", "tokens", "(+1)"]
    assert repr(cell).splitlines()[2] == "bert-base-uncased: 4 tokens (+1)"
    with pytest.raises(BadValue):
        notebook.compare("a", ["gpt2"])
    with pytest.raises(NotFound, match="nowhere"):
        notebook.show("a", "nowhere")


def test_a_table_has_a_row_per_token_of_each_tokenizer(lab: Lab):
    found = notebook.compare("Hi 日", ["gpt2", "bert-base-uncased"]).table()
    gpt2 = encode(lab, "gpt2", "Hi 日")
    own = found.filter([each == "gpt2" for each in found["tokenizer"].to_pylist()])
    assert own["id"].to_pylist() == gpt2.ids.tolist() and own["start_utf8"].to_pylist() == gpt2.span_utf8[:, 0].tolist()
    assert own["text"].to_pylist() == ["Hi", None, None, None] and own["bytes"].to_pylist()[1] == "20e6"
    bert = found.filter([each != "gpt2" for each in found["tokenizer"].to_pylist()])
    assert bert["added"].to_pylist() == [True, False, False, True]
    empty = notebook.show("", "gpt2").table()
    assert (empty.num_rows, empty.column_names) == (0, found.column_names)


@pytest.mark.parametrize(
    ("tokenizer", "first"), [("gpt2", "o + w → ow, rank 66"), ("bert-base-uncased", "look up low")]
)
def test_steps_are_those_of_the_model(lab: Lab, tokenizer: str, first: str):
    cell = notebook.steps("low", tokenizer)
    assert first in repr(cell) and first in cell._repr_html_()
    assert "sees only" not in repr(cell) and "U+006C" in repr(notebook.steps("low", tokenizer, "utf8"))
    with pytest.raises(BadValue, match="no lesson"):
        notebook.steps("low", tokenizer, "nothing")


def test_a_chart_of_a_kept_analysis_is_a_figure_of_plotly(lab: Lab, tmp_path: Path):
    found = run(lab, corpus_of(tmp_path, ["one two three two one"] * 20), "gpt2")
    figure = notebook.figure("zipf", analyses.list_analyses(lab).analyses[0].id)
    assert figure.layout.title.text == "Rank and frequency"
    assert list(figure.data[0].y) == found.tokenizers[0].curve.counts and "var(" not in figure.to_json()
    with pytest.raises(BadValue, match="is not a chart"):
        notebook.figure("pie", found.id)
    with pytest.raises(NoChart):
        notebook.figure("premium", found.id)
    with pytest.raises(LabError):
        notebook.figure("zipf", 99)


def test_an_encoding_of_the_engine_is_shown_in_a_notebook(monkeypatch: pytest.MonkeyPatch):
    shown = {}
    shell = SimpleNamespace(formatters={"text/html": SimpleNamespace(for_type=shown.__setitem__)})
    ipython = SimpleNamespace(get_ipython=lambda: SimpleNamespace(display_formatter=shell))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    runpy.run_path(notebook.__file__)
    page = Page(shown[Encoding](Tokenizer.builtin("gpt2").encode("Hi 日 <b>")))
    assert page.tokens[0].split() == ["Hi<20", "e6><97><a5>·<b>"] and "b" not in page.tags


@needs_engine
def test_a_live_cell_is_a_handout_with_the_static_cell_beside_it(lab: Lab):
    text = "lower </script> low"
    for cell in (notebook.show(text, "gpt2", specials="parse"), notebook.compare(text, ["gpt2", "bert-base-uncased"])):
        live = cell.live()
        contents = held(live.page)
        assert contents["encoded"]["text"] == live.text == text
        assert live.label == f"Tokens of {', '.join(each.id for each in cell.results)}"
        assert [each["id"] for each in contents["tokenizers"]] == [each.id for each in cell.results]
        shown, _ = live._repr_mimebundle_()
        assert shown["text/html"] == cell._repr_html_() and "application/vnd.jupyter.widget-view+json" in shown
    live = notebook.steps(text, "gpt2", "bpe-train", learn=3).live()
    lesson = held(live.page)["lesson"]
    assert live.label == "bpe-train with gpt2"
    assert (lesson["name"], lesson["text"], lesson["learn"]) == ("bpe-train", text, 3)


def test_a_cell_stays_static_without_the_extra(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "lab_app.reports.live", raising=False)
    cell = notebook.show("Hello", "gpt2")
    with pytest.warns(UserWarning, match="notebook"):
        assert cell.live() is cell


@needs_engine
def test_the_examples_of_the_guide_run_in_a_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Those of `docs/guide/notebook.md`, one cell each."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("TOKENLAB_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    page = (ROOT / "docs" / "guide" / "notebook.md").read_text("utf-8")
    cells = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in (*cells, "lesson.text")])
    nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))
    outputs = [output for cell in made.cells for output in cell.outputs]
    shown = [output["data"] for output in outputs if output.output_type == "execute_result"]
    printed = "".join(output["text"] for output in outputs if output.output_type == "stream")
    assert printed == re.search(r"^```text\n(.*?)^```$", page, re.M | re.S)[1]
    tokens, lesson, table, text = shown
    assert "Token|ization| isn|'t| neutral" in tokens["text/plain"] and Page(tokens["text/html"]).tokens
    assert "application/vnd.jupyter.widget-view+json" in lesson and "rank 66" in lesson["text/html"]
    assert "'ordable'" in table["text/plain"] and text["text/plain"] == "'lowest'"
