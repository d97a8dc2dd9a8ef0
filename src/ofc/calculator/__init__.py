r"""The points calculator: finished hands as plain values or as text in, every point explained out.

`read_hand` checks plain values such as JSON gives, `read_text` what people type; both tell every fault at once.
`score_hand` settles, `answer` says the result in plain values. docs/score.md describes both forms.

>>> hand = read_text(
...     "rules: pineapple\n"
...     "Anna: 9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h\n"
...     "Bo: Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"
... )
>>> [player["points"] for player in answer(score_hand(hand))["players"]]
[-4, 4]
"""

from ofc.calculator.batch import Outcome, Scored, Shape, score_input
from ofc.calculator.hands import Answer, FinishedHand, Money, ScoredHand, answer, score_hand
from ofc.calculator.plain import NumberText, read_hand
from ofc.calculator.strict_json import read_json
from ofc.calculator.text import read_text

__all__ = [
    "Answer",
    "FinishedHand",
    "Money",
    "NumberText",
    "Outcome",
    "Scored",
    "ScoredHand",
    "Shape",
    "answer",
    "read_hand",
    "read_json",
    "read_text",
    "score_hand",
    "score_input",
]
