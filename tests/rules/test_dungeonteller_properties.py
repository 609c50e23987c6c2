"""DungeonTeller: what holds for every hero, whatever is chosen."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.dice.notation import Lexicon, measure, parse
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.registry import mechanics
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.build import HeroChoices, Purchase, build
from services.rules.systems.dungeonteller.catalog import own_catalog
from services.rules.systems.dungeonteller.checks import (
    BATTLE,
    SHOOT,
    Actor,
    AttackPool,
    Defence,
    Moment,
    Pace,
    attack_pool,
)
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from tests.at_length import part_or_whole

CATALOG = own_catalog()
WEAPON_IDS = CATALOG.weapons.ids
ITEM_IDS = (*CATALOG.armor.ids, *WEAPON_IDS, *CATALOG.gear.ids)

rewards = st.lists(
    st.builds(
        Reward,
        session=st.integers(1, 30),
        kind=st.sampled_from(RewardKind),
        action=st.sampled_from(Action),
        when=st.sampled_from(["greatsword", "climbing", "disguise"]),
        power=st.sampled_from(CATALOG.powers.ids),
        gm_leave=st.booleans(),
    ),
    max_size=5,
    unique_by=lambda reward: reward.session,
).map(tuple)
choices = st.builds(
    HeroChoices,
    name=st.text(min_size=1, max_size=20),
    role=st.sampled_from(CATALOG.roles.ids),
    look=st.text(max_size=40),
    kit=st.booleans(),
    buys=st.lists(
        st.builds(Purchase, item=st.sampled_from(ITEM_IDS), count=st.integers(1, 3)), max_size=3
    ).map(tuple),
    worn=st.none() | st.sampled_from(CATALOG.armor.ids),
    shield=st.booleans(),
    in_hand=st.lists(st.sampled_from(WEAPON_IDS), max_size=2).map(tuple),
    malicious=st.booleans(),
    rewards=rewards,
)
plain_choices = st.builds(
    HeroChoices,
    name=st.text(min_size=1, max_size=20).filter(lambda name: bool(name.strip())),
    role=st.sampled_from(CATALOG.roles.ids),
    look=st.text(max_size=40),
    kit=st.booleans(),
)


@given(plain_choices)
def test_every_role_with_or_without_its_kit_builds(hero: HeroChoices) -> None:
    assert not isinstance(build(hero, CATALOG), Problems)


@settings(max_examples=part_or_whole(100, 300))
@given(choices)
def test_a_build_is_a_whole_sheet_or_named_problems(hero: HeroChoices) -> None:
    outcome = build(hero, CATALOG)
    if isinstance(outcome, Problems):
        assert all(problem.code and problem.rule and problem.path for problem in outcome)
        return
    muscle = next(line for line in outcome.actions if line.id is Action.MUSCLE).rating.value
    worn = next((CATALOG.armor[line.id] for line in outcome.items if line.worn), None)
    assert worn is None or worn.value <= muscle
    assert outcome.armor.value <= muscle + 1
    assert outcome.gold.value >= 0
    luck = outcome.luck.value
    for check in outcome.checks:
        assert 1 <= check.dice.value <= luck
        rolled = parse(check.notation, Lexicon(mechanics=mechanics()))
        assert measure(rolled.node, mechanics()).dice == check.dice.value
    if hero.shield:
        assert all(line.hands == 1 for line in outcome.weapons if line.usable)
    document = json.loads(json.dumps(SYSTEM.sheet_codec.dump(outcome)))
    assert SYSTEM.sheet_codec.load(document) == outcome


ratings = st.builds(Ratings, **{action.value: st.integers(0, 12) for action in Action})
actors = st.builds(
    Actor, ratings=ratings, sight=st.just(CATALOG.settings.sight), luck=st.none() | st.integers(0, 12)
)
moments = st.builds(
    Moment, weapon=st.none() | st.sampled_from(list(CATALOG.weapons)), pace=st.sampled_from(Pace)
)
defences = st.builds(Defence, armor=st.integers(0, 9), dodge=st.integers(0, 9))


@given(actors, st.sampled_from([BATTLE, SHOOT]), moments, defences)
def test_a_pool_has_at_least_one_die_and_no_more_than_luck(
    actor: Actor, attack: object, moment: Moment, defence: Defence
) -> None:
    pool = attack_pool(actor, attack, moment, defence, CATALOG.settings)  # type: ignore[arg-type]
    if isinstance(pool, RuleProblem):
        assert moment.pace in (Pace.RUN, Pace.DOUBLE_MOVE)
        return
    assert pool.dice.value >= 1
    assert actor.luck is None or pool.dice.value <= max(actor.luck, 1)


@given(actors, st.sampled_from([BATTLE, SHOOT]), moments, defences, st.integers(1, 3))
def test_more_armor_never_helps_the_attacker(
    actor: Actor, attack: object, moment: Moment, defence: Defence, more: int
) -> None:
    harder = Defence(armor=defence.armor + more, dodge=defence.dodge)
    easy = attack_pool(actor, attack, moment, defence, CATALOG.settings)  # type: ignore[arg-type]
    hard = attack_pool(actor, attack, moment, harder, CATALOG.settings)  # type: ignore[arg-type]
    if isinstance(easy, AttackPool) and isinstance(hard, AttackPool):
        assert hard.dice.value <= easy.dice.value
    else:
        assert easy == hard
