"""The tutorial is a program: this reads it, follows it, and brings it up to date.

    python -m tests.refresh_tutorial

puts the present files of The Crossing and the present output of every example into
`docs/tutorial.md`. Look at the difference before you keep it: the words around may have to change.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from doctest import DocTestParser, Example
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apennine

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
GAMES = Path(apennine.__file__).parent / "games"

NAMED = re.compile(r"^\*\*`([\w./]+)`\*\*.*\n\n\Z", re.MULTILINE)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^## .*\n", re.MULTILINE)

OUR_OWN = ("FORCE_COLOR", "PY_COLORS", "PYTEST_")
"""Variables that would change what a reader sees."""

# Runs the examples of one step as the interactive interpreter would.
INTERPRETER = """
import contextlib, io, json, sys, traceback
outputs, scope = [], {"__name__": "__main__"}
for source in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        try:
            exec(compile(source, "<stdin>", "single"), scope)
        except Exception as error:
            print("Traceback (most recent call last):\\n  ...")
            print(*traceback.format_exception_only(error), sep="", end="")
    outputs.append(said.getvalue())
json.dump(outputs, sys.stdout)
"""


class TutorialError(Exception):
    """The tutorial cannot be followed, or not be refreshed without a hand."""


class Block(NamedTuple):
    """A fenced block: its language, its body and where that stands on the page.

    `file` is the file of which it is a piece, if a line before it names one.
    """

    language: str
    body: str
    start: int
    end: int
    file: str


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for fence in FENCE.finditer(page):
        named = NAMED.search(page, max(0, fence.start() - 200), fence.start())
        file = named[1] if named else ""
        yield Block(fence[1], fence[2], fence.start(2), fence.end(2), file)


def pieces(page: str) -> dict[str, list[Block]]:
    """The pieces of each file that the page gives."""
    found: dict[str, list[Block]] = {}
    for block in blocks(page):
        if block.file:
            found.setdefault(block.file, []).append(block)
    return found


def files(page: str) -> dict[str, str]:
    """The files that the page gives, each put together from its pieces."""
    return {file: joined(file, given) for file, given in pieces(page).items()}


def joined(file: str, given: list[Block]) -> str:
    """Pieces go together as a formatter would have them: two empty lines, one within a class."""
    text = given[0].body
    for piece in given[1:]:
        inside = piece.body.startswith(" ") or not file.endswith(".py")
        text += ("\n" if inside else "\n\n") + piece.body
    return text


def refreshed(page: str, games: Path = GAMES) -> str:
    """The page with the present files of the package in its blocks.

    A file is cut where it was cut: at the line, or the definition, that each piece begins with.
    """
    news: list[tuple[Block, str]] = []
    for file, given in pieces(page).items():
        if (games / file).is_file():
            lines = (games / file).read_text("utf-8").splitlines(keepends=True)
            cuts = [0, *(_find(file, lines, piece) for piece in given[1:]), len(lines)]
            for piece, start, end in zip(given, cuts, cuts[1:], strict=False):
                news.append((piece, "".join(lines[start:end]).rstrip("\n") + "\n"))
    return _replaced(page, news)


def _find(file: str, lines: list[str], piece: Block) -> int:
    beginning = re.match(r"\s*(?:def|class) \w+|.*", piece.body)[0]
    found = [k for k, line in enumerate(lines) if re.match(re.escape(beginning) + r"\b", line)]
    if len(found) != 1:
        raise TutorialError(
            f"{len(found)} lines of {file} begin with {beginning!r}, as a piece of it does in the "
            "tutorial: move that piece to a line that is there once."
        )
    return found[0]


def followed(page: str, folder: Path) -> str:
    """Follow the tutorial in an empty folder; the page with what its examples really print.

    Each step writes its files, then runs its examples in a Python of their own, then its
    commands. Output that the page abridges with `...` stays as it is if it fits.
    """
    news: list[tuple[Block, str]] = []
    written: dict[str, list[Block]] = {}
    for step in _steps(page):
        for block in step:
            if block.file:
                written.setdefault(block.file, []).append(block)
                path = folder / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(joined(block.file, written[block.file]).encode())
        news += _run_examples([b for b in step if b.language == "pycon"], folder)
        news += [(b, _run_commands(b.body, folder)) for b in step if b.language == "console"]
    return _replaced(page, news)


def _steps(page: str) -> list[list[Block]]:
    starts = [heading.start() for heading in SECTION.finditer(page)]
    found = list(blocks(page))
    return [
        [block for block in found if start < block.start < end]
        for start, end in zip(starts, [*starts[1:], len(page)], strict=True)
    ]


def _run_examples(given: list[Block], folder: Path) -> list[tuple[Block, str]]:
    if not given:
        return []
    read = DocTestParser().get_examples
    # An empty line is output here: examples follow each other without one.
    examples = [read(re.sub(r"^$", "<BLANKLINE>", b.body[:-1], flags=re.M)) for b in given]
    sources = [example.source for part in examples for example in part]
    command = [sys.executable, "-c", INTERPRETER]
    outputs = iter(json.loads(_output(command, folder, json.dumps(sources))))
    return [
        (block, "".join(_shown(example, next(outputs)) for example in part))
        for block, part in zip(given, examples, strict=True)
    ]


def _shown(example: Example, output: str) -> str:
    first, *more = example.source.splitlines()
    typed = [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
    return "\n".join(typed) + "\n" + _kept(example.want.replace("<BLANKLINE>", ""), output)


def _run_commands(body: str, folder: Path) -> str:
    shown = ""
    for part in re.split(r"^(?=\$ )", body, flags=re.M)[1:]:
        typed, _, want = part.partition("\n")
        program, *arguments = shlex.split(typed.removeprefix("$ "))
        module = ["-m", "apennine"] if program == "apennine" else []
        output = _output([sys.executable, *module, *arguments], folder)
        shown += f"{typed}\n" + _kept(want, re.sub(r" +$", "", output, flags=re.M))
    return shown


def _kept(want: str, output: str) -> str:
    """The output as the page has it, if it differs only where the page has dots.

    Otherwise the output itself, but for single lines with dots that still fit.
    """
    if _fits(want, output):
        return want
    shown = want.splitlines(keepends=True)
    dotted = [line for line in shown if "..." in line and line.strip(".\n")]
    lines = output.splitlines(keepends=True)
    return "".join(next((old for old in dotted if _fits(old, line)), line) for line in lines)


def _fits(want: str, output: str) -> bool:
    pattern = ".*".join(map(re.escape, want.split("...")))
    return re.fullmatch(pattern, output, re.DOTALL) is not None


def _output(command: list[str], folder: Path, typed: str = "") -> str:
    """What a command prints in that folder, with its input closed and 80 columns to print on."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(OUR_OWN)}
    env |= {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        command, cwd=folder, env=env, input=typed, capture_output=True, encoding="utf-8"
    )
    if ran.returncode:
        raise TutorialError(f"{shlex.join(command)}\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


def _replaced(page: str, news: list[tuple[Block, str]]) -> str:
    for block, text in sorted(news, reverse=True, key=lambda new: new[0].start):
        page = page[: block.start] + text + page[block.end :]
    return page


def main() -> None:
    """Refresh the tutorial."""
    with TemporaryDirectory() as folder:
        page = followed(refreshed(PAGE.read_text("utf-8")), Path(folder))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
