"""A series as one HTML page: shares with their error bars, lengths, losses, and the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from apennine.board import Board
from apennine.foundry.draw import draw
from apennine.foundry.draw.page import RADIUS, Page
from apennine.games import get
from apennine.kernel.game import Game
from apennine.lab.games import Record
from apennine.lab.statistics import Difference, Interval, mean, paired, share
from apennine.lab.store import Store
from apennine.report.graphs import bars
from apennine.report.maps import COLOURS

STYLE = """
body { font: 16px/1.5 'DejaVu Sans', Verdana, Arial, sans-serif; color: #222; background: #fbf8f1;
  max-width: 1100px; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .25rem .8rem; text-align: left; border-bottom: 1px solid #ddd5c0;
  vertical-align: top } td.n { text-align: right }
svg { max-width: 100%; height: auto } h2 { margin-top: 2.5rem } .quiet { color: #665 }
"""


class Told(NamedTuple):
    """A setting with its games."""

    name: str
    series: dict[str, Any]
    records: list[Record]


def read(store: Store) -> list[Told]:
    """The settings of a file, with the games that were played so far."""
    return [
        Told(name, series, store.records(number))
        for number, (name, series) in enumerate(store.settings())
    ]


def wins(told: Told, side: int) -> Interval:
    """A side's share of the games, draws counted as not won."""
    return share(sum(record.winner == side for record in told.records), len(told.records))


def compare(first: Told, second: Told, side: int) -> Difference:
    """What the second setting changes for a side, in the games that both have played."""
    by_number = {record.number: record for record in second.records}
    pairs = [(r, by_number[r.number]) for r in first.records if r.number in by_number]
    return paired([a.winner == side for a, _ in pairs], [b.winner == side for _, b in pairs])


def html_page(store: Store, title: str) -> str:
    """The whole page; it needs no other file."""
    settings = read(store)
    game = get(settings[0].series["key"])
    parts = [f"<h1>{escape(title)}</h1>", *_heads(game, settings)]
    if len(settings) > 1:
        parts += _comparisons(game, settings)
    for told in settings:
        if told.records:
            parts += _setting(game, told)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"{''.join(parts)}</body></html>\n"
    )


def _heads(game: Game[Any], settings: Sequence[Told]) -> Iterator[str]:
    first = settings[0].series
    yield (
        f"<p>{escape(game.title)}, {first['scenario']}, played by "
        f"{escape(' and '.join(first['bots']))}; dice from the seed {escape(first['seed'])}, "
        "the same in every setting. Intervals hold with 95 % confidence.</p>"
    )
    sides = "".join(f"<th>{escape(side)} wins</th>" for side in game.sides)
    yield f"<table><tr><th>setting</th><th>games</th>{sides}<th>draws</th><th>turns</th></tr>"
    for told in settings:
        cells = "".join(
            f'<td class="n">{_told(wins(told, s))}</td>' for s in range(len(game.sides))
        )
        draws = sum(record.winner < 0 for record in told.records)
        turns = mean([record.turns for record in told.records])
        yield (
            f'<tr><td>{escape(told.name)}</td><td class="n">{len(told.records)}</td>{cells}'
            f'<td class="n">{draws}</td><td class="n">{turns.value:.1f}</td></tr>'
        )
    yield "</table>"
    for side in range(len(game.sides)):
        yield _shares(game, settings, side)


def _told(found: Interval) -> str:
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"


def _shares(game: Game[Any], settings: Sequence[Told], side: int) -> str:
    """A line for each setting: the share, and how far it may be off."""
    left, wide, row = 260, 460, 30
    high = row * len(settings) + 50
    colour = COLOURS[side]
    shapes = [f'<text x="0" y="18" font-weight="bold">{escape(game.sides[side])} wins</text>']
    for tick in range(0, 101, 25):
        x = left + wide * tick / 100
        shapes.append(
            f'<line x1="{x}" x2="{x}" y1="28" y2="{high - 20}" stroke="#ddd5c0"/>'
            f'<text x="{x}" y="{high - 4}" text-anchor="middle" font-size="12">{tick} %</text>'
        )
    for number, told in enumerate(settings):
        found, y = wins(told, side), 44 + row * number
        x, low, end = (left + wide * each for each in found)
        shapes.append(
            f'<text x="0" y="{y + 4}" font-size="13">{escape(told.name[:38])}</text>'
            f'<line x1="{low:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}" stroke="{colour}" '
            f'stroke-width="3"/><circle cx="{x:.1f}" cy="{y}" r="5" fill="{colour}">'
            f"<title>{_told(found)}</title></circle>"
        )
    return (
        f'<p><svg viewBox="0 0 {left + wide + 40} {high}" width="{left + wide + 40}" '
        f'role="img" font-family="\'DejaVu Sans\',Verdana,sans-serif">{"".join(shapes)}</svg></p>'
    )


def _comparisons(game: Game[Any], settings: Sequence[Told]) -> Iterator[str]:
    base, *others = settings
    yield f"<h2>Against {escape(base.name)}, game by game with the same dice</h2>"
    yield (
        "<table><tr><th>setting</th><th>side</th><th>games</th><th>more wins</th>"
        "<th>won only here</th><th>won only there</th><th>p</th></tr>"
    )
    for told in others:
        for side, name in enumerate(game.sides):
            found = compare(base, told, side)
            low, high = f"{found.share.low:+.1%}", f"{found.share.high:+.1%}"
            yield (
                f"<tr><td>{escape(told.name)}</td><td>{escape(name)}</td>"
                f'<td class="n">{found.pairs}</td>'
                f'<td class="n">{found.share.value:+.1%} ({low} to {high})</td>'
                f'<td class="n">{found.gained}</td><td class="n">{found.lost}</td>'
                f'<td class="n">{found.p:.3g}</td></tr>'
            )
    yield (
        '</table><p class="quiet">p: how likely so uneven a result is if the setting changes '
        "nothing (McNemar's exact test).</p>"
    )


def _setting(game: Game[Any], told: Told) -> Iterator[str]:
    yield f"<h2>{escape(told.name)}</h2>"
    reasons = Counter((record.winner, record.reason) for record in told.records)
    yield "<table><tr><th>winner</th><th>games</th><th>reason</th></tr>"
    for (winner, reason), count in reasons.most_common():
        name = game.sides[winner] if winner >= 0 else "draw"
        yield (
            f'<tr><td>{escape(name)}</td><td class="n">{count}</td><td>{escape(reason)}</td></tr>'
        )
    yield "</table>"
    lengths = Counter(record.turns for record in told.records)
    turns = range(1, max(lengths) + 1)
    names = [str(turn) for turn in turns]
    yield "<h3>Games by their last turn</h3>"
    yield bars("Games by their last turn", ["games"], names, [[lengths[turn]] for turn in turns])
    losses = [
        [
            sum(_row(record, turn)[side] for record in told.records)
            for side in range(len(game.sides))
        ]
        for turn in turns
    ]
    yield "<h3>Steps lost by turn, in all games together</h3>"
    yield bars("Steps lost by turn", game.sides, names, losses)
    yield from _maps(game, told)


def _row(record: Record, turn: int) -> Sequence[int]:
    return record.detail["losses"].get(str(turn), (0,) * 8)


def _maps(game: Game[Any], told: Told) -> Iterator[str]:
    fights: Counter[int] = Counter()
    visits: list[Counter[int]] = [Counter() for _ in game.sides]
    for record in told.records:
        fights.update({int(hex): n for hex, n in record.detail["fights"].items()})
        for side, found in enumerate(record.detail["visits"]):
            visits[side].update({int(hex): n for hex, n in found.items()})
    yield "<h3>Where there was fighting</h3>"
    yield heat(game.board, fights, "#b3261e")
    for side, name in enumerate(game.sides):
        yield f"<h3>Where units of the {escape(name)} side went</h3>"
        yield heat(game.board, visits[side], COLOURS[side])


def heat(board: Board, found: Counter[int], colour: str) -> str:
    """The map with a spot on each hex, the larger and darker the more there was."""
    page = Page(board)
    drawn = draw(board, codes=False, legend=False, relief=False)
    top = max(found.values(), default=1)
    spots: list[str] = []
    for hex, count in found.items():
        if hex in board.lattice:
            x, y = page.centre(hex)
            weight = (count / top) ** 0.5
            spots.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS * (0.25 + 0.65 * weight):.1f}" '
                f'fill="{colour}" fill-opacity="{0.25 + 0.55 * weight:.2f}">'
                f"<title>{board.code(hex)}: {count}</title></circle>"
            )
    return drawn.replace("</svg>", f"{''.join(spots)}</svg>")
