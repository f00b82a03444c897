"""The scenarios: how they begin (S1.1, S2.1, S3.1)."""

from __future__ import annotations

from collections.abc import Mapping

from apennine.hexes import Mask, mask_of

from ..table.data import SPACES, Scenario, Setup
from ..table.position import ALLIED, AWAY, GERMAN, GONE, WITHDRAWN, Table
from ..table.war import War
from .c05_areas import friendly_sections


def set_up(war: War, number: int, options: Mapping[str, bool]) -> Table:
    """The table as a scenario begins, with the German player turn (S2.3.1, S3.3.1).

    Its weather phase is done, so the markers of its space are ready.
    """
    scenario = war.book.scenarios[number]
    setup = war.book.setups[scenario.setup]
    space = war.book.track[setup.weather]
    pos = Table(
        scenario=number,
        turn=scenario.first,
        last_turn=scenario.last,
        phase="muster",
        side=GERMAN,
        hex=off_the_map(war, scenario),
        steps=list(war.full),
        control=mask_of(map(war.board.parse, setup.allied)),
        weather=SPACES.index(setup.weather),
        supply=list(setup.supply),
        air=mask_of(war.army_names.index(army) for army in space.air),
        naval=space.naval,
        due=[0] * len(war.pools),
        major_assaults=options["major_assaults"],
        half_effects=options["half_effects"],
        pontoons=options["pontoons"],
        disengagements=options["disengagements"],
    )
    pos.control |= friendly_sections(war, pos, ALLIED) & war.ground.held
    place_units(war, pos, setup)
    if scenario.forts:
        place_forts(war, pos, setup)
    return pos


def off_the_map(war: War, scenario: Scenario) -> list[int]:
    """By unit, where it is if it is not in the set-up: to come, withdrawn, or removed."""
    places = [AWAY] * len(war.roster)
    for group in war.book.withdrawals:
        if group.turn < scenario.first <= group.returns:
            for name in group.units:
                places[war.number[name]] = WITHDRAWN
    for group in war.book.removals:
        if group.turn < scenario.first:
            for name in group.units:
                places[war.number[name]] = GONE
    return places


def place_units(war: War, pos: Table, setup: Setup) -> None:
    """The units of a card, reduced, ready, frozen or on garrison as it says (2.3.2c, 2.3.2e)."""
    for start in setup.units:
        unit = war.number[start.unit]
        pos.hex[unit] = war.board.parse(start.hex)
        pos.steps[unit] -= start.reduced
        pos.ready |= start.ready << unit
    orders = war.book.orders
    pos.frozen = named(war, (*setup.frozen, *setup.held))
    formia = [name for name in (orders.coast.unit, orders.formia) if in_setup(setup, name)]
    pos.posted = named(war, (*setup.garrison, *formia))


def in_setup(setup: Setup, name: str) -> bool:
    """Whether a unit is on the map from the start."""
    return any(start.unit == name for start in setup.units)


def named(war: War, names: tuple[str, ...]) -> Mask:
    """The units with these names, as a set."""
    return mask_of(war.number[name] for name in names)


def place_forts(war: War, pos: Table, setup: Setup) -> None:
    """Fortifications of the card; with eight of them the gate of 18.1.3 is met (S2.1c)."""
    for site in setup.forts:
        hex = 1 << war.board.parse(site.hex)
        if site.complete:
            pos.forts |= hex
        else:
            pos.works |= hex
    pos.planned = (pos.works | pos.forts).bit_count() >= war.book.limits.forts[0]
