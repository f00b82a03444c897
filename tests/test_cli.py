import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from rich.console import Console

import apennine
from apennine.bots import RandomBot
from apennine.cli import main
from apennine.cli.session import Session
from apennine.games import get, keys
from apennine.kernel import save
from apennine.kernel.decision import Choice, Roll
from apennine.kernel.match import Match, RulesError
from apennine.lab import make_bot

CROSSING = Path(apennine.__file__).parent / "games" / "crossing"


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, with lines typed at its prompt."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args: object, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main([str(arg) for arg in args])
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """The save of a match that was played to its end."""
    match, bot = apennine.new("crossing", seed=7), RandomBot(seed=1)
    while match.decision:
        match.choose(bot(match.seat()))
    path = tmp_path / "finished.jsonl"
    match.save(path)
    return path


def forge(path: Path, line: int, **changes: object) -> Path:
    """Change a line of a save as somebody would who knows how its lines are chained."""
    bodies = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    for body in bodies:
        del body["chain"]
    bodies[line] |= changes
    forged = path.with_name("forged.jsonl")
    forged.write_text("\n".join(save._chain(iter(bodies))), "utf-8")
    return forged


def line_of(path: Path, field: str) -> int:
    """The number of the first line of a save that has this field."""
    lines = path.read_text("utf-8").splitlines()
    return next(number for number, text in enumerate(lines) if field in json.loads(text))


def test_the_version_is_told(run: Run):
    assert run("--version") == Ran(0, f"apennine {apennine.__version__}\n", "")


def test_without_a_command_the_help_lists_them_all(run: Run):
    code, out, _ = run()
    assert code == 0
    for command in ("games", "rules", "map", "play", "selfplay", "replay", "pack"):
        assert re.search(rf"\b{command}\b", out)


@pytest.mark.parametrize("command", ["games", "rules", "map", "play", "selfplay", "replay", "pack"])
def test_every_command_has_help(run: Run, command: str):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"apennine {command}" in out


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["fly"], "No such command 'fly'"),
        (["map"], "Missing argument 'KEY'. See `apennine map --help`."),
        (["map", "crossing", "--gif", "x"], "No such option: --gif"),
        (["map", "chess"], "There is no game 'chess'; there are "),
        (["map", "no/such/folder"], "is not the folder of a game"),
        (["map", "crossing", "--text", "--svg", "x"], "Only one of --svg, --png and --text"),
        (["map", "crossing", "--svg", "no/such/folder/map.svg"], "No such file or directory"),
        (["rules", "crossing", "6.44"], "crossing has no rule 6.44; near it are 6.4"),
        (["rules", "crossing", "6.4", "--coverage"], "leave the rule's id away"),
        (["rules", "crossing", "--coverage", "--tests", "nowhere"], "nowhere is not a folder"),
        (["selfplay", "crossing", "--games", "0"], "Invalid value for '--games'"),
        (["selfplay", "crossing", "--bots", "hal"], "There is no bot 'hal'"),
        (["selfplay", "crossing", "--scenario", "dusk"], "no scenario 'dusk'; it has dawn"),
        (["play", "--option", "boats"], "must read KEY=on or KEY=off"),
        (["play", "--option", "rain=on"], "no optional rule 'rain'; it has boats"),
        (["play", "--as", "Martian"], "no side called 'Martian'; it has Allied, German"),
        (["play", "--vs", "hal"], "There is no bot 'hal'"),
        (["play", "--load", "nowhere.jsonl"], "nowhere.jsonl cannot be read: No such file"),
        (["play", "--load", "nowhere.jsonl", "--seed", "1"], "leave its options away"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl cannot be read: No such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_users_mistake_gets_one_sentence_and_exit_code_2(
    run: Run, args: list[str], complaint: str
):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1
    assert err.endswith((".\n", "`.\n"))


def test_a_mistake_in_the_rules_themselves_is_not_hidden(run: Run, monkeypatch: pytest.MonkeyPatch):
    def stumble(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(get("crossing")), "setup", stumble)
    with pytest.raises(ZeroDivisionError):
        run("selfplay", "crossing")


def test_a_match_that_the_rules_cannot_go_on_with_is_a_failed_check(
    run: Run, monkeypatch: pytest.MonkeyPatch
):
    def stumble(*_: object) -> None:
        raise RulesError("The rules offer no option.")

    monkeypatch.setattr(Match, "choose", stumble)
    complaint = "Match 0 of seed '5': The rules offer no option.\n"
    assert run("selfplay", "crossing", "--seed", 5) == Ran(1, "", complaint)


def test_games_lists_keys_scenarios_and_optional_rules(run: Run):
    code, out, _ = run("games")
    assert code == 0
    assert "crossing: The Crossing, Allied against German." in out
    assert "--scenario dawn" in out
    assert "--option boats=on|off" in out


def test_games_as_json_has_every_game(run: Run):
    games = json.loads(run("games", "--json").out)
    assert [game["key"] for game in games] == keys()
    crossing = next(game for game in games if game["key"] == "crossing")
    assert crossing["sides"] == ["Allied", "German"]
    assert crossing["scenarios"][0]["key"] == "dawn"
    assert crossing["options"][0]["key"] == "boats"
    assert crossing["hexes"] == 72


def test_rules_lists_the_whole_ledger_or_a_chapter(run: Run):
    out = run("rules", "crossing").out
    assert all(re.search(rf"^{re.escape(row.id)} ", out, re.M) for row in get("crossing").ledger)
    chapter = json.loads(run("rules", "crossing", "6", "--json").out)
    assert [row["id"] for row in chapter][:2] == ["6.1", "6.2"]
    assert all(row["id"].startswith("6.") for row in chapter)


def test_one_rule_is_shown_with_the_tests_that_prove_it(run: Run, tmp_path: Path):
    tests = write_tests(tmp_path, '@rule("crossing", "6.4")\ndef test_a_hill_helps(): ...\n')
    _, out, _ = run("rules", "crossing", "6.4", "--tests", tests)
    assert out.startswith("6.4  A defender in a town or on a hill")
    assert "tests/test_them.py::test_a_hill_helps" in out
    row = json.loads(run("rules", "crossing", "6.4", "--tests", tests, "--json").out)
    assert row["id"] == "6.4"
    assert row["tests"] == ["tests/test_them.py::test_a_hill_helps"]


def write_tests(folder: Path, text: str) -> Path:
    tests = folder / "tests"
    tests.mkdir()
    start = "from apennine.testing import rule\n\n"
    (tests / "test_them.py").write_text(start + text, "utf-8")
    return tests


def test_coverage_counts_the_rules_that_tests_prove(run: Run, tmp_path: Path):
    tests = write_tests(tmp_path, '@rule("crossing", "6.4", "6.5")\ndef test_it(): ...\n')
    ledger = get("crossing").ledger
    code, out, _ = run("rules", "crossing", "--coverage", "--tests", tests, "--json")
    count = json.loads(out)
    assert code == 0
    assert set(count) == {"key", "total", "exempt", "tested", "later", "missing", "open"}
    assert (count["key"], count["total"], count["tested"]) == ("crossing", len(ledger), 2)
    assert count["missing"] == [
        row.id for row in ledger if row.id not in ("6.4", "6.5") and not row.exempt
    ]
    assert count["total"] == count["exempt"] + count["tested"] + len(count["missing"])


def test_coverage_as_text_ends_with_one_line_that_sums_it_up(run: Run, tmp_path: Path):
    tests = write_tests(tmp_path, '@rule("crossing", "6.4")\ndef test_it(): ...\n')
    lines = run("rules", "crossing", "--coverage", "--tests", tests).out.splitlines()
    count = json.loads(run("rules", "crossing", "--coverage", "--tests", tests, "--json").out)
    assert lines[-1].startswith(f"crossing: 1 of {count['total']} rules tested, ")
    assert f"{count['exempt']} exempt, {len(count['missing'])} missing" in lines[-1]
    assert any(line.startswith("6.5 ") for line in lines)
    assert not any(line.startswith("6.4 ") for line in lines)


def test_coverage_looks_into_the_tests_folder_beside_the_user(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("rules", "crossing", "--coverage", "--json").out)["tested"] == 0
    write_tests(tmp_path, '@rule("crossing", "6.4")\ndef test_it(): ...\n')
    assert json.loads(run("rules", "crossing", "--coverage", "--json").out)["tested"] == 1


def test_a_test_of_a_rule_that_is_not_in_the_ledger_fails_the_coverage(run: Run, tmp_path: Path):
    tests = write_tests(tmp_path, '@rule("crossing", "66.6")\ndef test_it(): ...\n')
    code, _, err = run("rules", "crossing", "--coverage", "--tests", tests)
    assert code == 1
    assert err == "tests/test_them.py::test_it proves rule 66.6, which is not in the ledger.\n"


def test_the_map_is_drawn_as_text_svg_or_png(run: Run, tmp_path: Path):
    assert run("map", "crossing").out == run("map", "crossing", "--text").out
    assert "The Crossing" in run("map", "crossing").out
    svg, png = tmp_path / "map.svg", tmp_path / "map.png"
    assert run("map", "crossing", "--svg", svg) == Ran(0, "", "")
    assert svg.read_text("utf-8").lstrip().startswith(("<svg", "<?xml"))
    assert run("map", "crossing", "--png", png).code == 0
    assert png.read_bytes().startswith(b"\x89PNG")


def test_a_png_without_the_library_for_it_is_a_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    code, _, err = run("map", "crossing", "--png", tmp_path / "map.png")
    assert code == 2
    assert err.count("\n") == 1
    assert not (tmp_path / "map.png").exists()


def test_selfplay_as_json_has_all_figures(run: Run):
    code, out, err = run("selfplay", "crossing", "--games", 5, "--seed", 3, "--json")
    figures = json.loads(out)
    assert (code, err) == (0, "")
    assert figures["games"] == 5
    assert sum(figures["wins"].values()) + figures["draws"] == 5
    assert set(figures["wins"]) == {"Allied", "German"}
    assert sum(sum(r.values()) for r in figures["reasons"].values()) == 5
    assert figures["mean_length"] == pytest.approx(figures["decisions"] / 5)
    assert figures["decisions_per_second"] > 0
    assert figures["seconds"] > 0
    again = json.loads(run("selfplay", "crossing", "--games", 5, "--seed", 3, "--json").out)
    for timing in ("seconds", "decisions_per_second"):
        del figures[timing], again[timing]
    assert again == figures


def test_selfplay_without_a_seed_tells_the_one_it_took(run: Run):
    first = json.loads(run("selfplay", "crossing", "--games", 3, "--json").out)
    again = run("selfplay", "crossing", "--games", 3, "--seed", first["seed"], "--json").out
    assert json.loads(again)["decisions"] == first["decisions"]


def test_selfplay_as_text_tells_winners_and_speed(run: Run):
    code, out, _ = run("selfplay", "crossing", "--games", 3, "--seed", 3, "--bots", "random,random")
    assert code == 0
    assert out.startswith("crossing, dawn: 3 games by random and random, seed 3\n")
    assert re.search(r"^German +\d", out, re.M)
    assert "a second; a game takes" in out


def test_selfplay_plays_the_optional_rules_that_it_is_told(run: Run):
    play = ("selfplay", "crossing", "--games", 4, "--seed", 3, "--json")
    without, with_boats = (
        json.loads(run(*play, *more).out) for more in ((), ("--option", "boats=on"))
    )
    assert without["decisions"] != with_boats["decisions"]


def test_a_game_in_a_folder_of_ones_own_can_be_used_everywhere(run: Run, tmp_path: Path):
    folder = tmp_path / "my_game"
    shutil.copytree(CROSSING, folder)
    saved = tmp_path / "mine.jsonl"
    assert run("map", folder).code == 0
    assert run("rules", folder, "6.4").code == 0
    assert run("selfplay", folder, "--games", 2, "--jobs", 2, "--json").code == 0
    assert run("play", folder, typed=f"1\ns {saved}\n").code == 0
    assert run("play", folder, "--load", saved, typed="q\n").code == 0
    assert run("replay", saved, "--verify", "--game", folder).code == 0


def test_replay_tells_the_story_by_turns(run: Run, finished: Path):
    code, out, _ = run("replay", finished)
    assert code == 0
    assert "The Crossing, dawn" in out
    assert re.search(r"^Turn 2: German", out, re.M)
    assert re.search(r"^  German: Lay the charge at 0\d0\d$", out, re.M)
    assert re.search(r"Attack on .*0\d0\d\)?, \d-\d: die [1-6], \d/\d", out)
    assert "rolled" not in out
    assert re.search(r"^(Allied|German) wins: .*\[8\.\d\]$", out.splitlines()[-1])


def test_replay_shows_every_step_with_its_rule(run: Run, finished: Path):
    _, out, _ = run("replay", finished, "--steps")
    assert re.search(r"^ +German: lay the charge at 0\d0\d \[5\.1\]$", out, re.M)
    assert re.search(r"rolled [1-6] for combat \[6\.3\]$", out, re.M)


def test_replay_of_an_unfinished_match_says_what_is_asked(run: Run, tmp_path: Path):
    saved = tmp_path / "begun.jsonl"
    run("play", typed=f"1\ns {saved}\n")
    out = run("replay", saved).out
    assert out.splitlines()[-1] == "Allied: Move a unit, or end your movement [4.1]"


def test_verify_plays_a_whole_match_again(run: Run, finished: Path):
    code, out, err = run("replay", finished, "--verify")
    assert (code, err) == (0, "")
    assert re.match(r"finished\.jsonl: all \d+ entries came out as recorded\.\n", out)


def test_a_changed_line_is_named_before_anything_is_played(run: Run, finished: Path):
    text = finished.read_text("utf-8")
    finished.write_text(text.replace('"purpose"', '"x"').replace('"move"', '"halt"', 1), "utf-8")
    code, _, err = run("replay", finished, "--verify")
    assert code == 2
    assert re.fullmatch(r"finished\.jsonl, line \d+: the line was changed after .*\n", err)


def test_forged_dice_are_found_out(run: Run, finished: Path):
    line = line_of(finished, "roll")
    rolled = json.loads(finished.read_text("utf-8").splitlines()[line])["roll"][0]
    forged = forge(finished, line, roll=[rolled % 6 + 1])
    code, out, _ = run("replay", forged, "--verify")
    assert code == 1
    forgery = f"the dice ({rolled % 6 + 1},) are not those of the seed, ({rolled},)."
    assert out == f"Entry {line} (line {line + 1}): {forgery}\n"


def test_a_choice_that_the_rules_forbid_is_found_out(run: Run, finished: Path):
    forged = forge(finished, line_of(finished, "unit"), unit="I Gren")
    code, out, _ = run("replay", forged, "--verify")
    assert code == 1
    assert "this is no longer allowed" in out


def test_a_seed_that_was_not_committed_to_is_found_out(run: Run, finished: Path):
    code, out, _ = run("replay", forge(finished, 0, commitment="0" * 64), "--verify")
    assert code == 1
    assert out == "The seed of the dice is not the one that was committed to.\n"


def test_play_starts_the_tutorial_and_leaves_politely_when_the_input_ends(run: Run):
    code, out, err = run("play")
    assert (code, err) == (0, "")
    assert out.startswith("The Crossing: Dawn at the Torrente\n")
    assert "German: Lay the demolition charge at one of the bridges [5.1]" in out
    assert re.search(r"^1\) +lay the charge at 0305", out, re.M)
    assert out.endswith("> \nThe input has ended.\n")


def test_what_was_played_and_not_saved_is_lamented_at_the_end(run: Run):
    assert "This match is not saved" in run("play", typed="1\n").out


def test_options_are_taken_by_number_by_words_and_by_their_hex(run: Run):
    _, out, _ = run("play", typed="0705\nMOVE 1 inf\n0307\nmove 2\n1\nll\nq\nq\n")
    log = [
        line.removeprefix("> ").strip()
        for line in out.splitlines()
        if re.search(r"\[\d\.\d\]$", line)
    ]
    assert "Allied: go 1 Inf to 0307 [4.2]" in log
    assert "Allied: move 2 Inf [4.1]" in log


def test_words_that_fit_several_options_are_not_taken(run: Run):
    _, out, _ = run("play", typed="1\nmove\n")
    assert "7 options read so: 1) move 1 Inf, 2) move 2 Inf" in out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("99", "There is no option 99: they go from 1 to 8."),
        ("0", "There is no option 0: they go from 1 to 8."),
        ("²", "There is no order '²' in The Crossing (4.1)."),
        ("attack 0304", "Hexes are attacked one after the other in the combat phase. Asked now:"),
        ("move I Gren", "I Gren belongs to the other side (4.1)."),
        ("move 9 Arm", "'9 arm' is no unit, hex or box of The Crossing."),
        (
            "why attack 0304",
            "You may not attack 0304: Hexes are attacked one after the other in the combat phase.",
        ),
        ("? attack 0304", "6.1  In the combat phase the active side attacks"),
        ("? 2", "You may move 2 Inf [4.1]."),
        ("? 99", "There is no option 99: they go from 1 to 8."),
        ("p", "Say which option, by its number."),
        ("p 1", "There is nothing to foresee about this option."),
        ("s", "Say where to save: s FILE."),
        ("s!", "Say where to save: s! FILE."),
        ("s no/such/folder/x", "no/such/folder/x: No such file or directory."),
        ("r", "There is nothing to redo."),
        ("w", "There is nothing to warn of."),
        ("m", "■ Allied   □ German"),
        ("i", "1 Inf     Allied  0306"),
        ("l", "  German: Chooses in secret\n"),
        ("ll", "German: chooses in secret [5.1]"),
        ("h", "take back your last choice"),
        ("?", "take back your last choice"),
    ],
)
def test_what_is_typed_at_the_prompt_is_answered(run: Run, typed: str, answer: str):
    code, out, err = run("play", typed=f"1\n{typed}\n")
    assert (code, err) == (0, "")
    assert answer in out.rpartition("8)  end movement")[2]


def test_the_preview_shows_path_and_cost_of_a_move(run: Run):
    _, out, _ = run("play", typed="1\nmove 3 Inf\np 6\n")
    assert "go 3 Inf to 0308\npath 0506 " in out
    assert "cost 3 points" in out


def test_the_preview_shows_odds_and_chances_of_an_attack(run: Run):
    typed = "2\nmove 1 Inf\ngo 1 Inf to 0305\nend movement\np 1\n"
    _, out, _ = run("play", "--seed", 1, typed=typed)
    shown = out.partition("> attack 0304")[2]
    assert re.search(r"^odds +1-1 +6\.3", shown, re.M)
    assert re.search(r"^over the bridge +-1 +6\.4", shown, re.M)
    assert re.search(r"^1/0 +\d+\.\d% +\d/\d", shown, re.M)


BATTLE = "2\nmove 1 Inf\ngo 1 Inf to 0305\nend movement\nattack 0304\nattack with 1 Inf\n"


def test_only_full_undo_reaches_behind_a_die(run: Run):
    _, out, _ = run("play", "--seed", 1, typed=BATTLE + "u\nuu\n")
    after = out.partition("  Allied: Attack on 0304, 1-2: die")[2]
    assert "can take nothing back: a die" in after
    assert "Attack an enemy hex, or end your combat" in after


def test_redo_does_again_what_was_undone(run: Run):
    _, out, _ = run("play", typed="1\nmove 1 Inf\nu\nr\n")
    assert out.count("Where does 1 Inf go?") == 2


def test_a_player_against_a_bot_cannot_undo_what_the_bot_did(run: Run):
    _, out, _ = run("play", "--vs", "random", "--as", "allied", typed="u\nuu\n")
    assert "Allied can take nothing back" in out
    assert "Only who plays all sides may undo" in out


def test_the_side_of_the_player_is_the_one_that_is_asked(run: Run):
    _, out, _ = run("play", "--as", "German", "--seed", 2, typed="1\n")
    assert "You are German." in out
    prompts = re.findall(r"^(\w+): (?:Move a unit|Lay|Attack)", out, re.M)
    assert prompts
    assert set(prompts) == {"German"}


def test_the_secret_of_the_bot_stays_secret(run: Run):
    _, out, _ = run("play", "--vs", "random", "--seed", 2, typed="end movement\nl all\n")
    assert "German: Chooses in secret" in out
    assert "lay the charge" not in out.casefold()
    assert "charge: hidden" in out


def test_a_saved_match_goes_on_where_it_was(run: Run, tmp_path: Path):
    saved = tmp_path / "evening.jsonl"
    _, out, _ = run("play", "--seed", 1, typed=f"1\nmove 1 Inf\ns {saved}\nq\n")
    assert f"Saved: `apennine play --load {saved}` goes on from here." in out
    assert "not saved" not in out
    _, out, _ = run("play", "--load", saved, typed="u\ns\n")
    assert "Where does 1 Inf go?" in out
    assert out.count("Move a unit, or end your movement") == 1
    assert len(apennine.load(saved).log) == 1


def test_saving_over_another_file_needs_an_exclamation_mark(run: Run, tmp_path: Path):
    other = tmp_path / "diary.txt"
    other.write_text("Dear diary", "utf-8")
    assert f"`s! {other}` writes over it" in run("play", typed=f"1\ns {other}\n").out
    assert other.read_text("utf-8") == "Dear diary"
    run("play", typed=f"1\ns! {other}\n")
    assert len(apennine.load(other).log) == 1


def test_leaving_without_a_save_takes_two_words(run: Run):
    _, out, _ = run("play", typed="1\nq\nq\n1\n")
    assert "This match is not saved: `s FILE` saves it, `q` once more leaves it." in out
    assert "The input has ended" not in out


def test_the_map_can_be_drawn_in_a_file_while_playing(run: Run, tmp_path: Path):
    svg = tmp_path / "now.svg"
    run("play", typed=f"m {svg}\n")
    assert "■6Arm" in svg.read_text("utf-8")


def test_dice_thrown_on_a_real_table_are_typed(run: Run):
    _, out, _ = run("play", "--dice-by-hand", typed=BATTLE + "7\n1 2\nfive\n3\n")
    assert "Roll for combat [6.3]: type the dice (1-6)." in out
    assert "A die with 6 sides cannot show 7." in out
    assert "1 dice are asked for, 2 were given." in out
    assert "Allied: Attack on 0304, 1-2: die 3, 1/0; 1 Inf loses a step" in out


def console(width: int = 100) -> Console:
    return Console(file=io.StringIO(), width=width, markup=False, highlight=False)


def printed(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


@pytest.mark.parametrize("bots", [{}, {1: make_bot("random", 5)}], ids=["alone", "against a bot"])
def test_a_whole_match_can_be_played_at_the_prompt(bots: dict):
    match, out, random = Match(get("crossing"), seed=3), console(), Random(3)

    def typed(_: str) -> str:
        decision = match.decision
        if isinstance(decision, Choice):
            return str(random.randrange(len(decision.options)) + 1)
        assert not isinstance(decision, Roll)
        return "q"

    Session(match, bots, out, typed).run()
    assert match.outcome is not None
    text = printed(out)
    assert f"{get('crossing').sides[match.outcome.winner]} wins: {match.outcome.reason}" in text
    assert re.search(r"Attack on .*: die [1-6], \d/\d", text)


def test_the_numbers_of_the_options_stand_on_the_map():
    match, out = Match(get("crossing"), seed=3), console()
    lines = iter(["1", "move 3 Inf", ""])
    session = Session(match, {}, out, lambda _: next(lines))
    for _ in range(2):
        session.obey(next(lines))
    text = printed(out).rpartition("Allied: move 3 Inf")[2]
    decision = match.decision
    assert isinstance(decision, Choice)
    number = decision.options.index(session.numbered("6")) + 1
    assert f"c>{number}" in text
    assert "■1Inf>" in text


def test_a_narrow_terminal_goes_without_the_map_but_not_without_the_menu():
    out = console(width=40)
    Session(Match(get("crossing"), seed=3), {}, out).ask()
    assert "□" not in printed(out)
    assert "lay the charge at 0305" in printed(out)


def test_ctrl_c_at_the_prompt_asks_before_a_match_is_lost():
    match, out = Match(get("crossing"), seed=3), console()
    typed = iter(["1"])

    def read(_: str) -> str:
        for line in typed:
            return line
        raise KeyboardInterrupt

    Session(match, {}, out, read).run()
    assert printed(out).count("This match is not saved") == 1


@pytest.mark.parametrize(("encoding", "mark"), [("utf-8", "■"), ("ascii", "#")])
def test_the_module_runs_as_the_command_does_on_any_terminal(encoding: str, mark: str):
    done = subprocess.run(
        [sys.executable, "-m", "apennine", "play", "--seed", "1"],
        input="1\nq\nq\n",
        capture_output=True,
        encoding=encoding,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Allied: Move a unit, or end your movement [4.1]" in done.stdout
    assert f"c{mark}1Inf" in done.stdout


def test_a_save_is_not_played_by_the_rules_of_another_game(
    run: Run, finished: Path, tmp_path: Path
):
    folder = tmp_path / "other"
    shutil.copytree(CROSSING, folder)
    source = folder / "game.py"
    source.write_text(source.read_text("utf-8").replace('"crossing"', '"other"', 1), "utf-8")
    complaint = "finished.jsonl is a match of crossing, not of other.\n"
    assert run("replay", finished, "--game", folder) == Ran(2, "", complaint)
    assert run("play", folder, "--load", finished) == Ran(2, "", complaint)


@pytest.mark.parametrize("command", ["games", "rules", "map", "play", "selfplay", "replay", "pack"])
def test_the_page_on_the_command_line_shows_every_option(run: Run, command: str):
    page = (Path(__file__).parent.parent / "docs" / "command-line.md").read_text("utf-8")
    section = page.partition(f"\n## {command}\n")[2].partition("\n## ")[0]
    usage = section.strip().partition("\n\n")[0]
    options = set(re.findall(r"--[a-z][a-z-]+", run(command, "--help").out)) - {"--help"}
    assert set(re.findall(r"--[a-z][a-z-]+", usage)) == options
