"""The benchmark of Forge Engine's bots: the shares of few fights, always the same ones."""

import pytest

from infra.benchmarks import forge_bots
from infra.benchmarks.harness.forge_parties import both_with_powers, power_names


def test_the_strong_bot_wins_its_share_and_powers_win_theirs() -> None:
    against_random, with_powers = forge_bots.shares(10)
    assert against_random.value >= forge_bots.AGAINST_RANDOM
    assert with_powers.value >= forge_bots.WITH_POWERS


def test_a_fight_is_the_same_each_time() -> None:
    assert both_with_powers(3) == both_with_powers(3)


@pytest.mark.parametrize("number", range(2))
def test_powers_are_used_and_known(number: int) -> None:
    used = both_with_powers(number).used
    assert len(used) >= 10
    assert set(used) <= set(power_names().values())


def test_the_readme_explains_known_powers_that_no_bot_uses() -> None:
    explained = forge_bots.explained()
    assert explained
    assert explained < set(power_names().values())
