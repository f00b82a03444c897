"""The phrases that the sentences of refusals hold in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.kernel.decision import Option

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


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {"arrival": arrival, "nation": nation}
)
