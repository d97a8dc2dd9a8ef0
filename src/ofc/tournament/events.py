"""What happened in a tournament, in the past tense. An `Action` is one deed of one person: it is undone as a whole.

Chips are whole numbers; times are milliseconds since 1970 (UTC), told by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ofc.board import Board
from ofc.clock import Millis
from ofc.rules import RuleSet
from ofc.scoring import CappedBy, Chips, Points, Seat
from ofc.tournament.prizes import Fees, Money, Payouts
from ofc.tournament.structure import Structure

PlayerId = NewType("PlayerId", int)
"""A player's number in a tournament, from 1 in order of registration; kept for ever."""
TableNumber = NewType("TableNumber", int)
"""A table's number on the floor, from 1."""


@dataclass(frozen=True, slots=True)
class Payment:
    """Chips from one player to another for `points` at one hand's price; `capped_by` names whose stack cut it."""

    loser: PlayerId
    winner: PlayerId
    points: Points
    chips: Chips
    capped_by: CappedBy | None


@dataclass(frozen=True, slots=True)
class SeatAt:
    """A seat at a table of the floor."""

    table: TableNumber
    seat: Seat


class HandSource(StrEnum):
    """How a hand's result was obtained."""

    POINTS = "points"
    """Each player's points in all."""
    PAIRS = "pairs"
    """Points of each pair."""
    BOARDS = "boards"
    BLINDED = "blinded"
    """Nobody but absent players was left to play against."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament was set up. `absent_points` is what an absent player loses to each opponent a hand."""

    name: str
    rules: RuleSet
    structure: Structure
    seats: int
    absent_points: Points


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The name, structure or rule for absent players was changed; a structure while it runs, too."""

    name: str
    structure: Structure
    absent_points: Points


@dataclass(frozen=True, slots=True)
class Registered:
    """A player was put on the list; not yet seated."""

    player: PlayerId
    name: str
    club: str
    paid: bool


@dataclass(frozen=True, slots=True)
class PlayerChanged:
    """A player's name, club or payment was corrected."""

    player: PlayerId
    name: str
    club: str
    paid: bool


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A player who has not been seated was taken off the list."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class PlayerRemoved:
    """A seated player left for good, or was sent off: out now, and the chips leave play."""

    player: PlayerId
    reason: str


@dataclass(frozen=True, slots=True)
class TableSet:
    """A table came onto the floor, with its page's `code` and the button's seat."""

    table: TableNumber
    code: str
    button: Seat


@dataclass(frozen=True, slots=True)
class TableCoded:
    """A table's page got another code: the event went on where the old one belongs to another event."""

    table: TableNumber
    code: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """A table left the floor: nobody sits there any more."""

    table: TableNumber


@dataclass(frozen=True, slots=True)
class TablePriced:
    """A table that stood between hands took the price of the clock: the level at `step` of the structure."""

    table: TableNumber
    price: Chips
    step: int


@dataclass(frozen=True, slots=True)
class Seated:
    """A player got a seat and a starting stack: at the draw, entering late, or entering again."""

    player: PlayerId
    to: SeatAt
    stack: Chips


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """The seats of the start were drawn with this seed; `Seated` and `TableSet` events say the result."""

    seed: int


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The clock was started, stopped or moved: at `step` of the structure with `left_ms` to go, None for no end.

    `ends_at` is the moment the step ends while the clock runs, None while it stands or where the step has no end.
    """

    step: int
    running: bool
    left_ms: int | None
    ends_at: Millis | None


@dataclass(frozen=True, slots=True)
class MovePlanned:
    """A player is to move, after the hand being played and once neither table is in Fantasyland."""

    player: PlayerId
    to: SeatAt
    reason: str


@dataclass(frozen=True, slots=True)
class MoveCancelled:
    """A player is not to move after all."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Moved:
    """A player took another seat, with all chips."""

    player: PlayerId
    to: SeatAt


@dataclass(frozen=True, slots=True)
class SeatsRedrawn:
    """Seats were drawn again with this seed; `seats` and `button` are the result at this table.

    One for each table whose players drew: overnight several, among which the players change places.
    """

    table: TableNumber
    seed: int
    seats: tuple[PlayerId | None, ...]
    button: Seat


@dataclass(frozen=True, slots=True)
class HandForHandSet:
    """Every table plays one hand, then waits for the others: the round of this number; 0 ends it."""

    round: int


@dataclass(frozen=True, slots=True)
class HandSettled:
    """A hand at a table was settled at `price`, that of the level at `step` of the structure.

    `points` are of those who were dealt in and of the absent, and sum to 0; `stacks` are those after it;
    `fantasyland` the cards owed to each for the next hand; `out` the players without chips, higher place first, with
    the stack each had at the hand's start (R-CHIP-4). `price_next` and `step_next` are the price of the table's next
    hand and the step of the structure it is from. `late`: the table's page had kept the hand and says itself what price
    it was played at, one that was in force then.
    """

    table: TableNumber
    hand: int
    price: Chips
    step: int
    source: HandSource
    points: dict[PlayerId, Points]
    payments: tuple[Payment, ...]
    stacks: dict[PlayerId, Chips]
    boards: dict[PlayerId, Board]
    fantasyland: dict[PlayerId, int]
    out: tuple[tuple[PlayerId, Chips], ...]
    button_next: Seat
    price_next: Chips
    step_next: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class FantasylandDeclared:
    """Players earned Fantasyland in the hand being played; the table keeps price and button from now on."""

    table: TableNumber
    cards: dict[PlayerId, int]


@dataclass(frozen=True, slots=True)
class FantasylandEnded:
    """The table's Fantasyland was ended by hand: what it kept follows the clock again."""

    table: TableNumber
    button_next: Seat
    price_next: Chips
    step_next: int


@dataclass(frozen=True, slots=True)
class AbsenceMarked:
    """A player is away, and blinded by the event's rule; or is back."""

    player: PlayerId
    absent: bool


@dataclass(frozen=True, slots=True)
class StackCorrected:
    """A director set a player's stack, saying why."""

    player: PlayerId
    stack: Chips
    reason: str


@dataclass(frozen=True, slots=True)
class ButtonSet:
    """A director put the button elsewhere."""

    table: TableNumber
    button: Seat


@dataclass(frozen=True, slots=True)
class PrizesSet:
    """What there is to win: the fees that make the pool, and who gets how much of it.

    `unit` is what prizes are rounded to, `remainder_to` the place that gets what rounding leaves.
    """

    fees: Fees
    payouts: Payouts
    unit: Money
    remainder_to: int


@dataclass(frozen=True, slots=True)
class DealMade:
    """Those still playing agreed on what each gets; `held_back` goes to the winner on top."""

    shares: dict[PlayerId, Money]
    held_back: Money


class Stage(StrEnum):
    """How far a tournament has come."""

    SETUP = "setup"
    RUNNING = "running"
    BAGGED = "bagged"
    """Stopped overnight, every stack bagged."""
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class StageReached:
    """The tournament was started, bagged for the night, taken up again, or finished."""

    stage: Stage


TournamentEvent = (
    Opened
    | SettingsChanged
    | Registered
    | PlayerChanged
    | Withdrawn
    | PlayerRemoved
    | TableSet
    | TableCoded
    | TableClosed
    | TablePriced
    | Seated
    | SeatsDrawn
    | ClockSet
    | MovePlanned
    | MoveCancelled
    | Moved
    | SeatsRedrawn
    | HandForHandSet
    | HandSettled
    | FantasylandDeclared
    | FantasylandEnded
    | AbsenceMarked
    | StackCorrected
    | ButtonSet
    | PrizesSet
    | DealMade
    | StageReached
)


@dataclass(frozen=True, slots=True)
class Action:
    """One deed: what came of it, by whom and when. `seq` counts all entries of the log from 1."""

    seq: int
    at: Millis
    by: str
    words: str
    events: tuple[TournamentEvent, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The action numbered `action` was taken back; the log keeps it."""

    seq: int
    at: Millis
    by: str
    action: int


@dataclass(frozen=True, slots=True)
class Redone:
    """The action numbered `action`, taken back before, counts again."""

    seq: int
    at: Millis
    by: str
    action: int


LogEntry = Action | Undone | Redone
