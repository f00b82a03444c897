import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apennine import games
from apennine.board import read_map
from apennine.bots import RandomBot
from apennine.foundry.draw import draw
from apennine.kernel.match import Match
from tests.refresh_tutorial import (
    GAMES,
    PAGE,
    TutorialError,
    blocks,
    files,
    followed,
    pieces,
    refreshed,
)

TEXT = PAGE.read_text("utf-8")
PACKAGE = sorted(
    path.relative_to(GAMES).as_posix()
    for path in (GAMES / "crossing").rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
)
REFRESH = "`python -m tests.refresh_tutorial` brings docs/tutorial.md up to date"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was empty before all files of the tutorial were written into it."""
    folder = tmp_path_factory.mktemp("tutorial")
    for file, text in files(TEXT).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(text.encode())
    return folder


@pytest.fixture
def fresh_imports() -> Iterator[None]:
    """Nothing of a package `crossing` is imported, before the test or after it."""

    def forget() -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == "crossing"]:
            del sys.modules[name]

    forget()
    yield
    forget()


def apennine(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "apennine", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_tutorial_gives_every_file_of_the_game_and_no_other():
    given = [file for file in files(TEXT) if file.startswith("crossing/")]
    assert sorted(given) == PACKAGE


@pytest.mark.parametrize("file", PACKAGE)
def test_a_file_of_the_tutorial_is_that_of_the_game_to_the_byte(file: str):
    assert files(TEXT)[file].encode() == (GAMES / file).read_bytes(), REFRESH


def test_following_the_tutorial_step_by_step_prints_what_it_shows(tmp_path: Path):
    assert followed(TEXT, tmp_path) == TEXT, REFRESH


def test_the_picture_of_the_map_is_that_of_the_map_file(folder: Path):
    board = read_map(folder / "crossing" / "data" / "map.toml")
    picture = PAGE.parent / "pictures" / "crossing.svg"
    assert picture.read_text("utf-8") == draw(board), "`make docs` draws it anew"


def test_the_game_of_the_tutorial_can_be_played_to_the_end(folder: Path, fresh_imports: None):
    game = games.get(str(folder / "crossing"))
    assert Path(sys.modules[type(game).__module__].__file__ or "").is_relative_to(folder)
    for seed in range(10):
        match, bot = Match(game, seed=seed), RandomBot(seed)
        while match.decision:
            match.choose(bot(match.seat()))
        assert match.outcome is not None
        assert match.outcome.rule in game.ledger
        assert match.check() == []


def test_the_game_of_the_tutorial_plays_in_the_terminal(folder: Path):
    screen = apennine(folder, "play", "./crossing")
    assert "Lay the demolition charge at one of the bridges [5.1]" in screen


def test_bots_play_the_game_of_the_tutorial(folder: Path):
    assert "2 games by random" in apennine(folder, "selfplay", "./crossing", "--games", "2")


@pytest.fixture
def changed_games(tmp_path: Path) -> Path:
    shutil.copytree(GAMES / "crossing", tmp_path / "crossing")
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_refresh_without_a_change_leaves_the_tutorial_alone():
    assert refreshed(TEXT) == TEXT, REFRESH


def test_a_refresh_brings_a_change_into_the_piece_where_it_belongs(changed_games: Path):
    file = "crossing/rules/c06_combat.py"
    lull = "def lull() -> None:\n    pass\n"
    edit(changed_games / file, "def battle(", f"{lull}\n\ndef battle(")
    page = refreshed(TEXT, changed_games)
    assert files(page)[file] == (changed_games / file).read_text("utf-8")
    assert len(pieces(page)[file]) == len(pieces(TEXT)[file])
    [piece] = [block for block in pieces(page)[file] if lull in block.body]
    assert piece.body.startswith("def ready(")


def test_a_refresh_says_which_piece_has_lost_its_beginning(changed_games: Path):
    edit(changed_games / "crossing/rules/c06_combat.py", "def advance(", "def go_forward(")
    with pytest.raises(
        TutorialError, match=r"0 lines of crossing/rules/c06_combat.py begin with 'def adv"
    ):
        refreshed(TEXT, changed_games)


STEPS = """
## One

**`one.py`**

```python
two = 2
```

```pycon
>>> from one import two
>>> print(two)
%s
```

## Two

**`one.py`**, continued

```python
def three():
    return 3
```

```pycon
>>> from one import three
>>> three() + three()
%s
>>> one
Traceback (most recent call last):
  ...
NameError: name 'one' is not defined
```

```console
$ python -c "print('a'); print(1 / 7)"
%s
```
"""


def test_what_an_example_shows_is_replaced_by_what_it_prints(tmp_path: Path):
    wrong, right = STEPS % ("3", "7", "b"), STEPS % ("2", "6", "a\n0.14285714285714285")
    assert followed(wrong, tmp_path) == right


def test_what_the_page_abridges_stays_abridged_while_it_fits(tmp_path: Path):
    page = STEPS % ("2", "6", "a\n0.14...")
    assert followed(page, tmp_path) == page
    assert followed(STEPS % ("2", "6", "b\n0.14..."), tmp_path) == page


def test_a_step_has_the_files_given_so_far_and_no_more(tmp_path: Path):
    early = STEPS.replace("from one import two", "from one import three") % ("2", "6", "")
    assert "ImportError: cannot import name 'three'" in followed(early, tmp_path)


def test_a_command_that_fails_is_an_error(tmp_path: Path):
    page = STEPS.replace("1 / 7", "1 / 0") % ("2", "6", "")
    with pytest.raises(TutorialError, match="ZeroDivisionError"):
        followed(page, tmp_path)


def test_only_a_block_right_below_a_name_is_a_file():
    named = [block.file for block in blocks(STEPS)]
    assert named == ["one.py", "", "one.py", "", ""]
