"""Chapter 8: how far a stack can go, at its ordinary speed or operationally."""

from __future__ import annotations

from functools import lru_cache, partial

from apennine.hexes import Mask
from apennine.mechanics.reach import Costs, Reach, reach

from ..table.war import War


class March:
    """Where a stack can go: at its ordinary speed or, away from enemies, operationally (8.3)."""

    __slots__ = ("_fast", "_points", "_slow", "ends", "zone")

    def __init__(self, slow: Reach | None, fast: Reach | None, points: int, zone: Mask) -> None:
        self._slow = slow
        self._fast = fast
        self._points = points
        self.zone = zone
        """The enemy zone of control."""
        self.ends: Mask = slow.ends if slow else 0
        if fast:
            self.ends |= fast.ends & ~zone  # 8.3a: not to end next to an enemy
            if slow is None and fast.ends & zone:
                for cost, wave in fast.levels:
                    if cost <= points:
                        self.ends |= wave & fast.ends

    def _way(self, hex: int) -> Reach:
        if self._slow and (self._fast is None or self._slow.ends >> hex & 1):
            return self._slow
        assert self._fast
        return self._fast

    def on_the_way(self, hex: int) -> Mask:
        """All hexes that the way to one could lead through, and that hex."""
        return self._way(hex).nearer(hex) | 1 << hex

    def path(self, hex: int) -> list[int]:
        """The hexes of the way, the first one included."""
        return self._way(hex).path(hex)

    def cost(self, hex: int) -> int:
        """What the way costs, in ticks."""
        return self._way(hex).cost(hex)

    def is_operational(self, hex: int) -> bool:
        """Whether the way needs operational movement."""
        return self._way(hex) is self._fast and self.cost(hex) > self._points


@lru_cache(16)
def find_march(
    war: War,
    costs: Costs,
    start: int,
    points: int,
    extra: int,
    fresh: bool,
    own: Mask,
    enemy: Mask,
    crowded: Mask,
) -> March:
    """The ways of a stack past its enemies and their zones, over bridges of its own (8.1a).

    Crowded hexes may be passed (5b).
    """
    zone = war.zone(enemy)
    # Enemies block (8e), their zones stop (4.1a) and keep apart (4.1c, 4.1e); 5a bars the end.
    past = partial(reach, costs, start, fresh=fresh, ends_not=crowded, area=own)
    near = partial(past, blocked=enemy, stops=zone, apart=zone)
    if extra and points >= 0 and points < costs.dearest and fresh:
        # The minimum of one hex (8c) is for ordinary movement, so that is looked at apart.
        slow = near(points, minimum=True)
        return March(slow, past(points + extra, blocked=enemy | zone), points, zone)
    if extra:
        return March(None, near(points + extra), points, zone)
    return March(near(points, minimum=fresh), None, points, zone)
