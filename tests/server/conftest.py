"""Servers and databases for tests: SQLite, and a real PostgreSQL that is started here."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from starlette.testclient import TestClient

from apennine.server.app import make_app
from apennine.server.limits import Limits
from apennine.server.settings import Settings
from tests.server.playing import GAMES

_numbers = count()


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs: Debian's newest, or the one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server of our own, without the name of a database."""
    programs = _programs()
    if programs is None:
        line = "NO POSTGRESQL HERE: its tests are skipped; install Debian's package postgresql."
        if os.environ.get("CI"):
            pytest.fail(line)
        pytest.skip(line)
    folder = Path(tempfile.mkdtemp(prefix="apennine-pg-"))
    user = None
    if os.geteuid() == 0:  # it refuses to run as root
        user = "postgres"
        owner = pwd.getpwnam(user)
        os.chown(folder, owner.pw_uid, owner.pw_gid)

    def run(*command: str) -> None:
        subprocess.run(
            [str(programs / command[0]), *command[1:]],
            check=True,
            user=user,
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )

    data = str(folder / "data")
    run("initdb", "-D", data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8")
    options = f"-k {folder} -c listen_addresses='' -c max_connections=60 -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://tester@/{{name}}?host={folder}"
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def new_postgres(postgres: str) -> str:
    """The URL of an empty PostgreSQL database."""
    name = f"test{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(postgres.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres.format(name=name)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once of each kind."""
    if request.param == "postgres":
        return request.getfixturevalue("new_postgres")
    return f"sqlite:///{tmp_path / 'matches.sqlite'}"


@pytest.fixture(scope="session")
def cache(drawn_maps: Path) -> str:
    """The folder for drawn maps, as servers started by the command name it."""
    return str(drawn_maps / "apennine")


@pytest.fixture
def settings(tmp_path: Path, cache: str) -> Settings:
    """A server on SQLite that lets its clients ask as much as they like."""
    return Settings(
        database=f"sqlite:///{tmp_path / 'matches.sqlite'}",
        games=GAMES,
        cache=cache,
        limits=Limits(enforced=False),
        hosts=("testserver",),
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A client of such a server."""
    with TestClient(make_app(settings)) as client:
        yield client
