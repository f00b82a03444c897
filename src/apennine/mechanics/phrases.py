"""Turns of speech that every game shares."""

from __future__ import annotations

from collections.abc import Sequence

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def counted(number: float, thing: str) -> str:
    """So many of something.

    >>> counted(1, "step"), counted(2, "step"), counted(0.5, "point")
    ('1 step', '2 steps', '0.5 points')
    """
    return f"{number:g} {thing}" if number == 1 else f"{number:g} {thing}s"


def spelt(number: int) -> str:
    """A small number as a word.

    >>> spelt(3), spelt(13)
    ('three', '13')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def listed(words: Sequence[str]) -> str:
    """Words in a row, as one says them.

    >>> listed(["1 AD", "US 3", "SSF"]), listed(["HG"]), listed([])
    ('1 AD, US 3 and SSF', 'HG', '')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
