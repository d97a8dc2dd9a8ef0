"""What the bots do, and the parts that the heuristic bot thinks with."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from statistics import mean

import pytest

from ofc.board import ROWS, Board, Row
from ofc.bots import BOTS, BotError, get_bot, house_setting, read_situation
from ofc.bots.bot import Situation
from ofc.bots.chances import count_live, five_targets, hits_for, top_targets
from ofc.bots.fantasyland import fantasyland_value, stay_value
from ofc.bots.heuristic import HeuristicBot
from ofc.bots.last_street import LastStreet
from ofc.bots.promise import Promise
from ofc.bots.random_bot import RandomBot
from ofc.bots.worth import Taste, worth_of
from ofc.cards import DECK, Card, format_cards, parse_cards
from ofc.evaluation import Category, Strength, category_of, evaluate
from ofc.hand import all_placements
from ofc.prospects import is_foul_certain
from ofc.rules import RuleSet, Street, category_points, rank_points
from ofc.rulesets import get_rules
from ofc.scoring import Seat
from ofc.simulation import simulate, summarise
from ofc.view import view_for
from tests.bot_tables import decisions, opened_table

ULTIMATE = get_rules("ultimate")
FOUL = -Taste().foul
HEURISTIC = get_bot("heuristic").bot


def situation(board: str, cards: str, street: int, *, to_place: int = 2, seen: str = "") -> Situation:
    """A decision of a regular hand in which `seen` lies open or was discarded."""
    laid, held = Board.parse(board), parse_cards(cards)
    known = {*laid.cards, *held, *parse_cards(seen)}
    unseen = tuple(card for card in DECK if card not in known)
    return Situation(laid, held, to_place, street, 0, (), unseen)


def choose(board: str, cards: str, street: int, *, to_place: int = 2, seen: str = "", rules: RuleSet = ULTIMATE) -> str:
    """The heuristic bot's board after its placement, rows sorted."""
    before = situation(board, cards, street, to_place=to_place, seen=seen)
    after = before.board.with_placed(HeuristicBot().choose(before, rules, random.Random(1)))
    return " / ".join(format_cards(sorted(after.row(row), reverse=True)) or "-" for row in ROWS)


def rows_of(text: str) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    board = Board.parse(text)
    return board.top, board.middle, board.bottom


class TestRegistry:
    def test_bots_have_ids_and_words_of_their_own_weakest_first(self) -> None:
        assert [entry.id for entry in BOTS] == ["random", "heuristic"]
        assert all(entry.title and entry.summary for entry in BOTS)

    def test_an_unknown_bot_is_named_with_those_there_are(self) -> None:
        with pytest.raises(BotError) as refusal:
            get_bot("grandmaster")
        assert refusal.value.code == "bot-unknown"
        assert refusal.value.faults[0].text == "grandmaster"
        assert "random, heuristic" in str(refusal.value)


class TestSituation:
    def test_only_cards_out_of_sight_count_as_unseen(self) -> None:
        table, _ = list(decisions([RandomBot()] * 3, ULTIMATE, hands=1, seed=3))[10]
        assert table.hand is not None
        seat = table.hand.to_act[0]
        read = read_situation(view_for(table, seat))
        assert set(read.unseen) == table.hand.unseen_by(seat)
        assert (read.board, read.cards) == (table.hand.holding(seat).board, table.hand.holding(seat).dealt)
        assert (read.to_place, read.street, read.fantasyland, len(read.opponents)) == (2, 4, 0, 2)

    def test_a_seat_with_nothing_to_place_is_not_asked(self) -> None:
        table = opened_table(ULTIMATE, 3, hands=1)
        for viewer in (Seat(0), None):
            with pytest.raises(ValueError, match="has cards to place"):
                read_situation(view_for(table, viewer))


class TestRandomBot:
    def test_every_placement_is_as_likely(self) -> None:
        table, _ = list(decisions([RandomBot()] * 3, ULTIMATE, hands=1, seed=5))[13]
        assert table.hand is not None
        seat = table.hand.to_act[0]
        holding = table.hand.holding(seat)
        legal = all_placements(holding.board, holding.dealt, 2)
        generator = random.Random(1)
        drawn = Counter(RandomBot().place(view_for(table, seat), ULTIMATE, generator) for _ in range(200 * len(legal)))
        assert set(drawn) == set(legal)
        assert all(140 < times < 260 for times in drawn.values())

    def test_it_sets_a_whole_fantasyland(self) -> None:
        table, command = next(decisions([RandomBot()] * 3, ULTIMATE, hands=1, seed=5, owed=[17, 0, 0]))
        assert table.hand is not None
        assert table.hand.fantasyland(command.seat) == 17
        assert Counter(row for _, row in command.placements) == {row: row.size for row in Row}


class TestHeuristicBot:
    @pytest.mark.unmeasured
    def test_it_fouls_under_a_quarter_and_makes_over_two_royalties_against_itself(self) -> None:
        matches = list(simulate([HEURISTIC] * 3, ULTIMATE, hands=96, seed=7))
        records = summarise(matches)
        assert mean([record.fouled for record in records]) < 0.25
        assert mean([record.royalties for record in records]) > 2.0

    def test_a_foul_is_never_made_certain_where_another_placement_avoids_it(self) -> None:
        """R-FOUL-1, through all streets of hands whose first cards are placed at random."""
        generator = random.Random(4)
        for _ in range(25):
            deck = generator.sample(DECK, 52)
            board = Board().with_placed(generator.choice(all_placements(Board(), deck[:5], 5)))
            for street in range(2, 6):
                cards = tuple(deck[3 * street - 1 : 3 * street + 2])
                unseen = tuple(deck[3 * street + 2 :])
                now = Situation(board, cards, 2, street, 0, (), unseen)
                after = board.with_placed(HeuristicBot().choose(now, ULTIMATE, generator))
                if is_foul_certain(after, unseen, strict=False):
                    others = (board.with_placed(placements) for placements in all_placements(board, cards, 2))
                    assert all(is_foul_certain(other, unseen, strict=False) for other in others)
                board = after

    def test_a_lost_hand_is_still_placed(self) -> None:
        assert choose("Ah Ad Ac / Ks Kd 2c 3d / Qh Qs 4c 5d", "7h 8s 9c", 5).count("-") == 0

    def test_the_last_street_makes_the_most_of_its_cards(self) -> None:
        assert choose("Qs 3c / Ks Kd 9s 5d / Ah Jh 8h 6h 3h", "Qd 9c 2s", 5) == (
            "Qs Qd 3c / Ks Kd 9s 9c 5d / Ah Jh 8h 6h 3h"
        )

    def test_a_card_that_would_foul_is_discarded(self) -> None:
        """A pair of kings on top would enter Fantasyland, but the middle cannot hold it up."""
        assert not choose("Kh 3c / Js Jd 9s 5d / Ah Ac 8h 6h 3h", "Ks 4d 2s", 5).startswith("Ks Kh")

    def test_a_flush_draw_goes_where_a_flush_counts_for_order(self) -> None:
        board = choose("- / - / -", "Ah Jh 8h 6h 2c", 1, to_place=5)
        assert board.endswith("/ Ah Jh 8h 6h")

    def test_live_cards_count(self) -> None:
        """With every queen gone, a queen on top waits for nothing."""
        dead = choose("- / 9s 9d 4c / Th Ts 5c", "Qc Kd 7h", 2, seen="Qd Qh Qs")
        assert not dead.startswith("Qc")

    def test_it_takes_the_entry_that_the_rules_pay(self) -> None:
        """The same cards, where queens on top earn Fantasyland and where nothing does."""
        none = replace(
            ULTIMATE,
            id="own",
            fantasyland_pairs=rank_points(),
            fantasyland_trips=0,
            top_pair_royalties=rank_points(),
        )
        cards = ("Qs 3c / Ks Kc 2d 4d 5h / Qd Qh 8s 8h", "Qc 7c 2s", 5)
        assert choose(*cards).startswith("Qs Qc")
        assert choose(*cards, rules=none).endswith("Qh Qd Qc 8s 8h")

    @pytest.mark.parametrize("streets", [(Street(7, 6), Street(8, 7)), (Street(5, 5), Street(4, 4), Street(5, 4))])
    def test_streets_of_ones_own_are_played(self, streets: tuple[Street, ...]) -> None:
        rules = replace(get_rules("pineapple"), id="own", streets=streets)
        streets_played = [command for _, command in decisions([HEURISTIC] * 2, rules, hands=1, seed=2)]
        assert len(streets_played) >= 2 * len(streets)

    def test_fantasyland_is_set_as_the_house_sets_it(self) -> None:
        table, command = next(decisions([HEURISTIC] * 3, ULTIMATE, hands=1, seed=9, owed=[0, 14, 0]))
        assert table.hand is not None
        assert command.placements == house_setting(table.hand.holding(Seat(1)).dealt, ULTIMATE)


class TestFantasyland:
    def test_the_house_never_fouls(self) -> None:
        """R-TIME-1: what time sets for a player does not foul."""
        generator = random.Random(2)
        for count in (13, 14, 15, 16, 17):
            board = Board().with_placed(house_setting(generator.sample(DECK, count), get_rules("casual")))
            assert not board.is_fouled(strict=True)

    def test_more_cards_are_worth_more(self) -> None:
        values = [fantasyland_value(ULTIMATE, count) for count in (0, 13, 14, 15, 16, 17)]
        assert values[0] == 0
        assert values == sorted(values)

    def test_its_value_follows_the_royalties(self) -> None:
        rules = replace(ULTIMATE, id="own", middle_royalties=category_points(), bottom_royalties=category_points())
        assert fantasyland_value(rules, 14) < fantasyland_value(ULTIMATE, 14) / 2

    @pytest.mark.parametrize(
        ("rules", "held", "like"), [("ultimate", 17, 17), ("progressive", 17, 14), ("classic", 13, 13)]
    )
    def test_staying_is_worth_the_cards_one_stays_with(self, rules: str, held: int, like: int) -> None:
        assert stay_value(get_rules(rules), held) == round(fantasyland_value(get_rules(rules), like))

    def test_where_nobody_stays_staying_is_worth_nothing(self) -> None:
        assert stay_value(get_rules("tournament"), 14) == 0


class TestChances:
    def targets(self, cards: str, *, size: int = 5, seen: str = "") -> dict[Category, float]:
        """The likeliest target of each hand type, with six of the unseen cards in reach."""
        held = parse_cards(cards)
        live = count_live([card for card in DECK if card not in held and card not in parse_cards(seen)])
        hits = hits_for(6 / sum(live.suits))
        found = five_targets(held, live, hits, 0.2) if size == 5 else top_targets(held, live, hits, 0.2)
        best: dict[Category, float] = {}
        for strength, chance in found:
            best[category_of(strength)] = max(chance, best.get(category_of(strength), 0.0))
        return best

    @pytest.mark.parametrize(
        ("cards", "can"),
        [
            ("Ah Jh 8h 6h", {Category.FLUSH, Category.PAIR, Category.HIGH_CARD}),
            ("9h 8c 7d 6s", {Category.STRAIGHT, Category.PAIR, Category.HIGH_CARD}),
            ("Ah 2c 3d 4s", {Category.STRAIGHT, Category.PAIR, Category.HIGH_CARD}),
            ("9h 9c 9d 6s", {Category.QUADS, Category.FULL_HOUSE, Category.TRIPS}),
            ("9h 9c 6d 6s", {Category.FULL_HOUSE, Category.TWO_PAIR}),
            ("9h 9c 6d 4s", {Category.TRIPS, Category.TWO_PAIR, Category.PAIR}),
            ("9h 9c 9d", {Category.QUADS, Category.FULL_HOUSE, Category.TRIPS}),
            ("9h 9c 9d 9s", {Category.QUADS}),
            ("Ah Kc 9d 6s 4c", {Category.HIGH_CARD}),
        ],
    )
    def test_targets_are_what_the_cards_can_become(self, cards: str, can: set[Category]) -> None:
        assert set(self.targets(cards)) == can

    def test_an_empty_row_may_still_become_something(self) -> None:
        assert {Category.STRAIGHT, Category.TWO_PAIR, Category.PAIR, Category.HIGH_CARD} <= set(self.targets(""))

    def test_dead_cards_make_a_target_less_likely(self) -> None:
        assert (
            self.targets("Ah Jh 8h 6h", seen="2h 3h 4h")[Category.FLUSH] < self.targets("Ah Jh 8h 6h")[Category.FLUSH]
        )
        assert self.targets("9h 8c 7d 6s", seen="Tc Td Th Ts 5c 5d 5h 5s")[Category.STRAIGHT] == 0.0

    def test_a_top_pairs_up_or_becomes_trips(self) -> None:
        assert set(self.targets("Qs Qd", size=3)) == {Category.TRIPS, Category.PAIR}
        assert set(self.targets("Qs 4d", size=3)) == {Category.PAIR, Category.HIGH_CARD}
        assert set(self.targets("Qs", size=3)) == {Category.TRIPS, Category.PAIR, Category.HIGH_CARD}
        assert set(self.targets("Qs Qd 4h", size=3)) == {Category.PAIR}

    def test_the_last_target_is_certain_and_the_weakest(self) -> None:
        held = parse_cards("Ah Kc")
        live = count_live([card for card in DECK if card not in held])
        found = five_targets(held, live, hits_for(0.2), 0.2)
        assert found == sorted(found, reverse=True)
        assert found[-1][1] == 1.0

    def test_a_straight_is_no_floor(self) -> None:
        """Four to a straight are not filled up to one by the card that is meant to help least."""
        floor = five_targets(parse_cards("6h 5c 4d 3s"), count_live(DECK), hits_for(0.0), 0.0)[-1]
        assert category_of(floor[0]) is Category.HIGH_CARD


class TestLastStreet:
    worth = worth_of(ULTIMATE, Taste(win=0.0, entry=0.0))

    def judge(self, board: str, *, dealt: int, unseen: str, rules: RuleSet = ULTIMATE) -> float:
        worth = worth_of(rules, Taste(win=0.0, entry=0.0))
        placed = min(dealt, 2)
        return LastStreet(parse_cards(unseen), Street(dealt, placed), worth, random.Random(1))(rows_of(board))

    @pytest.mark.parametrize(
        ("board", "unseen", "points"),
        [
            # One place, one card: two hearts of three make the flush, the other card keeps the pair at the bottom.
            ("Qh Kd 2c / 5s 5d 4c 3d 2s / Ah Jh 8h 6h", "2h 3h Ac", (4 + 4 + 0) / 3),
            # The middle would be too weak for the top but for a nine.
            ("8h 8d 2c / 9s Kd 4c 3d / Ah Ac Jh 6h 3s", "9h 7c", (3 + FOUL) / 2),
        ],
    )
    def test_one_card_for_one_place_is_judged_exactly(self, board: str, unseen: str, points: float) -> None:
        assert self.judge(board, dealt=1, unseen=unseen) == pytest.approx(points)

    @pytest.mark.parametrize(
        ("board", "unseen", "points"),
        [
            ("Qh Kd 2c / 5s 5d 4c 3d 2s / Ah Jh 8h", "2h 3h Ac", 4.0),  # two places in one row
            ("Qh Kd / 5s 5d 4c 3d / Ah Jh 8h 6h 3h", "Qs 6c 7c", 4.0),  # top and middle: no pair of queens over fives
            ("Qh Kd / Ks Kc 4c 3d 2s / Ah Jh 8h 6h", "Qs 3h 7c", 11.0),  # top and bottom: queens and a flush
            ("Qh Kd 2c / 5s 5d 4c 3d / Ah Jh 8h 6h", "5h 3h 7c", 6.0),  # middle and bottom: trips and a flush
            ("Ah Ad 2c / 5s 5d 4c 3d / Kh Jh 8h 6h", "7d 3h 7c", FOUL),  # lost
            ("Ah Ad / 5s 5d 4c 3d 2h / 3s 3h 8h 6h 9c", "7d 2d 7c", FOUL),  # full rows already out of order
        ],
    )
    def test_the_best_placement_of_the_last_cards_is_found(self, board: str, unseen: str, points: float) -> None:
        """Only three cards are left to come, so every deal is the same."""
        missing = 13 - sum(map(len, rows_of(board)))
        assert self.judge(board, dealt=3 if missing == 2 else 1, unseen=unseen) == pytest.approx(points)

    def test_equal_rows_foul_where_the_rules_are_strict(self) -> None:
        board = "2c 3c 4d / Ks Kd 9s 5d / Kh Kc 9h 5c 3d"
        loose, strict = (
            self.judge(board, dealt=1, unseen="3s", rules=get_rules(rules)) for rules in ("ultimate", "casual")
        )
        assert (loose, strict) == (0.0, FOUL)


class TestPromise:
    def promise(self, board: str, seen: str = "") -> float:
        rows = rows_of(board)
        known = {*rows[0], *rows[1], *rows[2], *parse_cards(seen)}
        unseen = [card for card in DECK if card not in known]
        return Promise(unseen, 6, worth_of(ULTIMATE, Taste()), Taste())(rows)

    def test_rows_in_order_promise_more_than_the_same_rows_upside_down(self) -> None:
        assert self.promise("2c 3d / Ks Kd 4c / Ah Ac Ad 6h") > self.promise("2c 3d / Ah Ac Ad 6h / Ks Kd 4c")

    def test_a_row_that_cannot_hold_up_the_top_fouls(self) -> None:
        assert self.promise("Ah Ad Ac / Ks Kd 4c 3h 2s / Qh Qs 4d") == pytest.approx(FOUL)

    def test_the_shortlist_keeps_the_best(self) -> None:
        cards = parse_cards("Ah Jh 8h 6h 2c")
        unseen = [card for card in DECK if card not in cards]
        judge = Promise(unseen, 12, worth_of(ULTIMATE, Taste()), Taste())
        boards = []
        for placements in all_placements(Board(), cards, 5):
            board = Board().with_placed(placements)
            boards.append((board.top, board.middle, board.bottom))
        short = judge.shortlist(boards)
        assert len(short) < len(boards)
        assert max(map(judge, boards)) == max(map(judge, short))


class TestWorth:
    def test_a_stronger_row_wins_more(self) -> None:
        worth = worth_of(replace(ULTIMATE, id="own", middle_royalties=category_points()), Taste(win=1.0))
        assert worth.middle == sorted(worth.middle)
        assert (worth.middle[0], worth.middle[-1]) == (-1.0, 1.0)

    def test_a_foul_costs(self) -> None:
        worth = worth_of(ULTIMATE, Taste(foul=5.0))
        top, middle, bottom = (evaluate(row) for row in rows_of("Ah Ad 2c / 5s 5d 4c 3d 7h / Kh Jh 8h 6h 2h"))
        assert worth.of(top, middle, bottom) == -5.0
        assert worth.of(Strength(0), middle, bottom) == worth.top[0] + worth.middle[middle] + worth.bottom[bottom]
