from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.contracts.golden import FOLDER, MEANT, MODULES, files, load


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.split(".")[-1])
def test_the_game_plays_as_its_golden_files_tell(module: str):
    for path, text in files(load(module)).items():
        assert path.exists(), f"{path.name} is not there. {MEANT}"
        golden = path.read_text("utf-8")
        changes = unified_diff(golden.splitlines(), text.splitlines(), "golden", "now", n=2)
        assert golden == text, "\n".join([f"{path.name} differs. {MEANT}", *list(changes)[:40]])


def test_every_golden_file_is_of_a_game_that_there_is():
    known = {path.name for module in MODULES for path in files(load(module))}
    assert {path.name for path in FOLDER.iterdir()} <= known
