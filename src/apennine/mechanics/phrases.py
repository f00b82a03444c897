"""Turns of speech that every game shares."""

from __future__ import annotations


def counted(number: float, thing: str) -> str:
    """So many of something.

    >>> counted(1, "step"), counted(2, "step"), counted(0.5, "point")
    ('1 step', '2 steps', '0.5 points')
    """
    return f"{number:g} {thing}" if number == 1 else f"{number:g} {thing}s"
