"""A player who clicks his way through a whole match, and looks whether the page tells the truth.

What to choose comes from a bot that plays a mirror: the same match, opened from the save that the
page offers for download. How it is chosen is a player's affair: buttons, counters, hexes, lists.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from playwright.sync_api import Locator, Page, expect

from apennine import games
from apennine.bots import bots_of, make_bot
from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game
from apennine.kernel.match import Match
from apennine.kernel.save import open_record, parse
from apennine.kernel.words import describe, unit_name
from apennine.server.seen import SeenLog

from .rest import at_rest, tap

SIDE = "#prompt"
MOST = 20_000
"""Orders after which a match is taken to go on for ever."""
CIRCLES = 30
"""Orders without one that stays, after which the player is taken to go in circles."""
MOMENT = Callable[["Player", str], None]


class Table(NamedTuple):
    """What a new player picks in the lobby."""

    game: str
    scenario: str
    side: str
    opponent: str = ""
    """The bot across the table; empty: the one that the lobby proposes."""
    pace: str = "instant"


def sit_down(page: Page, url: str, table: Table) -> None:
    """From the lobby to the board, as a newcomer goes there."""
    page.goto(url)
    game = games.get(table.game)
    card = page.locator(f".game[data-game={table.game}]")
    card.get_by_role("button", name="More choices").click()
    dialog = page.locator("dialog[open]")
    if len(game.scenarios) > 1:
        dialog.locator("select[name=scenario]").select_option(table.scenario)
    for side in game.sides:
        seat = dialog.locator(f"select[name='seat-{side}']")
        if side == table.side:
            seat.select_option("me")
        else:
            seat.select_option(f"bot:{table.opponent or bots_of(game)[0]}")
    dialog.locator("select[name=pace]").select_option(table.pace)
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/*")
    at_rest(page)


class Player:
    """Somebody at one side of a match in the browser, who does what a bot tells him to.

    Everything is done through the page; `orders` counts what was chosen, `clicks` what it took.
    """

    def __init__(
        self, page: Page, table: Table, adviser: str, seed: int = 1, *, touch: bool = False
    ) -> None:
        self.page = page
        self.touch = touch
        self.game: Game[Any] = games.get(table.game)
        self.side = self.game.sides.index(table.side)
        self.adviser = make_bot(adviser, seed, self.game)
        self.orders = 0
        self.clicks = 0
        self._farthest = self._stuck = 0
        self.by: dict[str, int] = {}
        """How often an order was given by which means."""
        self.slips: list[tuple[Option, list[Option]]] = []
        """What was meant, and what was ordered instead."""
        with urlopen(f"{self._server()}/api/games/{table.game}/board") as answer:
            self._hexes: dict[str, Any] = json.load(answer)["hexes"]
        self.match = self._mirror()

    # The match and its mirror.

    def play(self, orders: int = 10**9, watch: MOMENT | None = None) -> str:
        """Give so many orders, or all until the end; the mood of the page then: mine or over.

        `watch` is called before every order with what is about to be chosen.
        """
        self.wait()
        self.check()
        for _ in range(orders):
            if self.mood == "over":
                break
            option = self.adviser(self.match.seat())
            if watch is not None:
                watch(self, describe(self.game, option))
            if option.unit >= 0 and self.page.locator("#fight").count():
                self.attack(option)
            else:
                self.give(option)
                self.leave_out(option)
            self.orders += 1
            assert self.orders < MOST, "The match does not come to an end."
            self._go_on(option)
            self._catch_up(option)
            if self._theirs():
                self.wait()
            self.check()
        return self.mood

    def _go_on(self, option: Option) -> None:
        """The log has come farther than ever before, if not by this order then by one soon."""
        if int(self._last()) > self._farthest:
            self._farthest, self._stuck = int(self._last()), 0
        self._stuck += 1
        assert self._stuck < CIRCLES, f"Round and round, lately with {option}."

    def _catch_up(self, option: Option) -> None:
        """The mirror takes the same order; one click may have given more than that, or another."""
        given = [Option(*one) for one in self.page.evaluate(_ORDERS)]
        if given and option not in given:
            self.match = self._mirror()
            if not self._in_hand(option):
                self.slips.append((option, given))
            return
        if option in self.match.decision.options:
            self.match.choose(option)
        seen = SeenLog(self.side)
        seen.read(self.match)
        if self._last() != str(len(seen)):
            self.match = self._mirror()

    def _in_hand(self, option: Option) -> bool:
        """Whether a unit that was to be taken up is: a stack may have been begun with another."""
        moving = self.match.view(self.side).get("moving") or {}
        taken_up = option.unit >= 0 and option.hex < 0
        return taken_up and unit_name(self.game, option.unit) in moving.get("units", ())

    @property
    def mood(self) -> str:
        """Whether it is the player's turn: mine, waiting or over."""
        return self.page.locator(SIDE).get_attribute("data-mood") or ""

    def wait(self) -> str:
        """Until the player is asked or the game is over; then the mirror shows the same again."""
        self.page.wait_for_selector(f"{SIDE}:not([data-mood=waiting])", state="attached")
        at_rest(self.page)
        if self._theirs():
            self.match = self._mirror()
        return self.mood

    def _theirs(self) -> bool:
        decision = self.match.decision
        return isinstance(decision, Choice) and decision.side != self.side

    def _mirror(self) -> Match[Any]:
        """The match as a save has it, which who plays against bots alone may have at any time."""
        seat = self.page.evaluate("JSON.parse(localStorage.getItem('apennine.seats'))[0]")
        order = {"Authorization": f"Bearer {seat['token']}"}
        save = f"{self._server()}/api/matches/{seat['id']}/save"
        with urlopen(Request(save, headers=order)) as answer:
            return open_record(parse(answer.read().decode()), self.game)

    def _server(self) -> str:
        return self.page.url.split("/match/")[0]

    def check(self) -> None:
        """The page shows what the mirror shows: the question, the last word of the log, the units.

        Waits until it does, for the line from the server may be slow.
        """
        decision, outcome = self.match.decision, self.match.outcome
        asked = outcome.reason if outcome else decision.prompt if decision else ""
        line = self.page.locator("#prompt-line .prompt-text")
        expect(line).to_have_text(asked)
        seen = SeenLog(self.side)
        seen.read(self.match)
        expect(self.page.locator("#log")).to_have_attribute("data-end", str(len(seen)))
        units = self.match.view(self.side)["units"]
        wanted = {
            unit["name"]: unit["hex"] for unit in units if unit["hex"] and unit["name"] != "?"
        }
        shown = self.page.evaluate(_COUNTERS)
        stand = {name: (self._hex_at(shown.get(name)), hex) for name, hex in wanted.items()}
        astray = {name: at for name, at in stand.items() if at[0] != at[1]}
        assert not astray, f"{asked}: shown and truly at {astray}"

    def _hex_at(self, spot: tuple[float, float] | None) -> str | None:
        """The hex in which a counter lies that is drawn at this spot of the map."""
        if spot is None:
            return None
        near = min(self._hexes.values(), key=lambda at: math.dist(spot, (at["x"], at["y"])))
        return next(code for code, at in self._hexes.items() if at is near)

    # Hands.

    def give(self, option: Option) -> None:
        """Choose an option of the menu, as somebody does who sees the page."""
        text = describe(self.game, option)
        label = text[:1].upper() + text[1:]
        unit = unit_name(self.game, option.unit) if option.unit >= 0 else None
        hex = self.game.board.code(option.hex) if option.hex >= 0 else None
        wish = [label, unit, hex, option.verb]
        start = self._last()
        tries: list[tuple[str, object, str]] = []
        for _ in range(8):
            # A stack that could be ordered to do several things takes one of them up at once,
            # and of units that move one by one the upper one.
            if self._last() != start and not self.page.evaluate(_INSTEAD, [label, unit]):
                return
            found = self._find(wish)
            if found is None:
                break
            self.by[found["means"]] = self.by.get(found["means"], 0) + 1
            self._press(found, wish)
            # The map may have moved away under the click, as it does for people: they click again.
            at_rest(self.page)
            tries.append((found["means"], found["spot"], self._last()))
        asked = self.page.locator(SIDE).inner_text()
        raise AssertionError(f"No way to order {label!r} ({option}): {tries} from {start}; {asked}")

    def attack(self, first: Option) -> None:
        """Leave out those whom the adviser would not name, and fight."""
        dream, wanted = self.match.fork(), [first]
        while True:
            dream.choose(wanted[-1])
            if not isinstance(dream.decision, Choice) or dream.decision.side != self.side:
                break
            option = self.adviser(dream.seat())
            if option.verb != first.verb or option.unit < 0:
                break
            wanted.append(option)
        names = {unit_name(self.game, option.unit) for option in wanted}
        for toggle in self.page.locator(".in-hand-unit").all():
            if toggle.get_attribute("data-name") not in names:
                self._click(toggle)
        self.by["fight"] = self.by.get("fight", 0) + 1
        self._click(self.page.locator("#fight"))

    def leave_out(self, first: Option) -> None:
        """One click has taken a whole stack up: leave those behind whom the adviser would not take.

        Without that he halts a stack that he never wanted, and moves it again, for ever.
        """
        held = self.page.locator(".in-hand-unit[aria-pressed=true]")
        if held.count() < 2 or first.unit < 0 or first not in self.match.decision.options:
            return
        dream, wanted = self.match.fork(), {unit_name(self.game, first.unit)}
        # Who was in hand before stays.
        moving = self.match.view(self.side).get("moving") or {}
        wanted.update(moving.get("units", ()))
        dream.choose(first)
        taken = held.evaluate_all("all => all.map(one => one.dataset.name)")
        while isinstance(dream.decision, Choice) and dream.decision.side == self.side:
            option = self.adviser(dream.seat())
            name = unit_name(self.game, option.unit) if option.unit >= 0 else ""
            if option.hex >= 0 or name in wanted or name not in taken:
                break
            wanted.add(name)
            dream.choose(option)
        for name in taken:
            if name not in wanted:
                self._click(self.page.locator(f".in-hand-unit[data-name='{name}']"))

    def _click(self, thing: Locator) -> None:
        self.clicks += 1
        thing.scroll_into_view_if_needed()
        if self.touch:
            tap(self.page, *thing.evaluate(_MIDDLE))
        else:
            thing.click()
        at_rest(self.page)

    def _find(self, wish: list[str | None]) -> dict[str, Any] | None:
        """What to click next, brought into sight: what the player sees that means the order."""
        found = self.page.evaluate(_FIND, wish)
        if found and found["moving"]:
            at_rest(self.page)
            found = self.page.evaluate(_FIND, wish)
        return found

    def _press(self, found: dict[str, Any], wish: list[str | None]) -> None:
        """Click where nothing covers the thing; a stack over it folds, its own is fanned out."""
        if found["spot"] is None and (self._fold() or self._read_hint()):
            found = self._find(wish) or found
        spot = found["spot"]
        if spot is None and found["means"] == "counter" and not self.touch:
            spot = self._fan_out(found["middle"], wish[1])
        # A hex that counters cover is meant by a click on them; a finger fans their stack out.
        spot = spot or found["middle"]
        self.clicks += 1
        if self.touch:
            tap(self.page, *spot)
        else:
            self.page.mouse.click(*spot)

    def _fold(self) -> bool:
        """Let a stack that is fanned out fold again, if there is one."""
        if not self.page.locator(".fan").count():
            return False
        if self.touch:
            self.page.keyboard.press("Escape")
        else:
            self.page.locator("#title").hover()
        self.page.locator(".fan").wait_for(state="detached")
        return True

    def _read_hint(self) -> bool:
        """Put the hint away that lies over the map, if there is one."""
        # On a phone it gives way to what is asked: it is there, and yet not to be seen.
        hint = self.page.locator("#hint")
        if not hint.is_visible():
            return False
        hint.get_by_role("button", name="Got it").click()
        return True

    def _fan_out(self, middle: list[float], unit: str | None) -> list[float]:
        """The place of a covered counter in the fan of its stack, which opens under the pointer."""
        x, y = middle
        self.page.mouse.move(x + 3, y + 3)
        self.page.mouse.move(x, y)
        at_rest(self.page)
        if not self.page.locator(".fan").count():
            self.page.keyboard.press("f")
        fanned = self.page.locator(f".fan .counter[data-unit='{unit}']")
        fanned.wait_for()
        return fanned.evaluate(_MIDDLE)

    def _last(self) -> str:
        return self.page.evaluate(_LAST)


# What the page has ordered since it was last asked.
_ORDERS = "() => window.witness.orders.splice(0)"

# Where the log ends: that an order was taken shows there.
_LAST = "() => document.querySelector('#log').dataset.end"

# Whether the order can be given to the stack in hand instead of another, or to one below it.
_INSTEAD = """([label, unit]) => [...document.querySelectorAll('.instead .button')].some(
  it => it.textContent.trim() === label) || [...document.querySelectorAll('.in-hand-unit')].some(
  it => it.dataset.name === unit && it.ariaPressed === 'false')"""

_MIDDLE = """it => {
  const box = (it.querySelector('.counter-face') ?? it).getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""

# A point of the thing that no other thing covers.
_SPOT = """it => {
  const box = (it.querySelector('.counter-face') ?? it).getBoundingClientRect();
  const parts = [.5, .3, .7, .15, .85, .06, .94];
  for (const dx of parts) for (const dy of parts) {
    const [x, y] = [box.left + box.width * dx, box.top + box.height * dy];
    const top = document.elementFromPoint(x, y);
    if (top && (it === top || it.contains(top))) return [x, y];
  }
  return null;
}"""

# With the keyboard's focus the map brings a thing into sight, as it does for everybody.
_FIND = f"""([label, unit, hex, verb]) => {{
  const one = selector =>
    [...document.querySelectorAll(selector)].find(it => it.checkVisibility()) ?? null;
  const said = selector =>
    [...document.querySelectorAll(selector)].find(
      it => it.checkVisibility() && it.textContent.trim() === label);
  const held = one('.counter-layer .picked')?.dataset.unit ?? one('#tray .picked')?.dataset.name;
  // Of a stack the upper counter looks picked, whoever of it is in hand.
  const inHand = unit && one(`.in-hand-unit[data-name="${{CSS.escape(unit)}}"][aria-pressed=true]`);
  const named = unit && held !== unit && !inHand && CSS.escape(unit);
  const ways = [
    ['warning', one('dialog.warning-dialog footer .primary')],
    ['second tap', one('#preview:not([hidden]) footer .primary')],
    ['list', said('.chooser button')],
    ['instead', said('.instead .button')],
    ['button', said('#prompt-buttons .order')],
    ['in hand', named && one(`.in-hand-unit[data-name="${{named}}"][aria-pressed=false]`)],
    ['battle', named && one(`#battle:not([hidden]) .glows[data-name="${{named}}"]`)],
    ['tray', named && one(`#tray:not([hidden]) .glows[data-name="${{named}}"]`)],
    ['fan', named && matchMedia('(pointer: coarse)').matches
      && one(`.fan .counter.glows:not(.on-the-move)[data-unit="${{named}}"]`)],
    // A click on a unit in hand lets go of it: where it is to go is a hex.
    ['counter',
      named && one(`.counter-layer .counter.glows:not(.on-the-move)[data-unit="${{named}}"]`)],
    ['hex', hex && one(`.option:not(.faint)[data-hex="${{CSS.escape(hex)}}"]`)],
    ['group', [...document.querySelectorAll('#prompt-buttons .order')].find(
      it => it.dataset.verb === verb && it.checkVisibility() && it.textContent.endsWith('…'))],
  ];
  const [means, it] = ways.find(([, it]) => it) ?? [];
  if (!it) return null;
  const onMap = it.closest('.pieces') !== null;
  if (onMap) it.focus({{focusVisible: true, preventScroll: true}});
  else it.scrollIntoView({{block: 'nearest', inline: 'nearest'}});
  const moving = onMap && one('.world.moving') !== null;
  // A finger is laid on the middle of a hex, on whatever lies there: beside it, it may mean
  // what lies in the next one.
  const middle = ({_MIDDLE})(it);
  const finger = means === 'hex' && matchMedia('(pointer: coarse)').matches;
  const firm = finger && document.elementFromPoint(...middle)?.closest('.pieces');
  return {{means, moving, spot: firm ? middle : ({_SPOT})(it), middle}};
}}"""

_COUNTERS = """() => Object.fromEntries(
  [...document.querySelectorAll('.counter-layer .counter')].map(one => {
    const at = new DOMMatrix(one.style.transform);
    return [one.dataset.unit, [at.e, at.f]];
  }))"""
