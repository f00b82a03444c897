"""A front: lines one behind the other, and who gets to the posts of each before the enemy does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from apennine.hexes import Mask, bits, mask_of

from .ground import FAR, Ground, arrivals, chain
from .judge import Shelf
from .line import closed_by, leak_length, prices
from .weights import FrontWeights


class Man(NamedTuple):
    """Somebody who can hold a post."""

    unit: int
    hex: int
    pace: Hashable
    """His class in the ways of the ground."""
    points: int
    """What he can march in a turn, on the road and undisturbed."""
    tonight: Mask = 0
    """Where he can be at the end of this one; of use to those who are on the land."""


Men: TypeAlias = tuple[Man, ...]
Line: TypeAlias = tuple[int, ...]
Sent: TypeAlias = tuple[float, Man, int]
"""The turns of a march, who marches, and to which post."""


class Front:
    """The lines from shore to shore that shut the way to some exits.

    In a turn no more than so many `orders` can be given. Who is in no hex of the land comes on to
    the map by the exits.
    """

    def __init__(
        self,
        ground: Ground,
        exits: Mask,
        shores: tuple[Mask, Mask],
        weights: FrontWeights,
        orders: int,
    ) -> None:
        self.ground, self.exits, self.shores = ground, exits, shores
        self.weights, self.orders = weights, orders
        self.home = ground.distances(exits)
        """By hex, how far the nearest exit is."""
        self.shelf = Shelf()

    def leak(self, walkers: Mask, posts: Mask, barred: Mask = 0) -> float:
        """What it costs that some walker can get to an exit past units in some posts.

        `barred` are hexes that nobody enters, but beside which he may pass.
        """
        weights = self.weights
        closed = closed_by(self.ground, posts) | barred
        hexes = leak_length(self.ground, walkers, closed, self.exits)
        if hexes >= FAR:
            return 0.0
        way = self.ground.flood(self.exits, self.free(posts) & ~barred)
        out = (self.exits | self.ground.around(way)) & walkers
        cost = max(weights.long_leak, weights.leak - weights.leak_hex * hexes)
        return (cost if hexes else weights.walked_out) + weights.leaker * (out.bit_count() - 1)

    def free(self, posts: Mask) -> Mask:
        """The hexes that units in some posts do not shut."""
        return self.ground.land & ~closed_by(self.ground, posts)

    def doors(self, walkers: Mask, posts: Mask) -> Mask:
        """Where walkers step on a way to an exit that is open past some posts."""
        return self.ground.around(walkers) & self.ground.flood(self.exits, self.free(posts))

    def raiders(self, walkers: Mask, posts: Mask) -> Mask:
        """Walkers who are near an exit, with nobody in some posts between them and it."""
        free = self.free(posts)
        near = self.ground.spread(self.exits & free, self.weights.raided, free) & free
        return (closed_by(self.ground, near) | self.exits) & walkers

    def main_body(self, enemies: Iterable[int]) -> Mask:
        """The enemies that a line must shut out; not a raid far ahead of the others."""
        stacks = sorted(enemies, key=lambda hex: (self.home[hex], hex))
        if len(stacks) > 1 and self.home[stacks[1]] - self.home[stacks[0]] > self.weights.raid:
            stacks = stacks[1:]
        return mask_of(stacks)

    def best(
        self,
        enemy: Mask,
        men: Men,
        strong: Sequence[float],
        keys: Mask,
        more: Callable[[Line, int], float],
    ) -> Line:
        """The line that is best held, of several one behind the other; () if there is none.

        By hex, how `strong` the ground is; `keys` are hexes that should be held. `more` is what a
        line costs besides, given its posts and how many hexes are given up for it.
        """
        lines = [(self.line(enemy, men, strong, keys, back), back) for back in self.weights.backs]
        costs = [
            (self.holding(enemy, line, men) + more(line, back), line)
            for line, back in lines
            if line
        ]
        return min(costs, key=lambda pair: pair[0])[1] if costs else ()

    def line(
        self, enemy: Mask, men: Men, strong: Sequence[float], keys: Mask, back: int = 0
    ) -> Line:
        """The cheapest posts between the enemy and the exits, so much farther back than can be."""
        ground, home, terms = self.ground, self.home, self.weights.line
        away = ground.distances(enemy)
        most = min((home[hex] for hex in bits(enemy)), default=FAR) - 1
        hexes = mask_of(
            hex
            for hex in bits(ground.land & ~enemy)
            if most + away[hex] - back >= home[hex] >= most - back - self.weights.depth
        )
        here = [(man.hex, man.pace, man.points) for man in men if ground.land >> man.hex & 1]
        soon = self.shelf.get(("soon", men), lambda: arrivals(ground, here))
        lost = [most + 4 - away for away in home]
        price = prices(ground, hexes, terms, strong, lost, soon=soon, enemy=enemy, keys=keys)
        return tuple(chain(ground, price, self.shores, terms.gaps, terms.offshore))

    def holding(self, enemy: Mask, line: Line, men: Men) -> float:
        """What is wrong with a line: posts that nobody gets to before the enemy does."""
        weights, away = self.weights, self.ground.distances(enemy)
        sent = self.share_out(line, men)
        cost = weights.length * len(line) + weights.unmanned * (len(line) - len(sent))
        for turns, _, post in sent:
            late = turns - 1 - max(0, away[post] - 2) / weights.enemy_pace
            cost += weights.turn * turns + (weights.too_late + late if late > 0 else 0.0)
        cost += max(0, sum(turns > 0 for turns, _, _ in sent) - self.orders)
        return cost + weights.open * self.leak(enemy, self.tonight(line, men))

    def share_out(self, line: Line, men: Men) -> list[Sent]:
        """Who goes to which post, the shortest marches first."""

        def share() -> list[Sent]:
            pairs = [(self._turns(man, post), man, post) for man in men for post in line]
            free, posts, found = set(men), set(line), list[Sent]()
            for turns, man, post in sorted(pairs):
                if man in free and post in posts:
                    free.remove(man)
                    posts.remove(post)
                    found.append((turns, man, post))
            return found

        return self.shelf.get(("shared", line, men), share)

    def _turns(self, man: Man, post: int) -> float:
        """How long he marches to a post; more than a turn if the enemy is in the way."""
        turns = self._away(man, post) / man.points
        return turns if not turns or self._gets_to(man, post) else max(turns, 1.0)

    def _away(self, man: Man, post: int) -> int:
        field = self.ground.marches(man.pace, 1 << post)
        if self.ground.land >> man.hex & 1:
            return field[man.hex]
        return 1 + min(field[hex] for hex in bits(self.exits))

    def _gets_to(self, man: Man, post: int) -> bool:
        """Whether he can be in a post tonight."""
        if self.ground.land >> man.hex & 1:
            return bool(man.tonight >> post & 1)
        return self._away(man, post) <= man.points

    def tonight(self, line: Line, men: Men) -> Mask:
        """Where the men will be once as many have gone to their posts as there are orders."""
        places, orders = {man: man.hex for man in men}, self.orders
        for _, man, post in self.share_out(line, men):
            if post != man.hex and orders and self._gets_to(man, post):
                orders -= 1
                places[man] = post
        return mask_of(places.values()) & self.ground.land
