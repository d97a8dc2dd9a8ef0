"""The weakest bot: any legal placement, each as likely as any other."""

from __future__ import annotations

import random

from ofc.board import ROWS, Placement
from ofc.bots.bot import read_situation
from ofc.hand import all_placements
from ofc.rules import RuleSet
from ofc.view import View


class RandomBot:
    """Places at random, uniformly over the legal placements with order inside a row ignored."""

    def place(
        self,
        view: View,
        rules: RuleSet,  # noqa: ARG002 - legality is in the view; the Protocol has it for bots that think
        generator: random.Random,
    ) -> tuple[Placement, ...]:
        """Return a placement drawn from `generator`."""
        situation = read_situation(view)
        if situation.fantasyland:
            # There are up to 171 million settings. Each takes equally many orders of the cards, so one order is drawn.
            order = generator.sample(situation.cards, situation.to_place)
            rows = [row for row in ROWS for _ in range(row.size)]
            return tuple(Placement(card, row) for card, row in zip(order, rows, strict=True))
        return generator.choice(all_placements(situation.board, situation.cards, situation.to_place))
