"""E6C, E8A and E8B: garrisons that come in ways of their own: Livorno, Roma, the 16 SS."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.position import (
    ALLIED,
    AWAY,
    DESTROYED,
    DUE,
    GERMAN,
    LIVORNO_NEAR,
    WITHDRAWN,
    Table,
)
from ..table.rivers import FREE
from ..table.war import War
from .b4d_stacking import full_hexes, relieve
from .b4e_zones import occupied, soften, there
from .c9_supply import fed_hexes, german_unfed, line_hexes
from .e9_forms import gather

PORTS = ("Genova", "La Spezia")
LOST = 2
"""Steps that the division lacks whose cadre has been destroyed (E6C6)."""


def welcoming(war: War, pos: Table, hexes: Mask, units: Mask) -> Mask:
    """E6C1: those of some hexes that are German, in supply, and have room."""
    fed = fed_hexes(war, war.german_edge(pos), line_hexes(war, pos, GERMAN))
    found = hexes & ~pos.friendly & fed & ~occupied(war, pos, ALLIED)
    return found & ~full_hexes(war, pos, GERMAN, units)


@dataclass(slots=True)
class Station(Order[War, Table]):
    """E6C, E8A2: units are put straight into a hex, without a march."""

    sites: Mask
    by: str

    verb, names, link = "station", (HEX,), "in"
    when, rule = "Garrisons that come by sea, or to Livorno, are put into their city", "E6C1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.sites, "{hex} is not open to them", self.by


def settle_corsica(war: War, pos: Table, units: list[int]) -> Procedure:
    """E6C: who comes over from Corsica is put into Livorno, else into another port, or comes later.

    Only at Livorno, and while no Allies are near, do they stand guard (E6C4).
    """
    those = mask_of(units)
    post = war.posts[units[0]]
    sites, by = welcoming(war, pos, post.hexes, those), "E6C1"
    if not sites:
        ports = sum([war.board.places[name].hexes for name in PORTS])
        sites, by = welcoming(war, pos, ports, those), "E6C2"
    if not sites:
        return
    prompt = "Where do the units from Corsica come ashore?"
    chosen = yield from ask(war, pos, prompt, rule("E6C2"), Station(sites, by))
    near = is_threatened(war, pos, units[0])
    for unit in units:
        pos.hex[unit], pos.bank[unit] = chosen.hex, FREE
        yield Event("arrives", unit, chosen.hex, rule=by)
        if near:
            pos.tied |= 1 << unit  # E6C5
        elif by == "E6C1":
            pos.frozen |= 1 << unit


def swap_brigade(war: War, pos: Table, division: int, brigade: int) -> Procedure:
    """E6C6: a division takes the place of its brigade, as soon as that is not isolated.

    If the brigade is destroyed the division comes over the edge with two steps less.
    """
    here = pos.hex[brigade]
    isolated = german_unfed(war, pos) >> brigade & 1
    if pos.hex[division] != AWAY or here in (AWAY, WITHDRAWN) or isolated:
        return
    pos.frozen &= ~(1 << brigade)
    pos.hex[division], pos.steps[division] = here, war.full[division]
    if here == DESTROYED:
        pos.hex[division] = DUE
        pos.steps[division] -= LOST
    else:
        pos.hex[brigade] = WITHDRAWN
    soften(war, pos, division)
    yield Event("arrives", division, pos.hex[division] if here >= 0 else -1, rule="E6C6")
    if here >= 0:
        yield from relieve(war, pos, GERMAN, 1 << here)


def relieve_roma(war: War, pos: Table, fresh: int, old: int) -> Procedure:
    """E8B2, E8B3: the garrison of Roma is relieved if it has stood guard to the end.

    If it was destroyed as a garrison, by Italians, the other one comes all the same; if it has been
    freed, nobody does.
    """
    guard = pos.frozen & war.whole(old)
    if not guard:
        return
    parts = [unit for unit in war.parts_on_table(pos, old) if guard >> unit & 1]
    place = DUE
    for unit in parts:
        place = pos.hex[unit]
        pos.hex[unit] = WITHDRAWN
        yield Event("is withdrawn", unit, place if place >= 0 else -1, rule="E8B2")
    pos.frozen &= ~war.whole(old)
    pos.frozen |= 1 << fresh
    pos.hex[fresh], pos.steps[fresh] = place, war.full[fresh]
    yield Event("arrives", fresh, place if place >= 0 else -1, rule="E8B2")


@dataclass(slots=True)
class Send(Order[War, Table]):
    """E8A5: who goes to Livorno instead, and follows the dates of the division from then on."""

    units: Mask

    verb, names = "send to Livorno", (UNIT,)
    when, rule = "Somebody goes to Livorno for a division that is isolated", "E8A5"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.units, "{unit} is no substitute, or isolated itself", "E8A5"


def send_to_livorno(war: War, pos: Table, division: int, others: list[int]) -> Procedure:
    """E8A1, E8A2: a division is lifted to Livorno, unless Allies are near, or landed again."""
    if pos.second or pos.marks & LIVORNO_NEAR:
        return
    cut = german_unfed(war, pos)
    able = mask_of(u for u in [division, *others] if _can_go(war, pos, u, cut))
    if not able:
        return
    who = division
    if not able >> division & 1:
        chosen = yield from ask(war, pos, "Who guards Livorno?", rule("E8A5"), Send(able))
        who = chosen.unit
    gather(war, pos, who)
    sites = welcoming(war, pos, war.livorno.hexes, 1 << who) or war.livorno.hexes & ~pos.friendly
    if not sites:
        return
    prompt = "Where in Livorno does the garrison stand?"
    chosen = yield from ask(war, pos, prompt, rule("E8A2"), Station(sites, "E8A2"))
    pos.heir = who
    pos.hex[who], pos.bank[who] = chosen.hex, FREE
    pos.frozen |= 1 << who
    yield Event("garrisons", who, chosen.hex, rule="E8A2")


def _can_go(war: War, pos: Table, unit: int, cut: Mask) -> bool:
    parts = war.parts_on_table(pos, unit)
    return bool(parts) and not any(cut >> part & 1 for part in parts)


def leave_livorno(war: War, pos: Table) -> None:
    """E8A4: with the second invasion the guard of Livorno is free again."""
    if pos.heir >= 0 and pos.second:
        pos.frozen &= ~war.whole(pos.heir)


# On garrison duty.


def is_threatened(war: War, pos: Table, unit: int) -> bool:
    """E6B5: whether Allies who are no Italians are near the post of a garrison already."""
    near = there(war, pos, ALLIED).among(war.post_of(pos, unit).alarm)
    return bool(near & ~war.italians)


def at_post(war: War, pos: Table, unit: int) -> bool:
    """Whether a garrison is where it should be."""
    return pos.hex[unit] >= 0 and bool(war.post_of(pos, unit).hexes >> pos.hex[unit] & 1)


def roused(war: War, pos: Table) -> Mask:
    """E6B4, E10D11: garrisons that Italians draw out: within ten hexes, partisans within three."""
    found = 0
    lattice = war.lattice
    foes = [(unit, pos.hex[unit]) for unit in bits(war.italians & war.army[ALLIED])]
    foes = [(unit, hex) for unit, hex in foes if 0 <= hex < lattice.size]
    if not foes:
        return 0
    for guard in bits(pos.frozen):
        here = pos.hex[guard]
        if 0 <= here < lattice.size:
            for unit, hex in foes:
                if lattice.distance(here, hex) <= (3 if war.partisans >> unit & 1 else 10):
                    found |= 1 << guard
                    break
    return found


def on_guard(war: War, pos: Table) -> Mask:
    """E6B1: the garrisons that stay where they are."""
    if not pos.frozen:
        return 0
    out = roused(war, pos)
    return mask_of(u for u in bits(pos.frozen & ~out) if at_post(war, pos, u))


def away_from_post(war: War, pos: Table) -> Mask:
    """E6B4: garrisons on the map that must return to their post: nobody draws them out."""
    if not pos.frozen:
        return 0
    out = roused(war, pos)
    found = mask_of(u for u in bits(pos.frozen & ~out) if 0 <= pos.hex[u] < war.lattice.size)
    return mask_of(u for u in bits(found) if not at_post(war, pos, u))


def leash(war: War, pos: Table, units: Mask) -> Mask:
    """E6B1, E6B4: the hexes to which moving garrisons may go: within ten of their post, or home."""
    found, lattice = -1, war.lattice
    out = roused(war, pos)
    for unit in bits(units & pos.frozen):
        post = war.post_of(pos, unit).hexes
        if out >> unit & 1:
            found &= lattice.dilate(post, 10)
        else:
            here = pos.hex[unit]
            if 0 <= here < lattice.size:
                away = min(lattice.distance(here, hex) for hex in bits(post))
                found &= lattice.dilate(post, max(away - 1, 0))
    return found
