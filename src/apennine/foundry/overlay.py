"""Hand corrections, applied last, so that a map can be built anew from better data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from apennine.board import Course
from apennine.board.mistakes import Notes
from apennine.board.notation import Notation, Pair
from apennine.hexes import Edge, Hex, bits

from .draft import CoursesDraft, Draft, LineDraft, PlaceDraft, SideDraft, meeting, without_steps
from .mistakes import FoundryError
from .recipe import CoursesEdit, Edit, Overlay, PlaceRecipe
from .terrain import hexes_of

_Table = TypeVar("_Table")
_Runs = list[tuple[str, list[Edge]]]


def correct_terrain(draft: Draft, overlay: Overlay, known: Iterable[str]) -> None:
    """Apply what the overlay says of terrain: rivers and roads are laid on it."""
    known = set(known)
    for edit in overlay.edit:
        for name, terms in edit.terrain.items():
            if name not in known:
                raise FoundryError(f"overlay: There is no terrain {name!r} ({edit.why}).")
            for hex in bits(hexes_of(draft.lattice, terms, "overlay")):
                draft.terrain[hex] = name


def correct(draft: Draft, overlay: Overlay) -> None:
    """Apply all the rest of the overlay."""
    for edit in overlay.edit:
        _Correction(draft, edit).apply()


class _Correction:
    """One edit under way."""

    def __init__(self, draft: Draft, edit: Edit) -> None:
        self._draft = draft
        self._lattice = draft.lattice
        self._edit = edit
        self._notes = Notes("overlay")
        self._notation = Notation(draft.lattice, self._notes)

    def _fail(self, text: str) -> FoundryError:
        return FoundryError(f"overlay: {text} ({self._edit.why}).")

    def apply(self) -> None:
        draft, edit = self._draft, self._edit
        for name, texts in edit.side_terrain.items():
            for pair in self._pairs(texts, name):
                draft.side_terrain[self._lattice.edge_between(*pair)] = name
        for name, values in edit.numbers.items():
            if name not in draft.numbers:
                raise self._fail(f"There are no numbers {name!r}")
            for code, number in values.items():
                draft.numbers[name][self._notation.hex(code, name)] = number
        for name, change in edit.sides.items():
            self._sides(self._table(draft.sides, name, SideDraft), change, name)
        for name, change in edit.roads.items():
            self._courses(self._table(draft.roads, name, CoursesDraft), change, name)
        for name, change in edit.through.items():
            self._courses(self._table(draft.through, name, CoursesDraft), change, name)
        for name, change in edit.lines.items():
            self._line(self._table(draft.lines, name, _new_line), change, name)
        self._places()
        if self._notes.mistakes:
            raise self._fail(self._notes.mistakes[0].text.rstrip("."))

    def _table(self, tables: dict[str, _Table], name: str, make: Callable[[str], _Table]) -> _Table:
        if name not in tables:
            if not self._edit.source:
                raise self._fail(f"{name!r} is not in the recipe, so the edit needs a source")
            tables[name] = make(self._edit.source)
        return tables[name]

    def _pairs(self, texts: Iterable[str], key: str, directed: bool = False) -> list[Pair]:
        found = [self._notation.pairs(text, key, directed)[1] for text in texts]
        return [pair for pairs in found for pair in pairs if pair is not None]

    def _runs(
        self, texts: Iterable[str], key: str, toward: dict[Edge, Hex] | None
    ) -> tuple[_Runs, list[Edge]]:
        """Runs and single hexsides; directed ones are noted in `toward`."""
        runs: _Runs = []
        loose: list[Edge] = []
        for text in texts:
            run, pairs = self._notation.run(text, key, toward is not None)
            if toward is not None:
                toward.update({self._lattice.edge_between(*pair): pair.a for pair in pairs})
            if len(run.edges) == 1 and not run.name:
                loose += run.edges
            else:
                runs.append((run.name, list(run.edges)))
        return runs, loose

    def _sides(self, feature: SideDraft, change: CoursesEdit, name: str) -> None:
        gone = self._gone(change, name, feature.edges())
        feature.runs = self._cut(feature.runs, gone)
        feature.loose = [edge for edge in feature.loose if edge not in gone]
        replaced, alone = self._runs(change.replace, name, feature.uphill)
        self._has_names(replaced, {run for run, _ in feature.runs}, alone)
        new = {run for run, _ in replaced}
        feature.runs = [run for run in feature.runs if run[0] not in new] + replaced
        runs, loose = self._runs(change.add, name, feature.uphill)
        feature.runs += runs
        feature.loose += loose

    def _has_names(self, runs: _Runs, known: set[str], alone: Sequence[Edge]) -> None:
        for name, _ in runs:
            if not name or name not in known:
                raise self._fail(f"There is no course {name!r} to replace")
        if alone:
            raise self._fail("A course that replaces another needs its name")

    def _gone(self, change: CoursesEdit, name: str, there: set[Edge]) -> set[Edge]:
        gone = {self._lattice.edge_between(*p) for p in self._pairs(change.remove, name)}
        for edge in sorted(gone - there):
            codes = "/".join(self._lattice.code(h) for h in self._lattice.edge_hexes(edge))
            raise self._fail(f"There is no {name!r} on {codes} to remove")
        return gone

    def _cut(self, runs: _Runs, gone: set[Edge]) -> _Runs:
        cut: _Runs = []
        for name, edges in runs:
            piece: list[Edge] = []
            for edge in edges:
                if edge not in gone and (not piece or edge in meeting(self._lattice, piece[-1])):
                    piece.append(edge)
                    continue
                if piece:
                    cut.append((name, piece))
                piece = [] if edge in gone else [edge]
            if piece:
                cut.append((name, piece))
        return cut

    def _courses(self, feature: CoursesDraft, change: CoursesEdit, name: str) -> None:
        removed = self._pairs(change.remove, name)
        gone = {step for a, b in removed for step in ((a, b), (b, a))}
        for a, b in removed:
            if (a, b) not in feature.steps():
                codes = f"{self._lattice.code(a)}/{self._lattice.code(b)}"
                raise self._fail(f"No {name!r} leads over {codes}")
        feature.courses = without_steps(feature.courses, gone) if gone else feature.courses
        replaced = self._read_courses(change.replace, name)
        known = {course.name for course in feature.courses}
        for course in replaced:
            if not course.name or course.name not in known:
                raise self._fail(f"There is no course {course.name!r} to replace")
        new = {course.name for course in replaced}
        feature.courses = [c for c in feature.courses if c.name not in new] + replaced
        feature.courses += self._read_courses(change.add, name)

    def _read_courses(self, texts: Iterable[str], key: str) -> list[Course]:
        return [self._notation.course(text, key) for text in texts]

    def _line(self, line: LineDraft, change: CoursesEdit, name: str) -> None:
        there = {edge for _, run in line.runs for edge in run}
        line.runs = self._cut(line.runs, self._gone(change, name, there))
        if change.replace:
            line.runs, line.hexes = [], []
        if line.attacker is None and any(">" in text for text in [*change.replace, *change.add]):
            line.attacker = {}
        for text in [*change.replace, *change.add]:
            if "/" in text or ">" in text:
                runs, loose = self._runs([text], name, line.attacker)
                line.runs += [*runs, *(("", [edge]) for edge in loose)]
            else:
                line.hexes += self._read_courses([text], name)

    def _places(self) -> None:
        places = self._draft.places
        for name in self._edit.places.remove:
            if places.pop(name, None) is None:
                raise self._fail(f"There is no place {name!r} to remove")
        for name, change in self._edit.places.change.items():
            if name not in places:
                raise self._fail(f"There is no place {name!r} to change")
            self._change(places[name], change)
        for raw in self._edit.places.add:
            place = PlaceDraft(str(raw.get("name", "")), [], [], {}, "", (0.0, 0.0))
            self._change(place, raw)
            if not place.name or not place.hexes:
                raise self._fail("A place that is added needs a name and a hex")
            places[place.name] = place

    def _change(self, place: PlaceDraft, raw: dict[str, object]) -> None:
        try:
            entry = msgspec.convert({"name": place.name, **raw}, PlaceRecipe)
        except msgspec.ValidationError as error:
            raise self._fail(f"The place {place.name!r}: {error}") from None
        if entry.hex:
            codes = [entry.hex, *entry.hexes]
            place.hexes = [self._notation.hex(code, place.name) for code in codes]
            place.point = self._lattice.pixel(place.hexes[0])
        place.kinds = entry.kinds if "kinds" in raw else place.kinds
        place.numbers = {**place.numbers, **entry.numbers}
        place.source = entry.source or place.source


def _new_line(source: str) -> LineDraft:
    return LineDraft(source, "")
