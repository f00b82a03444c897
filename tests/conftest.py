"""Random tests draw the same examples every time, so that a failure can be met again."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def drawn_maps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the maps that servers draw: one for all processes of a run, each map once."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "drawn"
    os.environ["DRAWN_MAPS"] = str(folder)
    yield folder
    del os.environ["DRAWN_MAPS"]
