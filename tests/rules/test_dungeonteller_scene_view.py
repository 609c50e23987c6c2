"""DungeonTeller's scenes: who may know what: hidden creatures, secret rolls, notes, numbers kept back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import GM_ONLY, Audience, Viewer
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.facts import Event, Happened, Noticed, OrderJoined, Rolled
from services.rules.systems.dungeonteller.play.legal.turn import legal
from services.rules.systems.dungeonteller.play.moves import (
    AddCreature,
    Attack,
    EndTurn,
    Give,
    Go,
    LookOut,
    Move,
    Overrule,
    Take,
    Try,
    UsePower,
)
from services.rules.systems.dungeonteller.play.scene_card import card
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Effect,
    EffectKind,
    Field,
    Job,
    Reflex,
    Scene,
    Side,
    Thing,
    Turn,
)
from services.rules.systems.dungeonteller.play.view import sees, view
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    Playing,
    hero,
    make,
    monster,
    power,
    problems,
    refused,
    rolled,
    scene,
)

GM = Viewer(gm=True)
ELF = Viewer(actors=frozenset(("elf",)))
DWARF = Viewer(actors=frozenset(("dwarf",)))
WATCHER = Viewer()
PLAYERS = [pytest.param(ELF, id="elf"), pytest.param(DWARF, id="dwarf"), pytest.param(WATCHER, id="watcher")]
GOBLIN = "hidden-1"


def open_scene() -> Scene:
    """An elf, a dwarf and an orc, and nobody else."""
    return scene(hero("elf"), hero("dwarf", (0, 4)), monster("orc", (9, 9)))


def lurker(at: tuple[int, int] = (4, 0), **changes: object) -> Being:
    return monster("goblin", at, id=GOBLIN, name="Snag", hidden=2, **changes)


def lurking(at: tuple[int, int] = (4, 0), **changes: object) -> Scene:
    """The same with a goblin nobody has found."""
    now = open_scene()
    return replace(now, beings=(*now.beings, lurker(at, **changes)))


def found(now: Scene) -> Scene:
    """The elf alone has found the goblin."""
    return make(now, LookOut(actor="gm", being="elf"), notice=2).scene


def names(value: object) -> bool:
    return GOBLIN in repr(value) or "Snag" in repr(value)


def seen_by(desk: Playing, viewer: Viewer) -> list[Event]:
    return [shown for event in desk.events if (shown := sees(event, viewer)) is not None]


class TestHidden:
    @pytest.mark.parametrize("viewer", PLAYERS)
    def test_the_view_is_as_if_nobody_were_there(self, viewer: Viewer) -> None:
        assert view(lurking(), viewer) == view(open_scene(), viewer)
        assert card(view(lurking(), viewer)) == card(view(open_scene(), viewer))

    def test_the_game_master_sees_it(self) -> None:
        assert names(view(lurking(), GM))

    @pytest.mark.parametrize("viewer", PLAYERS)
    def test_what_it_has_and_does_and_made_does_not_name_it(self, viewer: Viewer) -> None:
        now = lurking()
        now = replace(
            now,
            things=(Thing(id="bag", name="bag", holder=GOBLIN),),
            effects=(
                Effect(id="e-1", kind=EffectKind.PARRY, bearer=GOBLIN),
                Effect(id="e-2", kind=EffectKind.AFRAID, bearer="elf", source=GOBLIN, about=GOBLIN),
            ),
            areas=(
                Area(id="a-1", kind=AreaKind.FIRE, squares=(Square(9, 0),), source=GOBLIN),
                Area(id="a-2", kind=AreaKind.LIGHT, squares=(Square(4, 0),), bearer=GOBLIN),
            ),
        )
        seen = view(now, viewer)
        assert not names(seen)
        assert [effect.id for effect in seen.effects] == ["e-2"]
        assert [area.id for area in seen.areas] == ["a-1"]

    def test_what_heroes_may_do_is_the_same_as_without_it(self) -> None:
        assert legal(lurking(), CATALOG, "elf") == legal(open_scene(), CATALOG, "elf")

    @pytest.mark.parametrize(
        "move",
        [
            Attack(actor="elf", action=Action.SHOOT, target=GOBLIN, arm="dungeonteller:weapon/longbow"),
            UsePower(actor="elf", power=power("trance"), targets=(GOBLIN,)),
            Try(actor="elf", action=Action.TALK, targets=(GOBLIN,)),
            Give(actor="elf", thing="dungeonteller:weapon/dagger", to=GOBLIN),
        ],
        ids=["shoot", "trance", "talk", "give"],
    )
    def test_aiming_at_it_is_aiming_at_nobody(self, move: Move) -> None:
        assert problems(lurking(), move) == problems(open_scene(), move)
        assert refused(lurking(), move) == ("unknown_target",)

    def test_it_has_no_turn_until_somebody_knows_of_it(self) -> None:
        came = make(open_scene(), AddCreature(actor="gm", monster="dungeonteller:monster/goblin", hidden=2))
        secret = came.scene.beings[-1].id
        assert secret not in came.scene.turn.order
        known = make(came.scene, LookOut(actor="gm", being="elf"), notice=2).scene
        assert known.turn.order[-1] == secret

    @pytest.mark.parametrize("viewer", PLAYERS)
    def test_secret_rolls_and_comings_are_nobodys(self, viewer: Viewer) -> None:
        for desk in (
            make(lurking(), LookOut(actor="gm", being="dwarf"), notice=1),
            make(open_scene(), AddCreature(actor="gm", monster="dungeonteller:monster/goblin", hidden=2)),
            make(lurking(), Overrule(actor="gm", being=GOBLIN, luck=1, at=Square(6, 6))),
        ):
            assert seen_by(desk, viewer) == []

    def test_ice_under_it_rolls_a_save_that_nobody_sees(self) -> None:
        wizard = hero("wizard", (0, 8))
        now = lurking(reflex=Reflex.NEVER)
        now = replace(now, beings=(wizard, *now.beings), turn=Turn(order=("wizard", *now.turn.order)))
        move = UsePower(actor="wizard", power=power("ice-sheet"), squares=(Square(4, 0), Square(5, 0)))
        laid = rolled(now, move, {"power": 2})
        secret = [roll for roll in laid.events if isinstance(roll, Rolled) and roll.being == GOBLIN]
        assert [roll.audience.everyone for roll in secret] == [False]
        assert not names(seen_by(laid, ELF))


class TestFound:
    def test_only_whoever_found_it_sees_it(self) -> None:
        now = found(lurking())
        assert [names(view(now, viewer)) for viewer in (GM, ELF, DWARF, WATCHER)] == [
            True,
            True,
            False,
            False,
        ]
        assert names(legal(replace(now, turn=replace(now.turn, place=0)), CATALOG, "elf"))
        dwarfs = replace(now, turn=replace(now.turn, place=1))
        assert not names(legal(dwarfs, CATALOG, "dwarf"))

    def test_the_finding_is_told_to_the_finder_alone(self) -> None:
        desk = make(lurking(), LookOut(actor="gm", being="elf"), notice=2)
        assert [type(event) for event in seen_by(desk, ELF)] == [Noticed, OrderJoined]
        (told,) = desk.told(ELF)
        assert "notices" in told
        assert not any(isinstance(event, Rolled) for event in seen_by(desk, ELF))
        for viewer in (DWARF, WATCHER):
            assert not names(seen_by(desk, viewer))

    def test_a_second_finder_joins_the_first(self) -> None:
        both = make(found(lurking()), LookOut(actor="gm", being="dwarf"), notice=2).scene
        assert both.beings[-1].found_by == ("elf", "dwarf")
        assert names(view(both, DWARF))

    def test_nobody_reads_who_else_found_it(self) -> None:
        both = make(found(lurking()), LookOut(actor="gm", being="dwarf"), notice=2).scene
        assert view(both, ELF).beings[-1].found_by == ("elf",)

    def test_its_turn_is_its_finders_to_see_and_nobodys_for_the_rest(self) -> None:
        now = found(lurking())
        for actor in ("elf", "dwarf", "orc-1"):
            desk = make(now, EndTurn(actor=actor))
            now = desk.scene
        assert now.turn.whose == GOBLIN
        assert card(view(now, ELF)).turn == GOBLIN
        assert card(view(now, DWARF)).turn is None
        assert desk.told(DWARF) == ["Somebody moves unseen."]

    def test_it_goes_where_only_its_finders_see(self) -> None:
        now = found(lurking())
        now = replace(now, turn=replace(now.turn, place=len(now.turn.order) - 1))
        went = make(now, Go(actor=GOBLIN, to=Square(4, 3)))
        assert names(seen_by(went, ELF))
        assert not names(seen_by(went, DWARF))
        assert not names(seen_by(went, WATCHER))

    def test_once_it_strikes_everybody_sees_it(self) -> None:
        now = found(lurking((1, 0)))
        now = replace(now, turn=replace(now.turn, place=len(now.turn.order) - 1))
        struck = make(now, Attack(actor=GOBLIN, action=Action.BATTLE, target="elf"), attack=1)
        assert struck.being(GOBLIN).hidden is None
        assert all(names(view(struck.scene, viewer)) for viewer in (ELF, DWARF, WATCHER))

    def test_shown_by_the_game_master_it_is_everybodys(self) -> None:
        shown = make(lurking(), Overrule(actor="gm", being=GOBLIN, shown=True)).scene
        assert all(names(view(shown, viewer)) for viewer in (ELF, DWARF, WATCHER))


class TestHiddenHeroes:
    def test_friends_know_where_a_hero_hides_and_foes_and_watchers_do_not(self) -> None:
        now = scene(hero("rogue", hidden=3), hero("elf", (0, 3)), monster("orc", (6, 0)))
        assert [being.id for being in view(now, ELF).beings] == ["rogue", "elf", "orc-1"]
        assert [being.id for being in view(now, WATCHER).beings] == ["elf", "orc-1"]
        turned = replace(now, turn=replace(now.turn, place=2))
        aim = Attack(actor="orc-1", action=Action.SHOOT, target="rogue", arm="bow")
        assert refused(turned, aim) == ("unknown_target",)

    def test_a_traitor_among_the_creatures_is_no_friend_of_the_party(self) -> None:
        now = scene(hero("elf"), monster("bandit", (3, 0), id="hidden-2", hidden=1, side=Side.BYSTANDERS))
        assert len(view(now, ELF).beings) == 1


class TestKeptBack:
    def test_things_hide_too(self) -> None:
        gem = Thing(id="gem", name="a gem", at=Square(1, 1), hidden=1)
        now = replace(open_scene(), things=(gem,))
        assert view(now, ELF) == view(open_scene(), ELF)
        assert refused(now, Take(actor="elf", thing="gem")) == ("thing_unknown",)
        known = make(now, LookOut(actor="gm", being="elf"), notice=1).scene
        assert [thing.id for thing in view(known, ELF).things] == ["gem"]
        assert view(known, DWARF).things == ()

    @pytest.mark.parametrize("viewer", PLAYERS)
    def test_what_a_thing_is_worth_takes_an_appraisal(self, viewer: Viewer) -> None:
        cup = Thing(id="cup", name="a cup", at=Square(1, 1), value=4711, appraise=3)
        [seen] = view(replace(open_scene(), things=(cup,)), viewer).things
        assert (seen.value, seen.appraise) == (None, 1)

    @pytest.mark.parametrize("viewer", PLAYERS)
    def test_secret_jobs_and_the_notes_of_the_place_are_the_game_masters(self, viewer: Viewer) -> None:
        trap = Job(id="trap", name="the trap", action=Action.MAKE, needed=4, audience=GM_ONLY)
        noted = replace(open_scene(), jobs=(trap,), field=Field(grid=Grid(20, 12), notes="a trap"))
        assert view(noted, viewer) == view(replace(open_scene(), field=Field(grid=Grid(20, 12))), viewer)

    def test_a_rune_nobody_sees_is_its_makers_alone(self) -> None:
        now = replace(open_scene(), turn=replace(open_scene().turn, place=1))
        drawn = make(now, UsePower(actor="dwarf", power=power("sentinel-rune")), power=1)
        [rune] = drawn.scene.areas
        assert rune.audience == Audience(everyone=False, actors=("dwarf",))
        assert [len(view(drawn.scene, viewer).areas) for viewer in (GM, DWARF, ELF, WATCHER)] == [1, 1, 0, 0]
        nothing = make(now, UsePower(actor="dwarf", power=power("sentinel-rune")), power=0)
        assert seen_by(drawn, ELF) == seen_by(nothing, ELF)

    def test_numbers_of_open_things_have_no_gap_where_secrets_were_made(self) -> None:
        rune = UsePower(actor="dwarf", power=power("sentinel-rune"))
        now = replace(open_scene(), turn=replace(open_scene().turn, place=1))
        with_rune, without = (make(now, rune, power=count).scene for count in (1, 0))
        assert with_rune.secrets == without.secrets + 1
        assert with_rune.counter == without.counter

    def test_an_event_reaches_its_audience_and_the_game_master_only(self) -> None:
        whisper = Happened(code="told", words="Psst.", audience=Audience(everyone=False, actors=("elf",)))
        assert [sees(whisper, viewer) for viewer in (GM, ELF, DWARF, WATCHER)] == [
            whisper,
            whisper,
            None,
            None,
        ]

    @pytest.mark.parametrize("viewer", PLAYERS)
    def test_a_view_is_its_own_view(self, viewer: Viewer) -> None:
        now = found(lurking())
        assert view(view(now, viewer), viewer) == view(now, viewer)
        assert SYSTEM.play is not None
        assert SYSTEM.play.view(now, viewer) == view(now, viewer)
