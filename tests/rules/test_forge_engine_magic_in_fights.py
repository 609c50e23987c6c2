"""Forge Engine's spells that answer attacks or go on by themselves, and riders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.driver import Made, make
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import GM
from services.rules.engine.site import plain_ground
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.effects import condition_id, effect_id, new_effect
from services.rules.systems.forge_engine.play.legal import legal
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    Cast,
    Displace,
    Exert,
    Impose,
    Minor,
    MinorUse,
    Pass,
    StrikeBack,
    Walk,
)
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.rules.spell_reactions import DEFLECTING, RETRIBUTIVE
from services.rules.systems.forge_engine.play.rules.zones import MAELSTROM, ZONE
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight
from tests.conformance.forge_engine.stage import ALLY, FOE, HERO, club, fight, fighter, hero, profile, skilled
from tests.conformance.forge_engine.stage import thrower as faces_of
from tests.rules.forge_engine_play import armed, facts_of, played, pool, refused, returning

BLOW = Attack(actor=FOE, weapon="club", target=HERO)


def caster(*spells: tuple[str, int], **more: Any) -> Any:
    """A caster with free hands and 3 in what spells go by."""
    attributes = Attributes(influence=3, intelligence=3, acuity=3)
    return profile(attributes=attributes, skills=skilled(*spells), weapons=(), **more)


def back(spell: str, added: int = 2) -> StrikeBack:
    return StrikeBack(actor=HERO, skill=spell, weapon="", added=added, target=FOE)


def attacked(figures: Any, *, spread: int = 5, foe: Any = None) -> Fight:
    """A fight in which the foe is about to attack the hero."""
    return fight(hero(figures), fighter(FOE, FOES, foe or armed(), passed=True), spread=spread)


def asked(state: Fight, move: Any) -> set[str]:
    """The reactions that the hero is offered."""
    found: set[str] = set()

    def answer(_state: Fight, ask: Any) -> Any:
        if ask.actor == HERO:
            found.update(offer.id for offer in ask.offers)
        return ask.silence

    make(PLAY, state, move, faces_of({}), answer)
    return found


def test_retributive_strike_hits_the_attacker_before_the_blow_falls() -> None:
    state = attacked(caster((RETRIBUTIVE, 1)), foe=armed(health=2))
    faces = {f"attack:{HERO}": [9, 9, 9], f"defense:{FOE}": [2]}
    made = played(state, BLOW, faces, {HERO: [back(RETRIBUTIVE)]})
    # 2 energy and 1 die of the skill; the fallen foe's blow comes to nothing.
    assert pool(made, f"attack:{HERO}") == 3
    assert [(hit.who, hit.successes) for hit in facts_of(made, facts.Struck)] == [(HERO, 3)]
    assert facts_of(made, facts.Faltered)
    assert state.find(HERO).usable - made.state.find(HERO).usable == 2


def test_retributive_strike_needs_an_adjacent_enemy_a_free_hand_and_each_attack_anew() -> None:
    ready = attacked(caster((RETRIBUTIVE, 1)))
    assert RETRIBUTIVE in asked(ready, BLOW)
    offered: list[bool] = []

    def answer(_state: Fight, ask: Any) -> Any:
        if ask.actor != HERO:
            return ask.silence
        offered.append(any(offer.id == RETRIBUTIVE for offer in ask.offers))
        return back(RETRIBUTIVE) if offered[-1] else ask.silence

    made = make(PLAY, ready, BLOW, faces_of({}), answer)
    assert isinstance(made, Made)
    assert offered == [True, False]
    again = played(returning(made.state, FOE), BLOW, {}, {HERO: [back(RETRIBUTIVE)]})
    assert [hit.who for hit in facts_of(again, facts.Struck)] == [HERO, FOE]
    afar = replace(club(), reach=20)
    assert RETRIBUTIVE not in asked(
        attacked(caster((RETRIBUTIVE, 1)), spread=20, foe=armed(weapons=(afar,))), BLOW
    )
    both = replace(caster((RETRIBUTIVE, 1)), weapons=(replace(club(), hands=2),))
    assert RETRIBUTIVE not in asked(attacked(both), BLOW)
    by_ally = Attack(actor=ALLY, weapon="club", target=HERO)
    state = fight(hero(caster((RETRIBUTIVE, 1))), fighter(ALLY, HEROES, armed(), passed=True))
    assert RETRIBUTIVE not in asked(state, by_ally)


def test_a_deflecting_word_is_paid_for_or_ends_the_attack() -> None:
    state = attacked(caster((DEFLECTING, 1)), spread=5)
    faces = {f"attack:{HERO}": [9, 9, 1], f"defense:{FOE}": [5]}
    answers = {HERO: [back(DEFLECTING)]}
    failed = played(state, BLOW, faces, answers)
    assert not [hit for hit in facts_of(failed, facts.Struck) if hit.who == FOE]
    assert facts_of(failed, facts.Faltered)
    # The club's cost of 2 is spent all the same.
    assert state.find(FOE).usable - failed.state.find(FOE).usable == 2
    pays = Exert(actor=FOE, skill=DEFLECTING, energy=2)
    paid = played(state, BLOW, faces, {**answers, FOE: [pays]})
    assert [hit.who for hit in facts_of(paid, facts.Struck)] == [HERO, FOE]
    assert state.find(FOE).usable - paid.state.find(FOE).usable == 4
    assert paid.state.effects == ()


def test_a_deflecting_word_that_misses_or_cannot_be_paid_for() -> None:
    state = attacked(caster((DEFLECTING, 1)))
    answers = {HERO: [back(DEFLECTING)]}
    missed = played(state, BLOW, {f"attack:{HERO}": [2], f"defense:{FOE}": [9]}, answers)
    assert [hit.who for hit in facts_of(missed, facts.Struck)] == [HERO, FOE]
    poor = fight(
        hero(caster((DEFLECTING, 1))), fighter(FOE, FOES, replace(armed(), energy=3), energy=3, passed=True)
    )
    faces = {f"attack:{HERO}": [9, 9, 1], f"defense:{FOE}": [5]}
    pays = Exert(actor=FOE, skill=DEFLECTING, energy=2)
    ended = played(poor, BLOW, faces, {**answers, FOE: [pays]})
    assert facts_of(ended, facts.Faltered)
    afar = replace(club(), reach=60)
    assert DEFLECTING not in asked(
        attacked(caster((DEFLECTING, 1)), spread=30, foe=armed(weapons=(afar,))), BLOW
    )


def test_a_split_attack_is_deflected_as_a_whole() -> None:
    whirl = armed(weapons=(club(4, 0),), skills=skilled((martial("whirlwind-attack"), 1)))
    foe = fighter(FOE, FOES, whirl, passed=True)
    state = fight(hero(caster((DEFLECTING, 1))), fighter(ALLY, HEROES, armed()), foe)
    faces = {f"attack:{HERO}": [9, 9, 1], f"defense:{FOE}": [5]}
    both = Attack(actor=FOE, weapon="club", target=HERO, others=(ALLY,))
    made = played(state, both, faces, {HERO: [back(DEFLECTING)]})
    assert [hit.who for hit in facts_of(made, facts.Struck)] == [HERO]


# Arcane Maelstrom


def on_grid(*places: tuple[str, str, int], rating: int = 2) -> Fight:
    """A row of combatants on a bare grid, the hero a caster of the Maelstrom."""
    figures = caster((MAELSTROM, rating))
    people = [
        fighter(who, side, figures if who == HERO else armed(), at=Square(x, 2)) for who, side, x in places
    ]
    state = fight(*people)
    placed = tuple(one if one.at else replace(one, at=Square(0, 4)) for one in state.combatants)
    return replace(state, combatants=placed, ground=plain_ground(60, 5, measure=FEET))


PLACES = ((HERO, HEROES, 0), (FOE, FOES, 20), ("other", FOES, 30))


def raging(rating: int = 2) -> Fight:
    cast = Cast(actor=HERO, spell=MAELSTROM, at=Square(18, 2), added=2)
    made = played(on_grid(*PLACES, rating=rating), cast, {"defense": [9]})
    assert [hit.target for hit in facts_of(made, facts.Struck)] == [FOE]
    state: Fight = made.state
    assert state.find(HERO).expended == 3
    return state


def test_a_maelstrom_attacks_who_comes_in_and_who_ends_a_turn_there() -> None:
    state = raging()
    (zone,) = state.effects
    assert (zone.kind, zone.amount, zone.about, zone.lasts.left) == (ZONE, 4, "18,2", 2)
    state = played(returning(state, "other"), Pass(actor=HERO, rest=True), {}).state
    walk = Walk(actor="other", to=Square(22, 2))
    made = played(state, walk, {f"attack:{HERO}": [9, 9, 9, 9], "defense:other": [2]})
    assert [(hit.target, hit.successes) for hit in facts_of(made, facts.Struck)] == [("other", 4)]
    assert pool(made, f"attack:{HERO}") == 4
    # Within the area there is no second attack until the turn ends.
    again = played(returning(made.state, "other"), Walk(actor="other", to=Square(21, 2)), {})
    assert not facts_of(again, facts.Struck)
    ended: list[str] = []
    state = again.state
    for _ in range(6):
        first = state.priority()
        assert first is not None
        made = played(state, Pass(actor=first.id, rest=True), {"defense": [9]})
        state = made.state
        ended += [hit.target for hit in facts_of(made, facts.Struck)]
    assert ended[:2] == [FOE, "other"]


def test_a_maelstrom_attacks_who_is_pushed_in_and_ends_with_its_rounds() -> None:
    state = raging(rating=1)
    pushed = played(state, Displace(actor=GM, who="other", to=Square(19, 2)), {"defense": [9]})
    assert [hit.target for hit in facts_of(pushed, facts.Struck)] == ["other"]
    turns, after = 0, pushed.state
    while after.effects and turns < 12:
        first = after.priority()
        assert first is not None
        after = played(after, Pass(actor=first.id, rest=True), {"defense": [9]}).state
        turns += 1
    # A rating of 1 is one round: it ends as the caster's next turn begins.
    assert after.rounds.whose == HERO and after.effects == ()


def test_a_maelstrom_attacks_who_is_dragged_in_by_another() -> None:
    state = raging()
    hold = new_effect(state, condition_id("grappled"), FOE, source="other")
    apart = tuple(
        replace(one, at=Square({"other": 27, FOE: 28}[one.id], 2)) if one.id in ("other", FOE) else one
        for one in state.combatants
    )
    state = replace(state, combatants=apart, effects=(*state.effects, hold))
    state = played(returning(state, "other"), Pass(actor=HERO, rest=True), {}).state
    made = played(state, Walk(actor="other", to=Square(20, 2)), {"defense": [9]})
    assert made.state.find(FOE).at == Square(21, 2)
    assert [hit.target for hit in facts_of(made, facts.Struck)] == ["other", FOE]


def test_a_maelstrom_is_refused_beyond_its_range_and_without_energy_to_expend() -> None:
    state = on_grid(*PLACES)
    assert refused(state, Cast(actor=HERO, spell=MAELSTROM, at=Square(40, 2), added=2)) == ["out_of_range"]
    poor = tuple(replace(one, energy=3) if one.id == HERO else one for one in state.combatants)
    cast = Cast(actor=HERO, spell=MAELSTROM, at=Square(18, 2), added=2)
    assert refused(replace(state, combatants=poor), cast) == ["energy_short"]


def test_without_a_grid_a_maelstrom_stays_around_the_one_it_was_aimed_at() -> None:
    foe = fighter(FOE, FOES, armed(), passed=True)
    state = fight(hero(caster((MAELSTROM, 2))), foe, spread=60)
    cast = Cast(actor=HERO, spell=MAELSTROM, target=FOE, added=2)
    state = played(state, cast, {"defense": [9]}).state
    assert any(offer.id.startswith(f"cast:{MAELSTROM}") for offer in legal(state, HERO))
    ally = Approach(actor=ALLY, target=FOE, feet=40)
    state = played(state, Pass(actor=HERO, rest=True), {}).state
    made = played(state, ally, {"defense": [9]})
    assert [hit.target for hit in facts_of(made, facts.Struck)] == [ALLY]


# Riders


MOUNTED = effect_id("mounted")


@pytest.mark.parametrize(
    ("rating", "weapon", "dice"),
    [(0, 3, 4), (2, 3, 4), (3, 3, 6), (3, 0, 3)],
    ids=["untrained", "weapon above the rating", "trained", "light weapon"],
)
def test_riders_attack_unsteadily_but_for_mounted_combat(rating: int, weapon: int, dice: int) -> None:
    skills = skilled((martial("mounted-combat"), rating)) if rating else ()
    state = fight(hero(armed(2, weapon, skills=skills)), fighter(FOE, FOES, armed()))
    state = played(state, Impose(actor=GM, who=HERO, what=MOUNTED), {}).state
    made = played(state, Attack(actor=HERO, weapon="club", target=FOE, added=3), {})
    assert pool(made, "attack") == dice


def test_mounted_combat_rests_in_a_stance() -> None:
    stance = martial("defensive-stance")
    state = fight(hero(armed(skills=skilled((martial("mounted-combat"), 3), (stance, 1)))))
    state = played(state, Impose(actor=GM, who=HERO, what=MOUNTED), {}).state
    state = played(state, Minor(actor=HERO, use=MinorUse.STANCE, item=stance), {}).state
    made = played(state, Attack(actor=HERO, weapon="club", target=FOE, added=3), {})
    assert pool(made, "attack") == 4
