"""Tests that need the extra `rl`: skipped with one loud line where it is missing, failing in CI."""

import os
from importlib.util import find_spec

import pytest

MISSING = [name for name in ("gymnasium", "pettingzoo", "pyspiel") if find_spec(name) is None]
collect_ignore_glob = ["test_*.py"] if MISSING else []


def pytest_sessionstart(session: pytest.Session) -> None:
    if MISSING and os.environ.get("CI"):
        raise pytest.UsageError(f"The extra rl is incomplete: {', '.join(MISSING)} missing.")


def pytest_report_header() -> str | None:
    if not MISSING:
        return None
    return f"ADAPTERS ARE NOT TESTED: {', '.join(MISSING)} missing, pip install 'apennine[rl]'"
