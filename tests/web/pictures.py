"""The pictures of the client in docs/pictures: `python -m tests.web.pictures` takes them anew."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from apennine.foundry.draw import small_png

from .conftest import CHROMIUM, DESK, FLAGS, PHONE, Server
from .hands import Hands
from .rest import GUARD, WITNESS, at_rest

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LARGEST = 400_000


def take(page: Any, name: str) -> None:
    """Take a picture, with few enough colours to be small."""
    at_rest(page)
    picture = small_png(page.screenshot())
    if len(picture) > LARGEST:
        raise ValueError(f"{name} has {len(picture)} bytes, more than {LARGEST}.")
    (PICTURES / name).write_bytes(picture)
    sys.stdout.write(f"{name}: {len(picture) // 1000} kB\n")


def open_match(browser: Any, server: Server, made: Any, device: dict[str, Any], theme: str) -> Any:
    """A page with the board on it."""
    context = browser.new_context(color_scheme=theme, **device)
    context.set_default_timeout(GUARD)
    context.add_init_script(WITNESS)
    page = context.new_page()
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    page.wait_for_selector("#prompt[data-mood=mine]")
    return at_rest(page)


def press(page: Any, *names: str) -> None:
    """Buttons beside the prompt, one after the other; `@2217` is a hex."""
    for name in names:
        if name.startswith("@"):
            page.locator(f".option[data-hex='{name[1:]}']").click(force=True)
        else:
            page.get_by_role("button", name=name, exact=True).click()
        at_rest(page)


def to_the_movement(page: Any) -> None:
    """Italy 1944 up to the first move of the Allies."""
    press(page, "Historical deployment")
    page.locator(".option").first.focus()
    page.keyboard.press("Enter")
    at_rest(page)
    press(page, "End planning", "No operation", "Leave the centre")


def lobby(browser: Any, server: Server) -> None:
    """The lobby with a match under way."""
    page = open_match(browser, server, server.match("crossing", seed="1"), DESK, "light")
    page.goto(server.url)
    page.wait_for_selector(".match-row")
    page.wait_for_function("() => [...document.images].slice(0, 3).every(one => one.complete)")
    take(page, "lobby.png")


def desktop(browser: Any, server: Server) -> None:
    """A unit about to move, on the large screen; then a battle about to be fought."""
    page = open_match(browser, server, server.match("italy1944", seed="1"), DESK, "light")
    to_the_movement(page)
    page.keyboard.press("h")
    at_rest(page)
    page.locator(".counter[data-unit='5 C Arm']").click()
    page.wait_for_selector(".option")
    page.locator(".option[data-hex='3520']").hover(force=True)
    page.wait_for_selector(".path")
    take(page, "match-desktop.png")
    press(page, "Halt 5 C Arm", "End movement")
    if page.locator("dialog .primary").count():
        page.locator("dialog .primary").click()
    page.wait_for_selector(".option")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    for _ in range(2):
        at_rest(page)
        if page.locator(".counter.glows").count():
            page.locator(".counter.glows").first.focus()
            page.keyboard.press("Enter")
    page.wait_for_selector("#preview .chances")
    take(page, "combat-preview.png")


def phone(browser: Any, server: Server) -> None:
    """The same in the hand, in the dark."""
    made = server.match("italy1944", seed="1")
    page = open_match(browser, server, made, PHONE | {"device_scale_factor": 1.5}, "dark")
    to_the_movement(page)
    hands = Hands(page, seed=1, touch=True)
    hands.press(page.get_by_role("button", name="My units (H)"))
    at_rest(page)
    hands.point(page.locator(".counter[data-unit='5 C Arm']"))
    page.wait_for_selector(".option")
    hands.point(page.locator(".option[data-hex='3319']"))
    page.wait_for_selector("#preview footer")
    take(page, "match-phone.png")


def main() -> None:
    """All of them."""
    if CHROMIUM is None:
        raise SystemExit("There is no Chromium here to take pictures with.")
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for picture in (lobby, desktop, phone):
                picture(browser, server)
        finally:
            server.close()


if __name__ == "__main__":
    main()
