"""Players in and out as CSV, results as CSV, and the Open Tournament Summary."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.scoring import Chips
from ofc.tournament.exchange import (
    ExchangeError,
    PlayerRow,
    ResultRow,
    Summary,
    SummaryFinish,
    decode_csv,
    read_players,
    write_players,
    write_results,
    write_summary,
)
from ofc.tournament.prizes import Money


def _faults(text: str, *, taken: tuple[str, ...] = ()) -> list[tuple[str, str | None]]:
    with pytest.raises(ExchangeError) as caught:
        read_players(text, taken=taken)
    return [(fault.code, fault.field) for fault in caught.value.faults]


def test_columns_in_any_order_and_case_with_others_left_out() -> None:
    text = "CLUB,Rating,Paid,Name,Notes,ID\nOslo,1500,x,Anna  Berg ,vegan,7\n,,no,Bo,,\n"
    assert read_players(text) == (
        PlayerRow("Anna Berg", "7", "Oslo", paid=True, notes="vegan", line=2),
        PlayerRow("Bo", line=3),
    )


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_delimiters_quotes_and_a_byte_order_mark(mark: str) -> None:
    text = f'\ufeffname{mark}club\r\n"Conti{mark} Aldo"{mark}"The ""Deep"" End"\r\n\r\n{mark}\r\nBo\r\n'
    assert read_players(text) == (
        PlayerRow(f"Conti{mark} Aldo".replace("\t", ""), club='The "Deep" End', line=2),
        PlayerRow("Bo", line=5),
    )


def test_excels_first_line_names_the_separator() -> None:
    assert read_players("sep=;\nname;club\nA, B;C\n") == (PlayerRow("A, B", club="C", line=3),)
    assert read_players("sep=\t\nname\tclub\nA, B\tC\n") == (PlayerRow("A, B", club="C", line=3),)


def test_a_field_over_several_lines_keeps_the_count_of_lines() -> None:
    rows = read_players('name,notes\nAnna,"one\ntwo"\nBo,\n')
    assert [(row.name, row.notes, row.line) for row in rows] == [("Anna", "one two", 2), ("Bo", "", 4)]


def test_a_bare_list_of_names() -> None:
    assert [row.name for row in read_players("\nAnna\nBo\n")] == ["Anna", "Bo"]


def test_every_fault_is_told_with_its_line() -> None:
    text = "\n".join(
        [
            "id,name,paid,club",
            "1,Anna,yes,",
            "2,anna,maybe,",
            "1,,no,",
            "3,Bo,no,Oslo,7,8",
            "4,Cl\x07eo,no,",
            f"5,{'D' * 61},no,",
            f"6,Eve,no,{'c' * 201}",
        ]
    )
    assert _faults(text, taken=("ANNA", "Zoe")) == [
        ("name-taken", "line 2"),
        ("paid-unknown", "line 3"),
        ("name-twice", "line 3"),
        ("name-taken", "line 3"),
        ("name-missing", "line 4"),
        ("id-twice", "line 4"),
        ("fields-too-many", "line 5"),
        ("character-unprintable", "line 6"),
        ("field-too-long", "line 7"),
        ("field-too-long", "line 8"),
    ]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [("players-none", None)]),
        ("\ufeff\n ; \n", [("players-none", None)]),
        ("name,club\n", [("players-count", None)]),
        ("who,where\nAnna,Oslo\n", [("columns-unknown", "line 1")]),
        ("name,player,club\nAnna,Bo,\n", [("columns-twice", "line 1")]),
        ('name,club\nAnna,Oslo\n"Bo,Rome\n', [("line-unreadable", "line 3")]),
        ('name,club\n"An"na,Oslo\n', [("line-unreadable", "line 2")]),
    ],
)
def test_what_is_no_list_of_players(text: str, faults: list[tuple[str, str | None]]) -> None:
    assert _faults(text) == faults


def test_formulas_are_written_so_that_no_spreadsheet_runs_them() -> None:
    rows = [PlayerRow("=1+1", club="@SUM(A1)", notes="-2"), PlayerRow("'+x"), PlayerRow("O'Neil")]
    text = write_players(rows, with_mark=False)
    assert text.splitlines()[1:] == [",'=1+1,'@SUM(A1),no,'-2", ",''+x,,no,", ",O'Neil,,no,"]
    assert [(row.name, row.club, row.notes) for row in read_players(text)] == [
        ("=1+1", "@SUM(A1)", "-2"),
        ("'+x", "", ""),
        ("O'Neil", "", ""),
    ]


def test_results_keep_numbers_as_numbers() -> None:
    text = write_results(
        [ResultRow(1, "Ana; Ruiz", "Rome", Chips(27000), 0, Money(240)), ResultRow(2, "Bo", out_in_hand=41)],
        delimiter=";",
    )
    assert text.startswith("\ufeff")
    assert list(csv.reader(io.StringIO(text[1:], newline=""), delimiter=";")) == [
        ["place", "name", "club", "stack", "out in the table's hand", "prize"],
        ["1", "Ana; Ruiz", "Rome", "27000", "", "240"],
        ["2", "Bo", "", "0", "41", "0"],
    ]


@pytest.mark.parametrize("delimiter", ["|", ""])
def test_an_unknown_delimiter_is_refused(delimiter: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        write_players([], delimiter=delimiter)
    assert caught.value.code == "delimiter-unknown"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    assert read_players(decode_csv("name,club\nChloé,Zürich\n".encode(encoding)))[0].name == "Chloé"


def test_bytes_that_are_no_text() -> None:
    for data in (b"name\n\x81\x8d", b"\xff\xfea"):
        with pytest.raises(ExchangeError) as caught:
            decode_csv(data)
        assert caught.value.code == "file-encoding"


def _summary(*finishes: SummaryFinish, **changes: object) -> Summary:
    values: dict[str, object] = {
        "number": "1000001",
        "name": "$20 SNG",
        "start": 1514713526000,
        "end": 1514714126999,
        "buy_in": 2000,
        "fee": 200,
        "starting_stack": 1500,
        "prize_pool": 12000,
        "finishes": finishes,
        "tables": 1,
        "round_seconds": 600,
        "currency": "USD",
        "decimals": 2,
        "site": "Anicka Poker",
        "network": "Anicka Poker",
        "software": "1.0.3",
    }
    return Summary(**(values | changes))  # type: ignore[arg-type]  # the fields by name


def test_the_sample_of_the_specification() -> None:
    """ts-specs.handhistory.org/examples/sample-sit-n-go, but for the SNG flag and the hero, which are not ours."""
    text = write_summary(
        _summary(SummaryFinish("My Player 1", 1, Money(8000)), SummaryFinish("My Player 2", 2, Money(4000)))
    )
    assert text.isascii()
    assert json.loads(text) == {
        "ots": {
            "spec_version": "1.1.5",
            "site_name": "Anicka Poker",
            "network_name": "Anicka Poker",
            "internal_version": "1.0.3",
            "tournament_number": "1000001",
            "tournament_name": "$20 SNG",
            "start_date_utc": "2017-12-31T09:45:26Z",
            "end_date_utc": "2017-12-31T09:55:26Z",
            "currency": "USD",
            "buyin_amount": 20.00,
            "fee_amount": 2.00,
            "initial_stack": 1500,
            "type": "STT",
            "flags": [],
            "speed": {"type": "Normal", "round_time": 600},
            "prize_pool": 120,
            "player_count": 2,
            "tournament_finishes_and_winnings": [
                {
                    "player_name": "My Player 1",
                    "finish_position": 1,
                    "still_playing": False,
                    "prize": 80.00,
                    "ticket_value": 0.00,
                },
                {
                    "player_name": "My Player 2",
                    "finish_position": 2,
                    "still_playing": False,
                    "prize": 40.00,
                    "ticket_value": 0.00,
                },
            ],
        }
    }


def test_reentries_several_tables_and_levels_counted_in_hands() -> None:
    finishes = (SummaryFinish("Jürgen", 1, Money(90)), SummaryFinish("Bo", 2, Money(0), reentries=2))
    summary = _summary(*finishes, tables=2, round_seconds=None, may_reenter=True, decimals=0, currency="XPM")
    text = write_summary(summary)
    body = json.loads(text)["ots"]
    assert text.isascii()
    assert (body["type"], body["flags"], body["speed"]) == ("MTT", ["Re-Entry"], {"type": "Normal"})
    assert body["rebuy_cost"] == 2200
    assert body["tournament_rebuys"] == [{"player_name": "Bo", "rebuys": 2, "addons": 0}]
    assert '"prize": 90,' in text


def test_an_event_that_goes_on_has_no_end() -> None:
    playing = SummaryFinish("Bo", 1, Money(0), is_playing=True)
    body = json.loads(write_summary(_summary(playing, end=None)))["ots"]
    assert "end_date_utc" not in body
    assert body["tournament_finishes_and_winnings"][0]["still_playing"] is True
    assert list(body)[6:8] == ["start_date_utc", "currency"]


def test_an_impossible_summary() -> None:
    finishes = (SummaryFinish("Bo", 1, Money(5)), SummaryFinish("Bo", 0, Money(5)))
    with pytest.raises(ExchangeError) as caught:
        write_summary(_summary(*finishes, end=0))
    assert [fault.code for fault in caught.value.faults] == ["end-before-start", "name-twice", "finish-invalid"]


words = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12).map(
    lambda text: " ".join(text.split())
)


@given(
    st.lists(
        st.tuples(words, words, st.booleans(), words), min_size=1, max_size=8, unique_by=lambda row: row[0].casefold()
    ),
    st.sampled_from(",;\t"),
    st.booleans(),
)
def test_players_written_are_read_back(
    values: list[tuple[str, str, bool, str]], delimiter: str, with_mark: bool
) -> None:
    rows = [PlayerRow(name, "", club, paid, notes) for name, club, paid, notes in values]
    written = write_players(rows, delimiter=delimiter, with_mark=with_mark)
    once = read_players(written)
    again = read_players(write_players(once, delimiter=delimiter))
    assert [row.paid for row in once] == [row.paid for row in rows]
    assert again == once
