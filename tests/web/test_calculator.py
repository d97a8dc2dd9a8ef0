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
BOARDS = (
    "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h",
    "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c",
    "Qs Js 4c / 7h 7c 5h 5c 2h / Td Th Ts 3c 3s",
)


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


def test_typed_boards_leave_what_they_do_not_tell(server: Server, open_browser: Opener) -> None:
    """Price, button and chips stay with the names, in whatever order; without names, with the places."""
    page = open_browser(DESKTOP).new_page()
    players = "&p=One*..*s620&p=Two*..*s1000&p=Dora*..*s13500"
    page.goto(f"{server.url}/calculator#rules=tournament&price=60&button=2{players}")

    def type_boards(*names: str) -> str:
        page.get_by_test_id("paste").first.click()
        page.get_by_test_id("calc-text-field").fill(
            "\n\n".join(f"{name}{board}" for name, board in zip(names, BOARDS, strict=True))
        )
        page.get_by_test_id("calc-text-use").click()
        expect(page.get_by_test_id("calc-text")).to_have_count(0)
        expect(page.get_by_test_id("result")).to_be_visible()
        page.get_by_test_id("copy-link").first.click()
        link = page.get_by_test_id("link").input_value()
        page.keyboard.press("Escape")
        return link

    link = type_boards("dora: ", "One: ", "Two: ")
    assert "price=60&button=0&" in link
    assert [part.rpartition("*")[2] for part in link.split("&p=")[1:]] == ["s13500", "s620", "s1000"]
    link = type_boards("", "", "")
    assert "price=60&button=0&" in link
    assert [part.rpartition("*")[2] for part in link.split("&p=")[1:]] == ["s13500", "s620", "s1000"]
    link = type_boards("Eve: ", "One (stack 700): ", "Two: ")
    assert "&button" not in link
    assert [part.rpartition("*")[2] for part in link.split("&p=")[1:]][1:] == ["s700", "s1000"]
