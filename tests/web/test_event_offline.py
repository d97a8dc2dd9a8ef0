"""A table's phone without a connection: it plays on at the right price, and asks where it was wrong."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, TablePhone, opened_event, sitting
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn, held
from tests.web.scenes import PHONE

SECOND, BREAK, THIRD = 1, 2, 3
"""Steps of the clock: at 20, the break, at 40."""


def on_its_own(event: Observer, open_browser: Opener, table: int) -> TablePhone:
    """A table's phone, cut off, whose clock can be turned."""
    page = open_browser(PHONE).new_page()
    page.clock.install()
    phone = TablePhone(page, event.address_of(table))
    page.context.set_offline(True)
    return phone


def second_level(event: Observer) -> None:
    drawn(event)
    event.do("jump", step=SECOND)
    for table in (1, 2, 3):
        event.points(table, *([0] * len(sitting(event.look(), table))))


def test_a_phone_without_connection_goes_on_with_the_clock(server: Server, open_browser: Opener) -> None:
    """A level that ends leaves the price to the hand being played; a break that is over leaves it to none."""
    event = opened_event(server, PLAYERS, STRUCTURE, second_level)
    phone = on_its_own(event, open_browser, 2)
    expect(phone.price).to_have_text("20")
    phone.page.clock.fast_forward("25:00")
    expect(phone.at("connection")).to_have_text("No connection")
    expect(phone.price).to_have_text("20")
    expect(phone.at("next-price")).to_have_text("40")
    first, second, third = sitting(event.look(), 2)
    phone.enter({first: 0, second: 0, third: 0})
    expect(phone.price).to_have_text("40")  # begun in the break
    phone.page.clock.fast_forward("10:00")
    expect(phone.price).to_have_text("40")
    expect(phone.at("next-price")).to_have_text("60")
    phone.page.clock.fast_forward("20:00")
    expect(phone.price).to_have_text("40")
    phone.ask_about({first: 3, second: -2, third: -1})
    expect(phone.at("confirm").get_by_test_id("price")).to_contain_text("40")
    phone.agree()
    expect(phone.price).to_have_text("60")
    expect(phone.at(f"stack-of-{first}")).to_have_text("1,120")


def test_a_hand_after_a_break_that_passed_unheard_is_paid_at_the_new_price(
    server: Server, open_browser: Opener
) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, second_level)
    phone = on_its_own(event, open_browser, 2)
    phone.page.clock.fast_forward("31:00")
    expect(phone.price).to_have_text("40")
    first, second, third = sitting(event.look(), 2)
    before = event.look()["players"][str(first)]["stack"]
    phone.enter({first: 3, second: -2, third: -1})
    expect(phone.at(f"stack-of-{first}")).to_have_text(f"{before + 120:,}")
    event.do("jump", step=BREAK)
    event.do("jump", step=THIRD)
    phone.page.context.set_offline(False)
    expect(phone.at("seats")).not_to_contain_text("not yet sent")
    assert event.look()["players"][str(first)]["stack"] == before + 120


def test_a_table_in_fantasyland_keeps_its_price_through_a_break_without_connection(
    server: Server, open_browser: Opener
) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, held)
    phone = on_its_own(event, open_browser, 1)
    phone.page.clock.fast_forward("31:00")
    expect(phone.at("clock-price")).to_have_text("40")
    expect(phone.price).to_have_text("10")


def test_a_hand_at_a_price_that_was_not_in_force_asks_which_holds(server: Server, open_browser: Opener) -> None:
    """The phone's clock ran ahead: what it kept at 40 is shown beside what it comes to at 20, and is sent so."""
    event = opened_event(server, PLAYERS, STRUCTURE, second_level)
    phone = on_its_own(event, open_browser, 2)
    phone.page.clock.fast_forward("31:00")
    first, second, third = sitting(event.look(), 2)
    before = event.look()["players"][str(first)]["stack"]
    phone.enter({first: 3, second: -2, third: -1})
    phone.page.context.set_offline(False)
    sheet = phone.at("conflict")
    expect(sheet.get_by_role("region", name="This phone")).to_contain_text("at 40 a point")
    expect(sheet.get_by_role("region", name="As things are now")).to_contain_text("at 20 a point")
    assert event.look()["players"][str(first)]["stack"] == before
    expect(phone.at("send-now")).to_have_text("Send it at 20 a point")
    phone.tap("send-now")
    expect(sheet).to_have_count(0)
    expect(phone.at("seats")).not_to_contain_text("not yet sent")
    expect(phone.at(f"stack-of-{first}")).to_have_text(f"{before + 60:,}")
    assert event.look()["players"][str(first)]["stack"] == before + 60
