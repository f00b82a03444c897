"""Orders: each verb declared once, with the bars that make both its menu and its refusals.

A bar says what stays possible, the sentence against the rest, and the rule behind it. The menu is
what all bars leave, a refusal is the first bar that shuts an option out: the two cannot disagree.

>>> class March(Order[None, Position]):
...     verb, names = "march", (HEX,)
...     when, rule = "Units march in the movement phase", "8a"
...
...     def bars(self, war, pos):
...         yield 0b1111, "{hex} is at sea", "8a"
...         yield ~0b0010, "The enemy holds {hex}", "8b"
>>> [option.hex for option in March().menu(None, Position())]
[0, 2, 3]
>>> March().refusal(None, Position(), Option("march", hex=1))
Refusal(sentence='The enemy holds {hex}', rule='8b')
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast

from apennine.hexes import bits
from apennine.kernel.decision import (
    NONE,
    Choice,
    Each,
    Event,
    Menu,
    Option,
    Over,
    Procedure,
    Roll,
    new_choice,
    new_option,
    settled,
)
from apennine.kernel.position import Position

P = TypeVar("P", bound=Position)
W = TypeVar("W")

Name = Literal["unit", "hex", "value"]
UNIT: Name = "unit"
HEX: Name = "hex"
VALUE: Name = "value"

Finer: TypeAlias = "Iterable[Bar] | Callable[[Any, Any], Iterable[Bar]]"
Bar: TypeAlias = "tuple[int, str, str] | tuple[int, Finer]"
"""What stays, the sentence, the rule; or what stays and finer bars, read only to refuse.

What stays is a set of units, hexes or values as a mask, or a bool for all or nothing. The last of
the finer bars shuts out whatever the others have let through; they may be given as a function of
the war and the position, which is called only then.
"""
Bars = Iterator[Bar]

Range: TypeAlias = "Name | range | Callable[[Any], int | range]"
"""Numbers that may be named: those of all units or hexes, or some; by the war also as a mask."""

NOTHING: Mapping[Name, int] = MappingProxyType({"unit": -1, "hex": -1, "value": 0})
"""What an option says where it names nothing."""


class Refusal(NamedTuple):
    """Why an option is not in the menu: one sentence, and the rule that forbids it."""

    sentence: str
    rule: str = ""


class Order(Generic[W, P]):
    """A verb: what it names, when it is given, its bars, and what it does.

    A game subclasses it in the chapter that has the verb. Orders keep nothing but what the question
    has fixed for them (the stack that moves, the guns that have not fired): the war, which never
    changes, and the position are handed to every method.
    """

    __slots__ = ()

    verb: str
    names: tuple[Name, ...] = ()
    """What it names besides itself, the name that comes first in thought first."""
    when: str
    """When it is given, as a sentence without its full stop that is true at any time."""
    rule: str
    """The rule that has it."""
    opens: bool = False
    """Whether it begins something of its own, which the story then tells in one passage."""
    by_name: bool = False
    """Whether only its name means it, and never a mere click on its unit: it costs too much."""
    needs: str = ""
    """A field of the position without which it is never given: its bars say so too, but are not
    even looked at then."""
    link: str | None = None
    """The word before the hex where "to", "at" or none reads badly."""
    number: str = "({})"
    """How the value is told, as "for turn {}"."""
    implied: tuple[Name, ...] = ()
    """What it names that the question has fixed already: who knows the rest of it knows this."""
    ranges: Sequence[tuple[Name, Range]] = ()
    """What may ever be named: of values always, of units and hexes where it is not all of them."""

    def bars(self, war: W, pos: P) -> Bars:
        """The bars on the first name, or on the order as a whole if it names nothing."""
        del war, pos
        return iter(())

    def then(self, war: W, pos: P, first: int) -> Bars:
        """The bars on the second name, the first one being known and good."""
        del war, pos, first
        return iter(())

    def effect(self, war: W, pos: P, option: Option) -> Procedure | None:
        """Carry it out, if the procedure that asked does not do so itself."""
        del war, pos, option
        return None

    def veil(self, war: W, pos: P, option: Option) -> tuple[Name, ...]:
        """What of an option the other sides do not see: they are told "?" instead."""
        del war, pos, option
        return ()

    def left(self, war: W, pos: P) -> Sequence[Option]:
        """The options that its bars leave."""
        names, left = self.names, -1
        # As `what_stays`, which is not called because this is done many times at every decision.
        for bar in self.bars(war, pos):
            kept = bar[0]
            if kept is not True:
                left &= kept
                if not left:
                    return NONE
        if not names:
            return (new_option((self.verb, -1, -1, 0)),)
        if len(names) == 1:
            name = names[0]
            if name == "hex":
                return Over(self.verb, left)
            return Each(self.verb, left) if name == "unit" else self._over(name, left)
        first, second = names
        if left & left - 1:
            numbers = bits(left)
            return Menu(*[self._second(war, pos, first, number, second) for number in numbers])
        return self._second(war, pos, first, left.bit_length() - 1, second)

    menu = left
    """Its options now. Where this is hot an order may give them itself, the same ones."""

    def is_open(self, war: W, pos: P) -> bool:
        """Whether it has any options now; not all of them are built to know it."""
        if self.needs and not getattr(pos, self.needs):
            return False
        if len(self.names) < 2 or type(self).menu is not Order[Any, Any].menu:
            return len(self.menu(war, pos)) > 0
        first, second = self.names
        numbers = bits(what_stays(self.bars(war, pos)))
        return any(len(self._second(war, pos, first, number, second)) for number in numbers)

    def _second(self, war: W, pos: P, first: Name, number: int, second: Name) -> Sequence[Option]:
        """The options over the second name, the first one being known."""
        left = what_stays(self.then(war, pos, number))
        if first == "unit":
            return self._over(second, left, unit=number)
        if first == "hex":
            return self._over(second, left, hex=number)
        return self._over(second, left, value=number)

    def _over(
        self, name: Name, left: int, unit: int = -1, hex: int = -1, value: int = 0
    ) -> Sequence[Option]:
        """The options over one name, others being known or not named."""
        if name == "hex":
            return Over(self.verb, left, unit, value)
        if name == "unit":
            return Each(self.verb, left, hex, value)
        verb = self.verb
        return tuple([new_option((verb, unit, hex, each)) for each in bits(left)])

    def refusal(self, war: W, pos: P, option: Option) -> Refusal | None:
        """The first bar that shuts an option of this verb out; None if all let it through.

        The sentence is still a template: `apennine.kernel.refusal` fills in its names.
        """
        named = [int(getattr(option, name)) for name in self.names]
        found = _shut_out(war, pos, self.bars(war, pos), named[0] if named else None)
        if found is None and len(named) > 1:
            found = _shut_out(war, pos, self.then(war, pos, named[0]), named[1])
        return found


class Plain(Order[Any, Any]):
    """An order that names nothing and that nothing bars where it is asked for: "end movement"."""

    __slots__ = ("_menu", "rule", "verb", "when")

    def __init__(self, verb: str, when: str, rule: str) -> None:
        self.verb = verb
        self.when = when
        self.rule = rule
        self._menu = (Option(verb),)

    def menu(self, war: Any, pos: Any) -> Sequence[Option]:
        return self._menu


class Offer(Menu):
    """The menu of some orders, and the orders themselves: what a question offers.

    Built when it is first looked at: never, while recorded answers are fed again.
    """

    __slots__ = ("_pos", "orders", "war")

    def __init__(self, war: Any, pos: Position, orders: Sequence[Order[Any, Any]]) -> None:
        # As Menu.__init__, which is not called because this is made at every decision.
        self.size = -1
        self.given = None
        self.war = war
        self.orders = orders
        self._pos: Position | None = pos

    def settle(self) -> Sequence[Option]:
        pos = self._pos
        if pos is None:
            return self
        war = self.war
        kept: list[Sequence[Option]] = []
        total = 0
        # As `Menu.settle`, in the same pass: this is done at every decision.
        for order in self.orders:
            if order.needs and not getattr(pos, order.needs):
                continue
            part = order.menu(war, pos)
            if part is NONE:
                continue
            kind = type(part)
            if kind is Over or kind is Each:
                over: Any = part
                size: int = over.mask.bit_count()
            else:
                if kind is not tuple:
                    part = settled(part)
                size = len(part)
            if size:
                kept.append(part)
                total += size
        self._parts, self.size, self._pos = kept, total, None
        return self

    def order(self, verb: str) -> Order[Any, Any] | None:
        """The order with this verb, if the question has it."""
        for order in self.orders:
            if order.verb == verb:
                return order
        return None


Asking = Generator[Choice | Roll | Event, Any, Option]
"""A question, and what its answer leads to."""


def ask(
    war: W,
    pos: P,
    prompt: str,
    rule: str,
    *orders: Order[W, P],
    offer: Offer | None = None,
    side: int = -1,
    checkpoint: bool = False,
    secret: bool = False,
) -> Asking:
    """Ask a side (the active one, unless told another) for one of some orders, and carry it out.

    Whoever has looked at an offer already may hand it in instead of its orders. Returns the option
    that was chosen, for procedures that go on from there themselves.
    """
    asked = pos.side if side < 0 else side
    menu = Offer(war, pos, orders) if offer is None else offer
    chosen: Option = yield new_choice((asked, menu, prompt, rule, checkpoint, secret))
    verb = chosen.verb
    for order in menu.orders:
        if order.verb == verb:
            effect = order.effect(war, pos, chosen)
            if effect is not None:
                yield from effect
            break
    return chosen


Declared: TypeAlias = "Order[Any, Any] | type[Order[Any, Any]]"
"""A verb as a chapter declares it: a class, or a plain order."""


def orders_in(*chapters: ModuleType) -> tuple[Declared, ...]:
    """Every order that some modules declare, in their order; a package has chapter by chapter."""
    found: list[Declared] = []
    for chapter in (module for each in chapters for module in _chapters(each)):
        for item in cast("Iterable[Any]", vars(chapter).values()):
            if isinstance(item, Plain) or (_is_order(item) and item.__module__ == chapter.__name__):
                found.append(item)
    return tuple(found)


def _chapters(module: ModuleType) -> Iterator[ModuleType]:
    """A module, or all those of a package by name."""
    if not hasattr(module, "__path__"):
        yield module
        return
    for name in sorted(found.name for found in iter_modules(module.__path__)):
        yield import_module(f"{module.__name__}.{name}")


def hides(order: Declared) -> bool:
    """Whether an order has a veil of its own."""
    kind = order if isinstance(order, type) else type(order)
    return kind.veil is not Order[Any, Any].veil


def what_stays(bars: Bars) -> int:
    """What all bars leave of the set that the first of them gives.

    >>> what_stays(iter([(0b1111, "{hex} is at sea", "8a"), (~0b0010, "Enemies are there", "8b")]))
    13
    """
    left = -1
    for bar in bars:
        kept = bar[0]
        if kept is not True:
            left &= kept
            if not left:
                break
    return left


def _is_order(item: Any) -> bool:
    return isinstance(item, type) and issubclass(item, Order) and "verb" in dir(item)  # pyright: ignore[reportUnknownArgumentType]


def finer_bars(war: Any, pos: Position, bar: Bar) -> Iterable[Bar]:
    """What stands behind a bar without a sentence; nothing, if it has one."""
    if len(bar) == 3:
        return ()
    return bar[1](war, pos) if callable(bar[1]) else bar[1]


def _shut_out(war: Any, pos: Position, bars: Iterable[Bar], number: int | None) -> Refusal | None:
    for bar in bars:
        kept = bar[0]
        if kept is True or (kept if number is None else kept >> number & 1):
            continue
        if len(bar) == 3:
            return Refusal(bar[1], bar[2])
        finer = _shut_out(war, pos, finer_bars(war, pos, bar), number)
        if finer is None:
            raise AssertionError("The finer bars let through what their bar shuts out.")
        return finer
    return None
