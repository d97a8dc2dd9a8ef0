"""R-CHIP-1 to R-CHIP-3: points paid in chips."""

from ofc.board import Board
from ofc.rules import SettlementOrder
from ofc.rulesets import BUILT_IN, get_rules, rules_from_toml
from ofc.scoring import (
    NO_POINTS,
    CappedBy,
    Chips,
    ChipSettlement,
    PairScore,
    Points,
    Seat,
    Settlement,
    settle,
    settle_chips,
    settlement_pairs,
)

ANNA = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
BO = Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")  # wins 4 points


def pay(*stacks: int, price: int = 100) -> ChipSettlement:
    settlement = settle([ANNA, BO], get_rules("tournament"))
    return settle_chips(settlement, stacks=[Chips(stack) for stack in stacks], price=Chips(price))


def test_points_are_paid_at_the_price() -> None:
    """R-CHIP-1: points times the price per point; the tournament page's example, 4 points at 100."""
    paid = pay(2_000, 2_000)
    assert paid.stacks == (1_600, 2_400)
    (transfer,) = paid.transfers
    assert (transfer.a, transfer.b, transfer.points, transfer.chips, transfer.capped_by) == (1, 0, 4, 400, None)


def test_nobody_loses_more_than_they_have() -> None:
    """R-CHIP-2: the loser's stack caps a transfer, and the transfer says so."""
    paid = pay(150, 2_000)
    assert paid.stacks == (0, 2_150)
    assert (paid.transfers[0].chips, paid.transfers[0].capped_by) == (150, CappedBy.LOSER)


def test_nobody_wins_more_than_they_have() -> None:
    """R-CHIP-2: the winner's stack caps a transfer too."""
    paid = pay(2_000, 150)
    assert paid.stacks == (1_850, 300)
    assert (paid.transfers[0].chips, paid.transfers[0].capped_by) == (150, CappedBy.WINNER)


def test_equal_stacks_cap_as_the_losers() -> None:
    """R-CHIP-2: where both stacks cut alike the transfer names the loser's."""
    assert pay(150, 150).transfers[0].capped_by is CappedBy.LOSER
    assert pay(0, 0).transfers[0].capped_by is CappedBy.LOSER


def test_exactly_enough_is_not_capped() -> None:
    """R-CHIP-2: who can pay all pays all."""
    assert pay(400, 400).transfers[0].capped_by is None


# Seats 0 and 1 are players 1 and 2 of the published case, seat 2 is the button.
_WON = {(0, 1): 10, (0, 2): 40, (1, 2): -20}


def published_case(order: SettlementOrder) -> ChipSettlement:
    pairs = []
    for a, b in settlement_pairs(3, Seat(2), order):
        points = _WON[a, b] if (a, b) in _WON else -_WON[b, a]
        pairs.append(PairScore(a, b, NO_POINTS, Points(0), Points(points)))
    players = settle_nothing()
    return settle_chips(
        Settlement(players.players, tuple(pairs)), stacks=[Chips(5), Chips(10), Chips(135)], price=Chips(1)
    )


def settle_nothing() -> Settlement:
    """Return a settlement of three seats, of which only the seats are wanted."""
    boards = [ANNA, BO, Board.parse("Th 5h 3c / Jc Jd 8s 4c 2d / Qs Qh 7h 5s 4d")]
    return settle(boards, get_rules("tournament"))


def test_the_published_case_left_first() -> None:
    """R-CHIP-3: stacks 1:5, 2:10, button:135; `left-first` ends 20/0/130."""
    paid = published_case(SettlementOrder.LEFT_FIRST)
    assert paid.stacks == (20, 0, 130)
    assert [(t.a, t.b, t.chips) for t in paid.transfers] == [(0, 1, 5), (0, 2, 10), (1, 2, -5)]
    assert [t.capped_by for t in paid.transfers] == [CappedBy.WINNER, CappedBy.WINNER, CappedBy.LOSER]


def test_the_published_case_button_first() -> None:
    """R-CHIP-3: `button-first` ends 10/0/140."""
    paid = published_case(SettlementOrder.BUTTON_FIRST)
    assert paid.stacks == (10, 0, 140)
    assert [(t.a, t.b, t.chips) for t in paid.transfers] == [(2, 0, -5), (2, 1, 10), (0, 1, 0)]


def test_orders_of_three_and_four_seats() -> None:
    """R-CHIP-3: seats counted from the button's left, with three and with four seats."""
    button = Seat(1)  # so that 1, 2 and 3 from its left are seats 2, 3 and 0
    assert settlement_pairs(3, button, SettlementOrder.BUTTON_FIRST) == ((1, 2), (1, 0), (2, 0))
    assert settlement_pairs(3, button, SettlementOrder.LEFT_FIRST) == ((2, 0), (2, 1), (0, 1))
    assert settlement_pairs(4, button, SettlementOrder.BUTTON_FIRST) == (
        (1, 2), (1, 3), (1, 0), (2, 3), (2, 0), (3, 0),
    )  # fmt: skip
    assert settlement_pairs(4, button, SettlementOrder.LEFT_FIRST) == (
        (2, 3), (2, 0), (2, 1), (3, 0), (3, 1), (0, 1),
    )  # fmt: skip


def test_the_order_is_a_field() -> None:
    """R-CHIP-3: `button-first` is the default of every built-in rule set, the other a line in one's own."""
    assert {rules.settlement_order for rules in BUILT_IN} == {SettlementOrder.BUTTON_FIRST}
    own = rules_from_toml('base = "tournament"\nid = "operator"\nsettlement_order = "left-first"')
    boards = [ANNA, BO, Board.parse("Th 5h 3c / Jc Jd 8s 4c 2d / Qs Qh 7h 5s 4d")]
    assert [(pair.a, pair.b) for pair in settle(boards, own).pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [(pair.a, pair.b) for pair in settle(boards, get_rules("tournament")).pairs] == [(2, 0), (2, 1), (0, 1)]
