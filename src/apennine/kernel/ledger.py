"""The ledger: one line for each testable rule of a game, and the proof that it is kept.

A game's `ledger.tsv` has the columns id, scope, kind, obligation, needs, example and, if wanted,
status: empty, "exempt: reason" for a rule that needs no code, "open: reason" for one that cannot be
kept yet, or "later: reason" for one of a part of the book that the game says it has not built. Game
code cites a rule by `rule("8.7.1")`, a test claims to prove it with `apennine.testing.rule`; both
are found here by reading the source, without running it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

COLUMNS = ("id", "scope", "kind", "obligation", "needs", "example", "status")

MOST_RULES = 3
"""A test that claims more rules than this proves none of them in particular."""


def rule(id: str) -> str:
    """Cite a rule in a game's code: the id itself, marked so that it can be found and checked.

    >>> rule("8.7.1")
    '8.7.1'
    """
    return id


class Row(msgspec.Struct, frozen=True):
    """One rule, in our own words."""

    id: str
    scope: str
    kind: str
    obligation: str
    needs: str
    example: str
    status: str = ""

    @property
    def exempt(self) -> bool:
        """Whether the rule needs no code."""
        return self.status.startswith("exempt:")

    @property
    def open(self) -> bool:
        """Whether the rule cannot be kept yet."""
        return self.status.startswith("open:")

    @property
    def later(self) -> bool:
        """Whether the rule is of a part of the book that is not built yet."""
        return self.status.startswith("later:")

    @property
    def reason(self) -> str:
        """Why the rule is exempt, open or left for later."""
        return self.status.partition(":")[2].strip()


class LedgerError(ValueError):
    """Every mistake found, a sentence each with its file and line."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


class Ledger:
    """The rules of one game by id, in the order of the file."""

    def __init__(self, key: str, rows: Sequence[Row]) -> None:
        self.key = key
        self._rows = {row.id: row for row in rows}

    @classmethod
    def read(cls, path: Path, key: str = "") -> Ledger:
        """The ledger of a game; LedgerError lists all mistakes of the file.

        Unless told, the game is the package that the file lies in: `<key>/data/ledger.tsv`.
        """
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise LedgerError([f"{path} cannot be read: {error}."]) from error
        mistakes: list[str] = []
        if not lines or tuple(lines[0].split("\t")) not in (COLUMNS[:-1], COLUMNS):
            mistakes.append(f"{path}:1: the columns must be {', '.join(COLUMNS)}.")
        rows: list[Row] = []
        first_lines: dict[str, int] = {}
        for number, line in enumerate(lines[1:], 2):
            fields = line.split("\t")
            # Editors drop the tab before an empty status, so the last column may be absent.
            if len(fields) not in (len(COLUMNS) - 1, len(COLUMNS)):
                expected = f"{len(COLUMNS) - 1} or {len(COLUMNS)}"
                mistakes.append(f"{path}:{number}: {len(fields)} columns instead of {expected}.")
                continue
            row = Row(*(field.strip() for field in fields))
            mistakes += [f"{path}:{number}: {wrong}" for wrong in _faults(row)]
            if row.id in first_lines:
                first = first_lines[row.id]
                mistakes.append(f"{path}:{number}: rule {row.id} is already on line {first}.")
            first_lines.setdefault(row.id, number)
            rows.append(row)
        if mistakes:
            raise LedgerError(mistakes)
        return cls(key or path.resolve().parent.parent.name, rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def __contains__(self, id: str) -> bool:
        return id in self._rows

    def __getitem__(self, id: str) -> Row:
        return self._rows[id]


def _faults(row: Row) -> Iterator[str]:
    if not row.id or any(map(str.isspace, row.id)):
        yield f"{row.id!r} is not an id."
    if not row.obligation:
        yield f"rule {row.id} has no obligation."
    if row.status:
        word = row.status.partition(":")[0].strip()
        if word not in ("exempt", "open", "later"):
            yield f"rule {row.id} has the unknown status {row.status!r}."
        elif not row.reason:
            yield f"rule {row.id} is {word} without a reason."


class Citation(NamedTuple):
    """A `rule(...)` in the code of a game."""

    id: str
    file: str
    line: int


def citations(package: Path) -> list[Citation]:
    """Every rule that the code of a game package cites, by file and line.

    By the last item of a bar, by the `rule` of an order, of an event, a question, a roll and all
    else that the kernel has a rule for, and by `rule("8.7.1")` wherever else one is named, which
    must be given a single string literal: LedgerError lists all that are not.
    """
    found: list[Citation] = []
    mistakes: list[str] = []
    for path in sorted(package.rglob("*.py")):
        file = path.relative_to(package.parent).as_posix()
        tree = _parse(path, file, mistakes)
        names = _names_of_rule(tree, "ledger")
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                match _literals(node):
                    case [id]:
                        found.append(Citation(id, file, node.lineno))
                    case _:
                        mistakes.append(f"{file}:{node.lineno}: rule() needs one literal id.")
            found += [Citation(id, file, line) for id, line in _cited_by_order(node)]
    if mistakes:
        raise LedgerError(mistakes)
    return sorted(found, key=lambda citation: (citation.file, citation.line))


_RULE_AT = {
    "ask": 3,
    "until": 4,
    "while_possible": 4,
    "Plain": 2,
    "Roll": 2,
    "Line": 2,
    "Outcome": 2,
    "Standing": 4,
    "Posting": 5,
    "Warning": 1,
    "Fault": 1,
}
"""Which argument of these is a rule; all else that the kernel has names it."""


def _values(cited: ast.expr) -> Iterator[ast.expr]:
    """What an expression may come to, its conditions left aside."""
    match cited:
        case ast.IfExp(body=one, orelse=other):
            yield from (*_values(one), *_values(other))
        case ast.Tuple(elts=several):
            for each in several:
                yield from _values(each)
        case _:
            yield cited


def _cited_by_order(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The ids that a part of an order cites: a bar, the rule of its class, a plain order."""
    cited: ast.expr | None = None
    match node:
        case ast.Yield(value=ast.Tuple(elts=[_, _, last])):
            cited = last
        case ast.Assign(targets=[ast.Name(id="rule")], value=value):
            cited = value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            cited = next(
                (v for n, v in zip(names, values) if isinstance(n, ast.Name) and n.id == "rule"),
                None,
            )
        case ast.Call(func=ast.Name(id=name), args=args, keywords=named):
            place = _RULE_AT.get(name, len(args))
            given = args[place : place + 1] + [word.value for word in named if word.arg == "rule"]
            cited = given[0] if given else None
        case _:
            pass
    for part in _values(cited) if cited else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
            yield part.value, part.lineno


def proofs(tests: Path, key: str) -> dict[str, list[str]]:
    """For each rule of the game `key`, the tests that claim to prove it, as pytest names them.

    Claims that cannot be counted raise LedgerError, which lists them all: ids that are not
    literals, no id or more than three, and claims on what pytest does not run.
    """
    found: dict[str, list[str]] = {}
    mistakes: list[str] = []
    for path in sorted(tests.rglob("test_*.py")):
        file = path.relative_to(tests.parent).as_posix()
        tree = _parse(path, file, mistakes)
        names = _names_of_rule(tree, "testing")
        for owner, decorator in _decorators(tree):
            if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) not in names:
                continue
            place = f"{file}:{decorator.lineno}"
            literals = _literals(decorator)
            if literals is None:
                mistakes.append(f"{place}: @rule needs literal ids.")
            elif literals[:1] != [key]:
                continue
            elif not 2 <= len(literals) <= 1 + MOST_RULES:
                mistakes.append(
                    f"{place}: @rule names {len(literals) - 1} rules, not one to {MOST_RULES}."
                )
            elif not all(name.lower().startswith("test") for name in owner):
                mistakes.append(f"{place}: @rule marks {'.'.join(owner)}, not a test.")
            else:
                for id in literals[1:]:
                    found.setdefault(id, []).append("::".join((file, *owner)))
    if mistakes:
        raise LedgerError(mistakes)
    return found


def _parse(path: Path, file: str, mistakes: list[str]) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        mistakes.append(f"{file}:{error.lineno}: {error.msg}.")
        return ast.Module([], [])


def _names_of_rule(tree: ast.Module, home: str) -> set[str]:
    """How a module calls the `rule` of the module `home`, by its imports."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            last = (node.module or "").rpartition(".")[2]
            for alias in node.names:
                if alias.name == "rule" and last == home:
                    names.add(alias.asname or "rule")
                elif alias.name == home:
                    names.add(f"{alias.asname or home}.rule")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.rpartition(".")[2] == home:
                    names.add(f"{alias.asname or alias.name}.rule")
    return names


def _literals(call: ast.Call) -> list[str] | None:
    """The arguments of a call if all are string literals."""
    values = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    texts = [value for value in values if isinstance(value, str)]
    return texts if len(texts) == len(call.args) and not call.keywords else None


def _decorators(
    node: ast.AST, owner: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], ast.expr]]:
    """Every decorator outside functions, with the names of the classes and function it is on."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in child.decorator_list:
                yield (*owner, child.name), decorator
        if isinstance(child, ast.ClassDef):
            yield from _decorators(child, (*owner, child.name))
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _decorators(child, owner)


class Coverage(msgspec.Struct, frozen=True):
    """How much of a ledger is proven.

    `total` is `exempt` + `tested` + `later` + the number of `missing`.
    """

    key: str
    total: int
    exempt: int
    tested: int
    later: int
    """Rules of parts of the book that are not built yet."""
    open: int
    """How many of the missing are declared open in the ledger."""
    missing: list[str]
    """Every rule that is neither exempt, tested nor left for later, the open ones included."""


def coverage(ledger: Ledger, proofs: Collection[str]) -> Coverage:
    """Compare a ledger with the ids of the rules that tests prove."""
    exempt = sum(row.exempt for row in ledger)
    unproven = [row for row in ledger if not row.exempt and row.id not in proofs]
    missing = [row for row in unproven if not row.later]
    return Coverage(
        key=ledger.key,
        total=len(ledger),
        exempt=exempt,
        tested=len(ledger) - exempt - len(unproven),
        later=len(unproven) - len(missing),
        open=sum(row.open for row in missing),
        missing=[row.id for row in missing],
    )
