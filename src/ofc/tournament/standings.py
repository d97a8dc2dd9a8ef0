"""Places and prizes: those who still play by their stacks, those who are out by when they went (R-CHIP-4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ofc.scoring import Chips
from ofc.tournament.events import PlayerId, Stage
from ofc.tournament.prizes import Money, PrizeError, make_pool, prize_list, split_ties
from ofc.tournament.state import PlayerState, Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place, from 1; shared places repeat. `is_out` places are final.

    `prize` is what the player has won for certain, None as long as that is open: none was set, or they still play
    and made no deal.
    """

    place: int
    player: PlayerId
    name: str
    stack: Chips
    is_out: bool
    prize: Money | None = None


def standings(state: Tournament) -> tuple[Standing, ...]:
    """Return everyone who was ever seated, best place first.

    Who goes out later is placed higher. Two who go out in one hand, or in one round of hand-for-hand: the larger stack
    at its start is placed higher, equal stacks share the place (R-CHIP-4).
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
    return _with_prizes(state, found)


def prizes(state: Tournament) -> tuple[Money, ...]:
    """Return the prize of each paid place, from the first; none if no prizes were set, or nobody has entered.

    Before the draw those who are registered count as entries.

    `PrizeError` if the prizes that were set do not fit the entries there are.
    """
    if state.prizes is None or not state.entries:
        return ()
    settings, entries = state.prizes, state.entries
    pool = make_pool(settings.fees, entries=entries).total
    players = state.entrants
    found = prize_list(pool, settings.payouts, entries=entries, unit=settings.unit, remainder_to=settings.remainder_to)
    if len(found) > players:  # places that nobody can take
        return (Money(found[0] + sum(found[players:])), *found[1:players])
    return found


def prizes_left(state: Tournament) -> tuple[Money, ...]:
    """Return the prizes that are still played for, from the first place; `PrizeError` as `prizes`."""
    return prizes(state)[: sum(player.at is not None for player in state.players.values())]


def _with_prizes(state: Tournament, found: list[Standing]) -> tuple[Standing, ...]:
    try:
        amounts = prizes(state)
    except PrizeError:  # entries are still coming in
        amounts = ()
    if not amounts:
        return tuple(found)
    by_entry = sorted(found, key=lambda one: one.player)  # odd units go to the earlier entry
    split = split_ties(amounts, [one.place for one in by_entry], unit=state.prizes.unit if state.prizes else Money(1))
    won = dict(zip((one.player for one in by_entry), split, strict=True))
    is_over = state.settings.stage is Stage.FINISHED
    deal = state.deal
    told: list[Standing] = []
    for one in found:
        prize: Money | None = won[one.player] if one.is_out or is_over else None
        if deal is not None and one.player in deal.shares:
            held_back = deal.held_back if is_over and one.place == 1 else 0
            prize = Money(deal.shares[one.player] + held_back)
        told.append(one if prize is None else replace(one, prize=prize))
    return tuple(told)


def _out_rank(player: PlayerState) -> tuple[int, int, int]:
    if player.out is None:
        raise ValueError(f"{player.name} is not out")
    return (-player.out.order, -player.out.stack, player.id)


def _are_tied(a: PlayerState, b: PlayerState) -> bool:
    if a.out is None or b.out is None:
        return a.out is b.out and a.stack == b.stack
    return (a.out.order, a.out.stack) == (b.out.order, b.out.stack)
