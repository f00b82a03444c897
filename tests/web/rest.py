"""When a page is at rest, and what it showed for a moment only.

The client says so itself: its body is `data-busy` as long as an answer is awaited, the map moves,
or something is put off, and names what (see rest.js). What the style sheets let glide is asked of
the browser.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.waiting import LONGEST

GUARD = LONGEST * 1000
"""The same in milliseconds."""

WITNESS = """
window.witness = {clicks: 0, seen: [], orders: []};
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (words) {
  const {type, option} = JSON.parse(words);
  if (type === 'act') window.witness.orders.push(option);
  return send.call(this, words);
};
addEventListener('click', () => { window.witness.clicks += 1; }, true);
new MutationObserver(changes => {
  for (const {addedNodes} of changes) for (const node of addedNodes)
    if (node instanceof Element && node.matches('.toast, .throw') && node.checkVisibility())
      window.witness.seen.push(`${node.className}: ${node.textContent}`);
}).observe(document, {childList: true, subtree: true});
"""
"""Runs before the page's own scripts: it counts clicks, and remembers orders, toasts and
dice."""

# For three frames in a row: what follows the drawing of a state comes with the next frame.
_AT_REST = """call => {
  const glides = one => one.effect?.getComputedTiming().endTime !== Infinity
    && !one.effect?.target?.matches('.flash');
  const rests = document.body.matches('.ready:not([data-busy])')
    && !document.getAnimations().some(one => one.playState === 'running' && glides(one));
  const before = window.resting?.call === call ? window.resting.frames : 0;
  window.resting = {call, frames: rests ? before + 1 : 0};
  return window.resting.frames >= 3;
}"""

# What keeps the page from it, for the one who reads of it afterwards.
_UNREST = """() => JSON.stringify({
  ready: document.body.className, busy: document.body.dataset.busy ?? null,
  frames: window.resting ?? null, hidden: document.hidden,
  moves: document.getAnimations().map(
    one => [one.playState, one.effect?.target?.outerHTML.slice(0, 120)]),
})"""

_calls = count()


def at_rest(page: Any) -> Any:
    """Wait until nothing on the page is under way any more; the page."""
    from playwright.sync_api import TimeoutError as TooLong

    try:
        page.wait_for_function(_AT_REST, arg=next(_calls))
    except TooLong as error:
        raise AssertionError(f"The page finds no rest: {page.evaluate(_UNREST)}") from error
    return page


def tap(page: Any, x: float, y: float) -> None:
    """Tap, and wait until the page has heard of it: the click comes after the finger has left."""
    before = page.evaluate("window.witness.clicks")
    page.touchscreen.tap(x, y)
    heard(page, before)


def heard(page: Any, clicks: int) -> None:
    """Wait until the page has heard more clicks than so many."""
    page.wait_for_function("clicks => window.witness.clicks > clicks", arg=clicks)


def saw(page: Any, kind: str, words: str) -> None:
    """Wait until a toast or a throw of dice with these words was shown; it may be gone again."""
    page.wait_for_function(
        "([kind, words]) => window.witness.seen.some("
        "one => one.startsWith(kind) && one.includes(words))",
        arg=[kind, words],
    )
