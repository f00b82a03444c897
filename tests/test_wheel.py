"""The built artefact: a wheel that holds all that playing needs, the data files included."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PLAY = """
import apennine
from apennine.bots import RandomBot
assert apennine.__file__.startswith({place!r}), apennine.__file__
match, bot = apennine.new("crossing", seed=7), RandomBot(seed=1)
while match.decision:
    match.choose(bot(match.seat()))
print(match.outcome.reason)
"""


def test_the_built_wheel_plays_a_whole_game(tmp_path: Path):
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("apennine-*.whl")
    place = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    environment = os.environ | {"PYTHONPATH": str(place)}
    played = subprocess.run(
        [sys.executable, "-c", PLAY.format(place=str(place))],
        env=environment,
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "Allies" in played.stdout or "side has no units left" in played.stdout
