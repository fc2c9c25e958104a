"""Reports of an analysis: each holds the numbers, how they were made, and nothing that runs by itself."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.errors import BadValue, NotFound
from lab_app.json_text import json_text
from lab_app.reports.analysis import report, rows
from lab_app.reports.analysis_files import Written, writer_of
from lab_app.reports.charts import figure, figures
from lab_app.reports.formats import report_writers
from lab_app.services.analyses.provenance import provenance
from lab_app.store import token_counts
from tests.corpus_sample import HOSTILE, sample

RESULT = sample()
REPORTS = {f".{format}": write for format, write in report_writers(report).items()}


def text(suffix: str) -> str:
    return REPORTS[suffix](RESULT)


@pytest.mark.parametrize("suffix", REPORTS)
def test_every_report_says_how_it_was_made(suffix: str):
    found = text(suffix)
    for fact in ("ab" * 32, "cd" * 32, RESULT.command, "2026-01-02T03:04:05", "urls", "abc", "3.12", "en.txt, line 7"):
        assert fact in found, fact


def test_csv_and_parquet_say_how_they_were_made(tmp_path: Path):
    from pyarrow import parquet

    written = Written(RESULT, lambda path: token_counts.write(path, iter(()), json_text(provenance(RESULT))))
    for suffix in (".csv", ".parquet"):
        writer_of(tmp_path / f"a{suffix}")(written, tmp_path / f"a{suffix}")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert json.loads(rows[0]["provenance"])["command"] == RESULT.command
    assert not any(row["provenance"] for row in rows[1:])
    made = json.loads(parquet.read_metadata(tmp_path / "a.parquet").metadata[b"tokenlab"])
    assert made["corpus"]["cleaning"] == {"urls": 2, "nfc": 0}
    assert made["tokenizers"][1] == {"tokenizer": "gpt2", "sha256": "cd" * 32}


def test_a_difference_in_tokens_has_its_interval():
    found = text(".md")
    assert "| Tokens of | per token of bert | per token of gpt2 |" in found
    assert "| gpt2 | 1 (0.9 to 1.1), not told apart |  |" in found and "2 (1.4 to 2.5) | 2 (1.4 to 2.5) |" in found
    assert "95 % intervals: percentiles of 1 000 samples of the documents" in found and "seed 0" in found
    older = replace(RESULT, token_ratios=None)
    assert "per token of gpt2" not in REPORTS[".md"](older)


def test_a_number_that_was_not_measured_is_a_dash_with_its_reason():
    named = {row.title: row.values for row in rows(RESULT)}
    assert named["Unknown tokens"] == [0.2, 0.0, 0.0]
    assert named["Coverage milestones: 50"] == [2, 2, 2]
    assert "Round trip, exact" not in named
    for suffix in (".md", ".html"):
        assert "bert: not asked for" in text(suffix)
    one = replace(RESULT.tokenizers[0], unknown_rate=None)
    without = replace(RESULT, tokenizers=[one, *RESULT.tokenizers[1:]])
    assert "| Unknown tokens | share of tokens, 0 to 1 | – | 0 | 0 |" in REPORTS[".md"](without)


def tables(tex: str) -> list[list[str]]:
    """The lines of each table."""
    lines = [line for line in tex.splitlines() if not line.startswith("%")]
    ends = [n + 1 for n, line in enumerate(lines) if line in (r"\end{table}", r"\end{longtable}")]
    return [lines[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def test_languages_have_a_table_per_metric_with_a_column_per_tokenizer():
    found = tables(REPORTS[".tex"](RESULT))[2:]
    captions = [line for table in found for line in table if line.startswith(r"\caption")]
    assert (
        captions[0] == r"\caption{Premium by language (tokens per token of the reference language), pud, 3 languages.}"
    )
    named = tables(REPORTS[".tex"](replace(RESULT, name="My study")))
    assert r"\caption{Tokenizers on My study: 9 documents, 900 bytes.}" in named[0]
    assert len(captions) == len(set(captions)) == len({line for table in found for line in table if "label" in line})
    rows = [line.removesuffix(r" \\").split(" & ") for line in found[0] if " & " in line]
    assert rows[0][0] == "Language" and len(rows[0]) == 1 + len(RESULT.tokenizers)
    means = [[float(cell) for cell in row[1:] if cell[0].isdigit()] for row in rows[1:]]
    assert means == sorted(means, key=lambda row: -sum(row) / len(row) if row else 0), (
        "the highest first, unmeasured last"
    )


def test_a_table_longer_than_a_page_goes_on_over_pages():
    one = RESULT.tokenizers[1]
    languages = [replace(one.languages[0], language=f"l{n}", premium=1.0 + n) for n in range(60)]
    found = tables(REPORTS[".tex"](replace(RESULT, tokenizers=[replace(one, languages=languages)])))[1]
    assert found[0] == r"\begin{longtable}{lr}" and found[-1] == r"\end{longtable}"
    assert found[found.index(r"\endhead") - 1] == r"\midrule" and found[2].endswith(r"} \\")


def test_a_latex_table_follows_the_rules_of_booktabs():
    named = replace(RESULT.tokenizers[1], name="a_b & 50% #1 {x} $y^2 ~ \\end{tabular} | <i>")
    found = REPORTS[".tex"](replace(RESULT, tokenizers=[named, *RESULT.tokenizers]))
    lines = tables(found)[0]
    head = [r"\begin{table}", r"\centering", r"\caption{Tokenizers on pud, 3 languages: 9 documents, 900 bytes.}"]
    assert lines[:4] == [*head, r"\label{tab:pud}"]
    assert lines.pop() == r"\end{table}"
    lines = lines[4:]
    assert lines[:2] == [r"\begin{tabular}{llrrrr}", r"\toprule"]
    assert lines[3] == r"\midrule" and lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    assert not any(" & none & " in line for line in lines), "a number without a unit has none"
    assert r"\hline" not in found and "|" not in "".join(lines)
    body = [lines[2], *lines[4:-2]]
    for line in body:
        assert line.endswith(r" \\"), line
        cells = re.split(r"(?<!\\) & ", line)
        assert len(cells) == 6, line
        # Nothing of LaTeX is left but commands that the report writes, in pairs of braces.
        bare = re.sub(r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar)\{\}", "", line)
        bare = re.sub(r"\\[#$%&_{},]|\\\\$| & ", "", bare)
        assert not re.search(r"[#$%&_{}~^\\<>|\u202f–]", bare), bare


def test_the_figures_of_a_latex_table_are_grouped_and_have_three_digits():
    one = replace(RESULT.tokenizers[1], tokens=3274, bytes_per_token=1.23456, fertility=-1648034.2)
    found = REPORTS[".tex"](replace(RESULT, tokenizers=[one]))
    cells = {
        line.split(" & ")[0]: line.split(" & ")[-1].removesuffix(r" \\") for line in found.splitlines() if " & " in line
    }
    assert (
        cells["Tokens"] == r"3\,274" and cells["Bytes per token"] == "1.23" and cells["Fertility"] == r"$-$1\,648\,034"
    )


def test_names_of_others_stay_text():
    page = text(".html")
    assert HOSTILE not in page and "<i>c</i>" not in page
    assert "<i>c</i>" not in text(".md") and r"\<i\>c\</i\>" in text(".md")
    assert r"\textless{}i\textgreater{}c" in text(".tex").split(r"\begin{tabular}")[1]


def test_the_page_allows_only_its_own_script_and_style():
    page = text(".html")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy and "default-src 'none'" in policy[1] and "script-src 'sha256-" in policy[1].replace("&#39;", "'")
    assert not re.findall(r'\b(?:src|href)="', page.split("<script")[0])
    assert "20.0\u202f% unknown: lost, not compressed" in page


def test_figures_are_listed_with_reasons_and_made_by_name():
    listed = {each.name: each for each in figures(sample(("gpt2",))).figures}
    assert listed["zipf"].title == "Rank and frequency" and listed["zipf"].reason is None
    assert listed["agreement"].title is None and listed["agreement"].reason == "needs two tokenizers or more"
    made = figure(RESULT, "zipf")
    assert made.csv.splitlines()[:2] == ['"tokenizer","rank","occurrences"', '"bert",1,90']
    with pytest.raises(NotFound, match='no chart is called "pie"'):
        figure(RESULT, "pie")
    assert figure(RESULT, "zipf", "CAB").keys[1].letter == "A"
    for letters in ("AB", "AAB", "AB1", "abc"):
        with pytest.raises(BadValue, match="letters"):
            figure(RESULT, "zipf", letters)
    with pytest.raises(NotFound, match="needs two tokenizers"):
        figure(sample(("gpt2",)), "agreement")
