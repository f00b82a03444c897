"""What learners are given of the table: all of it, for the game has no secrets."""

from __future__ import annotations

from apennine.kernel.encoding import Encoding

from ..rules.b4b_sequence import PHASES

ENCODING = Encoding(
    planes={
        "forts": "works",
        "interdicted": "watched",
        "targets": "targets",
        "vacated": "vacated if advancing",
        "entries open": "entries",
    },
    marks={
        "over capacity": "over",
        "garrison": "frozen",
        "without supply": "hungry",
        "guarded": "guarded",
        "half movement": "slowed",
        "no strategic movement": "tied",
        "moving": "movers",
        "attacked": "fought",
        "attacking": "attackers if targets",
        "advanced": "forward",
        "losing": "losers if targets",
        "retreating": "retreating",
        "advancing": "advancing",
    },
    numbers={
        "ports in hand": "ports",
        "zone of the invasion": "zone",
        "lifted": "lifted while zone",
        "Allied replacements": "credit[0]",
        "German infantry replacements": "credit[1]",
        "German armor replacements": "credit[2]",
        "half points left": "points if movers",
        "half points of strategic movement": "extra if movers",
        "round": "round if targets",
        "weather": "weather",
        "German order of battle": "oob",
        "Allied replacements owed": "debt[0]",
        "German infantry replacements owed": "debt[1]",
        "German armor replacements owed": "debt[2]",
        "steps to lose": "loss if targets",
        "half points of breakthrough": "surge if advancing",
        "supported": "backed if targets",
    },
    phases=tuple(PHASES),
)
