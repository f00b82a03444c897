"""Options, events and log entries in words, and an option back from its words.

Nothing here knows a game: a verb is what the game calls it, units and hexes have the names that
they have on the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from apennine.hexes import HexError
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Game, GameError
from apennine.kernel.log import Chosen, Entry, Rolled
from apennine.kernel.view import HIDDEN

_PREPOSITIONS = frozenset(("at", "by", "for", "from", "in", "into", "on", "over", "to", "with"))
_LINKS = frozenset(("at", "to"))


def describe(game: Game[Any], option: Option) -> str:
    """An option as an order: "go 6 Arm to 0304", "attack 0304", "lose a step: 6 Arm"."""
    verb = option.verb.replace("_", " ")
    words = verb.split()
    governs = len(words) < 2 or words[-1] in _PREPOSITIONS
    text = verb
    if option.unit >= 0:
        text += f"{'' if governs else ':'} {unit_name(game, option.unit)}"
    if option.hex >= 0:
        if option.unit >= 0:
            text += " at" if len(words) > 1 and governs else " to"
        elif not governs:
            text += " at"
        text += f" {game.board.code(option.hex)}"
    return f"{text} ({option.value})" if option.value else text


def describe_event(game: Game[Any], event: Event) -> str:
    """An event as a sentence without its full stop: "6 Arm loses a step at 0304", "turn 2"."""
    words = [event.verb.replace("_", " ")]
    if event.unit >= 0:
        words.insert(0, unit_name(game, event.unit))
    if event.hex >= 0:
        words.append(f"at {game.board.code(event.hex)}")
    if event.value:
        bare = event.unit < 0 and event.hex < 0
        words.append(str(event.value) if bare else f"({event.value})")
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
    return game.units[unit] if unit < len(game.units) else f"unit {unit}"


def understand(game: Game[Any], text: str, verbs: Iterable[str] = ()) -> Option:
    """The option that somebody means by these words, whether or not it is allowed now.

    The inverse of `describe`, forgiving in case and spaces: first comes the verb, then perhaps a
    unit, a hex or a box, and a number in brackets. `verbs` are those that are likely meant: with
    them, "fire at" is not cut short to "fire". GameError if there is no verb.
    """
    rest = " ".join(text.split())
    value = 0
    if bracketed := re.search(r" \((-?\d+)\)$", rest):
        value = int(bracketed[1])
        rest = rest[: bracketed.start()]
    unit = -1
    for number, name in sorted(enumerate(game.units), key=lambda item: -len(item[1])):
        if found := re.search(rf"(?<!\S){re.escape(name)}(?!\S)", rest, re.IGNORECASE):
            unit = number
            rest = " ".join((rest[: found.start()] + rest[found.end() :]).split())
            break
    words = rest.split()
    hex = -1
    for start in range(1, len(words)):  # the verb comes first; the name of a box may be long
        hex = _location(game, " ".join(words[start:]))
        if hex >= 0:
            words = words[:start]
            break
    verb = _spoken(" ".join(words))
    known = {_spoken(verb): verb for verb in verbs}
    if verb not in known and hex >= 0 and words and words[-1].casefold() in _LINKS:
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
    boxes = (box.name for box in board.boxes if box.name.casefold() == text.casefold())
    for code in (*boxes, text, text.upper()):
        try:
            return board.parse(code)
        except HexError:
            continue
    return -1
