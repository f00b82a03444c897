"""The map at the end of a turn: who stands where, who came from where, where there was fighting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from apennine.board import Board
from apennine.foundry.draw import draw
from apennine.foundry.draw.page import RADIUS, Page
from apennine.hexes import Hex, bits
from apennine.kernel.words import unit_name

from .facts import Facts, Turn

COLOURS = ("#1f5fa8", "#b3420f", "#2f7a4f", "#7a4fa0")
"""By side: of its counters, arrows and lines on all pictures."""
GROUND = "report-ground"
"""The id under which the ground of all maps is kept in a page."""
_ROOT = re.compile(r"<svg [^>]*>")
_VIEW = re.compile(r'viewBox="([^"]*)"')
_CLASS = 'class="apennine-map" data-theme="light"'
_HALF = RADIUS * 0.6


class Atlas:
    """Draws the maps of a report. The ground is drawn once and lies under all of them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.board: Board = facts.game.board
        self.page = Page(self.board)
        drawn = draw(self.board, codes=False, legend=False, relief=False)
        found = _VIEW.search(drawn)
        assert found is not None
        self.view = found[1]
        self._inside = _ROOT.sub("", drawn, count=1).removesuffix("</svg>\n").removesuffix("</svg>")

    @property
    def ground(self) -> str:
        """The ground by itself, to be put into a page once; maps of that page refer to it."""
        return (
            f'<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>'
            f'<g id="{GROUND}" {_CLASS} font-family="sans-serif">{self._inside}</g>'
            "</defs></svg>"
        )

    def in_page(self, layers: str, title: str) -> str:
        """A map for a page that has the ground."""
        return f'{self._root(title)}<use href="#{GROUND}"/>{layers}</svg>'

    def alone(self, layers: str, title: str) -> str:
        """A map as a picture of its own."""
        ground = f"<g {_CLASS}>{self._inside}</g>"
        return f"{self._root(title)}{ground}{layers}</svg>\n"

    def _root(self, title: str) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{self.view}" '
            f'font-family="\'DejaVu Sans\',Verdana,Arial,sans-serif" role="img" '
            f'aria-label="{escape(title)}">'
        )

    def layers(self, turn: Turn) -> str:
        """What lies on the map at the end of a turn."""
        return "".join(
            [*self._control(turn), *self._ways(turn), *self._counters(turn), *self._fights(turn)]
        )

    def _control(self, turn: Turn) -> Iterator[str]:
        """The hexes that each side holds, if the game says."""
        game = self.facts.game
        for side, colour in zip(range(len(game.sides)), COLOURS):
            path = "".join(
                "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in self.page.outline(hex)) + "Z"
                for hex in bits(game.control(turn.position, side))
            )
            if path:
                yield f'<path d="{path}" fill="{colour}" fill-opacity=".13"/>'

    def _ways(self, turn: Turn) -> Iterator[str]:
        for section in turn.sections:
            colour = COLOURS[section.side % len(COLOURS)]
            for way in section.moves.values():
                if way[0] != way[-1]:
                    yield self._arrow([self.page.centre(hex) for hex in way], colour)

    def _arrow(self, points: list[tuple[float, float]], colour: str) -> str:
        (ax, ay), (bx, by) = points[-2:]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1.0
        dx, dy = (bx - ax) / length, (by - ay) / length
        # The counter lies over the end, so the head is before it.
        tip = bx - dx * _HALF, by - dy * _HALF
        foot = tip[0] - dx * 9, tip[1] - dy * 9
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [*points[:-1], foot])
        head = (
            f"M{tip[0]:.1f} {tip[1]:.1f}L{foot[0] - dy * 5:.1f} {foot[1] + dx * 5:.1f}"
            f"L{foot[0] + dy * 5:.1f} {foot[1] - dx * 5:.1f}Z"
        )
        return (
            f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="2.6" '
            f'stroke-linejoin="round" stroke-opacity=".75"/><path d="{head}" fill="{colour}"/>'
        )

    def _counters(self, turn: Turn) -> Iterator[str]:
        """A counter for each side in a hex, with the steps that stand there."""
        for (hex, side), stack in sorted(self._stacks(turn.position).items()):
            x, y = self.page.centre(hex)
            steps = sum(turn.position.steps[unit] for unit in stack)
            names = ", ".join(unit_name(self.facts.game, unit) for unit in stack)
            colour = COLOURS[side % len(COLOURS)]
            for shift in range(min(len(stack), 3) - 1, -1, -1):
                yield (
                    f'<rect x="{x - _HALF + 3 * shift:.1f}" y="{y - _HALF * 0.8 - 3 * shift:.1f}" '
                    f'width="{2 * _HALF:.1f}" height="{1.6 * _HALF:.1f}" rx="2" fill="{colour}" '
                    'stroke="#fff" stroke-width="1.2"/>'
                )
            yield (
                f'<text x="{x:.1f}" y="{y + 5.5:.1f}" text-anchor="middle" font-size="16" '
                f'font-weight="bold" fill="#fff">{steps}<title>{escape(names)}</title></text>'
            )

    def _stacks(self, position: Any) -> dict[tuple[Hex, int], list[int]]:
        facts, size = self.facts, self.board.lattice.size
        unseen = facts.game.unseen(position, facts.side) if facts.side >= -1 else 0
        stacks: dict[tuple[Hex, int], list[int]] = {}
        for unit, hex in enumerate(position.hex):
            if 0 <= hex < size and unit in facts.owners and not unseen >> unit & 1:
                stacks.setdefault((hex, facts.owners[unit]), []).append(unit)
        return stacks

    def _fights(self, turn: Turn) -> Iterator[str]:
        """A burst at the corner of every hex that was attacked."""
        for place in dict.fromkeys(fight.place for fight in turn.fights):
            if 0 <= place < self.board.lattice.size:
                x, y = self.page.centre(place)
                yield f'<path transform="translate({x + _HALF:.1f} {y - _HALF:.1f})" {_BURST}/>'


_BURST = (
    'd="M0-11 3-4 10-6 5 0 10 6 3 4 0 11-3 4-10 6-5 0-10-6-3-4Z" fill="#ffd84a" '
    'stroke="#7a1f0c" stroke-width="1.5" stroke-linejoin="round"'
)
