"""The story: passages and chapters, cut where an opening order is asked for, told to a side."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from apennine.kernel.charts import Chart
from apennine.kernel.decision import Event, Line, Option, Procedure, Roll
from apennine.kernel.game import EVERYBODY, REFEREE, Game, Outcome, Preview, Scenario, Standing
from apennine.kernel.ledger import Ledger, Row
from apennine.kernel.log import Rolled
from apennine.kernel.match import Match
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Name, Order, Plain, ask
from apennine.kernel.position import Position
from apennine.kernel.save import dump, dump_seen, entries_of, open_record, parse
from apennine.kernel.scene import LOST, Loss, Move, Scene
from apennine.kernel.story import KEPT, Teller, falls, steps
from apennine.kernel.view import seen_log
from apennine.kernel.words import describe_entry
from tests.kernel.playing import play, start, take
from tests.kernel.toy import LineBoard

RED, BLUE = 0, 1
AWAY = -2


class Town:
    name = "Ford"


class Board(LineBoard):
    def places_at(self, location: int) -> tuple[Any, ...]:
        return (Town(),) if location == 5 else ()


@dataclass(slots=True, eq=False, kw_only=True)
class Field(Position):
    hex: list[int]
    steps: list[int]
    mover: int = -1
    covered: int = 0
    """Units that Blue cannot see."""
    plans: int = 0
    held: int = 0


class MoveOut(Order["Raid", Field]):
    verb, names, opens = "move", (UNIT,), True
    when, rule = "Units move in the raid", "1"

    def bars(self, war: Raid, pos: Field) -> Bars:
        yield sum(1 << u for u in (0, 1, 2) if pos.hex[u] >= 0), "{unit} is not there", "1"

    def effect(self, war: Raid, pos: Field, option: Option) -> Procedure:
        pos.mover = option.unit
        while (yield from ask(war, pos, "Where to?", "1", GO, HALT, checkpoint=True)).verb == "go":
            pass


class Go(Order["Raid", Field]):
    verb, names = "go", (HEX,)
    when, rule = "The unit on the move goes", "1"

    def bars(self, war: Raid, pos: Field) -> Bars:
        yield 0b11111111, "{hex} is too far", "1"

    def effect(self, war: Raid, pos: Field, option: Option) -> None:
        pos.hex[pos.mover] = option.hex


class Take(Order["Raid", Field]):
    """Blue is not told which unit it was, nor how far it will go."""

    verb, names, opens = "take", (UNIT, VALUE), True
    when, rule = "Units are taken in the raid", "1"

    def bars(self, war: Raid, pos: Field) -> Bars:
        yield 0b111, "{unit} is Blue", "1"

    def then(self, war: Raid, pos: Field, first: int) -> Bars:
        yield 0b11, "{value} is too far", "1"

    def veil(self, war: Raid, pos: Field, option: Option) -> tuple[Name, ...]:
        return (UNIT, VALUE)

    def effect(self, war: Raid, pos: Field, option: Option) -> Procedure:
        pos.covered |= 1 << option.unit
        pos.hex[option.unit] = 8
        veil = (UNIT, HEX, VALUE)
        yield Event("is taken", option.unit, 8, option.value, "1", veil=veil, owner=RED)


class Bring(Order["Raid", Field]):
    verb, names, opens, link = "bring", (UNIT, HEX), True, "to"
    when, rule = "Units come in the raid", "1"

    def bars(self, war: Raid, pos: Field) -> Bars:
        yield 1 << 2 if pos.hex[2] < 0 else 0, "{unit} is here", "1"

    def then(self, war: Raid, pos: Field, first: int) -> Bars:
        yield 0b100001, "{hex} is no gate", "1"

    def effect(self, war: Raid, pos: Field, option: Option) -> None:
        pos.hex[option.unit] = option.hex


class Attack(Order["Raid", Field]):
    verb, names, opens = "attack", (HEX,), True
    when, rule = "Units attack in the raid", "2"

    def bars(self, war: Raid, pos: Field) -> Bars:
        yield 1 << pos.hex[3] if pos.hex[3] >= 0 else 0, "Nobody is in {hex}", "2"

    def effect(self, war: Raid, pos: Field, option: Option) -> Procedure:
        (die,) = yield Roll((6,), "combat", "2", "2:1", (Line("hill", "-1", "2"),))
        if die == 1:
            yield Event("loses a step", 0, pos.hex[0], rule="2")
            pos.steps[0] -= 1
        elif die == 6:
            yield Event("is eliminated", 3, pos.hex[3], rule="2")
            pos.hex[3], pos.steps[3] = LOST, 0
            pos.held |= 1 << option.hex
        else:
            yield Event("holds", hex=option.hex, rule="2")


class Scheme(Order["Raid", Field]):
    verb, names, opens = "scheme", (VALUE,), True
    when, rule = "Red schemes in secret", "3"

    def bars(self, war: Raid, pos: Field) -> Bars:
        yield 0b1110 if pos.plans < 2 else 0, "There are two schemes", "3"

    def effect(self, war: Raid, pos: Field, option: Option) -> None:
        pos.plans += 1


GO, HALT = Go(), Plain("halt", "The unit on the move halts", "1")
END = Plain("end", "The raid ends", "1")
ENOUGH = Plain("enough", "Red has schemed enough", "3")
STAY = Plain("stay", "Blue stays", "1")


class Raid(Game[Field]):
    """Red raids, Blue stays, Red schemes: as small as a story can be."""

    key, title, summary = "raid", "Raid", "Three against one."
    sides = ("Red", "Blue")
    position_type = Field
    units = ("Red 1", "Red 2", "Red 3", "Blue 1")
    scenarios = (Scenario("raid", "Raid", "Three against one.", 9),)
    orders = (MoveOut, Go, Take, Bring, Attack, Scheme, HALT, END, ENOUGH, STAY)
    data_digest = "0" * 32
    ledger = Ledger("raid", [Row(id, "core", "-", "A rule.", "-", "-") for id in "123"])

    def __init__(self) -> None:
        self.board: Any = Board()

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Field:
        return Field(phase="scheme", hex=[2, 3, AWAY, 7], steps=[2, 2, 2, 1])

    def phase(self, pos: Field) -> Procedure:
        return getattr(self, pos.phase)(pos)

    def scheme(self, pos: Field) -> Procedure:
        schemes = (SCHEME, ENOUGH)
        while (
            yield from ask(self, pos, "Scheme", "3", *schemes, checkpoint=True, secret=True)
        ).verb == "scheme":
            pass
        pos.phase = "raid"

    def raid(self, pos: Field) -> Procedure:
        orders = (MOVE, TAKE, BRING, ATTACK, END)
        while (yield from ask(self, pos, "Raid", "1", *orders, checkpoint=True)).verb != "end":
            pass
        pos.phase, pos.side = "stay", BLUE

    def stay(self, pos: Field) -> Procedure:
        yield from ask(self, pos, "Stay", "1", STAY, checkpoint=True)
        pos.phase, pos.side, pos.turn, pos.plans = "scheme", RED, pos.turn + 1, 0
        yield Event("turn", value=pos.turn, rule="1")

    def outcome(self, pos: Field) -> Outcome | None:
        return Outcome(RED, "Time is up.") if pos.turn > 9 else None

    def unseen(self, pos: Field, side: int) -> int:
        return 0 if side == RED else pos.covered

    def control(self, pos: Field, side: int) -> int:
        return pos.held if side == RED else 0xFFF & ~pos.held

    def view(self, pos: Field, side: int) -> dict[str, Any]:
        unseen = self.unseen(pos, side)
        return {
            "turn": pos.turn,
            "units": [
                {"name": name, "side": name.split()[0], "hex": pos.hex[unit]}
                for unit, name in enumerate(self.units)
                if not unseen >> unit & 1
            ],
        }


MOVE, TAKE, BRING, ATTACK, SCHEME = MoveOut(), Take(), Bring(), Attack(), Scheme()


def raid(*texts: str, schemes: tuple[str, ...] = ("enough",), dice: tuple[int, ...] = ()) -> Any:
    match = Match(Raid(), seed=7)
    if dice:
        match.force(*dice)
    return take(match, *schemes, *texts)


def told(match: Match[Any], side: int = RED) -> list[str]:
    return [passage.text for passage in Teller(match, side).passages]


def test_a_move_is_one_passage_from_where_it_began_to_where_it_ended():
    match = raid("move/Red 1", "go@H04", "go@H05", "halt", "move/Red 2", "go@H06")
    teller = Teller(match, RED)
    assert [passage.text for passage in teller.passages[-2:]] == [
        "Red 1: H02 to Ford (H05)",
        "Red 2: H03 to H06",
    ]
    assert teller.passages[-2].moves == (Move(0, (2, 4, 5)),)
    assert teller.passages[-2].places == (2, 5)


def test_a_move_goes_by_the_hexes_that_its_preview_names(monkeypatch: pytest.MonkeyPatch):
    def preview(game: Raid, pos: Field, option: Option) -> Preview | None:
        way = range(pos.hex[pos.mover], option.hex + 1) if option.verb == "go" else ()
        return Preview(path=tuple(way))

    monkeypatch.setattr(Raid, "preview", preview)
    orders = ("move/Red 1", "go@H04", "go@H06", "halt")
    for side in (RED, BLUE, EVERYBODY):
        assert Teller(raid(*orders), side).passages[-1].moves == (Move(0, (2, 3, 4, 5, 6)),)
    # A unit that Blue cannot see may have stood in the way: then the way would tell of it.
    match = raid("take/Red 2=1", *orders)
    assert Teller(match, RED).passages[-1].moves == (Move(0, (2, 3, 4, 5, 6)),)
    assert Teller(match, BLUE).passages[-1].moves == (Move(0, (2, 4, 6)),)


def test_a_battle_is_told_from_a_move_and_what_changed_hands_is_told():
    teller = Teller(raid("move/Red 1", "go@H04", "halt", "attack@H07", dice=(6,)), BLUE)
    moved, fought = teller.passages[-2:]
    assert (moved.battle, fought.battle) == (False, True)
    assert (moved.taken, fought.taken) == ((), ((7, RED),))


def test_a_chapter_keeps_what_each_side_had_of_what_wins(monkeypatch: pytest.MonkeyPatch):
    def standing(game: Raid, pos: Field, side: int) -> Standing:
        return Standing("So.", points=(pos.held.bit_count(), 3), goals=(1, 1))

    monkeypatch.setattr(Raid, "standing", standing)
    chapters = Teller(raid("end", "enough", "attack@H07", dice=(6,)), RED).chapters
    assert [chapter.points for chapter in chapters] == [(0, 3), (0, 3), (1, 3)]


def test_a_chapter_keeps_the_chances_to_win_that_its_reader_may_know(
    monkeypatch: pytest.MonkeyPatch,
):
    def outlook(game: Raid, pos: Field, side: int) -> float | None:
        return 0.25 + 0.5 * pos.held.bit_count() if side == RED else 0.5

    match = raid("end", "enough", "attack@H07", dice=(6,))
    assert Teller(match, REFEREE).chapters[-1].chances == ()
    monkeypatch.setattr(Raid, "outlook", outlook)
    own = [chapter.chances for chapter in Teller(match, RED).chapters]
    assert own == [((RED, 0.25),), ((RED, 0.25),), ((RED, 0.75),)]
    assert Teller(match, REFEREE).chapters[-1].chances == ((RED, 0.75), (BLUE, 0.5))
    assert Teller(match, EVERYBODY).chapters[-1].chances == ()


def test_the_rolls_of_battles_are_measured_by_what_could_be_expected(
    monkeypatch: pytest.MonkeyPatch,
):
    rows = [("1", "2/0"), ("2", "1/0"), ("3", "1/1"), ("4", "1/1"), ("5", "0/1"), ("6", "0/2")]
    chart = Chart("combat", "Combat", "", False, ("", "2:1"), tuple(rows))
    monkeypatch.setattr(Raid, "charts", [chart], raising=False)
    match = raid("attack@H07", "attack@H07", dice=(3, 6))
    found = falls(Teller(match, BLUE), match)
    assert [(one.side, one.fall.result) for one in found] == [(RED, "1/1"), (RED, "0/2")]
    assert [one.fall.luck for one in found] == [0, 2]
    seen = list(seen_log(match, BLUE))
    assert [seen[one.number].faces for one in found] == [(3,), (6,)]


def test_a_unit_that_comes_is_told_by_its_order_and_one_that_moves_is_not():
    assert told(raid("bring/Red 3@H05"))[-1] == "Bring Red 3 to Ford (H05)"


def test_an_attack_is_told_with_its_column_its_die_and_its_losses():
    match = raid("attack@H07", dice=(6,))
    teller = Teller(match, BLUE)
    assert teller.passages[-1].text == "Attack H07, 2:1: die 6; Blue 1 eliminated"
    assert teller.passages[-1].losses == (Loss(3, 1, 7, True),)
    assert told(raid("attack@H07", dice=(1,)))[-1] == "Attack H07, 2:1: die 1; Red 1 loses a step"
    assert told(raid("attack@H07", dice=(3,)))[-1] == "Attack H07, 2:1: die 3; holds at H07"


def test_a_passage_unfolds_into_its_steps_with_shifts_and_rules():
    match = raid("attack@H07", dice=(3,))
    passage = Teller(match, RED).passages[-1]
    assert steps(match.game, match.log[passage.start : passage.end]) == [
        "Red: attack H07 [1]",
        "rolled 3 by hand for combat [2]",
        "  hill -1 [2]",
        "holds at H07 [2]",
    ]


def test_a_chapter_has_the_hexes_gained_the_steps_lost_and_the_moves():
    match = raid(
        "move/Red 1", "go@H04", "halt", "attack@H07", "move/Red 1", "go@H06", "halt", "end",
        dice=(6,),
    )  # fmt: skip
    teller = Teller(match, RED)
    first = teller.chapters[0]
    assert (first.turn, first.side) == (1, RED)
    assert first.gained(RED) == 1 << 7
    assert first.lost == (0, 1)
    assert teller.moves(first) == [Move(0, (2, 4, 6))]
    assert teller.summary(first) == "hexes gained: Red 1; steps lost: Blue 1"


def test_what_nobody_chose_belongs_to_the_chapter_that_follows():
    match = raid("end", "enough", "end")
    teller = Teller(match, RED)
    assert [(chapter.turn, chapter.side) for chapter in teller.chapters[:3]] == [
        (1, RED),
        (1, BLUE),
        (2, RED),
    ]


def test_passages_cover_the_seen_log_without_a_gap():
    match = raid("take/Red 1=1", "move/Red 2", "go@H04", schemes=("scheme=2", "scheme=1"))
    for side in (RED, BLUE, EVERYBODY):
        passages = Teller(match, side).passages
        ends = [0, *(passage.end for passage in passages)]
        starts = [passage.start for passage in passages]
        assert ends == [*starts, len(list(seen_log(match, side)))]


def test_secrets_of_another_side_are_one_quiet_passage_however_many_they_were():
    one = raid("move/Red 1", "go@H04")
    three = raid("move/Red 1", "go@H04", schemes=("scheme=2", "scheme=1"))
    assert told(three)[:3] == ["Scheme (2)", "Scheme (1)", "Enough"]
    for side in (BLUE, EVERYBODY):
        assert told(one, side) == told(three, side) == ["Chooses in secret", "Red 1: H02 to H04"]
        assert Teller(one, side).passages == Teller(three, side).passages


def test_a_side_is_not_told_where_a_unit_goes_that_it_cannot_see():
    match = raid("take/Red 1=1")
    assert told(match)[-1] == "Red 1: H02 to H08"
    assert told(match, BLUE)[-1] == "Take ? (?); ? is taken at ? (?)"
    assert Teller(match, BLUE).passages[-1].moves == ()


def test_what_is_veiled_stays_so_in_every_log_and_the_owner_reads_it():
    match = raid("take/Red 1=1")
    chosen, event = match.log[-2:]
    assert chosen.veil == (UNIT, VALUE)
    assert describe_entry(match.game, chosen) == "Red: take Red 1 (1) [1]"
    assert describe_entry(match.game, event) == "Red 1 is taken at H08 (1) [1]"
    for side in (BLUE, EVERYBODY):
        (*_, order, news) = seen_log(match, side)
        assert describe_entry(match.game, order) == "Red: take ? (?) [1]"
        assert describe_entry(match.game, news) == "? is taken at ? (?) [1]"
    assert list(seen_log(match, RED))[-2:] == [chosen, event]


def test_a_veil_and_the_column_of_a_roll_come_back_from_a_save():
    match = raid("take/Red 1=1", "attack@H07", dice=(3,))
    opened = open_record(parse(dump(match)), match.game)
    assert list(opened.log) == list(match.log)
    account = parse(dump_seen(match, BLUE))
    assert "Red 1" not in dump_seen(match, BLUE)
    assert entries_of(account, match.game) == list(seen_log(match, BLUE))


def test_a_save_from_before_columns_and_veils_opens():
    match = raid("attack@H07", dice=(3,))
    record = parse(dump(match))
    for line in record.entries:
        line.pop("column", None)
        line.pop("lines", None)
    rolled = next(e for e in entries_of(record, match.game) if type(e) is Rolled)
    assert (rolled.column, rolled.lines) == ("", ())
    assert told(open_record(record, match.game))[-1].startswith("Attack H07, combat: die 3")


@pytest.mark.parametrize("side", [RED, BLUE, EVERYBODY, REFEREE])
def test_told_order_by_order_it_reads_as_told_at_once(side: int):
    match = Match(Raid(), seed=3)
    teller = Teller(match, side)
    for seed in range(120):
        play(match, 1, seed)
        teller.read(match)
    again = Teller(match, side)
    assert teller.passages == again.passages
    assert teller.chapters == again.chapters
    assert teller.position == match.position


@pytest.mark.parametrize("side", [RED, BLUE, EVERYBODY, REFEREE])
def test_another_process_goes_on_with_a_story_where_this_one_stopped(side: int):
    match = Match(Raid(), seed=3)
    teller = Teller(match, side)
    for seed in range(80):
        play(match, 1, seed)
        teller.read(match)
        told = pickle.loads(pickle.dumps(teller.told()))
        again = Teller.resume(match, told)
        assert again.passages == teller.passages
        assert again.chapters == teller.chapters
    match.roll_back(len(match.log) - 5)
    again.cut(len(match.log))
    again.read(match)
    assert again.passages == Teller(match, side).passages


@pytest.mark.parametrize("back", [1, 5, 3 * KEPT])
def test_after_orders_are_taken_back_it_goes_on_with_the_others(back: int):
    match = Match(Raid(), seed=3)
    teller = Teller(match, BLUE)
    for seed in range(100):
        play(match, 1, seed)
        teller.read(match)
    match.roll_back(len(match.log) - back)
    teller.cut(len(match.log))
    teller.read(match)
    assert teller.passages == Teller(match, BLUE).passages
    play(match, 10, 5)
    teller.read(match)
    assert teller.passages == Teller(match, BLUE).passages
    assert teller.chapters == Teller(match, BLUE).chapters


def test_the_beginnings_that_are_kept_do_not_grow_with_the_match():
    match = start("endless")
    teller = Teller(play(match, 600), RED)
    assert len(teller.passages) > 100
    assert len(teller._marks) < 2 * KEPT + len(teller.passages) // KEPT


def test_a_match_whose_rules_have_changed_is_told_on_from_the_next_checkpoint():
    match = play(start("endless"), 120)
    match.game.go = None  # as rules would have it that know of no such thing any more
    teller = Teller(match, RED)
    assert teller.passages[-1].end == len(list(seen_log(match, RED)))


def test_questions_that_are_not_asked_by_orders_are_cut_at_the_menu_of_their_phase():
    match = take(start(), "plan=3", "go/Red 1@H03", "go/Red 2@H05")
    texts = [passage.text for passage in Teller(match, BLUE).passages]
    assert texts[-3:] == ["Red 1: H02 to H03", "Red 2: H04 to H05", "End"]  # of itself


def test_a_game_may_tell_a_verb_in_its_own_words():
    def tale(game: Raid, scene: Scene) -> str:
        die = scene.rolls[0].faces[0]
        return "" if die == 3 else f"the raid on {game.board.code(scene.lead.option.hex)} ({die})"

    for die, text in ((5, "The raid on H07 (5)"), (3, "Attack H07, 2:1: die 3; holds at H07")):
        match = raid("attack@H07", dice=(die,))
        match.game.tales = {"attack": tale}
        assert told(match)[-1] == text


def test_a_game_that_does_not_say_who_is_ahead_stands_nowhere():
    match = raid()
    assert match.game.standing(match.position, RED) == Standing()
    assert Standing("One more.", (2, 1), (3, 1)).missing == (1, 0)


class PeacefulRaid(Raid):
    """The rules after a correction: nobody attacks any more."""

    def raid(self, pos: Field) -> Procedure:
        orders = (MOVE, TAKE, BRING, END)
        while (yield from ask(self, pos, "Raid", "1", *orders, checkpoint=True)).verb != "end":
            pass
        pos.phase, pos.side = "stay", BLUE


def test_what_corrected_rules_do_not_take_is_one_passage_that_says_so():
    moves = "move/Red 2", "go@H06", "halt"
    match = raid("move/Red 1", "go@H04", "halt", "attack@H07", *moves, dice=(6,))
    match.game = PeacefulRaid()
    teller = Teller(match, RED)
    before, gap = teller.passages[-2:]
    assert before.text == "Red 1: H02 to H04"
    assert gap.text == (
        "The rules have changed and do not take these answers any more, so they are told as one: "
        "Blue 1 eliminated; Red 2: H03 to H06"
    )
    assert (gap.start, gap.end) == (before.end, len(match.log))
    assert teller.position == match.position
    teller.read(take(match, "move/Red 1", "go@H05", "halt"))
    assert teller.passages[-1].text == "Red 1: H04 to Ford (H05)"


def test_if_no_checkpoint_follows_the_rest_is_told_as_one_and_the_present_is_right():
    match = raid("attack@H07", dice=(6,))
    match.choose(Option("move", 1))
    match.game = PeacefulRaid()
    teller = Teller(match, BLUE)
    assert teller.passages[-1].text.startswith("The rules have changed")
    assert teller.passages[-1].end == len(list(seen_log(match, BLUE)))
