"""DungeonTeller's offers and their chances: nothing that a player may not know of shows in any of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience, Disposition, LegalMove, Viewer
from services.rules.engine.position import Position
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.legal.chances import more_than
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Duration,
    Effect,
    EffectKind,
    Job,
    Scene,
    Side,
    Thing,
    Until,
)
from services.rules.systems.dungeonteller.powers import Light
from tests.rules.dungeonteller_scenes import PLAY, hero, monster, power, scene, with_powers

HEROES = ("warrior", "rogue", "elf", "paladin", "wizard")
SQUARES = st.builds(Square, st.integers(0, 7), st.integers(0, 5))
KINDS = [value for name, value in vars(EffectKind).items() if name.isupper()]
ZONES = [value for name, value in vars(AreaKind).items() if name.isupper()]
CAUSES = {EffectKind.INVISIBLE: "invisibility", AreaKind.CHILL: "chilling-mist"}
CAUSES |= {AreaKind.GUARD_CIRCLE: "guard-circle"}


def chances(offers: tuple[LegalMove, ...]) -> dict[tuple[str, str], Fraction]:
    """Every chance that stands in some offers, by the offer and the chance."""
    return {(offer.id, each.id): each.chance for offer in offers for each in offer.chances}


@cache
def open_scene(name: str) -> Scene:
    """A hero next to an orc, with a friend, a goblin further off, a bystander, a job and a gem."""
    actor = with_powers(hero(name, (2, 2)), "pin", "sweep", "trance", "knockout")
    others = (
        hero("dwarf", (4, 4)),
        monster("orc", (3, 2)),
        monster("goblin", (6, 3)),
        monster("bandit", (1, 2), side=Side.BYSTANDERS),
    )
    job = Job(id="gate", name="the gate", action=Action.MAKE, needed=4, shown=False)
    gem = Thing(id="gem", name="a gem", at=Square(2, 3), value=40, appraise=2, luck=3)
    return scene(actor, *others, jobs=(job,), things=(gem,))


@cache
def open_offers(name: str) -> tuple[LegalMove, ...]:
    """What a hero's player is offered in that scene."""
    offers = Position(PLAY, open_scene(name)).legal(name, Viewer(actors=frozenset({name})))
    assert chances(offers)
    return offers


def cause_of(kind: str) -> str:
    return power(CAUSES[kind]) if kind in CAUSES else ""


def unseen(bearer: str, audience: Audience) -> Effect:
    return Effect(
        id="effect-1",
        kind=EffectKind.INVISIBLE,
        bearer=bearer,
        cause=cause_of(EffectKind.INVISIBLE),
        lasts=Duration(Until.KEPT),
        audience=audience,
    )


@st.composite
def hidden_beings(draw: st.DrawFn, number: int) -> Being:
    """A being that no hero has found: it stands anywhere, on any side but theirs."""
    at = draw(SQUARES)
    return monster(
        draw(st.sampled_from(["goblin", "orc", "skeleton"])),
        (at.x, at.y),
        id=f"lurker-{number}",
        hidden=draw(st.integers(0, 4)),
        side=draw(st.sampled_from([Side.FOES, Side.BYSTANDERS])),
        size=draw(st.sampled_from(list(Size))),
    )


@st.composite
def secret_effects(draw: st.DrawFn, beings: tuple[str, ...], number: int) -> Effect:
    """A condition that only the game master knows of, or the friend's player, on anybody, of any source."""
    kind = draw(st.sampled_from(KINDS))
    return Effect(
        id=f"effect-s{number}",
        kind=kind,
        bearer=draw(st.sampled_from(beings)),
        source=draw(st.sampled_from(("", *beings))),
        cause=cause_of(kind),
        amount=draw(st.integers(0, 5)),
        lasts=Duration(Until.KEPT),
        audience=draw(st.sampled_from([GM_ONLY, Audience(everyone=False, actors=("dwarf",))])),
    )


@st.composite
def secret_areas(draw: st.DrawFn, number: int) -> Area:
    kind = draw(st.sampled_from(ZONES))
    return Area(
        id=f"area-s{number}",
        kind=kind,
        squares=tuple(draw(st.lists(SQUARES, min_size=1, max_size=12, unique=True))),
        cause=cause_of(kind),
        amount=draw(st.integers(1, 4)),
        luck=draw(st.sampled_from([None, 2])),
        light=draw(st.sampled_from([None, *Light])),
        radius=draw(st.integers(0, 5)),
        audience=GM_ONLY,
    )


@st.composite
def with_secrets(draw: st.DrawFn, plain: Scene) -> Scene:
    """The same scene with hidden beings, conditions, areas, things and jobs, and other secret figures."""
    lurking = tuple(draw(hidden_beings(number)) for number in range(draw(st.integers(0, 3))))
    beings = (*plain.beings, *lurking)
    ids = tuple(being.id for being in beings)
    effects = tuple(draw(secret_effects(ids, number)) for number in range(draw(st.integers(0, 4))))
    areas = tuple(draw(secret_areas(number)) for number in range(draw(st.integers(0, 3))))
    [job], [gem] = plain.jobs, plain.things
    job = replace(job, needed=draw(st.integers(1, 9)))
    gem = replace(gem, value=draw(st.integers(0, 99)), appraise=draw(st.integers(1, 5)))
    buried = Thing(id="chest", name="a chest", at=draw(SQUARES), luck=2, solid=draw(st.booleans()), hidden=3)
    trap = Job(id="trap", name="a trap", action=Action.MAKE, needed=2, audience=GM_ONLY)
    return replace(
        plain,
        beings=beings,
        field=replace(plain.field, notes="a trap"),
        effects=effects,
        areas=areas,
        jobs=(job, trap),
        things=(gem, buried),
        counter=draw(st.integers(0, 9)),
        secrets=draw(st.integers(0, 9)),
    )


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_no_secret_changes_a_chance_that_a_player_reads(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(HEROES))
    secret = data.draw(with_secrets(open_scene(name)))
    assert Position(PLAY, secret).legal(name, Viewer(actors=frozenset({name}))) == open_offers(name)
    assert PLAY.legal(secret, name) == PLAY.legal(open_scene(name), name)


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_who_plays_two_heroes_reads_for_each_what_that_one_knows(data: st.DataObject) -> None:
    secret = data.draw(with_secrets(open_scene("rogue")))
    found = replace(
        secret,
        beings=tuple(
            replace(being, found_by=("dwarf",)) if being.hidden is not None else being
            for being in secret.beings
        ),
    )
    both = Viewer(actors=frozenset({"rogue", "dwarf"}))
    assert Position(PLAY, found).legal("rogue", both) == open_offers("rogue")


@pytest.mark.parametrize("kind", [EffectKind.INVISIBLE, AreaKind.LOCUSTS])
def test_the_same_condition_changes_chances_once_it_is_known(kind: str) -> None:
    def told(audience: Audience) -> dict[tuple[str, str], Fraction]:
        swarm = Area(id="a", kind=kind, squares=(Square(2, 2),), audience=audience)
        at = open_scene("rogue")
        if kind == EffectKind.INVISIBLE:
            at = replace(at, effects=(unseen("orc-1", audience),))
        else:
            at = replace(at, areas=(swarm,))
        return chances(Position(PLAY, at).legal("rogue", Viewer(actors=frozenset({"rogue"}))))

    assert told(GM_ONLY) == chances(open_offers("rogue"))
    assert told(EVERYONE) != told(GM_ONLY)


def test_a_watcher_counts_for_who_has_found_it() -> None:
    plain = scene(hero("rogue", (2, 2)), monster("orc", (5, 2)))
    lurker = monster("goblin", (6, 2), id="lurker", hidden=2)
    hidden = replace(plain, beings=(*plain.beings, lurker))
    found = replace(plain, beings=(*plain.beings, replace(lurker, found_by=("rogue",))))
    assert ("try:sneak", "win:orc-1") in chances(PLAY.legal(plain, "rogue"))
    assert chances(PLAY.legal(hidden, "rogue")) == chances(PLAY.legal(plain, "rogue"))
    assert ("try:sneak", "win:lurker") in chances(PLAY.legal(found, "rogue"))


def test_the_game_master_reads_the_chances_of_foes_from_the_true_scene() -> None:
    plain = scene(monster("orc", (2, 2)), hero("rogue", (3, 2)))
    secret = unseen("rogue", GM_ONLY)
    blow = {key for key in chances(PLAY.legal(plain, "orc-1")) if key[1] == "hit:rogue"}
    assert blow
    truly = chances(PLAY.legal(replace(plain, effects=(secret,)), "orc-1"))
    assert all(truly[key] < chances(PLAY.legal(plain, "orc-1"))[key] for key in blow)


def test_chances_are_computed_when_they_are_read() -> None:
    more_than.cache_clear()
    offers = PLAY.legal(open_scene("elf"), "elf")
    assert more_than.cache_info().misses == 0
    assert chances(offers)
    assert more_than.cache_info().misses > 0


def test_foes_are_offered_before_friends_and_marked() -> None:
    at = open_scene("elf")
    at = replace(at, beings=(at.beings[0], replace(at.beings[1], at=Square(2, 1)), *at.beings[2:]))
    battle = next(offer for offer in PLAY.legal(at, "elf") if offer.id.startswith("attack:battle"))
    [field] = battle.fields
    assert [(choice.value, choice.disposition) for choice in field.choices] == [
        ("orc-1", Disposition.FOE),
        ("bandit-1", Disposition.NEUTRAL),
        ("dwarf", Disposition.FRIEND),
        ("gem", None),
    ]


def test_powers_that_help_are_offered_for_friends_before_foes() -> None:
    wizard = with_powers(hero("wizard", (2, 2), luck=20), "antidote")
    orc, elf = monster("orc", (3, 2)), hero("elf", (1, 2))
    poisoned = (
        Effect(id=f"e-{bearer}", kind=EffectKind.POISONED, bearer=bearer) for bearer in ("orc-1", "elf")
    )
    at = scene(wizard, orc, elf, effects=tuple(poisoned))
    antidote = next(offer for offer in PLAY.legal(at, "wizard") if offer.id == "power:antidote")
    [targets] = antidote.fields
    assert [choice.value for choice in targets.choices] == ["elf", "orc-1"]
