"""The points calculator in a browser: boards from text, the faults of a text, and a link that opens the same again."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.scenes import DESKTOP, PHONE

TYPED = """rules: tournament
price: 60
button: Bo
Anna (stack 300): 9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h
Bo – q♣ q♦ 4♠ / ks kd 9s 5d 2c / 10c 9d 8c 7d 6c (stack 900)
"""


def test_typed_boards_are_counted_and_the_link_opens_them_again(server: Server, open_browser: Opener) -> None:
    page = open_browser(DESKTOP, refused=400).new_page()
    page.goto(f"{server.url}/calculator")
    page.get_by_test_id("paste").first.click()
    field, problem = page.get_by_test_id("calc-text-field"), page.get_by_test_id("calc-text-problem")
    field.fill(TYPED)
    page.get_by_test_id("calc-text-use").click()
    expect(problem).to_contain_text("Bo")
    field.fill(TYPED.replace("Bo – q♣", "Bo (stack 900): q♣").replace(" (stack 900)\n", "\n"))
    page.get_by_test_id("calc-text-use").click()
    expect(field).to_have_count(0)
    expect(page.get_by_test_id("result")).to_contain_text("−4")
    expect(page.get_by_test_id("result")).to_contain_text("1,140")
    page.get_by_test_id("copy-link").first.click()
    link = page.get_by_test_id("link").input_value()
    again = open_browser(PHONE).new_page()
    again.goto(link)
    again.get_by_test_id("show-result").click()
    expect(again.get_by_test_id("total-0")).to_contain_text("−4")
    expect(again.get_by_test_id("result")).to_contain_text("1,140")
