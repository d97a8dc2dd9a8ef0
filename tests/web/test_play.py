"""Whole matches in the browser: with a mouse, with a finger, with keys alone, and through whatever can be lost."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.hands import Hands, Keyboard, Mouse, Touch, expect_placed
from tests.web.player import (
    Player,
    beside,
    is_in_fantasyland,
    is_over,
    is_showdown,
    is_to_act,
    own,
    sensible_placements,
    street_is,
)
from tests.web.scenes import DESKTOP, PHONE, into_fantasyland, open_page, prepared

HANDS = 2
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

KEEP_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...all) { super(...all); window.sockets.push(this); }
};
"""


@pytest.fixture(scope="module")
def fantasyland_seed(server: Server) -> int:
    """The deals of three seats at which one who plays sensibly is in Fantasyland in the second hand."""
    with prepared(server, into_fantasyland) as player:
        assert player.seed is not None
        return player.seed


def seed_deals(page: Page, seed: int) -> None:
    """What the lobby asks for gets these deals; everything else stays as it was chosen there."""

    def add_seed(route: Route, request: Request) -> None:
        if request.method == "POST":
            wishes: dict[str, Any] = json.loads(request.post_data or "")
            route.continue_(post_data=json.dumps({**wishes, "seed": seed}))
        else:
            route.continue_()

    page.route("**/api/tables", add_seed)


def table_of(page: Page) -> str:
    page.wait_for_url(re.compile("/table/"))
    return page.url.rpartition("/")[2]


def play_match(hands: Hands, player: Player) -> set[int]:
    """Play on, with these hands, until the match is over; return the hands that were Fantasyland."""
    page, fantasylands = hands.page, set()
    while not is_over(player.wait_for_turn()):
        view = player.view
        if is_showdown(view):
            expect(page.get_by_test_id("showdown")).to_be_visible()
            hands.next_hand()
            player.wait(lambda now: not is_showdown(now))
            continue
        expect_cards(page, view["cards"])
        if is_in_fantasyland(view):
            fantasylands.add(view["hand"])
            expect(page.get_by_test_id("fantasyland")).to_contain_text(f"Fantasyland {len(view['cards'])}")
        else:
            expect(page.get_by_test_id("street")).to_contain_text(f"Street {view['street']}")
        hands.place(view, sensible_placements(view))
        expect(page.get_by_test_id("confirm")).to_have_attribute("aria-disabled", "false")
        hands.confirm()
        player.wait_for_own_move()
    return fantasylands


def expect_cards(page: Page, cards: list[str]) -> None:
    """These cards, and no other, lie in the tray."""
    for card in cards:
        expect(page.get_by_test_id(f"card-{card}")).to_be_visible()
    expect(page.get_by_test_id("tray").locator(".tray-card")).to_have_count(len(cards))


def expect_result(page: Page, player: Player) -> None:
    """The page shows the match's places and standings."""
    view = player.view
    lines = page.get_by_test_id("match-over").get_by_role("listitem")
    expect(lines).to_have_count(len(view["seats"]))
    shown = [line.inner_text() for line in lines.all()]
    for seat, place in zip(view["seats"], view["match"]["places"], strict=True):
        name = "You" if seat["seat"] == view["you"] else seat["name"]
        ordinal = {1: "1st", 2: "2nd", 3: "3rd"}[place]
        standing = str(abs(seat["standing"]))
        assert any(ordinal in text and name in text and standing in text for text in shown), shown


def replay_first_hand(hands: Hands, player: Player) -> None:
    """Open the match's first hand from the ended table and step through it."""
    page = hands.page
    hands.press("menu")
    hands.press("hand-1")
    expect(page.get_by_test_id("replay")).to_be_visible()
    frames = player.visitor.get(f"/api/tables/{player.table}/hands/1").json()["frames"]
    expect(page.get_by_test_id("replay-step")).to_have_text(f"1 of {len(frames)}")
    for number, frame in enumerate(frames[1:], start=2):
        hands.press("replay-next")
        expect(page.get_by_test_id("replay-step")).to_have_text(f"{number} of {len(frames)}")
        if frame["phase"] == "placing":
            expect(page.get_by_test_id("street")).to_have_text(f"Street {frame['street']}")
    expect(page.get_by_test_id("showdown")).to_be_visible()
    expect(page.get_by_test_id(f"result-{player.view['you']}")).to_be_visible()
    hands.press("replay-back")
    expect(page.get_by_test_id("match-over")).to_be_visible()


def rematch(hands: Hands, player: Player) -> None:
    """The same seats start at zero."""
    hands.press("rematch")
    player.wait(lambda view: view["phase"] == "placing")
    assert [seat["standing"] for seat in player.view["seats"]] == [0, 0, 0]
    expect(hands.page.get_by_test_id("turn")).to_be_visible()
    expect(hands.page.get_by_test_id("match-over")).to_have_count(0)


def start_in_lobby(page: Page, server: Server, seed: int) -> None:
    seed_deals(page, seed)
    page.goto(server.url)
    page.get_by_test_id("seats-3").click()
    page.get_by_test_id("rules-ultimate").click()
    page.get_by_test_id("bots-heuristic").click()
    page.locator("summary").click()
    page.get_by_test_id("hands-in-match").fill(str(HANDS))
    page.get_by_test_id("deal").click()


def play_whole_match(hands: Hands, server: Server, context: BrowserContext) -> None:
    with beside(server, context, table_of(hands.page)) as player:
        assert (player.view["hands"], len(player.view["seats"])) == (HANDS, 3)
        assert play_match(hands, player) >= {2}
        expect_result(hands.page, player)
        replay_first_hand(hands, player)
        rematch(hands, player)


def test_match_by_mouse(server: Server, open_browser: Opener, fantasyland_seed: int) -> None:
    context = open_browser(DESKTOP, reduced_motion="no-preference")
    page = context.new_page()
    start_in_lobby(page, server, fantasyland_seed)
    mouse = Mouse(page)
    play_whole_match(mouse, server, context)
    assert mouse.drags


def test_match_by_touch(server: Server, open_browser: Opener, fantasyland_seed: int) -> None:
    context = open_browser(PHONE)
    page = context.new_page()
    start_in_lobby(page, server, fantasyland_seed)
    touch = Touch(page)
    play_whole_match(touch, server, context)
    assert touch.drags


def test_match_by_keyboard_alone(server: Server, open_browser: Opener, fantasyland_seed: int) -> None:
    context = open_browser(DESKTOP)
    page = context.new_page()
    seed_deals(page, fantasyland_seed)
    page.goto(server.url)
    expect(page.get_by_test_id("deal")).to_be_visible()
    keyboard = Keyboard(page)
    keyboard.press("seats-3")
    for _ in range(40):
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
        keyboard.key("Tab")
    keyboard.key("Enter")
    keyboard.reach("hands-in-match")
    keyboard.key("Control+a")
    page.keyboard.type(str(HANDS))
    keyboard.press("deal")
    play_whole_match(keyboard, server, context)


def test_reload_keeps_the_unconfirmed_arrangement(server: Server, open_browser: Opener) -> None:
    with prepared(server, lambda player: bool(player.play_until(street_is(3)))) as player:
        page = open_page(open_browser(), player)
        kept, thrown, loose = player.view["cards"]
        row = sensible_placements(player.view)[0]["row"]
        board = own(player.view)["board"]
        mouse = Mouse(page)
        mouse.put(kept, row)
        page.get_by_test_id(f"card-{thrown}").click()
        page.get_by_test_id("discard").click()
        page.reload()
        expect_placed(page, kept, row)
        expect(page.get_by_test_id(f"card-{thrown}")).to_have_accessible_name(re.compile("goes to the discards"))
        expect(page.get_by_test_id(f"card-{loose}")).not_to_have_accessible_name(re.compile("goes to the discards"))
        for cards in board.values():
            for card in cards:
                assert page.get_by_test_id("own-board").get_by_role("img", name=words(card)).count() == 1
        assert player.view["cards"] == [kept, thrown, loose]


def test_lost_connection_is_said_and_the_match_goes_on(server: Server, open_browser: Opener) -> None:
    with prepared(server, lambda player: bool(player.play_until(street_is(2)))) as player:
        context = open_browser()
        context.add_init_script(KEEP_SOCKETS)
        page = open_page(context, player)
        cards = player.view["cards"]
        placements = sensible_placements(player.view)
        mouse = Mouse(page)
        mouse.put(**placements[0])
        # Being offline ends no socket that is open: this end closes it, as a network that went away does.
        context.set_offline(True)
        lose_socket(page)
        notice = page.get_by_test_id("connection")
        expect(notice).to_contain_text("No connection. Your cards are safe.")
        expect(page.get_by_test_id("live")).to_contain_text("No connection")
        mouse.put(**placements[1])
        page.get_by_test_id("confirm").click()
        expect(page.get_by_test_id("confirm")).to_contain_text("Waiting for the connection")
        context.set_offline(False)
        expect(notice).to_have_count(0)
        player.wait(lambda view: own(view)["placed"] == 7)
        assert {placed["card"] for placed in placements} < set(chain(*own(player.view)["board"].values()))
        assert own(player.view)["discards"] == [card for card in cards if card not in {p["card"] for p in placements}]
        expect(page.get_by_test_id("live")).to_contain_text("Connected again")


def test_killed_server_loses_nothing(own_server: Server, open_browser: Opener) -> None:
    """`kill -9` between the two placements of a street, and again before the bots answered it."""
    context = open_browser()
    with prepared(own_server, lambda player: bool(player.play_until(street_is(2)))) as player:
        page = open_page(context, player)
        table, before = player.table, player.view
        placements = sensible_placements(before)
        mouse = Mouse(page)
        mouse.put(**placements[0])
        own_server.kill()
        expect(page.get_by_test_id("connection")).to_be_visible()
        expect_placed(page, **placements[0])
    own_server.start()
    with beside(own_server, context, table) as player:
        assert player.view == before
        expect(page.get_by_test_id("connection")).to_have_count(0)
        expect_placed(page, **placements[0])
        mouse.put(**placements[1])
        page.get_by_test_id("confirm").click()
        player.wait(lambda view: own(view)["placed"] == 7)
        own_server.kill()
        expect(page.get_by_test_id("connection")).to_be_visible()
    own_server.start()
    with beside(own_server, context, table) as player:
        view = player.wait(street_is(3))
        assert view["hand"] == before["hand"]
        placed = [(entry["placements"]) for entry in view["log"] if entry["seat"] == view["you"]]
        assert sorted(map(str, placed[-1])) == sorted(map(str, placements))
        assert view["log"][: len(before["log"])] == before["log"]
        expect(page.get_by_test_id("street")).to_contain_text("Street 3")
        expect_cards(page, view["cards"])
        page.get_by_test_id(f"card-{view['cards'][0]}").click()
        assert is_to_act(view)


def lose_socket(page: Page) -> None:
    page.evaluate("window.sockets.forEach((socket) => socket.close())")


def words(card: str) -> str:
    names = "two three four five six seven eight nine ten jack queen king ace"
    rank = names.split()["23456789TJQKA".index(card[0])]
    return f"{rank} of {SUITS[card[1]]}"
