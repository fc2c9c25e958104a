"""What is shown, saved as a file."""

import csv
import io
from pathlib import Path

import pytest

from tests.browser.conftest import Lab


@pytest.mark.parametrize(("words", "ending"), [("page", ".html"), ("table", ".csv"), ("data", ".json")])
def test_each_format_is_saved(lab: Lab, words: str, ending: str):
    lab.write("a <b> 日本")
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type(f"export {words}")
    with lab.page.expect_download() as started:
        lab.page.keyboard.press("Enter")
    assert started.value.suggested_filename.endswith(ending)
    content = Path(started.value.path()).read_text(encoding="utf-8")
    if ending == ".csv":
        rows = list(csv.DictReader(io.StringIO(content, newline="")))
        assert {row["tokenizer"] for row in rows} == {"bert-base-uncased", "gpt2"}
    else:
        assert "bert-base-uncased" in content and "gpt2" in content and "日" in content


def test_a_saved_page_runs_nothing_and_is_readable(lab: Lab, browser, tmp_path: Path):
    text = "<script>document.title='no'</script> שלום 👩‍🔬"
    lab.write(text)
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("export page")
    with lab.page.expect_download() as started:
        lab.page.keyboard.press("Enter")
    started.value.save_as(tmp_path / "page.html")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.title() != "no"
    assert [each.replace("[CLS]", "").replace("[SEP]", "") for each in page.locator("p.text").all_inner_texts()] == [
        text,
        text,
    ]
    page.close()
