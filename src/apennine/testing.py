"""Help for tests of games: the rules that a test proves, and positions from a few counters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from apennine.kernel.game import Game
from apennine.kernel.ledger import MOST_RULES
from apennine.kernel.position import Position

if TYPE_CHECKING:
    import pytest

P = TypeVar("P", bound=Position)


def rule(key: str, *ids: str) -> pytest.MarkDecorator:
    """Say which rules of a game a pytest test proves, as `@rule("tutorial", "4.2")`.

    The ids are those of the game's ledger; a test names one to three.
    """
    if not 1 <= len(ids) <= MOST_RULES:
        raise ValueError(f"A test proves one to {MOST_RULES} rules, but this names {len(ids)}.")
    try:
        import pytest
    except ImportError as error:
        raise ImportError("Tests need pytest: install apennine with its dev extra.") from error
    return pytest.mark.rule(key, ids)


def arrange(
    game: Game[P],
    drawing: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, bool] | None = None,
    others: int | str | None = -1,
    where: str = "hex",
    check: bool = True,
    **fields: Any,
) -> P:
    """A position from a few counters, a line or a part between semicolons for each place.

    Names, `@`, a hex or a box, then what is special about these units: `steps=1` sets an item
    of a list with one item for each unit, a bare word sets the units' bits in a mask of units.

        arrange(game, '''
            1 Inf, 2 Inf @ 0306
            V Pz @ 0304 steps=1 cut      # reduced, and out of supply
            ''', phase="combat", side=0)

    Everything else is as the scenario begins, but for `fields` of the position given by name,
    and for the other units, which go to the place `others` (None: they stay). The names of
    places are read by the board; `where` is the list of the places of units. Unless told not to
    `check`, it refuses a position with which the game finds fault.
    """
    key = game.check_scenario(scenario)
    pos = game.setup(key, game.check_options(options or {}))
    for name, value in fields.items():
        _field(pos, name)
        setattr(pos, name, value)
    places = _per_unit(game, pos, where)
    if others is not None:
        places[:] = [_place(game, others)] * len(places)
    for line in re.split(r"[;\n]", drawing):
        counters = line.partition("#")[0].strip()
        if counters:
            _put(game, pos, places, counters)
    faults = [fault.sentence for fault in game.check(pos)] if check else []
    if faults:
        raise ValueError(f"The game finds fault with this position: {' '.join(faults)}")
    return pos


def _put(game: Game[P], pos: P, places: list[int], counters: str) -> None:
    names, sign, rest = counters.partition("@")
    if not sign:
        raise ValueError(f"{counters!r} does not say where: write `unit, unit @ place marks`.")
    units = [game.unit(name.strip()) for name in names.split(",")]
    place, marks = _place_and_marks(game, rest.split())
    for unit in units:
        places[unit] = place
        for mark in marks:
            name, sign, value = mark.partition("=")
            if sign:
                _per_unit(game, pos, name)[unit] = int(value)
            else:
                setattr(pos, name, _mask(pos, name) | 1 << unit)


def _place_and_marks(game: Game[Any], words: list[str]) -> tuple[int, list[str]]:
    """The place that the words begin with, which may have a long name, and the other words."""
    for length in range(len(words), 1, -1):
        try:
            return game.board.parse(" ".join(words[:length])), words[length:]
        except ValueError:
            continue
    return game.board.parse(" ".join(words[:1])), words[1:]


def _place(game: Game[Any], place: int | str) -> int:
    return game.board.parse(place) if isinstance(place, str) else place


def _field(pos: Position, name: str) -> Any:
    state = pos.state()
    if name not in state:
        raise ValueError(f"{type(pos).__name__} has no field {name!r}; it has {', '.join(state)}.")
    return state[name]


def _per_unit(game: Game[Any], pos: Position, name: str) -> list[int]:
    value = _field(pos, name)
    if not isinstance(value, list) or len(value) != len(game.units):  # pyright: ignore[reportUnknownArgumentType]
        raise ValueError(f"{type(pos).__name__}.{name} is not a list with an item for each unit.")
    return value  # pyright: ignore[reportUnknownVariableType]


def _mask(pos: Position, name: str) -> int:
    value = _field(pos, name)
    if type(value) is not int:
        raise ValueError(f"{type(pos).__name__}.{name} is not a mask of units.")
    return value
