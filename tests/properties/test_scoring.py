"""What holds for every finished hand under every rule set."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ofc.board import ROWS, Board
from ofc.calculator import FinishedHand, Money, answer, read_hand, score_hand
from ofc.cards import Suit
from ofc.rules import SettlementOrder
from ofc.scoring import Chips, Seat, settle, settle_chips
from tests import strategies, twins
from tests.properties.test_cards_and_boards import with_suits
from tests.strategies import Finished


@given(strategies.finished_hands())
def test_points_sum_to_zero_and_every_pair_adds_up(hand: Finished) -> None:
    settlement = settle(hand.boards, hand.rules, fantasyland=hand.fantasyland, button=hand.button)
    assert sum(player.points for player in settlement.players) == 0
    for pair in settlement.pairs:
        assert pair.points == pair.rows.total + pair.scoop + pair.royalties
        own, theirs = settlement.players[pair.a], settlement.players[pair.b]
        assert pair.royalties == own.royalties.total - theirs.royalties.total
        assert abs(pair.scoop) in (0, hand.rules.scoop)
    for player in settlement.players:
        assert not (player.fouled and (player.royalties.total or player.fantasyland_next))


@given(strategies.finished_hands())
def test_points_are_those_of_the_slow_twin(hand: Finished) -> None:
    settlement = settle(hand.boards, hand.rules)
    rows = [[board.row(row) for row in ROWS] for board in hand.boards]
    assert [player.points for player in settlement.players] == twins.points(rows, hand.rules)
    assert [player.fouled for player in settlement.players] == [twins.is_fouled(row, hand.rules) for row in rows]


@given(strategies.finished_hands(), st.permutations(list(Suit)))
def test_other_suits_change_nothing(hand: Finished, suits: list[Suit]) -> None:
    boards = [Board(*(with_suits(board.row(row), suits) for row in ROWS)) for board in hand.boards]
    assert settle(boards, hand.rules, fantasyland=hand.fantasyland) == settle(
        hand.boards, hand.rules, fantasyland=hand.fantasyland
    )


@given(strategies.finished_hands(), st.data())
def test_other_seats_permute_the_result(hand: Finished, data: st.DataObject) -> None:
    order = data.draw(st.sampled_from(twins.all_orders(len(hand.boards))))
    before = settle(hand.boards, hand.rules, fantasyland=hand.fantasyland, button=hand.button)
    after = settle(
        [hand.boards[seat] for seat in order],
        hand.rules,
        fantasyland=[hand.fantasyland[seat] for seat in order],
        button=Seat(order.index(hand.button)),
    )
    assert after.players == tuple(before.players[seat] for seat in order)
    points = {frozenset((pair.a, pair.b)): abs(pair.points) for pair in before.pairs}
    assert {frozenset((order[pair.a], order[pair.b])): abs(pair.points) for pair in after.pairs} == points


@given(strategies.finished_hands(), st.integers(1, 3))
def test_turning_the_table_turns_the_chips(hand: Finished, steps: int) -> None:
    """With the button moved along, even the order of paying is the same."""
    count = len(hand.boards)
    order = [(seat + steps) % count for seat in range(count)]
    turned = Finished(
        hand.rules,
        tuple(hand.boards[seat] for seat in order),
        tuple(hand.fantasyland[seat] for seat in order),
        Seat(order.index(hand.button)),
        tuple(hand.stacks[seat] for seat in order),
        hand.price,
    )
    assert _stacks(turned) == tuple(_stacks(hand)[seat] for seat in order)


def _stacks(hand: Finished) -> tuple[Chips, ...]:
    settlement = settle(hand.boards, hand.rules, fantasyland=hand.fantasyland, button=hand.button)
    return settle_chips(settlement, stacks=hand.stacks, price=hand.price).stacks


@given(strategies.finished_hands())
def test_chips_are_conserved_and_caps_respected(hand: Finished) -> None:
    settlement = settle(hand.boards, hand.rules, button=hand.button)
    chips = settle_chips(settlement, stacks=hand.stacks, price=hand.price)
    assert sum(chips.stacks) == sum(hand.stacks)
    now = list(hand.stacks)
    for pair, transfer in zip(settlement.pairs, chips.transfers, strict=True):
        assert (pair.a, pair.b, pair.points) == (transfer.a, transfer.b, transfer.points)
        paid, due = abs(transfer.chips), abs(pair.points) * hand.price
        assert paid == min(due, now[pair.a], now[pair.b])
        assert (transfer.capped_by is not None) == (paid < due)
        now[pair.a] = Chips(now[pair.a] + transfer.chips)
        now[pair.b] = Chips(now[pair.b] - transfer.chips)
        assert min(now) >= 0
    assert tuple(now) == chips.stacks


@given(strategies.finished_hands())
def test_chips_are_those_of_the_slow_twin(hand: Finished) -> None:
    settlement = settle(hand.boards, hand.rules, button=hand.button)
    price = Chips(hand.price % 7 + 1)
    stacks = tuple(Chips(stack % 500) for stack in hand.stacks)
    chips = settle_chips(settlement, stacks=stacks, price=price)
    button_first = hand.rules.settlement_order is SettlementOrder.BUTTON_FIRST
    expected, paid = twins.pay(settlement.pairs, hand.button, stacks, price, button_first=button_first)
    assert list(chips.stacks) == expected
    assert [abs(transfer.chips) for transfer in chips.transfers] == [amount for _, _, amount in paid]


@given(strategies.finished_hands())
def test_the_plain_answer_says_what_the_settlement_says(hand: Finished) -> None:
    names = tuple(f"player {seat}" for seat in range(len(hand.boards)))
    finished = FinishedHand(
        hand.rules, names, hand.boards, hand.fantasyland, hand.button, Money(hand.price, hand.stacks)
    )
    scored = score_hand(finished)
    plain = answer(scored)
    assert [player["points"] for player in plain["players"]] == [player.points for player in scored.settlement.players]
    assert sum(player["chips"] for player in plain["players"]) == 0
    for pair in plain["pairs"]:
        rows = pair["rows"]
        in_rows = rows["top"] + rows["middle"] + rows["bottom"]
        assert in_rows + pair["scoop"] + pair["royalties"] == pair["points"]
    for before, after in pairwise(plain["pairs"]):
        assert (before["a"], before["b"]) != (after["a"], after["b"])


@given(strategies.finished_hands())
def test_a_finished_hand_is_read_back_from_plain_values(hand: Finished) -> None:
    names = tuple(f"player {seat}" for seat in range(len(hand.boards)))
    finished = FinishedHand(
        hand.rules, names, hand.boards, hand.fantasyland, hand.button, Money(hand.price, hand.stacks)
    )
    plain = {
        "button": hand.button,
        "price": hand.price,
        "players": [
            {
                "name": names[seat],
                **{str(row): " ".join(map(str, board.row(row))) for row in ROWS},
                "fantasyland": hand.fantasyland[seat],
                "stack": hand.stacks[seat],
            }
            for seat, board in enumerate(hand.boards)
        ],
    }
    assert read_hand(plain, rules=hand.rules) == finished
