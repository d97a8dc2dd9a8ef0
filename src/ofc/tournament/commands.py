"""What people may do to a tournament. `decide` turns a command into an action for the log, or refuses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ofc.clock import Millis
from ofc.rules import RuleSet
from ofc.scoring import Chips, Points, Seat
from ofc.tournament.events import PlayerId, SeatAt, TableNumber
from ofc.tournament.prizes import Fees, Money, Payouts
from ofc.tournament.settling import EnterBoards, EnterPoints
from ofc.tournament.structure import Structure


@dataclass(frozen=True, slots=True)
class Open:
    """Set a tournament up. `seats` is how many a table has."""

    name: str
    rules: RuleSet
    structure: Structure
    seats: int = 3
    absent_points: Points = Points(3)  # noqa: RUF009  # a whole number


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Change the name, the structure (also while it runs) or what absent players lose."""

    name: str
    structure: Structure
    absent_points: Points


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player to be put on the list."""

    name: str
    club: str = ""
    paid: bool = False


@dataclass(frozen=True, slots=True)
class Register:
    """Put players on the list, all or none."""

    players: tuple[NewPlayer, ...]


@dataclass(frozen=True, slots=True)
class ChangePlayer:
    """Correct a player's name, club or payment."""

    player: PlayerId
    name: str
    club: str
    paid: bool


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take a player who was never seated off the list."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """Take a seated player out for good, chips and all, saying why; refused at a table in Fantasyland."""

    player: PlayerId
    reason: str


@dataclass(frozen=True, slots=True)
class DrawSeats:
    """Draw everyone's seat and begin. `codes` are new tables' codes, one for each table and more to spare."""

    seed: int
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatPlayer:
    """Seat a player who enters late or again, with a new stack. `code` is for a new table if no seat is free."""

    player: PlayerId
    code: str


@dataclass(frozen=True, slots=True)
class StartClock:
    """Let the clock run."""


@dataclass(frozen=True, slots=True)
class PauseClock:
    """Stop the clock where it stands."""


@dataclass(frozen=True, slots=True)
class JumpTo:
    """Put the clock at the beginning of a step of the structure."""

    step: int


@dataclass(frozen=True, slots=True)
class AdjustClock:
    """Give so many milliseconds more, or take them if negative; a second is always left."""

    change_ms: int


@dataclass(frozen=True, slots=True)
class PlanMove:
    """Let a player move after the hand being played, once neither table is in Fantasyland."""

    player: PlayerId
    to: SeatAt
    reason: str


@dataclass(frozen=True, slots=True)
class PlanMoves:
    """Accept every move that `propose_moves` makes now."""


@dataclass(frozen=True, slots=True)
class CancelMove:
    """Let a player stay after all."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class MoveNow:
    """Move a player at once, the hand being played not counted; refused where either table is in Fantasyland."""

    player: PlayerId
    to: SeatAt
    reason: str


@dataclass(frozen=True, slots=True)
class RedrawSeats:
    """Draw the seats of the last table again; overnight those of every table that owes no Fantasyland hand."""

    seed: int


@dataclass(frozen=True, slots=True)
class PlayHandForHand:
    """Let every table play one hand and wait for the others, Fantasyland hands included; or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class DeclareFantasyland:
    """Players earned Fantasyland in the hand being played, with so many cards; 0 takes it back."""

    table: TableNumber
    cards: Mapping[PlayerId, int]


@dataclass(frozen=True, slots=True)
class EndFantasyland:
    """The table's Fantasyland is done; price and button follow the clock again.

    Only where hands were not entered: the result of a Fantasyland hand ends Fantasyland by itself.
    """

    table: TableNumber


@dataclass(frozen=True, slots=True)
class MarkAbsence:
    """A player is away, or is back."""

    player: PlayerId
    absent: bool


@dataclass(frozen=True, slots=True)
class CorrectStack:
    """Set a player's stack, saying why: chips were miscounted."""

    player: PlayerId
    stack: Chips
    reason: str


@dataclass(frozen=True, slots=True)
class SetButton:
    """Put a table's button elsewhere."""

    table: TableNumber
    button: Seat


@dataclass(frozen=True, slots=True)
class SetPrizes:
    """Say what there is to win, and who gets how much of it."""

    fees: Fees
    payouts: Payouts
    unit: Money = Money(1)  # noqa: RUF009  # a whole number
    remainder_to: int = 1


@dataclass(frozen=True, slots=True)
class MakeDeal:
    """Divide the prizes still played for among those who still play, `held_back` left for the winner."""

    shares: Mapping[PlayerId, Money]
    held_back: Money = Money(0)  # noqa: RUF009  # a whole number


@dataclass(frozen=True, slots=True)
class Bag:
    """Stop for the night: the clock stands, every stack is bagged."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after the night."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End the tournament: places and prizes are final."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on with the event from its file: the clock stands, and these tables' pages have other codes."""

    codes: Mapping[TableNumber, str]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take an action back."""

    action: int


@dataclass(frozen=True, slots=True)
class Redo:
    """Let an action that was taken back count again."""

    action: int


Command = (
    ChangeSettings
    | Register
    | ChangePlayer
    | Withdraw
    | RemovePlayer
    | DrawSeats
    | SeatPlayer
    | StartClock
    | PauseClock
    | JumpTo
    | AdjustClock
    | PlanMove
    | PlanMoves
    | CancelMove
    | MoveNow
    | RedrawSeats
    | PlayHandForHand
    | EnterPoints
    | EnterBoards
    | DeclareFantasyland
    | EndFantasyland
    | MarkAbsence
    | CorrectStack
    | SetButton
    | SetPrizes
    | MakeDeal
    | Bag
    | Resume
    | Finish
    | TakeOver
)


@dataclass(frozen=True, slots=True)
class Told:
    """By whom and when a command was given."""

    by: str
    at: Millis
