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


# When stacks move and attack, in games where one is picked up first and asked about then: as their
# orders say it away from their question.
PICKED_UP = "Units are picked up one after the other in the movement phase"
ON_THE_MOVE = "A stack picked up in the movement phase goes on, takes others along or halts"
MOVED = "Movement is ended in the movement phase, when no stack is on the move"
ATTACKED = "Hexes are attacked one after the other in the combat phase"
FOUGHT = "Combat is ended in the combat phase, when no attack is under way"
