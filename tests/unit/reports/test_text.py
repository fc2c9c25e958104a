"""Files that are kept: every token is in them, and no token becomes markup."""

import csv
import io
import json
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from lab_app.errors import BadValue, TooLarge
from lab_app.reports.text import export
from lab_app.reports.tokens import groups
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.tokenizers.tokenizers import add
from lab_app.services.vocabularies.search import Query
from lab_app.services.vocabularies.search import export as export_vocabulary
from lab_app.settings import Settings
from lab_app.version import lab_version
from tests import tiny
from tests.results import plain

TEXT = 'Hello <script>alert("x")</script> 日本語 👩‍🔬\n=1+1, "quoted"\r\n\u202eend'


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "words"), id="words")
    return lab


class Read(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.into = False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "p" and ("class", "tokens") in attributes:
            self.texts.append("")
            self.into = True
        if tag == "span" and ("class", "pill") in attributes:
            self.into = False

    def handle_endtag(self, tag):
        if tag == "p":
            self.into = False
        elif tag == "span" and self.texts:
            self.into = True

    def handle_data(self, data):
        if self.into:
            self.texts[-1] += data


@pytest.mark.parametrize("text", [TEXT, "", "hello unknownword", "日", " a  b "])
def test_a_page_shows_the_text_of_every_tokenizer_and_runs_nothing(lab, text):
    ids = ["gpt2", "words", "o200k_base"]
    page = "".join(export(lab, ids, text, "html").chunks)
    read = Read(page)
    assert read.texts == [text] * 3
    assert "script" not in read.tags and "img" not in read.tags and "http" not in page.replace("http-equiv", "")


def test_parts_of_characters_are_bytes_not_replacement_characters(lab):
    page = "".join(export(lab, ["gpt2", "o200k_base"], "a 日本", "html").chunks)
    assert "\ufffd" not in page and "e6 97" in page


def test_a_page_of_one_tokenizer_compares_nothing(lab):
    assert "Divergences" not in "".join(export(lab, ["gpt2"], TEXT, "html").chunks)


def test_split_characters_stand_together(lab):
    result = encode(lab, "gpt2", "a日b")
    assert [(group.text, len(group.tokens)) for group in groups(result)] == [("a", 1), ("日", 2), ("b", 1)]
    template = list(groups(encode(lab, "words", "hello")))
    assert [(group.text, len(group.tokens)) for group in template] == [("", 1), ("hello", 1), ("", 1)]
    gaps = list(groups(encode(lab, "words", " hello  world ", add_special_tokens=False)))
    assert [(group.text, len(group.tokens)) for group in gaps] == [
        (" ", 0),
        ("hello", 1),
        ("  ", 0),
        ("world", 1),
        (" ", 0),
    ]


def test_a_table_has_a_row_per_token(lab):
    rows = list(csv.DictReader(io.StringIO("".join(export(lab, ["gpt2", "words"], TEXT, "csv").chunks), newline="")))
    for id in ("gpt2", "words"):
        own = [row for row in rows if row["tokenizer"] == id]
        expected = plain(encode(lab, id, TEXT).whole())["tokens"]
        assert [int(row["id"]) for row in own] == [token["id"] for token in expected]
        assert [row["text"] for row in own] == [token["text"] or "" for token in expected]
        assert [[int(row["start_char"]), int(row["end_char"])] for row in own] == [t["span_char"] for t in expected]
        assert [row["special"] for row in own] == [str(token["special"]).lower() for token in expected]
        assert [row["added"] for row in own] == [str(token["sequence"] is None).lower() for token in expected]


def test_both_exports_as_csv_follow_one_convention(lab):
    """Text between quotes, numbers and true or false without, nothing for what is not known, CR LF at the end."""
    tokens = "".join(export(lab, ["gpt2"], "日", "csv").chunks).split("\r\n")
    found = "".join(export_vocabulary(lab, "gpt2", Query("10545", "ids"), "csv")).split("\r\n")
    assert tokens[1].startswith('"gpt2",0,33768,,"e697",0,2,0,1,false,false,false,"{""lab"": ')
    assert tokens[2] == '"gpt2",1,98,,"a5",2,3,0,1,false,false,false,'
    assert found[1].startswith('10545,,"20e6","part","none",2,,') and found[1].endswith(",false,")
    assert tokens[0].startswith('"tokenizer","token",') and found[0].startswith('"id","text",')


def test_json_is_that_of_the_interface(lab):
    one = json.loads("".join(export(lab, ["gpt2"], TEXT, "json").chunks))
    assert one["count"] == len(one["ids"]) and one["tokenizer"] == "gpt2"
    two = json.loads("".join(export(lab, ["gpt2", "words"], TEXT, "json").chunks))
    assert [each["tokenizer"] for each in two["tokenizers"]] == ["gpt2", "words"] and two["divergences"]


def test_each_format_says_how_it_was_made(lab):
    ids = ["gpt2", "words"]
    options = {"add_special_tokens": False, "specials": "parse", "ignore_spaces": False}
    for format in ("json", "csv", "html", "tex"):
        content = (
            "".join(export(lab, ids, "Hello 日", format, **options).chunks).replace('""', '"').replace("&#39;", "'")
        )
        for id in ids:
            assert lab.catalog.entry(id).sha256 in content, format
        assert lab_version() in content and str(datetime.now(UTC).year) in content
        command = "tokenlab compare -t gpt2 -t words --no-special-tokens --specials parse --count-spaces -- 'Hello 日'"
        assert command in content, format
        assert str(lab.settings.data_dir) not in content, "no path of this machine"


def test_a_table_tells_its_provenance_once(lab):
    rows = list(csv.DictReader(io.StringIO("".join(export(lab, ["gpt2", "words"], TEXT, "csv").chunks), newline="")))
    told = [number for number, row in enumerate(rows) if row["provenance"]]
    assert told == [0] and json.loads(rows[0]["provenance"])["text"]["characters"] == len(TEXT)
    (empty,) = csv.DictReader(io.StringIO("".join(export(lab, ["gpt2"], "", "csv").chunks), newline=""))
    assert not empty["tokenizer"] and not empty["id"] and json.loads(empty["provenance"])["text"]["bytes"] == 0


def test_a_page_says_how_its_figures_divide(lab):
    page = "".join(export(lab, ["bert-base-uncased"], "tokenization", "html").chunks)
    assert "bert-base-uncased: 12 bytes / 2 tokens = 6.00" in page and ">2 + 2<" in page
    assert "bytes /" not in "".join(export(lab, ["gpt2"], "", "html").chunks), "nothing to divide"


def test_a_latex_table_has_the_figures(lab):
    lines = "".join(export(lab, ["gpt2", "bert-base-uncased"], "a" * 3000 + " b%", "tex").chunks).splitlines()
    rows = [line for line in lines if line.endswith("\\\\")]
    assert [row.split(" & ")[0] for row in rows[:3]] == ["Tokenizer", "gpt2", "bert-base-uncased"]
    result = encode(lab, "gpt2", "a" * 3000 + " b%").summary()
    assert rows[1].split(" & ")[1] == str(result.text_token_count)
    assert "3 + 2" in rows[2] and all(line.startswith("%") for line in lines[: lines.index("\\begin{table}")])


def test_names_and_kinds_of_files(lab):
    found = export(lab, ["gpt2", "words"], "a", "csv")
    assert found.name == "gpt2-words.csv"


def test_what_cannot_be_exported_is_refused(lab):
    with pytest.raises(BadValue, match="docx"):
        export(lab, ["gpt2"], "a", "docx")
    with pytest.raises(TooLarge, match="1000000"):
        export(lab, ["gpt2"], "x" * 1_000_001, "html")
