"""Exact answers: the best setting of a Fantasyland."""

from ofc.solver.fantasyland import FantasylandSetting, set_fantasyland

__all__ = ["FantasylandSetting", "set_fantasyland"]
