"""Fights of Forge Engine: attacks with their reactions, energy, holds, secrets, and random fights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.bots import RANDOM, bots_of
from services.rules.engine.driver import Made, make, state_hash, thrower
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import map_now
from services.rules.engine.matches import chooser, named_stream, play_match
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.site import Site, SiteToken, plain_ground
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.moves import (
    AddDice,
    Approach,
    Attack,
    BeginFight,
    Cast,
    Dodge,
    Escape,
    Grapple,
    Improvise,
    Minor,
    MinorUse,
    Pass,
    RaiseShield,
    StrikeBack,
    Walk,
)
from services.rules.systems.forge_engine.play.rules.bonuses import ENGAGED
from services.rules.systems.forge_engine.play.rules.exertions import RETALIATION
from services.rules.systems.forge_engine.play.rules.followups import (
    OPPORTUNITY,
    REFLEX,
    TWIST,
)
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Field, Foes, Setup, adversary
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight, Life
from services.rules.systems.forge_engine.profile import Shield
from tests.conformance.forge_engine.stage import (
    ALLY,
    FOE,
    HERO,
    club,
    fight,
    fighter,
    hero,
    profile,
    skilled,
    until_turn,
)
from tests.conformance.forge_engine.stage import (
    thrower as faces_of,
)
from tests.rules.forge_engine_play import armed, facts_of, played, pool, refused, returning


def test_the_defender_dodges_and_raises_the_shield_against_one_attack() -> None:
    shield = Shield(item="shield", name="Shield", cost=1, rating=2)
    target = hero(armed(shields=(shield,), pd=2))
    state = fight(target, fighter(FOE, FOES, armed(), passed=True))
    answers = {HERO: [Dodge(actor=HERO, added=2), RaiseShield(actor=HERO)]}
    made = played(state, Attack(actor=FOE, weapon="club", target=HERO, added=1), {}, answers)
    assert pool(made, "attack") == 4
    assert pool(made, f"defense:{HERO}") == 2 + 2 + 2
    after = made.state.find(HERO)
    assert state.find(HERO).usable - after.usable == 3
    # The shield stays up until the next turn, and is not paid for again.
    again = played(returning(made.state, FOE), Attack(actor=FOE, weapon="club", target=HERO), {})
    assert pool(again, f"defense:{HERO}") == 4
    assert again.state.find(HERO).usable == after.usable


def test_dodge_takes_no_more_than_agility_and_is_offered_once() -> None:
    offered: list[tuple[str, int]] = []

    def answer(_state: Fight, ask: Ask) -> Any:
        if ask.actor == HERO:
            offered.extend((offer.id, offer.fields[0].most or 0) for offer in ask.offers if offer.fields)
            return Dodge(actor=HERO, added=1) if any(o.id == "dodge" for o in ask.offers) else ask.silence
        return ask.silence

    state = fight(hero(armed()), fighter(FOE, FOES, armed(), passed=True))
    make(PLAY, state, Attack(actor=FOE, weapon="club", target=HERO), faces_of({}), answer)
    assert offered == [("dodge", 3)]


def test_a_nested_attack_resolves_first_and_may_end_the_one_it_answers() -> None:
    """Reflex Strike: the ally strikes the attacker before its blow falls (E7, R-78)."""
    ally = fighter(ALLY, HEROES, armed(skills=skilled((REFLEX, 2))))
    weak = fighter(FOE, FOES, armed(health=2), passed=True)
    state = fight(hero(armed()), ally, weak, fighter("other", FOES))
    back = StrikeBack(actor=ALLY, skill=REFLEX, weapon="club", added=1)
    faces = {f"attack:{ALLY}": [9, 9, 9, 9], f"defense:{FOE}": [2]}
    made = played(state, Attack(actor=FOE, weapon="club", target=HERO), faces, {ALLY: [back]})
    struck = facts_of(made, facts.Struck)
    assert [(fact.who, fact.target) for fact in struck] == [(ALLY, FOE)]
    assert facts_of(made, facts.Faltered)
    assert made.state.find(FOE).life is Life.DEAD
    assert made.state.find(HERO).health == state.find(HERO).health
    # The weapon's cost of 2 is taken off by the rating of 2, and 1 was added.
    assert state.find(ALLY).usable - made.state.find(ALLY).usable == 1


def test_dice_are_added_to_a_pool_that_lies_on_the_table() -> None:
    one = hero(armed(skills=skilled((TWIST, 2))))
    state = fight(one, fighter(FOE, FOES, armed()))
    answers = {HERO: [AddDice(actor=HERO, skill=TWIST, added=2)]}
    faces = {"attack": [1, 1, 1], "defense": [9], "twist": [9, 3]}
    made = played(state, Attack(actor=HERO, weapon="club", target=FOE), faces, answers)
    assert facts_of(made, facts.Struck)[0].successes == 1
    # 2 for the club, 1 for the skill, 2 added.
    assert state.find(HERO).usable - made.state.find(HERO).usable == 5


def test_an_enemy_strikes_at_who_leaves_its_reach() -> None:
    foe = fighter(FOE, FOES, armed(skills=skilled((OPPORTUNITY, 1))))
    state = fight(hero(armed()), foe)
    back = StrikeBack(actor=FOE, skill=OPPORTUNITY, weapon="club", added=0)
    faces = {f"attack:{FOE}": [9, 9, 9], f"defense:{HERO}": [5]}
    away = Approach(actor=HERO, target=FOE, feet=10, away=True)
    made = played(state, away, faces, {FOE: [back]})
    assert made.state.find(HERO).health == state.find(HERO).health - 3
    assert facts_of(made, facts.Neared)[0].feet == 15
    # Without the skill nobody is asked.
    plain = played(fight(hero(armed()), fighter(FOE, FOES, armed())), away, faces)
    assert not facts_of(plain, facts.Struck)


def test_skills_add_dice_by_the_energy_added_and_rest_in_a_stance() -> None:
    stance = "forge_engine:martial/offensive-stance"
    one = hero(armed(skills=skilled((ENGAGED, 2), (stance, 1))))
    state = fight(one, fighter(ALLY, HEROES, armed()), fighter(FOE, FOES, armed()), spread=5)
    attack = Attack(actor=HERO, weapon="club", target=FOE, added=3)
    assert pool(played(state, attack, {}), "attack") == 3 + 3 + 2
    taken = played(state, Minor(actor=HERO, use=MinorUse.STANCE, item=stance), {}).state
    # Engaged Attack rests, and the stance adds a die for one of the energy.
    assert pool(played(taken, attack, {}), "attack") == 3 + 3 + 1


def test_retaliation_brings_bonus_energy_until_the_end_of_the_next_turn() -> None:
    one = hero(armed(energy=6, skills=skilled((RETALIATION, 2))))
    state = fight(one, fighter(FOE, FOES, armed(), passed=True))
    faces = {"attack": [9, 9, 9], "defense": [5]}
    made = played(state, Attack(actor=FOE, weapon="club", target=HERO), faces)
    assert made.state.find(HERO).bonus_energy == 2
    for turns, left in ((1, 2), (2, 0)):
        after, _ = until_turn(made.state, turns=turns)
        assert after.find(HERO).bonus_energy == left, turns


def test_conditions_of_the_book_bear_on_pools_and_costs() -> None:
    plain = fight(hero(armed()), fighter(FOE, FOES, armed(pd=3), passed=True))
    attack = Attack(actor=HERO, weapon="club", target=FOE, added=3)
    for condition, whose, attack_dice, defense, energy in (
        (None, HERO, 6, 3, 5),
        ("Grappled", HERO, 4, 3, 5),
        ("Stunned", HERO, 6, 3, 7),
        ("Blinded", HERO, 2, 3, 5),
        ("Prone", FOE, 6, 1, 5),
        ("Stunned", FOE, 6, 1, 5),
        ("Invisible", FOE, 6, 6, 5),
        ("Incorporeal", FOE, 6, 5, 5),
    ):
        state = plain
        if condition is not None:
            state = fight(*plain.combatants[:2], conditions={whose: [condition]})
        made = played(state, attack, {})
        spent = state.find(HERO).usable - made.state.find(HERO).usable
        assert (pool(made, "attack"), pool(made, "defense"), spent) == (attack_dice, defense, energy), (
            condition
        )


def test_a_hold_is_broken_by_an_opposed_test_and_ends_when_the_holder_falls() -> None:
    state = fight(hero(armed(weapons=(), health=5)), fighter(FOE, FOES, armed(), passed=True))
    held = played(state, Grapple(actor=HERO, target=FOE, added=3), {"test": [9, 9, 1], "resist": [5]}).state
    assert refused(held, Escape(actor=HERO)) == ["not_held"]
    held = returning(held, FOE)
    free = played(held, Escape(actor=FOE, attribute=Attribute.AGILITY, added=1), {"test": [9], "resist": [2]})
    assert free.state.effects == ()
    faces = {"attack": [9] * 60, "defense": [1]}
    strong = replace(
        held,
        combatants=tuple(
            replace(one, profile=replace(one.profile, weapons=(club(60),))) if one.id == FOE else one
            for one in held.combatants
        ),
    )
    fallen = played(strong, Attack(actor=FOE, weapon="club", target=HERO), faces).state
    assert {effect.kind.rpartition("/")[2] for effect in fallen.effects} == {"prone"}


def test_expending_all_energy_is_unconsciousness_once_the_action_is_over() -> None:
    state = fight(hero(profile(energy=3)))
    made = played(state, Improvise(actor=GM, who=HERO, text="lifts the gate", expend=3), {})
    assert made.state.find(HERO).life is Life.UNCONSCIOUS
    assert refused(state, Improvise(actor=GM, who=HERO, text="more", expend=4)) == ["energy_not_expendable"]


def test_priority_falls_through_the_order_and_comes_back_after_an_action() -> None:
    state = fight(hero(armed()), fighter(ALLY, HEROES, armed()), fighter(FOE, FOES, armed()))
    assert refused(state, Attack(actor=ALLY, weapon="club", target=FOE)) == ["not_your_turn"]
    passed = played(state, Pass(actor=HERO), {}).state
    assert passed.priority() == passed.find(ALLY)
    acted = played(passed, Attack(actor=ALLY, weapon="club", target=FOE), {"defense": [9]}).state
    assert acted.priority() == acted.find(HERO)
    resting = played(state, Pass(actor=HERO, rest=True), {}).state
    acted = played(resting, Attack(actor=ALLY, weapon="club", target=FOE), {"defense": [9]}).state
    assert acted.priority() == acted.find(ALLY)
    # Who has passed may come back all the same.
    assert played(acted, Attack(actor=HERO, weapon="club", target=FOE), {"defense": [9]})


def test_a_spell_expends_energy_and_its_hide_is_used_up_by_attacks() -> None:
    hide = "forge_engine:spell/strengthened-hide"
    caster = hero(profile(attributes=Attributes(acuity=2), skills=skilled((hide, 1)), weapons=()))
    state = fight(caster, fighter(FOE, FOES, armed(), passed=True))
    state = played(state, Cast(actor=HERO, spell=hide, target=HERO, added=1), {}).state
    for dice in (2, 2, 1):
        blow = Attack(actor=FOE, weapon="club", target=HERO)
        made = played(returning(state, FOE), blow, {"attack": [1], "defense": [9, 9]})
        assert pool(made, "defense") == dice
        state = made.state
    assert state.effects == ()


# Places


def members(*names: str) -> tuple[CastMember, ...]:
    return tuple(
        CastMember(id=f"chr-{name}", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content))
        for name in names
    )


def begun(setup: Setup, *names: str) -> Fight:
    state = PLAY.begin(setup, members(*names))
    assert isinstance(state, Fight), str(state)
    return state


def test_rough_ground_costs_double_and_is_not_run_over() -> None:
    rough = tuple(Square(4, y) for y in range(3))
    field = Field(width=12, height=3, difficult=rough)
    setup = Setup(
        title="Mud", field=field, foes=(Foes(adversary=adversary("f6-grunt"), at=(Square(11, 1),)),)
    )
    state = begun(setup, "gunslinger")
    who = "chr-gunslinger"
    combatants = tuple(replace(one, at=Square(3, 1)) if one.id == who else one for one in state.combatants)
    faces = {f"initiative:{who}": [10] * 9}
    state = played(replace(state, combatants=combatants), BeginFight(actor=GM), faces).state
    made = played(state, Walk(actor=who, to=Square(5, 1)), {})
    assert state.find(who).usable - made.state.find(who).usable == 3
    assert refused(state, Walk(actor=who, to=Square(5, 1), run=True)) == ["cannot_run"]
    assert refused(state, Walk(actor=who, to=Square(11, 1))) == ["no_way"]


def test_a_fight_on_a_stored_map_moves_its_figures() -> None:
    site = Site(title="The Yard", ground=plain_ground(9, 9), heroes=(Square(1, 1),), foes=(Square(7, 7),))
    setup = Setup(title="The Yard", foes=(Foes(adversary=adversary("f6-grunt"), hidden=True),), open_end=True)
    laid = PLAY.laid_out(setup, site)
    assert isinstance(laid, Setup)
    state = begun(laid, "gunslinger")
    told = map_now(PLAY, state)
    assert told is not None
    tokens = {token.id: (token.at.at, token.hidden) for token in told.tokens}
    assert tokens == {"chr-gunslinger": (Square(1, 1), False), "foe-1": (Square(7, 7), True)}
    assert PLAY.view(state, Viewer()).site is None


def test_whoever_a_token_names_starts_where_it_stands() -> None:
    grunt, here = adversary("f6-grunt"), Square(4, 4)

    def token(name: str, x: int, y: int, **more: Any) -> SiteToken:
        return SiteToken(id=name, name=name, at=Footprint(Square(x, y)), **more)

    site = Site(
        title="The Yard",
        ground=plain_ground(9, 9, (Square(8, 8),)),
        tokens=(
            token("Gunslinger", 4, 4, character="chr-gunslinger"),
            token("One", 2, 7, creature=grunt),
            token("Two", 3, 7, creature=grunt, hidden=True),
            token("Beside One", 2, 7, creature=grunt),
            token("In the wall", 8, 8, creature=grunt),
            token("Of another game", 5, 5, creature="dungeonteller:monster/orc"),
        ),
        heroes=(Square(1, 1),),
        foes=(Square(7, 7),),
    )
    laid = PLAY.laid_out(Setup(title="The Yard", foes=(Foes(adversary=grunt, name="Raider"),)), site)
    assert isinstance(laid, Setup)
    state = begun(laid, "gunslinger")
    foes = {one.name: (one.at, one.hidden) for one in state.combatants if not one.character}
    assert foes == {"Raider": (Square(2, 7), False), "Two": (Square(3, 7), True)}
    assert [one.at for one in state.combatants if one.character] == [here]


def test_who_hides_is_found_by_walking_into_them() -> None:
    field = Field(width=9, height=1)
    hiding = Foes(adversary=adversary("f6-grunt"), hidden=True, at=(Square(3, 0),))
    open_foe = Foes(adversary=adversary("f6-grunt"), at=(Square(8, 0),))
    state = begun(Setup(title="Dark", field=field, foes=(open_foe, hiding)), "gunslinger")
    who = "chr-gunslinger"
    combatants = tuple(replace(one, at=Square(0, 0)) if one.id == who else one for one in state.combatants)
    faces = {f"initiative:{who}": [10] * 9}
    state = played(replace(state, combatants=combatants), BeginFight(actor=GM), faces).state
    made = played(state, Walk(actor=who, to=Square(5, 0)), {})
    assert [fact.who for fact in facts_of(made, facts.Revealed)] == ["foe-2"]
    assert made.state.find(who).at == Square(2, 0)


def test_hidden_combatants_of_one_name_stay_hidden_beside_one_in_the_open() -> None:
    state = begun(PLAY.setups["ambush"], "gunslinger")
    opened = played(state, BeginFight(actor=GM), {})
    eyes = Viewer(actors=frozenset({"chr-gunslinger"}))
    for made in (opened,):
        view = PLAY.view(made.state, eyes)
        assert [one.name for one in view.combatants].count("Outlaw") == 1
        assert set(view.rounds.order) == {one.id for one in view.combatants}
        told = [
            PLAY.tell(before, seen) for before, event in made.happened if (seen := PLAY.sees(event, eyes))
        ]
        assert sum("Outlaw has" in sentence for sentence in told) == 1
        assert all(roll.audience.everyone or roll.actor in ("foe-2", "foe-3") for roll in made.rolls)


# Whole fights

CASTS = (("pathfinder", "gunslinger"), ("fire-caller", "hospiter", "skirmisher"), ("field-agent",))


def sound(state: Fight) -> None:
    """What holds of every combatant at any time."""
    for one in state.combatants:
        most = one.profile
        assert -most.health <= one.health <= most.health
        assert 0 <= one.expended <= most.energy
        assert 0 <= one.energy <= most.energy - one.expended
        assert all(bonus.amount > 0 for bonus in one.bonus)
        assert one.life is not Life.DEAD or one.health == -most.health
    ids = [effect.id for effect in state.effects]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("seed", range(12))
def test_random_fights_keep_within_bounds_and_replay_to_the_same(seed: int) -> None:
    setup = list(PLAY.setups.values())[seed % len(PLAY.setups)]
    state: Any = begun(setup, *CASTS[seed % len(CASTS)])
    random = next(bot for bot in bots_of(PLAY) if bot.id == RANDOM)
    strong = next(bot for bot in bots_of(PLAY) if bot.id == "strong")
    choose, throw = chooser(named_stream("fight", seed)), thrower(named_stream("dice", seed))
    for number in range(150):
        if PLAY.outcome(state).ended:
            break
        bot = random if number % 3 else strong
        waiting = PLAY.card(state).waiting_for
        move = None
        for who in (*waiting, GM):
            move = move or (PLAY.bot(state, GM) if who == GM else bot.move(state, who, choose))
        assert move is not None
        made = make(
            PLAY,
            state,
            move,
            throw,
            lambda now, ask, bot=bot: bot.reply(PLAY, now, ask, choose),  # type: ignore[misc]
        )
        assert isinstance(made, Made), f"{move}: {made}"
        folded = state
        for event in made.events:
            folded = PLAY.evolve(folded, PLAY.event_codec.load(PLAY.event_codec.dump(event)))
        assert state_hash(PLAY, folded) == state_hash(PLAY, made.state)
        state = made.state
        sound(state)


def test_the_strong_bot_beats_any_legal_move_in_balanced_fights() -> None:
    """Two of one block against two of the same, in turn on either side."""
    by_id = {bot.id: bot for bot in bots_of(PLAY)}
    won = games = 0
    for game in range(12):
        block = ("f6-grunt", "f8-grunt", "m8-striker")[game % 3]
        sides = (HEROES, FOES) if game % 2 else (FOES, HEROES)
        setup = Setup(
            title="Even",
            field=Field(width=10, height=6),
            foes=tuple(Foes(adversary=adversary(block), count=2, name=side, side=side) for side in sides),
        )
        opening = without_cast(begun(setup, "gunslinger"))
        strong_side = HEROES if (game // 2) % 2 else FOES
        players = {
            one.id: by_id["strong" if one.side == strong_side else RANDOM] for one in opening.combatants
        }
        match = play_match(
            PLAY,
            opening,
            players,
            faces=named_stream("even", game),
            choose=chooser(named_stream("even-choices", game)),
            most=1_500,
        )
        assert match.outcome.ended
        winners = {match.state.find(who).side for who in match.outcome.winners}
        games += 1
        won += winners == {strong_side}
    assert won >= 0.8 * games, f"{won} of {games}"


def without_cast(state: Fight) -> Fight:
    """A scene without the character that every scene takes: two sides of adversaries alone."""
    return replace(state, combatants=tuple(one for one in state.combatants if not one.character))
