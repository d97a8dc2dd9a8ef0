"""Rule sets: every difference between games is a field of one frozen value (rules.md, "One engine").

No code asks for a rule set by name. `get_rules` finds the built-in ones; `ofc.rulesets` holds them, and reads
one's own from TOML.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final, NamedTuple

from ofc.board import BOARD_SIZE
from ofc.cards import DECK, RANK_LETTERS, Rank
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


MIN_SEATS: Final = 2
"""The fewest seats that any rule set may have."""
MAX_FANTASYLAND: Final = 17
"""The most cards that any Fantasyland holds."""
MAX_POINTS: Final = 1_000
"""The most points that a royalty or the scoop may be worth."""


def category_name(category: Category) -> str:
    """Return a hand type's name as rule files write it: `full-house`."""
    return category.name.lower().replace("_", "-")


_RANK_NAMES: Final = tuple(RANK_LETTERS)
_CATEGORY_NAMES: Final = tuple(map(category_name, Category))
ENTRY_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "top_pair_royalties": _RANK_NAMES,
    "top_trips_royalties": _RANK_NAMES,
    "middle_royalties": _CATEGORY_NAMES,
    "bottom_royalties": _CATEGORY_NAMES,
    "fantasyland_pairs": _RANK_NAMES,
}
"""Of each field that holds a number for every rank or hand type, the names of its places, in order."""


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
        values = {name: getattr(self, name) for name in RULE_FIELDS}
        faults = [
            Fault("rules-field-impossible", f"{path}: {message}", field=path, text=field_text(value_at(values, path)))
            for path, message in impossible_values(values)
        ]
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


RULE_FIELDS: Final = {item.name: item for item in fields(RuleSet)}
"""The fields of a `RuleSet` by name, in order, each with `rule` and `words` in its metadata."""


def impossible_values(
    values: Mapping[str, Any], *, blamable: Container[str] | None = None
) -> Iterator[tuple[str, str]]:
    """Say which values of a `RuleSet`'s fields cannot be played, alone or together: pairs of a path and why.

    A path is a field, or a place in one: `fantasyland_pairs.Q`. Only what is known is judged: fields may be missing,
    and places None. Where several values are at odds, the first of `blamable` (by default of all) is named.
    """
    yield from _impossible_seats(values, blamable)
    streets = values.get("streets")
    faults = [] if streets is None else list(_impossible_streets(streets))
    yield from faults
    hands = [("max_seats", BOARD_SIZE)]  # every hand has at least a board's cards
    if streets is not None and not faults:
        hands.append(("streets", sum(street.dealt for street in streets)))
    for path, points in _numbers(values, "scoop", *(name for name in ENTRY_NAMES if name.endswith("royalties"))):
        if not 0 <= points <= MAX_POINTS:
            yield path, f"points are 0 to {MAX_POINTS}"
    for path, count in _numbers(values, "fantasyland_pairs", "fantasyland_trips"):
        if BOARD_SIZE <= count <= MAX_FANTASYLAND:
            hands.append((path, count))
        elif count != 0:
            yield path, f"Fantasyland holds {BOARD_SIZE} to {MAX_FANTASYLAND} cards, or 0 for no entry"
    if values.get("stay_top") not in (None, Category.PAIR, Category.TRIPS):
        yield "stay_top", "the top holds a pair or three of a kind at best"
    staying = [name for name in ("stay_top", "stay_middle", "stay_bottom") if values.get(name) is not None]
    if values.get("stay_cards") is StayCards.FOURTEEN and staying and any("fantasyland" in path for path, _ in hands):
        hands.append((_blamed(("stay_cards", *staying), blamable), 14))
    yield from _too_many_cards(values.get("max_seats"), hands, blamable)


def _impossible_seats(values: Mapping[str, Any], blamable: Container[str] | None) -> Iterator[tuple[str, str]]:
    known = {name: values[name] for name in ("min_seats", "max_seats") if name in values}
    few = [name for name, seats in known.items() if seats < MIN_SEATS]
    for name in few:
        yield name, f"at least {MIN_SEATS}"
    fewest = known.get("min_seats", MIN_SEATS)
    if fewest * BOARD_SIZE > len(DECK) and fewest > known.get("max_seats", 0):  # else the most seats are judged
        yield "min_seats", _say_too_many(fewest, BOARD_SIZE)
    elif len(known) == 2 and not few and fewest > known["max_seats"]:
        least, most = map(field_text, known.values())
        yield _blamed(known, blamable), f"min_seats ({least}) must be no more than max_seats ({most})"


def _impossible_streets(streets: Sequence[Street]) -> Iterator[tuple[str, str]]:
    if sum(street.placed for street in streets) != BOARD_SIZE:
        yield "streets", f"the streets must place {BOARD_SIZE} cards in all"
    if any(not 1 <= street.placed <= street.dealt <= len(DECK) for street in streets):
        yield "streets", "each street places at least one card, and no more than it deals of the deck"


def _too_many_cards(
    seats: int | None, hands: Sequence[tuple[str, int]], blamable: Container[str] | None
) -> Iterator[tuple[str, str]]:
    """Say where so many seats cannot hold hands of so many cards; once for each that is to blame."""
    told = set()
    for path, cards in sorted(hands, key=lambda hand: -hand[1]):
        if seats is not None and seats * cards > len(DECK):
            blamed = _blamed(("max_seats", path), blamable)
            if blamed not in told:
                told.add(blamed)
                yield blamed, _say_too_many(seats, cards)


def _say_too_many(seats: int, cards: int) -> str:
    return f"{field_text(seats)} seats of {cards} cards are more than the deck's {len(DECK)}"


def _blamed(paths: Iterable[str], blamable: Container[str] | None) -> str:
    first, *others = paths
    return next((path for path in (first, *others) if blamable is None or path in blamable), first)


def _numbers(values: Mapping[str, Any], *names: str) -> Iterator[tuple[str, int]]:
    """Yield the numbers of these fields that are known, each with its path."""
    for name in names:
        if name in ENTRY_NAMES:
            numbers = values.get(name, ())
            places = zip(ENTRY_NAMES[name], numbers, strict=False)
            yield from ((f"{name}.{place}", number) for place, number in places if number is not None)
        elif name in values:
            yield name, values[name]


def value_at(values: Mapping[str, Any], path: str) -> object:
    """Return the value at a path of `impossible_values`."""
    name, _, place = path.partition(".")
    return values[name][ENTRY_NAMES[name].index(place)] if place else values[name]


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
