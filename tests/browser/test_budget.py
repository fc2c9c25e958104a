"""Inspect: the share of a context window, the price, and the text in pieces."""

import json

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_share_and_price_by_the_users_figures(lab: Lab):
    meter = lab.page.locator("context-meter")
    expect(meter).to_be_hidden()
    lab.write("to be or not to be")
    lab.switch("context and price").click()
    expect(meter).to_contain_text("no size given")
    expect(meter).to_contain_text("no price given")
    lab.page.locator("[data-role=contextSize]").fill("8")
    lab.page.locator("[data-role=price]").fill("$2.50")
    expect(meter.locator("[data-role=context-used]")).to_have_text("75.0\u2009%, 2 left")
    expect(meter.locator("[data-role=cost]")).to_have_text("this text: $0.000015")
    lab.page.locator("[data-role=contextSize]").fill("4")
    expect(meter.locator("[data-role=context-used]")).to_have_text("2 too many")
    lab.page.locator("[data-role=price]").fill("1,500")
    expect(meter.locator("[data-role=cost]")).to_contain_text("Write one number")
    lab.page.wait_for_timeout(500)
    lab.page.reload()
    lab.ready()
    expect(lab.page.locator("[data-role=contextSize]")).to_have_value("4")


def test_pieces_are_the_text(lab: Lab):
    text = "to be 日本語 or not 👩‍🔬 to be"
    lab.write(text)
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.page.locator("[data-role=pieces]").click()
    lab.page.locator("[data-role=pieces-every]").fill("2")
    expect(lab.page.locator("[data-role=pieces-words]")).to_contain_text("inside of a character: made before it")
    lab.page.locator("[data-role=copy-pieces]").click()
    expect(lab.page.locator("[data-role=pieces-said]")).to_have_text("Copied.")
    pieces = json.loads(lab.page.evaluate("navigator.clipboard.readText()"))
    assert "".join(pieces) == text
    assert pieces[0] == "to be"
    assert lab.page.locator(".pieces li").count() == len(pieces)
    lab.page.locator("[data-role=pieces-every]").fill("0")
    expect(lab.page.locator("[data-role=copy-pieces]")).to_be_disabled()
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator(".pieces-dialog")).to_be_hidden()
