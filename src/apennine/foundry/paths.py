"""Ways over the map: along hexsides from corner to corner, or from hex to hex."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from apennine.hexes import Edge, Hex, Lattice

from .sample import side_ends
from .spatial import Floats


class Step(NamedTuple):
    """A step from one node to the next, over an edge, at a cost."""

    cost: float
    to: int
    edge: int = -1


class Way(NamedTuple):
    """The cheapest way found: its nodes, the edges between them, and its cost."""

    nodes: list[int]
    edges: list[int]
    cost: float


def cheapest(
    starts: Mapping[int, float],
    targets: Mapping[int, float],
    steps: Callable[[int], Iterable[Step]],
    *,
    shortest: int = 0,
) -> Way | None:
    """The cheapest way from one of the starts to one of the targets, their own costs included.

    With `shortest`, ways of fewer steps are not taken. Ties go to the lower node, so that the same
    question always has the same answer.
    """
    best: dict[int, float] = {}
    came: dict[int, tuple[int, int]] = {}
    depth: dict[int, int] = {}
    queue: list[tuple[float, int, int, int, int]] = [
        (cost, node, -1, -1, 0) for node, cost in starts.items()
    ]
    heapq.heapify(queue)
    found: tuple[float, int] | None = None
    while queue:
        cost, node, before, edge, far = heapq.heappop(queue)
        if node in best:
            continue
        if found is not None and cost >= found[0]:
            break
        best[node], came[node], depth[node] = cost, (before, edge), far
        if node in targets and far >= shortest:
            total = cost + targets[node]
            if found is None or (total, node) < found:
                found = total, node
        for step in steps(node):
            if step.to not in best:
                heapq.heappush(queue, (cost + step.cost, step.to, node, step.edge, far + 1))
    if found is None:
        return None
    nodes, edges = [found[1]], list[int]()
    while came[nodes[-1]][0] >= 0:
        before, edge = came[nodes[-1]]
        nodes.append(before)
        edges.append(edge)
    return Way(nodes[::-1], edges[::-1], found[0])


def staged(
    starts: Mapping[int, float],
    targets: Mapping[int, float],
    stages: Sequence[Callable[[int], Iterable[Step]]],
    gates: Sequence[Mapping[int, float]],
) -> Way | None:
    """The cheapest way through stages, each with steps of its own, in order.

    A gate, one fewer than there are stages, says at which nodes, and at what cost, the way may
    pass into the next stage. So a way that must follow a winding line cannot cut off its bends.
    Where the way comes back to a node, the loop is cut out.
    """
    count = len(stages)

    def steps(node: int) -> Iterable[Step]:
        at, stage = divmod(node, count)
        for step in stages[stage](at):
            yield Step(step.cost, step.to * count + stage, step.edge)
        if stage + 1 < count and at in gates[stage]:
            yield Step(gates[stage][at], node + 1)

    way = cheapest(
        {node * count: cost for node, cost in starts.items()},
        {node * count + count - 1: cost for node, cost in targets.items()},
        steps,
    )
    return None if way is None else _without_loops(way, count)


def _without_loops(way: Way, count: int) -> Way:
    nodes, edges = [way.nodes[0] // count], list[int]()
    for encoded, edge in zip(way.nodes[1:], way.edges):
        node = encoded // count
        if node == nodes[-1]:
            continue
        if node in nodes:
            back = nodes.index(node)
            del nodes[back + 1 :], edges[back:]
        else:
            nodes.append(node)
            edges.append(edge)
    return Way(nodes, edges, way.cost)


class Corners:
    """The corners of the hexes of a map, joined by its inner hexsides."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.edges = lattice.edges(lattice.all_sides)
        numbers: dict[tuple[int, int], int] = {}
        points: list[Floats] = []
        self.ends: dict[Edge, tuple[int, int]] = {}
        for edge in self.edges:
            pair: list[int] = []
            for end in side_ends(lattice, edge):
                spot = (round(float(end[0]) * 1000), round(float(end[1]) * 1000))
                if spot not in numbers:
                    numbers[spot] = len(points)
                    points.append(end)
                pair.append(numbers[spot])
            self.ends[edge] = (pair[0], pair[1])
        self.points = np.array(points)
        self.sides: list[list[tuple[int, Edge]]] = [[] for _ in points]
        self.hexes: list[set[Hex]] = [set() for _ in points]
        for edge, (a, b) in self.ends.items():
            self.sides[a].append((b, edge))
            self.sides[b].append((a, edge))
            for corner in (a, b):
                self.hexes[corner].update(lattice.edge_hexes(edge))
        self.on_edge = [i for i, sides in enumerate(self.sides) if len(sides) < 3]
        """The corners on the edge of the map."""

    def corners_of(self, edges: Iterable[Edge]) -> list[int]:
        """The corners that hexsides touch, in order, each once."""
        return list(dict.fromkeys(c for edge in edges for c in self.ends[edge]))

    def distances(self, points: Floats) -> Floats:
        """Squares of the distances of all corners from a point."""
        return ((self.points - points) ** 2).sum(axis=1)
