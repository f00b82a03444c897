"""Every build opens the saves of every release."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import apennine
from apennine.games import get
from apennine.kernel.save import read, replay
from tests.contracts.playthroughs import play_on
from tests.contracts.saves import FOLDER

SAVES = sorted(FOLDER.rglob("*.jsonl"))


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_save_of_a_release_opens_and_can_be_played_on(path: Path):
    match = apennine.load(path)
    assert (match.decision is None) == (match.outcome is not None)
    play_on(match, 20, Random(1))
    record = read(path)
    replayed = replay(record, get(record.header.game))
    if record.header.apennine == apennine.__version__:
        advice = "If rules or data have changed on purpose, this is no longer the same version."
        assert apennine.load(path).notes == (), advice
        assert replayed.divergence is None, advice
    play_on(replayed.match, 20, Random(1))
