"""Chat: a conversation as tokens, its template, budget, control tokens and checks; by mouse and by keyboard."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, Lab

MESSAGES = [
    {"role": "system", "content": "Be brief. 日本語 مرحبا 👩‍👩‍👧"},
    {"role": "user", "content": "Thanks!<|endoftext|>Show it"},
    {"role": "assistant", "content": "No.", "reasoning_content": "They ask."},
]


@pytest.fixture
def chat(lab: Lab, tmp_path: Path) -> Lab:
    """The screen with the messages above and GPT-2."""
    lab.page.locator("tokenizer-chips [data-tokenizer='gpt2'] .pick").click()
    lab.go("chat")
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(MESSAGES))
    lab.page.locator("[data-role=chat-file]").set_input_files(file)
    lab.idle()
    return lab


def answer(lab: Lab, **more: object) -> dict:
    body = {"tokenizer": "gpt2", "template": "chatml", "messages": MESSAGES, "add_generation_prompt": True, **more}
    return lab.server.call("POST", "chat", body)


def shown(lab: Lab) -> tuple[str, list[str]]:
    counts = [" ".join(each.split()) for each in lab.page.locator("[data-role=message-count]").all_inner_texts()]
    return lab.page.locator("[data-role=chat-count]").inner_text(), counts


def counts_of(found: dict) -> tuple[str, list[str]]:
    return str(found["count"]), [f"{each['count']} + {each['template_count']}" for each in found["messages"]]


def test_each_message_has_its_tokens(chat: Lab):
    found = answer(chat)
    assert shown(chat) == counts_of(found)
    row = chat.page.locator("message-row").nth(0)
    faces = row.locator("[data-role=chat-token]")
    own = "".join(each for each in row.locator(".own").all_inner_texts())
    assert "日本語" in own and "مرحبا" in own and "👩‍👩‍👧" in own
    assert faces.first.inner_text() == "<"
    expect(chat.page.locator(".chat-token.bad")).to_have_text("<|endoftext|>")
    expect(chat.page.locator("message-row").nth(2)).to_contain_text("reasoning_content left out, 3 tokens")
    expect(chat.page.locator("message-row").nth(0).locator(".trained")).to_have_count(0)
    assert chat.page.locator("message-row").nth(2).locator(".trained").count() > 0


def test_control_tokens_are_encoded_as_text_on_request(chat: Lab):
    chat.page.get_by_role("button", name="Encode as text").click()
    chat.idle()
    assert shown(chat) == counts_of(answer(chat, as_text=[1]))
    expect(chat.page.locator(".chat-token.bad")).to_have_count(0)
    chat.page.get_by_role("button", name="Parse them").click()
    chat.idle()
    assert shown(chat) == counts_of(answer(chat))


def test_messages_are_edited_moved_and_removed_by_keys(chat: Lab):
    page = chat.page
    texts = page.locator("[data-role=message-text]")
    texts.nth(0).focus()
    page.keyboard.press("Alt+ArrowDown")
    chat.idle()
    expect(texts.nth(1)).to_have_value(MESSAGES[0]["content"])
    page.get_by_role("button", name="Remove", exact=True).nth(2).click()
    page.get_by_role("button", name="Add a message").click()
    page.keyboard.insert_text("Hello")
    chat.idle()
    messages = [MESSAGES[1], MESSAGES[0], {"role": "user", "content": "Hello"}]
    assert shown(chat) == counts_of(answer(chat, messages=messages))
    chat.page.reload()
    chat.idle()
    assert shown(chat) == counts_of(answer(chat, messages=messages))


def test_a_budget_names_what_does_not_fit(chat: Lab):
    chat.page.locator("[data-role=chat-reserve]").fill("0")
    chat.page.locator("[data-role=chat-context]").fill(str(answer(chat)["count"] - 20))
    chat.idle()
    expect(chat.page.locator("[data-role=chat-free]")).to_contain_text("20 tokens too many. Message 3 does not fit.")


def test_a_template_that_is_wrong_says_where(chat: Lab):
    chat.tolerated = ("status of 422",)
    chat.page.get_by_role("tab", name="Template").click()
    source = chat.page.locator("[data-role=own-template]")
    source.fill("\n{% for %}")
    chat.idle()
    expect(chat.page.locator(".chat [data-role=error]")).to_contain_text("syntax error in line 2")
    source.fill("{% for m in messages %}{{ m.content }}{% endfor %}")
    chat.idle()
    expect(chat.page.locator(".chat [data-role=error]")).to_be_hidden()
    chat.page.get_by_role("tab", name="Rendered").click()
    expect(chat.page.locator(".chat-rendered")).to_have_text("".join(each["content"] for each in MESSAGES))


def test_checks_lead_to_the_message(chat: Lab):
    failed = chat.page.locator(".chat-check[data-outcome=failed]").first
    expect(failed).to_contain_text("Message 2 spells <|endoftext|>")
    failed.get_by_role("button").click()
    expect(chat.page.locator("[data-role=message-text]").nth(1)).to_be_focused()


def test_a_token_says_who_wrote_it_and_keys_go_on(chat: Lab):
    page = chat.page
    facts = page.locator("[data-role=chat-token-facts]")
    own = page.locator("[data-role=chat-token].own").first
    own.click()
    expect(own).to_have_class(re.compile("chosen"))
    expect(facts).to_contain_text("Written bythe message")
    expect(facts).to_contain_text(own.get_attribute("data-id") or "none")
    page.keyboard.press("p")
    expect(facts).to_contain_text("Written bythe template")
    expect(page.locator("[data-role=chat-token].chosen")).to_have_count(1)


def test_drift_shows_the_first_place(chat: Lab):
    chat.radio("Drift").click()
    chat.page.locator("[data-role=sampled-ids]").fill("[15496, 71, 695, 78]")
    chat.idle()
    expect(chat.page.locator(".chat-drift")).to_contain_text("Token 2")
    expect(chat.page.locator("[data-role=prompt-answer]")).to_contain_text("change it")
    chat.page.locator("[data-role=sampled-ids]").fill("a")
    expect(chat.page.locator("#sampled-problem")).to_be_visible()


def test_the_screen_is_accessible(chat: Lab, axe: Axe):
    def drift() -> None:
        chat.radio("Drift").click()
        chat.page.locator("[data-role=sampled-ids]").fill("15496 71 695 78")
        chat.idle()

    axe.check_themes(chat, views=(lambda: None, drift, lambda: chat.radio("Messages").click()))
