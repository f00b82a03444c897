"""One match at one terminal: reads what is typed, moves the match, shows what came of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from apennine.board import draw_svg
from apennine.bots import Bot
from apennine.cli import screen
from apennine.cli.common import table
from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.dice import DiceError
from apennine.kernel.game import EVERYBODY, GameError
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match, MatchError
from apennine.kernel.view import seen_log
from apennine.kernel.words import describe, understand

HELP = {
    "7": "take option 7",
    "go 6 Arm to 0304": "take the option that reads so; its beginning or end will do",
    "p 7": "foresee option 7: path and cost, or odds and chances",
    "? attack 0304": "ask why something cannot be done; `why` does the same",
    "u": "take back your last choice, if no die and nobody else came after it",
    "uu": "undo anything, if you play all sides",
    "r": "redo what was undone",
    "m": "see the map again; m FILE.svg draws it in a file",
    "i": "list the units",
    "l": "see the last of the log; l 50, l all",
    "w": "see the warnings",
    "s FILE": "save; s alone saves to the same file again, s! FILE writes over another",
    "q": "leave",
    "Enter": "see the table and the options again",
}


class Quit(Exception):
    """The player has had enough."""


class Session:
    """One match at one terminal. Sides without a bot are played by whoever sits there."""

    def __init__(
        self,
        match: Match[Any],
        bots: Mapping[int, Bot],
        out: Console,
        read: Callable[[str], str] = input,
        file: Path | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.bots = bots
        self.out = out
        self.read = read
        self.file = file
        self.told = 0 if file is None else len(match.log)
        self.safe = True
        """Nothing would be lost by leaving now."""
        utf = out.encoding.lower().startswith("utf")
        self.marks = screen.MARKS if utf else screen.PLAIN_MARKS
        self.commands: dict[str, Callable[[str], None]] = {
            "u": self.take_back,
            "uu": self.undo,
            "r": self.redo,
            "s": self.save,
            "s!": self.save_over,
            "m": self.show_map,
            "i": self.show_units,
            "l": self.show_log,
            "w": self.show_warnings,
            "p": self.preview,
            "?": self.why,
            "why": self.why,
            "h": self.help,
            "help": self.help,
            "q": self.quit,
            "quit": self.quit,
        }

    def run(self) -> None:
        """Play until the player leaves."""
        _use_line_editing()
        self.greet()
        try:
            self.go_on()
            while True:
                self.obey(self.next_line())
        except Quit:
            return

    def next_line(self) -> str:
        try:
            return self.read("> ").strip()
        except EOFError:
            hint = "" if self.safe else " This match is not saved: another time, `s FILE` saves it."
            self.say(f"\nThe input has ended.{hint}")
            raise Quit from None
        except KeyboardInterrupt:
            self.say("")
            return "q"

    def obey(self, line: str) -> None:
        """Do what was typed: an option by its number or its words, or a command."""
        word, _, rest = line.partition(" ")
        try:
            if not line:
                self.ask()
            elif isinstance(self.match.decision, Roll) and line.replace(" ", "").isdecimal():
                self.match.roll(*map(int, line.split()))
                self.step()
            elif line.isdecimal() and not self.options_called(line):
                self.choose(self.numbered(line))
            elif word in self.commands and not self.options_called(line, exactly=True):
                self.commands[word](rest.strip())
            else:
                self.choose_by_words(line)
        except (DiceError, GameError, MatchError) as error:
            self.complain(str(error))
        except OSError as error:
            self.complain(f"{error.filename}: {error.strerror}.")

    def choose(self, option: Option) -> None:
        decision = self.match.decision
        self.match.choose(option)
        if isinstance(decision, Choice) and decision.secret and not self.bots:
            self.out.clear()  # the other player comes back to this screen
        self.step()

    def choose_by_words(self, line: str) -> None:
        found = self.options_called(line, exactly=True) or self.options_called(line)
        if len(found) > 1:
            listed = ", ".join(f"{number}) {describe(self.game, o)}" for number, o in found[:8])
            more = ", ..." if len(found) > 8 else ""
            self.complain(f"{len(found)} options read so: {listed}{more}.")
        else:
            self.choose(found[0][1] if found else self.understood(line))

    def options_called(self, line: str, *, exactly: bool = False) -> list[tuple[int, Option]]:
        """The options, with their numbers, that read, begin or end as what was typed."""
        typed = " ".join(line.casefold().split())
        options = list(enumerate(self.options(), start=1))
        if typed.isdecimal() and not typed.startswith("0") and int(typed) <= len(options):
            return []  # a number of the menu, even if a hex ends so too
        found: list[tuple[int, Option]] = []
        for number, option in options:
            words = describe(self.game, option).casefold()
            partly = words.startswith(typed) or words.endswith(f" {typed}")
            if words == typed or (partly and not exactly):
                found.append((number, option))
        return found

    def understood(self, line: str) -> Option:
        return understand(self.game, line, {option.verb for option in self.options()})

    def numbered(self, text: str) -> Option:
        options = self.options()
        if not text.isdecimal() or not 1 <= int(text) <= len(options):
            if not text:
                raise GameError("Say which option, by its number.")
            many = f"they go from 1 to {len(options)}" if options else "there are none now"
            raise GameError(f"There is no option {text}: {many}.")
        return options[int(text) - 1]

    def options(self) -> list[Option]:
        decision = self.match.decision
        return list(decision.options) if isinstance(decision, Choice) else []

    def take_back(self, _: str) -> None:
        side = self.own_side()
        if side == EVERYBODY:
            chosen = (entry for entry in reversed(self.match.log) if isinstance(entry, Chosen))
            side = next((entry.side for entry in chosen if not entry.automatic), 0)
        self.match.take_back(side)
        self.step()

    def undo(self, _: str) -> None:
        if self.bots:
            raise MatchError("Only who plays all sides may undo dice and the choices of others.")
        self.match.undo()
        self.step()

    def redo(self, _: str) -> None:
        self.match.redo()
        self.step()

    def step(self) -> None:
        self.safe = False
        self.go_on()

    def go_on(self) -> None:
        """Let the bots answer what is theirs, tell what happened, and ask again."""
        match = self.match
        while isinstance(match.decision, Choice) and match.decision.side in self.bots:
            match.choose(self.bots[match.decision.side](match.seat()))
        self.told = min(self.told, len(match.log))
        for entry in seen_log(match, self.viewer(), self.told):
            self.say(screen.styled_entry(self.game, entry))
        self.told = len(match.log)
        self.ask()

    def own_side(self) -> int:
        """The side that sits here; EVERYBODY if all do."""
        own = [side for side in range(len(self.game.sides)) if side not in self.bots]
        return own[0] if len(own) == 1 else EVERYBODY

    def viewer(self) -> int:
        """Through whose eyes the table is shown: whoever must choose, if all sit here."""
        decision = self.match.decision
        if self.own_side() == EVERYBODY and isinstance(decision, Choice):
            return decision.side
        return self.own_side()

    def say(self, what: str | Text) -> None:
        self.out.print(what)

    def complain(self, sentence: str) -> None:
        # Not broken into lines, so that the path of a file can be copied.
        self.out.print(Text(sentence, "red"), soft_wrap=True)

    def greet(self) -> None:
        game, match = self.game, self.match
        scenario = next(s for s in game.scenarios if s.key == match.scenario)
        self.say(Text(f"{game.title}: {scenario.title}", "bold"))
        self.say(scenario.summary)
        for pack in game.packs:
            self.say(f"With the pack {pack.name}: {pack.title}.")
        own = self.own_side()
        who = "You play all sides" if own == EVERYBODY else f"You are {game.sides[own]}"
        self.say(f"{who}. Type the number or the words of an option; h shows the commands.")
        for note in match.notes:
            self.say(Text(note, "yellow"))

    def ask(self) -> None:
        """Show the table, and say who must do what."""
        match, decision = self.match, self.match.decision
        view = match.view(self.viewer())
        options = self.options()
        self.say("")
        drawing = screen.map_drawing(
            self.game, view, options, width=self.out.width, marks=self.marks
        )
        if drawing is not None:
            self.say(drawing)
        self.say(screen.where_line(view))
        if isinstance(decision, Choice):
            if decision.secret and not self.bots:
                side = self.game.sides[decision.side]
                self.say(Text(f"A secret choice: only {side} should look now.", "yellow"))
            self.say(screen.prompt_line(self.game, decision.side, decision.prompt, decision.rule))
            self.out.print(screen.menu(self.game, options, view))
            if match.warnings(decision.side):
                self.say(Text("There are warnings: w shows them.", "yellow"))
        elif isinstance(decision, Roll):
            self.say(screen.roll_line(decision))
        elif match.outcome is not None:
            self.say(screen.outcome_line(self.game, match.outcome))
            self.say("s FILE saves the match, l shows its log, q leaves.")

    def show_map(self, rest: str) -> None:
        view = self.match.view(self.viewer())
        if rest:
            labels = screen.labels(self.game, view)
            Path(rest).write_text(draw_svg(self.game.board, units=labels), encoding="utf-8")
            self.say(f"The map is drawn in {rest}.")
            return
        drawing = screen.map_drawing(self.game, view, width=self.out.width, marks=self.marks)
        if drawing is None:
            self.complain("The map is too wide for this terminal: `m FILE.svg` draws it in a file.")
        else:
            self.say(drawing)

    def show_units(self, _: str) -> None:
        self.out.print(screen.units_table(self.match.view(self.viewer())))

    def show_log(self, rest: str) -> None:
        match = self.match
        over = match.outcome is not None
        entries = list(match.log if over else seen_log(match, self.viewer()))
        count = len(entries) if rest == "all" else int(rest) if rest.isdecimal() else 20
        for entry in entries[max(0, len(entries) - count) :]:
            self.say(screen.styled_entry(self.game, entry))

    def show_warnings(self, _: str) -> None:
        viewer = self.viewer()
        warnings = self.match.warnings(viewer) if viewer != EVERYBODY else []
        for warning in warnings:
            rule = f" [{warning.rule}]" if warning.rule else ""
            self.say(Text(warning.sentence + rule, "yellow"))
        if not warnings:
            self.say("There is nothing to warn of.")

    def preview(self, rest: str) -> None:
        option = self.numbered(rest)
        preview = self.match.preview(option)
        self.say(Text(describe(self.game, option), "bold"))
        if preview is None:
            self.say("There is nothing to foresee about this option.")
        else:
            self.out.print(screen.preview_lines(self.game, preview))

    def why(self, rest: str) -> None:
        """Why something cannot be done; or by which rule it can."""
        decision = self.match.decision
        if not rest:
            self.help("")
            return
        if not isinstance(decision, Choice):
            raise MatchError("Nothing can be chosen now.")
        named = self.options_called(rest, exactly=True)
        if rest.isdecimal():
            option = self.numbered(rest)
        else:
            option = named[0][1] if named else self.understood(rest)
        words = describe(self.game, option)
        refusal = self.match.why_not(option)
        if refusal is None:
            self.say(f"You may {words} [{decision.rule}].")
            rule = decision.rule
        else:
            rule = refusal.rule
            self.say(f"You may not {words}: {refusal.sentence.removesuffix('.')} [{rule}].")
        if text := screen.rule_text(self.game, rule):
            self.say(Text(f"{rule}  {text}", "dim"))

    def help(self, _: str) -> None:
        listing = table("type", "to")
        for command, meaning in HELP.items():
            listing.add_row(Text(command, "bold green"), meaning)
        self.out.print(listing)

    def save(self, rest: str) -> None:
        path = Path(rest) if rest else self.file
        if path is None:
            raise MatchError("Say where to save: s FILE.")
        if path != self.file and path.exists():
            raise MatchError(f"{path} exists already: `s! {path}` writes over it.")
        self.write(path)

    def save_over(self, rest: str) -> None:
        if not rest:
            raise MatchError("Say where to save: s! FILE.")
        self.write(Path(rest))

    def write(self, path: Path) -> None:
        self.match.save(path)
        self.file, self.safe = path, True
        line = f"Saved: `apennine play --load {path}` goes on from here."
        self.out.print(line, soft_wrap=True)

    def quit(self, _: str) -> None:
        if self.safe:
            raise Quit
        self.safe = True
        self.say("This match is not saved: `s FILE` saves it, `q` once more leaves it.")


def _use_line_editing() -> None:
    """Arrow keys and history at the prompt, where Python has them."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")
