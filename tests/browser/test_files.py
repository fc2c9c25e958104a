"""Text from files: the open button, dropping, and what is not text."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lab_app.engine import PATTERNS
from tests import tiny
from tests.browser.conftest import Lab

DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const target = document.querySelector('token-text .cm-content');
    const at = { dataTransfer: data, bubbles: true, cancelable: true };
    target.dispatchEvent(new DragEvent('dragenter', at));
    const shown = !document.querySelector('.drop-hint').hidden;
    const kept = [!target.dispatchEvent(new DragEvent('dragover', at)), !target.dispatchEvent(new DragEvent('drop', at))];
    return [shown, ...kept, document.querySelector('.drop-hint').hidden];
}"""


def open_file(lab: Lab, path: Path) -> None:
    lab.page.locator("[data-role=text-file]").set_input_files(path)
    lab.ready()


def test_open(lab: Lab, tmp_path: Path):
    path = tmp_path / "letter.txt"
    path.write_bytes("Grüße\r\naus 東京".encode())
    open_file(lab, path)
    assert lab.current_text == "Grüße\r\naus 東京"
    assert lab.tokens("gpt2") == lab.expected("gpt2", "Grüße\r\naus 東京")
    expect(lab.page.locator(".status")).to_contain_text("letter.txt · UTF-8, CRLF")


def test_open_button_and_shortcut(lab: Lab, tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("by the button")
    with lab.page.expect_file_chooser() as chooser:
        lab.press(lab.page.locator("[data-role=open-file]"))
    chooser.value.set_files(path)
    lab.ready()
    assert lab.current_text == "by the button"
    with lab.page.expect_file_chooser():
        lab.page.keyboard.press("Control+o")


def test_utf16(lab: Lab, tmp_path: Path):
    path = tmp_path / "windows.txt"
    path.write_bytes("Ünïcode".encode("utf-16"))
    open_file(lab, path)
    assert lab.current_text == "Ünïcode"
    expect(lab.page.locator(".status")).to_contain_text("UTF-16LE")


def test_what_is_no_text_is_refused_and_the_text_stays(lab: Lab, tmp_path: Path):
    before = lab.current_text
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    open_file(lab, path)
    expect(lab.error).to_contain_text("picture.png is not UTF-8 text: byte 0 is 0x89")
    assert lab.current_text == before
    lab.page.get_by_role("button", name="Dismiss this message").click()
    expect(lab.error).to_be_hidden()


def drop(lab: Lab, name: str, text: str) -> list[bool]:
    """Drops a file on the text: whether the hint was shown, the two events were taken, and the hint is gone."""
    return lab.page.evaluate(DROP, [name, text])


def test_drop(lab: Lab):
    for screen in ("inspect", "compare"):
        lab.go(screen)
        text = f"dropped 語 in {screen}"
        assert drop(lab, "dropped.txt", text) == [True, True, True, True]
        lab.ready()
        assert lab.current_text == text
        assert lab.tokens("gpt2") == lab.expected("gpt2", text)


@pytest.mark.parametrize("way", ["open", "drop", "dialog"])
def test_a_file_of_a_tokenizer_is_added_and_not_read_as_a_text(lab: Lab, tmp_path: Path, way: str):
    lab.write("hello")
    path = tiny.tokenizer_json(tmp_path)
    if way == "open":
        with lab.page.expect_file_chooser() as chooser:
            lab.page.keyboard.press("Control+o")
        chooser.value.set_files(path)
    elif way == "drop":
        drop(lab, path.name, path.read_text())
    else:
        choose_vocabulary(lab, path)
    added = lab.page.locator("tokenizer-chips .chip").nth(2)
    expect(added).to_have_attribute("data-active", "true")
    expect(lab.page.get_by_role("dialog")).to_be_hidden()
    lab.ready()
    assert lab.current_text == "hello"
    name = added.get_attribute("data-tokenizer") or ""
    assert lab.tokens(name) == lab.expected(name, "hello")


def test_a_dropped_rank_file_asks_for_its_pattern(lab: Lab, tmp_path: Path):
    lab.tolerated = ("status of 4",)
    before = lab.current_text
    drop(lab, "tiny.tiktoken", tiny.rank_file(tmp_path).read_text())
    expect(lab.page.get_by_label("Split pattern of tiny.tiktoken")).to_be_focused()
    assert lab.current_text == before


def test_a_file_with_the_name_of_a_tokenizer_that_is_none_is_explained(lab: Lab):
    lab.tolerated = ("status of 4",)
    before = lab.current_text
    drop(lab, "notes.model", "not a model")
    expect(lab.error).to_contain_text("notes.model")
    assert lab.current_text == before


def test_files_of_the_command_line_are_opened(lab: Lab):
    """`tokenlab FILE...`: the lab that runs leads its page to an address that is no screen."""
    opened = [{"name": "a.txt", "kind": "text", "text": "from a file", "encoding": "UTF-8"}]
    opened += [
        {"name": "b.gguf", "kind": "problem", "problem": {"message": "b.gguf is damaged", "hint": "Fetch it again."}}
    ]
    lab.page.route("**/api/v1/window/opened", lambda route: route.fulfill(json={"files": opened}))
    lab.go("library")
    lab.page.evaluate("location.replace('#/opened')")
    expect(lab.error).to_contain_text("b.gguf is damaged")
    lab.ready()
    assert lab.current_text == "from a file" and lab.page.url.endswith("#/inspect")
    expect(lab.page.locator(".status")).to_contain_text("a.txt · UTF-8")
    lab.page.go_back()
    expect(lab.page.locator(".screen")).to_have_attribute("data-screen", "library")


def choose_vocabulary(lab: Lab, *paths: Path) -> None:
    """Presses "Add tokenizer" and "Open tokenizer files…", and chooses in the system's dialog."""
    lab.page.locator("[data-role=add-tokenizer]").click()
    with lab.page.expect_file_chooser() as chooser:
        lab.page.get_by_role("button", name="Open tokenizer files").click()
    chooser.value.set_files(paths)


def test_a_file_that_is_no_vocabulary_is_explained(lab: Lab, tmp_path: Path):
    lab.tolerated = ("status of 4",)
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    choose_vocabulary(lab, path)
    problem = lab.page.locator("[data-role=add-problem]")
    expect(problem).to_contain_text("vocab.txt")
    assert len(problem.inner_text().splitlines()) >= 2, "a message and what to do"
    expect(lab.page.locator("pattern-form")).to_be_hidden()


def test_four_presses_lead_from_the_lab_to_a_vocabulary_on_the_text(lab: Lab, tmp_path: Path):
    """Add tokenizer, Open tokenizer files, and two in the system's dialog: the file and its button."""
    characters = [chr(c) for c in [*range(33, 127), *range(161, 173), *range(174, 256)]]
    characters += [chr(256 + n) for n in range(256 - len(characters))]
    (tmp_path / "vocab.json").write_text(json.dumps({c: n for n, c in enumerate([*characters, "he", "ll", "hell"])}))
    (tmp_path / "merges.txt").write_text("#version: 0.2\nh e\nl l\nhe ll\n")
    lab.write("hello")
    choose_vocabulary(lab, tmp_path / "vocab.json", tmp_path / "merges.txt")
    added = lab.page.locator("tokenizer-chips .chip").nth(2)
    expect(added).to_have_attribute("data-active", "true")
    expect(lab.page.get_by_role("dialog")).to_be_hidden()
    lab.ready()
    name = added.get_attribute("data-tokenizer") or ""
    assert [token["id"] for token in lab.tokens(name)] == [258, characters.index("o")]
    lab.page.locator("[data-role=add-tokenizer]").click()
    yours = lab.page.get_by_role("group", name="Your tokenizers").locator(f"[role=option][data-tokenizer='{name}']")
    expect(yours).to_have_count(1)


def test_a_rank_file_asks_for_its_pattern(lab: Lab, tmp_path: Path):
    lab.tolerated = ("status of 4",)
    lab.page.locator("[data-role=add-tokenizer]").click()
    pattern = lab.page.get_by_label("Split pattern of tiny.tiktoken")
    expect(lab.page.locator("pattern-form")).to_be_hidden()
    lab.page.locator("[data-role=vocabulary-files]").set_input_files(tiny.rank_file(tmp_path))
    expect(pattern).to_be_focused()
    named = lab.page.locator("#patterns option").evaluate_all("all => all.map(option => option.value)")
    assert named == list(PATTERNS)
    pattern.fill("(")
    pattern.press("Enter")
    expect(lab.page.locator("[data-role=add-problem]")).to_contain_text("pattern")
    pattern.fill(r"hell|[^h]|h")
    pattern.press("Enter")
    added = lab.page.locator("tokenizer-chips .chip").nth(2)
    expect(added).to_have_attribute("data-active", "true")
    name = added.get_attribute("data-tokenizer") or ""
    lab.write("hello")
    assert [token["id"] for token in lab.tokens(name)] == [258, ord("o")]
