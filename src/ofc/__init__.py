"""Open Face Chinese Poker Pineapple: rules, hands and tables as a typed library.

>>> import ofc
>>> rules = ofc.get_rules("pineapple")
>>> anna = ofc.Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
>>> bo = ofc.Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")
>>> settlement = ofc.settle([anna, bo], rules)
>>> [player.points for player in settlement.players]
[-4, 4]
"""

from ofc import events, hand, notation, table
from ofc.board import ROWS, Board, Placement, Row
from ofc.cards import DECK, Card, Rank, Suit, format_cards, parse_cards, shuffled_deck
from ofc.errors import (
    BoardError,
    CardError,
    Fault,
    IllegalCommandError,
    NotationError,
    OfcError,
    RulesError,
    ScoringError,
)
from ofc.evaluation import Category, Strength, category_of, describe, evaluate
from ofc.hand import Hand
from ofc.notation import (
    HandRecord,
    check_record,
    format_hand_text,
    format_record,
    parse_record,
    record_of,
    replay_record,
)
from ofc.outlook import Outlook, outlook_for
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN, get_rules, rules_from_toml
from ofc.scoring import Chips, Points, Seat, Settlement, settle, settle_chips
from ofc.table import Table, open_table
from ofc.view import View, view_for

__all__ = [
    "BUILT_IN",
    "DECK",
    "ROWS",
    "Board",
    "BoardError",
    "Card",
    "CardError",
    "Category",
    "Chips",
    "Fault",
    "Hand",
    "HandRecord",
    "IllegalCommandError",
    "NotationError",
    "OfcError",
    "Outlook",
    "Placement",
    "Points",
    "Rank",
    "Row",
    "RuleSet",
    "RulesError",
    "ScoringError",
    "Seat",
    "Settlement",
    "Strength",
    "Suit",
    "Table",
    "View",
    "category_of",
    "check_record",
    "describe",
    "evaluate",
    "events",
    "format_cards",
    "format_hand_text",
    "format_record",
    "get_rules",
    "hand",
    "notation",
    "open_table",
    "outlook_for",
    "parse_cards",
    "parse_record",
    "record_of",
    "replay_record",
    "rules_from_toml",
    "settle",
    "settle_chips",
    "shuffled_deck",
    "table",
    "view_for",
]
