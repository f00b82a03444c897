"""The contracts between an order and its bars, held at every question of random play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Any

from apennine.board import Board
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from apennine.kernel.order import Bar, Offer, Order, finer_bars
from apennine.kernel.refusal import Words

NO_BAR = (True, ())
"""A bar that lets everything through has nothing to say."""
TRIES = 12
"""Illegal options that are tried at one question."""


def offered(match: Match[Any]) -> Offer | None:
    """What is asked now, if it is asked by orders: a game that declares any asks by no other."""
    decision = match.decision
    if not isinstance(decision, Choice):
        return None
    if isinstance(decision.options, Offer):
        return decision.options
    assert not match.game.orders, f"{decision.prompt!r} is not asked by orders"
    return None


def the_menu_is_what_the_bars_leave(match: Match[Any], random: Random) -> None:
    """Also where a hot order gives its menu itself; and every option passes every bar."""
    offer = offered(match)
    if offer is None:
        return
    war, pos = offer.war, match.position
    whole: list[Option] = []
    for order in offer.orders:
        assert order.verb in match.game.verbs, f"{order.verb!r} is no verb of the game"
        given, left = list(order.menu(war, pos)), list(order.left(war, pos))
        assert len(given) == len(set(given)), f"{order.verb!r} has an option twice"
        assert set(given) == set(left), f"{order.verb!r}: {set(given) ^ set(left)}"
        whole += given
    assert whole == list(offer), "the menu is not that of the orders"
    for option in random.sample(whole, min(len(whole), TRIES)):
        order = offer.order(option.verb)
        assert order is not None
        refusal = order.refusal(war, pos, option)
        assert refusal is None, f"{option} is in the menu, and barred: {refusal}"


@cache
def places(board: Board) -> list[int]:
    """All hexes and boxes."""
    return [place for place in range(board.size) if place in board]


def made_up(match: Match[Any], order: Order[Any, Any], random: Random) -> Option:
    """An option of an order that names real units and hexes, likely ones rather than others."""
    assert isinstance(match.decision, Choice)
    game, option = match.game, random.choice(list(match.decision.options))
    ranges = {
        "unit": (option.unit, random.randrange(max(1, len(game.units)))),
        "hex": (option.hex, random.choice(places(game.board))),
        "value": (option.value, random.randrange(12)),
    }
    near = [hex for hex in getattr(match.position, "hex", ()) if hex >= 0]
    if near:
        ranges["hex"] += (random.choice(near),)
    named = {name: random.choice([n for n in ranges[name] if n >= 0]) for name in order.names}
    return Option(order.verb, **named)


def what_is_illegal_is_shut_out_by_a_bar(match: Match[Any], random: Random) -> None:
    offer = offered(match)
    if offer is None:
        return
    ledger = match.game.ledger
    for _ in range(TRIES):
        order = random.choice(offer.orders)
        option = made_up(match, order, random)
        if option in offer:
            continue
        assert order.refusal(offer.war, match.position, option), f"No bar shuts out {option}"
        refusal = match.why_not(option)
        assert refusal
        assert refusal.rule in ledger, f"{refusal.rule!r} is no rule: {refusal}"
        assert refusal.sentence[0].isupper() or not refusal.sentence[0].isalpha(), refusal
        assert refusal.sentence.endswith("."), refusal


def an_order_off_its_question_says_when_it_is_given(match: Match[Any], random: Random) -> None:
    offer = offered(match)
    if offer is None:
        return
    asked = {order.verb for order in offer.orders}
    for verb, order in match.game.verbs.items():
        if verb not in asked:
            refusal = match.why_not(Option(verb))
            assert refusal
            assert refusal.sentence.startswith(order.when)
            assert refusal.rule in match.game.ledger


def walk(war: Any, pos: Any, bars: Iterable[Bar], numbers: list[int] | None) -> Iterator[Bar]:
    """All bars, finer ones too, each checked to hold the whole menu but for the last resort."""
    for bar in bars:
        yield bar
        if len(bar) == 2 and bar != NO_BAR:
            finer = list(finer_bars(war, pos, bar))
            for one in finer[:-1]:
                for number in numbers or ():
                    assert one[0] is True or one[0] >> number & 1, f"{one} shuts out the legal"
            yield from walk(war, pos, finer, numbers)


def every_sentence_can_be_spoken(match: Match[Any], random: Random) -> None:
    """Templates hold no word that the game does not know; finer bars are no half-truths."""
    offer = offered(match)
    if offer is None:
        return
    war, pos = offer.war, match.position
    for order in offer.orders:
        options = list(order.left(war, pos))
        first = order.names[0] if order.names else None
        numbers = [getattr(option, first) for option in options] if first else None
        found = list(walk(war, pos, order.bars(war, pos), numbers))
        if len(order.names) > 1 and options:
            option = random.choice(options)
            known = getattr(option, order.names[0])
            same = [o for o in options if getattr(o, order.names[0]) == known]
            numbers = [getattr(o, order.names[1]) for o in same]
            found += walk(war, pos, order.then(war, pos, known), numbers)
        option = made_up(match, order, random)
        for bar in found:
            if len(bar) == 3:
                said = bar[1].format_map(Words(match.game, war, pos, option))
                assert said, bar
                assert bar[2] in match.game.ledger, f"{bar[2]!r} is no rule"


ORDERS = [
    the_menu_is_what_the_bars_leave,
    what_is_illegal_is_shut_out_by_a_bar,
    an_order_off_its_question_says_when_it_is_given,
    every_sentence_can_be_spoken,
]
