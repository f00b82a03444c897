"""Graphs by turn: lines for how things stood, bars for what was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from .maps import COLOURS

WIDTH, HEIGHT = 760.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 30.0, 34.0, 40.0
_SPACE = WIDTH - _LEFT - _RIGHT


def lines(
    title: str, sides: Sequence[str], turns: Sequence[str], values: Sequence[Sequence[int]]
) -> str:
    """A line for each side; `values` has for each turn a number for each side."""
    top = max(1, *(value for row in values for value in row))
    step = _SPACE / max(1, len(turns) - 1)
    shapes: list[str] = []
    for side, colour in zip(range(len(sides)), COLOURS):
        points = [(_LEFT + k * step, _height(row[side], top)) for k, row in enumerate(values)]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        shapes.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        shapes += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"><title>'
            f"{escape(f'{name}: {sides[side]} {row[side]}')}</title></circle>"
            for (x, y), name, row in zip(points, turns, values)
        ]
    return _frame(title, sides, turns, top, shapes, step, _LEFT)


def bars(
    title: str, sides: Sequence[str], turns: Sequence[str], values: Sequence[Sequence[int]]
) -> str:
    """A bar for each side in each turn."""
    top = max(1, *(value for row in values for value in row))
    step = _SPACE / max(1, len(turns))
    wide = min(26.0, step * 0.7 / len(sides))
    shapes: list[str] = []
    for k, row in enumerate(values):
        left = _LEFT + (k + 0.5) * step - wide * len(sides) / 2
        for side, value in enumerate(row):
            y = _height(value, top)
            shapes.append(
                f'<rect x="{left + side * wide:.1f}" y="{y:.1f}" width="{wide - 1:.1f}" '
                f'height="{HEIGHT - _BOTTOM - y:.1f}" fill="{COLOURS[side % len(COLOURS)]}">'
                f"<title>{escape(f'{turns[k]}: {sides[side]} {value}')}</title></rect>"
            )
    return _frame(title, sides, turns, top, shapes, step, _LEFT + step / 2)


def _height(value: int, top: int) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / top


def _frame(
    title: str,
    sides: Sequence[str],
    turns: Sequence[str],
    top: int,
    shapes: Sequence[str],
    step: float,
    first: float,
) -> str:
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
            f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">',
            f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fffdf7"/>',
            *_scale(top),
            *_names(turns, step, first),
            *shapes,
            *_legend(sides),
            "</svg>",
        ]
    )


def _scale(top: int) -> Iterator[str]:
    for value in sorted({0, top // 2, top}):
        y = _height(value, top)
        yield f'<path d="M{_LEFT:g} {y:.1f}H{WIDTH - _RIGHT:g}" stroke="#d8d0bc"/>'
        x, y = _LEFT - 6, y + 4
        yield f'<text x="{x:g}" y="{y:.1f}" text-anchor="end" fill="#444">{value}</text>'


def _names(turns: Sequence[str], step: float, first: float) -> Iterator[str]:
    # As many names as have room.
    longest = max((len(name) for name in turns), default=1) * 7 + 8
    every = max(1, -(-longest // max(1, int(step))))
    for k in range(0, len(turns), every):
        # Neither the first nor the last name may leave the picture.
        x = min(max(first + k * step, longest / 2), WIDTH - longest / 2)
        yield (
            f'<text x="{x:.1f}" y="{HEIGHT - 18:g}" text-anchor="middle" '
            f'fill="#444">{escape(turns[k])}</text>'
        )


def _legend(sides: Sequence[str]) -> Iterator[str]:
    x = _LEFT
    for name, colour in zip(sides, COLOURS):
        yield f'<rect x="{x:g}" y="10" width="14" height="12" fill="{colour}"/>'
        yield f'<text x="{x + 20:g}" y="20" fill="#222">{escape(name)}</text>'
        x += 44 + 8 * len(name)
