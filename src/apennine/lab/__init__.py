"""The lab: many plays at once, and what can be learnt from them."""

from apennine.lab.selfplay import BOTS, Played, Series, Summary, make_bot, play, run, summarise

__all__ = ["BOTS", "Played", "Series", "Summary", "make_bot", "play", "run", "summarise"]
