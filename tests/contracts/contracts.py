"""The contracts between a game and the kernel: each a function that fails if it is broken.

They look at a match at some moment, which is theirs to play on with, and at nothing private.
"""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from apennine.kernel.decision import Choice, Event, Option
from apennine.kernel.game import EVERYBODY, REFEREE, Preview
from apennine.kernel.log import Chosen, Rolled, Snapshot
from apennine.kernel.match import IllegalChoice, Match, MatchError
from apennine.kernel.replay import answers
from apennine.kernel.save import dump, open_record, parse, replay
from apennine.kernel.story import Teller
from apennine.kernel.view import seen_log, sent
from tests.contracts.learning import LEARNING
from tests.contracts.orders import ORDERS, made_up, offered
from tests.contracts.playthroughs import play_on

SAMPLE = 12
"""Of a long menu, so many options are tried."""


def sample(match: Match[Any], random: Random, most: int = SAMPLE) -> list[Option]:
    """Some options of the present menu: all verbs, and all of a short menu."""
    if not isinstance(match.decision, Choice):
        return []
    options = list(match.decision.options)
    if len(options) <= most:
        return options
    random.shuffle(options)
    first = {option.verb: option for option in options}
    return [*first.values(), *options][:most]


def present(match: Match[Any]) -> tuple[object, ...]:
    """All by which two matches could be told apart now."""
    decision = match.decision
    options = list(decision.options) if isinstance(decision, Choice) else []
    return match.digest, decision, options, match.outcome, list(match.log), match.checkpoint.at


def everybody(match: Match[Any]) -> range:
    """All sides, and a spectator."""
    return range(EVERYBODY, len(match.game.sides))


# Menus.


def somebody_is_asked_or_the_game_is_over(match: Match[Any], random: Random) -> None:
    """A menu has at least two options (one is taken by the match), no two alike."""
    decision = match.decision
    assert (decision is None) == (match.outcome is not None)
    if decision is None:
        return
    assert isinstance(decision, Choice)
    assert 0 <= decision.side < len(match.game.sides)
    options = list(decision.options)
    assert len(options) == len(decision.options) >= 2, "the menu has another length than it says"
    assert len(set(options)) == len(options), "an option is there twice"
    k = random.randrange(len(options))
    assert decision.options[k] == options[k], "the k-th option is another one"
    assert options[k] in decision.options, "a menu does not know its own option"


def every_option_can_be_chosen(match: Match[Any], random: Random) -> None:
    for option in sample(match, random):
        fork = match.fork()
        fork.choose(option)
        made = fork.log[len(match.log)]
        assert isinstance(made, Chosen)
        assert (made.option, made.automatic) == (option, False)


def every_option_has_names(match: Match[Any], random: Random) -> None:
    """Units and places of options can be written into a save and read again."""
    game = match.game
    for option in sample(match, random):
        assert type(option) is Option
        assert option.verb
        assert all(type(part) is int for part in option[1:]), option
        if option.unit != -1:
            assert game.unit(game.units[option.unit]) == option.unit
        if option.hex != -1:
            assert game.board.parse(game.board.code(option.hex)) == option.hex


def unlisted(match: Match[Any], random: Random) -> Option:
    """An option that somebody could come up with: a slip, or nonsense."""
    assert isinstance(match.decision, Choice)
    option = random.choice(match.decision.options)
    units = len(match.game.units)
    verbs = [e.option.verb for e in match.log[-40:] if type(e) is Chosen] + [option.verb, "fly"]
    return Option(
        random.choice(verbs),
        random.choice([option.unit, -1, random.randrange(units), units, 10**6, -7]),
        random.choice([option.hex, -1, random.randrange(200), 10**6, -7]),
        random.choice([option.value, 0, 1, 10**6, -7]),
    )


def what_is_not_listed_is_refused_with_a_reason(match: Match[Any], random: Random) -> None:
    decision = match.decision
    if not isinstance(decision, Choice):
        return
    before = present(match)
    for _ in range(SAMPLE):
        option = unlisted(match, random)
        if option in decision.options:
            continue
        try:
            match.choose(option)
        except IllegalChoice as error:
            refusal = error.refusal
            assert len(refusal.sentence) > 5, "a refusal without a reason"
            assert refusal.rule in match.game.ledger, f"{refusal.rule!r} is no rule: {refusal}"
        else:
            raise AssertionError(f"{option} is not in the menu, and was accepted")
    assert present(match) == before


# Time.


def a_fork_and_its_original_agree(match: Match[Any], random: Random) -> None:
    fork, seed = match.fork(), random.random()
    for _ in range(8):
        first, second = Random(seed), Random(seed)
        assert present(play_on(match, 3, first)) == present(play_on(fork, 3, second)), (
            "the fork went another way"
        )
        seed = first.random()


def a_fork_leaves_its_original_alone(match: Match[Any], random: Random) -> None:
    before = present(match)
    play_on(match.fork(seed=random.getrandbits(30)), 12, random)
    assert present(match) == before, "the original changed with its fork"


def undo_then_redo_is_identity(match: Match[Any], random: Random) -> None:
    now, undone = present(match), 0
    while undone < random.randint(1, 9):
        try:
            match.undo()
        except MatchError:
            break
        undone += 1
    for _ in range(undone):
        match.redo()
    assert present(match) == now, "after redo it is not what it was"


def undo_is_the_moment_before(match: Match[Any], random: Random) -> None:
    now = present(match)
    if isinstance(match.decision, Choice):
        match.choose(random.choice(match.decision.options))
        match.undo()
        assert present(match) == now, "after undo it is not what it was"


def a_player_who_takes_back_is_asked_again(match: Match[Any], random: Random) -> None:
    for side in range(len(match.game.sides)):
        fork = match.fork()
        if fork.may_take_back(side):
            fork.take_back(side)
            assert isinstance(fork.decision, Choice)
            assert fork.decision.side == side
            for entry in match.log[len(fork.log) :]:
                assert type(entry) is not Rolled
                assert not (type(entry) is Event and entry.reveals)


def a_restarted_phase_asks_the_same(match: Match[Any], random: Random) -> None:
    """At a checkpoint: no roll, no event and no change of the position before the menu."""
    base, decision = match.checkpoint, match.decision
    pos = base.position.copy()
    if base.at == 0:
        return
    first = match.game.phase(pos).send(None)
    assert isinstance(first, Choice), f"{first} comes before the menu"
    assert first.checkpoint
    assert pos == base.position, "the position changes before the menu"
    if isinstance(decision, Choice) and decision.checkpoint:
        assert match.position == base.position
        assert first == decision._replace(options=first.options)
        assert list(first.options) == list(decision.options), "the menu is another one"


def saves_come_back(match: Match[Any], random: Random) -> None:
    """Opened at the snapshot, and played from the start: the same present, the same future."""
    record = parse(dump(match))
    opened = open_record(record, match.game)
    assert opened.notes == ()
    assert present(opened) == present(match), "the save opens as something else"
    replayed = replay(record, match.game)
    assert replayed.divergence is None
    assert present(replayed.match) == present(match)
    seed = random.random()
    assert present(play_on(opened, 6, Random(seed))) == present(play_on(match, 6, Random(seed))), (
        "the opened match went another way"
    )


# Positions.


def nothing_is_wrong_at_a_checkpoint(match: Match[Any], random: Random) -> None:
    for pos in (match.start, match.checkpoint.position):
        faults = [fault.sentence for fault in match.game.check(pos)]
        assert not faults, f"wrong at a checkpoint: {faults}"


def units_are_conserved(match: Match[Any], random: Random) -> None:
    """Lists that begin with an item for each unit keep one for each unit."""
    count = len(match.game.units)
    now = match.position.state()
    per_unit = [
        name
        for name, value in match.start.state().items()
        if isinstance(value, list) and len(value) == count
    ]
    assert per_unit or not count, "no list of the position has an item for each unit"
    lengths = {name: len(now[name]) for name in per_unit}
    assert lengths == dict.fromkeys(per_unit, count), "a list lost or won a unit"


# What is told.


def everything_asked_and_told_cites_a_rule(match: Match[Any], random: Random) -> None:
    ledger = match.game.ledger
    decision = match.decision
    if decision is not None:
        assert decision.rule in ledger, f"{decision.rule!r} is no rule"
        assert isinstance(decision, Choice)
        assert decision.prompt.strip(), "a question without words"
    for entry in match.log[-20:]:
        assert entry.rule in ledger, f"{entry.rule!r} of {entry} is no rule"
        assert type(entry) is not Rolled or entry.purpose.strip(), "dice without a purpose"
        assert type(entry) is not Event or entry.verb.strip(), "an event without words"
    cited = [match.outcome.rule] if match.outcome else []
    for option in sample(match, random):
        preview = match.preview(option)
        cited += [line.rule for line in preview.lines] if preview else []
    for side in range(len(match.game.sides)):
        cited += [warning.rule for warning in match.warnings(side)]
    unknown = [rule for rule in cited if rule and rule not in ledger]
    assert not unknown, f"{unknown} are no rules"


def plain(value: Any) -> Any:
    """As it goes over the wire; fractions are the one thing that JSON does not know."""

    def fraction(item: Any) -> str:
        assert isinstance(item, Fraction), f"{type(item).__name__} is not JSON"
        return str(item)

    return json.loads(msgspec.json.encode(value, enc_hook=fraction))


def looking_changes_nothing(match: Match[Any], random: Random) -> None:
    """Views, previews, overlays, warnings, scores, checks: pure, and JSON-able."""
    game, pos = match.game, match.position
    before = pos.digest
    for side in everybody(match):
        view = game.view(pos, side)
        assert plain(view) == view, "the view is not plain JSON"
        plain(sent(match, side))
    for side in range(len(game.sides)):
        for warning in game.warnings(pos, side):
            assert plain(warning)[0]
        assert isinstance(game.score(pos, side), int | float)
        units = [-1, *random.sample(range(len(game.units)), min(3, len(game.units)))]
        for name in game.overlays:
            assert all(game.overlay(pos, name, side, unit) >= 0 for unit in units)
        game.imagine(match.checkpoint.position, side, random, pos)
    for option in sample(match, random):
        preview_is_sound(game.preview(pos, option))
    if isinstance(match.decision, Choice):
        match.why_not(unlisted(match, random))
    game.check(pos)
    game.outcome(pos)
    assert pos.digest == before, "looking has changed the position"
    assert match.position is pos


def preview_is_sound(preview: Preview | None) -> None:
    if preview is not None:
        plain(preview)
        if preview.chances:
            chances = [chance.probability for chance in preview.chances]
            assert all(0 <= chance <= 1 for chance in chances)
            assert sum(chances) == 1, "the chances of a preview do not make up one"


# Secrets.


def hides(match: Match[Any], side: int) -> bool:
    """Whether another side chose in secret since the last checkpoint."""
    return any(
        type(entry) is Chosen and entry.secret and entry.side != side
        for entry in match.log[match.checkpoint.at :]
    )


def no_secret_lies_between_a_checkpoint_and_a_choice(match: Match[Any], random: Random) -> None:
    """Dreams play the answers since the checkpoint again: they must not hold others' secrets."""
    if isinstance(match.decision, Choice):
        assert not hides(match, match.decision.side), "a secret since the last checkpoint"


def imagined(match: Match[Any], side: int, random: Random) -> Match[Any]:
    """The match over a checkpoint that this side cannot tell from the real one.

    What happened since is played again over it, the dice by hand, and told by the rules anew.
    """
    base = match.checkpoint
    pos = match.game.imagine(base.position, side, random, match.position)
    assert match.game.check(pos) == [], "something is wrong with an imagined position"
    twin = Match[Any].resume(
        match.game,
        match.scenario,
        match.options,
        None,
        match.log.cut(base.at),
        Snapshot(base.at, pos, base.rolls),
    )
    for entry in match.log[base.at :]:
        if type(entry) is Rolled:
            twin.roll(*entry.faces)
        elif type(entry) is Chosen and not entry.automatic:
            twin.choose(entry.option)
    return twin


def told(match: Match[Any], side: int) -> dict[str, Any]:
    """What a side is sent, but for the marks by which dice of a twin can be told."""
    data = plain(sent(match, side))
    del data["commitment"], data["seed"]
    for entry in data["log"]:
        entry.pop("given", None)
        entry.pop("nth", None)
    return data


def hints(match: Match[Any], side: int, options: list[Option]) -> Any:
    """What a side is shown besides: previews, warnings, overlays."""
    game, pos = match.game, match.position
    return plain(
        [
            [game.preview(pos, option) for option in options],
            game.warnings(pos, side),
            [hex(game.overlay(pos, name, side)) for name in game.overlays],
        ]
    )


def encoded(match: Match[Any], side: int) -> bytes:
    """What learners are given, of a game that gives something."""
    return match.game.encode(match.position, side) if match.game.encoding else b""


def what_a_side_is_sent_does_not_change_with_what_it_cannot_see(
    match: Match[Any], random: Random
) -> None:
    for side in range(len(match.game.sides)):
        if hides(match, side):
            continue
        own = isinstance(match.decision, Choice) and match.decision.side == side
        options = sample(match, random, 5) if own else []
        here, hinted = told(match, side), hints(match, side, options)
        for _ in range(2):
            twin = imagined(match, side, random)
            assert told(twin, side) == here, "what is sent tells a secret"
            assert hints(twin, side, options) == hinted, "a hint tells a secret"
            assert encoded(twin, side) == encoded(match, side), "the numbers tell a secret"


def story(match: Match[Any], side: int) -> tuple[object, ...]:
    """What a side reads of the time since the last checkpoint."""
    teller = Teller(match, side, match.checkpoint)
    return teller.passages, teller.chapters, match.game.standing(match.position, side)


def the_story_does_not_change_with_what_a_side_cannot_see(
    match: Match[Any], random: Random
) -> None:
    for side in range(len(match.game.sides)):
        if hides(match, side):
            continue
        here = story(match, side)
        for _ in range(2):
            assert story(imagined(match, side, random), side) == here, "the story tells a secret"


def the_story_goes_along_with_the_match(match: Match[Any], random: Random) -> None:
    """Told order by order and told at once, after undo too, it is the same, and covers the log."""
    base = match.checkpoint
    for side in (*everybody(match), REFEREE):
        teller = Teller(match, side, base)
        fork, seed = match.fork(), random.random()
        for _ in range(4):
            play_on(fork, 2, Random(seed))
            teller.read(fork)
            seed += 1
            if random.random() < 0.3 and len(fork.log) > len(match.log):
                fork.undo()
                teller.cut(len(fork.log))
                teller.read(fork)
        assert teller.position == fork.position, "the story went another way"
        again = Teller(fork, side, base)
        assert teller.passages == again.passages, "told at once it reads otherwise"
        assert teller.chapters == again.chapters
        seen = list(fork.log[base.at :])
        if side != REFEREE:
            seen = list(seen_log(fork, side, base.at))
        ends = [0, *(passage.end for passage in teller.passages)]
        assert ends == [*(passage.start for passage in teller.passages), len(seen)]
        plain(teller.passages)


def the_story_tells_of_units_that_are_seen(match: Match[Any], random: Random) -> None:
    """A unit that the story says has come to a hex is shown there by its name."""
    game = match.game
    for side in everybody(match):
        units = match.view(side)["units"]
        passages = Teller(match, side, match.at(max(0, len(match.log) - 60)).checkpoint).passages
        if not passages or not isinstance(units, list) or "hex" not in units[0]:
            continue  # the views of test games have shapes of their own
        shown = {(unit["name"], unit["hex"]) for unit in units}
        for unit, path in passages[-1].moves:
            on_map = path[-1] >= 0 and not game.board.is_box(path[-1])
            where = game.board.code(path[-1]) if on_map else None
            assert (game.units[unit], where) in shown, f"{game.units[unit]} is not seen there"


def the_standing_is_sound(match: Match[Any], random: Random) -> None:
    for side in everybody(match):
        found = match.game.standing(match.position, side)
        assert found.rule in match.game.ledger or not found.sentence
        assert len(found.points) == len(found.goals)
        assert len(found.points) in (0, len(match.game.sides))
        assert EVERYBODY <= found.ahead < len(match.game.sides)
        plain(found)


def never_seen(match: Match[Any], side: int, base: Snapshot[Any], until: int) -> int:
    """The units that a side could not see at any moment from a checkpoint to a later one."""
    game, pos, unseen = match.game, base.position.copy(), -1
    recorded = answers(match.log[base.at : until])
    procedure, answer = game.phase(pos), None
    while True:
        try:
            item = procedure.send(answer)
        except StopIteration:
            procedure, answer = game.phase(pos), None
            continue
        unseen &= game.unseen(pos, side)
        answer = None if isinstance(item, Event) else next(recorded, None)
        if answer is None and not isinstance(item, Event):
            return unseen


def the_log_names_nobody_whom_a_side_cannot_see(match: Match[Any], random: Random) -> None:
    """Who is hidden all the time between two checkpoints is not named in what is told of it.

    So a side cannot put together from its whole log what it is not shown, and what it imagines.
    """
    game, base = match.game, match.checkpoint
    for _ in range(SAMPLE):
        if match.checkpoint.at > base.at or match.outcome:
            break
        play_on(match, 1, random)
    until = match.checkpoint.at
    for side in everybody(match):
        unseen = never_seen(match, side, base, until) if game.unseen(base.position, side) else 0
        for entry in seen_log(match, side, base.at, until) if unseen else ():
            what = entry.option if type(entry) is Chosen else entry
            unit = what.unit if isinstance(what, Option | Event) else -1
            hidden = unit >= 0 and unseen >> unit & 1
            assert not hidden, f"{game.units[unit]} is named to a side that cannot see it"


def refusals_do_not_change_with_what_a_side_cannot_see(match: Match[Any], random: Random) -> None:
    offer = offered(match)
    if offer is None:
        return
    assert isinstance(match.decision, Choice)
    twin = imagined(match, match.decision.side, random)
    for _ in range(SAMPLE):
        option = made_up(match, random.choice(offer.orders), random)
        if option not in offer:
            assert twin.why_not(option) == match.why_not(option), "a refusal tells a secret"


def secret_answers_that_reveal_nothing_look_alike(match: Match[Any], random: Random) -> None:
    """To the other sides and to spectators, as soon as they are given."""
    decision = match.decision
    if not isinstance(decision, Choice) or not decision.secret:
        return
    looks: dict[int, list[dict[str, Any]]] = {}
    for option in sample(match, random):
        fork = match.fork()
        fork.choose(option)
        news = fork.log[len(match.log) :]
        if fork.outcome or any(type(e) is Rolled or (type(e) is Event and e.reveals) for e in news):
            continue
        for side in everybody(match):
            if side != decision.side:
                looks.setdefault(side, []).append(told(fork, side))
    for seen in looks.values():
        assert all(look == seen[0] for look in seen), "secret answers look different"


def dreams_ask_the_same_and_can_be_played_on(match: Match[Any], random: Random) -> None:
    if not isinstance(match.decision, Choice):
        return
    before, seat = present(match), match.seat()
    for _ in range(2):
        dream = seat.dream(random.getrandbits(30))
        assert dream.decision == match.decision
        assert list(dream.decision.options) == list(match.decision.options)
        assert plain(dream.view(seat.side)) == plain(seat.view()), "the dream looks different"
        for option in sample(match, random, 3):
            dreamt = dream.fork()
            dreamt.choose(option)
            play_on(dreamt, 5, random)
        play_on(dream, 5, random)
        while len(dream.log) > len(match.log) - match.checkpoint.at:
            dream.undo()
        assert list(dream.decision.options) == list(match.decision.options)
    assert present(match) == before


EVERY_MOMENT = [
    somebody_is_asked_or_the_game_is_over,
    every_option_can_be_chosen,
    every_option_has_names,
    what_is_not_listed_is_refused_with_a_reason,
    a_fork_and_its_original_agree,
    a_fork_leaves_its_original_alone,
    undo_then_redo_is_identity,
    undo_is_the_moment_before,
    a_player_who_takes_back_is_asked_again,
    a_restarted_phase_asks_the_same,
    saves_come_back,
    nothing_is_wrong_at_a_checkpoint,
    units_are_conserved,
    everything_asked_and_told_cites_a_rule,
    looking_changes_nothing,
    no_secret_lies_between_a_checkpoint_and_a_choice,
    what_a_side_is_sent_does_not_change_with_what_it_cannot_see,
    the_story_does_not_change_with_what_a_side_cannot_see,
    the_story_goes_along_with_the_match,
    the_story_tells_of_units_that_are_seen,
    the_standing_is_sound,
    the_log_names_nobody_whom_a_side_cannot_see,
    refusals_do_not_change_with_what_a_side_cannot_see,
    secret_answers_that_reveal_nothing_look_alike,
    dreams_ask_the_same_and_can_be_played_on,
    *ORDERS,
    *LEARNING,
]
"""Contracts that hold for any match at any of its decisions."""
