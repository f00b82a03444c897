"""What a seat is sent: its state of the match, and nothing that it may not know."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from apennine.hexes import bits
from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.game import EVERYBODY, Game, Outcome, Preview
from apennine.kernel.log import Rolled
from apennine.kernel.match import Match
from apennine.kernel.story import Chapter, Passage, Teller, falls
from apennine.kernel.view import seen_decision
from apennine.kernel.words import describe, unit_name
from apennine.server import fog, uploads
from apennine.server.errors import Refused
from apennine.server.messages import (
    Asked,
    Asking,
    ChatLine,
    ChatPart,
    Chronicle,
    Ended,
    Foreseen,
    Hexes,
    Label,
    Moments,
    PreviewChance,
    PreviewLine,
    SeenPart,
    Sitting,
    Stands,
    State,
    ToldChapter,
    ToldPassage,
    ToldRoll,
    Warned,
)
from apennine.server.room import Room
from apennine.server.seen import SeenLog

TAIL = 300
"""Entries of the log that come with a whole state; the older ones are asked for."""


class Eyes(NamedTuple):
    """Who looks: the sides that he holds, and the one through whose eyes he sees (-1: none)."""

    sides: tuple[int, ...]
    side: int


def eyes_of(room: Room, sides: Sequence[int], wanted: str | None = None) -> Eyes:
    """Through whose eyes somebody sees who holds these sides: unless told, who must decide."""
    held = tuple(sides)
    if wanted is not None:
        number = side_number(room.game, wanted)
        if number not in held:
            raise Refused(403, f"You do not hold the seat of {room.game.sides[number]}.")
        return Eyes(held, number)
    if not held:
        return Eyes((), EVERYBODY)
    decision = room.match.decision
    if isinstance(decision, Choice) and decision.side in held:
        return Eyes(held, decision.side)
    if isinstance(decision, Roll) and room.match.position.side in held:
        return Eyes(held, room.match.position.side)
    return Eyes(held, held[0])


def eyes_back(room: Room, sides: Sequence[int], wanted: str | None = None) -> Eyes:
    """The same for who looks back: when a match is over, anybody may see it as any side did."""
    if wanted is not None and room.outcome is not None:
        return Eyes(tuple(sides), side_number(room.game, wanted))
    return eyes_of(room, sides, wanted)


def side_number(game: Game[Any], name: str) -> int:
    """The number of a side; Refused if there is none of that name."""
    if name not in game.sides:
        raise Refused(422, f"{game.title} has no side {name!r}; it has {', '.join(game.sides)}.")
    return game.sides.index(name)


class Picture(NamedTuple):
    """A state without its log and its chat, of which a client may have a part already."""

    state: State
    mark: bytes
    """A fingerprint of everything in the state but log and chat, which only grow."""
    bare: bytes
    """The same without who is there."""


def picture(room: Room, eyes: Eyes, online: frozenset[int]) -> Picture:
    """What somebody sees of a room now. Shared by all who look so: do not change it."""
    key = (eyes, online)
    found = room.pictures.get(key)
    if found is None:
        found = room.pictures[key] = _picture(room, eyes, online)
    return found


def _picture(room: Room, eyes: Eyes, online: frozenset[int]) -> Picture:
    match, game, side = room.match, room.game, eyes.side
    seen = room.seen(side)
    outcome, upload = room.outcome, room.birth.upload
    view = match.view(side)
    decision = None if outcome else tell_decision(match, eyes)
    own = not outcome and isinstance(match.decision, Choice) and match.decision.side == side
    warnings = [_warned(game, warning) for warning in match.warnings(side)] if own else []
    before = room.baseline(side) if side >= 0 else None
    changed, came = _changed(before, view), _came(before, view)
    may_undo = room.may_take_back(eyes.sides) is not None
    chain = seen.chain[-1] if len(seen) else 0
    ended = None if outcome is None else tell_outcome(game, outcome)
    as_ = game.sides[side] if side >= 0 else None
    standing = tell_standing(match, side)
    shown = [as_, view, decision, len(seen), chain, warnings, changed, may_undo, standing, ended]
    at = _print(shown).hex()
    state = State(
        at=at,
        id=room.id,
        game=room.birth.game,
        title=game.title,
        scenario=match.scenario,
        options=dict(match.options),
        sides=list(game.sides),
        you=[game.sides[held] for held in eyes.sides],
        as_=as_,
        seats=tell_seats(room, online),
        view=view,
        decision=decision,
        log=SeenPart(from_=len(seen), entries=[]),
        changed=changed,
        came=came,
        may_undo=may_undo,
        may_roll_back=room.may_roll_back(eyes.sides),
        rollback=_asking(room, eyes, seen),
        warnings=warnings,
        alerts=[str(line) for line in cast("Sequence[Any]", view.get("warnings", ()))],
        standing=standing,
        outcome=ended,
        commitment=match.commitment,
        seed=match.seed.hex() if outcome is not None and match.seed is not None else None,
        pace=cast("Any", room.head.pace),
        guided=room.birth.guided,
        notes=[*([uploads.tell(upload)] if upload else []), *match.notes],
        uploaded=upload is not None,
        chat=ChatPart(from_=len(room.chat), lines=[]),
    )
    manners = [at, state.rollback, state.pace, state.may_roll_back]
    return Picture(state, _print([*manners, state.seats]), _print(manners))


def _print(shown: Any) -> bytes:
    return blake2b(msgspec.json.encode(shown), digest_size=12).digest()


def whole_state(room: Room, eyes: Eyes, online: frozenset[int]) -> State:
    """A state with the end of the log, and the whole chat."""
    seen = room.seen(eyes.side)
    return replace(
        picture(room, eyes, online).state,
        log=log_part(room, seen, max(0, len(seen) - TAIL), len(seen)),
        chat=chat_part(room, 0),
    )


def log_part(room: Room, seen: SeenLog, start: int, stop: int) -> SeenPart:
    """Some entries of the log in words."""
    entries = seen.entries(room.match, start, stop)
    return SeenPart(start, entries, *tell_story(room, room.story(seen.side), start, stop))


def tell_story(
    room: Room, teller: Teller, start: int, stop: int
) -> tuple[list[ToldPassage], list[ToldChapter]]:
    """The passages and chapters of some entries, and those that end where they begin."""
    game, passages, chapters = room.game, teller.passages, teller.chapters
    first = bisect_left(passages, start, key=lambda passage: passage.end)
    last = bisect_left(passages, stop, key=lambda passage: passage.start)
    told = [_passage(game, teller, passage) for passage in passages[first:last]]
    if not told:
        return [], []
    opening = bisect_right(chapters, told[0].n, key=lambda chapter: chapter.start) - 1
    closing = bisect_left(chapters, stop, key=lambda chapter: chapter.start)
    track: list[str] = room.match.view(teller.side).get("track", [])
    return told, [_chapter(teller, track, chapter) for chapter in chapters[opening:closing]]


def _chapter(teller: Teller, track: Sequence[str], chapter: Chapter) -> ToldChapter:
    sides = teller.game.sides
    return ToldChapter(
        chapter.start,
        turn_name(track, chapter.turn),
        sides[chapter.side],
        teller.summary(chapter),
        dict(zip(sides, chapter.points)),
        dict(zip(sides, chapter.lost)),
        {sides[side]: chance for side, chance in chapter.chances},
    )


def chronicle(room: Room, eyes: Eyes) -> Chronicle:
    """The whole story by chapters, and the rolls whose odds are known."""
    match, game, teller = room.match, room.game, room.story(eyes.side)
    track: list[str] = match.view(eyes.side).get("track", [])
    return Chronicle(
        [_chapter(teller, track, chapter) for chapter in teller.chapters],
        [
            ToldRoll(fallen.number, game.sides[fallen.side], fallen.text, *fallen.fall)
            for fallen in falls(teller, match)
        ],
    )


def _passage(game: Game[Any], teller: Teller, passage: Passage) -> ToldPassage:
    code = game.board.code
    return ToldPassage(
        n=passage.start,
        to=passage.end,
        text=passage.text,
        side=game.sides[passage.by] if passage.by >= 0 else "",
        quiet=passage.quiet,
        places=[code(place) for place in passage.places],
        moves=[
            (unit_name(game, move.unit), [code(hex) for hex in move.path if hex >= 0])
            for move in passage.moves
        ],
        losses=[
            (unit_name(game, loss.unit), _owner(teller, loss.unit), loss.steps, loss.gone)
            for loss in passage.losses
        ],
        taken=[(code(hex), game.sides[side]) for hex, side in passage.taken],
        battle=passage.battle,
        open=teller.under_way and passage is teller.passages[-1],
    )


def _owner(teller: Teller, unit: int) -> str:
    side = teller.owners.get(unit, -1)
    return teller.game.sides[side] if side >= 0 else ""


def turn_name(track: Sequence[str], turn: int) -> str:
    """What a turn is called on the track."""
    return track[turn - 1] if 0 < turn <= len(track) else str(turn)


def tell_standing(match: Match[Any], side: int) -> Stands | None:
    """Who is ahead as far as a side may know; None if the game does not say."""
    game, found = match.game, match.game.standing(match.position, side)
    if not found.sentence:
        return None
    return Stands(
        found.sentence,
        found.rule,
        game.sides[found.ahead] if found.ahead >= 0 else None,
        dict(zip(game.sides, found.points)),
        dict(zip(game.sides, found.goals)),
        [
            (
                game.board.code(prize.hex),
                prize.worth,
                game.sides[prize.holder] if prize.holder >= 0 else None,
            )
            for prize in found.prizes
        ],
    )


def chat_part(room: Room, start: int) -> ChatPart:
    """The lines of the chat from a number on."""
    lines = [
        ChatLine(n, said.name, room.game.sides[said.side], said.text, said.when)
        for n, said in enumerate(room.chat[start:], start)
    ]
    return ChatPart(from_=start, lines=lines)


def tell_seats(room: Room, online: frozenset[int]) -> list[Sitting]:
    """Who sits where."""
    return [
        Sitting(
            side=room.game.sides[seat.side],
            kind=cast("Any", seat.kind),
            name=seat.name,
            online=seat.kind == "bot" or seat.side in online,
            bot=seat.bot,
        )
        for seat in room.seats
    ]


def tell_decision(match: Match[Any], eyes: Eyes, *, menu: bool = True) -> Asked | None:
    """What is asked now, with the menu if it is theirs who look."""
    decision = seen_decision(match, eyes.side)
    if decision is None:
        return None
    game = match.game
    if isinstance(decision, Roll):
        mover: int = match.position.side
        return Asked(
            side=game.sides[mover],
            prompt=f"Roll for {decision.purpose}",
            rule=decision.rule,
            kind="roll",
            options=[],
            waiting=not eyes.sides,
            dice=list(decision.sides),
        )
    return Asked(
        side=game.sides[decision.side],
        prompt=decision.prompt,
        rule=decision.rule,
        kind="choice",
        options=[_option(game, option) for option in decision.options] if menu else [],
        waiting=decision.side not in eyes.sides,
        by_name=_by_name(game, decision) if menu else [],
    )


def _by_name(game: Game[Any], decision: Choice) -> list[str]:
    """The verbs of this menu that want to be read before they are given."""
    if not game.by_name:
        return []
    return sorted(game.by_name & {option.verb for option in decision.options})


def _option(
    game: Game[Any], option: Option
) -> tuple[str, int, int, int, str, str | None, str | None]:
    verb, unit, hex, value = option
    code = game.board.code(hex) if hex >= 0 else None
    name = unit_name(game, unit) if unit >= 0 else None
    return (verb, unit, hex, value, describe(game, option), code, name)


def tell_outcome(game: Game[Any], outcome: Outcome) -> Ended:
    """How the game ended, in words."""
    winner = game.sides[outcome.winner] if outcome.winner >= 0 else None
    return Ended(winner, outcome.reason, outcome.rule)


def warnings(room: Room, eyes: Eyes) -> list[Warned]:
    """What the side should look at now."""
    if eyes.side < 0:
        return []
    return [_warned(room.game, warning) for warning in room.match.warnings(eyes.side)]


def _warned(game: Game[Any], warning: Any) -> Warned:
    unit = unit_name(game, warning.unit) if warning.unit >= 0 else None
    hex = game.board.code(warning.hex) if warning.hex >= 0 else None
    return Warned(warning.sentence, warning.rule, unit, hex)


def _asking(room: Room, eyes: Eyes, seen: SeenLog) -> Asking | None:
    ask = room.ask
    if ask is None:
        return None
    to = seen.number(ask.length)
    by = room.game.sides[ask.side]
    first = seen.entries(room.match, to, to + 1) if to < len(seen) else []
    what = [": ".join(filter(None, (entry.side, entry.text))) for entry in first]
    before = f" before “{what[0]}”" if what else ""
    text = f"{by} asks to go back to the moment{before}."
    return Asking(by, to, text, yours=ask.accepted.issuperset(eyes.sides) and bool(eyes.sides))


def _changed(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> list[str]:
    """The hexes of units that are not as they were at the end of this side's last turn."""
    if before is None:
        return []
    old, new = _counters(before), _counters(now)
    hexes = {hex for key, hex in new.items() if old.get(key) != hex}
    hexes |= {hex for key, hex in old.items() if key not in new}
    return sorted(hex for hex in hexes if hex)


def _came(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """From where to where known units went since the end of this side's last turn."""
    if before is None:
        return []
    old: dict[str, str | None] = {unit["name"]: unit.get("hex") for unit in before["units"]}
    ways = {
        (start, unit["hex"], unit["side"])
        for unit in now["units"]
        if unit["name"] != "?" and (start := old.get(unit["name"])) and unit.get("hex")
    }
    return sorted(way for way in ways if way[0] != way[1])


def _counters(view: Mapping[str, Any]) -> dict[tuple[Any, ...], str | None]:
    """By counter, with its steps, the hex in which it is seen."""
    units: list[dict[str, Any]] = view["units"]
    counters: dict[tuple[Any, ...], str | None] = {}
    for unit in units:
        if unit["name"] == "?":  # one like the other: all that can be known is where some are
            counters["?", unit.get("side"), unit.get("hex")] = unit.get("hex")
        else:
            counters[unit["name"], unit.get("steps")] = unit.get("hex")
    return counters


def moments(room: Room, eyes: Eyes) -> Moments:
    """How long the replay of a match is, and where its turns begin."""
    seen = room.seen(eyes.side)
    view = room.match.view(eyes.side)
    track: list[str] = view.get("track", [])
    labels = [
        Label(chapter.start, f"{turn_name(track, chapter.turn)}: {room.game.sides[chapter.side]}")
        for chapter in room.story(eyes.side).chapters
    ]
    return Moments(len(seen), labels)


def moment(room: Room, eyes: Eyes, k: int, online: frozenset[int]) -> State:
    """The state as this seat saw it when it had seen k entries of the log."""
    seen = room.seen(eyes.side)
    if not 0 <= k <= len(seen):
        raise Refused(404, f"The replay has the moments 0 to {len(seen)}, there is no {k}.")
    state = replace(
        picture(room, eyes, online).state,
        at="",
        log=log_part(room, seen, max(0, k - TAIL), k),
        rollback=None,
        may_undo=False,
        may_roll_back=False,
    )
    if k < len(seen):
        then = room.match.at(seen.raw(k))
        state.view = then.view(eyes.side)
        state.decision = tell_decision(then, eyes, menu=False)
        state.outcome = None
        state.standing = tell_standing(then, eyes.side)
        story = tell_story(room, room.story(eyes.side).at(then), state.log.from_, k)
        state.log.passages, state.log.chapters = story
        state.warnings, state.alerts = [], []
        state.changed, state.came = [], []
    return state


def foresee(
    room: Room, eyes: Eyes, option: Option, after: Sequence[Option] = ()
) -> Foreseen | None:
    """What an option of one's own menu would lead to, perhaps after others have been taken.

    Those others must lead to nothing but one's next question: what the dice or a revelation would
    bring is not told beforehand.
    """
    match, asked = room.match, room.decision
    for earlier in after:
        _check_own(asked, eyes, earlier)
        match = match.fork()
        length = len(match.log)
        match.choose(earlier)
        if len(match.log) > length + 1:
            return None
        asked = match.decision
    _check_own(asked, eyes, option)
    preview = match.preview(option)
    return None if preview is None else _foreseen(match, option, preview)


def _check_own(decision: Choice | Roll | None, eyes: Eyes, option: Option) -> None:
    """Refused unless it is an option of a menu of theirs who look."""
    if not isinstance(decision, Choice) or decision.side not in eyes.sides:
        raise Refused(403, "It is not for you to choose now.")
    if option not in decision.options:
        raise Refused(422, "That is not one of the options.", decision.rule)


def _rolls(match: Match[Any], option: Option) -> bool:
    """Whether dice fall before anybody is asked again; what they show is not told."""
    dream = match.fork()
    before = len(dream.log)
    dream.choose(option)
    if isinstance(dream.decision, Roll):
        return True
    return any(isinstance(entry, Rolled) for entry in dream.log[before:])


def _foreseen(match: Match[Any], option: Option, preview: Preview) -> Foreseen:
    game = match.game
    return Foreseen(
        path=[game.board.code(hex) for hex in preview.path],
        cost=preview.cost,
        lines=[PreviewLine(*line) for line in preview.lines],
        column=preview.column,
        chances=[
            PreviewChance(chance.result, float(chance.probability), str(chance.probability))
            for chance in preview.chances
        ],
        # Only of a battle whose chances are told anyway: elsewhere dice may come of what is hidden.
        final=bool(preview.chances) and _rolls(match, option),
    )


def overlay(room: Room, eyes: Eyes, name: str, side: str | None, unit: str | None) -> Hexes:
    """The hexes of an overlay, about a side or one of its units."""
    game = room.game
    if name not in game.overlays:
        known = ", ".join(game.overlays) or "none"
        raise Refused(422, f"{game.title} has no overlay {name!r}; it has {known}.")
    about = side_number(game, side) if side else max(eyes.side, 0)
    number = -1
    if unit:
        if unit not in game.units:
            raise Refused(422, f"{game.title} has no unit {unit!r}.")
        number = list(game.units).index(unit)
    mask = fog.overlay(room.match, eyes.side, name, about, number)
    size = game.board.lattice.size
    return Hexes([game.board.code(hex) for hex in bits(mask & (1 << size) - 1)])
