"""What the sentences of bars may hold in braces besides the names of units and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..table.phrases import names, place
from ..table.position import Table
from ..table.war import War


def _hex(war: War, pos: Table, option: Option) -> str:
    """A hex or box as players call it."""
    del pos
    return place(war, option.hex)


def _where(war: War, pos: Table, option: Option) -> str:
    """Where the unit of an order is, after "is"."""
    where = pos.hex[option.unit]
    return f"in {place(war, where)}" if where >= 0 else "not in play"


def _target(war: War, pos: Table, option: Option) -> str:
    del option
    return place(war, pos.target)


def _origin(war: War, pos: Table, option: Option) -> str:
    del option
    return place(war, pos.origin)


def _attackers(war: War, pos: Table, option: Option) -> str:
    del option
    return names(war, bits(pos.attackers))


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "hex": _hex,
        "where it is": _where,
        "target": _target,
        "origin": _origin,
        "attackers": _attackers,
    }
)
