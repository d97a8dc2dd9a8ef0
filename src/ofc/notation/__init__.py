"""Hand histories: one finished hand a line of JSON, written, read, checked and replayed (docs/hand-history.md).

`record_of` makes a record from a table at its showdown, `format_record` and `parse_record` are its text and back,
`replay_record` plays it again through the same state machine that played it first, `seen_by` leaves out what one
viewer may not see, and `format_hand_text` tells a hand to people.
"""

from ofc.notation.reading import Reading, parse_record, parse_records
from ofc.notation.records import (
    Action,
    HandRecord,
    PairRecord,
    PlayerRecord,
    ResultRecord,
    SeatRecord,
    record_of,
    seen_by,
)
from ofc.notation.replaying import Frame, Replay, check_record, check_records, replay_record
from ofc.notation.text import format_hand_text
from ofc.notation.writing import FORMAT, VERSION, format_record

__all__ = [
    "FORMAT",
    "VERSION",
    "Action",
    "Frame",
    "HandRecord",
    "PairRecord",
    "PlayerRecord",
    "Reading",
    "Replay",
    "ResultRecord",
    "SeatRecord",
    "check_record",
    "check_records",
    "format_hand_text",
    "format_record",
    "parse_record",
    "parse_records",
    "record_of",
    "replay_record",
    "seen_by",
]
