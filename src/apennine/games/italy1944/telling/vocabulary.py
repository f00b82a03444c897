"""The phrases that the sentences of refusals hold in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.kernel.decision import Option

from ..rules.c08_movement import stack_name
from ..table.position import Table
from ..table.war import War


def arrival(war: War, pos: Table, option: Option) -> str:
    """The turn in which a unit comes."""
    del pos
    return str(war.roster[option.unit].arrives)


def nation(war: War, pos: Table, option: Option) -> str:
    """Whose replacement points a unit needs: "Polish"."""
    del pos
    return war.nations[war.roster[option.unit].nation].title


def target(war: War, pos: Table, option: Option) -> str:
    """The hex that is attacked."""
    del option
    return war.board.code(pos.target)


def movers(war: War, pos: Table, one: str, several: str) -> str:
    """The moving units by name, and what they do."""
    return f"{stack_name(war, pos)} {several if pos.movers & pos.movers - 1 else one}"


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "arrival": arrival,
        "nation": nation,
        "target": target,
        "movers are": lambda war, pos, _: movers(war, pos, "is", "are"),
        "movers have": lambda war, pos, _: movers(war, pos, "has", "have"),
    }
)
