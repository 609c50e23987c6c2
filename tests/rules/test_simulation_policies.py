"""Policies that a client can name without knowing the game: the strongest bot, and the random one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.bots import bots_by_policy, bots_of
from services.rules.engine.campaign import with_campaigns
from services.rules.engine.registry import systems
from services.rules.engine.simulation.report import CasePolicy, report
from services.rules.engine.simulation.request import Replacement, Variant
from tests.rules.test_engine_simulation import REQUEST, answered, plan_of, problems

GAMES = {slug: game.play for slug, game in with_campaigns(systems()).items() if game.play is not None}


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_game_answers_to_strong_and_random_without_a_version(slug: str) -> None:
    known, bots = bots_by_policy(GAMES[slug]), bots_of(GAMES[slug])
    assert known["strong"].policy == bots[-1].policy
    assert known["random"].id == "random"
    assert {bot.policy for bot in bots} == known.keys() - {"strong", "random"}


def test_the_answer_names_who_played_in_full() -> None:
    swapped = Variant(name="swapped", changes=(Replacement(pointer="/policies/heroes", value="random"),))
    asked = replace(REQUEST, policies={"heroes": "strong", "*": "random@1"}, variants=(swapped,), runs=1)
    told = [case.policies for case in report(*answered(asked)).cases]
    best = bots_of(plan_of(REQUEST).play)[-1].policy
    others = CasePolicy(subject="*", bot="random@1")
    assert told[0] == (CasePolicy(subject="heroes", bot=best), others)
    assert told[1] == (CasePolicy(subject="heroes", bot="random@1"), others)


def test_no_other_bot_is_named_without_its_version() -> None:
    assert problems(replace(REQUEST, policies={"heroes": "steady"})) == {
        "policy_unknown": ("policies", "heroes")
    }
