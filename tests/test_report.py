from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import apennine
from apennine.bots import RandomBot
from apennine.cli import main
from apennine.games import get, keys
from apennine.kernel import save
from apennine.kernel.game import EVERYBODY, REFEREE
from apennine.kernel.match import Match
from apennine.kernel.scene import Loss
from apennine.report import gather, html_report, markdown_report
from apennine.report.facts import Fight
from apennine.report.prose import Writer

SAVES = Path(__file__).parent / "saves" / "0.1.0"


def kept(key: str, moment: str = "end") -> Match:
    return save.open_record(save.read(SAVES / f"{key}-{moment}.jsonl"), get(key))


class Outline(HTMLParser):
    """The headings of a page, its maps, and whatever would have to be fetched."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.maps = 0
        self.fetched: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        given = dict(attrs)
        self.maps += tag == "use" and given.get("href") == "#report-ground"
        address = given.get("src") or given.get("href") or "#"
        if tag == "script" or not address.startswith("#"):
            self.fetched.append(f"{tag} {address}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.headings.append(data.strip())
            self.open.append("")


@pytest.mark.parametrize("key", keys())
def test_the_report_of_a_finished_match_is_one_page_with_a_map_for_each_turn(key: str) -> None:
    match = kept(key)
    facts = gather(match)
    outline = Outline(html_report(match))
    assert facts.turns
    assert outline.headings[0] == "The outcome"
    assert [turn.name for turn in facts.turns] == outline.headings[2:-1]
    assert outline.maps == len(facts.turns)
    assert outline.fetched == []
    assert match.outcome is not None
    assert match.outcome.reason.removesuffix(".").replace("'", "&#x27;") in html_report(match)


@pytest.mark.parametrize("key", keys())
def test_every_unit_that_is_gone_at_the_end_is_told_of(key: str) -> None:
    match = kept(key)
    facts = gather(match)
    gone = {unit for unit, hex in enumerate(match.position.hex) if hex == -1}
    assert gone <= {death.unit for death in facts.deaths}


@pytest.mark.parametrize("key", keys())
def test_the_pictures_of_a_report_in_markdown_are_drawings_that_it_links(key: str) -> None:
    text, pictures = markdown_report(kept(key, "middle"), "maps")
    assert pictures
    for name, svg in pictures.items():
        assert f"(<maps/{name}>)" in text
        assert ElementTree.fromstring(svg).tag.endswith("svg")


def test_a_report_tells_a_side_no_secret_of_the_other() -> None:
    match = kept("crossing")
    whole, *seen = (html_report(match, side) for side in (REFEREE, EVERYBODY, 0, 1))
    assert "lay the charge at" in whole
    assert [("lay the charge at" in page) for page in seen] == [False, False, True]


def test_a_match_that_has_hardly_begun_has_a_report_too() -> None:
    match = apennine.new("crossing", seed=3)
    page = html_report(match)
    assert "The game was not over when this was written." in page
    assert Outline(page).maps == 0


@pytest.mark.parametrize(
    ("losses", "fled", "entered", "told"),
    [
        ([], (), False, "gained nothing"),
        ([(0, 1, False)], (), False, "were thrown back; the attack cost 1 Inf one step"),
        ([(0, 1, False), (7, 1, False)], (), False, "fought to a standstill; I Gren lost one step"),
        ([(7, 2, True)], (), True, "took the place; I Gren was destroyed"),
        ([(7, 2, True), (1, 2, True)], (), False, "the attack cost the whole of 2 Inf"),
        ([], (7,), False, "drove the defenders out"),
    ],
)
def test_a_battle_is_told_by_what_came_of_it(
    losses: list[tuple[int, int, bool]], fled: tuple[int, ...], entered: bool, told: str
) -> None:
    match = apennine.new("crossing", seed=3)
    place = match.game.board.parse("0304")
    lost = tuple(Loss(unit, steps, place, gone) for unit, steps, gone in losses)
    fight = Fight(place, 0, (0, 1), (7,), "2-1", (5,), lost, fled, entered)
    sentence = Writer(gather(match)).fight(fight)
    assert sentence.startswith("1 Inf and 2 Inf attacked I Gren (2-1, die 5) and ")
    assert told in sentence


@pytest.fixture
def resigned(tmp_path: Path) -> Path:
    match, bot = apennine.new("crossing", seed=7), RandomBot(seed=1)
    for _ in range(20):
        match.choose(bot(match.seat()))
    path = tmp_path / "resigned.save"
    path.write_text(save.dump(match, resigned=0), "utf-8")
    return path


def test_the_command_writes_a_page_and_markdown(resigned: Path, tmp_path: Path) -> None:
    page, text = tmp_path / "r.html", tmp_path / "r.md"
    assert main(["report", str(resigned), "--html", str(page), "--md", str(text)]) == 0
    assert "German victory." in page.read_text("utf-8")
    assert "**German victory.**" in text.read_text("utf-8")
    assert (tmp_path / "r-maps" / "map-01.svg").is_file()


def test_the_command_says_what_it_lacks(
    resigned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "r.html"
    assert main(["report", str(resigned)]) == 2
    assert "Say where the report goes" in capsys.readouterr().err
    assert main(["report", str(resigned), "--html", str(page), "--side", "Italian"]) == 2
    assert "no side called 'Italian'" in capsys.readouterr().err
    account = tmp_path / "allied.save"
    account.write_text(save.dump_seen(kept("crossing", "middle"), 0), "utf-8")
    assert main(["report", str(account), "--html", str(page)]) == 2
    assert "holds only what Allied saw" in capsys.readouterr().err
    assert not page.exists()
