"""Words of people for other people: names and lines of the chat, in one line of plain text."""

from __future__ import annotations

import unicodedata

from apennine.server.errors import Refused

ALLOWED = "\t\r\n\u200c\u200d"
"""White space, and the joiners that some scripts need: they hide nothing and turn nothing round."""


def plain(text: str, what: str) -> str:
    """The text in one line. Refused if a character of it does something else than be read.

    Control characters break terminals and databases; those that turn the direction of writing, or
    that cannot be seen, let one name pass for another.

    >>> plain("  Ann   of  Anzio ", "A name")
    'Ann of Anzio'
    """
    for char in text:
        if char not in ALLOWED and unicodedata.category(char) in ("Cc", "Cf", "Cs"):
            raise Refused(422, f"{what} may not hold the invisible character U+{ord(char):04X}.")
    return " ".join(text.split())
