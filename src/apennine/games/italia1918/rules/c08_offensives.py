"""Chapter 8: offensives are declared, and army artillery goes over to Offensive mode."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order
from apennine.mechanics.asking import until
from apennine.mechanics.phrases import counted

from ..table.data import Offensive
from ..table.position import NOBODY, Table
from ..table.war import War
from .c02_pieces import in_the_field, offensive, theatre, there

DECLARING = "Army artillery goes over to Offensive mode as an offensive is declared"
SEQUENCES = 3
"""The Operational Sequences of a turn with an offensive (8.0b)."""
WEST = "W"
"""The letter of the western sheet."""


def turn_begins(war: War, pos: Table) -> Procedure:
    """8.0e: an offensive lasts a turn; all army artillery goes back to Bombardment mode."""
    pos.firing = 0
    pos.sequence = 1
    pos.offensive = offensive(war, pos) is not None
    pos.starved = 0
    pos.bruchmueller = NOBODY
    if pos.turn == theatre(war, pos).scenario.thaw:
        pos.frozen = []  # S1.S8c
    if pos.offensive:
        yield Event("an offensive is declared", value=pos.turn, rule=rule("8.0a"))


def sequences(pos: Table) -> int:
    """How many Operational Sequences the turn has (8.0b)."""
    return SEQUENCES if pos.offensive else 1


def declaration_phase(war: War, pos: Table) -> Procedure:
    """8.0c: the side with the initiative chooses the guns of its offensive."""
    if pos.offensive:
        prompt = "Choose the army artillery that goes over to Offensive mode"
        yield from until(OPEN, war, pos, prompt, rule("8.0c"), ACTIVATE, MARK, checkpoint=True)


def declared(war: War, pos: Table) -> Offensive:
    """The offensive of this turn."""
    found = offensive(war, pos)
    assert found
    return found


def needs_bruchmueller(war: War, pos: Table) -> bool:
    """Whether the marker is still to be placed in this turn (S1.S3, S4.S6c)."""
    here = theatre(war, pos).scenario
    turn = here.first if pos.gathered else here.bruchmueller
    return pos.turn == turn and pos.bruchmueller == NOBODY


def wanting(war: War, pos: Table) -> Mask:
    """Guns that the scenario names and that are not in Offensive mode yet; lost ones lapse."""
    named = sum([1 << war.number[name] for name in declared(war, pos).guns])
    return named & there(war, pos, pos.side).units & ~pos.firing  # S5.S1f


def western(war: War, pos: Table, guns: Mask) -> Mask:
    """Those of some guns that stand on the West map."""
    return sum([1 << gun for gun in bits(guns) if war.board.code(pos.hex[gun])[0] == WEST])


class Activate(Order[War, Table]):
    """8.0c: a support of army artillery goes over to Offensive mode."""

    verb, names = "activate", (UNIT,)
    when, rule = DECLARING, "8.0c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield war.army_guns, "{unit} is no army artillery", "3.0j"
        yield ~pos.firing, "{unit} is in Offensive mode already", "8.0c"
        offensive = declared(war, pos)
        most = offensive.supports
        enough = f"The scenario allows {counted(most, 'support')} in Offensive mode"
        yield pos.firing.bit_count() < most, enough, "8.0f"
        room = most - pos.firing.bit_count()
        must = wanting(war, pos)
        yield must if must.bit_count() >= room else -1, "The scenario demands another gun", "8.0f"
        own = there(war, pos, pos.side).units & war.army_guns
        short = offensive.west - western(war, pos, pos.firing & own).bit_count()
        bound = western(war, pos, own & ~pos.firing) if short >= room else 0
        yield bound or -1, "A gun on the West map must be among them", "S5.S1e"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.firing |= 1 << option.unit


class Mark(Order[War, Table]):
    """15.2.2h: the Bruchmüller marker is placed on a gun of the offensive."""

    verb, names, link = "give to Bruchmüller", (UNIT,), ""
    when, rule = DECLARING, "15.2.2h"

    def bars(self, war: War, pos: Table) -> Bars:
        wanted = needs_bruchmueller(war, pos)
        yield wanted, "This turn has no Bruchmüller bombardment, or its gun is named", "S1.S3"
        yield from in_the_field(war, pos, pos.side)
        yield pos.firing, "{unit} is not in Offensive mode", "15.2.2h"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.bruchmueller = option.unit


class Open(Order[War, Table]):
    """8.0f: the offensive begins with at least one support, and all that the scenario names."""

    verb = "begin the offensive"
    when, rule = DECLARING, "8.0f"

    def bars(self, war: War, pos: Table) -> Bars:
        own = there(war, pos, pos.side).units & war.army_guns
        yield pos.firing != 0 or not own, "An offensive needs a support in Offensive mode", "8.0f"
        yield not wanting(war, pos), "The scenario demands another gun", "8.0f"
        late = needs_bruchmueller(war, pos) and own
        yield not late, "Bruchmüller's gun is to be named first", "S1.S3"
        west = western(war, pos, own)
        short = western(war, pos, pos.firing).bit_count() < declared(war, pos).west
        yield (
            not (short and west & ~pos.firing),
            "A gun on the West map must be among them",
            "S5.S1e",
        )


ACTIVATE, MARK, OPEN = Activate(), Mark(), Open()
