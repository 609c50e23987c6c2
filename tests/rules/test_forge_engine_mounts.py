"""Mounts and vehicles in Forge Engine's fights: what the book says of them, and what the README rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from services.rules.engine.board import draw
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.engine.site import plain_ground
from services.rules.engine.turns import Rounds
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.examples import EXAMPLES
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.bots import bot
from services.rules.systems.forge_engine.play.effects import (
    ABOARD,
    DRIVING,
    MOUNTED,
    PRONE,
    SADDLED,
    bears,
    condition_id,
    effect_id,
    new_effect,
)
from services.rules.systems.forge_engine.play.ground import apart, covered
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    Dismount,
    Displace,
    Flee,
    Grapple,
    Harm,
    Impose,
    Mount,
    Pass,
    Rest,
    RestKind,
    StateDistance,
    StrikeBack,
    Test,
    Treat,
    Walk,
    Yield,
)
from services.rules.systems.forge_engine.play.moves import Care as Goal
from services.rules.systems.forge_engine.play.rules.attribute_test import FIRST_AID, PERCEPTION, skill_id
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Field, Foes, Setup, Vehicle, adversary
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Combatant, Fight, Gone, Life, Phase
from services.rules.systems.forge_engine.pools.attack_given import Cover
from tests.conformance.forge_engine.stage import ALLY, FOE, HERO, fight, fighter, profile, skilled
from tests.rules.forge_engine_play import armed, facts_of, played, pool, refused, returning

HORSE, CART = "horse", "cart"
BLUDGEONING = "forge_engine:damage/bludgeoning"
ON, OFF = Mount(actor=HERO, target=HORSE), Square(2, 1)
"""Getting on the horse, and a square beside it."""


def horse(**now: Any) -> Combatant:
    """A horse that goes 50 feet and has 6 energy."""
    return fighter(HORSE, HEROES, profile(energy=6, speed=50, health=9), energy=6, **now)


def cart(**now: Any) -> Combatant:
    """A cart of two squares a side that is driven 60 feet and falls apart at 10 damage."""
    figures = profile(energy=0, health=10, speed=60, reach=0, space=10, weapons=())
    return fighter(CART, HEROES, figures, vehicle=True, energy=0, health=10, **now)


def walker(who: str = HERO, side: str = HEROES, at: Square | None = None, **figures: Any) -> Combatant:
    return fighter(who, side, armed(energy=8, speed=30, health=9, **figures), energy=8, health=9, at=at)


def stable(*others: Combatant, **more: Any) -> Fight:
    """The hero beside a saddled horse on an open field, a foe far away."""
    state = fight(
        walker(at=Square(2, 2), **more),
        horse(at=Square(3, 2)),
        walker(FOE, FOES, Square(12, 2)),
        *others,
    )
    placed = tuple(
        replace(one, at=Square(0, 5)) if one.id == ALLY and one.at is None else one
        for one in state.combatants
    )
    order = Rounds(tuple(one.id for one in placed if not one.vehicle))
    state = replace(state, combatants=placed, ground=plain_ground(20, 8, measure=FEET), rounds=order)
    return replace(state, effects=(new_effect(state, SADDLED, HORSE),))


def riding(*others: Combatant, **more: Any) -> Fight:
    state: Fight = played(stable(*others, **more), ON, {}).state
    return state


def driving(*others: Combatant) -> Fight:
    """The hero at the wheel of a cart."""
    state: Fight = played(stable(cart(at=Square(0, 2)), *others), Mount(actor=HERO, target=CART), {}).state
    return state


def under(state: Fight, **settings: Any) -> Fight:
    """The fight at a table with other settings."""
    catalog = replace(state.catalog, settings=replace(state.catalog.settings, **settings))
    return replace(state, catalog=catalog)


def where(state: Fight, *who: str) -> list[tuple[int, int]]:
    return [(at.x, at.y) for each in who if (at := state.find(each).at) is not None]


# Getting on and off


def test_getting_on_is_a_move_of_five_feet_into_the_mounts_place() -> None:
    """Movement Actions / Move: 1 energy for each 5 feet."""
    state = riding()
    assert where(state, HERO, HORSE) == [(3, 2), (3, 2)]
    assert (state.find(HERO).energy, state.find(HERO).moved) == (7, 5)
    effect = bears(state, HERO, MOUNTED)
    assert effect is not None
    assert effect.source == HORSE


def test_getting_off_is_a_move_of_five_feet_to_a_square_beside() -> None:
    state = returning(riding(), HERO)
    made = played(state, Dismount(actor=HERO, to=Square(4, 3)), {})
    assert where(made.state, HERO, HORSE) == [(4, 3), (3, 2)]
    assert made.state.find(HERO).energy == 6
    assert bears(made.state, HERO, MOUNTED) is None
    assert refused(state, Dismount(actor=HERO, to=Square(6, 2))) == ["no_way"]
    assert refused(made.state, Dismount(actor=HERO, to=Square(3, 3))) == ["not_mounted"]


def test_out_of_a_fight_riders_get_on_for_nothing() -> None:
    state = replace(stable(), phase=Phase.CALM)
    state = played(state, ON, {}).state
    assert (state.find(HERO).moved, state.find(HERO).energy) == (0, 8)
    assert where(played(state, Dismount(actor=HERO, to=OFF), {}).state, HERO) == [(2, 1)]


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden": True},
        {"side": FOES},
        {"at": Square(5, 2)},
        {"health": 0},
        {"altitude": 10},
        {"gone": Gone.FLED},
    ],
    ids=["hides", "enemy", "too far", "down", "in the air", "gone"],
)
def test_what_cannot_be_ridden_is_neither_offered_nor_allowed(changes: dict[str, Any]) -> None:
    state = stable()
    state = replace(
        state,
        combatants=tuple(replace(one, **changes) if one.id == HORSE else one for one in state.combatants),
    )
    assert refused(state, ON) == ["cannot_mount"]
    assert not [offer for offer in PLAY.legal(state, HERO) if offer.id.startswith("mount")]


def test_a_mount_without_a_saddle_or_with_a_rider_takes_none() -> None:
    assert refused(replace(stable(), effects=()), ON) == ["cannot_mount"]
    state = returning(riding(walker(ALLY, HEROES, Square(4, 2))), ALLY)
    assert refused(state, Mount(actor=ALLY, target=HORSE)) == ["cannot_mount"]


def test_who_leaves_an_enemys_reach_to_get_on_may_be_struck() -> None:
    foe = walker("guard", FOES, Square(1, 2), skills=skilled((martial("opportunity-attack"), 3)))
    back = StrikeBack(actor="guard", skill=martial("opportunity-attack"), weapon="club", added=1)
    made = played(stable(foe), ON, {}, {"guard": [back]})
    assert [(hit.who, hit.target) for hit in facts_of(made, facts.Struck)] == [("guard", HERO)]
    assert bears(made.state, HERO, MOUNTED) is not None


# Riding


def test_a_rider_moves_by_the_speed_and_the_energy_of_the_mount() -> None:
    made = played(riding(), Walk(actor=HERO, to=Square(8, 2)), {})
    assert where(made.state, HERO, HORSE) == [(8, 2), (8, 2)]
    assert (made.state.find(HERO).energy, made.state.find(HORSE).energy) == (7, 1)
    assert (made.state.find(HERO).moved, made.state.find(HORSE).moved) == (5, 25)


def test_the_riders_energy_moves_the_mount_where_the_table_says_so() -> None:
    made = played(under(riding(), rider_pays=True), Walk(actor=HERO, to=Square(8, 2)), {})
    assert (made.state.find(HERO).energy, made.state.find(HORSE).energy) == (2, 6)
    assert refused(under(riding(), rider_pays=True), Walk(actor=HERO, to=Square(11, 2))) == ["energy_short"]


def test_a_mount_that_is_ridden_goes_nowhere_by_itself() -> None:
    state = returning(riding(), HORSE)
    assert refused(state, Walk(actor=HORSE, to=Square(4, 2))) == ["carried_along"]
    assert refused(state, Flee(actor=HORSE)) == ["carried_along"]
    offered = {offer.id for offer in PLAY.legal(state, HORSE)}
    assert not offered & {"move", "run", "flee"}


def test_offers_of_a_rider_lead_as_far_as_the_mount_goes() -> None:
    state = riding()
    offers = {offer.id: offer for offer in PLAY.legal(state, HERO)}
    walk = offers["move"]
    assert walk.move["actor"] == HERO
    squares = {choice.value for choice in walk.fields[0].choices} | set(walk.fields[0].squares)
    assert Square(9, 2) in squares
    assert Square(10, 2) not in squares
    assert offers["dismount"].cost == "1 energy"


def test_who_cannot_move_cannot_ride() -> None:
    state = riding()
    for who in (HERO, HORSE):
        held = replace(state, effects=(*state.effects, new_effect(state, condition_id("immobilized"), who)))
        assert refused(held, Walk(actor=HERO, to=Square(4, 2)))
        assert "move" not in {offer.id for offer in PLAY.legal(held, HERO)}


def test_riders_attack_with_two_dice_less_unless_trained_for_it() -> None:
    """Externalities / Unstable (mounted); Specialized Martial Skills / Mounted Combat."""
    near = walker("guard", FOES, Square(3, 3))
    blow = Attack(actor=HERO, weapon="club", target="guard", added=3)
    assert pool(played(stable(near), blow, {}), "attack") == 6
    assert pool(played(riding(near), blow, {}), "attack") == 4
    trained = {"skills": skilled((martial("mounted-combat"), 3))}
    assert pool(played(riding(near, **trained), blow, {}), "attack") == 6


def test_rider_and_mount_are_targets_of_their_own() -> None:
    near = fighter("guard", FOES, armed(), at=Square(4, 2))
    state = returning(riding(near), "guard")
    for target, other in ((HERO, HORSE), (HORSE, HERO)):
        made = played(
            state, Attack(actor="guard", weapon="club", target=target, added=3), {"attack": [9] * 6}
        )
        assert made.state.find(target).health < state.find(target).health
        assert made.state.find(other).health == state.find(other).health


def test_without_a_grid_a_rider_is_where_the_mount_is() -> None:
    state = replace(stable(), ground=None, spread=40)
    state = replace(state, combatants=tuple(replace(one, at=None) for one in state.combatants))
    state = played(state, ON, {}).state
    state = played(state, Approach(actor=HERO, target=FOE, feet=20), {}).state
    assert [apart(state, state.find(who), state.find(FOE)) for who in (HERO, HORSE)] == [20, 20]
    assert apart(state, state.find(HERO), state.find(HORSE)) == 0
    assert state.find(HORSE).energy == 2
    state = played(state, StateDistance(actor=GM, one=HERO, other=FOE, feet=15), {}).state
    state = played(returning(state, HERO), Dismount(actor=HERO), {}).state
    assert apart(state, state.find(HERO), state.find(FOE)) == 15


def test_a_rider_flees_with_the_mount() -> None:
    made = played(riding(), Flee(actor=HERO), {})
    assert {made.state.find(who).gone for who in (HERO, HORSE)} == {Gone.FLED}


def test_whom_a_rider_holds_is_dragged_along() -> None:
    near = walker("guard", FOES, Square(4, 2))
    state = played(riding(near, weapons=()), Grapple(actor=HERO, target="guard", added=3), {"attack": [9, 9]})
    held = replace(
        state.state,
        effects=(
            *state.state.effects,
            new_effect(state.state, condition_id("grappled"), "guard", source=HERO),
        ),
    )
    made = played(returning(held, HERO), Walk(actor=HERO, to=Square(3, 6)), {})
    assert where(made.state, "guard") == [(3, 5)]


def test_a_rider_who_is_pushed_off_is_on_foot() -> None:
    made = played(riding(), Displace(actor=GM, who=HERO, to=Square(3, 4)), {})
    assert where(made.state, HERO, HORSE) == [(3, 4), (3, 2)]
    assert bears(made.state, HERO, MOUNTED) is None
    pushed = played(riding(), Displace(actor=GM, who=HORSE, to=Square(3, 4)), {}).state
    assert where(pushed, HERO, HORSE) == [(3, 4), (3, 4)]


# Falling off


@pytest.mark.parametrize(("faces", "prone"), [([9, 1, 1], False), ([1, 1, 1], True)], ids=["lands", "falls"])
def test_a_mount_that_falls_throws_its_rider(faces: list[int], prone: bool) -> None:
    """General Skills / Ride Skill: Agility (Ride), here without energy at Normal difficulty."""
    made = played(riding(), Harm(actor=GM, who=HORSE, damage=9, type=BLUDGEONING), {"test": faces})
    assert pool(made, "test") == 3
    assert facts_of(made, facts.Tested)[0].what == "Agility (Ride)"
    assert bears(made.state, HERO, MOUNTED) is None
    assert (bears(made.state, HERO, PRONE) is not None) is prone
    assert where(made.state, HERO) != where(made.state, HORSE)
    assert made.state.find(HERO).seat == 0


def test_the_skill_to_ride_helps_and_a_table_may_do_without_the_test() -> None:
    ride = {"skills": skilled((skill_id("ride"), 2))}
    harm = Harm(actor=GM, who=HORSE, damage=9, type=BLUDGEONING)
    assert pool(played(riding(**ride), harm, {}), "test") == 5
    made = played(under(riding(), unseated_difficulty=0), harm, {})
    assert not facts_of(made, facts.Tested)
    assert bears(made.state, HERO, PRONE) is None


def test_a_rider_who_falls_unconscious_falls_off() -> None:
    made = played(riding(), Harm(actor=GM, who=HERO, damage=9, type=BLUDGEONING), {})
    assert bears(made.state, HERO, MOUNTED) is None
    assert made.state.find(HERO).life is Life.UNCONSCIOUS
    assert where(made.state, HERO) != where(made.state, HORSE)


def test_a_mount_knocked_prone_throws_its_rider() -> None:
    made = played(riding(), Impose(actor=GM, who=HORSE, what=PRONE), {})
    assert bears(made.state, HERO, MOUNTED) is None


def test_a_mount_that_surrenders_leaves_its_rider_on_foot() -> None:
    made = played(returning(riding(), HORSE), Yield(actor=HORSE), {"test": [9]})
    assert bears(made.state, HERO, MOUNTED) is None
    assert made.state.find(HERO).up


# Vehicles


def test_the_first_aboard_drives_and_the_others_are_passengers() -> None:
    state = driving(walker(ALLY, HEROES, Square(0, 4)))
    assert bears(state, HERO, DRIVING) is not None
    assert state.find(HERO).size == 2
    state = played(returning(state, ALLY), Mount(actor=ALLY, target=CART), {}).state
    assert bears(state, ALLY, ABOARD) is not None
    assert refused(returning(state, ALLY), Walk(actor=ALLY, to=Square(5, 2))) == ["carried_along"]
    made = played(returning(state, HERO), Walk(actor=HERO, to=Square(10, 4)), {})
    assert where(made.state, HERO, ALLY, CART) == [(10, 4)] * 3


def test_driving_takes_one_energy_however_far_within_the_speed_that_the_game_master_states() -> None:
    """Energy / Using Energy: to use an object takes 1."""
    state = driving()
    made = played(state, Walk(actor=HERO, to=Square(10, 2)), {})
    assert made.state.find(HERO).energy == state.find(HERO).energy - 1
    assert refused(made.state, Walk(actor=HERO, to=Square(15, 2))) == ["too_far"]
    assert refused(state, Walk(actor=HERO, to=Square(10, 2), run=True)) == ["cannot_run"]
    offers = {offer.id for offer in PLAY.legal(state, HERO)}
    assert "move" in offers
    assert "run" not in offers


def test_a_vehicle_goes_on_when_its_drivers_next_turn_begins() -> None:
    state = played(driving(), Walk(actor=HERO, to=Square(10, 2)), {}).state
    while state.find(CART).moved:
        first = state.priority()
        assert first is not None
        state = played(state, Pass(actor=first.id, rest=True), {}).state
    assert state.find(HERO).energy == 8


def test_drivers_have_two_dice_less_to_perceive() -> None:
    """Combat Initiation / Surprise: the driver of the example keeps an eye on the road."""
    look = Test(actor=HERO, attribute=Attribute.ACUITY, skill=PERCEPTION)
    attributes = Attributes(acuity=4)
    state = replace(
        stable(cart(at=Square(0, 2)), attributes=attributes),
        phase=Phase.CALM,
    )
    assert pool(played(state, look, {}), "test") == 4
    state = played(state, Mount(actor=HERO, target=CART), {}).state
    assert pool(played(state, look, {}), "test") == 2


def test_those_aboard_have_the_cover_of_their_vehicle() -> None:
    state = driving()
    assert covered(state, state.find(FOE), state.find(HERO)) is Cover.NONE
    state = played(state, Impose(actor=GM, who=CART, what=effect_id("half-cover")), {}).state
    assert covered(state, state.find(FOE), state.find(HERO)) is Cover.HALF
    saddle = played(riding(), Impose(actor=GM, who=HORSE, what=effect_id("half-cover")), {}).state
    assert covered(saddle, saddle.find(FOE), saddle.find(HERO)) is Cover.NONE


def test_a_wrecked_vehicle_is_got_out_of_and_carries_no_one_on() -> None:
    made = played(driving(), Harm(actor=GM, who=CART, damage=12, type=BLUDGEONING), {"test": [9]})
    assert made.state.find(CART).dead
    assert made.state.find(CART).health == 0
    assert bears(made.state, HERO, DRIVING) is None
    assert facts_of(made, facts.Tested)[0].what == "Agility (Drive)"
    assert not facts_of(made, facts.Stabilized)
    assert "wrecked" in next(one for one in PLAY.card(made.state).actors if one.id == CART).conditions


def test_a_passenger_takes_the_wheel_when_the_driver_is_down() -> None:
    state = driving(walker(ALLY, HEROES, Square(0, 4)))
    state = played(returning(state, ALLY), Mount(actor=ALLY, target=CART), {}).state
    assert refused(returning(state, ALLY), Mount(actor=ALLY, target=CART)) == ["cannot_mount"]
    state = played(state, Harm(actor=GM, who=HERO, damage=9, type=BLUDGEONING), {}).state
    assert where(state, HERO) == where(state, CART)
    made = played(returning(state, ALLY), Mount(actor=ALLY, target=CART), {})
    assert bears(made.state, ALLY, DRIVING) is not None
    assert bears(made.state, HERO, ABOARD) is not None
    assert made.state.find(ALLY).energy == state.find(ALLY).energy - 1


def test_who_gets_in_beside_a_driver_who_is_down_drives() -> None:
    state = driving(walker(ALLY, HEROES, Square(0, 4)))
    state = played(state, Harm(actor=GM, who=HERO, damage=9, type=BLUDGEONING), {}).state
    state = played(returning(state, ALLY), Mount(actor=ALLY, target=CART), {}).state
    assert [bears(state, who, DRIVING) is not None for who in (HERO, ALLY)] == [False, True]
    assert bears(state, HERO, ABOARD) is not None


def test_vehicles_neither_act_nor_rest_nor_keep_a_fight_going() -> None:
    state = driving()
    assert CART not in state.rounds.order or not state.find(CART).up
    assert not PLAY.legal(state, CART)
    assert refused(state, Grapple(actor=HERO, target=CART, added=1)) == ["no_hold"]
    calm = replace(state, phase=Phase.CALM)
    dented = replace(
        calm, combatants=tuple(replace(one, health=4) if one.id == CART else one for one in calm.combatants)
    )
    rested = played(dented, Rest(actor=GM, who=(CART,), length=RestKind.LONG), {}).state
    assert rested.find(CART).health == 4
    aid = Treat(actor=HERO, patient=CART, goal=Goal.HEAL, skill=FIRST_AID)
    assert refused(dented, aid) == ["unknown_target"]
    alone = replace(state, combatants=tuple(one for one in state.combatants if one.side == HEROES))
    assert alone.decided()
    assert CART not in PLAY.outcome(alone).winners


def test_a_vehicle_is_in_the_way() -> None:
    state = stable(cart(at=Square(3, 3)))
    assert refused(state, Walk(actor=HERO, to=Square(4, 4))) == ["no_way"]


# Setup, pictures, sentences, bots


def opening(**more: Any) -> Fight | Problems:
    setup = Setup(
        title="The Road",
        field=Field(width=16, height=9),
        foes=(
            Foes(adversary=adversary("f6-grunt"), name="Horse", side=HEROES, mount=True),
            Foes(adversary=adversary("f6-grunt"), name="Raider", count=2),
        ),
        vehicles=(Vehicle(name="Wagon", health=12, pd=1, speed=30, cover=Cover.HALF, **more),),
    )
    sheet = SYSTEM.build(next(iter(EXAMPLES.values())), SYSTEM.content)
    return PLAY.begin(setup, (CastMember(id="chr-1", sheet=sheet),))


def test_a_setup_has_mounts_and_vehicles() -> None:
    state = opening()
    assert isinstance(state, Fight)
    assert bears(state, "foe-1", SADDLED) is not None
    wagon = state.find("vehicle-1")
    assert (wagon.vehicle, wagon.size, wagon.health) == (True, 2, 12)
    assert bears(state, "vehicle-1", effect_id("half-cover")) is not None
    assert PLAY.state_codec.load(PLAY.state_codec.dump(state)) == state


@pytest.mark.parametrize("figures", [{"size": 0}, {"size": 13}], ids=["nothing", "huge"])
def test_a_setup_states_possible_vehicles(figures: dict[str, Any]) -> None:
    found = opening(**figures)
    assert isinstance(found, Problems)
    assert [problem.code for problem in found] == ["figure_out_of_range"]


def test_the_board_shows_the_rider_over_the_mount() -> None:
    state = riding()
    card = PLAY.card(state)
    assert [one.id for one in card.actors][-1] == HERO
    assert f"on {state.find(HORSE).name}" in card.actors[-1].conditions
    root = fromstring(draw(card, PLAY.ground_now(state)))
    tokens = {
        token.findtext("{*}title", "").partition(";")[0]: token.find("{*}circle")
        for token in root.iterfind(".//{*}g[@id='tokens']/{*}g")
    }
    mount, rider = tokens["Horse"], tokens["Hero"]
    assert mount is not None
    assert rider is not None
    assert float(rider.attrib["r"]) < 0.6 * float(mount.attrib["r"])
    assert (rider.attrib["cx"], rider.attrib["cy"]) != (mount.attrib["cx"], mount.attrib["cy"])


def test_riding_is_told_in_a_sentence() -> None:
    made = played(stable(), ON, {})
    assert "Hero gets on Horse." in [PLAY.tell(made.state, event) for event in made.events]


def test_players_do_not_see_a_hidden_rider_and_mount() -> None:
    state = riding()
    pair = tuple(
        replace(one, hidden=True, side=FOES) if one.id in (HERO, HORSE) else one for one in state.combatants
    )
    seen = PLAY.view(replace(state, combatants=pair), Viewer(actors=frozenset({ALLY})))
    assert HORSE not in repr(seen)


def test_bots_ride_with_the_skill_for_it_and_drive_on() -> None:
    trained = {"skills": skilled((martial("mounted-combat"), 3))}
    assert bot(stable(), HERO) != ON
    assert bot(stable(**trained), HERO) == ON
    assert isinstance(bot(riding(**trained), HERO), Walk)
    assert isinstance(bot(driving(), HERO), Walk)
    state = driving(walker(ALLY, HEROES, Square(0, 4)))
    state = played(returning(state, ALLY), Mount(actor=ALLY, target=CART), {}).state
    assert isinstance(bot(returning(state, ALLY), ALLY), Dismount)
