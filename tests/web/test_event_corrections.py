"""A hand entered and corrected by the director: nothing that it had is lost, and it counts until the other is sent."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, Observer, directing, opened_event, sitting, stack_of
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import DESKTOP

BOARDS = (
    ("Qs Qh 4c", "As Ad 7s 6s 3d", "Ks Kd Kc 9s 9d"),
    ("9c 8d 2s", "Ac Jd 7c 6c 3c", "Jh Jc 8h 8s 3h"),
    ("2h 3s 5c", "Ts Td 4d 5d 2d", "Th Tc 6h 6d 2c"),
)


def sat(server: Server, open_browser: Opener) -> tuple[Observer, Director, list[int]]:
    """Three at one table, the clock runs, and the director looks at it."""
    event = opened_event(server, PLAYERS[:3], STRUCTURE, drawn)
    director = directing(event, open_browser(DESKTOP).new_page())
    return event, director, sitting(event.look(), 1)


def last_hand(event: Observer) -> dict[str, Any]:
    hand: dict[str, Any] = event.look()["tables"]["1"]["last_hand"]
    return hand


def test_who_is_away_has_no_field_and_the_hand_is_entered_and_corrected_without(
    server: Server, open_browser: Opener
) -> None:
    event, director, (first, absent, third) = sat(server, open_browser)
    event.do("absent", player=absent, absent=True)
    director.tap("open-table-1")
    director.tap("enter-result")
    expect(director.at("away")).to_contain_text("is away and loses 3 points to each who is here")
    expect(director.at(f"points-{absent}")).to_have_count(0)
    director.at(f"points-{first}").fill("2")
    director.at(f"points-{first}").press("Tab")
    expect(director.at(f"points-{third}")).to_have_value("−2")
    expect(director.at("preview")).to_contain_text("−6")
    director.tap("confirm-result")
    expect(director.at("last-hand")).to_contain_text("+5")
    director.tap("correct-hand")
    expect(director.at(f"points-{first}")).to_have_value("+2")
    expect(director.at(f"points-{third}")).to_have_value("−2")
    expect(director.at(f"points-{absent}")).to_have_count(0)
    for player, points in ((first, "4"), (third, "-4")):
        director.at(f"points-{player}").fill(points)
    expect(director.at("preview")).to_contain_text("+7")
    director.tap("confirm-result")
    expect(director.at("last-hand")).to_contain_text("+7")
    assert last_hand(event)["points"] == {str(first): 7, str(absent): -6, str(third): -1}


def test_a_hand_that_earned_fantasyland_corrected_unchanged_is_the_same_hand(
    server: Server, open_browser: Opener
) -> None:
    event, director, (first, *_) = sat(server, open_browser)
    event.points(1, 6, -6, 0, earned={first: 14})
    before = event.look()["tables"]["1"]
    director.tap("open-table-1")
    director.tap("correct-hand")
    expect(director.at(f"next-{first}")).to_have_value("14")
    expect(director.at(f"next-{first}")).to_be_visible()
    assert event.look()["tables"]["1"]["hand"] == 2  # it counts until the other is sent
    director.tap("confirm-result")
    expect(director.at("last-hand")).to_be_visible()
    after = event.look()["tables"]["1"]
    kept = ("hand", "button", "price", "held", "last_hand")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert after["undo"] != before["undo"]
    # The hand that was replaced is not offered again.
    expect(director.at(f"log-{before['undo']}")).to_contain_text("undone")
    expect(director.at(f"redo-{before['undo']}")).to_have_count(0)


def test_a_hand_left_half_corrected_counts_as_it_was(server: Server, open_browser: Opener) -> None:
    event, director, (first, second, _) = sat(server, open_browser)
    event.points(1, 6, -6, 0)
    seq = event.look()["seq"]
    director.tap("open-table-1")
    director.tap("correct-hand")
    director.at(f"points-{first}").fill("12")
    director.at(f"points-{second}").fill("-12")
    expect(director.at("preview")).to_contain_text("1,120")
    director.tap("panel-close")
    expect(director.at("preview")).to_have_count(0)
    assert event.look()["seq"] == seq


def test_boards_come_back_as_boards(server: Server, open_browser: Opener) -> None:
    event, director, players = sat(server, open_browser)
    rows = [dict(zip(("top", "middle", "bottom"), board, strict=True)) for board in BOARDS]
    boards = {str(player): board for player, board in zip(players, rows, strict=True)}
    event.do("enter-boards", table=1, hand=1, boards=boards)
    before = last_hand(event)
    assert before["fantasyland"] == {str(players[0]): 14}
    director.tap("open-table-1")
    director.tap("correct-hand")
    director.tap("enter-boards")
    expect(director.at("boards-dialog").get_by_test_id("use-result")).to_be_visible()
    director.tap("use-result")
    director.tap("confirm-result")
    expect(director.at("last-hand")).to_be_visible()
    assert last_hand(event) == before


def test_who_won_from_whom_stays_and_so_does_who_went_out(server: Server, open_browser: Opener) -> None:
    event, director, (first, second, third) = sat(server, open_browser)
    event.do("stack", player=third, stack=50, reason="as it is")
    pairs = [
        {"winner": first, "loser": third, "points": 10},
        {"winner": second, "loser": first, "points": 4},
    ]
    points = {str(first): 6, str(second): 4, str(third): -10}
    event.do("enter-points", table=1, hand=1, points=points, fantasyland={}, pairs=pairs)
    before = last_hand(event)
    assert (before["source"], stack_of(event.look(), third)) == ("pairs", 0)
    director.tap("open-table-1")
    director.tap("correct-hand")
    expect(director.at("settled-by")).to_contain_text("+10 from")
    director.tap("confirm-result")
    expect(director.at("last-hand")).to_be_visible()
    assert last_hand(event) == before


def test_a_corrected_hand_that_is_refused_leaves_the_one_that_was(server: Server, open_browser: Opener) -> None:
    """Another director was faster: the page says so, and nothing is entered."""
    event, director, (first, *_) = sat(server, open_browser)
    event.points(1, 6, -6, 0)
    director.tap("open-table-1")
    director.tap("correct-hand")
    expect(director.at("preview")).to_be_visible()
    event.points(1, 2, -2, 0)
    expect(director.at("result-late")).to_contain_text("Hand 1 was changed, or played on")
    assert stack_of(event.look(), first) == 1080
