"""The command `serve`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from apennine.cli import main


@pytest.mark.parametrize(
    ("database", "told"),
    [
        ("mysql://somewhere/else", "must be SQLite or PostgreSQL, not mysql"),
        ("nonsense", "'nonsense' is not the URL of a database"),
        ("sqlite:////no/such/folder/matches.sqlite", "cannot be opened"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_a_sentence(
    database: str, told: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["serve", "--no-open", "--database", database]) == 2
    complaint = capsys.readouterr().err
    assert told in complaint
    assert "Traceback" not in complaint


def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--no-open"]) == 2
    assert "pip install 'apennine[server]'" in capsys.readouterr().err


def test_it_says_where_it_is_and_serves_what_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    ran: list[dict[str, object]] = []
    monkeypatch.setattr("uvicorn.run", lambda _app, **options: ran.append(options))
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    command = ["serve", "--no-open", "--port", "8123", "--host", "0.0.0.0", "--database", database]
    assert main(command) == 0
    assert "http://localhost:8123/" in capsys.readouterr().out
    assert (ran[0]["host"], ran[0]["port"]) == ("0.0.0.0", 8123)
    assert (tmp_path / "matches.sqlite").is_file()
