"""Series of the lab: the same results whoever plays them, however often they are broken off."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apennine.cli import main
from apennine.games import get
from apennine.lab.games import Batch, Record, play_batch, play_one
from apennine.lab.spec import Setting, SpecError, read_spec
from apennine.lab.store import Store, StoreError
from apennine.lab.workers import Alone, Crew, Pool, Result, run

SPEC = """
game = "crossing"
games = {games}
seed = "test"
bots = ["random"]

[[sweep]]
file = "units.toml"
key = "units.{unit}.faces"
values = [[[3, 3], [1, 2]], [[9, 9], [9, 9]]]
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "what-if.toml"
    path.write_text(SPEC.format(games=6, unit=first_unit()))
    return path


def first_unit() -> str:
    return get("crossing").units[0]


def played(path: Path, spec: Path, crew: Crew) -> list[list[Record]]:
    settings, fingerprint = read_spec(spec)
    store = Store(path)
    store.begin(settings, fingerprint)
    for _ in run(store, settings, crew):
        pass
    return [store.records(number) for number in range(len(settings))]


class Broken(Alone):
    """Stops after so many batches, as by Ctrl-C."""

    def __init__(self, batches: int) -> None:
        self.batches = batches

    def play(self, next_batch: Callable[[], Batch | None]) -> Iterator[Result]:
        for number, result in enumerate(super().play(next_batch)):
            if number == self.batches:
                raise KeyboardInterrupt
            yield result


def test_a_series_broken_off_twice_comes_to_what_it_would_have_come_to(tmp_path: Path, spec: Path):
    whole = played(tmp_path / "whole.sqlite", spec, Alone())
    parts = tmp_path / "parts.sqlite"
    for batches in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            played(parts, spec, Broken(batches))
    assert 0 < len(Store(parts).done()) < 12
    assert played(parts, spec, Alone()) == whole
    assert [len(records) for records in whole] == [6, 6]


def test_two_processes_come_to_the_same_as_one(tmp_path: Path, spec: Path):
    alone = played(tmp_path / "one.sqlite", spec, Alone())
    assert played(tmp_path / "two.sqlite", spec, Pool(2)) == alone


class Dying(Pool):
    """Kills its first worker in the middle of its work."""

    killed = False

    def play(self, next_batch: Callable[[], Batch | None]) -> Iterator[Result]:
        import multiprocessing

        for result in super().play(next_batch):
            if not self.killed:
                self.killed = True
                victim = multiprocessing.active_children()[0]
                assert victim.pid is not None
                os.kill(victim.pid, signal.SIGKILL)
            yield result


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, spec: Path):
    alone = played(tmp_path / "one.sqlite", spec, Alone())
    crew = Dying(2)
    assert played(tmp_path / "killed.sqlite", spec, crew) == alone
    assert crew.killed


def test_settings_have_the_same_dice_and_other_data(spec: Path):
    settings, _ = read_spec(spec)
    assert len(settings) == 2
    assert len({series.seed for _, series in settings}) == 1
    digests = [play_one(series, 0).digest for _, series in settings]
    again = [play_one(series, 0).digest for _, series in settings]
    assert digests == again


def test_results_of_other_settings_are_not_mixed(tmp_path: Path, spec: Path):
    played(tmp_path / "a.sqlite", spec, Alone())
    spec.write_text(spec.read_text().replace('seed = "test"', 'seed = "other"'))
    with pytest.raises(StoreError, match="holds the results of other settings"):
        played(tmp_path / "a.sqlite", spec, Alone())


def test_what_is_counted_of_a_game_is_there(spec: Path):
    settings, _ = read_spec(spec)
    records, seconds = play_batch(Batch(0, settings[0].series, range(6)))
    assert seconds > 0
    assert sum(sum(map(sum, record.detail["losses"].values())) for record in records) > 0
    assert all(any(side for side in record.detail["visits"]) for record in records)
    assert any(record.detail["fights"] for record in records)
    last = get("crossing").scenarios[0].turns
    assert max(record.turns for record in records) == last, "a turn that nobody has is counted"
    assert all(int(turn) <= last for record in records for turn in record.detail["losses"])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ('key = "units.nobody.faces"', "there is no 'nobody'"),
        ('file = "arms.toml"', "has no file 'arms.toml'"),
        ("games = 0", "at least one game"),
        ("games = true", "Expected `int`"),
        ("colour = 3", "unknown field"),
    ],
)
def test_a_mistake_in_a_spec_gets_one_sentence(spec: Path, change: str, sentence: str):
    name = change.split(" ")[0]
    lines = spec.read_text().splitlines()
    kept = [change if line.startswith(f"{name} =") else line for line in lines]
    spec.write_text("\n".join(kept if change in kept else [change, *lines]))
    with pytest.raises(SpecError, match=sentence):
        read_spec(spec)


def test_the_command_plays_tells_and_writes_a_page(
    tmp_path: Path, spec: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["lab", "run", str(spec)]) == 0
    out = capsys.readouterr().out
    assert "12 new" in out or "12 of them new" in out
    assert "95 %" in out
    assert main(["lab", "run", str(spec)]) == 0
    assert "0 of them new" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert main(["lab", "report", str(spec.with_suffix(".sqlite")), "--html", str(page)]) == 0
    text = page.read_text()
    assert "Where there was fighting" in text
    assert "McNemar" in text
    assert main(["lab", "report", str(tmp_path / "no.sqlite"), "--html", str(page)]) == 2


def test_settings_of_a_spec_are_compared(spec: Path):
    settings, _ = read_spec(spec)
    assert all(isinstance(each, Setting) for each in settings)
    assert settings[0].name != settings[1].name


def test_the_series_of_the_page_can_be_played(tmp_path: Path):
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text()
    path = tmp_path / "air.toml"
    path.write_text(page.partition("```toml\n")[2].partition("```")[0])
    settings, _ = read_spec(path)
    names = [f"shifts.support_attack.columns={value}" for value in (1, 2)]
    assert [setting.name for setting in settings] == names
    assert {series.games for _, series in settings} == {200}
    weights = [get(s.key, s.packs).war.modifiers["support_attack"].columns for _, s in settings]
    assert weights == [1, 2]
