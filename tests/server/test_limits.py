"""The limits by name: an operator can change each, and reads of each."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from apennine.cli import main
from apennine.server.budgets import Budget
from apennine.server.limits import Limits, change_limits

DOCS = Path(__file__).parents[2] / "docs" / "server.md"
NAMES = [field.name for field in msgspec.structs.fields(Limits) if field.name != "enforced"]


def told() -> dict[str, str]:
    """By name: the limit as the documents have it."""
    rows = re.findall(r"^\| (`[^|]*`) \| ([\d/., ]+) \|", DOCS.read_text(), re.MULTILINE)
    return {
        name: value
        for names, values in rows
        for name, value in zip(re.findall(r"`(\w+)`", names), values.split(", "), strict=True)
    }


def test_the_documents_tell_every_limit_as_it_is():
    def text(value: Budget | float) -> str:
        if isinstance(value, Budget):
            return f"{value.a_minute:g}/{value.a_day:g}"
        return str(value)

    assert told() == {name: text(getattr(Limits(), name)) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_limit_can_be_changed_by_its_name(name: str):
    wanted = "3/4" if isinstance(getattr(Limits(), name), Budget) else "3"
    changed = change_limits(Limits(), [f"{name}={wanted}"])
    assert getattr(changed, name) == (Budget(3, 4) if "/" in wanted else 3)


@pytest.mark.parametrize(
    ("wish", "complaint"),
    [
        ("soup=3", "the names are requests"),
        ("sockets", "A limit reads NAME=NUMBER"),
        ("sockets=many", "The limit sockets is a number above 0, not 'many'"),
        ("sockets=0", "a number above 0"),
        ("saves=3", "The limit saves is A/B, for a minute and a day, not '3'"),
        ("saves=3/0", "A/B"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_in_a_sentence(
    wish: str, complaint: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["serve", "--no-open", "--limit", wish]) == 2
    assert complaint in capsys.readouterr().err
