"""Near the prizes: a deal among those who are left, hand for hand, and the last table."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, TablePhone, directing, knock_out, opened_event, sitting
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import DESKTOP, PHONE


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


def test_hand_for_hand_waits_for_fantasyland_and_ends_at_the_last_table(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS[:6], STRUCTURE, drawn)
    director = directing(event, open_browser(DESKTOP).new_page())
    phones = {table: TablePhone(open_browser(PHONE).new_page(), event.address_of(table)) for table in (1, 2)}
    director.tap("hand-for-hand-switch")
    expect(director.at("hand-for-hand")).to_be_visible()
    phones[1].enter(dict.fromkeys(sitting(event.look(), 1), 0))
    expect(phones[1].at("waits")).to_contain_text("waits for table 2")
    expect(phones[1].at("enter-result")).to_be_disabled()
    expect(director.at("tile-1")).to_contain_text("waits for table 2")
    expect(director.at("hand-for-hand")).to_contain_text("Still playing: table 2.")
    dreamer, *others = sitting(event.look(), 2)
    phones[2].enter({dreamer: 0, **dict.fromkeys(others, 0)}, {dreamer: 14})
    expect(phones[2].at("hand-for-hand")).to_contain_text("those of Fantasyland")
    expect(phones[1].at("waits")).to_be_visible()
    phones[2].enter(dict.fromkeys(sitting(event.look(), 2), 0))
    for phone in phones.values():
        expect(phone.at("waits")).to_have_count(0)
        expect(phone.at("enter-result")).to_be_enabled()

    for table in (1, 2, 1):  # the first two in one round, with equal stacks: one hand, one place
        phones[table].enter(knock_out(event.look(), table))
    view = event.look()
    assert sorted(one["out"]["place"] for one in view["players"].values() if one["out"]) == [4, 5, 5]
    for table in (1, 2):  # the round is over, and those who move are between hands
        if len(sitting(view, table)) > 1:
            phones[table].enter(dict.fromkeys(sitting(view, table), 0))
    director.accept_all()
    moving = event.look()["moves"]
    if moving:
        source = event.look()["players"][str(moving[0]["player"])]["table"]
        phones[source].enter(dict.fromkeys(sitting(event.look(), source), 0))
    expect(director.at("hand-for-hand")).to_have_count(0)
    before = event.look()
    (last,) = before["tables"]
    director.tap("redraw")
    expect(director.at("ask")).to_contain_text(f"3 players at table {last} get new seats")
    director.tap("ask-go")
    drawn_again = "The seats of the last table were drawn again"
    expect(director.page.get_by_text(drawn_again).first).to_be_visible()
    assert set(sitting(event.look(), int(last))) == set(sitting(before, int(last)))
    director.tap("toast-undo")
    expect(director.page.locator("s", has_text=drawn_again)).to_be_visible()
    assert event.look()["tables"] == before["tables"]
