"""A position: everything that lies on the table, as plain data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any, Self, get_type_hints

import msgspec

_UNSAFE = re.compile(r"\b(dict|set|Dict|Set|bytearray|deque|float|list|List)\b")
_BITBOARD = 1 << 53


class PositionError(ValueError):
    """A snapshot that does not fit its game's position."""


@dataclass(slots=True, eq=False, kw_only=True)
class Position:
    """The base of every game's position.

    A game subclasses it as a dataclass with ``slots=True, eq=False, kw_only=True`` and adds
    its own fields: ints (bitboards are ints), strings, bools, tuples, and lists of such. No
    list inside a list: a copy slices every list once and shares the rest, which makes it cost
    about a microsecond.

    >>> @dataclass(slots=True, eq=False, kw_only=True)
    ... class Skirmish(Position):
    ...     hex: list[int]
    >>> here = Skirmish(phase="move", hex=[4, 9])
    >>> there = here.copy()
    >>> there.hex[0] = 5
    >>> here.hex, here == there
    ([4, 9], False)
    """

    turn: int = 1
    phase: str = ""
    side: int = 0

    def copy(self) -> Self:
        """Another position with the same content that can be changed on its own."""
        return _make_copier(type(self))(self)

    def state(self) -> dict[str, Any]:
        """The fields by name, in order of declaration; the lists are the position's own."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def digest(self) -> str:
        """A fingerprint of the whole content, equal in every process and on every machine."""
        return blake2b(repr(self.state()).encode(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.state() == other.state()

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON values; large ints (bitboards) as hexadecimal text."""
        return {name: _plain(value) for name, value in self.state().items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`. Raises PositionError with every field that does not fit."""
        hints = get_type_hints(cls)
        names = [field.name for field in fields(cls)]
        faults = [f"{name} is missing" for name in names if name not in data]
        faults += [f"{name} is unknown" for name in data if name not in names]
        values: dict[str, Any] = {}
        for name in names:
            if name in data:
                try:
                    values[name] = _convert(data[name], hints[name])
                except (msgspec.ValidationError, ValueError) as error:
                    faults.append(f"{name}: {error}")
        if faults:
            raise PositionError(
                f"The snapshot does not fit {cls.__name__}: " + "; ".join(faults) + "."
            )
        return cls(**values)


def _make_copier(cls: type[Position]) -> Callable[[Any], Any]:
    """Write out the copy field by field: three times as fast as a loop over the names.

    From then on it is the class's own method; an heir without one of his own gets it made.
    """
    lines = ["def copy(self):", "    if self.__class__ is not cls:"]
    lines += ["        return write(self.__class__)(self)", "    new = make(cls)"]
    hints = get_type_hints(cls)
    for field in fields(cls):
        kind = str(hints[field.name]).removeprefix("<class '").removesuffix("'>")
        is_list = kind.startswith("list[") and kind.endswith("]")
        if _UNSAFE.search(kind.removeprefix("list[") if is_list else kind):
            raise TypeError(
                f"{cls.__name__}.{field.name}: {kind} cannot be in a position; "
                "use ints, strings, tuples, or lists of these."
            )
        value = f"self.{field.name}"
        if is_list:
            value += "[:]"
        lines.append(f"    new.{field.name} = {value}")
    lines.append("    return new")
    scope: dict[str, Any] = {"make": object.__new__, "cls": cls, "write": _make_copier}
    exec("\n".join(lines), scope)
    cls.copy = scope["copy"]
    return cls.copy


def _plain(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _BITBOARD:
        return hex(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _revive(value: Any) -> Any:
    """Hexadecimal text back into ints, in lists too; only called where an int is expected."""
    if isinstance(value, str) and value.lstrip("-").startswith("0x"):
        return int(value, 16)
    if isinstance(value, list):
        return [_revive(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _convert(value: Any, hint: Any) -> Any:
    if "int" in str(hint):
        value = _revive(value)
        if hint is int:
            if not isinstance(value, int):
                raise ValueError(f"{value!r} is not a whole number")
            return value
    return msgspec.convert(value, hint)
