"""What the sentences of bars may hold in braces besides the names of units and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import bits, first_bit
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


def _movers(war: War, pos: Table, option: Option) -> str:
    """The units that are moving."""
    del option
    return names(war, bits(pos.movers))


def _movers_have(war: War, pos: Table, option: Option) -> str:
    """The moving units as a subject: "16 Pz has", "16 Pz and HG have"."""
    has = "have" if pos.movers & pos.movers - 1 else "has"
    return f"{_movers(war, pos, option)} {has}"


def _here(war: War, pos: Table, option: Option) -> str:
    """Where the moving units are."""
    del option
    return place(war, pos.hex[first_bit(pos.movers)])


def _force(war: War, pos: Table, option: Option) -> str:
    """The units that the command under way has activated."""
    del option
    return names(war, bits(pos.force))


def _origin(war: War, pos: Table, option: Option) -> str:
    """Where the command under way was given."""
    del option
    return place(war, pos.origin)


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "hex": _hex,
        "where it is": _where,
        "movers": _movers,
        "movers have": _movers_have,
        "here": _here,
        "force": _force,
        "origin": _origin,
    }
)
