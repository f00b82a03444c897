"""Data sets: what is written is what was played."""

import json
from pathlib import Path
from typing import Any

import pytest

from apennine.cli import main
from apennine.games import get
from apennine.lab.games import play_one
from apennine.lab.spec import read_spec

parquet: Any = pytest.importorskip("pyarrow.parquet")


def test_a_series_becomes_a_data_set_with_a_card(tmp_path: Path):
    spec, out = tmp_path / "spec.toml", tmp_path / "set"
    spec.write_text('game = "crossing"\ngames = 2\nbots = ["random"]\nseed = "set"\n')
    assert main(["lab", "export", str(spec), "--out", str(out)]) == 0
    rows: list[dict[str, Any]] = parquet.read_table(out / "decisions.parquet").to_pylist()
    settings, _ = read_spec(spec)
    records = {number: play_one(settings[0].series, number) for number in (0, 1)}
    assert len(rows) == sum(record.decisions for record in records.values())
    layout = json.loads((out / "layout.json").read_text())
    schema = get("crossing").schema
    for row in rows:
        assert row["chosen"] in row["menu"]
        assert len({*map(tuple, row["menu"])}) == len(row["menu"]) > 1
        assert len(row["position"]) == layout["bytes"]
        assert row["winner"] == records[row["game"]].winner
        assert all(schema.describe(number) for number in row["chosen"])
    card = (out / "README.md").read_text()
    assert "| all | " in card
    assert get("crossing").data_digest in card
