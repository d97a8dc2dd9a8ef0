"""Players who come from a file: all of them, or none and a clear word why."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, lend, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE
from tests.web.scenes import PHONE

TOO_MUCH = "This is too much at once: a list is at most 4 MB. Add the players in parts."
CLOSED_TOO_LARGE = 1009


def test_a_list_that_is_too_long_is_never_sent(server: Server, open_browser: Opener) -> None:
    """What no server would read stays here, and the page goes on."""
    event = opened_event(server, PLAYERS[:2], STRUCTURE)
    page = open_browser(PHONE).new_page()
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(len(frame))))
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    director.tap("many")
    content = "\n".join(f"{number:06} {'x' * 30}" for number in range(120_000)).encode()
    assert len(content) > 4 * 1024 * 1024
    director.at("many-file").set_input_files({"name": "names.csv", "mimeType": "text/csv", "buffer": content})
    expect(director.at("many-go")).to_be_enabled()
    director.tap("many-go")
    expect(director.at("many-problem")).to_have_text(TOO_MUCH)
    assert max(sent) < 10_000
    director.at("many-text").fill("Yan")
    director.tap("many-go")
    expect(director.at("registered")).to_contain_text("3 players")


def test_what_closed_the_socket_for_its_length_is_not_sent_again(server: Server, open_browser: Opener) -> None:
    """A server that reads less than ours closes; the page comes back without what it could not read."""
    event = opened_event(server, PLAYERS[:2], STRUCTURE)
    page = open_browser(PHONE).new_page()
    refused: list[str | bytes] = []

    def read(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if "import-csv" in str(message) and "Zoe" in str(message):
                refused.append(message)
                socket.close(code=CLOSED_TOO_LARGE)
            else:
                there.send(message)

        socket.on_message(pass_on)

    page.route_web_socket("**/socket", read)
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    director.tap("many")
    director.at("many-text").fill("Zoe\nYan")
    director.tap("many-go")
    expect(director.at("many-problem")).to_have_text(TOO_MUCH)
    director.at("many-text").fill("Yan")
    director.tap("many-go")
    expect(director.at("registered")).to_contain_text("3 players")
    assert len(refused) == 1


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
