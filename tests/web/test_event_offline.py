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
TWO_BOARDS = ("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h", "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")


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


def entered_twice(event: Observer, open_browser: Opener) -> tuple[TablePhone, list[int]]:
    """A phone that entered hands 1 and 2 offline comes back after another phone entered another hand 1."""
    phone = on_its_own(event, open_browser, 2)
    players = sitting(event.look(), 2)
    phone.enter(dict(zip(players, (12, -4, -8), strict=True)))
    phone.enter(dict(zip(players, (3, -2, -1), strict=True)))
    event.points(2, -6, 10, -4)
    phone.page.context.set_offline(False)
    expect(phone.at("conflict")).to_contain_text("Hand 1 is entered already")
    return phone, players


def stacks(event: Observer, players: list[int]) -> list[int]:
    view = event.look()
    return [view["players"][str(player)]["stack"] for player in players]


def expect_empty_pad(phone: TablePhone, hand: int, players: list[int]) -> None:
    expect(phone.at("seats")).not_to_contain_text("not yet sent")
    phone.tap("enter-result")
    expect(phone.page.get_by_role("heading", name=f"Points of hand {hand}")).to_be_visible()
    for player in players:
        expect(phone.at(f"value-{player}")).to_have_text("–")


def test_ours_goes_in_place_of_a_hand_that_another_phone_entered_first(server: Server, open_browser: Opener) -> None:
    """Nothing that was entered after it goes out before that is decided."""
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    phone, players = entered_twice(event, open_browser)
    sheet = phone.at("conflict")
    expect(sheet.get_by_role("region", name="This phone")).to_contain_text("+12")
    expect(sheet.get_by_role("region", name="The other phone")).to_contain_text("+10")
    expect(sheet).to_contain_text("1 hand after it is kept on this phone")
    assert event.look()["tables"]["2"]["hand"] == 2
    phone.tap("enter-ours")
    expect(sheet).to_have_count(0)
    expect_empty_pad(phone, 3, players)
    assert stacks(event, players) == [1150, 940, 910]


def test_theirs_is_kept_and_the_rest_goes_out(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    phone, players = entered_twice(event, open_browser)
    phone.tap("keep-theirs")
    expect(phone.at("conflict")).to_have_count(0)
    expect_empty_pad(phone, 3, players)
    assert stacks(event, players) == [970, 1080, 950]


def test_a_hand_that_the_other_phone_takes_back_while_it_is_asked_leaves_room_for_ours(
    server: Server, open_browser: Opener
) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    phone, players = entered_twice(event, open_browser)
    event.do("undo", action=event.look()["tables"]["2"]["undo"])
    expect(phone.at("conflict")).to_contain_text("has taken its hand 1 back")
    phone.tap("enter-ours")
    expect_empty_pad(phone, 3, players)
    assert stacks(event, players) == [1150, 940, 910]


def test_the_newest_hand_that_was_not_sent_is_taken_back_with_its_numbers(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    phone = on_its_own(event, open_browser, 2)
    first, second, third = sitting(event.look(), 2)
    phone.enter({first: 12, second: -4, third: -8})
    phone.enter({first: 3, second: -2, third: -1})
    expect(phone.at("undo")).to_have_text("Undo hand 2")
    phone.tap("undo")
    expect(phone.at("undo-sheet").get_by_test_id(f"stack-{first}")).to_contain_text("1,120")
    phone.tap("undo-go")
    expect(phone.page.get_by_role("heading", name="Points of hand 2")).to_be_visible()
    expect(phone.at(f"value-{first}")).to_have_text("3")
    phone.tap(f"sign-{second}")
    phone.tap("show-chips")
    phone.agree()
    expect(phone.at(f"stack-of-{second}")).to_have_text("980")
    phone.page.context.set_offline(False)
    expect(phone.at("seats")).not_to_contain_text("not yet sent")
    view = event.look()
    assert view["tables"]["2"]["hand"] == 3
    assert view["players"][str(second)]["stack"] == 980
    assert not [line for line in view["log"] if line["undone"]]


def test_boards_that_were_not_sent_are_taken_back_to_the_calculator(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS[:2], STRUCTURE, drawn)
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(1))
    phone.tap("enter-result")
    phone.tap("use-calculator")
    for player, board in enumerate(TWO_BOARDS):
        phone.tap(f"tab-{player}")
        for card in board.replace("/", " ").split():
            phone.tap(f"key-{card}")
    phone.tap("show-result")
    phone.tap("use-result")
    expect(phone.at("confirm")).to_be_visible()
    phone.page.context.set_offline(True)
    phone.agree()
    phone.tap("undo")
    phone.tap("undo-go")
    expect(phone.at("tab-0")).to_contain_text("13 cards")
    expect(phone.at("tab-1")).to_contain_text("13 cards")
    assert event.look()["tables"]["1"]["hand"] == 1
