"""What a director prints and takes away: every file opens, and holds what it should."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator

import pytest
import typst
from starlette.testclient import TestClient

from tests.web_api.event_pages import Page, address, begin, code_of, open_event, page
from tests.web_api.helpers import codes

NAMES = ["Åse Öberg", "=1+1", "Luca “Luke” Rossi", "Zoë #3 *bold*", "Bo", "Anna", "$x$ @y"]


@pytest.fixture
def event(client: TestClient) -> str:
    return open_event(client, name="Cup #1 *$")


@pytest.fixture
def director(client: TestClient, event: str) -> Iterator[Page]:
    with page(client, event) as director:
        yield director


def fill(director: Page) -> None:
    director.do("register", players=[{"name": name, "club": "Bergen"} for name in NAMES])
    director.do("draw")
    director.do("start-clock")


def get(client: TestClient, event: str, name: str, kind: str) -> bytes:
    answer = client.get(address(event, name))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"].endswith(f"Cup%20%231%20%2A%24%20{name}")
    assert answer.headers["cache-control"] == "no-store"
    return answer.content


def pages(pdf: bytes) -> int:
    """Count a PDF's pages, in whatever streams they are described."""
    assert pdf.startswith(b"%PDF-1.")
    assert pdf.rstrip().endswith(b"%%EOF")
    parts = [pdf]
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        reader = zlib.decompressobj()
        try:
            parts.append(reader.decompress(found[1]))
        except zlib.error:
            continue
    return sum(len(re.findall(rb"/Type\s*/Page\b", part)) for part in parts)


def text(pdf: bytes, *options: str) -> str:
    """Return a PDF's text, if there is a tool for it here."""
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("no pdftotext")
    return subprocess.run([tool, *options, "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()


@pytest.mark.parametrize(
    ("name", "count"),
    [("seat-list.pdf", 1), ("seats.pdf", 2), ("cards.pdf", 3), ("sheets.pdf", 3), ("results.pdf", 1), ("slips.pdf", 2)],
)
def test_every_pdf_has_its_pages(client: TestClient, event: str, director: Page, name: str, count: int) -> None:
    assert pages(get(client, event, name, "application/pdf")) == 1  # nobody there: an empty page
    fill(director)
    assert pages(get(client, event, name, "application/pdf")) == count


def test_typst_has_nothing_to_warn_of(
    client: TestClient, event: str, director: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned: list[object] = []

    def compile_strictly(template: bytes, *, sys_inputs: dict[str, str]) -> bytes:
        pdf, warnings = typst.compile_with_warnings(template, sys_inputs=sys_inputs)
        warned.extend(warnings)
        return pdf

    monkeypatch.setattr(typst, "compile", compile_strictly)
    fill(director)
    for name in ("seat-list.pdf", "seats.pdf", "cards.pdf", "sheets.pdf", "results.pdf", "slips.pdf"):
        get(client, event, name, "application/pdf")
    assert warned == []


def test_pdfs_say_who_sits_where_and_what_code_a_table_has(client: TestClient, event: str, director: Page) -> None:
    fill(director)
    seats = text(get(client, event, "seats.pdf", "application/pdf"))
    assert all(name in seats for name in NAMES)
    assert seats.count("Your seat") == len(NAMES)
    assert "1,000 chips" in seats
    cards = text(get(client, event, "cards.pdf", "application/pdf"))
    for table in (1, 2, 3):
        assert code_of(director, table) in cards
    assert "http://testserver/t/" in cards
    results = text(get(client, event, "results.pdf", "application/pdf"))
    assert "Cup #1 *$" in results
    assert "7 entries, 7 left, 7,000 chips" in results


def test_the_seat_list_has_everybody_in_order_with_table_and_seat(
    client: TestClient, event: str, director: Page
) -> None:
    others = [f"Player {number:03}" for number in range(150)]
    director.do("register", players=[{"name": name} for name in others])
    fill(director)
    pdf = get(client, event, "seat-list.pdf", "application/pdf")
    assert pages(pdf) == 2
    words = text(pdf).split("\n")
    in_order = ["Anna", "Åse Öberg", "Bo", "Luca “Luke” Rossi", *others, "Zoë #3 *bold*"]
    found = [name for line in words for name in in_order if line.startswith(name)]
    assert found == in_order


def test_the_seat_list_says_where(client: TestClient, event: str, director: Page) -> None:
    begin(director, 2)
    said = text(get(client, event, "seat-list.pdf", "application/pdf"), "-layout")
    assert "Cup #1 *$" in said
    assert "2 entries, 2 left" in said
    for player in director.view["players"].values():
        at = f"{player['name']} {player['table']} {player['seat'] + 1}"
        assert at in " ".join(said.split())


def test_a_move_slip_says_where_to_and_what_it_waits_for(client: TestClient, event: str, director: Page) -> None:
    fill(director)
    seats = director.view["tables"]["1"]["seats"]
    director.do("plan-move", player=seats[0], to={"table": 2, "seat": 2}, reason="too warm there")
    said = text(get(client, event, "slips.pdf", "application/pdf"))
    assert "Move after this hand" in said
    assert "too warm there" in said
    director.do("fantasyland", table=2, cards={str(director.view["tables"]["2"]["seats"][0]): 14})
    said = text(get(client, event, "slips.pdf", "application/pdf"))
    assert "Move after Fantasyland" in said
    assert "Wait until table 2 is done with Fantasyland" in " ".join(said.split())


def test_players_and_results_are_csv_that_reads_back(client: TestClient, event: str, director: Page) -> None:
    fill(director)
    director.do("prizes", fee=10, percents=[70, 30])
    director.do("remove", player=3, reason="went home")
    content = get(client, event, "players.csv", "text/csv; charset=utf-8").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(content)))
    assert len(rows) == 1 + len(NAMES)
    assert "'=1+1" in content  # no formula
    results = get(client, event, "results.csv", "text/csv; charset=utf-8").decode("utf-8-sig")
    assert len(list(csv.reader(io.StringIO(results)))) == 1 + len(NAMES)
    other = open_event(client)
    with page(client, other) as copy:
        copy.do("import-csv", text=content)
        assert [player["name"] for player in copy.view["players"].values()] == NAMES


def test_results_are_an_open_tournament_summary(client: TestClient, event: str, director: Page) -> None:
    empty = json.loads(get(client, event, "results.ots.json", "application/json"))
    assert "end_date_utc" not in empty["ots"]
    fill(director)
    director.do("prizes", fee=10, house_fee=1, percents=[70, 30])
    for player in (1, 2, 3):
        director.do("remove", player=player, reason="went home")
    first = director.do("finish")["action"]
    director.do("undo", action=first)
    running = json.loads(get(client, event, "results.ots.json", "application/json"))["ots"]
    assert "end_date_utc" not in running  # it goes on, though it had ended once
    director.do("finish")
    ots = json.loads(get(client, event, "results.ots.json", "application/json"))["ots"]
    text_of = json.dumps(ots, ensure_ascii=False)
    assert ots["end_date_utc"] >= ots["start_date_utc"]
    assert all(name in text_of for name in NAMES[3:])


def test_prizes_that_do_not_fit_and_levels_by_hands_do_not_keep_results_from_being_printed(client: TestClient) -> None:
    structure = {
        "starting_stack": 10**9,
        "steps": [{"kind": "level", "price": 1, "hands": 3}, {"kind": "level", "price": 2}],
    }
    event = open_event(client, structure=structure)
    with page(client, event) as director:
        director.do("prizes", fee=10, amounts=[500, 100])
        begin(director, 2)
        for name in ("results.pdf", "results.csv", "results.ots.json"):
            assert client.get(address(event, name)).status_code == 200


def test_no_such_file_and_an_address_too_long_to_print(client: TestClient, event: str, director: Page) -> None:
    refused = client.get(address(event, "other.pdf"))
    assert (refused.status_code, codes(refused.json())) == (404, ["file-unknown"])
    begin(director, 3)
    refused = client.get(address(event, "cards.pdf"), headers={"host": f"{'x' * 3000}.example"})
    assert (refused.status_code, codes(refused.json())) == (400, ["host-too-long"])
    longest = client.get(address(event, "cards.pdf"), headers={"host": "x" * 280})
    assert longest.content.startswith(b"%PDF")


def test_an_event_that_came_from_elsewhere_and_has_not_begun_has_results_too(client: TestClient, event: str) -> None:
    content = client.get(address(event, "export")).content.replace(b'"at":1', b'"at":', 1)  # long ago
    moved = client.post("/api/events/import", content=content).json()["event"]
    ots = json.loads(client.get(address(moved, "results.ots.json")).content)["ots"]
    assert ots


def only(client: TestClient, event: str, query: str) -> str:
    answer = client.get(address(event, query))
    assert answer.status_code == 200, answer.text
    assert pages(answer.content) == 1
    return text(answer.content)


def test_one_card_one_sheet_or_one_slip(client: TestClient, event: str, director: Page) -> None:
    fill(director)
    card = only(client, event, "cards.pdf?table=2")
    assert code_of(director, 2) in card
    assert code_of(director, 1) not in card
    here = [director.view["players"][str(one)]["name"] for one in director.view["tables"]["2"]["seats"] if one]
    sheet = only(client, event, "sheets.pdf?table=2")
    assert [name in sheet for name in NAMES] == [name in here for name in NAMES]
    for file in ("seats.pdf", "slips.pdf"):  # nobody is to move: the slip of the seat
        assert only(client, event, f"{file}?player=5").count("Your seat") == 1
    to = {"table": 2, "seat": 2}
    mover = next(one for one in director.view["tables"]["1"]["seats"] if one)
    director.do("plan-move", player=mover, to=to, reason="asked")
    slip = only(client, event, f"slips.pdf?player={mover}")
    assert "Move after this hand" in slip
    assert director.view["players"][str(mover)]["name"] in slip


def test_a_print_of_nobody_is_refused(client: TestClient, event: str, director: Page) -> None:
    director.do("register", players=[{"name": name} for name in NAMES])
    answer = client.get(address(event, "seats.pdf?player=1"))
    assert (answer.status_code, codes(answer.json())) == (400, ["player-not-seated"])
    director.do("draw")
    for query, status, code in (
        ("cards.pdf?table=9", 404, "table-unknown"),
        ("cards.pdf?table=x", 404, "table-unknown"),
        ("slips.pdf?player=99", 404, "player-unknown"),
        ("seats.pdf?player=01", 404, "player-unknown"),
        ("seats.pdf?table=1", 400, "field-unknown"),
        ("results.csv?player=1", 400, "field-unknown"),
    ):
        answer = client.get(address(event, query))
        assert (answer.status_code, codes(answer.json())) == (status, [code]), query
