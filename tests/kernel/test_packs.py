"""Packs: what they change, what they refuse, and what saves say about them."""

from __future__ import annotations

import io
import json
import pickle
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import apennine
from apennine import games
from apennine.bots import RandomBot
from apennine.cli import main
from apennine.games import board, get
from apennine.kernel.data import DataError, DataFile
from apennine.kernel.game import GameError
from apennine.kernel.laying import Laying
from apennine.kernel.match import Match
from apennine.kernel.pack import PackError, read_pack
from apennine.kernel.save import SaveError
from apennine.lab import Series, run, summarise

DOCS = Path(__file__).parent.parent.parent / "docs"
CROSSING = Path(games.__file__).parent / "crossing"

Make = Callable[..., Path]


@pytest.fixture
def pack(tmp_path: Path) -> Make:
    """Write a pack; its files by name: `pack("p", "crossing", units="...")`."""

    def make(name: str = "mine", game: str = "crossing", **files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        cover = f'name = "{name}"\ntitle = "Mine"\ngame = "{game}"\nsource = "printed: a box"\n'
        (folder / "pack.toml").write_text(cover, "utf-8")
        for file, text in files.items():
            (folder / f"{file}.toml").write_text(text, "utf-8")
        return folder

    return make


def mistakes(folder: Path, *others: Path, key: str = "crossing") -> list[str]:
    with pytest.raises(PackError) as error:
        get(key, [*others, folder])
    return list(error.value.mistakes)


def only_mistake(folder: Path, *others: Path, key: str = "crossing") -> str:
    [sentence] = mistakes(folder, *others, key=key)
    return sentence


def changes(folder: Path, key: str = "crossing") -> dict[str, tuple[Any, Any]]:
    return {change.key: (change.was, change.now) for change in get(key, [folder]).corrections}


def laid(old: dict[str, Any], new: dict[str, Any], *, is_map: bool = False) -> dict[str, Any]:
    laying = Laying("mine", "file.toml", "printed: a box", is_map=is_map)
    merged = laying.lay(old, new)
    assert laying.mistakes == []
    return merged


def finish(match: Match[Any]) -> Match[Any]:
    bot = RandomBot(seed=1)
    while match.decision:
        match.choose(bot(match.seat()))
    return match


# What a pack changes


def test_a_table_is_corrected_key_by_key():
    old = {"a": {"x": 1, "y": [1, 2]}, "b": 3}
    assert laid(old, {"a": {"y": [5]}}) == {"a": {"x": 1, "y": [5]}, "b": 3}


def test_entries_of_a_list_are_found_by_their_name():
    old = {"units": [{"name": "A", "steps": 2}, {"name": "B", "steps": 2}]}
    new = {"units": [{"name": "B", "steps": 1}]}
    assert laid(old, new) == {"units": [{"name": "A", "steps": 2}, {"name": "B", "steps": 1}]}


@pytest.mark.parametrize("by", ["key", "name", "id", "unit"])
def test_entries_are_added_at_the_end_or_behind_another_and_removed(by: str):
    old = {"list": [{by: "A", "n": 1}, {by: "B", "n": 2}]}
    new = {
        "list": [
            {by: "C", "add": True, "n": 3},
            {by: "D", "add": True, "after": "A", "n": 4},
            {by: "B", "remove": True},
        ]
    }
    assert [(entry[by], entry["n"]) for entry in laid(old, new)["list"]] == [
        ("A", 1),
        ("D", 4),
        ("C", 3),
    ]


def test_a_list_whose_entries_have_no_names_is_replaced_whole():
    assert laid({"rolls": [{"most": 4}, {"most": 5}]}, {"rolls": [{"most": 6}]}) == {
        "rolls": [{"most": 6}]
    }


def test_two_entries_of_the_same_name_are_not_told_apart_by_it():
    old = {"orders": [{"unit": "A", "turn": 1}, {"unit": "A", "turn": 2}]}
    assert laid(old, {"orders": [{"unit": "A", "turn": 3}]}) == {
        "orders": [{"unit": "A", "turn": 3}]
    }


def test_a_list_is_emptied_by_an_empty_list():
    assert laid({"units": [{"name": "A"}]}, {"units": []}) == {"units": []}


def test_tables_are_added_removed_and_replaced():
    old = {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3, "y": 4}}
    new = {"a": {"remove": True}, "c": {"replace": True, "z": 5}, "d": {"add": True, "x": 6}}
    assert laid(old, new) == {"b": {"x": 2}, "c": {"z": 5}, "d": {"x": 6}}


def test_a_whole_file_is_replaced():
    assert laid({"a": {"x": 1}}, {"replace": True, "b": 1}) == {"b": 1}


def test_a_key_that_others_of_its_kind_have_needs_no_mark():
    old = {"orders": [{"unit": "A", "returns": 7}, {"unit": "B"}]}
    assert laid(old, {"orders": [{"unit": "B", "returns": 8}]})["orders"][1] == {
        "unit": "B",
        "returns": 8,
    }


tables = st.recursive(
    st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2),
    lambda values: st.dictionaries(st.sampled_from("abcd"), values, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abcd"), tables, max_size=4))
def test_data_laid_over_themselves_change_nothing(data: dict[str, Any]):
    laying = Laying("mine", "file.toml", "printed: a box", is_map=False)
    assert laying.lay(data, data) == data
    assert laying.changes == laying.mistakes == []


@given(st.dictionaries(st.sampled_from("abcd"), tables, max_size=4), st.integers())
def test_laying_leaves_the_data_and_the_pack_as_they_are(data: dict[str, Any], number: int):
    old, new = {"t": data, "n": 0}, {"t": {"replace": True, "a": {"b": number}}, "n": number}
    before = json.dumps([old, new])
    Laying("mine", "file.toml", "printed: a box", is_map=False).lay(old, new)
    assert json.dumps([old, new]) == before


def test_a_game_has_the_units_and_charts_of_its_pack_and_the_other_has_not(pack: Make):
    folder = pack(
        units='[[units]]\nname = "1 Inf"\nfaces = [[9, 4], [2, 2]]',
        charts=f"[combat.rows]\n1 = {['2/0'] * 5}\n[movement.foot]\npoints = 4",
    )
    game: Any = get("crossing", [folder])
    assert game.war.roster[0].attack(2) == 9
    assert str(game.war.combat.cell(1, 4)) == "2/0"
    assert game.war.paces["foot"].points == 4
    ours: Any = get("crossing")
    assert ours.war.roster[0].attack(2) == 4
    assert changes(folder)["units.1 Inf.faces"] == ([[4, 4], [2, 2]], [[9, 4], [2, 2]])
    assert changes(folder)["movement.foot.points"] == (3, 4)


def test_a_unit_is_added_and_plays(pack: Make):
    new = 'name = "VI Gren"\nadd = true\nside = "German"\nkind = "foot"\n'
    folder = pack(units=f'[[units]]\n{new}faces = [[3, 4], [2, 2]]\nstart = "0702"')
    match = finish(apennine.new("crossing", seed=7, packs=[folder]))
    assert match.game.units[-1] == "VI Gren"
    assert match.check() == []


def test_packs_are_laid_in_order(pack: Make):
    text = "[movement.foot]\npoints = {}"
    one, two = pack("one", charts=text.format(4)), pack("two", charts=text.format(5))
    for packs, points in (([one, two], 5), ([two, one], 4)):
        game: Any = get("crossing", packs)
        assert game.war.paces["foot"].points == points
    assert [change.was for change in get("crossing", [one, two]).corrections] == [3, 4]


def test_a_game_with_packs_is_made_once_until_a_pack_is_edited(pack: Make):
    folder = pack(charts="[movement.foot]\npoints = 4")
    game = get("crossing", [folder])
    assert get("crossing", [str(folder)]) is game
    assert get("crossing") is not game
    pack(charts="[movement.foot]\npoints = 5")
    assert get("crossing", [folder]).data_digest != game.data_digest


# Where the numbers come from


def test_the_source_of_a_pack_takes_the_place_of_reconstructed(pack: Make):
    def chart(folder: Path, key: str = "movement"):
        [found] = [c for c in get("italy1944", [folder]).charts if c.key == key]
        return found

    river = "[movement.foot]\nriver = 3\n"
    partly = chart(pack(game="italy1944", charts=river))
    assert partly.reconstructed
    assert partly.source.endswith("corrected in part by pack mine")
    whole = pack(game="italy1944", charts=f'{river}[movement]\nsource = "printed: the chart"')
    assert (chart(whole).reconstructed, chart(whole).source) == (False, "printed: the chart")
    assert chart(whole, "combat").reconstructed


def test_a_table_that_is_replaced_has_the_source_of_the_pack(pack: Make):
    old = {"chart": {"source": "reconstructed", "x": 1}}
    assert laid(old, {"chart": {"replace": True, "x": 2}}) == {
        "chart": {"x": 2, "source": "printed: a box"}
    }


def test_a_source_within_a_table_stands_for_what_it_corrects_alone():
    old = {"source": "history: a guess", "units": [{"name": "A", "n": 1}, {"name": "B", "n": 1}]}
    told = laid(old, {"units": [{"name": "A", "n": 2, "source": "printed: counter"}]})
    assert told["source"] == "history: a guess"
    assert laid(old, {"units": [{"name": "B", "n": 2}]})["source"] == (
        "history: a guess, corrected in part by pack mine"
    )


# Maps


def test_a_hex_a_row_a_river_and_a_place_of_a_map_are_corrected(pack: Make):
    folder = pack(
        map="""
[terrain]
grid = '''
08 h h h h h h h h h
'''
[terrain.set]
0101 = "t"
[sides.river.courses]
Torrente = "0105/0106,0205 0204/0205"
Rio = { add = "0708/0707" }
[bridges.west]
at = ["0204/0205"]
[bridges.east]
at = ["0708/0707"]
[[places.list]]
name = "Borgo"
remove = true
[[places.list]]
name = "Pietra"
at = "0304"
source = "mine: the map sheet"
"""
    )
    ours, made = board("crossing"), board("crossing", [folder])
    assert made.terrain_of(made.parse("0101")) == "town"
    assert made.terrain_of(made.parse("0508")) == "hill"
    assert [run.name for run in made.runs["river"]] == ["Torrente", "Rio"]
    assert len(made.runs["river"][0].edges) == 3
    assert "Borgo" not in made.places
    assert made.places["Pietra"].hexes == 1 << made.parse("0304")
    assert str(made.sources["places.Pietra"]) == "printed: a box, the map sheet"
    assert made.sources["terrain"].detail == "corrected in part by pack mine"
    assert ours.terrain_of(ours.parse("0101")) == "clear"
    assert changes(folder)["terrain.grid.8"] == ("c c c c c c c c c", "h h h h h h h h h")
    assert changes(folder)["sides.river.courses.Rio"] == (None, "0708/0707")


def test_a_course_is_removed_by_its_name(pack: Make):
    folder = pack(map='[roads.road.courses]\n"East road" = { remove = true }')
    assert [course.name for course in board("crossing", [folder]).courses["road"]] == ["West road"]


def test_a_map_without_a_game_takes_packs_too(pack: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(games, "keys", lambda: ["crossing"])
    title = pack("sheet", "anzio", map='title = "My Anzio"')
    assert board("anzio", [title]).title == "My Anzio"
    wrong = pack("wrong", "anzio", map='titel = "My Anzio"')
    with pytest.raises(PackError, match=r"^Pack wrong, map\.toml: There is no key 'titel'"):
        board("anzio", [title, wrong])


# Mistakes


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        (
            "unitz",
            "x = 1",
            "unitz.toml: crossing has no such file to correct; it has charts.toml, ",
        ),
        ("guide", "x = 1", "guide.toml: crossing has no such file to correct"),
        (
            "units",
            "[[units]]\nname = '1 Ind'",
            "units.toml, units.1 Ind: there is no such entry to ",
        ),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nkinds = 'a'",
            "units.1 Inf.kinds: there is no such e",
        ),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nfaces = 4",
            "faces: it is a list, and cannot become a",
        ),
        ("units", "[[units]]\nfaces = [[1, 1], [1, 1]]", "units: an entry has no 'name'"),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nadd = true",
            "1 Inf: it is there already, and needs n",
        ),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nremove = false",
            "write 'remove = true', or leave it",
        ),
        ("units", "[[units]]\nname = '1 Inf'\nafter = 'x'", "the marks after do not go together"),
        ("units", "add = true", "add: a whole file is neither added nor removed"),
        ("units", "[[units]]\nname = 'X'\nadd = true\nafter = 'Y'", "there is no entry 'Y'"),
        (
            "charts",
            "[combatt]\ncolumns = ['1-2']",
            "combatt: there is no such entry to correct; per",
        ),
        (
            "charts",
            "[movement]\nfoot = 2",
            "movement.foot: it is a table, and cannot become a numb",
        ),
        (
            "charts",
            "[movement.foot.points]\nx = 1",
            "foot.points: it is a number, and cannot become",
        ),
        ("charts", "[movement.foot]\nadd = true", "movement.foot: it is there already"),
        (
            "charts",
            "[combat.rows]\n7 = ['0/0', '0/0', '0/0', '0/0', '0/0']",
            "rows.7: there is no s",
        ),
        (
            "map",
            "[roads.road.courses]\nRome = '0101'",
            "courses.Rome: there is no such entry to cor",
        ),
        ("map", "[terrain]\ngrid = '''\n1 c\n1 c\n'''", "terrain.grid.1: it is drawn twice"),
    ],
)
def test_a_mistake_is_told_with_pack_file_key_and_reason(
    pack: Make, file: str, text: str, sentence: str
):
    told = mistakes(pack(**{file: text}))
    assert sentence in told[0]
    assert told[0].startswith(f"Pack mine, {file}.toml")
    assert told[0].endswith(".")


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        (
            "units",
            "[[units]]\nname = '1 Inf'\nfaces = [[4, 4]]",
            "Pack mine, units.toml: units: Exp",
        ),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nkind = 'boat'",
            "Pack mine, units.toml: 1 Inf is of a",
        ),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nstart = '9999'",
            "Pack mine, '9999' is neither a hex",
        ),
        (
            "units",
            "[[units]]\nname = '1 Inf'\nstart = '0304'",
            "Pack mine, scenario dawn: Both side",
        ),
        (
            "charts",
            "[combat.rows]\n1 = ['0/0']",
            "Pack mine, charts.toml: combat.rows.1 has 1 cell",
        ),
        ("map", "[terrain.set]\n9999 = 'c'", "Pack mine, map.toml: terrain.set: hex 9999: The map"),
        (
            "map",
            "[terrain.set]\n0101 = 'q'",
            "Pack mine, map.toml: terrain.grid: hex 0101: The let",
        ),
        (
            "map",
            "[supply.allied]\nremove = true",
            "Pack mine: the game cannot do without 'allied'.",
        ),
    ],
)
def test_a_value_that_the_game_or_its_map_cannot_use_is_put_down_to_the_pack(
    pack: Make, file: str, text: str, sentence: str
):
    assert only_mistake(pack(**{file: text})).startswith(sentence)
    assert get("crossing", [pack("good", charts="[movement.foot]\npoints = 4")]).corrections


def test_all_mistakes_of_a_pack_are_told_at_once(pack: Make):
    folder = pack(charts="[x]\n[y]", units="z = 1")
    assert [told.partition(":")[0] for told in mistakes(folder)] == [
        "Pack mine, charts.toml, x",
        "Pack mine, charts.toml, y",
        "Pack mine, units.toml, z",
    ]


def test_of_several_packs_the_one_to_blame_is_named(pack: Make):
    good = pack("good", charts="[movement.foot]\npoints = 4")
    bad = pack("bad", units="[[units]]\nname = '1 Inf'\nkind = 'boat'")
    assert only_mistake(bad, good).startswith("Pack bad, ")
    assert only_mistake(good, bad).startswith("Pack bad, ")


def test_a_pack_of_another_game_and_a_second_of_the_same_name_are_refused(pack: Make):
    other = pack("other", "italy1944")
    assert only_mistake(other) == "Pack other is for italy1944, not for crossing."
    one = pack("one")
    assert only_mistake(one, one) == "Two packs have the name one."


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "mine"', 'name = "My Pack"', "name: 'My Pack' is not a name"),
        ("printed: a box", "a box", "source: write a kind, a colon and what it is"),
        ('title = "Mine"\n', "", "pack.toml: Object missing required field `title`"),
        ('title = "Mine"', 'titel = "Mine"', "pack.toml: Object contains unknown field `titel`"),
        ('title = "Mine"', "title =", "pack.toml: it cannot be read: "),
    ],
)
def test_a_cover_that_is_wrong_is_told(pack: Make, old: str, new: str, sentence: str):
    cover = pack() / "pack.toml"
    cover.write_text(cover.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(PackError, match=re.escape(sentence)):
        read_pack(cover.parent)


def test_a_folder_without_a_cover_is_no_pack(tmp_path: Path):
    with pytest.raises(PackError, match=r"is not the folder of a pack: it has no pack\.toml\.$"):
        read_pack(tmp_path)


def test_a_game_of_ones_own_takes_packs_if_it_passes_them_on(pack: Make, tmp_path: Path):
    own = tmp_path / "valley"
    shutil.copytree(CROSSING, own)
    game: Any = get(str(own), [pack(charts="[movement.foot]\npoints = 4")])
    assert game.war.paces["foot"].points == 4
    deaf = own.rename(tmp_path / "deaf")
    start = "from .game import Crossing\n\ndef game():\n    return Crossing()\n"
    (deaf / "__init__.py").write_text(start, "utf-8")
    with pytest.raises(GameError, match=r"takes no packs: its function game\(\) has no argument"):
        get(str(deaf), [pack()])


def test_errors_come_back_whole_from_another_process():
    error = pickle.loads(pickle.dumps(PackError("One.", "Two.")))
    assert (str(error), error.mistakes) == ("One.\nTwo.", ("One.", "Two."))


def test_a_data_file_that_cannot_be_read_is_named(tmp_path: Path):
    (tmp_path / "charts.toml").write_text("[", "utf-8")
    with pytest.raises(DataError, match=r"^charts\.toml cannot be read: "):
        DataFile.open(tmp_path / "charts.toml")


# Matches and saves

STRONG = """
[combat]
source = "printed: made up for a test"
columns = ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1+"]
[combat.rows]
""" + "\n".join(f"{die} = {['0/4'] * 9}" for die in range(1, 7))


@pytest.fixture
def strong(pack: Make) -> Path:
    """Italy 1944 with a chart on which every attack destroys the defender, and a worthier Rome."""
    rome = '[[places.list]]\nname = "Rome"\nnumbers = { vp = 100 }'
    return pack("strong", "italy1944", charts=STRONG, map=rome)


def test_italy_1944_with_a_pack_comes_to_another_end_and_is_loaded_with_it_alone(
    strong: Path, tmp_path: Path
):
    file = tmp_path / "match.jsonl"
    match = finish(apennine.new("italy1944", seed=3, packs=[strong]))
    ours = finish(apennine.new("italy1944", seed=3))
    assert match.outcome is not None
    assert ours.outcome is not None
    assert match.outcome.reason != ours.outcome.reason
    match.save(file)
    assert json.loads(file.read_text("utf-8").split("\n")[0])["packs"] == [read_pack(strong).label]

    loaded = apennine.load(file, packs=[strong])
    assert (loaded.notes, loaded.outcome, loaded.digest) == ((), match.outcome, match.digest)
    with pytest.raises(SaveError) as error:
        apennine.load(file)
    assert str(error.value) == (
        "match.jsonl was played with the pack 'strong', which is not laid over Italy 1944: "
        "give its folder, with --pack or as one of the packs."
    )


def test_a_save_says_which_pack_is_too_much_has_changed_or_is_out_of_order(
    pack: Make, tmp_path: Path
):
    file = tmp_path / "match.jsonl"
    text = "[movement.foot]\npoints = {}"
    one, two = pack("one", charts=text.format(4)), pack("two", charts=text.format(5))
    apennine.new("crossing", seed=1, packs=[one, two]).save(file)
    with pytest.raises(SaveError, match=r"was played with its packs in the order one, two\.$"):
        apennine.load(file, packs=[two, one])
    three = pack("three")
    with pytest.raises(SaveError, match=r"was played without the pack 'three': leave it away\.$"):
        apennine.load(file, packs=[one, two, three])
    pack("two", charts=text.format(6))
    assert apennine.load(file, packs=[one, two]).notes == (
        "The pack 'two' has changed since match.jsonl was saved.",
    )


def test_comments_and_the_cover_do_not_change_a_pack(pack: Make):
    folder = pack(charts="[movement.foot]\npoints = 4")
    label = read_pack(folder).label
    pack(charts="# as printed\n[movement]\nfoot = { points = 4 }")
    cover = folder / "pack.toml"
    cover.write_text(cover.read_text("utf-8") + 'note = "a note"\n', "utf-8")
    assert read_pack(folder).label == label


def test_helpers_of_self_play_have_the_packs(pack: Make):
    # No unit on foot moves, so that games come out differently.
    folder = pack(charts="[movement.foot]\npoints = 1\n[movement.tracks]\npoints = 1")
    ours = Series("crossing", games=4, seed="7")
    series = ours._replace(packs=(folder,))
    played = list(run(series, jobs=2))
    assert played == list(run(series)) != list(run(ours))
    assert summarise(series, played, 1.0).games == 4


# The command line


def test_the_commands_take_packs(
    pack: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "200")
    folder = str(pack(charts="[movement.foot]\npoints = 17", map='[terrain.set]\n0101 = "t"'))
    file = str(tmp_path / "match.jsonl")
    apennine.new("crossing", seed=1, packs=[folder]).save(file)

    def out(*args: str) -> str:
        code = main(args)
        said = capsys.readouterr()
        assert code == 0, said.err
        return said.out

    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "With the pack mine: Mine." in out("play", "crossing", "--pack", folder)
    assert "With the pack mine: Mine." in out("play", "--load", file, "--pack", folder)
    assert "0101  t" in out("map", "crossing", "--pack", folder)
    assert re.search(r"foot +17 ", out("rules", "crossing", "--charts", "--pack", folder))
    assert "1 games" in out("selfplay", "crossing", "--games", "1", "--pack", folder)
    assert "all" in out("replay", file, "--verify", "--pack", folder)
    assert "Packs: mine." in out("replay", file, "--pack", folder)
    assert main(("replay", file)) == 2
    assert "was played with the pack 'mine'" in capsys.readouterr().err


def test_the_command_pack_lists_every_value(pack: Make, capsys: pytest.CaptureFixture[str]):
    folder = pack(
        charts="[movement.foot]\npoints = 4", units="[[units]]\nname = 'V Pz'\nremove = true"
    )
    assert main(["pack", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "mine: Mine, for crossing.",
        "charts.toml",
        "  movement.foot.points: 3 -> 4",
        "units.toml",
        "  units.V Pz: removed",
        "It fits: 1 changed, 0 added, 1 removed.",
    ]
    assert main(["pack", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0] == {
        "pack": "mine",
        "file": "charts.toml",
        "key": "movement.foot.points",
        "was": 3,
        "now": 4,
    }


def test_a_pack_that_does_not_fit_gets_its_sentences_and_exit_code_2(
    pack: Make, capsys: pytest.CaptureFixture[str]
):
    assert main(["pack", str(pack(units="x = 1"))]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "Pack mine, units.toml, x: there is no such entry to correct.\n"


def test_the_example_in_the_documents_prints_what_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    page = (DOCS / "packs.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first-edition").mkdir()
    for file, text in re.findall(r"\*\*`([\w.]+)`\*\*.*?```toml\n(.*?)```", page, re.DOTALL):
        (tmp_path / "first-edition" / file).write_text(text, "utf-8")
    shown = re.search(r"    \$ apennine pack first-edition\n(.*?)\n\n", page, re.DOTALL)
    assert shown is not None
    assert main(["pack", "first-edition"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.removeprefix("    ") for line in shown[1].splitlines()] == printed
