"""Options, events and log entries in words, and an option back from its words.

Nothing here knows a game: a verb is what the game calls it, units and hexes have the names that
they have on the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from apennine.hexes import HexError
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Game, GameError
from apennine.kernel.log import HIDDEN, VEILED, Chosen, Entry, Rolled

_PREPOSITIONS = frozenset(("at", "by", "for", "from", "in", "into", "on", "over", "to", "with"))
_NUMBER = "({})"
UNSEEN = "?"
"""What a side reads in place of a name that is veiled from it."""


Namer = Callable[[Game[Any], int], str]
"""How a hex or box is called: `place_name`, or `spot_name` where there is room."""


def describe(game: Game[Any], option: Option, place: Namer | None = None) -> str:
    """An option as an order: "go 6 Arm to 0304", "attack 0304", "lose a step: 6 Arm".

    What is veiled from whoever reads it is "?".
    """
    name = place or place_name
    verb = option.verb.replace("_", " ")
    words = verb.split()
    governs = len(words) < 2 or words[-1] in _PREPOSITIONS
    text = verb
    if option.unit != -1:
        text += f"{'' if governs else ':'} {unit_name(game, option.unit)}"
    if option.hex != -1:
        if option.unit != -1:
            usual = "at" if len(words) > 1 and governs else "to"
            text += f" {_link(game, option.verb, usual)}"
        elif link := _link(game, option.verb, "" if governs else "at"):
            text += f" {link}"
        text += f" {UNSEEN if option.hex == VEILED else name(game, option.hex)}"
    value = _value(game, option.verb, option.value)
    return f"{text} {_number(game, option.verb).format(value)}" if value else text


def _value(game: Game[Any], verb: str, value: int) -> str:
    """A value as it is told: by its name if it has one, and not at all if it is 0."""
    if value == VEILED:
        return UNSEEN
    names = game.value_names.get(verb, ())
    return names[value] if 0 <= value < len(names) else str(value or "")


def _link(game: Game[Any], verb: str, usual: str) -> str:
    order = game.verbs.get(verb)
    return usual if order is None or order.link is None else order.link


def _number(game: Game[Any], verb: str) -> str:
    order = game.verbs.get(verb)
    return order.number if order else _NUMBER


def describe_event(game: Game[Any], event: Event, place: Namer | None = None) -> str:
    """An event as a sentence without its full stop: "6 Arm loses a step at 0304", "turn 2".

    What is veiled from whoever reads it is "?".
    """
    name = place or place_name
    words = [event.verb.replace("_", " ")]
    if event.unit >= 0 or event.unit == VEILED:
        words.insert(0, unit_name(game, event.unit))
    if event.hex >= 0 or event.hex == VEILED:
        where = UNSEEN if event.hex == VEILED else name(game, event.hex)
        # What is done to a place has the place for its subject.
        if len(words) == 1 and event.verb.startswith("is "):
            words.insert(0, where)
        else:
            words.append(f"at {where}")
    if value := _value(game, event.verb, event.value):
        words.append(value if len(words) == 1 else f"({value})")
    return " ".join(words)


def describe_entry(game: Game[Any], entry: Entry) -> str:
    """An entry of the log with its rule: "Allied: attack 0304 [6.1]", "rolled 3, 5 for ...".

    What a side chose in secret reads so for those who may not know it.
    """
    match entry:
        case Chosen():
            hidden = entry.option == HIDDEN
            what = "chooses in secret" if hidden else describe(game, entry.option)
            text = f"{game.sides[entry.side]}: {what}"
        case Rolled():
            by_hand = " by hand" if entry.given else ""
            text = f"rolled {', '.join(map(str, entry.faces))}{by_hand} for {entry.purpose}"
        case Event():
            text = describe_event(game, entry)
    return f"{text} [{entry.rule}]" if entry.rule else text


def unit_name(game: Game[Any], unit: int) -> str:
    """The name of a unit; its number if it is one that the game makes up in play."""
    if unit == VEILED:
        return UNSEEN
    return game.units[unit] if unit < len(game.units) else f"unit {unit}"


def place_name(game: Game[Any], place: int) -> str:
    """A hex by its number, a box by its title."""
    code = game.board.code(place)
    return next((box.title or code for box in game.board.boxes if box.name == code), code)


def spot_name(game: Game[Any], place: int) -> str:
    """A hex by the name of its town with its number, "Cassino (2419)", or by its number alone."""
    board = game.board
    towns = () if board.is_box(place) else board.places_at(place)
    return f"{towns[0].name} ({board.code(place)})" if towns else place_name(game, place)


def understand(game: Game[Any], text: str, verbs: Iterable[str] = ()) -> Option:
    """The option that somebody means by these words, whether or not it is allowed now.

    The inverse of `describe`, forgiving in case and spaces: first comes the verb, then perhaps a
    unit, a hex or a box, and a number in brackets or as the game tells it. `verbs` are those that
    are likely meant: with them, "fire at" is not cut short to "fire". GameError if there is no
    verb.
    """
    rest = " ".join(text.split())
    value = 0
    for told in {*(order.number for order in game.orders), _NUMBER}:
        pattern = re.escape(f" {told}").replace(r"\{\}", r"(-?\d+)")
        if found := re.search(f"{pattern}$", rest, re.IGNORECASE):
            value = int(found[1])
            rest = rest[: found.start()]
            break
    for verb, names in game.value_names.items():
        for number, name in enumerate(names):
            said = f" {_number(game, verb).format(name)}".casefold()
            if _spoken(rest).startswith(_spoken(verb)) and rest.casefold().endswith(said):
                value, rest = number, rest[: -len(said)]
    unit = -1
    for number, name in sorted(enumerate(game.units), key=lambda item: -len(item[1])):
        if found := re.search(rf"(?<!\S){re.escape(name)}(?!\S)", rest, re.IGNORECASE):
            unit = number
            rest = " ".join((rest[: found.start()] + rest[found.end() :]).split())
            break
    words = rest.split()
    known = {_spoken(verb): verb for verb in verbs}
    hex = -1
    # The verb comes first, perhaps with a box in its own name; the name of a box may be long.
    for start in range(1, len(words)) if _spoken(rest) not in known else ():
        hex = _location(game, " ".join(words[start:]))
        if hex >= 0:
            words = words[:start]
            break
    verb = _spoken(" ".join(words))
    links = {"at", "to", *(order.link for order in game.orders if order.link)}
    if verb not in known and hex >= 0 and words and words[-1].casefold() in links:
        verb = _spoken(" ".join(words[:-1]))
    if not verb:
        raise GameError(f"{text!r} does not say what to do: begin with a verb.")
    for begun in known:
        if verb not in known and verb.startswith(f"{begun} "):
            odd = verb.removeprefix(begun).strip()
            raise GameError(f"{odd!r} is no unit, hex or box of {game.title}.")
    return Option(known.get(verb, verb), unit, hex, value)


def _spoken(verb: str) -> str:
    return verb.replace("_", " ").casefold().rstrip(":")


def _location(game: Game[Any], text: str) -> int:
    board = game.board
    spoken = text.casefold()
    boxes = (
        box.name for box in board.boxes if spoken in (box.name.casefold(), box.title.casefold())
    )
    for code in (*boxes, text, text.upper()):
        try:
            return board.parse(code)
        except HexError:
            continue
    return -1
