"""Positions of Soft Underbelly drawn by lot: a few stacks of both sides close together."""

from __future__ import annotations

from random import Random
from typing import Any

from apennine.games.underbelly.table.position import (
    ALLIED,
    AWAY,
    GERMAN,
    GONE,
    HISTORICAL,
    LOST,
    TIBER,
    Table,
)
from apennine.hexes import bits, mask_of
from tests.games.underbelly.reading import GROUP, GUNS, NEXT, SIDE, UNITS
from tests.games.underbelly.skirmish import WAR, table

BOX = {"US": "available", "GB": "available", "10": "tenth", "2SS": "tenth", "5Pz": "fifth"}


def draw(random: Random) -> Table:
    """A command phase of either side in some turn of one of the two scenarios."""
    scenario, side = random.choice((HISTORICAL, TIBER)), random.choice((ALLIED, GERMAN))
    turn, switched = random.choice((2, 3, *range(4, 23, 3))), random.random() < 0.5
    pool = [unit for unit in UNITS if not WAR.left_out[scenario] >> unit & 1]
    random.shuffle(pool)
    centre = random.choice((random.choice(list(NEXT)), random.choice(WAR.ports)))
    near = list(bits(WAR.lattice.disc(centre, random.randint(2, 4)) & WAR.land))
    places = _places(random, pool[: random.randint(6, 30)], near)
    german = {hex for unit, hex in places.items() if SIDE[unit] == GERMAN}
    allied = set(places.values()) - german
    counters = [_counter(random, unit, WAR.board.code(hex)) for unit, hex in places.items()]
    if WAR.airborne not in places:
        counters.append(_counter(random, WAR.airborne, BOX["US"]))
    rest = [unit for unit in pool if unit not in places and unit != WAR.airborne]
    dead = rest[:5]
    counters += [_counter(random, unit, BOX[GROUP[unit]]) for unit in rest[5:8]]
    sites = [hex for hex in near if WAR.fort_sites >> hex & 1 and hex not in allied]
    forts = random.sample(sites, min(len(sites), 5)) if scenario == HISTORICAL else []
    fields: dict[str, Any] = {
        "turn": turn,
        "scenario": scenario,
        "switched": switched,
        "ports": _ports(random, switched, german),
        "points": random.randint(2, 7 if side == ALLIED else 6),
        "plot": 0 if scenario == TIBER else -1,
        "forts": mask_of(forts),
        "forts_left": 5 if scenario == HISTORICAL else 0,
        "airlift": random.choice((*near, *(-1,) * len(near))),
        "dropped": random.choice((turn, turn - 1)) if WAR.airborne in places else 0,
        "special_forces": not switched and WAR.special_forces not in places.values(),
    }
    fields |= dict.fromkeys(("ss_entered", "army_entered", "army_aircraft"), True)
    fields["tac_active"] = random.random() < 0.6
    if fields["tac_active"]:
        fields["tac"] = random.randint(0, 3)
        fields["airlifted"] = random.random() < 0.3
        fields["drop_ready"] = not fields["dropped"]
    elif scenario == TIBER:
        fields["german_tac"] = 1
    pos = table("; ".join(counters), side, **fields)
    for unit in dead:
        pos.hex[unit], pos.steps[unit] = LOST, 0
    pos.barred = mask_of(dead[:2])
    return pos


def _places(random: Random, units: list[int], near: list[int]) -> dict[int, int]:
    """Stacks that are allowed, each in one of a few hexes."""
    places: dict[int, int] = {}
    for unit in units:
        if unit == WAR.airborne and random.random() < 0.7:
            continue
        for hex in random.sample(near, min(6, len(near))):
            there = [other for other, place in places.items() if place == hex]
            alike = [other for other in there if (other in GUNS) == (unit in GUNS)]
            full = len(alike) >= (1 if unit in GUNS else 3)
            foes = any(SIDE[other] != SIDE[unit] for other in there)
            strangers = SIDE[unit] == GERMAN and any(GROUP[o] != GROUP[unit] for o in there)
            if not (full or foes or strangers):
                places[unit] = hex
                break
    return places


def _counter(random: Random, unit: int, place: str) -> str:
    hurt = unit not in GUNS and unit != WAR.airborne and random.random() < 0.3
    return f"{WAR.names[unit]} @ {place} steps={1 if hurt else WAR.full[unit]}"


def _ports(random: Random, switched: bool, german: set[int]) -> list[int]:
    ports: list[int] = []
    for port, hex in zip(WAR.book.ports, WAR.ports):
        marker = LOST if hex in german or random.random() < 0.4 else hex
        if port.switch and switched:
            marker = GONE
        if hex == WAR.ports[WAR.naples] and not switched:
            marker = AWAY
        ports.append(marker)
    return ports
