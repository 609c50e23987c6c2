"""DungeonTeller powers that lie on the grid, shine, hide or carry their user."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.content import slug_of
from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import Viewer
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.play.conditions import areas_at, armor_against, light_at
from services.rules.systems.dungeonteller.play.facts import Happened, Rolled
from services.rules.systems.dungeonteller.play.moves import (
    Attack,
    Dismiss,
    EndTurn,
    Go,
    Move,
    Struggle,
    UsePower,
)
from services.rules.systems.dungeonteller.play.pools import reaction
from services.rules.systems.dungeonteller.play.rules.harm import touches
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Effect,
    EffectKind,
    Field,
    Scene,
)
from services.rules.systems.dungeonteller.play.view import sees, view
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.powers_places import ANSWERS, zone
from tests.conformance.dungeonteller.reading import find
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    Playing,
    first_rolls,
    hero,
    legal,
    make,
    monster,
    power,
    refused,
    rolled,
    scene,
    with_powers,
)

ORC_LUCK = monster("orc").luck or 0
SPOTS = (Square(3, 0), Square(4, 0), Square(5, 0))


def wizard(*slugs: str, at: tuple[int, int] = (0, 0)) -> Being:
    return with_powers(hero("wizard", at, id="feeney"), *slugs)


def paladin(*slugs: str, at: tuple[int, int] = (5, 5)) -> Being:
    return with_powers(hero("paladin", at, id="stalwart"), *slugs)


def cast(slug: str, *squares: Square, by: str = "feeney", sort: str = "") -> UsePower:
    return UsePower(actor=by, power=power(slug), squares=squares, sort=sort)


def being(found: Scene | Playing, being_id: str) -> Being:
    where = found.scene if isinstance(found, Playing) else found
    person = where.being(being_id)
    assert person is not None
    return person


def kinds_on(now: Scene, square: Square) -> set[str]:
    return {area.kind for area in areas_at(now, square)}


def in_turn_of(now: Scene, being_id: str) -> Scene:
    turn = replace(now.turn, place=now.turn.order.index(being_id), acted=False, paces=0, limit=None)
    return replace(now, turn=replace(turn, suffered=()))


def after_turns(now: Scene, turns: int, **faces: int) -> Scene:
    for _ in range(turns):
        now = rolled(now, EndTurn(actor=now.turn.whose), dict(faces)).scene
    return now


def texts(desk: Playing, viewer: Viewer) -> str:
    seen = (sees(event, viewer) for event in desk.events)
    return " ".join(str(event) for event in seen if event is not None)


# Ice, fire, thorns, clouds


@pytest.mark.parametrize(
    ("slug", "kind"),
    [
        ("ice-sheet", AreaKind.ICE),
        ("fire-patch", AreaKind.FIRE),
        ("briar-patch", AreaKind.BRIAR),
        ("chilling-mist", AreaKind.CHILL),
        ("poison-cloud", AreaKind.POISON),
    ],
)
def test_each_success_lays_one_square_in_the_order_of_wish(slug: str, kind: str) -> None:
    now = make(scene(wizard(slug)), cast(slug, *SPOTS), power=2).scene
    assert [kinds_on(now, square) for square in SPOTS] == [{kind}, {kind}, set()]
    assert being(now, "feeney").luck == 10 - CATALOG.powers[power(slug)].luck_cost


def test_a_failed_try_is_paid_for_and_lays_nothing() -> None:
    done = make(scene(wizard("fire-patch"), monster("orc", (3, 0))), cast("fire-patch", *SPOTS))
    assert done.scene.areas == ()
    assert being(done, "feeney").luck == 6
    assert being(done, "orc-1").luck == ORC_LUCK


def test_a_wished_square_must_be_open_in_sight_and_named_once() -> None:
    walled = Field(grid=Grid(20, 12, solid=(Square(2, 0), Square(3, 3))))
    now = scene(wizard("fire-patch"), field=walled)
    assert refused(now, cast("fire-patch", Square(3, 3))) == ("square_not_free",)
    assert refused(now, cast("fire-patch", Square(99, 0))) == ("square_not_free",)
    assert refused(now, cast("fire-patch", Square(4, 0))) == ("square_out_of_sight",)
    assert refused(now, cast("fire-patch", Square(0, 3), Square(0, 3))) == ("square_twice",)
    assert refused(now, cast("fire-patch")) == ("squares_missing",)


def test_clouds_join_and_patches_need_not() -> None:
    gap = (Square(3, 0), Square(5, 0))
    now = scene(wizard("poison-cloud", "fire-patch"))
    assert refused(now, cast("poison-cloud", *gap)) == ("shape_has_gaps",)
    assert legal(now, cast("fire-patch", *gap))
    corner = (Square(3, 0), Square(4, 1))
    assert refused(now, cast("poison-cloud", *corner)) == ("shape_has_gaps",)


def test_a_cloud_is_one_shape_whatever_the_order_of_wish() -> None:
    wish = (Square(3, 0), Square(5, 0), Square(4, 0))
    now = make(scene(wizard("poison-cloud")), cast("poison-cloud", *wish), power=2).scene
    assert kinds_on(now, Square(4, 0)) == {AreaKind.POISON}
    assert kinds_on(now, Square(5, 0)) == set()


def test_only_those_whose_square_is_laid_suffer() -> None:
    first, second = monster("orc", (3, 0)), monster("orc", (4, 0), id="orc-2")
    done = make(scene(wizard("fire-patch"), first, second), cast("fire-patch", *SPOTS), power=1)
    assert (being(done, "orc-1").luck, being(done, "orc-2").luck) == (ORC_LUCK - 3, ORC_LUCK)


@pytest.mark.parametrize(
    ("slug", "action", "loss"),
    [
        ("fire-patch", Action.STUNT, 3),
        ("chilling-mist", Action.MUSCLE, 2),
        ("poison-cloud", Action.RESIST, 2),
    ],
)
def test_each_success_of_the_right_action_saves_one_luck(slug: str, action: Action, loss: int) -> None:
    orc = monster("orc", (3, 0), luck=8, max_luck=8)
    now = scene(wizard(slug), orc)
    found = rolled(now, cast(slug, Square(3, 0)), {"power": 1}).rolls
    save = next(roll for roll in found if roll.id == "save:orc-1:0")
    assert save.dice.value == min(8, orc.ratings.of(action))
    for saved in (0, 1):
        done = rolled(now, cast(slug, Square(3, 0)), {"power": 1, "save:orc-1:0": saved})
        assert being(done, "orc-1").luck == 8 - loss + saved


def test_giants_are_spared_by_what_lies_on_the_ground() -> None:
    ogre = next(one for one in CATALOG.monsters if one.size.value == "giant")
    giant = monster(slug_of(ogre.id), (3, 0), id="giant")
    for slug in ("ice-sheet", "fire-patch", "briar-patch", "chilling-mist", "poison-cloud"):
        done = make(scene(wizard(slug), giant), cast(slug, Square(3, 0)), power=1)
        assert being(done, "giant").luck == giant.luck
        assert not done.scene.effects_on("giant")


def test_the_power_of_an_area_says_whether_giants_are_spared() -> None:
    fire = CATALOG.powers[power("fire-patch")]
    assert fire.zone is not None
    wild = replace(fire, zone=replace(fire.zone, spares_giants=False))
    fiercer = replace(CATALOG.powers, entries={**CATALOG.powers.entries, fire.id: wild})
    giant, orc = monster("hill-giant", (3, 0)), monster("orc", (3, 0))
    now = scene(giant, orc)
    for cause, catalog, struck in (
        (fire.id, CATALOG, False),
        (fire.id, replace(CATALOG, powers=fiercer), True),
        ("", CATALOG, False),
    ):
        area = Area(id="fire-1", kind=AreaKind.FIRE, squares=(giant.at,), cause=cause)
        assert touches(now, catalog, area, giant, giant.at) is struck
        assert touches(now, catalog, area, orc, orc.at)


def test_whoever_slips_on_ice_loses_the_next_turn() -> None:
    now = make(
        scene(wizard("ice-sheet"), monster("orc", (3, 0))), cast("ice-sheet", Square(3, 0)), power=1
    ).scene
    assert now.has("orc-1", EffectKind.LOSES_TURNS)
    again = after_turns(now, 1)
    assert again.turn.whose == "feeney"
    assert after_turns(again, 1).turn.whose == "orc-1"


def test_ice_spares_whoever_keeps_their_feet() -> None:
    start = scene(wizard("ice-sheet"), monster("orc", (3, 0)))
    done = rolled(start, cast("ice-sheet", Square(3, 0)), {"power": 1, "save:orc-1:0": 1})
    assert not done.scene.effects_on("orc-1")


def test_fire_on_bare_ground_lasts_one_turn_of_its_caster() -> None:
    now = make(scene(wizard("fire-patch"), monster("orc", (9, 0))), cast("fire-patch", *SPOTS), power=1).scene
    rest_of_this_turn, next_turn = after_turns(now, 1), after_turns(now, 3)
    assert kinds_on(rest_of_this_turn, SPOTS[0]) == {AreaKind.FIRE}
    assert kinds_on(next_turn, SPOTS[0]) == set()


def test_fire_on_grass_burns_for_the_scene_and_does_not_spread() -> None:
    meadow = Field(grid=Grid(20, 12), flammable=(SPOTS[0], Square(2, 0)))
    start = scene(wizard("fire-patch"), monster("orc", (9, 0)), field=meadow)
    later = after_turns(make(start, cast("fire-patch", *SPOTS), power=2).scene, 11)
    assert {square for area in later.areas for square in area.squares} == {SPOTS[0]}


def lay(slug: str, squares: tuple[Square, ...], now: Scene, **faces: int) -> Scene:
    fresh = replace(being(now, "feeney"), luck=10)
    others = tuple(fresh if one.id == "feeney" else one for one in now.beings)
    return make(
        in_turn_of(replace(now, beings=others), "feeney"), cast(slug, *squares), power=len(squares), **faces
    ).scene


def test_ice_puts_out_fire_square_by_square() -> None:
    start = lay("fire-patch", SPOTS, scene(wizard("fire-patch", "ice-sheet")))
    now = lay("ice-sheet", SPOTS[1:2], start)
    assert [kinds_on(now, one) for one in SPOTS] == [{AreaKind.FIRE}, {AreaKind.ICE}, {AreaKind.FIRE}]


def test_fire_melts_ice_and_burns_thorns() -> None:
    bare = scene(wizard("fire-patch", "ice-sheet", "briar-patch"))
    for slug, kind in (("ice-sheet", AreaKind.ICE), ("briar-patch", AreaKind.BRIAR)):
        now = lay("fire-patch", SPOTS[:1], lay(slug, SPOTS, bare))
        assert [kinds_on(now, one) for one in SPOTS] == [{AreaKind.FIRE}, {kind}, {kind}]


def test_burning_thorns_let_go_of_whom_they_held() -> None:
    start = scene(wizard("fire-patch", "briar-patch"), monster("orc", (3, 0)))
    caught = lay("briar-patch", SPOTS[:1], start)
    assert caught.has("orc-1", EffectKind.CAUGHT)
    assert not lay("fire-patch", SPOTS[:1], caught).has("orc-1", EffectKind.CAUGHT)


def test_thorns_take_a_turn_or_two_luck_and_then_let_go() -> None:
    start = scene(wizard("briar-patch"), monster("orc", (3, 0)))
    caught = in_turn_of(lay("briar-patch", SPOTS[:1], start), "orc-1")
    away = Go(actor="orc-1", to=Square(3, 2))
    assert refused(caught, away) == ("caught",)
    torn = make(caught, Struggle(actor="orc-1", tear=True))
    assert being(torn, "orc-1").luck == ORC_LUCK - 2
    assert being(make(torn.scene, away), "orc-1").at == Square(3, 2)
    slow = make(caught, Struggle(actor="orc-1")).scene
    assert being(slow, "orc-1").luck == ORC_LUCK
    assert refused(slow, away) == ("too_far_after_action",)
    next_turn = after_turns(slow, 2)
    assert being(make(next_turn, away), "orc-1").at == Square(3, 2)


def test_a_cloud_strikes_whoever_walks_in_and_whoever_begins_a_turn_there() -> None:
    start = scene(wizard("poison-cloud"), monster("orc", (3, 2), luck=8, max_luck=8))
    laid = lay("poison-cloud", SPOTS[:1], start)
    cloud = laid.areas[0].id
    came = rolled(in_turn_of(laid, "orc-1"), Go(actor="orc-1", to=SPOTS[0]), {f"save:orc-1:{cloud}": 1}).scene
    assert being(came, "orc-1").luck == 7
    back = after_turns(came, 2)
    assert back.turn.whose == "orc-1"
    assert being(back, "orc-1").luck == 5


def test_whoever_sleeps_in_bad_air_breathes_it_all_the_same() -> None:
    asleep = Effect(id="asleep-1", kind=EffectKind.ASLEEP, bearer="orc-1")
    start = scene(wizard("poison-cloud"), monster("orc", (3, 0), luck=8, max_luck=8), effects=(asleep,))
    laid = lay("poison-cloud", SPOTS[:1], start)
    assert being(laid, "orc-1").luck == 6
    later = after_turns(laid, 1)
    assert later.turn.whose == "feeney"
    assert being(later, "orc-1").luck == 4


def test_a_chilling_mist_is_armour_against_shots_through_it() -> None:
    orc = monster("orc", (6, 0))
    now = lay("chilling-mist", SPOTS, scene(wizard("chilling-mist"), orc))
    archer = being(now, "feeney")
    assert armor_against(now, CATALOG, orc, Action.SHOOT, archer) == orc.armor + 1
    assert armor_against(now, CATALOG, orc, Action.BATTLE, archer) == orc.armor


def test_a_hidden_creature_under_fire_is_not_given_away() -> None:
    start = scene(wizard("fire-patch"), monster("orc", (3, 0), id="hidden-1", hidden=2))
    done = rolled(start, cast("fire-patch", Square(3, 0)), {"power": 1, "save:hidden-1:0": 1})
    assert being(done, "hidden-1").luck == ORC_LUCK - 2
    player = Viewer(actors=frozenset({"feeney"}))
    assert "hidden-1" not in texts(done, player)
    assert [roll.id for roll in done.rolls] == ["power", "save:hidden-1:0"]
    assert [roll.id for roll in done.rolls if player.may_know(roll.audience)] == ["power"]


# Fog, darkness, vermin, fireball


def test_fog_takes_notice_and_shoot_dice_of_all_inside_and_stays() -> None:
    elf, far = hero("elf", (9, 0)), hero("warrior", (11, 0))
    now = make(scene(wizard("fog-cloud"), elf, far), cast("fog-cloud"), power=3).scene
    for person, fewer in ((elf, 3), (far, 0)):
        for action in (Action.NOTICE, Action.SHOOT):
            dice = reaction(now, CATALOG, person, (action,)).value
            assert dice == max(1, person.ratings.of(action) - fewer)
    moved = make(now, Go(actor="feeney", to=Square(0, 5))).scene
    assert moved.areas == now.areas


def test_darkness_is_dark_and_only_bright_light_helps() -> None:
    caster = with_powers(wizard("darkness"), "will-o-the-wisp")
    now = make(scene(caster), cast("darkness", Square(8, 0)), power=1).scene
    assert light_at(now, Square(11, 0)) is Light.DARK
    assert light_at(now, Square(12, 0)) is Light.BRIGHT
    lit = make(in_turn_of(now, "feeney"), cast("will-o-the-wisp", Square(10, 0), sort="bright"), power=1)
    assert light_at(lit.scene, Square(11, 0)) is Light.DIM


def test_vermin_fill_a_block_for_turns_with_luck_by_success() -> None:
    far = monster("orc", (15, 5))
    now = make(
        scene(wizard("call-vermin"), far), cast("call-vermin", Square(3, 3), sort="locusts"), power=2
    ).scene
    (swarm,) = now.areas
    assert swarm.squares == (Square(3, 3), Square(3, 4), Square(4, 3), Square(4, 4))
    assert swarm.luck == 2
    assert after_turns(now, 4).areas
    assert not after_turns(now, 5).areas


def test_vermin_bother_friend_and_foe() -> None:
    friend, foe = hero("elf", (3, 3)), monster("orc", (4, 4))
    start = scene(wizard("call-vermin"), friend, foe)
    locusts = make(start, cast("call-vermin", Square(3, 3), sort="locusts"), power=1).scene
    assert reaction(locusts, CATALOG, friend, (Action.NOTICE,)).value == 1
    assert reaction(locusts, CATALOG, friend, (Action.STUNT,)).value == friend.ratings.stunt
    move = cast("call-vermin", Square(3, 3), sort="scarabs")
    scarabs = rolled(start, move, {"power": 1, "save:elf:0": 1}).scene
    assert not scarabs.has("elf", EffectKind.LOSES_TURNS)
    assert scarabs.has("orc-1", EffectKind.LOSES_TURNS)
    scorpions = make(start, cast("call-vermin", Square(3, 3), sort="scorpions"), power=1).scene
    assert reaction(scorpions, CATALOG, friend, (Action.STUNT,)).value == friend.ratings.stunt - 2
    assert refused(start, cast("call-vermin", Square(3, 3), sort="bees")) == ("kind_unknown",)


def test_dwarfs_shrug_off_scorpions() -> None:
    start = scene(wizard("call-vermin"), hero("dwarf", (3, 3)))
    found = first_rolls(start, cast("call-vermin", Square(3, 3), sort="scorpions"))
    save = next(roll for roll in found if roll.id == "save:dwarf:0")
    assert save.dice.value == 4 + 4


def test_a_swarm_loses_one_luck_to_a_battle_and_none_to_a_shot() -> None:
    fighter = hero("warrior", (2, 3))
    now = make(
        scene(wizard("call-vermin"), fighter), cast("call-vermin", Square(3, 3), sort="locusts"), power=3
    ).scene
    swarm = now.areas[0].id
    hit = make(
        in_turn_of(now, "warrior"), Attack(actor="warrior", action=Action.BATTLE, target=swarm), attack=3
    )
    assert hit.scene.areas[0].luck == 2
    shot = make(
        in_turn_of(now, "warrior"), Attack(actor="warrior", action=Action.SHOOT, target=swarm), attack=1
    )
    assert shot.scene.areas[0].luck == 3


def test_a_fireball_strikes_everybody_in_its_block_once() -> None:
    near, saved, far = monster("orc", (6, 6)), hero("elf", (5, 5)), monster("orc", (8, 6), id="orc-2")
    start = scene(wizard("fireball"), near, saved, far)
    done = rolled(start, cast("fireball", Square(6, 6)), {"power": 1, "save:elf:0": 2})
    assert being(done, "feeney").luck == 5
    assert being(done, "orc-1").luck == ORC_LUCK - 3
    assert being(done, "elf").luck == 9
    assert being(done, "orc-2").luck == far.luck
    assert done.scene.areas == ()


def test_a_fireball_melts_ice_and_a_firewalker_hardly_minds() -> None:
    proof = Effect(id="fireproof-1", kind=EffectKind.FIREPROOF, bearer="stalwart", amount=2)
    start = replace(scene(wizard("fireball", "ice-sheet"), paladin(at=(5, 0))), effects=(proof,))
    frozen = lay("ice-sheet", (Square(4, 0),), start)
    done = make(
        in_turn_of(
            replace(frozen, beings=(replace(being(frozen, "feeney"), luck=10), being(frozen, "stalwart"))),
            "feeney",
        ),
        cast("fireball", Square(4, 0)),
        power=1,
    )
    assert done.scene.areas == ()
    assert being(done, "stalwart").luck == 9


# Runes and circles


def test_a_hearth_rune_lights_ten_paces_until_it_is_wiped_out() -> None:
    cave = Field(grid=Grid(20, 12), light=Light.DARK)
    done = make(scene(hero("dwarf"), field=cave), cast("hearth-rune", by="dwarf"), power=1)
    assert [light_at(done.scene, Square(x, 0)) for x in (10, 11)] == [Light.BRIGHT, Light.DARK]
    rune = done.scene.areas[0].id
    assert make(done.scene, Dismiss(actor="dwarf", what=rune)).scene.areas == ()


def test_a_rune_needs_stone_within_reach() -> None:
    wood = Field(grid=Grid(20, 12), stone=False)
    assert refused(scene(hero("dwarf"), field=wood), cast("hearth-rune", by="dwarf")) == ("needs_stone",)
    far = cast("sentinel-rune", Square(2, 0), by="dwarf")
    assert refused(scene(hero("dwarf")), far) == ("target_out_of_reach",)


def test_a_sentinel_rune_is_its_makers_secret_and_warns_of_the_living() -> None:
    start = scene(hero("dwarf"), hero("elf", (0, 1)), monster("orc", (5, 1)), monster("skeleton", (5, 3)))
    done = make(start, cast("sentinel-rune", Square(1, 1), by="dwarf"), power=1)
    others, maker = Viewer(actors=frozenset({"elf"})), Viewer(actors=frozenset({"dwarf"}))
    assert "sentinel" not in texts(done, others).lower()
    assert view(done.scene, others).areas == ()
    assert len(view(done.scene, maker).areas) == 1
    quiet = make(in_turn_of(done.scene, "skeleton-1"), Go(actor="skeleton-1", to=Square(2, 2)))
    assert quiet.scene.areas
    warned = make(in_turn_of(done.scene, "orc-1"), Go(actor="orc-1", to=Square(2, 1)))
    assert warned.scene.areas == ()
    assert any("warns you" in text for text in warned.told(maker))
    assert not any("warns you" in text for text in warned.told(others))


def test_a_failed_rune_looks_like_any_other_to_everybody_else() -> None:
    start = scene(hero("dwarf"), hero("elf", (0, 1)))
    others = Viewer(actors=frozenset({"elf"}))
    seen = [
        texts(make(start, cast("sentinel-rune", Square(1, 1), by="dwarf"), power=successes), others)
        for successes in (0, 1)
    ]
    assert seen[0] == seen[1]


def test_one_sentinel_and_one_trap_at_a_time() -> None:
    dwarf = with_powers(hero("dwarf"), "trap-rune")
    one = make(scene(dwarf), cast("sentinel-rune", by="dwarf"), power=1).scene
    again = in_turn_of(one, "dwarf")
    assert refused(again, cast("sentinel-rune", by="dwarf")) == ("limit_in_play",)
    both = make(again, cast("trap-rune", by="dwarf"), power=2).scene
    assert refused(in_turn_of(both, "dwarf"), cast("trap-rune", by="dwarf")) == ("limit_in_play",)


@pytest.mark.parametrize(("successes", "held"), [(1, True), (2, False)])
def test_a_trap_rune_holds_the_first_who_passes_and_is_gone(successes: int, held: bool) -> None:
    start = scene(with_powers(hero("dwarf"), "trap-rune"), monster("orc", (6, 1)))
    trapped = make(start, cast("trap-rune", Square(1, 1), by="dwarf"), power=2).scene
    rune = trapped.areas[0].id
    done = rolled(
        in_turn_of(trapped, "orc-1"),
        Go(actor="orc-1", to=Square(1, 2)),
        {f"save:orc-1:{rune}": successes},
    )
    assert done.scene.areas == ()
    assert done.scene.has("orc-1", EffectKind.TRAPPED) is held
    assert being(done, "orc-1").at == Square(2, 1)


def test_a_guard_circle_helps_its_makers_friends_against_the_malicious() -> None:
    friend = hero("elf", (6, 6))
    orc, wolf = monster("orc", (7, 6)), monster("wolf", (7, 7))
    start = scene(paladin("guard-circle"), friend, orc, wolf)
    now = make(start, cast("guard-circle", by="stalwart"), power=1).scene
    assert len(now.areas[0].squares) == 4
    assert {Square(5, 5), Square(6, 6)} <= set(now.areas[0].squares)
    against = [armor_against(now, CATALOG, friend, Action.BATTLE, foe) for foe in (orc, wolf)]
    assert against == [1, 0]
    intruder = replace(orc, at=Square(6, 5), tags=())
    inside = replace(now, beings=(*now.beings[:2], intruder, wolf))
    bad_hero = replace(being(now, "elf"), tags=("malicious",))
    assert armor_against(inside, CATALOG, intruder, Action.BATTLE, bad_hero) == intruder.armor


def test_one_circle_of_any_kind_and_its_maker_inside() -> None:
    now = scene(paladin("guard-circle", "healing-circle"))
    outside = cast("guard-circle", Square(8, 8), by="stalwart")
    assert refused(now, outside) == ("circle_without_maker",)
    drawn = make(now, cast("guard-circle", by="stalwart"), power=1).scene
    again = in_turn_of(drawn, "stalwart")
    assert refused(again, cast("healing-circle", by="stalwart")) == ("limit_in_play",)
    ended = make(again, Dismiss(actor="stalwart", what=drawn.areas[0].id)).scene
    assert make(ended, cast("healing-circle", by="stalwart"), power=1).scene.areas


def test_a_healing_circle_gives_friends_luck_each_turn_up_to_their_most() -> None:
    friend = hero("elf", (6, 6), luck=8)
    foe = monster("orc", (6, 5), luck=1)
    start = scene(paladin("healing-circle"), friend, foe)
    now = make(start, cast("healing-circle", by="stalwart"), power=1).scene
    assert being(now, "stalwart").luck == 5
    later = after_turns(now, 12)
    assert [being(later, one).luck for one in ("stalwart", "elf", "orc-1")] == [9, 10, 1]


# Lights and eyes


def test_starlight_goes_along_and_takes_no_action() -> None:
    cave = Field(grid=Grid(20, 12), light=Light.DARK)
    now = make(scene(hero("elf"), field=cave), cast("starlight", by="elf")).scene
    assert not now.turn.acted
    assert refused(now, cast("starlight", by="elf")) == ("glows_already",)
    walked = make(now, Go(actor="elf", to=Square(5, 0))).scene
    assert [light_at(walked, Square(x, 0)) for x in (11, 12)] == [Light.DIM, Light.DARK]


@pytest.mark.parametrize(("sort", "light", "reach"), [("bright", Light.BRIGHT, 6), ("dim", Light.DIM, 2)])
def test_a_wisp_shines_as_its_caster_picks_until_it_is_hit(sort: str, light: Light, reach: int) -> None:
    cave = Field(grid=Grid(20, 12), light=Light.DARK)
    archer = hero("elf", (5, 5))
    start = scene(wizard(), replace(archer, side=monster("orc").side), field=cave)
    now = make(start, cast("will-o-the-wisp", Square(8, 0), sort=sort), power=1).scene
    assert light_at(now, Square(8 + reach, 0)) is light
    assert light_at(now, Square(9 + reach, 0)) is Light.DARK
    (wisp,) = (one for one in now.beings if one.leader == "feeney")
    assert wisp.luck == 1
    shot = make(
        in_turn_of(now, "elf"), Attack(actor="elf", action=Action.SHOOT, target=wisp.id), attack=1
    ).scene
    assert shot.being(wisp.id) is None
    assert shot.areas == ()


def test_a_failed_wisp_costs_its_luck() -> None:
    done = make(scene(wizard()), cast("will-o-the-wisp", Square(2, 0)))
    assert (being(done, "feeney").luck, done.scene.areas, len(done.scene.beings)) == (9, (), 1)
    assert refused(scene(wizard()), cast("will-o-the-wisp", Square(2, 0), sort="red")) == ("kind_unknown",)


def test_stardust_shows_hidden_foes_within_ten_paces() -> None:
    near, far = (
        monster("orc", (10, 0), id="hidden-1", hidden=3),
        monster("orc", (11, 0), id="hidden-2", hidden=3),
    )
    start = scene(wizard("stardust"), near, far)
    failed = make(start, cast("stardust"))
    assert being(failed, "hidden-1").hidden == 3
    done = make(start, cast("stardust"), power=1)
    assert being(done, "hidden-1").hidden is None
    assert being(done, "hidden-2").hidden == 3
    assert reaction(done.scene, CATALOG, near, (Action.SNEAK,)).value == 1
    player = Viewer(actors=frozenset({"feeney"}))
    seen = texts(done, player)
    assert "hidden-1" in seen
    assert "hidden-2" not in seen


def test_stardust_beats_the_sneaking_of_the_invisible_and_leaves_their_armour() -> None:
    unseen = Effect(
        id="invisible-1", kind=EffectKind.INVISIBLE, bearer="orc-1", cause=power("invisibility"), amount=8
    )
    orc = monster("orc", (2, 0))
    now = make(scene(wizard("stardust"), orc, effects=(unseen,)), cast("stardust"), power=1).scene
    assert reaction(now, CATALOG, orc, (Action.SNEAK,)).value == 1
    assert armor_against(now, CATALOG, orc, Action.SHOOT, being(now, "feeney")) == orc.armor + 6


def test_feysight_sees_in_the_dark_and_finds_what_hides_turn_by_turn() -> None:
    cave = Field(grid=Grid(20, 12, solid=(Square(0, 2),)), light=Light.DARK)
    lurker = monster("orc", (4, 0), id="hidden-1", hidden=9)
    behind = monster("orc", (0, 4), id="hidden-2", hidden=9)
    start = scene(wizard("feysight"), hero("elf", (1, 0)), lurker, behind, field=cave)
    done = make(start, cast("feysight"), power=1)
    assert being(done, "hidden-1").found_by == ("feeney",)
    assert being(done, "hidden-2").found_by == ()
    caster = being(done, "feeney")
    assert reaction(done.scene, CATALOG, caster, (Action.NOTICE,)).value == caster.ratings.notice
    assert "hidden-1" not in texts(done, Viewer(actors=frozenset({"elf"})))
    stepped = make(done.scene, Go(actor="feeney", to=Square(2, 4))).scene
    assert being(after_turns(stepped, 4), "hidden-2").found_by == ("feeney",)


# Teleport and Firewalk


def test_teleport_reaches_one_pace_for_each_success_through_walls() -> None:
    walled = Field(grid=Grid(20, 12, solid=tuple(Square(2, y) for y in range(12))))
    start = scene(wizard(), field=walled)
    goal = Square(4, 0)
    assert being(make(start, cast("teleport", goal), power=4), "feeney").at == goal
    short = make(start, cast("teleport", goal), power=3)
    assert being(short, "feeney").at == Square(0, 0)
    assert being(short, "feeney").luck == 6
    assert refused(start, cast("teleport")) == ("squares_missing",)


@pytest.mark.parametrize("goal", [Square(2, 0), Square(3, 0), Square(-1, 0)])
def test_teleport_bounces_back_from_what_is_in_the_way(goal: Square) -> None:
    walled = Field(grid=Grid(20, 12, solid=(Square(2, 0),)))
    start = scene(wizard(), monster("orc", (3, 0), hidden=4), field=walled)
    done = make(start, cast("teleport", goal), power=6)
    assert being(done, "feeney").at == Square(0, 0)
    told = [event for event in done.events if isinstance(event, Happened) and event.power]
    assert [event.code for event in told] == ["power.teleport.failed.blocked"]
    assert f"{being(done, 'feeney').name} vanishes, and bounces right back." in done.told()


def test_teleport_leaves_holds_behind_and_meets_what_lies_there() -> None:
    held = Effect(id="pinned-1", kind=EffectKind.PINNED, bearer="feeney", source="orc-1")
    start = scene(wizard("fire-patch"), monster("orc", (0, 1), ratings=Ratings(muscle=1)))
    burning = in_turn_of(replace(lay("fire-patch", SPOTS[:1], start), effects=(held,)), "feeney")
    fire = burning.areas[0].id
    done = rolled(burning, cast("teleport", SPOTS[0]), {"power": 3, f"save:feeney:{fire}": 1})
    assert not done.scene.has("feeney", EffectKind.PINNED)
    assert being(done, "feeney").luck == 6 - 4 - 2


def test_firewalk_keeps_two_luck_of_a_fire_for_each_success() -> None:
    start = scene(paladin("firewalk"), with_powers(hero("wizard", (0, 0), id="feeney"), "fire-patch"))
    once = make(start, cast("firewalk", by="stalwart"), power=1).scene
    burnt = make(in_turn_of(once, "feeney"), cast("fire-patch", Square(5, 5)), power=1)
    assert being(burnt, "stalwart").luck == 10 - 4 - 1
    twice = make(
        in_turn_of(
            replace(once, beings=(replace(being(once, "stalwart"), luck=10), once.beings[1])), "stalwart"
        ),
        cast("firewalk", by="stalwart"),
        power=2,
    ).scene
    assert [effect.amount for effect in twice.effects_on("stalwart", EffectKind.FIREPROOF)] == [4]


# Working spells up, and the cases that are not in the shared file


def test_a_patch_worked_up_before_lays_all_its_squares() -> None:
    start = scene(wizard("ice-sheet"), monster("orc", (9, 9)))
    worked = make(start, replace(cast("ice-sheet", SPOTS[0]), work_up=True), power=2).scene
    back = after_turns(worked, 2)
    done = make(back, cast("ice-sheet", *SPOTS), power=1)
    assert all(kinds_on(done.scene, square) == {AreaKind.ICE} for square in SPOTS)
    assert being(done, "feeney").luck == 4


def test_rolls_come_before_what_they_bring_about() -> None:
    start = scene(wizard("fire-patch"), monster("orc", (3, 0)))
    done = make(start, cast("fire-patch", Square(3, 0)), power=1)
    told = [event.roll if isinstance(event, Rolled) else type(event).__name__ for event in done.events]
    assert told[0] == "power" and told.index("save:orc-1:0") < told.index("AreaLaid")
    assert told.count("LuckChanged") == 2 and told.index("save:orc-1:0") < told[2:].index("LuckChanged") + 2


CASES: tuple[tuple[dict[str, object], dict[str, object]], ...] = (
    ({"power": "Teleport", "luck": 10, "dice": [6, 5, 1], "blocked": True}, {"moved": False, "luck": 6}),
    ({"power": "Cloak", "luck": 10, "dice": [5, 6, 1], "sneak": 2}, {"turns": 2, "sneak": 4, "luck": 8}),
    ({"power": "Cloak", "luck": 10, "dice": [5, 6], "sneak": 2, "moved": True}, {"sneak": 2, "luck": 8}),
    (
        {"power": "Invisibility", "luck": 10, "dice": [5, 6, 1], "sneak": 1},
        {"turns": 2, "sneak": 9, "armor_battle": 3, "armor_shoot": 6, "luck": 5},
    ),
    ({"power": "Guard Circle", "luck": 10, "circles_in_play": 1}, {"error": "limit_in_play"}),
    ({"power": "Guard Circle", "luck": 3, "dice": [5]}, {"error": "not_enough_luck"}),
    ({"power": "Guard Circle", "luck": 4, "dice": [5], "armor": 4}, {"armor": 5, "luck": 0}),
    ({"power": "Healing Circle", "luck": 6, "max": 10, "acted": True, "inside": False}, {"luck": 6}),
    ({"power": "Sentinel Rune", "creature": "undead", "paces": 1}, {"alert": False, "rune_remains": True}),
    ({"power": "Mistform", "luck": 10, "dice": [1, 2]}, {"turns": 0, "attackable": True, "luck": 7}),
    ({"power": "Stardust", "luck": 12, "dice": [1], "hidden": [{"paces": 1, "sneak": 6}]}, {"sneak": [6]}),
    ({"power": "Firewalk", "luck": 10, "dice": [6, 1], "fire_loss": 3}, {"luck_lost_to_fire": 1}),
    ({"power": "Call Vermin", "luck": 10, "dice": [5, 5, 1]}, {"turns": 2, "swarm_luck": 2, "luck": 5}),
)
ZONES: tuple[tuple[dict[str, object], dict[str, object]], ...] = (
    ({"zone": "fire", "size": "human", "save_dice": [5, 1]}, {"luck_lost": 2}),
    ({"zone": "poison", "size": "human", "save_dice": [5, 1]}, {"luck_lost": 1}),
    ({"zone": "fire", "size": "human", "save_dice": [1], "ironform": True}, {"luck_lost": 0}),
    ({"zone": "ice", "size": "human", "save_dice": [1, 2]}, {"falls": True, "turns_lost": 1}),
    ({"zone": "ice", "size": "giant"}, {"falls": False, "turns_lost": 0}),
    ({"zone": "briar", "size": "human", "choice": "lose_turn"}, {"luck_lost": 0, "turns_lost": 1}),
    ({"zone": "briar", "size": "human", "choice": "lose_luck"}, {"luck_lost": 2, "turns_lost": 0}),
    ({"existing": "ice", "new": "fire"}, {"ice_remains": False, "fire_remains": True}),
    ({"zone": "ice", "ground": "stone", "turns_later": 5}, {"exists": True}),
    ({"power": "Chilling Mist", "squares": [[0, 0], [0, 1], [1, 1]]}, {"legal": True}),
    ({"power": "Ice Sheet", "dice": [1, 2]}, {"patches": 0, "must_join": False}),
    ({"light": "Starlight", "paces": 7}, {"level": "dark"}),
    ({"light": "Will o' the Wisp", "setting": "bright", "paces": 6}, {"level": "bright"}),
    ({"swarm": "scarab", "save_dice": [6]}, {"turns_lost": 0}),
    ({"swarm_luck": 1, "attack": "Battle", "successes": 2}, {"swarm_luck": 0}),
)


@pytest.mark.parametrize(("given", "expected"), CASES)
def test_cases_about_powers_are_played(given: dict[str, object], expected: dict[str, object]) -> None:
    answer = ANSWERS[slug_of(find(CATALOG.powers, str(given["power"])).id)](given)
    assert {key: answer.get(key) for key in expected} == expected


@pytest.mark.parametrize(("given", "expected"), ZONES)
def test_cases_about_zones_are_played(given: dict[str, object], expected: dict[str, object]) -> None:
    answer = zone(given)
    assert {key: answer.get(key) for key in expected} == expected


def test_every_power_of_this_family_refuses_an_empty_purse() -> None:
    slugs = (
        "ice-sheet",
        "fire-patch",
        "briar-patch",
        "chilling-mist",
        "poison-cloud",
        "fog-cloud",
        "teleport",
    )
    for slug in (*slugs, "stardust", "call-vermin", "feysight", "darkness", "fireball"):
        poor = replace(wizard(slug), luck=CATALOG.powers[power(slug)].luck_cost - 1)
        move: Move = cast(slug, Square(3, 3), sort="locusts")
        assert "not_enough_luck" in refused(scene(poor), move), slug
