"""The games that every contract is held to."""

from typing import Any

import pytest

from apennine.kernel.game import Game
from tests.contracts.playthroughs import MODULES, load

pytest.register_assert_rewrite("tests.contracts.contracts")


@pytest.fixture(scope="session", params=MODULES, ids=lambda module: module.split(".")[-1])
def module(request: pytest.FixtureRequest) -> str:
    """The name of a game's package."""
    return request.param


@pytest.fixture(scope="session")
def game(module: str) -> Game[Any]:
    """The game itself."""
    return load(module)
