"""An event that is not over in one evening, or not on one laptop."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, EventView, Observer, TablePhone, directing, opened_event, sitting
from tests.web.event_scenes import PLAYERS, STRUCTURE, held
from tests.web.scenes import DESKTOP, PHONE


def stacks(view: EventView) -> dict[str, int]:
    return {str(player["name"]): player["stack"] for player in view["players"].values()}


def test_an_event_goes_on_the_next_day_with_seats_drawn_again(own_server: Server, open_browser: Opener) -> None:
    """Table 1 owes a Fantasyland hand at 10 and keeps it overnight; the others draw seats, and go on at 20."""
    event = opened_event(own_server, PLAYERS, STRUCTURE, held)
    director = directing(event, open_browser(PHONE).new_page())
    phones = {table: TablePhone(open_browser(PHONE).new_page(), event.address_of(table)) for table in (1, 2)}
    evening = event.look()
    director.tap("go-clock")
    director.tap("bag")
    expect(director.at("ask")).to_contain_text("8 players bag 8,000 chips")
    director.tap("ask-go")
    expect(director.at("bag-slips")).to_be_visible()
    for phone in phones.values():
        expect(phone.at("stage")).to_be_visible()
        expect(phone.at("enter-result")).to_have_count(0)
    left = director.at("clock").inner_text()

    own_server.stop()
    own_server.start()
    director.tap("redraw")
    expect(director.at("ask")).to_contain_text("Table 1 owes a Fantasyland hand and stays as it is.")
    director.tap("ask-go")
    expect(director.at("ask")).to_have_count(0)
    morning = event.look()
    assert morning["tables"]["1"]["seats"] == evening["tables"]["1"]["seats"]
    moved = {player for table in (2, 3) for player in sitting(evening, table)}
    assert {player for table in (2, 3) for player in sitting(morning, table)} == moved
    assert {len(sitting(morning, table)) for table in (2, 3)} == {2, 3}
    assert stacks(morning) == stacks(evening)
    director.at("resume").first.click()
    expect(phones[2].at("enter-result")).to_be_visible()
    expect(director.at("clock")).to_have_text(left)
    expect(phones[1].price).to_have_text("10")
    expect(phones[2].price).to_have_text("20")
    for player in sitting(morning, 2):
        expect(phones[2].at(f"stack-of-{player}")).to_be_visible()

    director.at("start-clock").first.click()
    expect(director.at("pause-clock").first).to_be_visible()
    first, second, third = sitting(morning, 1)
    phones[1].enter({first: 2, second: -1, third: -1})
    expect(phones[1].price).to_have_text("20")
    assert event.look()["players"][str(first)]["stack"] == evening["players"][str(first)]["stack"] + 2 * 10


def test_an_event_goes_on_from_its_file_on_another_laptop(server: Server, open_browser: Opener, tmp_path: Path) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, held)
    director = directing(event, open_browser(DESKTOP).new_page())
    director.tap("bag")
    director.tap("ask-go")
    director.tap("menu-print")
    with director.page.expect_download() as download:
        director.tap("file-export")
    file = tmp_path / "event.jsonl"
    download.value.save_as(file)
    left = director.at("clock").inner_text()

    with Server(tmp_path / "other") as laptop:
        page = open_browser(DESKTOP, refused=400).new_page()
        page.goto(f"{laptop.url}/events")
        there = Director(page)
        for broken, words in broken_files(file.read_bytes()):
            there.take_in(broken)
            expect(there.at("events-problem")).to_contain_text(words)
            expect(there.at("events").locator("a")).to_have_count(0)
        there.take_in(file.read_bytes())
        page.wait_for_url("**/direct")
        found = re.search(r"/event/([^/]+)/direct", page.url)
        assert found
        before, after = Observer(server, event.event).look(), Observer(laptop, found[1]).look()
        for part in ("players", "tables", "moves", "news", "seq"):
            assert after[part] == before[part]
        expect(there.at("clock")).to_have_text(left)

        there.tap("resume")
        phone = TablePhone(open_browser(PHONE).new_page(), f"{laptop.url}/t/{event.look()['tables']['1']['code']}")
        expect(phone.price).to_have_text("10")
        first, second, third = sitting(after, 1)
        phone.enter({first: 2, second: -1, third: -1})
        expect(phone.price).to_have_text("20")
        there.tap("menu-share")
        another = open_browser(PHONE).new_page()
        another.goto(there.at("link-director").input_value())
        another.get_by_test_id("join-name").fill("Ola")
        another.get_by_test_id("join-go").click()
        another.get_by_test_id("start-clock").first.click()
        expect(there.at("pause-clock")).to_be_visible()

        page.goto(f"{laptop.url}/events")
        there.take_in(file.read_bytes())
        expect(there.at("events-problem")).to_contain_text("Thursday Pineapple is here already")
        expect(there.at("events").locator("a")).to_have_count(1)


def test_a_copy_beside_a_running_event_says_that_its_tables_have_codes_of_their_own(
    server: Server, open_browser: Opener, tmp_path: Path
) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, held)
    director = directing(event, open_browser(DESKTOP).new_page())
    director.tap("menu-print")
    with director.page.expect_download() as download:
        director.tap("file-export")
    file = tmp_path / "event.jsonl"
    download.value.save_as(file)
    page = open_browser(PHONE).new_page()
    page.goto(f"{server.url}/events")
    there = Director(page)
    there.take_in(file.read_bytes())
    expect(there.at("events-taken")).to_contain_text("The clock stands as it was when the file was written.")
    expect(there.at("events-taken")).to_contain_text("have new codes")
    there.tap("events-taken-open")
    expect(there.at("start-clock").first).to_be_visible()
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(1))
    expect(phone.price).to_have_text("10")
    first, second, third = sitting(event.look(), 1)
    phone.enter({first: 2, second: -1, third: -1})
    assert event.look()["tables"]["1"]["last_hand"]["points"][str(first)] == 2


def broken_files(good: bytes) -> list[tuple[bytes, str]]:
    """What somebody might take for the file, and what they are told."""
    return [
        (good[: len(good) * 2 // 3], "“event.jsonl” was not taken in. Line "),
        (b"name,club\n" * 9, "And 6 more."),
        (good.replace(b":1120", b":9120"), "+8,000 chips came into play from nowhere."),
    ]
