"""What is shown, saved as a file."""

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Route, expect

from tests.browser.conftest import Axe, Lab

PAIR = ["bert-base-uncased", "gpt2"]


def test_each_format_is_saved(lab: Lab):
    lab.write("a <b> 日本")
    for words, ending in (("page", ".html"), ("table", ".csv"), ("data", ".json"), ("latex", ".tex")):
        is_saved(lab, words, ending)


def is_saved(lab: Lab, words: str, ending: str) -> None:
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type(f"export {words}")
    with lab.page.expect_download() as started:
        lab.page.keyboard.press("Enter")
    assert started.value.suggested_filename.endswith(ending)
    expect(lab.page.locator("footer.status")).to_contain_text(f"{started.value.suggested_filename} is saved")
    content = Path(started.value.path()).read_text(encoding="utf-8")
    if ending == ".csv":
        rows = list(csv.DictReader(io.StringIO(content, newline="")))
        assert {row["tokenizer"] for row in rows} == {"bert-base-uncased", "gpt2"}
    else:
        assert "bert-base-uncased" in content and "gpt2" in content and "日" in content
    for id in ("bert-base-uncased", "gpt2"):
        assert lab.server.call("GET", f"tokenizers/{id}")["sha256"] in content
    assert "tokenlab compare -t bert-base-uncased -t gpt2 --add-special-tokens --specials text" in content


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
    assert [each.replace("[CLS]", "").replace("[SEP]", "") for each in page.locator("p.tokens").all_inner_texts()] == [
        text,
        text,
    ]
    page.close()


def open_citation(lab: Lab) -> Locator:
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("cite")
    lab.page.keyboard.press("Enter")
    dialog = lab.page.get_by_role("dialog", name="Cite")
    expect(dialog).to_be_visible()
    return dialog


def test_cite_gives_bibtex_a_sentence_and_the_command(lab: Lab):
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.go("compare")
    lab.write("it's <b>short</b>")
    dialog = open_citation(lab)
    expected = lab.server.call("POST", "citation", {"tokenizers": PAIR, "text": "it's <b>short</b>"})
    for title, words in (
        ("BibTeX", expected["bibtex"].rstrip()),
        ("Sentence", expected["sentence"]),
        ("Command to reproduce these tokens", expected["provenance"]["command"]),
    ):
        expect(dialog.get_by_role("region", name=title)).to_have_text(words, use_inner_text=True)
        dialog.get_by_role("button", name=f"Copy: {title}").click()
        expect(dialog.get_by_role("status")).to_have_text(f"{title} copied")
        assert lab.page.evaluate("navigator.clipboard.readText()") == words
    lab.page.keyboard.press("2")
    assert "#/compare" in lab.page.url, "keys of the lab rest while a dialog is open"
    lab.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_the_command_of_a_long_text_names_its_file(lab: Lab):
    lab.set_text("word " * 200)
    dialog = open_citation(lab)
    expect(dialog).to_contain_text("--file text.txt")
    expect(dialog).to_contain_text("text.txt must hold the text")


def test_the_citation_is_accessible(lab: Lab, axe: Axe):
    open_citation(lab)
    axe.check_themes(lab, "citation-dialog")


def test_everything_is_two_presses_away(lab: Lab):
    """The menu has the whole list, by pointer and by keyboard."""
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.write("two presses")
    button = lab.page.get_by_role("button", name="Export", exact=True)
    for format in ("html", "svg", "png", "csv", "json", "tex"):
        button.click()
        with lab.page.expect_download() as started:
            lab.page.locator(f"[data-role=save-{format}]").click()
        assert started.value.suggested_filename.endswith(f".{format}")
    button.focus()
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("Enter")
    link = lab.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{lab.server.origin}/#/inspect?") and "text=two+presses" in link
    expect(button).to_be_focused()
    button.click()
    lab.page.locator("[data-role=cite]").click()
    expect(lab.page.get_by_role("dialog", name="Cite")).to_be_visible()


def test_the_menu_chooses_the_width_of_pictures(lab: Lab):
    button = lab.page.get_by_role("button", name="Export", exact=True)
    button.click()
    lab.page.get_by_role("radiogroup", name="Width of pictures").get_by_role("radio", name="480 px").click()
    with lab.page.expect_download() as started:
        lab.page.locator("[data-role=save-svg]").click()
    assert ' width="480"' in Path(started.value.path()).read_text(encoding="utf-8")[:300]


def ask_for_picture(lab: Lab) -> None:
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("picture svg")
    lab.page.keyboard.press("Enter")


@pytest.mark.parametrize("change", ["text", "setting"])
def test_a_picture_never_has_the_provenance_of_something_else(lab: Lab, change: str):
    """What changed while the provenance was on its way is not drawn beside it."""
    lab.write("the first text")
    held: list[Route] = []
    downloads: list[Download] = []
    lab.page.on("download", lambda download: downloads.append(download))
    lab.page.route("**/api/v1/citation", lambda route: held.append(route))
    with lab.page.expect_request("**/api/v1/citation"):
        ask_for_picture(lab)
    with lab.page.expect_response("**/api/v1/tokenize"):
        if change == "text":
            lab.text.focus()
            lab.page.keyboard.insert_text("another ")
        else:
            lab.page.locator("body").press("s")
    expect(lab.page.locator("token-text").first).to_have_js_property("isWhole", True)
    lab.until(lambda: held, "The provenance was asked for")
    held[0].continue_()
    banner = lab.page.locator("[data-role=error]")
    expect(banner).to_contain_text("The text, the tokenizers or the settings changed while the picture was made.")
    lab.ready()
    assert downloads == []
    lab.page.unroute("**/api/v1/citation")
    with lab.page.expect_download():
        ask_for_picture(lab)


def test_a_picture_waits_for_the_tokens_of_a_new_setting(lab: Lab):
    lab.write("the first text")
    held: list[Route] = []
    lab.page.route("**/api/v1/tokenize", lambda route: held.append(route))
    with lab.page.expect_request("**/api/v1/tokenize"):
        lab.page.locator("body").press("s")
    ask_for_picture(lab)
    expect(lab.page.locator("[data-role=error]")).to_contain_text("The text is still being encoded.")
    lab.until(lambda: held, "The tokens were asked for")
    held[0].continue_()
    lab.ready()
    with lab.page.expect_download():
        ask_for_picture(lab)
