"""States of the page, each reached at a seeded table: what the tests of looks and the pictures show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.servers import Server
from tests.web.hands import Mouse
from tests.web.player import (
    Placements,
    Player,
    View,
    hand_is,
    is_in_fantasyland,
    is_over,
    is_showdown,
    own,
    seated,
    sensible_placements,
    street_is,
)

DESKTOP, PHONE, SMALL, SCREEN = (1440, 900), (390, 844), (360, 640), (1920, 1080)
BOTS = ["heuristic", "heuristic"]
MOST_SEEDS = 60

Goal = Callable[[View], bool]
Act = Callable[[Page, Player], None]


def played_to(goal: Goal) -> Callable[[Player], bool]:
    """Play on until what may be seen is as wanted; False if the match is over before."""

    def prepare(player: Player) -> bool:
        while not goal(player.wait_for_turn()):
            if is_over(player.view):
                return False
            player.play_on()
        return True

    return prepare


def into_fantasyland(player: Player) -> bool:
    """Play on to the second hand; whether it is Fantasyland."""
    return played_to(hand_is(2))(player) and is_in_fantasyland(player.view)


def to_the_end_at_once(player: Player) -> bool:
    """End the match before any hand is finished."""
    player.send("end")
    return True


def to_a_showdown_before_fantasyland(player: Player) -> bool:
    return played_to(is_showdown)(player) and own(player.view)["fantasyland_next"] > 0


def to_a_choice(street: int, wanted: Callable[[dict[str, Any]], bool]) -> Callable[[Player], bool]:
    """Play on to a street on which some arrangements are as wanted, and others foul nothing."""

    def prepare(player: Player) -> bool:
        if not played_to(street_is(street))(player) or player.view["outlook"]["fouled"]:
            return False
        return player.find_arrangement(wanted) is not None

    return prepare


@dataclass(frozen=True, slots=True)
class Scene:
    """A state: how to get there, and what to do on the page then. `address` is what follows the table's.

    `prepare` plays; where it returns False, the next seed is tried, from `seed` on.
    """

    name: str
    prepare: Callable[[Player], bool]
    act: Act = lambda page, player: None
    wishes: dict[str, Any] = field(default_factory=dict)
    address: str = ""
    seed: int = 3


@contextmanager
def prepared(server: Server, prepare: Callable[[Player], bool], *, seed: int = 3, **wishes: Any) -> Iterator[Player]:
    """Somebody at a table where it came as wanted, of many that were tried."""
    for number in range(seed, seed + MOST_SEEDS):
        with seated(server, **{"bots": BOTS, "hands": 24, "seed": number, **wishes}) as player:
            if prepare(player):
                yield player
                return
    raise AssertionError(f"no such deal among {MOST_SEEDS}")


def place(page: Page, placements: list[dict[str, str]]) -> None:
    mouse = Mouse(page)
    for placed in placements:
        mouse.put(placed["card"], placed["row"])


def _choose(page: Page, player: Player) -> None:
    page.get_by_test_id(f"card-{player.view['cards'][0]}").click()
    expect(page.locator(".slot.target").first).to_be_visible()


def to_queens_on_top(player: Player) -> bool:
    """Play on to a third hand that is no Fantasyland, and on its third street to a card that would lead there."""
    third = played_to(lambda view: view["hand"] == 3 and street_is(3)(view))
    return third(player) and not is_in_fantasyland(player.view) and _best_card(player) is not None


def _best_card(player: Player) -> str | None:
    """The card that gains most on top, if that is much."""

    before = player.view["outlook"]["rows"]["top"]["royalty"]

    def gain(card: str) -> int:
        preview = player.ask([], [card])["chosen"]["top"]
        return int(preview["royalty"]) - before if preview["fits"] and not preview["fouls"] else 0

    best = max(player.view["cards"], key=gain)
    return best if gain(best) >= 7 else None


def _choose_best(page: Page, player: Player) -> None:
    page.get_by_test_id(f"card-{_best_card(player)}").click()
    expect(page.get_by_test_id("hint-top")).to_contain_text("→")


def _arrange(page: Page, player: Player) -> None:
    place(page, sensible_placements(player.view))
    expect(page.get_by_test_id("confirm")).to_have_attribute("aria-disabled", "false")


def _at_risk(page: Page, player: Player) -> None:
    place(page, found(player, is_at_risk))
    expect(page.locator(".row.at-risk").first).to_be_visible()


def foul(page: Page, player: Player) -> None:
    """Arrange a foul that nothing before made certain."""
    place(page, found(player, is_fouled))
    expect(page.get_by_test_id("confirm")).to_contain_text("Confirm the foul")


def _ask_about_foul(page: Page, player: Player) -> None:
    foul(page, player)
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("confirm")).to_contain_text("Confirm anyway")


def found(player: Player, wanted: Callable[[dict[str, Any]], bool]) -> Placements:
    placements = player.find_arrangement(wanted)
    assert placements is not None
    return placements


def is_at_risk(outlook: dict[str, Any]) -> bool:
    return not outlook["fouled"] and any(row["status"] == "at-risk" for row in outlook["rows"].values())


def is_fouled(outlook: dict[str, Any]) -> bool:
    return bool(outlook["fouled"])


def _set_some(page: Page, player: Player) -> None:
    placements = sensible_placements(player.view)
    Mouse(page).place(player.view, [placed for placed in placements if placed["row"] != "middle"])
    for placed in [placed for placed in placements if placed["row"] == "middle"][:3]:
        page.get_by_test_id(f"card-{placed['card']}").click()
    expect(page.get_by_test_id("chosen")).to_contain_text("3 chosen")


def _set_all(page: Page, player: Player) -> None:
    Mouse(page).place(player.view, sensible_placements(player.view))
    expect(page.get_by_test_id("confirm")).to_have_attribute("aria-disabled", "false")


def _menu(page: Page, player: Player) -> None:
    page.get_by_test_id("menu").click()
    expect(page.get_by_test_id("drawer")).to_be_visible()


def _keys(page: Page, player: Player) -> None:
    page.keyboard.press("?")
    expect(page.get_by_test_id("keyboard-map")).to_be_visible()


def _end(page: Page, player: Player) -> None:
    _menu(page, player)
    page.get_by_test_id("end-match").click()
    expect(page.get_by_test_id("end-dialog")).to_be_visible()


def _lobby(page: Page, player: Player) -> None:
    page.goto(player.server.url)
    expect(page.get_by_test_id(f"running-{player.table}")).to_be_visible()
    expect(page.get_by_test_id("deal")).to_be_visible()
    expect(page.get_by_test_id("past-hands").get_by_role("link").first).to_be_visible()


def _rules(page: Page, player: Player) -> None:
    _lobby(page, player)
    page.get_by_test_id("rules-…more").click()
    expect(page.get_by_test_id("rules-dialog")).to_be_visible()


def _options(page: Page, player: Player) -> None:
    _lobby(page, player)
    page.locator("summary").click()
    page.get_by_test_id("money-chips").click()


def _replay(page: Page, player: Player) -> None:
    expect(page.get_by_test_id("replay")).to_be_visible()
    for _ in range(8):
        page.get_by_test_id("replay-next").click()
    expect(page.get_by_test_id("replay-step")).to_contain_text("9 of")


def _replay_end(page: Page, player: Player) -> None:
    expect(page.get_by_test_id("replay")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_test_id("showdown")).to_be_visible()


def _stay(page: Page, player: Player) -> None:
    expect(page.get_by_test_id("showdown")).to_be_visible()
    page.get_by_test_id("stay").click()


_SECOND_HAND = played_to(lambda view: bool(view["hand"] == 2))

SCENES = [
    Scene("first-street", played_to(street_is(1))),
    Scene("table", to_queens_on_top, _choose_best, seed=40),
    Scene("choosing", played_to(street_is(3)), _choose),
    Scene("arranged", played_to(street_is(4)), _arrange),
    Scene("at-risk", to_a_choice(4, is_at_risk), _at_risk),
    Scene("foul", to_a_choice(5, is_fouled), foul),
    Scene("foul-asked", to_a_choice(5, is_fouled), _ask_about_foul),
    Scene("fantasyland", into_fantasyland, _set_some),
    Scene("fantasyland-ready", into_fantasyland, _set_all),
    Scene("showdown", to_a_showdown_before_fantasyland, _stay),
    Scene("chips-showdown", played_to(is_showdown), _stay, {"money": {"stack": 400, "price": 10}}, seed=2),
    Scene("over", played_to(is_over), wishes={"hands": 1}),
    Scene("ended", to_the_end_at_once),
    Scene("menu", _SECOND_HAND, _menu),
    Scene("keys", played_to(street_is(2)), _keys),
    Scene("end", played_to(street_is(2)), _end),
    Scene("lobby", _SECOND_HAND, _lobby),
    Scene("rules", _SECOND_HAND, _rules),
    Scene("options", _SECOND_HAND, _options),
    Scene("replay", _SECOND_HAND, _replay, address="/hands/1"),
    Scene("replay-showdown", _SECOND_HAND, _replay_end, address="/hands/1"),
    Scene("two-seats", played_to(street_is(3)), _choose, {"rules": "pineapple", "bots": ["heuristic"]}),
    Scene("four-seats", played_to(street_is(4)), wishes={"rules": "classic", "bots": ["heuristic"] * 3}),
]


@contextmanager
def opened(server: Server, context: BrowserContext, scene: Scene) -> Iterator[tuple[Page, Player]]:
    """A page that shows the scene."""
    with prepared(server, scene.prepare, seed=scene.seed, **scene.wishes) as player:
        page = open_page(context, player, scene.address)
        expect(page.get_by_test_id("menu").or_(page.get_by_test_id("replay-back"))).to_be_visible()
        scene.act(page, player)
        yield page, player
        page.close()


def open_page(context: BrowserContext, player: Player, address: str = "") -> Page:
    """The player's table in this browser."""
    player.lend_to(context)
    page = context.new_page()
    page.goto(player.url + address)
    return page


def new_context(browser: Browser, size: tuple[int, int], **options: Any) -> BrowserContext:
    """A browser of somebody new, at a phone's or a desktop's size."""
    width, height = size
    is_phone = width < 820
    return browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=is_phone,
        is_mobile=is_phone,
        device_scale_factor=2 if is_phone else 1,
        reduced_motion=options.pop("reduced_motion", "reduce"),
        **options,
    )
