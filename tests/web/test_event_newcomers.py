"""Who sits down while a hand is running: the pages leave them out of it, unless somebody says that they play."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, TablePhone, directing, opened_event, sitting
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import DESKTOP, PHONE

BOARDS = ("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h", "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")


def late(event: Observer) -> None:
    """Nine is seated at the table of two."""
    drawn(event)
    event.do("register", players=[{"name": "Ines Haddad", "club": "", "paid": True}])
    event.do("seat", player=9)


def last_points(event: Observer) -> dict[str, int]:
    points: dict[str, int] = event.look()["tables"]["3"]["last_hand"]["points"]
    return points


def test_points_are_complete_without_a_newcomer(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, late)
    first, second = (player for player in sitting(event.look(), 3) if player != 9)
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(3))
    phone.tap("enter-result")
    expect(phone.at("newcomer-9")).to_contain_text("from the next hand")
    expect(phone.at("points-9")).to_have_count(0)
    phone.tap("back")
    phone.enter({first: 7, second: -7})
    assert last_points(event) == {str(first): 7, str(second): -7}
    phone.tap("enter-result")
    expect(phone.at("points-9")).to_be_visible()
    expect(phone.at("newcomers")).to_have_count(0)


def test_a_newcomer_who_plays_is_taken_in_by_a_tap(server: Server, open_browser: Opener) -> None:
    """What was typed of the others stays, and another tap leaves them out again."""
    event = opened_event(server, PLAYERS, STRUCTURE, late)
    first, second = (player for player in sitting(event.look(), 3) if player != 9)
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(3))
    phone.tap("enter-result")
    phone.type_points({first: 7, second: -7})
    phone.tap("newcomer-9")
    expect(phone.at("newcomer-9")).to_contain_text("plays this hand")
    expect(phone.at(f"value-{first}")).to_have_text("7")
    phone.tap("newcomer-9")
    expect(phone.at("points-9")).to_have_count(0)
    phone.tap("newcomer-9")
    phone.type_points({second: -4, 9: -3})
    phone.tap("show-chips")
    phone.agree()
    assert last_points(event) == {str(first): 7, str(second): -4, "9": -3}


def test_the_calculator_of_a_table_has_no_board_of_a_newcomer(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, late)
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(3))
    phone.tap("enter-result")
    phone.tap("use-calculator")
    expect(phone.at("tab-2")).to_have_count(0)
    phone.tap("key-9c")
    phone.tap("newcomer-9")
    expect(phone.at("tab-2")).to_be_visible()
    expect(phone.at("tab-0")).to_contain_text("1 of 13")
    phone.tap("newcomer-9")
    expect(phone.at("tab-2")).to_have_count(0)
    for player, board in enumerate(BOARDS):
        phone.tap(f"tab-{player}")
        for card in board.replace("/", " ").split():
            if card != "9c":
                phone.tap(f"key-{card}")
    phone.tap("show-result")
    phone.tap("use-result")
    phone.agree()
    assert "9" not in last_points(event)


def test_the_director_enters_boards_without_a_newcomer(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, late)
    director = directing(event, open_browser(DESKTOP).new_page())
    director.tap("open-table-3")
    director.tap("enter-result")
    director.tap("enter-boards")
    dialog = director.at("boards-dialog")
    expect(dialog.get_by_test_id("board-1")).to_be_visible()
    expect(dialog.get_by_test_id("board-2")).to_have_count(0)
    dialog.get_by_test_id("newcomer-9").click()
    expect(dialog.get_by_test_id("board-2")).to_be_visible()
    dialog.get_by_test_id("newcomer-9").click()
    dialog.get_by_test_id("paste").first.click()
    director.at("calc-text-field").fill("\n".join(BOARDS))
    director.tap("calc-text-use")
    director.tap("use-result")
    director.tap("confirm-result")
    expect(director.at("panel-table")).to_be_visible()
    assert "9" not in last_points(event)
