"""Fights by a pack's own weapons and adversaries, and by its own condition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.codec import CodecError
from services.rules.engine.driver import Made, fold, make, state_hash
from services.rules.engine.editions import plays_packs, with_pack
from services.rules.engine.play import GM, CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.choices import Carried, Place
from services.rules.systems.forge_engine.packs import CODEC
from services.rules.systems.forge_engine.play.facts import EffectBegan, EffectEnded, Hurt
from services.rules.systems.forge_engine.play.moves import Attack, BeginFight, Impose, ShakeOff
from services.rules.systems.forge_engine.play.setup import Foes, Setup
from services.rules.systems.forge_engine.play.state import Fight
from tests.conformance.forge_engine.stage import thrower
from tests.rules.forge_engine_pack import PACK

HERO, WARDEN = "chr-a", "foe-1"
RIFLE, HEAVY = "forge_engine:equipment/void-rifle", "forge_engine:condition/heavy"
WEIGHER = "forge_engine:equipment/weigher"
SETUP = Setup(title="The Gate", spread=40, foes=(Foes(adversary="forge_engine:adversary/warden"),))


def edition() -> Any:
    """The game with the pack in it."""
    made = with_pack(SYSTEM, CODEC.dump(CODEC.read(PACK)))
    assert not isinstance(made, Problems), str(made)
    return made[0]


GAME = edition()
BOOK: Any = SYSTEM.play
ARMED = replace(
    GAME.examples["gunslinger"], equipment=(Carried(item=RIFLE, place=Place.WIELDED),), name="Gunslinger"
)


def made_of(play: Any, state: Fight, move: Any, **faces: Any) -> Made:
    found = make(play, state, move, thrower(faces), lambda _state, ask: ask.silence)
    assert isinstance(found, Made), str(found)
    return found


@pytest.fixture(scope="module")
def opening() -> Fight:
    state = GAME.play.begin(SETUP, (CastMember(id=HERO, sheet=GAME.build(ARMED, GAME.content)),))
    assert isinstance(state, Fight)
    return state


@pytest.fixture(scope="module")
def begun(opening: Fight) -> Fight:
    faces = {"initiative": (6, 6, 6, 6)}
    found: Fight = made_of(GAME.play, opening, BeginFight(actor=GM), **faces).state
    return found


def attacks(state: Fight, who: str) -> list[dict[str, Any]]:
    """The attacks with the pack's rifle that are offered, cheapest first."""
    offers = (one.move for one in GAME.play.legal(state, who))
    return [move for move in offers if move["kind"] == "Attack" and move["weapon"] == "weapon-1"]


def energy_of(state: Fight, move: Attack) -> int:
    """What an attack costs the hero."""
    after = made_of(GAME.play, state, move).state
    return int(state.find(HERO).energy - after.find(HERO).energy)


def test_a_packs_weapon_with_its_own_fire_modes_is_offered(begun: Fight) -> None:
    assert plays_packs(SYSTEM)
    assert {"", "Twin beam"} <= {move["fire"] for move in attacks(begun, HERO)}


def test_a_packs_damage_meets_the_adversary_that_resists_it(begun: Fight) -> None:
    shot = Attack(actor=HERO, weapon="weapon-1", target=WARDEN)

    def hurt(state: Fight) -> list[tuple[str, int]]:
        events = made_of(GAME.play, state, shot, attack=(6,) * 12).events
        return [(event.type, event.damage) for event in events if isinstance(event, Hurt)]

    bare = tuple(
        replace(one, profile=replace(one.profile, damage=())) if one.id == WARDEN else one
        for one in begun.combatants
    )
    ((kind, less),), ((same, more),) = hurt(begun), hurt(replace(begun, combatants=bare))
    assert kind == same == "forge_engine:damage/void"
    assert less < more


def test_a_condition_that_the_book_lacks_is_offered_and_costs_energy(begun: Fight) -> None:
    imposed = [one.move.get("what") for one in GAME.play.legal(begun, GM) if one.move["kind"] == "Impose"]
    assert HEAVY in imposed
    shot = Attack(actor=HERO, weapon="weapon-1", target=WARDEN)
    under = made_of(GAME.play, begun, Impose(actor=GM, who=HERO, what=HEAVY)).state
    assert energy_of(under, shot) == energy_of(begun, shot) + 2


def test_a_stored_fight_goes_on_to_the_same_hash_by_the_same_content(begun: Fight) -> None:
    shot = Attack(actor=HERO, weapon="weapon-1", target=WARDEN, fire="Twin beam")
    made = made_of(GAME.play, begun, shot)
    # Made anew, as another process makes it.
    other = edition().play
    stored = other.state_codec.load(GAME.play.state_codec.dump(begun))
    events = [other.event_codec.load(GAME.play.event_codec.dump(event)) for event in made.events]
    assert state_hash(other, fold(other, stored, events)) == state_hash(GAME.play, made.state)


def test_a_fight_is_not_read_beside_content_that_lacks_what_it_names(opening: Fight, begun: Fight) -> None:
    with pytest.raises(CodecError) as refused:
        BOOK.state_codec.load(GAME.play.state_codec.dump(opening))
    assert refused.value.problem().code == "value_malformed"
    assert refused.value.found == RIFLE
    cursed = made_of(GAME.play, begun, Impose(actor=GM, who=HERO, what=HEAVY)).state
    lacking: Any = SYSTEM.with_content(replace(GAME.content, conditions=SYSTEM.content.conditions))
    with pytest.raises(CodecError) as refused:
        lacking.play.state_codec.load(GAME.play.state_codec.dump(cursed))
    assert (refused.value.path[1], refused.value.found) == ("effects", HEAVY)


def test_the_book_alone_neither_builds_nor_begins_with_what_a_pack_adds() -> None:
    built = SYSTEM.build(ARMED, SYSTEM.content)
    assert isinstance(built, Problems)
    sheet = SYSTEM.build(SYSTEM.examples["gunslinger"], SYSTEM.content)
    refused = BOOK.begin(SETUP, (CastMember(id=HERO, sheet=sheet),))
    assert isinstance(refused, Problems)
    assert [(one.code, one.path) for one in refused] == [("id_unknown", ("foes", 0, "adversary"))]


def test_a_character_of_a_pack_fights_by_the_book_with_the_figures_of_its_sheet() -> None:
    play = BOOK
    state = play.begin(play.setups["alley"], (CastMember(id=HERO, sheet=GAME.build(ARMED, GAME.content)),))
    assert isinstance(state, Fight)
    (rifle, *_) = play.state_codec.load(play.state_codec.dump(state)).find(HERO).profile.weapons
    assert (rifle.item, rifle.name, rifle.rating) == ("", "Void Rifle", 4)


def turn_of(state: Fight, who: str) -> Fight:
    """The fight where it is one's turn to act."""
    found = (replace(one, started=True, passed=one.id != who) for one in state.combatants)
    return replace(state, combatants=tuple(found))


@pytest.fixture(scope="module")
def weighed() -> Fight:
    """The fight of two who carry the pack's other weapon, one of whom has struck the other with it."""
    carried = (Carried(item=WEIGHER, place=Place.WIELDED),)
    sheet = GAME.build(replace(GAME.examples["gunslinger"], equipment=carried), GAME.content)
    cast = tuple(CastMember(id=who, sheet=sheet) for who in (HERO, "chr-b"))
    state = GAME.play.begin(SETUP, cast)
    assert isinstance(state, Fight)
    state = made_of(GAME.play, state, BeginFight(actor=GM), initiative=(6, 6, 6, 6)).state
    shot = Attack(actor=HERO, weapon="weapon-1", target="chr-b")
    made = made_of(GAME.play, state, shot, attack=(10, *(1,) * 12), defense=(5,) * 9)
    began = [event.effect for event in made.events if isinstance(event, EffectBegan)]
    assert [(each.kind, each.bearer, each.source) for each in began] == [(HEAVY, "chr-b", HERO)]
    assert not [event for event in made.events if isinstance(event, Hurt)], "in place of harm"
    found: Fight = made.state
    return found


def test_a_packs_weapon_lays_its_condition_which_changes_a_pool_and_is_on_the_card(weighed: Fight) -> None:
    (card,) = (one for one in GAME.play.card(weighed).actors if one.id == "chr-b")
    assert "heavy" in card.conditions

    def dice(state: Fight) -> int:
        shot = Attack(actor="chr-b", weapon="weapon-1", target=WARDEN)
        made = made_of(GAME.play, turn_of(state, "chr-b"), shot)
        return next(roll.dice.value for roll in made.rolls if roll.id.startswith("attack"))

    assert dice(weighed) == dice(replace(weighed, effects=())) - 1


def test_a_packs_ongoing_condition_is_shaken_off(weighed: Fight) -> None:
    ready = turn_of(weighed, "chr-b")
    (offer,) = (one for one in GAME.play.legal(ready, "chr-b") if one.move["kind"] == "ShakeOff")
    move = ShakeOff(actor="chr-b", effect=offer.move["effect"], energy=3)
    made = made_of(GAME.play, ready, move, test=(10,) * 9, shake=(10,) * 9)
    assert [event.what for event in made.events if isinstance(event, EffectEnded)] == [HEAVY]


def test_a_pack_is_refused_whose_condition_or_weapon_is_not_sound() -> None:
    def refused(**changes: Any) -> list[tuple[str, tuple[Any, ...]]]:
        found = with_pack(SYSTEM, CODEC.dump(CODEC.read({**PACK, **changes})))
        assert isinstance(found, Problems)
        return [(each.code, tuple(each.path)) for each in found]

    (heavy,), weigher = PACK["conditions"], PACK["weapons"][1]
    rifle = PACK["weapons"][0]
    assert refused(conditions=[{**heavy, "attack": -99}]) == [
        ("number_out_of_range", ("conditions", 0, "attack"))
    ]
    taken = refused(conditions=[heavy, {**heavy, "key": "dazed"}])
    assert taken == [("id_taken", ("conditions", 1, "key"))]
    three = ["forge_engine:condition/dazed"] * 3
    assert refused(weapons=[rifle, {**weigher, "conditions": three}]) == [
        ("weapon_conditions", ("weapons", 1, "conditions"))
    ]
    assert refused(conditions=[]) == [("reference_unknown", ("weapons", 1, "conditions", 0))]
