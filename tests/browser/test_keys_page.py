"""The guide's page of keys lists what the lab lists."""

from tests.browser.conftest import Lab
from tests.browser.keys_page import PAGE, text_of


def test_the_page_of_keys_is_up_to_date(lab: Lab):
    assert PAGE.read_text(encoding="utf-8").splitlines() == text_of(lab).splitlines(), "make it again: make keys-page"
