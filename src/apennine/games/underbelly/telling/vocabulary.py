"""What the sentences of bars may hold in braces besides the names of units and numbers."""

# ruff: noqa: ARG001, ARG005  (every phrase is given the war, the position and the option)

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import bits, first_bit
from apennine.kernel.decision import Option

from ..table.phrases import names, place
from ..table.position import Table
from ..table.war import War


def _where(war: War, pos: Table, option: Option) -> str:
    hex = pos.hex[option.unit]
    return f"in {place(war, hex)}" if hex >= 0 else "not in play"


def _movers_have(war: War, pos: Table, option: Option) -> str:
    has = "have" if pos.movers & pos.movers - 1 else "has"
    return f"{names(war, bits(pos.movers))} {has}"


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "hex": lambda war, pos, option: place(war, option.hex),
        "where it is": _where,  # the unit of an order, after "is"
        "origin": lambda war, pos, option: place(war, pos.origin),  # of the command under way
        "force": lambda war, pos, option: names(war, bits(pos.force)),  # all that it activated
        "movers": lambda war, pos, option: names(war, bits(pos.movers)),
        "movers have": _movers_have,  # "16 Pz has", "16 Pz and HG have"
        "here": lambda war, pos, option: place(war, pos.hex[first_bit(pos.movers)]),
        "target": lambda war, pos, option: place(war, pos.target),  # of the battle being fought
        "attackers": lambda war, pos, option: names(war, bits(pos.attackers)),
    }
)
