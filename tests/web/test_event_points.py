"""Points that do not say what to pay: the page asks who won from whom, and settles by that."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, TablePhone, opened_event, sitting
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import PHONE


def test_a_short_stack_makes_the_page_ask_who_won_from_whom(server: Server, open_browser: Opener) -> None:
    """The last has 50 chips at 10 a point: what the others get depends on whom the points came from."""

    def short(event: Observer) -> None:
        drawn(event)
        event.do("stack", player=sitting(event.look(), 1)[2], stack=50, reason="as it is")

    event = opened_event(server, PLAYERS[:3], STRUCTURE, short)
    first, second, third = sitting(event.look(), 1)
    names = [event.look()["players"][str(player)]["name"] for player in (first, second, third)]
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(1))
    phone.tap("enter-result")
    phone.type_points({first: 8, second: 2, third: -10})
    phone.tap("show-chips")
    expect(phone.at("approximate")).to_be_visible()
    phone.tap("who-from-whom")
    sheet = phone.at("pairs-sheet")
    expect(sheet).to_contain_text(f"{names[0]} won from {names[1]}, points")
    expect(phone.at("pair-go")).to_be_disabled()
    phone.at("pair-points").fill("4")
    expect(sheet).to_contain_text(f"{names[0]} from {names[1]} +4")
    expect(sheet).to_contain_text(f"{names[0]} from {names[2]} +4")
    expect(sheet).to_contain_text(f"{names[1]} from {names[2]} +6")
    phone.tap("pair-turn")
    expect(sheet).to_contain_text(f"{names[1]} from {names[0]} +4")
    expect(sheet).to_contain_text(f"{names[0]} from {names[2]} +12")
    expect(sheet).to_contain_text(f"{names[2]} from {names[1]} +2")
    phone.tap("pair-turn")
    phone.at("pair-points").press("Enter")
    expect(sheet).to_have_count(0)
    expect(phone.at("approximate")).to_have_count(0)
    phone.agree()
    view = event.look()
    paid = {(one["loser"], one["winner"]): one for one in view["tables"]["1"]["last_hand"]["payments"] if one["points"]}
    assert {pair: one["points"] for pair, one in paid.items()} == {
        (second, first): 4,
        (third, first): 4,
        (third, second): 6,
    }
    assert paid[second, first]["chips"] == 40
    assert sum(one["chips"] for one in paid.values()) == 40 + 50
    assert view["players"][str(third)]["stack"] == 0
