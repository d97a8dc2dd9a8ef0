"""Near the prizes: a deal among those who are left, hand for hand, and the last table."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, directing, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import PHONE


def four_left(event: Observer) -> None:
    """Four of eight are left, with 3,000, 2,000, 2,000 and 1,000 chips, at three tables."""
    drawn(event)
    event.points(1, -200, 200, 0)
    event.points(2, -200, -200, 400)
    event.points(3, -200, 200)


def test_a_deal_is_offered_made_shown_and_undone(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, four_left)
    director = directing(event, open_browser(PHONE).new_page())
    screen = open_browser((1920, 1080)).new_page()
    screen.goto(event.page("/screen"))
    view = event.look()
    first, *_, last = sorted(
        (player for player in view["players"].values() if player["table"]), key=lambda player: -player["stack"]
    )
    director.tap("go-clock")
    director.tap("menu-deal")
    for method, largest, smallest in (("icm", "52", "24"), ("chip-chop", "60", "20"), ("even", "40", "40")):
        expect(director.at(f"{method}-{first['id']}")).to_have_text(largest)
        expect(director.at(f"{method}-{last['id']}")).to_have_text(smallest)
    director.at("held-back").fill("40")
    director.tap("offer-chip-chop")
    expect(director.at(f"share-{first['id']}")).to_have_value("45")
    director.at(f"share-{first['id']}").fill("50")
    expect(director.at("deal-sum")).to_have_text("165 of 160 divided.")
    expect(director.at("make-deal")).to_be_disabled()
    director.at(f"share-{last['id']}").fill("10")
    director.tap("make-deal")
    expect(director.at("deal-made")).to_be_visible()
    expect(director.at("prize-list")).to_contain_text(f"{first['name']}50")
    expect(screen.get_by_test_id("big-prizes")).to_contain_text("Winner40")
    agreed = {player["name"]: player["prize"] for player in event.look()["players"].values() if player["table"]}
    assert sorted(agreed.values()) == [10, 30, 30, 50]
    assert agreed[last["name"]] == 10

    director.tap("toast-undo")
    expect(director.at("prize-list")).to_contain_text("1st85")
    expect(screen.get_by_test_id("big-prizes")).to_contain_text("1st85")
    director.tap("toast-undo")  # that was to be: made again
    expect(director.at("deal-made")).to_be_visible()
    director.page.keyboard.press("Escape")
    director.tap("finish")
    director.tap("ask-go")
    expect(screen.get_by_test_id("winner")).to_have_text(first["name"])
    told = {player["name"]: player["prize"] for player in event.look()["players"].values()}
    assert told[first["name"]] == 50 + 40
    assert told[last["name"]] == 10
    assert sum(told.values()) == 8 * 20
