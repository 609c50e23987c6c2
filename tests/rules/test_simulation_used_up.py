"""What simulations tell of things that are used up, and how dangerous a book calls a fight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.registry import systems
from services.rules.engine.simulation.grades import GradesDanger, grades_of
from services.rules.systems.dungeonteller.play.moves import Drink
from services.rules.systems.dungeonteller.play.state import Thing
from services.rules.systems.dungeonteller.things import TreasureKind
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.facts import Attacked
from services.rules.systems.forge_engine.play.moves import Attack
from services.rules.systems.forge_engine.play.scene import PLAY as FIGHTS
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight, Loaded
from services.rules.systems.fortunate_blades.play.facts import ToolLost, ToolUsed
from tests.conformance.forge_engine.stage import FOE, HERO, club, fighter, hero, profile
from tests.conformance.forge_engine.stage import fight as fight_of
from tests.rules.dungeonteller_play import PLAY, Played, begun, chosen, play, turn_of
from tests.rules.forge_engine_play import played
from tests.rules.fortunate_blades_encounters import opening


def counted(play: Any, state: Any, events: Iterable[Any]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for event in events:
        for each in play.count(state, event):
            found[each.figure, each.actor] += each.value
        state = play.evolve(state, event)
    return found


# DungeonTeller


CONTENT: Any = systems()["dungeonteller"].content
DRINK = next(each for each in CONTENT.treasures if each.kind is TreasureKind.DRINK)


def drunk(count: int) -> Played:
    now = begun({"wizard": chosen("wizard")})
    thing = Thing(id="tea", name=DRINK.name, item=DRINK.id, count=count, holder="wizard")
    return play(
        turn_of(replace(now, things=(*now.things, thing)), "wizard"), Drink(actor="wizard", thing="tea")
    )


@pytest.mark.parametrize("count", [1, 3])
def test_a_drink_is_used_up_whether_it_is_the_last_one_or_not(count: int) -> None:
    made = drunk(count)
    assert counted(PLAY, made.before, made.events)["used_up", "wizard"] == 1
    left = made.scene.thing("tea")
    assert (0 if left is None else left.count) == count - 1


# Forge Engine


def shooting(loaded: int, shots: int) -> Counter[tuple[str, str]]:
    gun = replace(club(), id="gun", kind=EquipmentKind.PROJECTILE, max_range=100, min_range=5, holds=6)
    one = hero(profile(weapons=(gun,)), held=("gun",), loads=(Loaded("gun", loaded),))
    fact = Attacked(who=HERO, targets=(FOE,), weapon="gun", name="Gun", shots=shots)
    return counted(FIGHTS, fight_of(one), [fact])


def test_ammunition_that_was_shot_is_counted_and_never_more_than_there_was() -> None:
    assert shooting(loaded=6, shots=3)["shots", HERO] == 3
    assert shooting(loaded=2, shots=3)["shots", HERO] == 2


def test_a_shot_takes_one_piece_and_a_blow_none() -> None:
    gun = replace(club(), id="gun", kind=EquipmentKind.PROJECTILE, max_range=100, min_range=5, holds=6)
    one = hero(profile(weapons=(gun, club())), held=("gun", "club"), loads=(Loaded("gun", 6),))
    state = fight_of(one)
    for weapon, shots in (("gun", 1), ("club", 0)):
        made = played(state, Attack(actor=HERO, weapon=weapon, target=FOE), {"attack": [9], "defense": [1]})
        found = counted(FIGHTS, state, made.events)
        assert (found["shots", HERO], found["explosives", HERO]) == (shots, 0)


def test_an_explosive_that_was_thrown_is_used_up_and_a_thrown_knife_is_not() -> None:
    for kind, used in ((EquipmentKind.EXPLOSIVE, 1), (EquipmentKind.THROWN, 0)):
        thing = replace(club(), id="thing", kind=kind, item="forge_engine:equipment/x")
        state = fight_of(hero(profile(weapons=(thing,)), held=("thing",)))
        fact = Attacked(who=HERO, targets=(FOE,), weapon="thing", name="Thing", thrown=True)
        assert counted(FIGHTS, state, [fact])["explosives", HERO] == used


def party(ours: Iterable[int], theirs: Iterable[int]) -> Fight:
    heroes = [
        fighter(f"hero-{place}", HEROES, profile(energy=energy), character=True)
        for place, energy in enumerate(ours)
    ]
    foes = [fighter(f"foe-{place}", FOES, profile(energy=energy)) for place, energy in enumerate(theirs)]
    return replace(fight_of(), combatants=(*heroes, *foes))


def test_the_grade_of_a_fight_is_that_of_the_books_example() -> None:
    """Encounter Difficulty: four characters of 10 energy against six adversaries of 8."""
    (grade,) = grades_of(FIGHTS, [party([10] * 4, [8] * 6)])
    assert (grade.scene, grade.key) == (0, "hard")
    assert "48" in grade.text and "40" in grade.text
    day = [party([10] * 4, [10] * 4), party([10] * 4, []), party([10] * 4, [5])]
    assert [(each.scene, each.key) for each in grades_of(FIGHTS, day)] == [(0, "balanced"), (2, "easy")]


def test_no_other_game_has_a_grade_of_its_own() -> None:
    graded = {slug for slug, game in systems().items() if isinstance(game.play, GradesDanger)}
    assert graded == {"forge_engine"}


# Fortunate Blades


def test_gear_that_is_used_up_or_lost_is_counted_for_its_hero() -> None:
    state = opening("wolves")
    who = state.heroes[0]
    tool = replace(who.tools[0], uses=3)
    state = replace(state, heroes=(replace(who, tools=(tool, *who.tools[1:])), *state.heroes[1:]))
    used = ToolUsed(hero=who.id, tool=tool.id)
    found = counted(
        systems()["fortunate_blades"].play, state, [used, used, ToolLost(hero=who.id, tool=tool.id)]
    )
    assert (found["gear_used", who.id], found["gear_lost", who.id]) == (2, 1)
