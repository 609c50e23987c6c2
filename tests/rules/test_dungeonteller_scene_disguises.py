"""DungeonTeller's scenes: whom a disguise can look like (Wizard / Disguise)."""

from __future__ import annotations

import pytest

from services.rules.engine.steps import refusal
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.moves import UsePower
from services.rules.systems.dungeonteller.play.state import EffectKind, Scene
from tests.rules.dungeonteller_play import (
    GM,
    PLAY,
    begun,
    being,
    changed,
    creature,
    every_way,
    eyes,
    offer,
    play,
    refused,
    turn_of,
)
from tests.rules.dungeonteller_scenes import power

HUMAN = ("goblin", "orc", "town-guard", "swamp-witch", "ogre", "zombie")
OTHER = ("wolf", "green-slime", "griffin", "chest-biter", "walking-armor", "fire-sprite", "grumpy-tree")


def as_(*targets: str, words: str = "") -> UsePower:
    return UsePower(actor="wizard", power=power("disguise"), targets=targets, words=words)


def meeting(slug: str) -> Scene:
    return begun({"wizard": "wizard", "dwarf": "dwarf"}, creature(slug, (8, 5)))


@pytest.mark.parametrize("slug", HUMAN)
def test_whoever_has_human_shape_is_a_model(slug: str) -> None:
    now = meeting(slug)
    made = play(now, as_(f"{slug}-1"), power=2).scene
    [effect] = made.effects_on("wizard", EffectKind.DISGUISED)
    assert effect.words == being(now, f"{slug}-1").name


@pytest.mark.parametrize("slug", OTHER)
def test_beasts_slimes_and_things_are_none(slug: str) -> None:
    assert refused(meeting(slug), as_(f"{slug}-1")) == ("target_not_humanlike",)


def test_heroes_of_every_role_are_models() -> None:
    now = begun({"wizard": "wizard", "rowan": "forest-knight", "elf": "elf"})
    for hero in ("rowan", "elf", "wizard"):
        assert play(now, as_(hero), power=1).scene.has("wizard", EffectKind.DISGUISED)


def test_human_shape_is_not_enough_where_it_is_a_giants() -> None:
    assert refused(meeting("hill-giant"), as_("hill-giant-1")) == ("target_too_big",)
    shrunk = changed(meeting("hill-giant"), "hill-giant-1", size=Size.HUMAN)
    assert play(shrunk, as_("hill-giant-1"), power=1).scene.has("wizard", EffectKind.DISGUISED)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("a wolf", "target_not_humanlike"),
        ("The Green Slime", "target_not_humanlike"),
        ("Griffin", "target_not_humanlike"),
        ("a hill giant", "target_too_big"),
    ],
)
def test_words_that_name_a_creature_mean_it(words: str, code: str) -> None:
    now = meeting("goblin")
    assert refused(now, as_(words=words)) == (code,)
    made = play(now, as_(words=f"a friend of {words}"), power=1)
    assert made.scene.has("wizard", EffectKind.DISGUISED)


@pytest.mark.parametrize("words", ["a goblin", "the cook", "an old dwarf", ""])
def test_people_in_words_are_models(words: str) -> None:
    assert play(meeting("wolf"), as_(words=words), power=1).scene.has("wizard", EffectKind.DISGUISED)


def test_what_is_offered_is_not_refused() -> None:
    shown = offer(meeting("wolf"), "wizard", "power:disguise")
    assert shown is not None
    for move in every_way(shown):
        assert refusal(PLAY, meeting("wolf"), move) is None


def test_a_picture_of_a_goblin_is_as_good_a_model_as_a_goblin() -> None:
    now = changed(meeting("goblin"), "wizard", powers=(power("phantom"), power("disguise")))
    cast = UsePower(actor="wizard", power=power("phantom"), sort="goblin")
    pictured = play(now, cast, power=2).scene
    [picture] = [one for one in pictured.beings if one.leader == "wizard"]
    assert play(turn_of(pictured, "wizard"), as_(picture.id), power=1).scene.has(
        "wizard", EffectKind.DISGUISED
    )


def test_who_does_not_know_of_the_model_is_not_told_of_it() -> None:
    now = changed(meeting("goblin"), "goblin-1", name="Snag", hidden=2, found_by=("wizard",))
    made = play(now, as_("goblin-1"), power=2)
    assert "Feeney looks like Snag now. It takes Notice 2 to see through it." in made.told(eyes("wizard"))
    assert "Feeney looks like Snag now. It takes Notice 2 to see through it." in made.told(GM)
    for viewer in (eyes("dwarf"), eyes()):
        assert "Snag" not in " ".join(made.told(viewer))
        assert "Snag" not in repr(PLAY.view(made.scene, viewer))


def test_a_scene_of_earlier_days_knows_its_creatures_shapes() -> None:
    now = meeting("goblin")
    earlier = changed(
        now, "goblin-1", tags=tuple(tag for tag in being(now, "goblin-1").tags if tag != "humanlike")
    )
    assert play(earlier, as_("goblin-1"), power=1).scene.has("wizard", EffectKind.DISGUISED)
