"""The scenarios: what the sides may choose before the first turn."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, VALUE, Bars, Order, Plain
from apennine.mechanics.asking import until

from ..table.data import STRONG
from ..table.position import AWAY, CENTRAL, ENTENTE, Table
from ..table.war import War
from .c02_pieces import attached, in_the_field, is_elite, theatre, there, those_in

CHOOSING = "The set-up is changed before the first turn"
SWAPS = 3
"""The divisions that change places (S4.S6a)."""


def choices_phase(war: War, pos: Table) -> Procedure:
    """Each side changes its set-up as far as the scenario lets it."""
    orders = [order for order in (SWAP, DISPLAY, PARK) if order.may(war, pos)]
    if orders:
        prompt = "Change your set-up, or begin"
        yield from until(BEGIN, war, pos, prompt, rule("SC.c"), *orders, checkpoint=True)


class Swap(Order[War, Table]):
    """S4.S6a: an elite division, named by a brigade, changes places with one of morale 4."""

    verb, names, number = "swap", (UNIT, VALUE), "with unit {}"
    ranges = ((VALUE, UNIT),)
    when, rule = CHOOSING, "S4.S6a"

    def may(self, war: War, pos: Table) -> bool:
        """Whether the side has this choice."""
        return pos.gathered and pos.side == CENTRAL

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.may(war, pos), "Only by option do divisions change places", "S4.S6a"
        yield pos.swaps < SWAPS, f"{SWAPS} divisions have changed places", "S4.S6a"
        yield from in_the_field(war, pos, pos.side)
        own = there(war, pos, pos.side).units & war.brigades
        elite = [u for u in bits(own) if is_elite(war, pos, u) and war.roster[u].division]
        yield mask_of(elite), "{unit} is of no elite division", "S4.S6a"
        yield ~pos.swapped, "{unit} has changed places", "S4.S6a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        del first
        yield there(war, pos, pos.side).units & war.divisions, "That is no division", "S4.S6a"
        strong = [u for u in bits(war.divisions) if war.faces[u][war.full[u]][3] == STRONG]
        yield mask_of(strong), "That division has not a morale of 4", "S4.S6a"
        yield ~pos.swapped, "That division has changed places", "S4.S6a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        ours = whole(war, pos, option.unit)
        theirs = 1 << option.value
        places = pos.hex[option.unit], pos.hex[option.value]
        for units, hex in ((ours, places[1]), (theirs, places[0])):
            for unit in bits(units | attached(war, pos, units)):
                pos.hex[unit] = hex
        pos.swapped |= ours | theirs
        pos.swaps += 1


def whole(war: War, pos: Table, unit: int) -> Mask:
    """The parts of a unit's division that stand together."""
    name = war.roster[unit].division
    here = those_in(war, pos, pos.hex[unit], war.side_of[unit])
    return sum([1 << u for u in bits(here & war.combat) if name and war.roster[u].division == name])


class Display(Order[War, Table]):
    """S2.S5: the display division stands for its regiments."""

    verb = "display the division"
    when, rule = CHOOSING, "S2.S5"

    def may(self, war: War, pos: Table) -> bool:
        """Whether the side has this choice."""
        return bool(theatre(war, pos).displayed) and pos.side == ENTENTE

    def bars(self, war: War, pos: Table) -> Bars:
        shown = theatre(war, pos).displayed
        yield shown and not pos.displayed & shown, "The division is displayed", "S2.S5"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.displayed |= theatre(war, pos).displayed


class Park(Order[War, Table]):
    """S4.I2: the trucks stand with the Italian assault division."""

    verb, names = "place", (UNIT,)
    when, rule = CHOOSING, "S4.I2"

    def may(self, war: War, pos: Table) -> bool:
        """Whether the side has this choice."""
        return pos.side == ENTENTE and bool(theatre(war, pos).spare)

    def bars(self, war: War, pos: Table) -> Bars:
        spare = theatre(war, pos).spare
        yield sum([1 << u for u in spare]), "{unit} is not placed by choice", "S4.I2"
        yield those_in(war, pos, AWAY, pos.side), "{unit} is placed", "S4.I2"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = theatre(war, pos).spare[option.unit]


SWAP, DISPLAY, PARK = Swap(), Display(), Park()
BEGIN = Plain("begin", CHOOSING, "SC.c")
