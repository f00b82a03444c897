"""The facts of a match told as a report: what each side did in a turn, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from apennine.hexes import bits
from apennine.kernel.scene import Loss
from apennine.kernel.words import unit_name
from apennine.mechanics.phrases import spelt

from .document import Listing, Paragraph
from .facts import OPENING, Facts, Fight, Section, Turn
from .phrases import many, sentence, series, spot, town, units

_PLURAL = {"is": "are", "has": "have"}
SWAY = 0.75
"""Who came so many hexes nearer to the enemy on average has closed in, or else drawn back."""


class Writer:
    """Writes the chapters of a report. Words are those of any war; names come from the game."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.game = facts.game
        self.sides = facts.game.sides

    # The turn in one line.

    def headline(self, turn: Turn) -> str:
        """What one would remember of a turn: towns that fell, units that were destroyed."""
        told: list[str] = []
        for side, name in enumerate(self.sides):
            towns = [town(self.game, hex) for s in turn.sections for hex in bits(s.gained[side])]
            taken = list(dict.fromkeys(filter(None, towns)))
            if taken:
                told.append(
                    f"{series(taken, 4)} {'falls' if len(taken) == 1 else 'fall'} to {name} forces"
                )
        dead = [death.unit for death in self.facts.deaths if death.turn == turn.number]
        for side, name in enumerate(self.sides):
            gone = [unit for unit in dead if self.facts.owners.get(unit) == side]
            if gone:
                told.append(f"{name} losses: {units(self.game, gone, 5)} destroyed")
        fights = len(turn.fights)
        if not told:
            told.append(f"{many(fights, 'attack')} and no decision" if fights else "no fighting")
        return sentence("; ".join(told))

    # What one side did.

    def section(self, section: Section) -> Iterator[Paragraph | Listing]:
        """What is told of one side in a turn."""
        opening = [*self.arrived(section), *self.rebuilt(section.rebuilt)]
        opening += self.moved(section)
        if opening:
            yield Paragraph(" ".join(map(sentence, opening)))
        if section.fights:
            yield Paragraph(sentence(self.balance(section)))
            yield Listing([(spot(self.game, f.place), self.fight(f)) for f in section.fights])
        closing = [*self.taken(section), *self.wasted(section.wasted), *self.befell(section)]
        if section.orders:
            closing.append(f"Other orders: {'; '.join(map(_small, section.orders))}")
        if closing:
            yield Paragraph(" ".join(map(sentence, closing)))

    def arrived(self, section: Section) -> Iterator[str]:
        """Who came, from where, and to which places."""
        by_start: dict[str, dict[int, list[int]]] = {}
        for move in section.arrivals:
            start = spot(self.game, move.start) if move.start >= 0 else ""
            by_start.setdefault(start, {}).setdefault(move.end, []).append(move.unit)
        for start, ends in by_start.items():
            count = sum(map(len, ends.values()))
            source = f"out of {start} " if start else ""
            if len(ends) == 1:
                ((end, who),) = ends.items()
                yield f"{source}{units(self.game, who)} came to {spot(self.game, end)}"
            elif count <= 8:
                places = [
                    f"{units(self.game, who)} at {spot(self.game, end)}"
                    for end, who in ends.items()
                ]
                yield f"{source}{many(count, 'unit')} came in: {series(places, 99)}"
            else:
                named = {
                    end: who
                    for end, who in ends.items()
                    if town(self.game, end) or self.game.board.is_box(end)
                }
                places = [
                    f"{units(self.game, who)} at {spot(self.game, end)}"
                    for end, who in named.items()
                ]
                others = count - sum(map(len, named.values()))
                rest = (
                    f", the other {spelt(others)} in the open between" if others and places else ""
                )
                at = f": {series(places, 99)}{rest}" if places else ""
                came = "took up positions" if section.turn == OPENING else "came in"
                yield f"{source}{many(count, 'unit')} {came}{at}"

    def rebuilt(self, rebuilt: Sequence[int]) -> Iterator[str]:
        """Who was brought up to strength."""
        if rebuilt:
            yield f"replacements went to {units(self.game, dict.fromkeys(rebuilt))}"

    def moved(self, section: Section) -> Iterator[str]:
        """How many moved, in which sense, where most of them went, and who went farthest."""
        moves = {unit: way for unit, way in section.moves.items() if way[0] != way[-1]}
        if not moves:
            return
        name, far = self.sides[section.side], self.game.board.lattice.distance
        if len(moves) <= 3:
            ways: dict[tuple[int, int], list[int]] = {}
            for unit, way in moves.items():
                ways.setdefault((way[0], way[-1]), []).append(unit)
            told = [
                f"{units(self.game, who)} went from {spot(self.game, start)}"
                f" to {spot(self.game, end)}"
                for (start, end), who in ways.items()
            ]
            yield series(told, 99)
            return
        sway = section.nearer / len(moves)
        sense = "closed in" if sway >= SWAY else "drew back" if sway <= -SWAY else "regrouped"
        ends: dict[int, list[int]] = {}
        for unit, way in moves.items():
            ends.setdefault(way[-1], []).append(unit)
        # Most units first; of as many, where there is a town.
        ranked = sorted(
            ends.items(), key=lambda item: (-len(item[1]), not town(self.game, item[0]))
        )
        weight = [item for item in ranked if len(item[1]) > 1][:3] or ranked[:2]
        gathered = [f"{units(self.game, who)} to {spot(self.game, end)}" for end, who in weight]
        yield (
            f"{name} forces {sense}: {many(len(moves), 'unit')} moved, "
            f"{'chiefly' if len(weight[0][1]) > 1 else 'among others'} {'; '.join(gathered)}"
        )
        unit, way = max(moves.items(), key=lambda item: far(item[1][0], item[1][-1]))
        length = far(way[0], way[-1])
        if length > 3:
            yield (
                f"{unit_name(self.game, unit)} went farthest, {many(length, 'hex')} "
                f"from {spot(self.game, way[0])} to {spot(self.game, way[-1])}"
            )

    # Battle.

    def balance(self, section: Section) -> str:
        """How often a side attacked, and what that cost both."""
        losses = [loss for fight in section.fights for loss in fight.losses]
        foes = [side for side in range(len(self.sides)) if side != section.side]
        own, theirs = self.steps(losses, [section.side]), self.steps(losses, foes)
        name, times = self.sides[section.side], _times(len(section.fights))
        if not own and not theirs:
            return f"{name} forces attacked {times}, without loss to either side"
        return (
            f"{name} forces attacked {times}; the enemy lost {many(theirs, 'step')}, "
            f"the attackers {spelt(own) if own else 'none'}"
        )

    def steps(self, losses: Iterable[Loss], sides: Sequence[int]) -> int:
        """The steps that these sides lost."""
        return sum(loss.steps for loss in losses if self.facts.owners.get(loss.unit) in sides)

    def fight(self, fight: Fight) -> str:
        """One attack: who against whom, how it went, what it cost."""
        owners = self.facts.owners
        who = units(self.game, fight.attackers) or f"{self.sides[fight.side]} forces"
        whom = f" {units(self.game, fight.defenders)}" if fight.defenders else ""
        dice = series([str(face) for face in fight.dice])
        odds = f" ({fight.column}, die {dice})" if fight.column else ""
        theirs = [loss for loss in fight.losses if owners.get(loss.unit) != fight.side]
        ours = [loss for loss in fight.losses if owners.get(loss.unit) == fight.side]
        told = [f"{who} attacked{whom}{odds} and {self.verdict(fight, theirs, ours)}"]
        told += self.suffered(theirs)
        if ours:
            told.append(f"the attack cost {self.price(ours)}")
        return sentence("; ".join(told))

    def price(self, losses: Sequence[Loss]) -> str:
        """What an attack cost: "the whole of 201 G and US 3 one step"."""
        gone = [loss.unit for loss in losses if loss.gone]
        hurt: dict[int, list[int]] = {}
        for loss in losses:
            if not loss.gone:
                hurt.setdefault(loss.steps, []).append(loss.unit)
        told = [f"the whole of {units(self.game, gone)}"] if gone else []
        for count, who in sorted(hurt.items(), reverse=True):
            each = " each" if len(who) > 1 else ""
            told.append(f"{units(self.game, who)} {many(count, 'step')}{each}")
        return series(told, 99)

    def verdict(self, fight: Fight, theirs: Sequence[Loss], ours: Sequence[Loss]) -> str:
        """How an attack went, in a few words."""
        taken = fight.entered and not set(fight.defenders) - {
            loss.unit for loss in theirs if loss.gone
        } - set(fight.fled)
        steps = sum(loss.steps for loss in theirs), sum(loss.steps for loss in ours)
        if taken:
            return "took the place"
        if fight.fled:
            return "drove the defenders out"
        if theirs and all(loss.gone for loss in theirs) and len(theirs) >= len(fight.defenders) > 0:
            return "wiped out the defence, but did not follow up"
        if steps[0] > steps[1]:
            return "had the better of it, though the defence held"
        if steps[0] and steps[0] == steps[1]:
            return "fought to a standstill"
        if steps[1]:
            return "was thrown back" if len(fight.attackers) == 1 else "were thrown back"
        return "gained nothing"

    def suffered(self, losses: Sequence[Loss]) -> Iterator[str]:
        """Losses in words: who was destroyed, and who lost how much."""
        gone = [loss.unit for loss in losses if loss.gone]
        if gone:
            yield f"{units(self.game, gone)} {'was' if len(gone) == 1 else 'were'} destroyed"
        hurt: dict[int, list[int]] = {}
        for loss in losses:
            if not loss.gone:
                hurt.setdefault(loss.steps, []).append(loss.unit)
        for count, who in sorted(hurt.items(), reverse=True):
            each = " each" if len(who) > 1 else ""
            yield f"{units(self.game, who)} lost {many(count, 'step')}{each}"

    # What it came to.

    def taken(self, section: Section) -> Iterator[str]:
        """The ground that changed hands."""
        for side, mask in enumerate(section.gained):
            count, name = mask.bit_count(), self.sides[side]
            if not count:
                continue
            towns = [spot(self.game, hex) for hex in bits(mask) if town(self.game, hex)]
            others = count - len(towns)
            if not towns:
                yield f"{many(count, 'hex')} passed into {name} hands"
                continue
            more = [f"{many(others, 'other hex')}"] if others else []
            yield f"{series([*towns, *more], 99)} passed into {name} hands"

    def befell(self, section: Section) -> Iterator[str]:
        """What came about by itself: "4 I, 8 I and six more are out of supply"."""
        for verb, who in section.states.items():
            told = list(dict.fromkeys(who))
            plural = re.sub(r"^(is|has)\b", lambda one: _PLURAL[one[0]], verb)
            yield f"{units(self.game, told, 5)} {verb if len(told) == 1 else plural}"
        yield from section.notes

    def wasted(self, losses: Sequence[Loss]) -> Iterator[str]:
        """Losses that no battle brought."""
        if losses:
            yield f"without a battle, {series(list(self.suffered(losses)), 99)}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{spelt(count)} times")


def _small(text: str) -> str:
    """A line of the story as a part of a sentence."""
    first, *rest = text.split(" ", 1)
    keeps = not first.isalpha() or first.isupper()
    return text if keeps else " ".join([first[:1].lower() + first[1:], *rest])
