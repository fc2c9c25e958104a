"""Files of a benchmark: all rows and units in CSV, a dash where nothing was measured, hostile names inert."""

import csv
import io
import json
from dataclasses import replace

import pytest

from lab_app.errors import BadValue
from lab_app.reports import benchmark as report
from tests.benchmark_result import benchmark_result


def test_csv_has_every_row_and_empty_cells_for_what_was_not_measured():
    rows = list(csv.DictReader(io.StringIO(report.write(benchmark_result(), "csv"))))
    assert [row["state"] for row in rows] == [row.state for row in benchmark_result().rows]
    assert rows[0]["ratio (times the baseline)"] == "" and rows[1]["ratio (times the baseline)"] == "37.6"
    assert (rows[1]["model (ns of the whole text)"], rows[1]["cache misses"]) == ("1140000", "9204")
    assert rows[0]["model (ns of the whole text)"] == rows[1]["normalizer (ns of the whole text)"] == ""
    assert rows[4]["install"] == "pip install tokie" and rows[4]["speed (MB/s of input, median)"] == ""
    assert "0" not in {value for row in rows for name, value in row.items() if name != "differing (texts)"}


def test_csv_is_written_as_that_of_every_export():
    text = report.write(benchmark_result(), "csv")
    assert text.startswith('"rank","tokenizer",') and text.endswith("\r\n")


def test_reports_for_people():
    text = report.write(benchmark_result(), "md")
    assert r"| 1 | cl100k\_base | tokenlab | 0.1.0 | 37.6 (36.5 to 39.1) | 470 |" in text
    ranks = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]
    assert ranks[: len(benchmark_result().rows) + 2] == [
        "| rank",
        "| ---",
        "| 1",
        "| 2",
        "| 3",
        *["| –"] * (len(benchmark_result().rows) - 3),
    ]
    assert "61.2 MB" in text and "µs" in text
    assert "| 1 (baseline) |" in text and r"| – | cl100k\_base | tokie | – | – |" in text
    assert "998 121 bytes, 487 documents; warm, whole, ids, 1 thread; 15 of 15 rounds" in text
    assert "tokie is not installed. Install it: pip install tokie" in text
    assert r"| cl100k\_base | fast | – | 38 % | 53 % | – | 9 % | 2.15 | 95.3 % |" in text
    assert "<h2>Where the time goes</h2>" in report.write(benchmark_result(), "html")
    assert benchmark_result().command in text and "AMD EPYC 9B14" in text


def test_a_hostile_title_is_text():
    found = replace(benchmark_result(), title="<script>alert(1)</script> | x")
    page = report.write(found, "html")
    assert "<script" not in page and "&lt;script&gt;" in page and "default-src 'none'" in page
    assert r"# \<script\>alert(1)\</script\> \| x" in report.write(found, "md")
    found = replace(found, command="bench --title '<b>\n# x'")
    assert report.write(found, "md").endswith("## Repeat\n\n    bench --title '<b>\n    # x'\n")


def test_json_is_the_result():
    assert json.loads(report.write(benchmark_result(), "json"))["id"] == 12
    with pytest.raises(BadValue, match='cannot be written as "pdf"'):
        report.write(benchmark_result(), "pdf")
