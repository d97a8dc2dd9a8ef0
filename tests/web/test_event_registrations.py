"""Players who come from a file: all of them, or none and a clear word why."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, lend, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE
from tests.web.scenes import PHONE


def test_a_file_with_a_doubled_name_adds_nobody_and_the_corrected_one_all(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS[:2], STRUCTURE)
    page = open_browser(PHONE).new_page()
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)

    def names() -> list[str]:
        return [str(player["name"]) for player in event.look()["players"].values()]

    def choose(content: bytes) -> None:
        file: Any = {"name": "players.csv", "mimeType": "text/csv", "buffer": content}
        director.at("many-file").set_input_files(file)

    director.tap("many")
    choose(b"name,club,paid\nZoe,Bergen,yes\nYan,Oslo,no\nZoe,,\n")
    director.tap("many-go")
    expect(director.at("many-problem")).to_have_text("Line 4: name Zoe is in line 2 already.")
    expect(page.get_by_text("is in line 2 already")).to_have_count(1)  # not behind the dialog too
    assert names() == PLAYERS[:2]
    choose(f"name\n{PLAYERS[1].upper()}\nYan\n".encode())
    director.tap("many-go")
    expect(director.at("many-problem")).to_have_text(f"{PLAYERS[1].upper()} is on the list already.")
    assert names() == PLAYERS[:2]
    choose("Name;Club;Paid\r\nZoë;Bergen;yes\r\nYan;;\r\n".encode("windows-1252"))
    expect(director.at("many-go")).to_have_text("Add 2 players")
    director.tap("many-go")
    expect(director.at("registered")).to_contain_text("4 players, 3 paid")
    assert names() == [*PLAYERS[:2], "Zoë", "Yan"]
