"""Bots: anything that takes a seat and returns one of its options."""

from apennine.bots.greedy import GreedyBot
from apennine.bots.random import RandomBot

__all__ = ["GreedyBot", "RandomBot"]
