import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest

from apennine import testing
from apennine.kernel.ledger import (
    Citation,
    Ledger,
    LedgerError,
    citations,
    coverage,
    proofs,
    rule,
)

HEADER = "id\tscope\tkind\tobligation\tneeds\texample"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return path


def ledger_file(folder: Path, *rows: str, header: str = f"{HEADER}\tstatus") -> Path:
    """Rows are written with | for tabs."""
    text = "\n".join([header, *(row.replace("|", "\t") for row in rows)])
    return write(folder / "mini" / "data" / "ledger.tsv", text + "\n")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.read(
        ledger_file(
            tmp_path,
            '1.1|core|setup|There are two sides called "us" and "them".|-|-|',
            "1.2|core|component|The map is of paper.|map|-|exempt: nothing to enforce",
            "2.1|optional|combat|Fire may be returned.|CRT|12|open: the chart is missing",
            "2.2|core|combat|A loss costs a step.|-|34",
            "2.3/a|core|retreat|A retreat is one hex.|-|-|",
        )
    )


def test_rows_are_read_in_order_and_found_by_id(ledger: Ledger):
    assert ledger.key == "mini"
    assert [row.id for row in ledger] == ["1.1", "1.2", "2.1", "2.2", "2.3/a"]
    assert len(ledger) == 5
    assert "2.2" in ledger
    assert "2" not in ledger
    row = ledger["2.1"]
    assert (row.scope, row.kind, row.obligation) == ("optional", "combat", "Fire may be returned.")
    assert (row.needs, row.example, row.status) == ("CRT", "12", "open: the chart is missing")
    assert ledger["1.1"].obligation == 'There are two sides called "us" and "them".'


def test_status_tells_what_is_exempt_and_what_is_open_and_why(ledger: Ledger):
    assert [(row.exempt, row.open, row.reason) for row in ledger] == [
        (False, False, ""),
        (True, False, "nothing to enforce"),
        (False, True, "the chart is missing"),
        (False, False, ""),
        (False, False, ""),
    ]


def test_the_status_column_may_be_absent(tmp_path: Path):
    path = ledger_file(tmp_path, "1|core|setup|Two sides play.|-|-", header=HEADER)
    assert Ledger.read(path, "other").key == "other"
    assert Ledger.read(path)["1"].status == ""


def test_every_mistake_is_reported_at_once_with_file_and_line(tmp_path: Path):
    path = ledger_file(
        tmp_path,
        "1|core|setup|Two sides play.|-|-|",
        "2|core|setup|Too short.",
        "1|core|setup|Again.|-|-|",
        "3|core|setup| |-|-|",
        "4|core|setup|Exempt.|-|-|exempt:",
        "5|core|setup|Odd.|-|-|perhaps",
        "6|core|setup|Open.|-|-|open",
        "|core|setup|Nameless.|-|-|",
        "7|core|setup|Too long.|-|-||",
        header=HEADER.replace("kind", "sort"),
    )
    with pytest.raises(LedgerError) as caught:
        Ledger.read(path)
    assert caught.value.mistakes == [
        f"{path}:1: the columns must be id, scope, kind, obligation, needs, example, status.",
        f"{path}:3: 4 columns instead of 6 or 7.",
        f"{path}:4: rule 1 is already on line 2.",
        f"{path}:5: rule 3 has no obligation.",
        f"{path}:6: rule 4 is exempt without a reason.",
        f"{path}:7: rule 5 has the unknown status 'perhaps'.",
        f"{path}:8: rule 6 is open without a reason.",
        f"{path}:9: '' is not an id.",
        f"{path}:10: 8 columns instead of 6 or 7.",
    ]
    assert str(caught.value).splitlines() == caught.value.mistakes


def test_a_ledger_that_is_empty_or_not_there_says_so(tmp_path: Path):
    with pytest.raises(LedgerError, match="the columns must be"):
        Ledger.read(write(tmp_path / "empty.tsv", ""))
    with pytest.raises(LedgerError, match=r"nowhere.tsv cannot be read"):
        Ledger.read(tmp_path / "nowhere.tsv")


def test_a_citation_is_the_id_itself():
    assert rule("8.7.1") == "8.7.1"


def test_citations_are_found_by_file_and_line_however_rule_is_imported(tmp_path: Path):
    package = tmp_path / "mini"
    write(package / "__init__.py", '"""A game: rule("0") in words is no citation."""\n')
    write(
        package / "combat.py",
        """
        from apennine.kernel.ledger import rule
        from apennine.kernel.decision import Roll

        def battle(pos):
            dice = yield Roll((6,), "battle", rule("2.1"))
            if dice:
                return [rule("2.2"), rule("1.1")]
        """,
    )
    write(
        package / "deep" / "retreat.py",
        """
        from apennine.kernel import ledger
        from apennine.kernel.ledger import rule as law
        import apennine.kernel.ledger
        A = ledger.rule("3.1")
        B = law("3.2")
        C = apennine.kernel.ledger.rule("3.3")
        """,
    )
    write(
        package / "other.py",
        """
        from mini.words import rule
        rule("9.9")
        print(self.rule("9.9"))
        """,
    )
    assert citations(package) == [
        Citation("2.1", "mini/combat.py", 5),
        Citation("2.2", "mini/combat.py", 7),
        Citation("1.1", "mini/combat.py", 7),
        Citation("3.1", "mini/deep/retreat.py", 4),
        Citation("3.2", "mini/deep/retreat.py", 5),
        Citation("3.3", "mini/deep/retreat.py", 6),
    ]


def test_a_rule_that_the_kernel_asks_for_is_a_citation_as_it_stands(tmp_path: Path):
    package = tmp_path / "mini"
    write(
        package / "combat.py",
        """
        def battle(war, pos):
            chosen = yield from ask(war, pos, "Fight?", "1.1", FIGHT, side=1)
            (die,) = yield Roll((6,), "battle", "1.2" if chosen == "2.9" else "1.3")
            yield Event("is hit", 4, rule="1.4")
            yield from ask(war, pos, prompt, by)
            return Outcome(0, "Over.", "1.5"), Line("hill", "-1", "1.6"), Warning("Oh.", "1.7")
        """,
    )
    found = [citation.id for citation in citations(package)]
    assert found == ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"]


def test_citations_that_cannot_be_checked_are_all_reported(tmp_path: Path):
    package = tmp_path / "mini"
    write(
        package / "combat.py",
        """
        from apennine.kernel.ledger import rule
        A = rule("2.1")
        B = rule(A)
        C = rule(f"{A}.1")
        D = rule("1", "2")
        E = rule()
        F = rule(id="2.1")
        """,
    )
    write(package / "torn.py", "def battle(:\n")
    with pytest.raises(LedgerError) as caught:
        citations(package)
    assert caught.value.mistakes == [
        *(f"mini/combat.py:{line}: rule() needs one literal id." for line in range(3, 8)),
        "mini/torn.py:1: invalid syntax.",
    ]


def test_proofs_name_the_tests_as_pytest_does(tmp_path: Path):
    tests = tmp_path / "tests"
    write(
        tests / "games" / "mini" / "test_02_combat.py",
        """
        import pytest
        from apennine.testing import rule

        @rule("mini", "2.1", "2.2")
        def test_fire(): ...

        @pytest.mark.parametrize("n", [1, 2])
        @rule("mini", "2.2")
        @rule("other", "7")
        def test_loss(n): ...

        class TestRetreat:
            @rule("mini", "2.3/a", "2.4", "2.5")
            async def test_one_hex(self): ...

        def test_no_rule():
            @rule("mini", "9.9")
            def test_inner(): ...
        """,
    )
    write(
        tests / "test_more.py",
        """
        from apennine import testing
        import apennine.testing as t
        def rule(*ids): return lambda f: f

        @testing.rule("mini", "1.1")
        def test_a(): ...

        @t.rule("mini", "1.1")
        def test_b(): ...

        @rule("mini", "9.9")
        def test_c(): ...
        """,
    )
    write(tests / "helpers.py", '@rule("mini", "9.9")\ndef test_d(): ...\n')
    fire = "tests/games/mini/test_02_combat.py"
    assert proofs(tests, "mini") == {
        "2.1": [f"{fire}::test_fire"],
        "2.2": [f"{fire}::test_fire", f"{fire}::test_loss"],
        "2.3/a": [f"{fire}::TestRetreat::test_one_hex"],
        "2.4": [f"{fire}::TestRetreat::test_one_hex"],
        "2.5": [f"{fire}::TestRetreat::test_one_hex"],
        "1.1": ["tests/test_more.py::test_a", "tests/test_more.py::test_b"],
    }
    assert proofs(tests, "other") == {"7": [f"{fire}::test_loss"]}
    assert proofs(tests, "absent") == {}


def test_claims_that_cannot_be_counted_are_all_reported(tmp_path: Path):
    tests = tmp_path / "tests"
    write(
        tests / "test_mini.py",
        """
        from apennine.testing import rule
        ID = "2.1"

        @rule("mini", "1", "2", "3", "4")
        def test_everything(): ...

        @rule("mini")
        def test_nothing(): ...

        @rule("mini", ID)
        def test_something(): ...

        @rule("mini", *["1"])
        def test_some(): ...

        @rule("mini", "1")
        def helper(): ...

        class Battle:
            @rule("mini", "1")
            def test_fire(self): ...

        @rule("other", "1", "2", "3", "4")
        def test_of_another_game(): ...
        """,
    )
    with pytest.raises(LedgerError) as caught:
        proofs(tests, "mini")
    assert caught.value.mistakes == [
        "tests/test_mini.py:4: @rule names 4 rules, not one to 3.",
        "tests/test_mini.py:7: @rule names 0 rules, not one to 3.",
        "tests/test_mini.py:10: @rule needs literal ids.",
        "tests/test_mini.py:13: @rule needs literal ids.",
        "tests/test_mini.py:16: @rule marks helper, not a test.",
        "tests/test_mini.py:20: @rule marks Battle.test_fire, not a test.",
    ]


def test_coverage_counts_what_is_proven_and_lists_the_rest(ledger: Ledger):
    result = coverage(ledger, {"1.1": ["a"], "1.2": ["b"], "7.7": ["c"]})
    assert msgspec.to_builtins(result) == {
        "key": "mini",
        "total": 5,
        "exempt": 1,
        "tested": 1,
        "later": 0,
        "open": 1,
        "missing": ["2.1", "2.2", "2.3/a"],
    }
    assert result.total == result.exempt + result.tested + len(result.missing)


def test_a_rule_of_a_part_not_built_yet_is_counted_apart(tmp_path: Path):
    path = ledger_file(
        tmp_path,
        "1|core|setup|Two sides play.|-|-|",
        "2|advanced|setup|Three sides play.|-|-|later: the advanced game",
        "3|advanced|setup|Four sides play.|-|-|later: the advanced game",
    )
    rows = Ledger.read(path)
    assert [(row.later, row.reason) for row in rows][1:] == [(True, "the advanced game")] * 2
    count = coverage(rows, ["3"])
    assert (count.tested, count.later, count.missing) == (1, 1, ["1"])


def test_an_open_rule_that_is_proven_after_all_is_tested(ledger: Ledger):
    result = coverage(ledger, ["2.1", "2.2", "2.3/a", "1.1"])
    assert (result.tested, result.open, result.missing) == (4, 0, [])


def test_the_marker_carries_the_game_and_the_rules():
    @testing.rule("mini", "2.1", "2.2")
    def test_fire(): ...

    (mark,) = vars(test_fire)["pytestmark"]
    assert (mark.name, mark.args) == ("rule", ("mini", ("2.1", "2.2")))


@pytest.mark.parametrize("ids", [(), ("1", "2", "3", "4")])
def test_a_test_proves_one_to_three_rules(ids: tuple[str, ...]):
    with pytest.raises(ValueError, match=f"one to 3 rules, but this names {len(ids)}"):
        testing.rule("mini", *ids)


def test_without_pytest_the_marker_says_what_is_missing():
    code = (
        "import sys; sys.modules['pytest'] = None; import apennine.testing as t; t.rule('m', '1')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1] == (
        "ImportError: Tests need pytest: install apennine with its dev extra."
    )
