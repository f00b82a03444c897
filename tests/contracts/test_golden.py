from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.contracts.golden import FILES, FOLDER, MEANT, MODULES, load, path


@pytest.mark.parametrize("end", FILES)
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.split(".")[-1])
def test_the_game_plays_as_its_golden_file_tells(module: str, end: str):
    game = load(module)
    file = path(game, end)
    assert file.exists(), f"{file.name} is not there. {MEANT}"
    golden, now = file.read_text("utf-8"), FILES[end](game)
    changes = unified_diff(golden.splitlines(), now.splitlines(), "golden", "now", n=2)
    assert golden == now, "\n".join([f"{file.name} differs. {MEANT}", *list(changes)[:40]])


def test_every_golden_file_is_of_a_game_that_there_is():
    known = {path(load(module), end) for module in MODULES for end in FILES}
    assert set(FOLDER.iterdir()) <= known
