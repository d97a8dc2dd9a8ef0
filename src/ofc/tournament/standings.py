"""Places: those who still play by their stacks, those who are out by when they went (R-CHIP-4)."""

from __future__ import annotations

from dataclasses import dataclass

from ofc.scoring import Chips
from ofc.tournament.events import PlayerId
from ofc.tournament.state import PlayerState, Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place, from 1; shared places repeat. `is_out` places are final."""

    place: int
    player: PlayerId
    name: str
    stack: Chips
    is_out: bool


def standings(state: Tournament) -> tuple[Standing, ...]:
    """Return everyone who was ever seated, best place first.

    Who goes out later is placed higher. Two who go out in one hand: the larger stack at its start is placed higher,
    equal stacks share the place (R-CHIP-4).
    """
    seated = [player for player in state.players.values() if player.at is not None]
    gone = [player for player in state.players.values() if player.at is None and player.out is not None]
    ranked = sorted(seated, key=lambda player: (-player.stack, player.id)) + sorted(gone, key=_out_rank)
    found: list[Standing] = []
    for number, player in enumerate(ranked, start=1):
        before = found[-1] if found else None
        is_tied = before is not None and _are_tied(state.players[before.player], player)
        place = before.place if before is not None and is_tied else number
        found.append(Standing(place, player.id, player.name, player.stack, player.at is None))
    return tuple(found)


def _out_rank(player: PlayerState) -> tuple[int, int, int]:
    if player.out is None:
        raise ValueError(f"{player.name} is not out")
    return (-player.out.order, -player.out.stack, player.id)


def _are_tied(a: PlayerState, b: PlayerState) -> bool:
    if a.out is None or b.out is None:
        return a.out is b.out and a.stack == b.stack
    return (a.out.order, a.out.stack) == (b.out.order, b.out.stack)
