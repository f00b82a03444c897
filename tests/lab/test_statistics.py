"""Error bars: figures that textbooks give."""

import pytest

from apennine.lab.statistics import mean, paired, share, sign_test


def test_the_interval_of_a_share_is_wilsons():
    value, low, high = share(15, 50)
    assert value == 0.3
    assert (low, high) == pytest.approx((0.1910, 0.4375), abs=1e-3)
    assert share(0, 20).low == 0.0
    assert 0.1 < share(0, 20).high < 0.2


def test_the_sign_test_is_exact():
    assert sign_test(2, 8) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert sign_test(8, 2) == sign_test(2, 8)
    assert sign_test(0, 0) == 1.0


def test_a_mean_has_its_error():
    value, low, high = mean([1.0, 2.0, 3.0, 4.0])
    assert value == 2.5
    assert high - value == pytest.approx(1.96 * 1.2910 / 2, abs=1e-3)
    assert value - low == pytest.approx(high - value)


def test_pairs_are_compared_game_by_game():
    found = paired([True, True, False, False, False], [True, False, True, True, True])
    assert (found.pairs, found.gained, found.lost) == (5, 3, 1)
    assert found.share.value == pytest.approx(0.4)
    assert found.p == pytest.approx(0.625)
