"""The odds explorer: exact chances, as the preview of the game has them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from apennine.cli import main
from apennine.games import get, keys
from apennine.games.underbelly.telling.battle_chances import Lineup, forecast, summary
from apennine.games.underbelly.telling.default_play import Fighter
from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import GameError
from apennine.kernel.match import Match
from apennine.kernel.sandtable import Troop
from apennine.mechanics.explorer import AROUND, from_match, from_nothing, sand_table, targets

CROSSING = get("crossing")


def attack_of_two() -> tuple[Match[Any], int]:
    """A match in which a hex can be attacked by several units."""
    for seed in range(60):
        match = Match[Any](CROSSING, seed=seed)
        for _ in range(400):
            if not isinstance(match.decision, Choice):
                break
            for option in match.decision.options:
                if option.verb == "attack":
                    fork = match.fork()
                    fork.choose(option)
                    asked = fork.decision
                    offered = asked.options if isinstance(asked, Choice) else ()
                    if sum(each.verb == "attack with" for each in offered) > 1:
                        return match, option.hex
            options = match.decision.options
            match.choose(options[seed * 7919 % len(options)])
    raise AssertionError("no attack of two came up")


def test_two_strengths_are_read_on_the_combat_table():
    found = from_nothing(CROSSING, {"attack": 7, "defence": 3, "shift": -1})
    chart, ladder = CROSSING.war.combat, CROSSING.war.ladder
    column = ladder.clamp(ladder.column(7, 3) - 1)
    expected = {str(cell): chance for cell, chance in chart.chances(column, (6,)).items()}
    assert dict(found.now.chances) == expected
    assert found.now.column == ladder.label(column)
    assert [row.name for row in found.others] == [f"columns besides {by:+d}" for by in AROUND]
    for row in (found.now, *found.others):
        assert sum(row.chances.values()) == 1


@pytest.mark.parametrize("key", keys())
def test_every_game_has_a_sand_table_on_which_its_units_fight(key: str):
    game = get(key)
    table = sand_table(game)
    first = {troop.side: troop for troop in reversed(table.troops(game.war)) if able(troop)}
    one, two = first[0].name, first[1].name
    found = from_nothing(game, {}, [one], [two])
    assert sum(found.now.chances.values()) == 1
    assert found.lines
    stronger = from_nothing(game, {}, [one] * 3, [two])
    assert f"without {one}" in [row.name for row in stronger.others] or key == "crossing"
    for knob in table.knobs(game.war):
        told = from_nothing(game, {knob.key: max(1, knob.usual)}, [one] * 3, [two])
        assert sum(told.now.chances.values()) == 1, knob


def able(troop: Troop) -> bool:
    return any(troop.attacking.values()) and any(troop.defending.values())


def test_what_a_reason_is_worth_is_told_with_its_rule():
    game = get("italy1944")
    values = {"attack": 12, "defence": 5, "mountain": 1, "support_attack": 2}
    found = from_nothing(game, values)
    shifts = {line.text: (line.value, line.rule) for line in found.lines}
    assert shifts["mountain"] == ("-2", "9.1b")
    assert shifts["air and naval support, attacker"] == ("+2", "10.1d")
    without = next(row for row in found.others if row.name == "without mountain")
    assert without == from_nothing(game, values | {"mountain": 0}).now._replace(name=without.name)
    assert {"air and naval support, attacker -1", "columns besides +1"} < {
        row.name for row in found.others
    }


def test_a_battle_of_the_battle_board_has_the_chances_of_its_forecast():
    game = get("underbelly")
    division, guns = Fighter(5, 4, 2), Fighter(6, 6, 1, support=True)
    enemy = Fighter(5, 4, 2, retreats=True)
    expected = forecast(Lineup((division, division, guns), (enemy,), barrage=6))
    found = from_nothing(game, {"attack 5/4": 2, "attack guns 6": 1, "defence 5/4": 1})
    assert list(found.now.chances.values()) == list(summary(expected).values())
    hills = from_nothing(
        game, {"attack 5/4": 2, "attack guns 6": 1, "defence 5/4": 1, "attack mountain": 1}
    )
    assert hills.now.chances["the hex is taken"] < found.now.chances["the hex is taken"]


def test_units_of_a_match_have_the_chances_of_their_preview():
    match, hex = attack_of_two()
    target, before = CROSSING.board.code(hex), match.digest
    whole = from_match(match, target, [])
    fork = match.fork()
    preview = fork.preview(Option("attack", hex=hex))
    assert preview is not None
    assert dict(whole.now.chances) == {c.result: c.probability for c in preview.chances}
    without = [row.name for row in whole.others if row.name.startswith("without ")]
    names = [name.removeprefix("without ") for name in without]
    assert [f"columns {by:+d}" for by in AROUND] == [row.name for row in whole.others[-6:]]
    assert hex in targets(match)
    fewer = from_match(match, target, names[:1])
    assert f"with {names[1]} too" in [row.name for row in fewer.others]
    assert match.digest == before


@pytest.mark.parametrize(
    ("values", "attackers", "sentence"),
    [
        ({"attack": 0}, [], "needs some strength"),
        ({"attack": -1}, [], "-1 is not between 0 and 500"),
        ({"mud": 1}, [], "nothing called 'mud'"),
        ({}, ["X"], "no unit called 'X'"),
    ],
)
def test_what_is_no_attack_is_refused(values: dict[str, int], attackers: list[str], sentence: str):
    with pytest.raises(GameError, match=sentence):
        from_nothing(CROSSING, values, attackers)


def test_who_is_not_near_cannot_join():
    match, hex = attack_of_two()
    with pytest.raises(GameError, match="cannot join the attack"):
        from_match(match, CROSSING.board.code(hex), [CROSSING.units[-1]])
    with pytest.raises(GameError, match="cannot be attacked now"):
        from_match(Match(CROSSING, seed=1), CROSSING.board.code(hex), [])


def test_the_command_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["odds", "crossing", "--attack", "6", "--defence", "2"]) == 0
    assert "3-1" in capsys.readouterr().out
    match, hex = attack_of_two()
    save = tmp_path / "match.save"
    match.save(save)
    code = CROSSING.board.code(hex)
    assert main(["odds", "crossing", "--save", str(save), "--target", code, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sum(map(Fraction, told["now"]["chances"].values())) == 1
    assert main(["odds", "crossing"]) == 2
