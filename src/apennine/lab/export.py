"""A series as a data set: every decision, with what was seen, what was offered, what was chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from apennine import __version__
from apennine.games import get
from apennine.kernel.decision import Choice
from apennine.kernel.game import GameError
from apennine.lab.selfplay import Series, start
from apennine.lab.spec import Setting

CARD = """# {title}: decisions of {games} games

Made by Apennine {version} from series of bots against bots; every game can be played again from its
seed and number.

| setting | scenario | bots | games | seed | packs |
|---|---|---|---|---|---|
{rows}

`decisions.parquet` has a row for every question with two or more options:

| column | what it is |
|---|---|
| `setting`, `game` | which game of which setting |
| `nth` | the decision's number in it, from 0 |
| `side`, `turn`, `phase` | who was asked, and when |
| `menu` | the numbers of each option, one or two, in the order of the menu |
| `chosen` | the numbers of the one that was chosen |
| `position` | what the side saw, packed; `layout.json` names it, `Game.encoder.arrays` unpacks it |
| `winner` | the side that won in the end; -1: a draw |

An option has one number of the game's schema, or two if it leaves two things open:
`Game.schema.describe` tells each in words. The
data of the game have the fingerprint {digest}.
"""


def decisions(series: Series, number: int) -> list[dict[str, Any]]:
    """Game `number` of a checked series, decision by decision."""
    match, bots = start(series, number)
    game, rows = match.game, list[dict[str, Any]]()
    schema, encode = game.schema, game.encode
    while isinstance(match.decision, Choice):
        seat, pos = match.seat(), match.position
        menu = [schema.numbers(option) for option in seat.decision.options]
        row: dict[str, Any] = {
            "game": number,
            "nth": len(rows),
            "side": seat.side,
            "turn": pos.turn,
            "phase": pos.phase,
            "menu": menu,
            "position": encode(pos, seat.side),
        }
        option = bots[seat.side](seat)
        row["chosen"] = schema.numbers(option)
        rows.append(row)
        match.choose(option)
    assert match.outcome is not None
    for row in rows:
        row["winner"] = match.outcome.winner
    return rows


def write(settings: Sequence[Setting], folder: Path) -> int:
    """Write the data set of some settings into a folder; how many decisions it has."""
    try:
        import pyarrow as arrow  # pyright: ignore[reportMissingTypeStubs]
        from pyarrow import parquet  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise GameError("Data sets need the extra lab: pip install 'apennine[lab]'.") from None
    pa: Any = arrow
    pq: Any = parquet
    layout = pa.schema(
        [
            ("setting", pa.string()),
            ("game", pa.int32()),
            ("nth", pa.int32()),
            ("side", pa.int8()),
            ("turn", pa.int16()),
            ("phase", pa.string()),
            ("menu", pa.list_(pa.list_(pa.int32()))),
            ("chosen", pa.list_(pa.int32())),
            ("position", pa.binary()),
            ("winner", pa.int8()),
        ]
    )
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    with pq.ParquetWriter(folder / "decisions.parquet", layout, compression="zstd") as writer:
        for rows in _games(settings):
            total += len(rows)
            writer.write_table(pa.Table.from_pylist(rows, schema=layout))
    game = get(settings[0].series.key, settings[0].series.packs)
    encoder = game.encoder
    names = {
        "bytes": encoder.size,
        "planes": encoder.planes,
        "units": encoder.units,
        "numbers": encoder.numbers,
        "places": encoder.places,
        "names of units": list(game.units),
    }
    (folder / "layout.json").write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(_card(settings), encoding="utf-8")
    return total


def _games(settings: Sequence[Setting]) -> Iterator[list[dict[str, Any]]]:
    for name, series in settings:
        for number in range(series.games):
            yield [{"setting": name, **row} for row in decisions(series, number)]


def _card(settings: Sequence[Setting]) -> str:
    game = get(settings[0].series.key, settings[0].series.packs)
    rows: list[str] = []
    for name, series in settings:
        packs = [getattr(pack, "label", str(pack)) for pack in series.packs]
        bots, laid = ", ".join(series.bots), ", ".join(packs) or "none"
        about = (name, series.scenario, bots, series.games, series.seed, laid)
        rows.append(f"| {' | '.join(map(str, about))} |")
    return CARD.format(
        title=game.title,
        games=sum(series.games for _, series in settings),
        version=__version__,
        rows="\n".join(rows),
        digest=game.data_digest,
    )
