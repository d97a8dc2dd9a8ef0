"""Rule sets: every difference between games is a field of one frozen value (rules.md, "One engine").

No code asks for a rule set by name. `get_rules` finds the built-in ones; `ofc.rulesets` holds them, and reads
one's own from TOML.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Final, NamedTuple

from ofc.board import BOARD_SIZE
from ofc.cards import DECK, Rank
from ofc.errors import Fault, RulesError
from ofc.evaluation import Category


class Street(NamedTuple):
    """One round of a regular hand: `dealt` cards, of which `placed` are placed and the rest discarded."""

    dealt: int
    placed: int


class ButtonRule(StrEnum):
    """When the button moves on (R-FL-7)."""

    AFTER_REGULAR_HAND = "after-regular-hand"
    """After a hand in which nobody was in Fantasyland, the hand that earns one included."""
    AFTER_HAND_EARNING_NONE = "after-hand-earning-none"
    """After a hand that earned no Fantasyland for the next one, a Fantasyland hand included."""
    ALWAYS = "always"


class SettlementOrder(StrEnum):
    """In which order pairs are paid (R-CHIP-3), seats counted from the button's left."""

    BUTTON_FIRST = "button-first"
    LEFT_FIRST = "left-first"


class FantasylandTurn(StrEnum):
    """When a Fantasyland player sets (R-FL-3)."""

    BEFORE_OTHERS = "before-others"
    ALONGSIDE = "alongside"


class StayCards(StrEnum):
    """With how many cards one stays in Fantasyland (R-FL-5, R-FL-6)."""

    SAME = "same"
    """As many as held now."""
    LARGER = "larger"
    """The larger of the count held now and the entry count of this hand's top."""
    FOURTEEN = "fourteen"
    """Always 14."""


class LoneFantasyland(StrEnum):
    """What becomes of a Fantasyland owed where no opponent is left (R-CHIP-6)."""

    LAPSES = "lapses"
    CARRIED = "carried"


RankPoints = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]
"""A number for each rank, twos first."""
CategoryPoints = tuple[int, int, int, int, int, int, int, int, int, int]
"""A number for each hand type, high card first."""


MAX_FANTASYLAND: Final = 17
"""The most cards that any Fantasyland holds."""
MAX_POINTS: Final = 1_000
"""The most points that a royalty or the scoop may be worth."""

_ROYALTIES: Final = ("top_pair_royalties", "top_trips_royalties", "middle_royalties", "bottom_royalties")


def _rule(rule_id: str, words: str) -> dict[str, str]:
    """Say which rule a field comes from, and what it says."""
    return {"rule": rule_id, "words": words}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The whole of one game's rules. Points are whole numbers; counts are of cards or of seats.

    Each field's metadata holds `rule`, its ID in the rules ("-": none), and `words`. `RulesError` names every
    impossible field.
    """

    id: str = field(metadata=_rule("R-FL-6", "name of the rule set"))
    version: str = field(metadata=_rule("R-FL-6", "date from which this version is played, YYYY-MM-DD"))
    title: str = field(metadata=_rule("-", "name for people"))
    summary: str = field(metadata=_rule("-", "in one line"))
    min_seats: int = field(metadata=_rule("R-DEAL-1", "fewest seats"))
    max_seats: int = field(metadata=_rule("R-DEAL-1", "most seats"))
    streets: tuple[Street, ...] = field(metadata=_rule("R-DEAL-1", "cards dealt and placed, street by street"))
    reveals_discards: bool = field(metadata=_rule("R-SEE-2", "discards are shown to all after the showdown"))
    strict_order: bool = field(metadata=_rule("R-FOUL-1", "rows of equal strength foul"))
    scoop: int = field(metadata=_rule("R-SCORE-1", "points for winning all three rows, on top of the rows"))
    top_pair_royalties: RankPoints = field(metadata=_rule("R-ROYAL-1", "royalty of a pair on top, by rank"))
    top_trips_royalties: RankPoints = field(metadata=_rule("R-ROYAL-1", "royalty of three of a kind on top, by rank"))
    middle_royalties: CategoryPoints = field(metadata=_rule("R-ROYAL-2", "royalty of the middle, by hand type"))
    bottom_royalties: CategoryPoints = field(metadata=_rule("R-ROYAL-3", "royalty of the bottom, by hand type"))
    fantasyland_pairs: RankPoints = field(
        metadata=_rule("R-FL-1", "cards in Fantasyland for a pair on top, by rank; 0: no entry")
    )
    fantasyland_trips: int = field(
        metadata=_rule("R-FL-1", "cards in Fantasyland for three of a kind on top; 0: no entry")
    )
    fantasyland_turn: FantasylandTurn = field(metadata=_rule("R-FL-3", "when a Fantasyland player sets"))
    stay_top: Category | None = field(metadata=_rule("R-FL-4", "least hand type on top that stays in Fantasyland"))
    stay_middle: Category | None = field(
        metadata=_rule("R-FL-4", "least hand type in the middle that stays in Fantasyland")
    )
    stay_bottom: Category | None = field(
        metadata=_rule("R-FL-4", "least hand type at the bottom that stays in Fantasyland")
    )
    stay_cards: StayCards = field(metadata=_rule("R-FL-5", "with how many cards one stays"))
    button: ButtonRule = field(metadata=_rule("R-FL-7", "when the button moves on"))
    settlement_order: SettlementOrder = field(metadata=_rule("R-CHIP-3", "in which order pairs are paid in chips"))
    lone_fantasyland: LoneFantasyland = field(
        metadata=_rule("R-CHIP-6", "a Fantasyland owed where no opponent is left")
    )

    def __post_init__(self) -> None:
        faults = self._impossible()
        if faults:
            raise RulesError(*faults)

    @property
    def name(self) -> str:
        """The rule set with its version: `ultimate@2026-09-22`."""
        return f"{self.id}@{self.version}"

    @property
    def seats(self) -> range:
        """The numbers of seats that may play."""
        return range(self.min_seats, self.max_seats + 1)

    @property
    def regular_cards(self) -> int:
        """How many cards a regular hand deals to a seat."""
        return sum(street.dealt for street in self.streets)

    @property
    def fantasyland_counts(self) -> tuple[int, ...]:
        """Every number of cards a Fantasyland of these rules can hold, ascending."""
        counts = {*self.fantasyland_pairs, self.fantasyland_trips} - {0}
        if counts and self.stay_cards is StayCards.FOURTEEN and self.can_stay:
            counts.add(14)
        return tuple(sorted(counts))

    @property
    def can_stay(self) -> bool:
        """Whether any hand stays in Fantasyland."""
        return not (self.stay_top is self.stay_middle is self.stay_bottom is None)

    def _impossible(self) -> list[Fault]:
        faults = [
            Fault("rules-field-impossible", f"{name}: {message}", field=name, text=field_text(getattr(self, name)))
            for name, message in self._contradictions()
        ]
        # How many cards a seat may hold means something only where the fields that say it do.
        most = max(self.regular_cards, *self.fantasyland_counts, 0)
        if not faults and self.max_seats * most > len(DECK):
            seats = field_text(self.max_seats)
            message = f"max_seats: {seats} seats of {most} cards are more than the deck's {len(DECK)}"
            faults.append(Fault("rules-field-impossible", message, field="max_seats", text=seats))
        return faults

    def _contradictions(self) -> Iterator[tuple[str, str]]:
        if not 2 <= self.min_seats <= self.max_seats:
            yield "min_seats", "at least 2, and no more than max_seats"
        if sum(street.placed for street in self.streets) != BOARD_SIZE:
            yield "streets", f"the streets must place {BOARD_SIZE} cards in all"
        if any(not 1 <= street.placed <= street.dealt <= len(DECK) for street in self.streets):
            yield "streets", "each street places at least one card, and no more than it deals of the deck"
        points = {"scoop": (self.scoop,)} | {name: getattr(self, name) for name in _ROYALTIES}
        for name, numbers in points.items():
            if not all(0 <= number <= MAX_POINTS for number in numbers):
                yield name, f"points are 0 to {MAX_POINTS}"
        entries = {
            "fantasyland_pairs": self.fantasyland_pairs,
            "fantasyland_trips": (self.fantasyland_trips,),
        }
        for name, counts in entries.items():
            if not all(count == 0 or BOARD_SIZE <= count <= MAX_FANTASYLAND for count in counts):
                yield name, f"Fantasyland holds {BOARD_SIZE} to {MAX_FANTASYLAND} cards, or 0 for no entry"
        if self.stay_top not in (None, Category.PAIR, Category.TRIPS):
            yield "stay_top", "the top holds a pair or three of a kind at best"


RULE_FIELDS: Final = {item.name: item for item in fields(RuleSet)}
"""The fields of a `RuleSet` by name, in order, each with `rule` and `words` in its metadata."""


def field_text(value: object) -> str:
    """Return a field's value as a fault shows it."""
    try:
        return "none" if value is None else str(value)
    except ValueError:  # a number of thousands of digits
        return "a number too long to write"


def rank_points(**points: int) -> RankPoints:
    """Return a number for each rank from letters, `rank_points(Q=14, K=15)`; others 0. Digits: `_6=1`."""
    by_letter = {name.lstrip("_"): value for name, value in points.items()}
    two, *others = (by_letter.get(rank.letter, 0) for rank in Rank)
    return (two, *others)  # type: ignore[return-value]  # there are 13 ranks


def category_points(**points: int) -> CategoryPoints:
    """Return a number for each hand type by its lower-case name, `category_points(straight=4)`; others 0."""
    high_card, *others = (points.get(category.name.lower(), 0) for category in Category)
    return (high_card, *others)  # type: ignore[return-value]  # there are 10 categories
