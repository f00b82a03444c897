"""The lab: many plays at once, and what can be learnt from them."""

from apennine.bots import BOTS, make_bot
from apennine.lab.selfplay import Played, Series, Summary, play, run, summarise

__all__ = ["BOTS", "Played", "Series", "Summary", "make_bot", "play", "run", "summarise"]
