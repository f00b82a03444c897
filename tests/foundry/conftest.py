import tomllib
from pathlib import Path

import msgspec
import pytest

from apennine.board import Board, parse_map
from apennine.foundry.build import build
from apennine.foundry.recipe import Overlay, Recipe
from tests.foundry import valley


@pytest.fixture(scope="session")
def geodata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return valley.write_geodata(tmp_path_factory.mktemp("geodata"))


@pytest.fixture
def recipe() -> Recipe:
    return msgspec.convert(tomllib.loads(valley.RECIPE), Recipe)


@pytest.fixture(scope="session")
def text(geodata: Path) -> str:
    recipe = msgspec.convert(tomllib.loads(valley.RECIPE), Recipe)
    return build(recipe, Overlay(), geodata, "valley").text


@pytest.fixture(scope="session")
def board(text: str) -> Board:
    return parse_map(text)
