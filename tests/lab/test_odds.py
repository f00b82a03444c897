"""The odds explorer: exact chances, as the preview of the game has them."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from apennine.cli import main
from apennine.games import get
from apennine.kernel.decision import Option
from apennine.kernel.game import GameError
from apennine.kernel.match import Match
from apennine.lab.odds import from_match, from_strengths

CROSSING = get("crossing")


def attack_of_two() -> tuple[Match, int]:
    """A match in which a hex can be attacked by several units."""
    for seed in range(60):
        match = Match(CROSSING, seed=seed)
        for _ in range(400):
            if match.decision is None:
                break
            for option in match.decision.options:
                if option.verb == "attack":
                    fork = match.fork()
                    fork.choose(option)
                    offered = fork.decision.options if fork.decision else ()
                    if sum(each.verb == "attack with" for each in offered) > 1:
                        return match, option.hex
            options = match.decision.options
            match.choose(options[seed * 7919 % len(options)])
    raise AssertionError("no attack of two came up")


def test_two_strengths_are_read_on_the_combat_table():
    found = from_strengths(CROSSING, "7", "3", -1)
    chart, ladder = CROSSING.war.combat, CROSSING.war.ladder
    column = ladder.clamp(ladder.column(7, 3) - 1)
    expected = {str(cell): chance for cell, chance in chart.chances(column, (6,)).items()}
    assert dict(found.now.chances) == expected
    assert found.now.column == ladder.label(column)
    assert len(found.others) == 6
    for row in (found.now, *found.others):
        assert sum(row.chances.values()) == 1


def test_units_of_a_match_have_the_chances_of_their_preview():
    match, hex = attack_of_two()
    target, before = CROSSING.board.code(hex), match.digest
    whole = from_match(match, target, [])
    fork = match.fork()
    preview = fork.preview(Option("attack", hex=hex))
    assert preview is not None
    assert dict(whole.now.chances) == {c.result: c.probability for c in preview.chances}
    names = [row.name.removeprefix("without ") for row in whole.others]
    fewer = from_match(match, target, names[:1])
    assert f"with {names[1]} too" in [row.name for row in fewer.others]
    assert match.digest == before


@pytest.mark.parametrize(
    ("attack", "defence", "sentence"),
    [
        (None, "3", "Give two strengths"),
        ("x", "3", "'x' is no strength"),
        ("-1", "3", "less than nothing"),
        ("0", "3", "needs some strength"),
    ],
)
def test_what_is_no_attack_is_refused(attack: str | None, defence: str, sentence: str):
    with pytest.raises(GameError, match=sentence):
        from_strengths(CROSSING, attack, defence)


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
