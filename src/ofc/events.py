"""What happened at a table, in the past tense. Events are the truth; every state is their replay.

All are plain frozen values. `at` is the moment in milliseconds since 1970 (UTC), as the caller told it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ofc.board import Placement
from ofc.cards import Card
from ofc.clock import Millis
from ofc.rules import RuleSet
from ofc.scoring import Chips, Seat, Settlement, Transfer


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand was begun with the deck shuffled into `deck`, a secret until each card is dealt.

    `seats` are those dealt in, ascending; `fantasyland` is aligned with them, 0 for a regular hand.
    """

    number: int
    seats: tuple[Seat, ...]
    button: Seat
    fantasyland: tuple[int, ...]
    price: Chips | None
    deck: tuple[Card, ...]
    at: Millis


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """`cards` were dealt to `seat`, which alone may see them; street 0 is a whole Fantasyland."""

    seat: Seat
    street: int
    cards: tuple[Card, ...]
    at: Millis


@dataclass(frozen=True, slots=True)
class CardsPlaced:
    """`seat` placed this street's cards and discarded the rest, in order; `forced`: time placed them (R-TIME-1)."""

    seat: Seat
    street: int
    placements: tuple[Placement, ...]
    discards: tuple[Card, ...]
    forced: bool
    at: Millis


@dataclass(frozen=True, slots=True)
class HandSettled:
    """The hand was shown down. In `settlement` seats are places in the hand's `seats`.

    `transfers` and `stacks` are empty at a table that keeps points; `stacks` are by place in `seats`.
    `button_next` is the seat that has the button in the next hand.
    """

    settlement: Settlement
    transfers: tuple[Transfer, ...]
    stacks: tuple[Chips, ...]
    button_next: Seat
    at: Millis


@dataclass(frozen=True, slots=True)
class HandAbandoned:
    """The hand under way was given up with the match; it counts for nothing."""

    at: Millis


HandEvent = HandStarted | CardsDealt | CardsPlaced


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat: a name of 1 to 20 characters, and the bot's id where it is one."""

    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table was opened for `seats` seats under `rules`; a match there is of `hands` hands.

    `stack` and `price` are both None where points are kept. `seeded` says that the deals can be foreseen by
    whoever knows the seed.
    """

    rules: RuleSet
    seats: int
    hands: int
    stack: Chips | None
    price: Chips | None
    button: Seat
    seeded: bool
    at: Millis


@dataclass(frozen=True, slots=True)
class PlayerSeated:
    """`player` sat down in `seat`, with a starting stack where chips are kept (R-SEAT-1)."""

    seat: Seat
    player: Player
    at: Millis


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """The player in `seat` left between hands, giving up any Fantasyland owed (R-SEAT-1)."""

    seat: Seat
    at: Millis


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """The player in `seat`, marked away by a forced placement, is back (R-TIME-1)."""

    seat: Seat
    at: Millis


@dataclass(frozen=True, slots=True)
class PriceSet:
    """The price per point is to be `price`, from the next hand with no Fantasyland pending on (R-CHIP-5)."""

    price: Chips
    at: Millis


class MatchEnd(StrEnum):
    """Why a match ended."""

    HANDS = "hands"
    """All its hands were played, and whatever Fantasyland was then pending."""
    ENDED = "ended"
    """A player ended it."""
    CHIPS = "chips"
    """Too few players have chips left."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    reason: MatchEnd
    at: Millis


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The same players began again at zero, or with full stacks."""

    at: Millis


TableEvent = (
    TableOpened
    | PlayerSeated
    | PlayerLeft
    | PlayerReturned
    | PriceSet
    | HandEvent
    | HandSettled
    | HandAbandoned
    | MatchEnded
    | MatchStarted
)
