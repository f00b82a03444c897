"""What rules ask for and tell: choices, rolls and events; and the menus of choices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeVar, cast, overload

from apennine.hexes import FEW, bits, nth_bit


class Option(NamedTuple):
    """One thing that a side may do: one shape for every game.

    The client highlights `unit` and `hex`, a bot picks it, a save names it. -1 means none.
    """

    verb: str
    unit: int = -1
    hex: int = -1
    value: int = 0


class Choice(NamedTuple):
    """Yielded by rules: `side` must pick one of the options, and the rules get it back.

    At a `checkpoint` the phase, restarted on a copy of the position, would ask the same again
    with no roll and no change before it. A `secret` choice is shown to its own side alone.
    """

    side: int
    options: Sequence[Option]
    prompt: str
    rule: str
    checkpoint: bool = False
    secret: bool = False


class Line(NamedTuple):
    """One line of an explanation: a factor or a modifier, its value, and its rule."""

    text: str
    value: str
    rule: str = ""


class Roll(NamedTuple):
    """Yielded by rules: dice with these numbers of sides; the rules get the faces back.

    For dice that are read from a table, `column` says where in it and `lines` why there: they are
    kept in the log, so that a story need not work them out again.
    """

    sides: tuple[int, ...]
    purpose: str
    rule: str
    column: str = ""
    lines: tuple[Line, ...] = ()


class Event(NamedTuple):
    """Yielded by rules: something happened. Told to the log and to watchers.

    `reveals` says that something hidden came to light: no player may undo past it. `veil` names
    what of it ("unit", "hex", "value") only its `owner` sees: other sides are told "?" instead.
    """

    verb: str
    unit: int = -1
    hex: int = -1
    value: int = 0
    rule: str = ""
    reveals: bool = False
    veil: tuple[str, ...] = ()
    owner: int = -1


Procedure = Generator[Choice | Roll | Event, Any, None]
"""A phase: yields what it needs from outside, gets the answers back, tells what happened."""

N = TypeVar("N", bound=tuple[Any, ...])


def maker(kind: type[N]) -> Callable[[tuple[Any, ...]], N]:
    """What makes named tuples of plain ones that have all their fields, in their order.

    A named tuple that is called to make another runs a function in Python, which takes longer than
    all the rest. So this is for those that are made at every decision.
    """
    new = cast("Callable[..., N]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]
    return partial(new, kind)


new_option: Callable[[tuple[str, int, int, int]], Option] = maker(Option)
new_choice: Callable[[tuple[int, Sequence[Option], str, str, bool, bool]], Choice] = maker(Choice)


NONE: Sequence[Option] = ()
"""No options: the menu of an order that cannot be given."""


def settled(menu: Sequence[Option]) -> Sequence[Option]:
    """The menu as it stays: made if it was to be made later, copied if the rules hold the list."""
    kind = type(menu)
    if kind is tuple:
        return menu
    if kind is list:
        return tuple(menu)
    # Not by `isinstance`: to ask an abstract class for its instances is slow.
    settle: Callable[[], Sequence[Option]] | None = getattr(menu, "settle", None)
    return menu if settle is None else settle()


class LazyMenu(Sequence[Option]):
    """The shared part of the menus below, which build nothing but the option that is asked for."""

    __slots__ = ()

    def settle(self) -> Sequence[Option]:
        """The menu as it stays."""
        return self

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        size = len(self)
        if isinstance(index, slice):
            return [self._option(k) for k in range(*index.indices(size))]
        if 0 <= index < size:
            return self._option(index)
        if -size <= index < 0:
            return self._option(index + size)
        raise IndexError(f"The menu has {size} options, there is no number {index}.")

    @abstractmethod
    def _option(self, index: int) -> Option: ...

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        return NotImplemented

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:5]))
        more = ", ..." if len(self) > 5 else ""
        return f"<{len(self)} options: {shown}{more}>"


class Over(LazyMenu):
    """One verb over a set of hexes: nothing is built but the option that is asked for.

    >>> menu = Over("move", 0b10110, unit=3)
    >>> len(menu), menu[1], Option("move", 3, 4) in menu, Option("move", 3, 3) in menu
    (3, Option(verb='move', unit=3, hex=2, value=0), True, False)
    """

    __slots__ = ("mask", "unit", "value", "verb")

    def __init__(self, verb: str, mask: int, unit: int = -1, value: int = 0) -> None:
        self.verb = verb
        self.mask = mask
        self.unit = unit
        self.value = value

    def __len__(self) -> int:
        return self.mask.bit_count()

    def _option(self, index: int) -> Option:
        return new_option((self.verb, self.unit, nth_bit(self.mask, index), self.value))

    def __iter__(self) -> Iterator[Option]:
        verb, unit, value = self.verb, self.unit, self.value
        return iter([new_option((verb, unit, hex, value)) for hex in bits(self.mask)])

    def __contains__(self, option: object) -> bool:
        return (
            isinstance(option, Option)
            and option.hex >= 0
            and self.mask >> option.hex & 1 == 1
            and option.verb == self.verb
            and option.unit == self.unit
            and option.value == self.value
        )


class Among(LazyMenu):
    """One verb over some units. Rules may change their list of units afterwards.

    >>> Among("attack with", [4, 7], hex=12)[1]
    Option(verb='attack with', unit=7, hex=12, value=0)
    """

    __slots__ = ("hex", "units", "value", "verb")

    def __init__(self, verb: str, units: Sequence[int], hex: int = -1, value: int = 0) -> None:
        self.verb = verb
        self.units = tuple(units)
        self.hex = hex
        self.value = value

    def __len__(self) -> int:
        return len(self.units)

    def _option(self, index: int) -> Option:
        return new_option((self.verb, self.units[index], self.hex, self.value))

    def __contains__(self, option: object) -> bool:
        return (
            isinstance(option, Option)
            and option.unit in self.units
            and option.verb == self.verb
            and option.hex == self.hex
            and option.value == self.value
        )


class Each(LazyMenu):
    """One verb over a set of units, as a mask.

    >>> Each("attack with", 0b10010000, hex=12)[1]
    Option(verb='attack with', unit=7, hex=12, value=0)
    """

    __slots__ = ("hex", "mask", "value", "verb")

    def __init__(self, verb: str, mask: int, hex: int = -1, value: int = 0) -> None:
        self.verb = verb
        self.mask = mask
        self.hex = hex
        self.value = value

    def __len__(self) -> int:
        return self.mask.bit_count()

    def _option(self, index: int) -> Option:
        return new_option((self.verb, nth_bit(self.mask, index), self.hex, self.value))

    def __iter__(self) -> Iterator[Option]:
        verb, hex, value = self.verb, self.hex, self.value
        return iter([new_option((verb, unit, hex, value)) for unit in bits(self.mask)])

    def __contains__(self, option: object) -> bool:
        return (
            isinstance(option, Option)
            and option.unit >= 0
            and self.mask >> option.unit & 1 == 1
            and option.verb == self.verb
            and option.hex == self.hex
            and option.value == self.value
        )


class Menu(LazyMenu):
    """Several menus one after the other, each as lazy as it was until one looks.

    >>> menu = Menu(Over("move", 0b110, unit=0), [Option("done")])
    >>> len(menu), menu[-1].verb, Option("done") in menu
    (3, 'done', True)
    """

    __slots__ = ("_parts", "given", "size")

    def __init__(self, *parts: Sequence[Option]) -> None:
        self._parts: Sequence[Sequence[Option]] = parts
        self.size = -1
        """How many options there are: what `len` says, without a call; -1 until it is settled."""
        self.given: Option | None = None
        """The option that was asked for last by its number."""

    def settle(self) -> Sequence[Option]:
        if self.size < 0:
            self._parts = [part for part in map(settled, self._parts) if len(part)]
            self.size = sum(map(len, self._parts))
        return self

    def __len__(self) -> int:
        if self.size < 0:
            self.settle()
        return self.size

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        if self.size < 0:
            self.settle()
        if type(index) is not int or not 0 <= index < self.size:
            return super().__getitem__(index)
        # Straight to the option where there is a way: this is done at every decision.
        for part in self._parts:
            kind = type(part)
            if kind is Over or kind is Each:
                known: Any = part
                mask: int = known.mask
                size = mask.bit_count()
                if index < size:
                    if index < FEW:  # as `nth_bit`, which looks first whether there is one
                        for _ in range(index):
                            mask &= mask - 1
                        bit = (mask & -mask).bit_length() - 1
                    else:
                        bit = nth_bit(mask, index)
                    if kind is Over:
                        option = new_option((known.verb, known.unit, bit, known.value))
                    else:
                        option = new_option((known.verb, bit, known.hex, known.value))
                    break
            else:
                size = len(part)
                if index < size:
                    option = part[index]
                    break
            index -= size
        else:
            raise IndexError(index)
        self.given = option
        return option

    def _option(self, index: int) -> Option:
        return self[index]

    def __iter__(self) -> Iterator[Option]:
        self.settle()
        return chain.from_iterable(self._parts)

    def __contains__(self, option: object) -> bool:
        # Whoever picks by number brings back the very option that he was given.
        if option is self.given and option is not None:
            return True
        if self.size < 0:
            self.settle()
        for part in self._parts:  # noqa: SIM110  (a generator takes twice as long)
            if option in part:
                return True
        return False


class Later(LazyMenu):
    """A menu made when it is first looked at: never, while recorded answers are fed again.

    The match looks as soon as the choice is really asked, so the menu cannot change with the
    position afterwards.
    """

    __slots__ = ("_built", "_make")

    def __init__(self, make: Callable[[], Sequence[Option]]) -> None:
        self._make: Callable[[], Sequence[Option]] | None = make
        self._built: Sequence[Option] = ()

    def settle(self) -> Sequence[Option]:
        """The menu itself, made by the first call."""
        if self._make is not None:
            self._built = settled(self._make())
            self._make = None
        return self._built

    def __len__(self) -> int:
        return len(self.settle())

    def _option(self, index: int) -> Option:
        return self.settle()[index]

    def __iter__(self) -> Iterator[Option]:
        return iter(self.settle())

    def __contains__(self, option: object) -> bool:
        return option in self.settle()


def done(verb: str = "done", value: int = 0) -> tuple[Option]:
    """The option that does nothing but end a step, as a menu of one."""
    return (new_option((verb, -1, -1, value)),)
