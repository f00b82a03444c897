from pathlib import Path

import pytest

from apennine.foundry import __main__ as foundry
from apennine.foundry.recipe import map_path


def run(*args: str) -> int:
    return foundry.main(list(args))


def test_check_tells_that_a_map_is_sound(capsys: pytest.CaptureFixture[str]):
    assert run("check", "italy1944") == 0
    assert "italy1944 is sound" in capsys.readouterr().out


def test_check_fails_on_a_faulty_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = (
        map_path("italy1944")
        .read_text("utf-8")
        .replace('"Cassino", at = "3020"', '"Cassino", at = "3021"')
    )
    (tmp_path / "map.toml").write_text(text, encoding="utf-8")
    assert run("check", "italy1944", "--file", str(tmp_path / "map.toml")) == 1
    assert "fault: control: Cassino is in 3021" in capsys.readouterr().out


def test_draw_makes_a_picture(tmp_path: Path):
    assert run("draw", "italy1944", "--out", str(tmp_path / "map.svg")) == 0
    assert "Cassino" in (tmp_path / "map.svg").read_text("utf-8")


def test_an_unknown_map_is_a_sentence(capsys: pytest.CaptureFixture[str]):
    assert run("check", "atlantis") == 2
    assert "There is no such file" in capsys.readouterr().err


def test_a_missing_directory_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("build", "italy1944", "--geodata", str(tmp_path / "none")) == 2
    assert "no such directory" in capsys.readouterr().err
