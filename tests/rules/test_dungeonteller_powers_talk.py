"""Companions, tricks, talk and lore in play: what each power does, refuses, and when it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.play import GM, Viewer
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.effects import Effect
from services.rules.systems.dungeonteller.play.facts import Happened
from services.rules.systems.dungeonteller.play.moves import Attack, EndTurn, LookOut, Try, UsePower
from services.rules.systems.dungeonteller.play.pools import ActionRoll, pool
from services.rules.systems.dungeonteller.play.rules.powers.talk import direction
from services.rules.systems.dungeonteller.play.rules.tricks import believed, is_trick, see_through
from services.rules.systems.dungeonteller.play.state import (
    Arm,
    Being,
    Creature,
    EffectKind,
    Scene,
    Side,
    Thing,
    Turn,
)
from services.rules.systems.dungeonteller.play.view import view
from tests.conformance.dungeonteller import powers_talk
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    Playing,
    desk_of,
    hero,
    make,
    monster,
    power,
    refused,
    scene,
    with_powers,
)


def use(slug: str, *targets: str, actor: str = "wizard", **how: Any) -> UsePower:
    return UsePower(actor=actor, power=power(slug), targets=targets, **how)


def wizard(*slugs: str, luck: int = 14, max_luck: int = 14) -> Being:
    being = with_powers(hero("wizard", at=(5, 5)), *slugs)
    return replace(being, luck=luck, max_luck=max_luck)


def villain(*slugs: str, luck: int = 10, max_luck: int = 10) -> Being:
    being = wizard(*slugs, luck=luck, max_luck=max_luck)
    return replace(being, tags=("living", "talker", "malicious"))


def turn_of(now: Scene, being_id: str) -> Scene:
    """The same scene in a fresh turn of somebody."""
    return replace(now, turn=Turn(order=now.turn.order, place=now.turn.order.index(being_id)))


def somebody(now: Scene, being_id: str) -> Being:
    found = now.being(being_id)
    assert found is not None
    return found


def the(now: Scene, creature: Creature) -> Being:
    (found,) = (being for being in now.beings if being.creature is creature)
    return found


def dice(now: Scene, being_id: str, action: Action) -> int:
    """Dice of an action, as Luck does not cut them."""
    found = pool(
        now, CATALOG, replace(somebody(now, being_id), luck=None), ActionRoll((action,)), reacting=True
    )
    return found.value  # type: ignore[union-attr]


def tricks(now: Scene, being_id: str) -> tuple[Effect, ...]:
    return tuple(effect for effect in now.effects_on(being_id) if is_trick(effect))


def told_to(desk: Playing, viewer: Viewer) -> tuple[str, ...]:
    return tuple(desk.told(viewer))


BONES = Thing(id="bones-1", name="old bones", at=Square(7, 5), tags=("bones",))


# Minions


def test_bones_get_up_and_serve_behind_their_master() -> None:
    now = scene(villain("raise-skeleton"), monster("orc", at=(15, 5)), things=(BONES,))
    after = make(now, use("raise-skeleton", "bones-1")).scene
    skeleton, master = the(after, Creature.MINION), somebody(after, "wizard")
    assert (master.luck, master.max_luck) == (6, 9)
    assert skeleton.leader == "wizard" and skeleton.side is Side.HEROES
    assert skeleton.at == BONES.at and after.things == ()
    assert after.turn.order == ("wizard", skeleton.id, "orc-1")
    assert after.turn.whose == "wizard" and after.turn.acted
    assert "undead" in skeleton.tags


def test_each_skeleton_costs_and_lowers_again_until_it_falls() -> None:
    now = scene(villain("raise-skeleton", luck=10), things=(replace(BONES, count=2),))
    once = make(now, use("raise-skeleton", "bones-1")).scene
    assert once.things[0].count == 1
    twice = make(turn_of(once, "wizard"), use("raise-skeleton", "bones-1")).scene
    master = somebody(twice, "wizard")
    assert (master.luck, master.max_luck, twice.things) == (2, 8, ())
    names = {being.name for being in twice.beings}
    assert len(names) == 3
    desk = desk_of(twice)
    desk.hit(twice.beings[-1].id, "", 1, Action.BATTLE, "a blow")
    assert desk.being("wizard").max_luck == 9


def test_a_lower_maximum_takes_what_is_above_it() -> None:
    now = scene(villain("raise-zombie", luck=10, max_luck=6))
    master = somebody(make(now, use("raise-zombie", words="of the old miller")).scene, "wizard")
    assert (master.luck, master.max_luck) == (5, 5)


def test_minions_need_malice_bones_luck_and_room() -> None:
    good = scene(wizard("raise-skeleton", "summon-orc"), things=(BONES,))
    assert refused(good, use("raise-skeleton", "bones-1")) == ("not_malicious",)
    bad = scene(villain("raise-skeleton", "raise-zombie", "summon-orc"), things=(BONES,))
    assert refused(bad, use("raise-zombie", "bones-1")) == ("needs_corpse",)
    assert refused(bad, use("raise-zombie")) == ("needs_corpse",)
    assert refused(bad, use("raise-skeleton", "nothing")) == ("unknown_target",)
    assert refused(bad, use("summon-orc", squares=(Square(99, 99),))) == ("square_out_of_sight",)
    assert refused(bad, use("summon-orc", squares=(Square(5, 5),))) == ("square_not_free",)
    poor = scene(villain("summon-orc", luck=7))
    assert refused(poor, use("summon-orc")) == ("not_enough_luck",)


def test_hidden_bones_are_as_unknown_as_none() -> None:
    now = scene(villain("raise-skeleton"), things=(replace(BONES, hidden=2),))
    assert refused(now, use("raise-skeleton", "bones-1")) == refused(now, use("raise-skeleton", "nothing"))


def test_an_orc_comes_where_it_is_wanted() -> None:
    after = make(scene(villain("summon-orc")), use("summon-orc", squares=(Square(8, 8),))).scene
    orc, master = the(after, Creature.MINION), somebody(after, "wizard")
    assert (orc.at, orc.ratings.battle, orc.luck) == (Square(8, 8), 7, 5)
    assert (master.luck, master.max_luck) == (2, 9)


# Familiars


@pytest.mark.parametrize(
    ("kind", "action"),
    [("cat", Action.NOTICE), ("bat", Action.SNEAK), ("owl", Action.TALK), ("snake", Action.RESIST)],
)
def test_a_familiar_helps_with_magic_and_one_thing_more(kind: str, action: Action) -> None:
    now = scene(wizard("summon-familiar"))
    after = make(now, use("summon-familiar", sort=kind), power=1).scene
    assert dice(after, "wizard", Action.MAGIC) == dice(now, "wizard", Action.MAGIC) + 1
    assert dice(after, "wizard", action) == dice(now, "wizard", action) + 1
    owner, familiar = somebody(after, "wizard"), the(after, Creature.FAMILIAR)
    assert (owner.luck, owner.max_luck, familiar.luck) == (6, 13, 3)
    assert familiar.id not in after.turn.order
    assert refused(turn_of(after, "wizard"), use("summon-familiar", sort="cat"))[-1] in (
        "limit_in_play",
        "not_enough_luck",
    )


def test_one_familiar_of_any_kind_and_only_the_kinds_there_are() -> None:
    owner = wizard("summon-familiar", "summon-greater-familiar", luck=30, max_luck=30)
    assert refused(scene(owner), use("summon-familiar", sort="imp")) == ("kind_unknown",)
    after = make(scene(owner), use("summon-familiar", sort="owl"), power=2).scene
    fresh = turn_of(after, "wizard")
    assert refused(fresh, use("summon-greater-familiar", sort="imp")) == ("limit_in_play",)
    assert refused(fresh, use("summon-familiar", sort="owl")) == ("limit_in_play",)


def test_a_failed_summons_is_paid_for() -> None:
    after = make(scene(wizard("summon-familiar")), use("summon-familiar", sort="cat")).scene
    owner = somebody(after, "wizard")
    assert (owner.luck, owner.max_luck, len(after.beings)) == (6, 14, 1)


def test_what_hurts_a_familiar_hurts_its_owner_and_takes_its_help() -> None:
    owner = wizard("summon-familiar", luck=12, max_luck=12)
    after = make(scene(owner, monster("orc", at=(9, 9))), use("summon-familiar", sort="snake"), power=1).scene
    familiar = the(after, Creature.FAMILIAR)
    desk = desk_of(after)
    desk.hit(familiar.id, "orc-1", 1, Action.BATTLE, "a blow")
    assert (desk.being(familiar.id).luck, desk.being("wizard").luck) == (2, 3)
    desk.hit(familiar.id, "orc-1", 5, Action.BATTLE, "a blow")
    owner = desk.being("wizard")
    assert desk.scene.being(familiar.id) is None
    assert (owner.luck, owner.max_luck, owner.bonuses) == (1, 12, hero("wizard").bonuses)


@pytest.mark.parametrize("kind", ["feydragon", "imp", "salamander", "raven"])
def test_a_greater_familiar_lends_a_spell_while_it_is_there(kind: str) -> None:
    now = scene(wizard("summon-greater-familiar"))
    after = make(now, use("summon-greater-familiar", sort=kind), power=1).scene
    familiar, owner = the(after, Creature.FAMILIAR), somebody(after, "wizard")
    assert (owner.luck, owner.max_luck, familiar.luck) == (2, 12, 6)
    assert dice(after, "wizard", Action.MAGIC) == dice(now, "wizard", Action.MAGIC) + 2
    (lent,) = familiar.lends
    assert lent in CATALOG.powers and lent in owner.powers
    desk = desk_of(after)
    desk.vanish(familiar.id)
    assert lent not in desk.being("wizard").powers and desk.being("wizard").max_luck == 14


# Pets


def test_mallion_and_the_wolf() -> None:
    """The book's example: no success on the first try, two on the second, which needs two."""
    now = scene(hero("elf", id="mallion"), monster("orc", at=(9, 9)), monster("wolf"))
    first = make(now, use("tame-animal", "wolf-1", actor="mallion"), power=0).scene
    assert somebody(first, "wolf-1").side is Side.FOES
    second = make(turn_of(first, "mallion"), use("tame-animal", "wolf-1", actor="mallion"), power=2).scene
    wolf = somebody(second, "wolf-1")
    assert (wolf.side, wolf.creature, wolf.leader) == (Side.HEROES, Creature.PET, "mallion")
    assert second.turn.order == ("mallion", "wolf-1", "orc-1") and second.turn.whose == "mallion"
    assert (somebody(second, "mallion").luck or 0) == (somebody(now, "mallion").luck or 0) - 2
    assert not second.effects_on("mallion", EffectKind.TRIED)


def test_the_second_try_needs_two_and_another_animal_one() -> None:
    now = scene(hero("elf"), monster("wolf"), monster("wolf", at=(0, 1), id="wolf-2"))
    first = make(now, use("tame-animal", "wolf-1", actor="elf"), power=0).scene
    second = make(turn_of(first, "elf"), use("tame-animal", "wolf-1", actor="elf"), power=1).scene
    assert somebody(second, "wolf-1").creature is Creature.PERSON
    third = make(turn_of(second, "elf"), use("tame-animal", "wolf-2", actor="elf"), power=1).scene
    assert somebody(third, "wolf-2").creature is Creature.PET
    assert refused(turn_of(third, "elf"), use("tame-animal", "wolf-1", actor="elf")) == ("limit_in_play",)


def test_only_animals_without_words_are_tamed() -> None:
    now = scene(
        hero("elf"),
        monster("orc"),
        monster("wolf", at=(0, 1), ratings=replace(monster("wolf").ratings, talk=1)),
        monster("wolf", at=(1, 1), id="wolf-2", leader="orc-1", creature=Creature.PET),
        monster("wolf", at=(2, 2), id="hidden-1", hidden=3),
    )
    for target, code in (
        ("orc-1", "target_not_animal"),
        ("wolf-1", "target_not_animal"),
        ("wolf-2", "target_not_animal"),
        ("hidden-1", "unknown_target"),
        ("elf", "target_is_self"),
    ):
        assert refused(now, use("tame-animal", target, actor="elf")) == (code,)


# Tricks


def test_a_disguise_is_seen_through_by_as_many_and_a_voice_and_a_phantom_by_more() -> None:
    user = with_powers(wizard("phantom"), "disguise")
    now = scene(user, monster("orc", at=(9, 5)))
    disguised = make(now, use("disguise", words="a goblin"), power=2).scene
    shown = make(now, use("phantom", sort="wolf", squares=(Square(7, 5),)), power=2).scene
    rogue = scene(hero("rogue"), monster("orc", at=(4, 0)))
    spoken = make(rogue, use("voice-trick", actor="rogue", words="the captain"), power=2).scene
    phantom = the(shown, Creature.PHANTOM)
    for after, on, enough in ((disguised, "wizard", 2), (spoken, "rogue", 3), (shown, phantom.id, 3)):
        (effect,) = tricks(after, on)
        desk = desk_of(after)
        assert not see_through(desk, "orc-1", effect.id, enough - 1)
        assert believed(desk.scene, "orc-1", effect)
        assert see_through(desk, "orc-1", effect.id, enough)
        assert not believed(desk.scene, "orc-1", effect)
        count = len(desk.events)
        assert see_through(desk, "orc-1", effect.id, enough) and len(desk.events) == count
        outsider = Viewer(actors=frozenset({"dwarf"}))
        seen = [event for event in desk.events if isinstance(event, Happened)]
        assert [event.code for event in seen] == ["seen_through"]
        assert not outsider.may_know(seen[0].audience)


def test_a_look_at_somebody_sees_through_their_disguise_in_secret() -> None:
    now = scene(wizard(), monster("goblin", at=(8, 5)), monster("orc", at=(9, 5)))
    after = make(now, use("disguise", words="a troll"), power=1).scene
    (effect,) = tricks(after, "wizard")
    looked = make(after, LookOut(actor=GM, being="orc-1", what="wizard"), notice=1)
    assert not believed(looked.scene, "orc-1", effect) and believed(looked.scene, "goblin-1", effect)
    assert told_to(looked, Viewer(actors=frozenset({"wizard"}))) == ()
    own = turn_of(after, "orc-1")
    tried = make(own, Try(actor="orc-1", action=Action.NOTICE, targets=("wizard",)), **{"try": 1})
    assert not believed(tried.scene, "orc-1", effect)


def test_what_is_no_trick_cannot_be_seen_through() -> None:
    now = scene(wizard("tongues"), monster("orc", at=(9, 5)))
    after = make(now, use("tongues"), power=1).scene
    (effect,) = after.effects
    assert not see_through(desk_of(after), "orc-1", effect.id, 9)
    assert not see_through(desk_of(after), "orc-1", "nothing", 9)


def test_a_foes_disguise_is_not_told_to_the_players() -> None:
    foe = replace(wizard(), id="sorcerer", hero=False, side=Side.FOES)
    now = turn_of(scene(hero("elf"), foe), "sorcerer")
    desk = make(now, use("disguise", actor="sorcerer", words="a beggar"), power=3)
    player = Viewer(actors=frozenset({"elf"}))
    assert not any("beggar" in text for text in told_to(desk, player))
    assert view(desk.scene, player).effects == () and len(desk.scene.effects) == 1


def test_a_new_disguise_takes_the_place_of_the_old_one() -> None:
    once = make(scene(wizard()), use("disguise", words="a dwarf"), power=3).scene
    twice = make(turn_of(once, "wizard"), use("disguise", words="an elf"), power=1).scene
    assert [effect.amount for effect in twice.effects_on("wizard", EffectKind.DISGUISED)] == [1]


def test_giants_are_no_models() -> None:
    now = scene(wizard("phantom"), monster("hill-giant", at=(9, 5)), monster("orc", at=(9, 7)))
    assert refused(now, use("phantom", "hill-giant-1")) == ("target_too_big",)
    assert refused(now, use("phantom", sort="hill-giant")) == ("target_too_big",)
    assert refused(now, use("phantom", sort="teapot")) == ("kind_unknown",)
    assert refused(now, use("disguise", "hill-giant-1")) == ("target_too_big",)
    assert the(make(now, use("phantom", "orc-1"), power=1).scene, Creature.PHANTOM).name == "Orc"


def test_any_attack_ends_a_phantom() -> None:
    now = scene(wizard("phantom"), monster("orc", at=(8, 5)))
    after = make(now, use("phantom", squares=(Square(7, 5),)), power=5).scene
    made = the(after, Creature.PHANTOM)
    struck = make(turn_of(after, "orc-1"), Attack(actor="orc-1", action=Action.BATTLE, target=made.id)).scene
    assert struck.being(made.id) is None and not tricks(struck, made.id)


# Sending


def test_an_eye_lasts_a_turn_for_each_success_and_has_its_owners_notice() -> None:
    now = scene(wizard("eye"), monster("orc", at=(9, 9)))
    after = make(now, use("eye"), power=2).scene
    eye = the(after, Creature.EYE)
    assert (eye.ratings.sneak, eye.height, eye.move) == (3, 1, 5)
    assert dice(after, eye.id, Action.NOTICE) == dice(after, "wizard", Action.NOTICE) == 2
    for number, left in enumerate((True, True, True, True, False)):
        after = make(after, EndTurn(actor=after.turn.whose)).scene
        assert (after.being(eye.id) is not None) is left, number
    assert after.effects == ()


def test_one_success_destroys_an_eye_and_what_it_showed() -> None:
    after = make(scene(wizard("eye")), use("eye"), power=4).scene
    desk = desk_of(after)
    desk.hit(the(after, Creature.EYE).id, "", 1, Action.SHOOT, "an arrow")
    assert len(desk.scene.beings) == 1 and desk.scene.effects == ()


def test_an_eye_starts_beside_its_owner() -> None:
    assert refused(scene(wizard("eye")), use("eye", squares=(Square(9, 5),))) == ("target_out_of_reach",)
    after = make(scene(wizard("eye")), use("eye", squares=(Square(6, 5),)), power=1).scene
    assert the(after, Creature.EYE).at == Square(6, 5)


def test_a_hippogriff_carries_two_away_and_play_goes_on_without_them() -> None:
    now = scene(
        wizard("create-hippogriff"), hero("dwarf", at=(6, 5)), hero("elf"), monster("orc", at=(15, 5))
    )
    move = use("create-hippogriff", "dwarf", sort="map", words="the castle")
    desk = make(now, move, power=4)
    assert [being.id for being in desk.scene.beings] == ["elf", "orc-1"]
    assert desk.scene.turn.order == ("elf", "orc-1") and desk.scene.turn.whose == "elf"
    assert not desk.scene.turn.acted and desk.scene.ended is None
    (told,) = (event for event in desk.events if isinstance(event, Happened) and event.power)
    assert told.successes == 3 and told.number == 75
    assert any("75 miles" in text for text in desk.told())


def test_without_successes_left_nobody_flies() -> None:
    now = scene(wizard("create-hippogriff"), hero("dwarf", at=(6, 5)))
    after = make(now, use("create-hippogriff", "dwarf", sort="never_seen"), power=2).scene
    assert len(after.beings) == 2 and after.turn.whose == "wizard"
    assert somebody(after, "wizard").luck == 4


def test_the_scene_is_over_when_all_heroes_fly_off() -> None:
    now = scene(wizard("create-hippogriff"), monster("orc", at=(15, 5)))
    after = make(now, use("create-hippogriff", sort="seen"), power=1).scene
    assert after.ended is not None and after.winners == ()


def test_who_may_ride() -> None:
    now = scene(wizard("create-hippogriff"), hero("dwarf", at=(6, 5)), hero("elf"), monster("orc", at=(5, 6)))
    for targets, code in (
        (("elf",), "target_out_of_reach"),
        (("orc-1",), "target_not_friend"),
        (("dwarf", "elf"), "too_many_targets"),
    ):
        assert refused(now, use("create-hippogriff", *targets, sort="seen")) == (code,)
    assert refused(now, use("create-hippogriff", sort="heard")) == ("kind_unknown",)


# Words


def test_a_message_is_for_one_friend_alone() -> None:
    now = scene(wizard("secret-message"), hero("elf"), hero("dwarf", at=(1, 0)), monster("orc", at=(9, 9)))
    desk = make(now, use("secret-message", "elf", words="Run left!"), power=1)
    for viewer, hears in (
        (Viewer(gm=True), True),
        (Viewer(actors=frozenset({"elf"})), True),
        (Viewer(actors=frozenset({"wizard"})), True),
        (Viewer(actors=frozenset({"dwarf"})), False),
        (Viewer(), False),
    ):
        assert any("Run left!" in text for text in told_to(desk, viewer)) is hears
        assert any("nobody overhears" in text for text in told_to(desk, viewer))
    failed = make(now, use("secret-message", "elf", words="Run left!"), power=0)
    assert not any("Run left!" in text for text in told_to(failed, Viewer(gm=True)))
    assert refused(now, use("secret-message", "orc-1", words="Hm")) == ("target_not_friend",)
    assert refused(now, use("secret-message", "wizard", words="Hm")) == ("target_not_friend",)
    assert refused(now, use("secret-message", "elf")) == ("words_missing",)
    assert refused(now, use("secret-message", "elf", words="x" * 301)) == ("words_too_long",)


def test_the_paladin_alone_learns_of_malice_and_of_the_hidden_too() -> None:
    now = scene(
        hero("paladin", at=(0, 0)),
        monster("orc", at=(0, 8), id="hidden-1", hidden=5),
        monster("goblin", at=(19, 0)),
        monster("skeleton", at=(9, 9), out=True),
        hero("elf", at=(1, 1)),
    )
    paladin, elf = Viewer(actors=frozenset({"paladin"})), Viewer(actors=frozenset({"elf"}))
    for successes in range(5):
        desk = make(now, use("sense-malice", actor="paladin"), power=successes)
        learnt = set(told_to(desk, paladin)) - set(told_to(desk, elf))
        assert len(learnt) == successes
    assert learnt == {
        "There is an enemy near.",
        "Where: south, east.",
        "How far: 8 paces (south), 19 paces (east).",
        "How many: 2 enemies.",
    }


def test_malice_reaches_twenty_paces_and_spares_friends() -> None:
    far = replace(scene(hero("paladin"), hero("elf", at=(1, 0), tags=("malicious",))))
    desk = make(far, use("sense-malice", actor="paladin"), power=4)
    assert "There is no enemy near." in told_to(desk, Viewer(actors=frozenset({"paladin"})))


@pytest.mark.parametrize(
    ("goal", "word"),
    [((5, 0), "north"), ((9, 1), "north-east"), ((9, 5), "east"), ((1, 4), "west"), ((2, 9), "south-west")],
)
def test_directions_are_those_of_the_compass(goal: tuple[int, int], word: str) -> None:
    assert direction(Square(5, 5), Square(*goal)) == word


def test_duress_takes_more_successes_and_somebody_who_talks() -> None:
    paladin = with_powers(hero("paladin"), "duress")
    now = scene(paladin, monster("orc"), monster("wolf", at=(0, 1)))
    tie = make(now, use("duress", "orc-1", actor="paladin", words="Who sent you?"), power=1, against=1).scene
    assert not tie.has("orc-1", EffectKind.NOTE)
    won = make(now, use("duress", "orc-1", actor="paladin", words="Who sent you?"), power=2, against=1).scene
    (owed,) = won.effects_on("orc-1", EffectKind.NOTE)
    assert "Who sent you?" in owed.words and owed.source == "paladin"
    assert somebody(won, "paladin").luck == (paladin.luck or 0) - 5
    assert refused(now, use("duress", "wolf-1", actor="paladin")) == ("needs_talk",)


def test_a_lie_is_believed_for_the_scene_unless_resisted() -> None:
    now = scene(wizard("deceive"), monster("orc", at=(8, 5)), monster("wolf", at=(8, 6)))
    resisted = make(now, use("deceive", "orc-1", words="I am your aunt."), power=2, against=2).scene
    assert resisted.effects == ()
    fooled = make(now, use("deceive", "orc-1", words="I am your aunt."), power=2, against=1).scene
    (belief,) = fooled.effects_on("orc-1", EffectKind.NOTE)
    assert "aunt" in belief.words and belief.strength == 6
    assert refused(now, use("deceive", "wolf-1")) == ("needs_talk",)


def test_tongues_last_for_the_scene_when_the_roll_succeeds() -> None:
    now = scene(wizard(), monster("orc", at=(8, 5)))
    assert not make(now, use("tongues"), power=0).scene.has("wizard", EffectKind.TONGUES)
    after = make(now, use("tongues"), power=1)
    assert after.scene.has("wizard", EffectKind.TONGUES)
    assert "speaks every language" in " ".join(told_to(after, Viewer()))


# Lore


def test_one_try_at_a_treasure() -> None:
    cup = Thing(id="cup", name="cup", value=30, appraise=2, at=Square(2, 0))
    now = scene(hero("rogue"), hero("dwarf", at=(5, 5)), things=(cup, replace(cup, id="vase", hidden=1)))
    failed = make(now, use("appraise", "cup", actor="rogue"), power=1)
    assert not any("30" in text for text in told_to(failed, Viewer(gm=True)))
    assert refused(turn_of(failed.scene, "rogue"), use("appraise", "cup", actor="rogue")) == (
        "already_tried",
    )
    known = make(now, use("appraise", "cup", actor="rogue"), power=2)
    assert "Cup is worth 30 gold." in told_to(known, Viewer())
    assert refused(now, use("appraise", "vase", actor="rogue")) == ("unknown_target",)


def test_a_treasure_of_the_list_is_worth_what_the_list_says() -> None:
    robe = CATALOG.treasures["dungeonteller:treasure/robe-of-stars"]
    thing = Thing(id="robe", name=robe.name, item=robe.id, at=Square(2, 0))
    now = scene(hero("rogue"), things=(thing,))
    for successes, words in ((2, "worth 60 gold"), (1, "cannot tell")):
        looked = make(now, use("appraise", "robe", actor="rogue"), power=successes)
        assert any(words in text for text in told_to(looked, Viewer()))


@pytest.mark.parametrize(("name", "luck"), [("Wooden Door", 3), ("Portcullis", 6), ("Dagger", 1)])
def test_corrosion_takes_as_many_successes_as_the_thing_has_luck(name: str, luck: int) -> None:
    thing = Thing(id="it", name=name, luck=None if luck < 6 else luck, at=Square(7, 5), solid=True)
    now = scene(wizard("corrosion"), things=(thing,))
    assert make(now, use("corrosion", "it"), power=luck).scene.things == ()
    kept = make(now, use("corrosion", "it"), power=luck - 1).scene
    assert kept.things == (thing,) and somebody(kept, "wizard").luck == 8


def test_magic_things_do_not_corrode_and_stone_cannot() -> None:
    ring = Thing(id="ring", name="ring", luck=1, magical=True, at=Square(7, 5))
    rock = Thing(id="rock", name="rock", luck=1, tags=("stone",), at=Square(7, 6))
    now = scene(wizard("corrosion"), things=(ring, rock))
    after = make(now, use("corrosion", "ring"), power=6).scene
    assert ring in after.things and somebody(after, "wizard").luck == 8
    assert refused(now, use("corrosion", "rock")) == ("target_indestructible",)


def test_weapon_armor_and_shield_of_a_foe_fall_to_pieces() -> None:
    sword, shield = "dungeonteller:weapon/longsword", "dungeonteller:weapon/shield"
    arms = tuple(
        Arm(id=one, name=name, dice=dice, hands=1, use=(Action.BATTLE,), held=True)
        for one, name, dice in ((sword, "Longsword", 3), (shield, "Shield", 1))
    )
    foe = monster("town-guard", at=(8, 5), id="guard", arms=arms, shield=True, armor=3)
    now = scene(wizard("corrosion"), foe, monster("wolf", at=(8, 6)))
    assert [
        arm.id for arm in somebody(make(now, use("corrosion", "guard"), power=3).scene, "guard").arms
    ] == [shield]
    assert len(somebody(make(now, use("corrosion", "guard", sword), power=2).scene, "guard").arms) == 2
    bare = somebody(make(now, use("corrosion", "guard", "armor"), power=3).scene, "guard")
    assert (bare.armor, bare.worn) == (1, "")
    unshielded = somebody(make(now, use("corrosion", "guard", shield), power=1).scene, "guard")
    assert (unshielded.armor, unshielded.shield) == (2, False)
    assert refused(now, use("corrosion", "wolf-1", "armor")) == ("target_has_no_armor",)
    assert refused(now, use("corrosion", "wolf-1")) == ("unknown_target",)


def test_heroes_wear_what_their_card_says() -> None:
    assert hero("warrior").worn == "dungeonteller:armor/light-plate"
    assert hero("wizard").worn == ""


def test_undo_ends_a_spell_with_its_casters_magic() -> None:
    now = scene(wizard("undo-magic"), hero("elf", at=(6, 5)), monster("basilisk", at=(12, 5)))
    desk = desk_of(now)
    stone = desk.put(
        Effect(
            id="",
            kind=EffectKind.PETRIFIED,
            bearer="elf",
            source="basilisk-1",
            cause=power("turn-to-stone"),
            amount=5,
            strength=4,
        )
    )
    for target in (stone.id, "elf"):
        kept = make(desk.scene, use("undo-magic", target), power=3).scene
        assert kept.has("elf", EffectKind.PETRIFIED) and somebody(kept, "wizard").luck == 9
        freed = make(desk.scene, use("undo-magic", target), power=4).scene
        assert not freed.has("elf", EffectKind.PETRIFIED)
    assert refused(now, use("undo-magic", "elf")) == ("no_spell_there",)
    assert refused(now, use("undo-magic")) == ("needs_one_target",)


def test_undo_ends_each_spell_by_its_own_caster() -> None:
    desk = desk_of(scene(wizard("undo-magic"), hero("elf", at=(6, 5))))
    desk.put(
        Effect(
            id="", kind=EffectKind.AFRAID, bearer="elf", source="a", cause=power("fear"), amount=0, strength=3
        )
    )
    desk.put(
        Effect(
            id="",
            kind=EffectKind.ASLEEP,
            bearer="elf",
            source="b",
            cause=power("trance"),
            amount=0,
            strength=5,
        )
    )
    desk.put(
        Effect(
            id="", kind=EffectKind.POISONED, bearer="elf", source="c", cause=power("call-vermin"), amount=2
        )
    )
    after = make(desk.scene, use("undo-magic", "elf"), power=4).scene
    assert {effect.kind for effect in after.effects_on("elf")} == {EffectKind.ASLEEP, EffectKind.POISONED}


def test_undo_reaches_places_and_what_magic_made() -> None:
    caster = replace(with_powers(wizard("eye", "phantom", "undo-magic"), "ice-sheet"), luck=20, max_luck=20)
    now = scene(caster, monster("orc", at=(12, 5)))
    square = Square(8, 5)
    iced = make(now, use("ice-sheet", squares=(square,)), power=1).scene
    melted = make(turn_of(iced, "wizard"), use("undo-magic", squares=(square,)), power=6).scene
    assert iced.areas and not melted.areas
    for slug, creature in (("eye", Creature.EYE), ("phantom", Creature.PHANTOM)):
        sent = make(now, use(slug), power=1).scene
        made = the(sent, creature)
        for target in (made.id, sent.effects[0].id):
            gone = make(turn_of(sent, "wizard"), use("undo-magic", target), power=6).scene
            assert gone.being(made.id) is None and gone.effects == ()
    assert refused(now, use("undo-magic", squares=(Square(3, 3),))) == ("no_spell_there",)


def test_a_magic_thing_sleeps_for_one_turn() -> None:
    wand = Thing(id="wand", name="wand", magical=True, holder="elf", tags=("magic:4",))
    plain_cup = Thing(id="cup", name="cup", at=Square(5, 6))
    now = scene(wizard("undo-magic"), hero("elf", at=(6, 5)), things=(wand, plain_cup))
    assert not make(now, use("undo-magic", "wand"), power=3).scene.effects
    after = make(now, use("undo-magic", "wand"), power=4).scene
    assert [effect.about for effect in after.effects_on("elf", EffectKind.SUPPRESSED)] == ["wand"]
    for left in (True, True, False):
        after = make(after, EndTurn(actor=after.turn.whose)).scene
        assert after.has("elf", EffectKind.SUPPRESSED) is left
    assert refused(now, use("undo-magic", "cup")) == ("no_spell_there",)


def test_a_familiar_whose_magic_sleeps_does_not_help() -> None:
    owner = wizard("summon-familiar", "undo-magic", luck=20, max_luck=20)
    after = make(scene(owner), use("summon-familiar", sort="snake"), power=1).scene
    familiar = the(after, Creature.FAMILIAR)
    asleep = make(turn_of(after, "wizard"), use("undo-magic", familiar.id), power=6).scene
    assert (dice(after, "wizard", Action.RESIST), dice(asleep, "wizard", Action.RESIST)) == (4, 3)
    assert asleep.being(familiar.id) is not None


# Cases


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"power": "Tame Animal", "luck": 10, "target_talk": 1},
            {"error": "target_not_animal"},
        ),
        ({"power": "Tame Animal", "luck": 10, "pets_in_play": 1}, {"error": "limit_in_play"}),
        ({"power": "Duress", "luck": 10, "dice": [5], "opposing_dice": [6]}, {"works": False, "luck": 5}),
        ({"power": "Duress", "luck": 10, "dice": [5, 5], "opposing_dice": [6]}, {"works": True, "luck": 5}),
        ({"power": "Appraise", "luck": 10, "dice": [5, 1, 1]}, {"works": True, "luck": 10}),
        (
            {"power": "Voice Trick", "luck": 9, "dice": [5], "opposing_dice": [5, 6]},
            {"fooled": False, "luck": 7},
        ),
        (
            {"power": "Phantom", "luck": 10, "target_size": "giant"},
            {"error": "target_too_big"},
        ),
        ({"power": "Phantom", "luck": 10, "dice": [5], "attacked": True}, {"believed": False, "luck": 7}),
        (
            {"power": "Tongues", "luck": 9, "dice": [6], "creature_talk": 0},
            {"understands": False},
        ),
        (
            {"power": "Tongues", "luck": 9, "dice": [1], "creature_talk": 1},
            {"understands": False},
        ),
        ({"power": "Corrosion", "luck": 10, "object": "Dagger", "dice": [5]}, {"destroyed": True, "luck": 4}),
        ({"power": "Eye", "luck": 10, "dice": [5, 6, 1]}, {"turns": 2, "sneak": 3, "luck": 8}),
        ({"power": "Eye", "luck": 10, "dice": [5], "hits": 1}, {"exists": False}),
        ({"power": "Create Hippogriff", "luck": 9}, {"error": "not_enough_luck"}),
        ({"power": "Undo Magic", "luck": 5, "caster_magic": 1, "dice": [6]}, {"works": True, "luck": 0}),
        ({"power": "Secret Message", "luck": 1, "dice": [6]}, {"works": True, "luck": 0}),
        (
            {"power": "Summon Orc", "luck": 7, "max": 10},
            {"error": "not_enough_luck", "luck": 7, "max": 10},
        ),
        ({"power": "Raise Skeleton", "luck": 10, "max": 10, "count": 2}, {"luck": 2, "max": 8}),
        (
            {"power": "Raise Zombie", "luck": 10, "malicious": False},
            {"error": "not_malicious"},
        ),
        (
            {"power": "Summon Familiar", "kind": "owl", "luck": 10, "max": 10, "dice": [1, 2, 3]},
            {"luck": 2, "max": 10, "magic": 6, "Talk": 3, "exists": False},
        ),
        (
            {"power": "Summon Greater Familiar", "kind": "imp", "luck": 13, "max": 13, "dice": [6]},
            {"luck": 1, "max": 11, "magic": 8, "Talk": 5, "bonus_spell": "deceive"},
        ),
        (
            {"power": "Summon Familiar", "kind": "cat", "luck": 10, "familiars_in_play": 1},
            {"error": "limit_in_play"},
        ),
    ],
)
def test_cases_are_answered_by_playing(given: dict[str, object], expected: dict[str, object]) -> None:
    slug = str(given["power"]).lower().replace(" ", "-")
    answer = powers_talk.ANSWERS[slug](given)
    assert {key: answer[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("event", "viewer", "visible"),
    [
        ("secret_message", "other_player", False),
        ("secret_message", "caster", True),
        ("secret_message", "gm", True),
        ("sense_malice", "other_player", False),
        ("sense_malice", "paladin", True),
        ("sentinel_rune", "maker", True),
        ("sentinel_rune", "foe", False),
        ("trap_rune", "other_player", False),
        ("hidden_foe", "player", False),
        ("hidden_foe", "gm", True),
    ],
)
def test_who_may_know(event: str, viewer: str, visible: bool) -> None:
    assert powers_talk.hidden({"event": event, "viewer": viewer}) == {"visible": visible}
