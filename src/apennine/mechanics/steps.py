"""Steps: how units wear down, and who pays for the hits a stack takes.

A unit's strength is a number of steps, a plain int in the position. What each step looks like is
its `Track`: two sides of one counter, or several counters that replace each other, with or without
a last step that has no values.

>>> pair = Track(("8-9", "4-5"))
>>> pair.full, pair.face(1), pair.face(0)
(2, '4-5', None)
>>> lose(2, 5)
Loss(left=0, taken=2, excess=3)

Hits on a stack are a `Pool` of points that buy steps from its members. `payments` lists what may be
bought next and `pay` buys it, until nothing is left to choose; whoever picks, each pick leads to a
legal end.

>>> pool = Pool(4, (Target(unit=1, steps=2, price=3), Target(unit=2, steps=2, price=2)))
>>> [payment.unit for payment in payments(pool)]
[1, 2]
>>> rest = pay(pool, Payment(STEP, 1, 3))
>>> rest.points, payments(rest)
(1, ())
"""

from __future__ import annotations

from typing import Final, Generic, NamedTuple, TypeVar

Face = TypeVar("Face")


class Track(NamedTuple, Generic[Face]):
    """The faces that a unit shows from full strength to its last step.

    With `face_down` there is one step more after the weakest face: that counter turned over, still
    on the map but without values.

    >>> worn = Track(("6-10", "5-9", "4-7"), face_down=True)
    >>> worn.full, worn.face(4), worn.face(2), worn.face(1), worn.is_face_down(1)
    (4, '6-10', '4-7', None, True)
    """

    faces: tuple[Face, ...]
    face_down: bool = False

    @property
    def full(self) -> int:
        """The steps of the unit when nothing is lost."""
        return len(self.faces) + self.face_down

    def face(self, steps: int) -> Face | None:
        """What shows with so many steps left; None when face down, or gone."""
        lost = self.full - steps
        if steps < 0 or lost < 0:
            raise ValueError(f"A unit of {self.full} steps cannot have {steps}.")
        return self.faces[lost] if steps and lost < len(self.faces) else None

    def is_face_down(self, steps: int) -> bool:
        """Whether only the step without values is left."""
        return self.face_down and steps == 1


class Loss(NamedTuple):
    """Steps left, steps lost, and losses that found no step."""

    left: int
    taken: int
    excess: int


def lose(steps: int, losses: int) -> Loss:
    """Take steps from one unit, as far as there are any."""
    taken = min(steps, losses)
    return Loss(steps - taken, taken, losses - taken)


def regain(steps: int, gained: int, full: int) -> int:
    """Give steps back to one unit, up to its full strength."""
    return min(steps + gained, full)


STEP: Final = "step"
MARK: Final = "mark"


class Target(NamedTuple):
    """A unit that may pay for hits."""

    unit: int
    steps: int
    price: int
    """Points for each step."""
    rank: int = 0
    """Members of a later rank pay only when none of an earlier rank can."""
    group: str = ""
    """Of the members that share a group, one step may be bought in all."""
    markable: bool = False
    """Whether points that buy no step can leave a mark on it; it takes only one."""


class Duty(NamedTuple):
    """A unit that must take a loss before others do, if there are points for one.

    Those named in `instead` may take that loss in its place.
    """

    unit: int
    instead: tuple[int, ...] = ()


class Pool(NamedTuple):
    """Hits still to be paid: immutable plain data, fit to lie in a position.

    Duties come first, in their order; one that cannot be paid is void. Then the members pay as the
    one who picks likes, but what can buy a step must. Points that cannot, mark the survivors at
    `mark_price` each (0: no marks), those of `mark_first` before others. What is left is excess.
    """

    points: int
    targets: tuple[Target, ...]
    duties: tuple[Duty, ...] = ()
    mark_price: int = 0
    mark_first: tuple[int, ...] = ()
    closed: tuple[str, ...] = ()
    """Groups whose one step has been bought."""


class Payment(NamedTuple):
    """One step lost (STEP), or one mark taken (MARK), by a unit."""

    kind: str
    unit: int
    price: int


def payments(pool: Pool) -> tuple[Payment, ...]:
    """All that may be paid next; nothing when the pool is settled."""
    able = {target.unit: target for target in pool.targets if _can_lose(pool, target)}
    if able:
        duty = _duty(pool, able)
        if duty:
            paying = [able[unit] for unit in (duty.unit, *duty.instead) if unit in able]
        else:
            first = min(target.rank for target in able.values())
            paying = [target for target in able.values() if target.rank == first]
        return tuple(Payment(STEP, target.unit, target.price) for target in paying)
    if not 0 < pool.mark_price <= pool.points:
        return ()
    unmarked = [target for target in pool.targets if target.steps and target.markable]
    if not unmarked:
        return ()
    preferred = [target for target in unmarked if target.unit in pool.mark_first]
    first = min(target.rank for target in unmarked)
    marked = preferred or [target for target in unmarked if target.rank == first]
    return tuple(Payment(MARK, target.unit, pool.mark_price) for target in marked)


def pay(pool: Pool, payment: Payment) -> Pool:
    """The pool after one of its `payments`."""
    if payment not in payments(pool):
        raise ValueError(
            f"Unit {payment.unit} may not pay {payment.price} for a {payment.kind} now."
        )
    paid = next(target for target in pool.targets if target.unit == payment.unit)
    duties, closed = pool.duties, pool.closed
    if payment.kind == STEP:
        able = {target.unit: target for target in pool.targets if _can_lose(pool, target)}
        duty = _duty(pool, able)
        # Points only dwindle, so duties passed over as too dear never come back.
        duties = duties[duties.index(duty) + 1 :] if duty else ()
        closed = (*closed, paid.group) if paid.group else closed
        after = paid._replace(steps=paid.steps - 1)
    else:
        after = paid._replace(markable=False)
    return pool._replace(
        points=pool.points - payment.price,
        targets=tuple(after if target is paid else target for target in pool.targets),
        duties=duties,
        closed=closed,
    )


def without(pool: Pool, unit: int) -> Pool:
    """The pool when a unit leaves it for another reason, such as the loss of what carried it."""
    return pool._replace(targets=tuple(t for t in pool.targets if t.unit != unit))


def _can_lose(pool: Pool, target: Target) -> bool:
    return target.steps > 0 and target.price <= pool.points and target.group not in pool.closed


def _duty(pool: Pool, able: dict[int, Target]) -> Duty | None:
    return next((duty for duty in pool.duties if duty.unit in able), None)
