"""A pair of hands at the browser: it clicks what can be clicked, and knows no game."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, Page

from .rest import at_rest, heard, tap

BUTTONS = "#prompt-buttons .order:not(:disabled)"
LISTED = ".chooser button"
TRAY = "#tray .unit-card.glows"
COUNTERS = ".counter-layer .counter.glows"
HEXES = ".option:not(.faint)"


class Hands:
    """Plays by clicking, or by tapping."""

    def __init__(self, page: Page, seed: int, *, touch: bool = False, eager: int = 3) -> None:
        self.page = page
        self.random = Random(seed)
        self.touch = touch
        self.eager = eager
        """How often at most it goes for the map before it presses a button again."""
        self.orders = 0
        self._left = eager

    @property
    def mood(self) -> str:
        """Whether it is the player's turn: mine, waiting or over."""
        return self.page.locator("#prompt").get_attribute("data-mood") or ""

    @property
    def turn(self) -> int:
        """The turn that the track shows."""
        steps = self.page.locator("#track li").all()
        return 1 + [step.get_attribute("aria-current") for step in steps].index("step")

    def wait(self) -> str:
        """Until the player is asked or the game is over, and all of that is drawn."""
        at_rest(self.page)
        if self.mood == "waiting":
            self.page.wait_for_selector("#prompt:not([data-mood=waiting])", state="attached")
            at_rest(self.page)
        return self.mood

    def press(self, found: Locator) -> None:
        """Click or tap, in the middle of what is shown."""
        if self.touch:
            clicks = self.page.evaluate("window.witness.clicks")
            found.tap()
            heard(self.page, clicks)
        else:
            found.click()

    def move(self) -> None:
        """Give one order, or pick what the order is about."""
        page = self.page
        refused = page.locator("#toasts .toast.bad").all_inner_texts()
        assert refused == [], "What the page offers, the server refuses."
        if (listed := page.locator(LISTED)).count():
            self.press(listed.nth(self.random.randrange(listed.count())))
        elif (warned := page.locator("dialog.warning-dialog footer .primary")).count():
            self.press(warned)
        elif (sure := page.locator("#preview footer .primary")).count() and sure.is_visible():
            self.press(sure)
        else:
            self._point()
        self.orders += 1

    def _point(self) -> None:
        """Something on the map, in the tray, or a button."""
        page = self.page
        buttons = page.locator(BUTTONS)
        places = [kind for kind in (TRAY, COUNTERS, HEXES) if page.locator(kind).count()]
        if buttons.count() and TRAY in places:
            # A set-up ready-made, or none at all: one by one it would take all day.
            self.press(buttons.first)
            return
        if buttons.count() and (not places or not self._left):
            # The last button most often ends the step.
            self.press(buttons.last if self.random.random() < 0.8 else buttons.first)
            self._left = self.random.randint(1, self.eager)
            return
        assert places, f"There is nothing to click: {page.locator('#prompt').inner_text()}"
        self._left = max(0, self._left - 1)
        things = page.locator(self.random.choice(places))
        self.point(things.nth(self.random.randrange(things.count())))

    def point(self, thing: Locator) -> None:
        """Click a counter or a hex on the map, wherever the map lies just now."""
        if thing.evaluate("thing => thing.closest('.pieces') === null"):
            self.press(thing)
            return
        # With the keyboard's focus the map brings it into sight, as it does for everybody.
        thing.evaluate(FOCUS)
        at_rest(self.page)
        spot = thing.evaluate(_SPOT)
        if self.touch:
            tap(self.page, *spot)
        else:
            self.page.mouse.click(*spot)


FOCUS = "thing => thing.focus({focusVisible: true, preventScroll: true})"

# A point of the thing that no other thing covers, or else its middle.
_SPOT = """thing => {
  const box = (thing.querySelector('.counter-face') ?? thing).getBoundingClientRect();
  for (const [dx, dy] of [[.5, .5], [.2, .8], [.15, .9], [.8, .2], [.5, .9], [.9, .5], [.1, .5]]) {
    const [x, y] = [box.left + box.width * dx, box.top + box.height * dy];
    const top = document.elementFromPoint(x, y);
    if (top && (thing === top || thing.contains(top))) return [x, y];
  }
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


def play(hands: Hands, *, turns: int | None = None, most: int = 1000) -> str:
    """Play until the game is over or some turns are; how it stands then."""
    hands.wait()
    until_turn = None if turns is None else hands.turn + turns
    while hands.orders <= most:
        if hands.wait() == "over":
            return "over"
        if until_turn is not None and hands.turn >= until_turn:
            return "turn"
        hands.move()
    raise AssertionError(f"After {hands.orders} orders the game is not done.")
