"""DungeonTeller's scenes: who leaves before the end, and what of them stays; holds that end by themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.play import GM, Viewer
from services.rules.systems.dungeonteller.play.effects import Area, AreaKind, Duration, Effect, Until
from services.rules.systems.dungeonteller.play.moves import EndTurn, Overrule, Remove, Squeeze, UsePower
from services.rules.systems.dungeonteller.play.state import Being, Creature, EffectKind, Scene, Side, Thing
from tests.rules.dungeonteller_scenes import PLAY, hero, make, monster, power, refused, scene, with_powers

SWORD = "dungeonteller:weapon/longsword"


def wizard(*slugs: str, **changes: Any) -> Being:
    return with_powers(hero("wizard", (5, 5), luck=14, max_luck=14, **changes), *slugs)


def fly(*targets: str) -> UsePower:
    return UsePower(actor="wizard", power=power("create-hippogriff"), targets=targets, sort="seen")


def held(now: Scene, holder: str, bearer: str) -> Scene:
    pin = Effect(
        id="pinned-1",
        kind=EffectKind.PINNED,
        bearer=bearer,
        source=holder,
        cause=power("pin"),
        amount=0,
        lasts=Duration(Until.KEPT),
    )
    return replace(now, effects=(*now.effects, pin), counter=1)


def turns_pass(now: Scene, turns: int) -> Scene:
    for _ in range(turns):
        now = make(now, EndTurn(actor=now.turn.whose)).scene
    return now


def brought(now: Scene) -> dict[str, dict[str, Any]]:
    """What each hero brings home, companions in the order of their names."""
    found: dict[str, dict[str, Any]] = {}
    for change in PLAY.changes(now):
        data: dict[str, Any] = dict(change.data)
        joined = sorted(data.get("joined", []), key=lambda companion: str(companion["name"]))
        found[change.character] = {**data, "joined": joined}
    return found


class TestHome:
    def loaded(self) -> Scene:
        flyer = wizard("create-hippogriff", gold=25, gold_before=10)
        cat = monster(
            "cat",
            (5, 5),
            id="cat-1",
            leader="wizard",
            creature=Creature.FAMILIAR,
            name="Tom",
            luck=3,
            burden=1,
        )
        pet = monster(
            "wolf", (5, 6), id="pet-1", leader="wizard", creature=Creature.PET, name="Rex", side=Side.HEROES
        )
        things = (
            Thing(id="thing-1", name="a longsword", item=SWORD, holder="wizard"),
            Thing(id="thing-2", name="a crown", holder="elf"),
        )
        dwarf = hero("dwarf", (6, 5), gold=3, gold_before=1)
        return scene(flyer, dwarf, hero("elf"), monster("orc", (15, 5)), cat, pet, things=things)

    def test_who_flies_off_takes_home_what_was_theirs_to_take(self) -> None:
        now = self.loaded()
        before = brought(now)
        after = make(now, fly("dwarf"), power=1).scene
        assert {being.id for being in after.beings} == {"elf", "orc-1", "pet-1"}
        assert brought(after) == before
        data = brought(after)["wizard"]
        assert data["gold"] == 15
        assert {"item": SWORD, "count": 1} in data["found"]
        assert sorted(one["name"] for one in data["joined"]) == ["Rex", "Tom"]

    def test_a_companion_that_stays_behind_and_falls_does_not_come_home(self) -> None:
        after = make(self.loaded(), fly(), power=1).scene
        gone = make(after, Remove(actor=GM, what="pet-1")).scene
        data = brought(gone)["wizard"]
        assert [one["name"] for one in data["joined"]] == ["Tom"]

    def test_a_pet_may_ride_and_goes_home_to_its_owner(self) -> None:
        after = make(self.loaded(), fly("pet-1"), power=1).scene
        data = brought(after)["wizard"]
        assert sorted(one["name"] for one in data["joined"]) == ["Rex", "Tom"]

    def test_what_they_took_is_theirs_to_read_and_outlives_storing(self) -> None:
        after = make(self.loaded(), fly("dwarf"), power=1).scene
        assert PLAY.state_codec.load(PLAY.state_codec.dump(after)) == after
        assert PLAY.view(after, Viewer(actors=frozenset({"elf"}))).departed == ()
        mine = PLAY.view(after, Viewer(actors=frozenset({"dwarf"}))).departed
        assert [departure.being.id for departure in mine] == ["dwarf"]
        assert [thing.id for thing in after.things] == ["thing-2"]


def lasting(source: str, turns: int, *, fresh: bool = False) -> Scene:
    """A fire and a fright of one being, among four who have turns."""
    lasts = Duration(Until.TURNS, source, turns, fresh=fresh)
    afraid = Effect(
        id="afraid-2", kind=EffectKind.AFRAID, bearer="orc-1", source=source, cause=power("fear"), lasts=lasts
    )
    fire = Area(id="fire-1", kind=AreaKind.FIRE, squares=(Square(19, 11),), source=source, lasts=lasts)
    beings = (
        wizard("create-hippogriff"),
        hero("elf", (2, 2)),
        monster("orc", (15, 5)),
        monster("goblin", (14, 1)),
    )
    return scene(*beings, areas=(fire,), effects=(afraid,), counter=2)


class TestTurnsOfOneWhoIsGone:
    @pytest.mark.parametrize("turns", [1, 2, 3])
    def test_what_lasts_for_a_flown_makers_turns_ends_as_soon_as_it_would_have(self, turns: int) -> None:
        now = make(lasting("wizard", turns + 1), fly(), power=1).scene
        assert now.turn.order == ("elf", "orc-1", "goblin-1")
        last = turns_pass(now, 3 * turns - 1)
        assert [area.id for area in last.areas] == ["fire-1"] and last.has("orc-1", EffectKind.AFRAID)
        over = turns_pass(last, 1)
        assert over.areas == () and not over.has("orc-1", EffectKind.AFRAID)

    @pytest.mark.parametrize("fresh", [False, True])
    def test_what_lasts_for_a_removed_makers_turns_ends_too(self, fresh: bool) -> None:
        now = make(lasting("goblin-1", 2, fresh=fresh), Remove(actor=GM, what="goblin-1")).scene
        assert len(now.areas) == len(now.effects) == 1
        over = turns_pass(now, 6)
        assert over.areas == () and over.effects == ()

    def test_a_hidden_being_never_counts_for_another(self) -> None:
        now = lasting("wizard", 2)
        hidden = tuple(
            being if being.id in ("wizard", "elf") else replace(being, hidden=3, found_by=("elf",))
            for being in now.beings
        )
        after = make(replace(now, beings=hidden), fly(), power=1).scene
        assert {area.lasts.of for area in after.areas} == {"elf"}
        assert turns_pass(after, 3).areas == ()

    def test_with_nobody_left_to_count_it_ends_at_once(self) -> None:
        now = lasting("wizard", 3)
        alone = replace(
            now,
            beings=tuple(being for being in now.beings if being.id in ("wizard", "orc-1")),
            turn=replace(now.turn, order=("wizard",)),
        )
        after = make(alone, fly(), power=1).scene
        assert after.areas == () and after.effects == ()


class TestHolds:
    def test_mist_slips_out_of_a_hold_and_cannot_be_squeezed(self) -> None:
        now = held(scene(wizard("mistform"), monster("orc", (6, 5))), "orc-1", "wizard")
        after = make(now, UsePower(actor="wizard", power=power("mistform")), power=1).scene
        assert after.has("wizard", EffectKind.MIST) and not after.has("wizard", EffectKind.PINNED)
        orcs_turn = make(after, EndTurn(actor="wizard")).scene
        assert refused(orcs_turn, Squeeze(actor="orc-1")) == ("holds_nobody",)

    def test_thorns_do_not_hold_mist(self) -> None:
        caught = Effect(id="caught-1", kind=EffectKind.CAUGHT, bearer="wizard", amount=0)
        now = scene(wizard("mistform"), monster("orc", (9, 5)), effects=(caught,), counter=1)
        after = make(now, UsePower(actor="wizard", power=power("mistform")), power=1).scene
        assert not after.has("wizard", EffectKind.CAUGHT)

    @pytest.mark.parametrize("form", ["mistform", "stoneform"])
    def test_whoever_becomes_mist_or_a_statue_lets_go(self, form: str) -> None:
        now = held(scene(wizard(form), monster("orc", (6, 5))), "wizard", "orc-1")
        after = make(now, UsePower(actor="wizard", power=power(form)), power=1).scene
        assert not after.has("orc-1", EffectKind.PINNED)

    def test_a_failed_try_changes_no_hold(self) -> None:
        now = held(scene(wizard("mistform"), monster("orc", (6, 5))), "orc-1", "wizard")
        after = make(now, UsePower(actor="wizard", power=power("mistform"))).scene
        assert after.has("wizard", EffectKind.PINNED)

    def test_a_holder_turned_to_stone_by_another_lets_go(self) -> None:
        now = held(
            scene(wizard("turn-to-stone"), monster("orc", (8, 5)), hero("elf", (9, 5))), "orc-1", "elf"
        )
        turned = make(
            now, UsePower(actor="wizard", power=power("turn-to-stone"), targets=("orc-1",)), power=3
        ).scene
        assert turned.has("orc-1", EffectKind.PETRIFIED) and not turned.has("elf", EffectKind.PINNED)


class TestOverruling:
    def served(self) -> Scene:
        owner = replace(wizard(), max_luck=12)
        minion = monster("orc", (6, 5), id="minion-1", leader="wizard", creature=Creature.MINION, burden=1)
        cat = monster(
            "cat",
            (5, 5),
            id="cat-1",
            leader="wizard",
            creature=Creature.FAMILIAR,
            luck=3,
            max_luck=3,
            burden=1,
        )
        return scene(owner, monster("orc", (7, 5)), minion, cat)

    def test_whoever_is_put_out_lets_go(self) -> None:
        now = held(scene(hero("elf", (6, 5)), monster("orc", (7, 5))), "orc-1", "elf")
        after = make(now, Overrule(actor=GM, being="orc-1", out=True)).scene
        assert not after.has("elf", EffectKind.PINNED)

    def test_whoever_is_moved_out_of_reach_is_held_no_longer(self) -> None:
        now = held(scene(hero("elf", (6, 5)), monster("orc", (7, 5))), "orc-1", "elf")
        near = make(now, Overrule(actor=GM, being="elf", at=Square(7, 6))).scene
        assert near.has("elf", EffectKind.PINNED)
        far = make(now, Overrule(actor=GM, being="orc-1", at=Square(12, 5))).scene
        assert not far.has("elf", EffectKind.PINNED)

    def test_a_minion_that_is_put_out_serves_no_longer(self) -> None:
        after = make(self.served(), Overrule(actor=GM, being="minion-1", out=True))
        assert after.being("minion-1").out
        assert after.being("wizard").max_luck == 13

    @pytest.mark.parametrize("how", [{"luck": 0}, {"out": True}])
    def test_a_familiar_at_nought_is_gone(self, how: dict[str, Any]) -> None:
        after = make(self.served(), Overrule(actor=GM, being="cat-1", **how)).scene
        assert after.being("cat-1") is None
        owner = after.being("wizard")
        assert owner is not None and owner.max_luck == 13

    def test_whoever_is_put_out_in_the_air_comes_down(self) -> None:
        now = scene(hero("elf", (6, 5), height=3), monster("orc", (7, 5)))
        assert make(now, Overrule(actor=GM, being="elf", out=True)).being("elf").height == 0
