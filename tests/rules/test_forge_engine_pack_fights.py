"""Fights by a pack's own weapons and adversaries, and by a condition that the book does not have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.codec import CodecError
from services.rules.engine.content import Shelf
from services.rules.engine.driver import Made, fold, make, state_hash
from services.rules.engine.editions import plays_packs, with_pack
from services.rules.engine.play import GM, CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.choices import Carried, Place
from services.rules.systems.forge_engine.packs import CODEC
from services.rules.systems.forge_engine.play.facts import Hurt
from services.rules.systems.forge_engine.play.moves import Attack, BeginFight, Impose
from services.rules.systems.forge_engine.play.setup import Foes, Setup
from services.rules.systems.forge_engine.play.state import Fight
from services.rules.systems.forge_engine.world import Condition, ConditionGroup, ConditionKind
from tests.conformance.forge_engine.stage import thrower
from tests.rules.forge_engine_pack import PACK

HERO, WARDEN = "chr-a", "foe-1"
RIFLE, HEAVY = "forge_engine:equipment/void-rifle", "forge_engine:condition/heavy"
SETUP = Setup(title="The Gate", spread=40, foes=(Foes(adversary="forge_engine:adversary/warden"),))


def edition() -> Any:
    """The game with the pack, and a condition that the book does not have, in it."""
    made = with_pack(SYSTEM, CODEC.dump(CODEC.read(PACK)))
    assert not isinstance(made, Problems), str(made)
    catalog: Any = made[0].content
    heavy = Condition(
        id=HEAVY,
        name="Heavy",
        group=ConditionGroup.ACTION,
        kinds=(ConditionKind.ONGOING,),
        summary="Everything costs 2 energy more.",
        action_energy=2,
    )
    shelf = catalog.conditions
    more: Shelf[Condition] = replace(shelf, entries={**shelf.entries, HEAVY: heavy})
    return SYSTEM.with_content(replace(catalog, conditions=more))


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
