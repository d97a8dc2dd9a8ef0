"""A tournament from registration to prizes, as the people in the room run it: through the pages alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, EventView, Observer, TablePhone, knock_out, lend, opened_event, sitting
from tests.web.scenes import DESKTOP, PHONE

NAMES = ["Ana", "Ben", "Cid", "Dag", "Eve", "Fay", "Gus"]
WITHOUT_FANTASYLAND = "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"
QUEENS_ON_TOP = "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"
STACK = 1000
FIRST, SECOND, BREAK, FIFTH = 0, 1, 4, 5
"""Steps of the clock: at 10, at 20, the break, and at 50 a point."""


@dataclass(frozen=True, slots=True)
class Room:
    """Everything in the room."""

    server: Server
    director: Director
    phones: dict[int, TablePhone]
    screen: Page
    sight: Observer

    def look(self) -> EventView:
        return self.sight.look()

    def clock_is(self, price: str) -> None:
        expect(self.screen.get_by_test_id("big-price").locator("b")).to_have_text(price)

    def players_left(self, number: int) -> None:
        expect(self.screen.get_by_test_id("players-left")).to_have_text(str(number))


def test_an_event_from_registration_to_prizes(own_server: Server, open_browser: Opener) -> None:
    room = open_the_room(own_server, open_browser)
    view = room.look()
    fives = [number for number in (1, 2, 3) if len(sitting(view, number)) == 2]
    (three,) = {1, 2, 3} - set(fives)
    calm, keeping = fives
    boards_bring_fantasyland(room, keeping)
    the_price_is_kept_over_a_level(room, keeping, calm)
    the_director_undoes_a_mistake(room, three)
    the_server_is_killed(room, keeping)
    a_phone_without_connection_sends_its_hand_once(room, calm)
    the_price_is_kept_over_a_break(room, keeping, calm)
    a_table_is_broken(room, three)
    the_last_two_play_heads_up(room)
    prizes_are_given(room)


def open_the_room(server: Server, open_browser: Opener) -> Room:
    director = Director(open_browser(DESKTOP).new_page())
    event = director.open_event(server.url, "Thursday Pineapple")
    director.at("wish-stack").fill(str(STACK))
    director.at("wish-stack").blur()
    director.register(NAMES)
    director.set_prizes(fee=20, percents="50 30 20")
    director.draw()
    phones = {table: TablePhone(open_browser(PHONE).new_page(), director.address_of(table)) for table in (1, 2, 3)}
    screen = open_browser((1920, 1080)).new_page()
    room = Room(server, director, phones, screen, Observer(server, event))
    screen.goto(room.sight.page("/screen"))
    director.tap("start-clock")
    room.clock_is("10")
    room.players_left(7)
    return room


def boards_bring_fantasyland(room: Room, table: int) -> None:
    """Boards say by themselves who goes into Fantasyland."""
    phone = room.phones[table]
    phone.enter_boards([WITHOUT_FANTASYLAND, QUEENS_ON_TOP])
    expect(phone.at("enter-result")).to_have_text("Enter Fantasyland hand")
    expect(room.director.at(f"tile-{table}")).to_contain_text("In Fantasyland")
    _, second = sitting(room.look(), table)
    assert room.look()["players"][str(second)]["fantasyland"] == 14


def the_price_is_kept_over_a_level(room: Room, table: int, other: int) -> None:
    room.director.go_to_step(SECOND)
    room.clock_is("20")
    phone = room.phones[table]
    expect(phone.price).to_have_text("10")
    expect(phone.at("clock-price")).to_have_text("20")
    expect(room.screen.get_by_test_id("big-fantasyland")).to_contain_text(re.compile(f"Table {table}.*keeps 10"))
    # A table that is not held plays its hand in progress to the end, then at the new price.
    room.phones[other].enter(dict.fromkeys(sitting(room.look(), other), 0))
    expect(room.phones[other].price).to_have_text("20")


def the_director_undoes_a_mistake(room: Room, table: int) -> None:
    view = room.look()
    first, second, third = sitting(view, table)
    phone = room.phones[table]
    phone.enter({first: 60, second: -50, third: -10})
    expect(phone.at("enter-result")).to_have_text("Enter result of hand 2")
    room.director.undo_hand(table)
    expect(phone.at("enter-result")).to_have_text("Enter result of hand 1")
    assert {player["stack"] for player in room.look()["players"].values() if player["table"] == table} == {STACK}
    phone.enter({first: 6, second: -5, third: -1})
    expect(phone.at(f"stack-of-{first}")).to_have_text("1,060")
    expect(room.director.page.locator("s").first).to_be_visible()


def the_server_is_killed(room: Room, held: int) -> None:
    before = room.look()
    room.server.kill()
    room.server.start()
    after = room.look()
    for part in ("players", "tables", "event", "seq"):
        assert after[part] == before[part]
    # The pages go on by themselves: what is done on one shows on the others.
    left = room.director.at("clock").inner_text()
    room.director.tap("minute-more")
    expect(room.director.at("clock")).not_to_have_text(left)
    expect(room.phones[held].price).to_have_text("10")


def a_phone_without_connection_sends_its_hand_once(room: Room, table: int) -> None:
    view = room.look()
    first, second = sitting(view, table)
    hand = view["tables"][str(table)]["hand"]
    phone = room.phones[table]
    phone.page.context.set_offline(True)
    phone.enter({first: 3, second: -3})
    expect(phone.at("toast")).to_contain_text(f"Hand {hand} is saved on this phone")
    expect(phone.at("seats")).to_contain_text("not yet sent")
    expect(phone.at("connection")).to_have_text("No connection")
    assert room.look()["tables"][str(table)]["hand"] == hand
    phone.page.context.set_offline(False)
    expect(phone.at("toast")).to_contain_text("Sent. 1 hand was added.")
    view = room.look()
    assert view["tables"][str(table)]["hand"] == hand + 1
    assert view["players"][str(first)]["stack"] == STACK + 3 * 20
    expect(phone.at("seats")).not_to_contain_text("not yet sent")


def the_price_is_kept_over_a_break(room: Room, table: int, other: int) -> None:
    phone = room.phones[table]
    view = room.look()
    first, second = sitting(view, table)
    button = view["tables"][str(table)]["button"]
    phone.enter({first: 4, second: -4}, {first: 15})
    expect(phone.price).to_have_text("10")
    room.director.go_to_step(BREAK)
    expect(room.screen.get_by_role("heading", name="Break")).to_be_visible()
    room.clock_is("50")  # to come
    expect(phone.at("next-price")).to_have_text("50")
    expect(room.screen.get_by_test_id("ticker")).to_contain_text(f"Table {table} finishes Fantasyland first")
    expect(phone.price).to_have_text("10")
    room.director.go_to_step(FIFTH)
    room.clock_is("50")
    expect(phone.price).to_have_text("10")
    phone.expect_button(button)
    phone.enter({first: -2, second: 2})
    expect(phone.price).to_have_text("50")
    assert room.look()["tables"][str(table)]["button"] != button
    room.phones[other].enter(dict.fromkeys(sitting(room.look(), other), 0))


def a_table_is_broken(room: Room, table: int) -> None:
    """With a player fewer two tables are enough: the director takes what is proposed, the hand ends, they walk."""
    room.phones[table].enter(dict.fromkeys(sitting(room.look(), table), 0))
    room.phones[table].enter(knock_out(room.look(), table))
    room.players_left(6)
    expect(room.director.at("proposed")).to_be_visible()
    tables_are(room, 2)
    closed = next(number for number in (1, 2, 3) if str(number) not in room.look()["tables"])
    expect(room.phones[closed].at("table-waiting")).to_contain_text(f"Table {closed} is closed")


def tables_are(room: Room, number: int) -> None:
    """Accept moves, and end the hands that they wait for, until so many tables are open and nobody is to move."""
    for _ in range(10):
        view = room.look()
        if view["proposed"]:
            room.director.accept_all()
        elif view["moves"]:
            source = view["players"][str(view["moves"][0]["player"])]["table"]
            room.phones[source].enter(dict.fromkeys(sitting(view, source), 0))
        else:
            break
    assert len(room.look()["tables"]) == number


def the_last_two_play_heads_up(room: Room) -> None:
    for left, tables in ((5, 2), (4, 2), (3, 1), (2, 1)):
        view = room.look()
        largest = max((int(number) for number in view["tables"]), key=lambda number: len(sitting(view, number)))
        room.phones[largest].enter(knock_out(view, largest))
        room.players_left(left)
        tables_are(room, tables)
    view = room.look()
    (table,) = (int(number) for number in view["tables"])
    first, second = sitting(view, table)
    phone = room.phones[table]
    phone.enter({first: 2, second: -2})
    phone.ask_about(knock_out(room.look(), table))
    expect(phone.at("confirm")).to_contain_text("is out in place 2 of 7")
    phone.agree()
    expect(phone.at("waiting")).to_contain_text("has won all the chips. The director finishes the event.")


def prizes_are_given(room: Room) -> None:
    room.director.finish()
    view = room.look()
    places = sorted((player["place"], player["prize"], player["name"]) for player in view["players"].values())
    assert [place for place, *_ in places] == [1, 2, 3, 4, 5, 6, 7]
    prizes = [prize for _, prize, _ in places if prize]
    assert len(prizes) == 3
    assert sum(prizes) == 7 * 20
    winner = places[0][2]
    expect(room.screen.get_by_test_id("winner")).to_have_text(winner)
    room.director.tap("menu-players")
    expect(room.director.at("players").locator("li").first).to_contain_text(winner)
    players = room.screen
    players.goto(room.sight.page("#standings"))
    expect(players.get_by_test_id("standings").locator("tbody tr").first).to_contain_text(winner)
    expect(players.get_by_test_id("prizes")).to_contain_text("140")


def test_bo_and_anna_keep_100_until_nobody_earns_fantasyland(server: Server, open_browser: Opener) -> None:
    """The example of the rules page: 100, 100, 100, then 200 and the button moves."""
    levels = [{"kind": "level", "price": price, "minutes": 20, "hands": None} for price in (100, 200)]
    structure = {"starting_stack": 10_000, "steps": levels, "late_until": 0, "reentries": 0}
    event = opened_event(server, ["Anna", "Bo"], structure)
    event.do("draw")
    event.do("start-clock")
    view = event.look()
    anna, bo = (int(number) for number in sorted(view["players"], key=lambda one: str(view["players"][one]["name"])))
    button = view["tables"]["1"]["button"]
    laptop, phone_page = open_browser(DESKTOP).new_page(), open_browser(PHONE).new_page()
    lend(event, laptop)
    laptop.goto(event.page("/direct"))
    director = Director(laptop)
    phone = TablePhone(phone_page, event.address_of(1))
    by_seat = sitting(view, 1)

    def points(of_bo: int) -> dict[int, int]:
        return {player: of_bo if player == bo else -of_bo for player in by_seat}

    expect(phone.price).to_have_text("100")
    phone.ask_about(points(5), {bo: 14})
    director.go_to_step(1)
    expect(phone.at("confirm").get_by_test_id("price")).to_contain_text("100")
    phone.agree()
    expect(phone.price).to_have_text("100")
    expect(phone.at("clock-price")).to_have_text("200")
    phone.expect_button(button)
    phone.enter(points(-3), {anna: 15})
    expect(phone.price).to_have_text("100")
    phone.expect_button(button)
    phone.enter(points(2))
    expect(phone.price).to_have_text("200")
    phone.expect_button(
        next(seat for seat, player in enumerate(view["tables"]["1"]["seats"]) if player and seat != button)
    )
    assert event.look()["players"][str(bo)]["stack"] == 10_000 + (5 - 3 + 2) * 100
