"""Who is ahead (13), how a battle is told, and the phrases that refusals hold in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.hexes import Mask, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.game import EVERYBODY, Prize, Standing
from apennine.kernel.ledger import rule
from apennine.kernel.log import HIDDEN, Chosen
from apennine.kernel.scene import Scene
from apennine.kernel.words import describe, spot_name

from ..rules.c04_zones import controlled
from ..rules.c08_movement import stack_name
from ..rules.c13_victory import points
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
    """13d, 13e: the Allies must lead by so much at the end; nothing of it is secret."""
    held = points(war, pos, ALLIED), points(war, pos, GERMAN)
    (allied, german), win = held, war.prizes.win
    lack, more = german + win - allied, german + war.prizes.strategic - allied
    if lack > 0:
        outlook = f"The Allies must lead by {win} at the end and lack {lack}"
    else:
        strategic = f"{more} more win strategically" if more > 0 else "strategically"
        outlook = f"The Allies would win, {strategic}; the Germans lack {1 - lack}"
    return Standing(
        f"Victory points: Allied {allied}, German {german}. {outlook}.",
        held,
        (german + win, max(0, allied - win + 1)),
        GERMAN if lack > 0 else ALLIED,
        rule("13d") if more > 0 else rule("13e"),
        prizes(war, pos),
    )


def prizes(war: War, pos: Table) -> tuple[Prize, ...]:
    """13a: the places that count, and who controls them."""

    def holder(hexes: Mask) -> int:
        sides = [side for side in (ALLIED, GERMAN) if hexes & controlled(war, pos, side)]
        return sides[0] if sides else EVERYBODY

    return tuple(Prize(first_bit(at), worth, holder(at)) for at, worth in war.prizes_on_map)


def attack(game: Any, scene: Scene) -> str:
    """9.1: "Attack on Cassino (3020), 2-1: die 5, 0/2; 94 ID eliminated"."""
    war: War = game.war
    if not scene.rolls or scene.rolls[0].column not in war.ladder.labels:
        return ""
    roll = scene.rolls[0]
    result = war.combat.cell(roll.faces[0], war.ladder.labels.index(roll.column))
    return scene.attack(str(result), besides=("result",))


def note(game: Any, scene: Scene) -> str:
    """11Id: what a note says, to who may read it; to others, that it is written."""
    said = [e.option for e in scene.entries if isinstance(e, Chosen) and e.option != HIDDEN]
    return f"A note: {describe(game, said[-1], spot_name)}" if said[1:] else "A note is written"


TALES: dict[str, Callable[[Any, Scene], str]] = {"attack": attack, "write a note": note}
"""By opening verb: what the story says instead of the kernel's own words."""


def movers(war: War, pos: Table, one: str, several: str) -> str:
    """The moving units by name, and what they do."""
    return f"{stack_name(war, pos)} {several if pos.movers & pos.movers - 1 else one}"


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "arrival": lambda war, _, option: str(war.roster[option.unit].arrives),
        "nation": lambda war, _, option: war.nations[war.roster[option.unit].nation].title,
        "target": lambda war, pos, _: war.board.code(pos.target),
        "movers are": lambda war, pos, _: movers(war, pos, "is", "are"),
        "movers have": lambda war, pos, _: movers(war, pos, "has", "have"),
    }
)
