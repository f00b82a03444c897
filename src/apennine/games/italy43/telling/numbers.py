"""What learners are given of the table: all of it, for the game has no secrets."""

from __future__ import annotations

from apennine.kernel.encoding import Encoding

from ..rules.c03_sequence import PHASES

ENCODING = Encoding(
    planes={
        "Allied control": "control",
        "fortifications begun": "works",
        "fortifications": "forts",
        "level 2 begun": "upgrades",
        "level 2": "strongholds",
        "battles": "battles",
        "second battles": "second_battles",
    },
    marks={
        "disrupted": "disrupted",
        "full retreat": "routed",
        "remnant": "remnants",
        "out of supply": "hungry",
        "isolated": "isolated",
        "ready": "ready",
        "replacement": "replaced",
        "in trucks": "trucked",
        "half effectiveness": "halved",
        "frozen": "frozen",
        "garrison": "posted",
        "moved": "moved",
        "moving": "movers",
        "attacked": "attacked",
        "attacking": "attackers while target",
        "attached": "attached while target",
        "retreated": "retreated",
        "retreating": "retreating while target",
        "advancing": "advancers while target",
    },
    numbers={
        "last turn": "last_turn",
        "weather": "weather",
        "Allied supply points": "supply[0]",
        "German supply points": "supply[1]",
        "air ready": "air",
        "naval ready": "naval",
        "ticks left": "points if movers",
        "ticks of extended movement": "extra if movers",
        "tactical movement left": "strides if movers",
        "target": "target",
        "main assault": "main while target",
        "attacker's air": "support[0] while target",
        "attacker's division artillery": "support[1] while target",
        "attacker's corps artillery": "support[2] while target",
        "defender's air": "defence[0] while target",
        "defender's artillery": "defence[1] while target",
        "lead unit": "lead while target",
        "support of the stand": "stand while target",
    },
    phases=tuple(PHASES),
)
