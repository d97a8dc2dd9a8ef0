"""Two directors at once: the one who is late is told who was first, and nothing is done twice."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, directing, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, held
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
