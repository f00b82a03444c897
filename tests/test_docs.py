import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)

# Written so that this file does not match its own patterns.
OUTSIDE = re.compile(r"\.\./shared\b|[/]work/(?:main|shared)\b")
REGISTRY = re.compile(r"\b(?:pypi|pythonhosted|npmjs|anaconda|ghcr|docker)\.(?:org|com|io)\b")
INDEX_OPTION = re.compile(r"--(?:extra-)?index[-]url\b|--find[-]links\b")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text("utf-8"))


def links(page: Path) -> Iterator[tuple[str, Path, str]]:
    """Each link of a page to a place in the repository: as written, its file, its heading."""
    for target in LINK.findall(prose(page)):
        if "://" not in target:
            file, _, heading = target.partition("#")
            yield target, (page.parent / file).resolve() if file else page, heading


def anchors(page: Path) -> set[str]:
    """The names under which headings are linked: lower case, hyphens, no punctuation."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in HEADING.findall(prose(page))
    }


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file of the repository, generated and installed things left out."""
    places = [ROOT / place for place in (".ci", "bench", "docs", "src", "tests")]
    # In a second work tree of a clone .git is a file, which names the first one.
    files = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    for path in sorted(files + [path for place in places for path in place.rglob("*")]):
        if path.is_file() and "__pycache__" not in path.parts:
            try:
                yield path, path.read_text("utf-8")
            except UnicodeDecodeError:
                continue


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_to_a_file_and_a_heading_that_exist(page: Path):
    dead = [
        written
        for written, file, heading in links(page)
        if not file.exists() or (heading and heading not in anchors(file))
    ]
    assert dead == []


def test_every_document_can_be_reached_from_the_index():
    reached: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.exists():
            reached.add(page)
            waiting += [file for _, file, _ in links(page) if file.suffix == ".md"]
    assert [name(page) for page in PAGES if page.is_relative_to(DOCS) and page not in reached] == []


def test_every_picture_is_shown_on_a_page():
    shown = {file for page in PAGES for _, file, _ in links(page)}
    pictures = [path for path in (DOCS / "pictures").rglob("*") if path.is_file()]
    assert [name(picture) for picture in pictures if picture not in shown] == []


def test_the_example_in_the_readme_plays_a_game_to_its_end(capsys: pytest.CaptureFixture[str]):
    readme = (ROOT / "README.md").read_text("utf-8")
    [example] = [code for language, code in FENCE.findall(readme) if language == "python"]
    scope: dict[str, Any] = {}
    exec(compile(example, "README.md", "exec"), scope)
    assert scope["match"].decision is None
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_the_game_on_one_page_runs_as_it_stands():
    page = (DOCS / "door.md").read_text("utf-8")
    [game] = [code for language, code in FENCE.findall(page) if language == "python"]
    [session] = [code for language, code in FENCE.findall(page) if language == "pycon"]
    scope: dict[str, Any] = {"__name__": "door"}
    exec(compile(game, "door.md", "exec", dont_inherit=True), scope)
    examples = doctest.DocTestParser().get_doctest(session, scope, "door.md", "door.md", 0)
    report: list[str] = []
    doctest.DocTestRunner().run(examples, out=report.append)
    assert report == []


@pytest.mark.parametrize(
    "pattern", [OUTSIDE, REGISTRY, INDEX_OPTION], ids=["outside", "registry", "index"]
)
def test_the_repository_stands_alone_and_names_no_place_to_install_from(pattern: re.Pattern[str]):
    assert [
        f"{name(path)}:{number}: {line.strip()}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ] == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (OUTSIDE, "../" + "shared/design.md"),
        (OUTSIDE, "cd /wor" + "k/main"),
        (REGISTRY, "files.pythonhosted" + ".org"),
        (INDEX_OPTION, "pip install --index" + "-url x"),
    ],
)
def test_the_patterns_find_what_they_look_for(pattern: re.Pattern[str], line: str):
    assert pattern.search(line)
