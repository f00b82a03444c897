from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apennine
from apennine.kernel.decision import Choice, Event, Option, Roll
from apennine.kernel.game import Outcome
from apennine.kernel.log import Chosen, Rolled
from apennine.kernel.match import Match
from apennine.kernel.save import SaveError, dump, ending_of, open_record, parse, read, replay
from tests.kernel.playing import play, present, start, take
from tests.kernel.toy import Lanes, Toy

SEEDS = st.integers(0, 10**6)
RESIGNED = {"by": "resignation", "side": "Red"}


def reopened(match: Match[Any], game: Toy | None = None) -> Match[Any]:
    return open_record(parse(dump(match)), game or match.game)


def lines(match: Match[Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in dump(match).splitlines()]


def forged(match: Match[Any], change: Callable[[list[dict[str, Any]]], None]) -> str:
    """A save changed by somebody who knows how to make the chain whole again."""
    bodies = lines(match)
    change(bodies)
    chain, text = "", ""
    for body in bodies:
        del body["chain"]
        written = json.dumps(body, ensure_ascii=False)
        chain = blake2b((chain + written).encode(), digest_size=12).hexdigest()
        text += json.dumps(body | {"chain": chain}, ensure_ascii=False) + "\n"
    return text


# There and back.


@given(st.sampled_from(["short", "endless"]), st.booleans(), SEEDS, st.integers(0, 300))
@settings(max_examples=60)
def test_a_match_comes_back_as_it_was_and_goes_on_as_it_would_have(
    scenario: str, by_hand: bool, seed: int, count: int
):
    match = play(Match(Toy(), scenario, seed=seed, dice_by_hand=by_hand), count, seed)
    again = reopened(match)
    assert present(again) == present(match)
    assert again.notes == ()
    assert (again.seed, again.commitment) == (match.seed, match.commitment)
    assert present(play(again, 30, seed)) == present(play(match, 30, seed))


@pytest.mark.parametrize(
    ("count", "where"), [(7, "at a checkpoint"), (-1, "in the middle"), (10**6, "at the end")]
)
def test_a_save_opens_wherever_the_match_stands(count: int, where: str, tmp_path: Path):
    match = take(start(), "plan=1", "go/Red 2@H06") if count < 0 else play(start(), count)
    decision = match.decision
    standing = "at the end" if decision is None else "at a checkpoint"
    if isinstance(decision, Choice) and not decision.checkpoint:
        standing = "in the middle"
    assert standing == where
    match.save(tmp_path / "a.jsonl")
    again = open_record(read(tmp_path / "a.jsonl"), Toy())
    assert present(again) == present(match)
    assert again.outcome == match.outcome


def test_an_opened_match_can_be_undone_to_its_beginning():
    match = play(start("endless"), 200)
    again = reopened(match)
    while len(match.log) > 2:
        match.undo()
        again.undo()
        assert again.digest == match.digest
    assert present(again) == present(match)


def test_opening_starts_at_the_snapshot_and_plays_only_what_came_after():
    match = play(start("endless"), 400)
    toy = Toy()
    again = open_record(parse(dump(match)), toy)
    assert present(again) == present(match)
    assert toy.menus_built <= 2


def test_a_save_of_a_match_with_dice_by_hand_asks_for_the_same_dice():
    match = Match(Toy(), dice_by_hand=True)
    assert reopened(match).decision == Roll((6,), "weather", "1.1")
    match.roll(2)
    assert present(reopened(match)) == present(match)


def test_a_match_that_began_with_a_position_of_ones_own_begins_with_it_again():
    pos = Lanes(phase="move", hex=[5, 0, 7, 9], plan=[1, 1], points=[0, 0], shots=[])
    match = take(Match(Toy(), position=pos, seed=7), "go/Red 1@H06", "hold", "stop/Red 1", "end")
    again = reopened(match)
    for _ in range(4):
        again.undo()
    assert again.position == pos
    assert replay(parse(dump(match)), Toy()).divergence is None
    untouched = Match(Toy(), position=pos, seed=7)
    assert present(reopened(untouched)) == present(untouched)
    # The scenario's own position is not written out.
    assert "start" in lines(match)[0]
    assert "start" not in lines(start())[0]


def test_a_save_is_text_that_a_person_can_read():
    match = take(start(), "plan=2", "go/Red 2@H06")
    match.force(6, 6)
    header, *entries, footer = lines(take(match, "snipe/Blue 1@H06"))
    for entry in entries:
        del entry["chain"]
    assert header["apennine"] == apennine.__version__
    assert (header["game"], header["scenario"], header["options"]) == (
        "toy",
        "short",
        {"keen": False},
    )
    assert (header["data"], header["dice"]) == ("0" * 32, "seed")
    assert bytes.fromhex(header["seed"]) == match.seed
    assert entries[0] == {"event": "turn begins", "value": 1, "rule": "1.1"}
    assert entries[2:] == [
        {"side": "Red", "verb": "plan", "value": 2, "rule": "2.1", "secret": True},
        {
            "side": "Blue",
            "verb": "plan",
            "value": 1,
            "rule": "2.2",
            "secret": True,
            "automatic": True,
        },
        {"side": "Red", "verb": "go", "unit": "Red 2", "hex": "H06", "rule": "3.1"},
        {"side": "Blue", "verb": "snipe", "unit": "Blue 1", "hex": "H06", "rule": "3.3"},
        {
            "roll": [6, 6],
            "sides": [6, 6],
            "for": "sniping",
            "rule": "3.4",
            "nth": 1,
            "given": True,
        },
        {"event": "driven off", "unit": "Red 2", "hex": "H06", "value": 12, "rule": "3.4"},
        {
            "side": "Blue",
            "verb": "note",
            "unit": "Red 2",
            "rule": "3.4",
            "automatic": True,
        },
    ]
    assert footer["at"] == len(entries)
    assert footer["snapshot"]["hex"] == [2, 12, 7, 9]


def test_names_may_hold_any_character():
    odd = ("Red\u2028one", "Röd 2", 'Blue "1"', "Blue\x85\t2")
    toy = Toy(units=odd)
    match = play(Match(toy, "endless", seed=1), 60)
    assert present(reopened(match)) == present(match)


# Every changed line is named.

SAVED = dump(play(start(), 12)).splitlines()


def refusal(changed: list[str]) -> str:
    with pytest.raises(SaveError) as error:
        parse("\n".join(changed) + "\n", "x.jsonl")
    return str(error.value)


def characters(number: int) -> list[int]:
    """Some places in a line where a character is worth changing: not white space."""
    line = SAVED[number]
    places = [k for k, character in enumerate(line) if character not in ' "{}[]:,']
    return places[:: max(1, len(places) // 12)]


@pytest.mark.parametrize("number", range(len(SAVED)))
def test_a_changed_character_is_found_in_its_line(number: int):
    for place in characters(number):
        line = SAVED[number]
        other = "7" if line[place] != "7" else "8"
        changed = [*SAVED]
        changed[number] = line[:place] + other + line[place + 1 :]
        assert refusal(changed).startswith(f"x.jsonl, line {number + 1}: ")


@pytest.mark.parametrize("number", range(len(SAVED) - 1))
def test_a_missing_line_is_found_where_the_next_one_stands(number: int):
    changed = SAVED[:number] + SAVED[number + 1 :]
    assert refusal(changed) == (
        f"x.jsonl, line {number + 1}: the line was changed after it was saved."
    )


@pytest.mark.parametrize("number", range(len(SAVED) - 1))
def test_two_lines_that_changed_places_are_found(number: int):
    changed = [*SAVED]
    changed[number : number + 2] = SAVED[number + 1], SAVED[number]
    assert refusal(changed).startswith(f"x.jsonl, line {number + 1}: ")


@pytest.mark.parametrize("number", range(len(SAVED)))
def test_a_line_that_is_there_twice_is_found(number: int):
    changed = [*SAVED[: number + 1], *SAVED[number:]]
    assert refusal(changed).startswith(f"x.jsonl, line {number + 2}: ")


@pytest.mark.parametrize("length", range(1, len(SAVED)))
def test_a_save_that_was_cut_off_says_after_which_line(length: int):
    assert refusal(SAVED[:length]) == (
        f"x.jsonl was cut off after line {length}: it has no snapshot line."
    )


def test_a_save_that_was_cut_off_within_a_line_says_in_which():
    text = "\n".join(SAVED)
    for cut in range(len(text) - 1, 0, -97):
        with pytest.raises(SaveError, match=r"line \d+"):
            parse(text[:cut])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "x.jsonl is empty."),
        ("hello\n", "x.jsonl, line 1: this is not a JSON object."),
        ("[1]\n", "x.jsonl, line 1: this is not a line of a save."),
        ('{"a": 1}\n', "x.jsonl, line 1: this is not a line of a save."),
    ],
)
def test_what_is_not_a_save_is_refused_in_a_sentence(text: str, sentence: str):
    with pytest.raises(SaveError) as error:
        parse(text, "x.jsonl")
    assert str(error.value) == sentence


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path):
    with pytest.raises(SaveError, match=r"none\.jsonl cannot be read: No such file"):
        read(tmp_path / "none.jsonl")
    (tmp_path / "picture.jsonl").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(SaveError, match="it is not text"):
        read(tmp_path / "picture.jsonl")


def set_header(**values: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda bodies: bodies[0].update(values)


def test_a_save_of_a_newer_format_says_which_version_made_it():
    text = forged(start(), set_header(format=2, apennine="9.0"))
    with pytest.raises(SaveError, match=r"save format 2, from version 9\.0; .* reads format 1"):
        parse(text)


def test_a_header_or_a_footer_of_another_shape_is_refused_by_line():
    with pytest.raises(SaveError, match=r"line 1: .*`moon`"):
        parse(forged(start(), set_header(moon=1)))
    with pytest.raises(SaveError, match=r"line 4: .*\$\.at"):
        parse(forged(start(), lambda bodies: bodies[-1].update(at="x")))
    with pytest.raises(SaveError, match="line 4: the snapshot is later than the log"):
        parse(forged(start(), lambda bodies: bodies[-1].update(at=9)))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"unit": "Green 1"}, "line 6: Lanes has no unit called 'Green 1'."),
        ({"hex": "Z99"}, "line 6: 'Z99' is neither a hex nor a box of Lanes."),
        ({"side": "Green"}, "line 6: Lanes has no side called 'Green'; it has Red, Blue."),
    ],
)
def test_an_entry_about_things_that_are_not_there_is_refused_by_line(
    change: dict[str, str], sentence: str
):
    match = take(start(), "plan=1", "go/Red 1@H03")
    record = parse(forged(match, lambda bodies: bodies[5].update(change)))
    with pytest.raises(SaveError) as error:
        open_record(record, Toy())
    assert str(error.value).endswith(sentence)


def test_an_entry_without_a_rule_is_refused_by_line():
    record = parse(forged(start(), lambda bodies: bodies[1].pop("rule") and None))
    with pytest.raises(SaveError, match="line 2: 'rule' is missing"):
        open_record(record, Toy())


# Corrected rules and data.


def in_the_middle() -> Match[Any]:
    return take(start(), "plan=1", "go/Red 2@H06")


def test_if_corrected_rules_no_longer_allow_the_last_inputs_the_last_checkpoint_opens():
    match = in_the_middle()
    again = reopened(match, Toy(reach=1))
    assert again.notes == (
        "the save opens at its last checkpoint: The rules no longer offer 'go' (3.1).",
    )
    assert again.position == match.checkpoint.position
    assert list(again.log) == match.log[: match.checkpoint.at]
    take(again, "go/Red 2@H05")
    again.undo()
    again.undo()
    assert again.decision.rule == "2.1"


def test_if_corrected_rules_leave_no_choice_at_the_last_checkpoint_the_match_goes_on_from_it():
    match = in_the_middle()
    again = reopened(match, Toy(reach=0))
    assert len(again.notes) == 1
    ends = [entry for entry in again.log if type(entry) is Chosen and entry.option.verb == "end"]
    assert [entry.automatic for entry in ends] == [True, True]
    assert again.log[: match.checkpoint.at] == match.log[: match.checkpoint.at]
    assert (again.position.turn, again.decision.rule) == (2, "2.1")


class Dicey(Toy):
    """Where a runner met an enemy there was a question; now there is a die."""

    def shot(self, pos: Lanes, unit: int) -> Any:
        faces = yield Roll((6,), "hiding", "3.3")
        return faces[0] > 3


class Harmless(Toy):
    """The question is the same, but a shot never hits and needs no die."""

    def shot(self, pos: Lanes, unit: int) -> Any:
        if pos.hex[unit] == 6:
            menu = [Option("snipe", 2, 6), Option("hold")]
            yield Choice(1 - pos.side, menu, "Snipe at the runner?", "3.3")
            going = [Option("go on", unit), Option("stop", unit)]
            return (yield Choice(pos.side, going, "Go on or stop?", "3.5")).verb == "go on"
        return True


class Brief(Toy):
    """The game is over as soon as a runner has moved."""

    def outcome(self, pos: Lanes) -> Any:
        return Outcome(0, "Somebody moved.") if pos.moved else super().outcome(pos)


@pytest.mark.parametrize(
    ("moves", "rules", "sentence"),
    [
        (("hold",), Dicey(), "The rules ask for dice where 'hold' was chosen."),
        ((), Dicey(), "The rules no longer ask for what was answered next."),
        (("hold",), Brief(), "The game is over before the last of the recorded answers."),
    ],
)
def test_whatever_corrected_rules_do_instead_the_last_checkpoint_opens_and_says_why(
    moves: tuple[str, ...], rules: Toy, sentence: str
):
    match = take(in_the_middle(), *moves)
    again = reopened(match, rules)
    assert again.notes == (f"the save opens at its last checkpoint: {sentence}",)
    assert again.position == match.checkpoint.position


def test_dice_that_corrected_rules_no_longer_ask_for_are_noticed():
    match = in_the_middle()
    match.force(1, 1)
    take(match, "snipe/Blue 1@H06")
    assert type(match.log[-1]) is Rolled
    again = reopened(match, Harmless())
    assert again.notes == (
        "the save opens at its last checkpoint: "
        "The rules do not ask for the dice that were rolled.",
    )


def test_corrected_rules_may_tell_of_more_events_and_nothing_is_lost():
    match = take(in_the_middle(), "hold", "stop/Red 2", "go/Red 1@H04")
    match.undo()
    again = reopened(match, Toy(extra_event=True))
    assert again.notes == ()
    assert again.digest == match.digest
    for _ in range(3):
        match.undo()
        again.undo()
        assert again.digest == match.digest
        assert again.decision == match.decision


@dataclass(slots=True, eq=False, kw_only=True)
class WiderLanes(Lanes):
    mud: int = 0


class WiderToy(Toy):
    position_type = WiderLanes

    def setup(self, scenario: str, options: Any) -> WiderLanes:
        return WiderLanes(**Toy.setup(self, scenario, options).state())


def test_a_snapshot_with_other_fields_is_made_again_by_playing_from_the_start():
    match = play(start(), 12)
    again = reopened(match, WiderToy())
    [note] = again.notes
    assert "mud is missing" in note
    assert "played again from the start" in note
    assert list(again.log) == list(match.log)
    assert again.decision == match.decision
    assert again.position.hex == match.position.hex


def test_a_snapshot_with_other_fields_over_other_rules_opens_at_the_last_checkpoint_that_holds():
    again = reopened(take(in_the_middle(), "hold", "stop/Red 2", "end"), WiderToy(reach=1))
    [note] = again.notes
    assert (
        "Entry 5 (line 6): this is no longer allowed: That is not one of the options. (3.1)" in note
    )
    assert again.decision.rule == "3.1"
    assert len(again.log) == 4


def test_a_start_of_ones_own_with_other_fields_cannot_be_made_again_and_says_so():
    pos = Lanes(phase="move", hex=[5, 0, 7, 9], plan=[1, 1], points=[0, 0], shots=[])
    record = parse(dump(Match(Toy(), position=pos)))
    with pytest.raises(SaveError, match=r"the save, line 1: .* mud is missing"):
        open_record(record, WiderToy())


def test_other_data_are_noted():
    match = play(start(), 5)
    again = reopened(match, Toy(data_digest="1" * 32))
    assert again.notes == ("The data of Lanes have changed since the save was saved.",)
    assert present(again) == present(match)


# Replay.


@given(SEEDS, st.integers(0, 200))
@settings(max_examples=30)
def test_a_record_played_again_comes_out_the_same(seed: int, count: int):
    match = play(start("short", seed), count, seed)
    result = replay(parse(dump(match)), Toy())
    assert result.divergence is None
    assert result.checked == len(match.log)
    assert result.match.notes == ()
    assert present(result.match) == present(match)


@pytest.mark.parametrize(
    ("rules", "entry", "sentence"),
    [
        (Toy(reach=1), 5, "this is no longer allowed: That is not one of the options. (3.1)"),
        (Toy(extra_event=True), 6, "the rules now ask for Event where Chosen"),
        (Toy(weather_dice=(8,)), 2, "the rules now roll dice of (8,) sides (1.1)"),
        (Toy(salutes=("salute", "bow")), 12, "there are now 2 options (4.2)"),
        (
            Toy(salutes=("bow",)),
            12,
            "this is no longer allowed: That is not one of the options. (4.2)",
        ),
        (Dicey(), 6, "the rules now ask for Roll where Chosen"),
        (Brief(), 6, "the game is over before this by the present rules"),
    ],
)
def test_a_replay_over_changed_rules_shows_the_first_difference(
    rules: Toy, entry: int, sentence: str
):
    match = take(in_the_middle(), "hold", "stop/Red 2", "end", "end")
    result = replay(parse(dump(match)), rules)
    assert result.divergence is not None
    assert result.divergence.startswith(f"Entry {entry} (line {entry + 1}): {sentence}")
    assert result.checked == entry - 1
    # The match stands at the last checkpoint before it, or where its own rules lead from there.
    assert result.match.log[: entry - 1] == match.log[: len(result.match.log)][: entry - 1]
    play(result.match, 3)


class Swapped(Toy):
    """Blue plans what Red planned, and the events say something else."""

    def blue_plan(self, pos: Lanes) -> Any:
        yield Choice(0, [Option("plan", value=1)], "Plan", "2.2", checkpoint=True, secret=True)
        pos.phase = "move"


class Wordy(Toy):
    def weather(self, pos: Lanes) -> Any:
        yield Event("dawn", rule="1.1")
        yield Roll((6,), "weather", "1.1")
        pos.phase = "red_plan"


class Careless(Toy):
    """The same is asked and told, but something else is done."""

    def red_plan(self, pos: Lanes) -> Any:
        yield from super().red_plan(pos)
        pos.trail |= 1 << 200


class Endless(Toy):
    def outcome(self, pos: Lanes) -> Any:
        return super().outcome(pos) if pos.turn > 5 else None


def test_a_replay_notices_that_the_choice_is_another_sides():
    result = replay(parse(dump(take(start(), "plan=1"))), Swapped())
    assert result.divergence == "Entry 4 (line 5): the choice is now Red's (2.2)."


def test_a_replay_notices_that_something_else_is_told():
    result = replay(parse(dump(start())), Wordy())
    assert result.divergence.startswith("Entry 1 (line 2): the rules now tell of Event(verb='dawn'")


def test_a_replay_notices_a_difference_that_shows_in_the_position_alone():
    result = replay(parse(dump(take(start(), "plan=1"))), Careless())
    assert result.divergence == "The last position is not the one that was saved."


def test_a_replay_notices_that_the_game_is_no_longer_over():
    match = play(start())
    result = replay(parse(dump(match)), Endless())
    assert result.divergence is not None
    assert f"(line {len(match.log) + 2})" in result.divergence


def test_a_replay_notices_that_the_game_would_be_over_now():
    result = replay(parse(dump(in_the_middle())), Brief())
    assert result.divergence.endswith("the outcome was 'open' and is now 'Somebody moved.'.")


def test_a_replay_notices_that_the_last_question_is_no_longer_asked():
    result = replay(parse(dump(in_the_middle())), Dicey())
    assert result.divergence.endswith("the rules now go on without asking (3.3).")


def test_a_replay_tells_dice_that_are_not_those_of_the_seed():
    text = forged(start(), lambda bodies: bodies[2].update(roll=[bodies[2]["roll"][0] % 6 + 1]))
    result = replay(parse(text), Toy())
    assert result.divergence == "Entry 2 (line 3): the dice (5,) are not those of the seed, (4,)."


def test_a_fork_with_new_dice_is_held_to_them_from_the_fork_on():
    fork = play(play(start("endless"), 40).fork(seed=99), 40)
    assert fork.dice_since > 0
    assert replay(parse(dump(fork)), Toy()).divergence is None
    assert present(reopened(fork)) == present(fork)
    last = max(k for k, entry in enumerate(fork.log) if type(entry) is Rolled)
    turned = [7 - face for face in fork.log[last].faces]
    text = forged(fork, lambda bodies: bodies[last + 1].update(roll=turned))
    assert "are not those of the seed" in replay(parse(text), Toy()).divergence


def test_a_replay_tells_a_roll_that_comes_twice():
    match = play(start("endless"), 40)
    places = [k for k, entry in enumerate(match.log) if type(entry) is Rolled]
    text = forged(match, lambda bodies: bodies[places[1] + 1].update(nth=0))
    result = replay(parse(text), Toy())
    assert result.divergence.endswith("roll number 0 comes twice.")


def test_a_replay_accepts_dice_that_were_given_and_numbers_that_a_roll_back_left_out():
    match = play(start("endless"), 60)
    match.roll_back(20)
    match.force(2, 2, 2, 2, 2, 2)
    play(match, 60, seed=2)
    result = replay(parse(dump(match)), Toy())
    assert result.divergence is None
    assert result.match.spent == match.spent > 0


# Matches that the players ended.


def given_up(**ended: str) -> str:
    """A match that goes on by the rules, with these words on how the players ended it."""
    return forged(play(start("endless"), 30), lambda bodies: bodies[-1].update(ended=ended))


def test_a_save_says_that_a_side_resigned_and_opens_where_the_match_stood():
    match = play(start("endless"), 30)
    record = parse(dump(match, resigned=1))
    assert ending_of(record, Toy()) == Outcome(0, "Blue resigns.")
    again = open_record(record, Toy())
    assert present(again) == present(match)
    assert again.notes == ("The players ended this match: Blue resigns.",)
    assert replay(record, Toy()).divergence is None


def test_a_save_in_which_nobody_resigned_has_no_word_of_it():
    match = play(start("endless"), 30)
    assert "ended" not in lines(match)[-1]
    assert ending_of(parse(dump(match)), Toy()) is None


def test_a_match_that_the_rules_ended_cannot_be_resigned():
    match = play(start(), 10**6)
    assert match.outcome is not None
    assert dump(match, resigned=0) == dump(match)
    both = forged(match, lambda bodies: bodies[-1].update(ended=RESIGNED))
    with pytest.raises(SaveError, match="Red cannot have resigned, for the game was over: "):
        parse(both)


def test_a_side_that_the_game_does_not_have_cannot_resign():
    record = parse(given_up(by="resignation", side="Green"))
    for read_it in (ending_of, open_record, replay):
        with pytest.raises(SaveError, match=r"'Green' cannot have resigned, for .* Red, Blue"):
            read_it(record, Toy())


@pytest.mark.parametrize("ended", [{"by": "boredom", "side": "Red"}, {"by": "resignation"}])
def test_an_ending_of_another_kind_is_refused_by_line(ended: dict[str, str]):
    with pytest.raises(SaveError, match=r"line \d+: .*ended"):
        parse(given_up(**ended))


def test_where_the_rules_now_end_the_match_they_have_the_last_word():
    match = play(start(), 10**6)
    assert match.outcome is not None

    def open_end(bodies: list[dict[str, Any]]) -> None:
        del bodies[-1]["outcome"]
        bodies[-1]["ended"] = RESIGNED

    record = parse(forged(match, open_end))
    again = open_record(record, Toy())
    assert again.outcome == match.outcome
    assert again.notes == ()
    assert "the outcome was 'open' and is now" in (replay(record, Toy()).divergence or "")
