"""Who comes and goes, turn by turn: arrivals (C1A2, C2A2), and the cards of the Advanced Game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule

from ..rules.e5_choice import ORDERS_OF_BATTLE
from ..table.data import CARDS, SECTIONS, SIDES, GermanLine, Scenario
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """Arrivals of the turns of the scenario; those of the second invasion under its turn."""
    book = war.book
    scenario = book.scenarios[pos.scenario]
    if scenario.advanced:
        return sorted((*allied_card(war, scenario), *german_card(war, pos, scenario)))
    at_start = {start.unit for start in book.setups[scenario.setup].units}
    found: list[Posting] = []
    for group in book.arrivals:
        names = [name for name in group.units if name not in at_start]
        if names and scenario.first <= group.turn <= scenario.last:
            side = SIDES.index(group.side)
            by = rule("C1A2") if side == ALLIED else rule("C2A2")
            text = "in Sicilia" if side == ALLIED else "over the northern edges"
            found.append(Posting(group.turn, side, True, _numbers(war, names), text, by))
    second = _second(scenario)
    if second and not scenario.invaded:
        for reaction in book.reactions:
            names = [name for name in reaction.units if name not in at_start]
            turn = min(second + reaction.delay, scenario.last)
            if names:
                text = _reacts(reaction.delay)
                units = _numbers(war, names)
                found.append(Posting(turn, GERMAN, True, units, text, rule("C2A3")))
    return sorted(found)


def _second(scenario: Scenario) -> int:
    """The first turn in which the Allies may invade a second time."""
    return next((i.first for i in scenario.invasions if i.key == "second"), 0)


def _reacts(delay: int) -> str:
    return f"{'a turn later' if delay else 'at once'} if the Allies invade a second time"


# The Advanced Game.


def allied_card(war: War, scenario: Scenario) -> Iterator[Posting]:
    """E4A: the Allied card as far as the game uses it."""
    last = SECTIONS.index(scenario.advanced or SECTIONS[0])
    for line in war.book.allied_card:
        if line.turn > scenario.last or SECTIONS.index(line.card) > last or not line.units:
            continue
        comes = line.event != "withdraw"
        text, by = "in Sicilia", rule("E4B1")
        if not comes:
            text, by = _or_else("is withdrawn", line.instead), rule("E4B2")
        elif line.event == "exchange":
            text = f"in the place of {line.instead[0]}"
        elif line.event == "return":
            text = "returns to Sicilia"
        yield Posting(line.turn, ALLIED, comes, _numbers(war, line.units), text, by)


TOLD = {
    "arrive": ("over the northern edges", "E5D5"),
    "garrison": ("to garrison {at}", "E5D5b"),
    "release": ("released from garrison duty", "E6B3"),
    "leave": ("leaves its garrison", "E6B2"),
    "withdraw": ("is withdrawn", "E5D6a"),
    "exchange": ("in the place of {instead}", "E6C6"),
    "command": ("to the {to} Command", "E8G1"),
    "corsica": ("from Corsica to Livorno", "E6C1"),
    "relief": ("in the place of {instead}, if it still guards Roma", "E8B2"),
    "livorno": ("to garrison Livorno, if no Allies are near", "E8A2"),
}
"""By event of the German card, what is said of it, and by which rule."""


def german_card(war: War, pos: Table, scenario: Scenario) -> Iterator[Posting]:
    """E5B: the German card of the chosen order of battle, of all three before that."""
    second, chosen = _second(scenario), CARDS[pos.oob - 1 : pos.oob] if pos.oob else CARDS
    for line in war.book.german_card:
        if set(line.cards) & set(chosen) and 1 < line.turn <= scenario.last:
            yield _german(war, line, line.turn, _words(line, chosen))
    for line in war.book.german_reaction:
        if set(line.cards) & set(chosen):
            turn = min((pos.second or second) + line.turn, scenario.last)
            yield _german(war, line, turn, f"{_words(line, chosen)}, {_reacts(line.turn)}")


def _german(war: War, line: GermanLine, turn: int, text: str) -> Posting:
    comes = line.event not in ("withdraw", "leave")
    return Posting(turn, GERMAN, comes, _numbers(war, line.units), text, TOLD[line.event][1])


def _words(line: GermanLine, chosen: str) -> str:
    others = ", ".join(line.instead)
    text = TOLD[line.event][0].format(at=" ".join(line.at), instead=others, to=line.to)
    if line.event == "withdraw":
        text = _or_else(text, line.instead)
    if line.if_second:
        early = "has" if line.if_second == "early" else "has not"
        text += f", if the second invasion {early} come by turn {line.by}"
    if not set(chosen) <= set(line.cards):
        names = [ORDERS_OF_BATTLE[1 + CARDS.index(card)] for card in line.cards]
        text += f" ({' and '.join(names)} order of battle)"
    return text


def _or_else(text: str, instead: Sequence[str]) -> str:
    return f"{text}, else {' or '.join(instead[:5])}" if instead else text


def _numbers(war: War, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(war.number[name] for name in names)
