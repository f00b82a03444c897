"""B4E9: the look-ahead finds a division if and only if there is one, and never strands a player."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from apennine.games.anzio.rules.b4d_stacking import load, overloaded
from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.rules.b4e_division import Duty
from apennine.games.anzio.rules.b4e_duty import duty, hopeless, prepare
from apennine.games.anzio.rules.b4e_zones import occupied, soften, there
from apennine.games.anzio.rules.b4h_odds import is_allowed
from apennine.games.anzio.rules.c10_inverted import exposed
from apennine.games.anzio.table.position import Table
from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Choice, Roll
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, play, table

G = WAR.ground
SWITCHES = ("supporting_fire", "armor", "forts", "nationalities", "mountain", "zone_retreat")


def scene(random: Random, radius: int, most: int) -> Table:
    """Units of both sides thrown together in a small area, at any strength, with any rules."""
    centre = random.choice(list(bits(G.stands)))
    area = list(bits(WAR.lattice.disc(centre, radius) & G.stands))
    switches = {name: random.random() < 0.5 for name in SWITCHES}
    pos = table("", "combat", random.randrange(2), turn=random.choice((1, 3, 6)), **switches)
    pos.air_superiority, pos.fire = pos.supporting_fire, [1, 3, 2]
    for unit in random.sample(range(len(WAR.units)), most):
        side, hex = WAR.side_of[unit], random.choice(area)
        there_now = there(WAR, pos, side).stack(hex) | 1 << unit
        if occupied(WAR, pos, 1 - side) >> hex & 1 or load(WAR, there_now) > 7:
            continue
        pos.hex[unit] = hex
        pos.steps[unit] = random.randrange(1, WAR.full[unit] + 1)
        pos.bank[unit] = WAR.node_bound[random.choice(WAR.nodes_of[hex])]
        soften(WAR, pos, unit)
        if pos.forts and side and random.random() < 0.3:
            pos.works |= 1 << hex
    return pos


def begun(random: Random, radius: int, most: int) -> Table:
    """Such a scene when its combat has begun."""
    pos = scene(random, radius, most)
    for _ in prepare(WAR, pos):
        pass
    return pos


def partitions(hexes: list[int]) -> Iterator[list[int]]:
    """All ways to put hexes into groups, each group as a mask."""
    if not hexes:
        yield []
        return
    for rest in partitions(hexes[1:]):
        yield [1 << hexes[0], *rest]
        for place, group in enumerate(rest):
            yield [*rest[:place], group | 1 << hexes[0], *rest[place + 1 :]]


def divides(pos: Table, found: Duty) -> bool:
    """Whether there is a division, by trying all of them."""
    fighters = list(bits(found.free))
    for groups in partitions(list(bits(found.due))):
        choices = [
            [place for place, group in enumerate(groups) if found.near[unit] & group == group]
            for unit in fighters
        ]
        for places in product(*choices):
            armies = [0] * len(groups)
            for unit, place in zip(fighters, places):
                armies[place] |= 1 << unit
            if all(a and is_allowed(WAR, pos, a, g) for a, g in zip(armies, groups)):
                return True
    return not fighters and not found.due


@rule("anzio", "B4E9", "B4E12b")
def test_the_search_agrees_with_trying_everything():
    random, answers = Random(9), {True: 0, False: 0}
    while min(answers.values()) < 15:
        pos = begun(random, 2, random.randrange(6, 22))
        found = duty(WAR, pos)
        if not found.due or found.free.bit_count() > 7 or found.due.bit_count() > 4:
            continue
        truth = divides(pos, found)
        assert found.can_divide() is truth
        assert bool(hopeless(found)) is not truth
        answers[truth] += 1


@rule("anzio", "B4E9")
@pytest.mark.parametrize("seed", range(40))
def test_nobody_is_stranded_whatever_he_chooses(seed):
    """Random battles to their end: always something to do, everybody fights, all is settled."""
    random = Random(seed)
    pos = scene(random, random.choice((2, 3, 4)), random.randrange(10, 50))
    match = play(pos, combat_phase)
    for _ in range(2000):
        if match.decision is None:
            break
        options = match.decision.options
        assert len(options), "a question without an answer"
        match.choose(options[random.randrange(len(options))])
    after = match.position
    assert match.decision is None
    assert not after.round
    assert not (after.targets | after.attackers | after.retreating | after.surge)
    for side in (0, 1):
        assert not exposed(WAR, after, side)
        crowded = [h for h in bits(occupied(WAR, after, side)) if overloaded(WAR, after, side, h)]
        assert not crowded
    assert not occupied(WAR, after, 0) & occupied(WAR, after, 1)


@rule("anzio", "B4E9", "B4E11")
@pytest.mark.parametrize("seed", range(20))
def test_in_the_first_round_all_who_must_fight_once_and_all_enemies_are_attacked(seed):
    random = Random(100 + seed)
    pos = begun(random, 3, 40)
    must, due = duty(WAR, pos).must, duty(WAR, pos).due
    enemies = there(WAR, pos, 1 - pos.side).among(due) & ~pos.soft
    running, answer = combat_phase(WAR, pos), None
    fought = defended = 0
    while pos.round == 1:
        try:
            asked = running.send(answer)
        except StopIteration:
            break
        answer = None
        if isinstance(asked, Choice):
            answer = asked.options[random.randrange(len(asked.options))]
        elif isinstance(asked, Roll):
            answer = (random.randrange(1, 7),)
            if asked.purpose == "combat" and pos.round == 1:
                assert not fought & pos.attackers, "somebody fights twice"
                fought, defended = fought | pos.fought, defended | pos.defended
    sacrificed = mask_of(unit for unit in bits(must & ~fought) if pos.hex[unit] < 0)
    assert must & ~fought == sacrificed
    if not sacrificed:
        assert not enemies & ~defended
