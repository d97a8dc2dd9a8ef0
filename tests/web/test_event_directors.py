"""Two directors at once: the one who is late is told who was first, and nothing is done twice."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, directing, opened_event, sitting
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn, held
from tests.web.scenes import DESKTOP, PHONE


def test_the_director_who_is_late_is_told_who_was_first(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, held)
    kari = directing(event, open_browser(DESKTOP).new_page())
    kari.tap("menu-share")
    ola = Director(open_browser(PHONE).new_page())
    ola.page.goto(kari.at("link-director").input_value())
    ola.at("join-name").fill("Ola")
    ola.tap("join-go")
    # Both ask for the break; Kari is first.
    ola.tap("go-clock")
    ola.at("level-on").first.click()
    kari.tap("level-on")
    expect(kari.at("ask")).to_contain_text("1 table in Fantasyland keeps price and button")
    kari.tap("ask-go")
    expect(ola.at("clock")).to_contain_text("10:00")
    ola.tap("ask-go")
    expect(ola.at("refusal")).to_contain_text("Kari was first: ")
    assert event.look()["clock"]["step"] == 2
    # Ola undoes what Kari did; the log says who did what.
    ola.tap("go-log")
    ola.page.get_by_role("button", name="Undo").first.click()
    expect(kari.at("level")).to_contain_text("Level 2")
    first, second = event.look()["log"][:2]
    assert (first["by"], second["by"], second["undone"]) == ("Ola", "Kari", True)


def test_a_stack_is_corrected_and_a_player_taken_out_in_three_taps(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    phone = directing(event, open_browser(PHONE).new_page())
    second = sitting(event.look(), 2)[0]
    name = event.look()["players"][str(second)]["name"]
    phone.tap("open-table-2")
    phone.tap(f"open-player-{second}")
    phone.at("new-stack").fill("1,250")
    phone.at("new-stack").press("Enter")
    expect(phone.at("player-where")).to_contain_text("1,250")
    assert event.look()["log"][0]["words"] == f"{name}'s stack 1000 was set to 1250: counted again."
    phone.tap("remove-player")
    expect(phone.at("ask")).to_contain_text(f"1,250 chips leave the event with {name}")
    phone.tap("ask-go")
    expect(phone.at("player-where")).to_contain_text("Out in place")
    assert event.look()["players"][str(second)]["table"] is None
