"""Powers that lie on the grid, shine, hide or change their user: cases answered by playing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from services.rules.engine.conformance import Area
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.bestiary import Monster
from services.rules.systems.dungeonteller.catalog import called
from services.rules.systems.dungeonteller.play.conditions import (
    action_problem,
    armor_against,
    foes_of,
    light_at,
)
from services.rules.systems.dungeonteller.play.effects import effect_rules
from services.rules.systems.dungeonteller.play.moves import Attack, Go
from services.rules.systems.dungeonteller.play.pools import reaction
from services.rules.systems.dungeonteller.play.rules.harm import toughness
from services.rules.systems.dungeonteller.play.state import (
    Area as Laid,
)
from services.rules.systems.dungeonteller.play.state import (
    AreaKind,
    Being,
    Duration,
    Effect,
    EffectKind,
    Scene,
    Side,
    Until,
)
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import CATALOG, Answer, Given, refused
from tests.conformance.dungeonteller.stage import (
    FOE,
    LUCK,
    MIDDLE,
    USER,
    WIN,
    Stage,
    being_in,
    cast,
    legal,
    luck_in,
    move,
    pass_turns,
    person,
    scene_of,
    turn_of,
    user_of,
)
from tests.conformance.dungeonteller.zones import laid, zone

__all__ = ["ANSWERS", "zone"]

FIRE_LOSS = 3
NEAR = Square(MIDDLE.x + 1, MIDDLE.y)


def in_play(scene: Scene, given: Given, kind: str, slug: str, *keys: str) -> Scene:
    """The scene with what a case says the user has in play already."""
    count = next((int(given[key]) for key in keys if key in given), 0)
    areas = tuple(
        Laid(
            id=f"earlier-{number}",
            kind=kind,
            squares=(Square(number, 0),),
            source=USER,
            cause=f"dungeonteller:power/{slug}",
        )
        for number in range(count)
    )
    return replace(scene, areas=areas)


def turns_left(scene: Scene, kind: str) -> int:
    """Turns an effect on the user lasts yet; 0 when there is none."""
    return sum(effect.lasts.left for effect in scene.effects_on(USER, kind))


def _changed(slug: str, kind: str, given: Given) -> Answer:
    """What changes its user for turns: stone, iron, mist, floating, cloaks, being unseen."""
    user = user_of(slug, given)
    if kind in (EffectKind.CLOAKED, EffectKind.INVISIBLE):
        user = replace(user, ratings=replace(user.ratings, sneak=given.get("sneak", 0)))
    foe = person(FOE, NEAR, Side.FOES)
    start = scene_of(user, foe)
    desk = cast(start, slug, given)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    scene = desk.scene
    turns = turns_left(scene, kind)
    if given.get("moved") or given.get("acted") or given.get("spoke"):
        walked = move(turn_of(scene, USER), Go(actor=USER, to=Square(MIDDLE.x - 1, MIDDLE.y)))
        scene = scene if isinstance(walked, RuleProblem) else walked.scene
    scene = pass_turns(scene, 2 * given.get("turns_later", 0))
    now = being_in(scene, USER)
    attack = Attack(actor=FOE, action=Action.BATTLE, target=USER)
    active = scene.has(USER, kind)
    return legal(
        works=turns > 0,
        turns=turns,
        successes=desk.successes("power"),
        active=active,
        cloaked=active,
        can_act=action_problem(scene, now) is None,
        can_move=not scene.has(USER, EffectKind.STATUE),
        attackable=isinstance(move(turn_of(scene, FOE), attack), Stage),
        armor=armor_against(scene, CATALOG, now, Action.BATTLE, foe),
        armor_battle=armor_against(scene, CATALOG, now, Action.BATTLE, foe),
        armor_shoot=armor_against(scene, CATALOG, now, Action.SHOOT, foe),
        sneak=reaction(scene, CATALOG, replace(now, luck=None), (Action.SNEAK,)).value
        if "sneak" in given
        else sum(effect.amount for effect in scene.effects_on(USER, kind)),
        sneak_bonus=sum(effect.amount for effect in scene.effects_on(USER, kind)),
        luck=luck_in(scene),
    )


def stoneform(given: Given) -> Answer:
    """Stoneform: turns and Armor."""
    return _changed("stoneform", EffectKind.STATUE, given)


def ironform(given: Given) -> Answer:
    """Ironform: turns and Armor."""
    return _changed("ironform", EffectKind.STATUE, given)


def mistform(given: Given) -> Answer:
    """Mistform: turns, and whether anybody can attack."""
    return _changed("mistform", EffectKind.MIST, given)


def float_up(given: Given) -> Answer:
    """Float: turns."""
    return _changed("float", EffectKind.FLOATING, given)


def cloak(given: Given) -> Answer:
    """Cloak: turns and Sneak dice, gone with the first step."""
    return _changed("cloak", EffectKind.CLOAKED, given)


def invisibility(given: Given) -> Answer:
    """Invisibility: turns, Sneak dice and Armor."""
    return _changed("invisibility", EffectKind.INVISIBLE, given)


def firewalk(given: Given) -> Answer:
    """Firewalk: Armor against fire, and what a fire still takes."""
    desk = cast(scene_of(user_of("firewalk", given)), "firewalk", given)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    armor = toughness(desk.scene, being_in(desk.scene, USER), AreaKind.FIRE)
    return legal(
        works=armor > 0,
        successes=desk.successes("power"),
        fire_armor=armor,
        luck_lost_to_fire=max(0, given.get("fire_loss", FIRE_LOSS) - armor),
        luck=luck_in(desk.scene),
    )


def teleport(given: Given) -> Answer:
    """Teleport: how far, and whether they got there; a case without a wish means as far as it goes."""
    paces = given.get("paces", max(1, sum(face >= WIN - 1 for face in given.get("dice", ()))))
    goal = Square(MIDDLE.x + paces, MIDDLE.y)
    solid = (goal,) if given.get("blocked") else ()
    scene = scene_of(user_of("teleport", given))
    walled = replace(scene, field=replace(scene.field, grid=replace(scene.field.grid, solid=solid)))
    desk = cast(walled, "teleport", given, squares=(goal,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    moved = being_in(desk.scene, USER).at == goal
    successes = desk.successes("power")
    return legal(
        successes=successes, max_paces=successes, moved=moved, bounced=not moved, luck=luck_in(desk.scene)
    )


def fog_cloud(given: Given) -> Answer:
    """Fog Cloud: the Notice and Shoot dice of a being in it, or so many paces off."""
    ratings = Ratings(notice=given.get("notice", 0), shoot=given.get("shoot", 0))
    at = Square(MIDDLE.x + given.get("paces", 1), MIDDLE.y)
    other = person(FOE, at, Side.FOES, ratings=ratings, luck=None)
    desk = cast(scene_of(user_of("fog-cloud", given), other, light=Light.BRIGHT), "fog-cloud", given)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    return legal(
        works=desk.successes("power") > 0,
        successes=desk.successes("power"),
        inside=any(at in area.squares for area in desk.scene.areas),
        notice=reaction(desk.scene, CATALOG, other, (Action.NOTICE,)).value,
        shoot=reaction(desk.scene, CATALOG, other, (Action.SHOOT,)).value,
        luck=luck_in(desk.scene),
    )


def stardust(given: Given) -> Answer:
    """Stardust: the Sneak of each hidden foe afterwards."""
    hidden = tuple(
        person(
            f"{FOE}-{index}",
            Square(MIDDLE.x + foe["paces"], MIDDLE.y - index),
            Side.FOES,
            ratings=Ratings(sneak=foe["sneak"]),
            luck=None,
            hidden=foe["sneak"],
        )
        for index, foe in enumerate(given.get("hidden", ()))
    )
    start = scene_of(user_of("stardust", given), *hidden)
    unseen = tuple(
        Effect(
            id=f"unseen-{index}",
            kind=EffectKind.INVISIBLE,
            bearer=f"{FOE}-{index}",
            cause="dungeonteller:power/invisibility",
            amount=8,
        )
        for index, foe in enumerate(given.get("hidden", ()))
        if foe.get("invisible")
    )
    desk = cast(replace(start, effects=unseen), "stardust", given)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    foes = foes_of(desk.scene, being_in(desk.scene, USER))
    return legal(
        works=desk.successes("power") > 0,
        sneak=[reaction(desk.scene, CATALOG, foe, (Action.SNEAK,)).value for foe in foes],
        revealed=[desk.scene.has(foe.id, EffectKind.SPARKLING) for foe in foes],
        luck=luck_in(desk.scene),
    )


def guard_circle(given: Given) -> Answer:
    """Guard Circle: Armor of a friend in it, or outside, against a foe that is malicious or not."""
    at = NEAR if given.get("inside", True) else Square(MIDDLE.x + 5, MIDDLE.y)
    friend = person("friend", at, armor=given.get("armor", given.get("target_armor", 0)))
    tags = ("malicious",) if given.get("malicious", given.get("foe", "malicious") == "malicious") else ()
    foe = person(FOE, Square(MIDDLE.x + 2, MIDDLE.y + 2), Side.FOES, tags=tags)
    scene = in_play(
        scene_of(user_of("guard-circle", given), friend, foe),
        given,
        AreaKind.GUARD_CIRCLE,
        "guard-circle",
        "circles_in_play",
    )
    desk = cast(scene, "guard-circle", given, squares=(MIDDLE,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    armor = armor_against(desk.scene, CATALOG, friend, Action.BATTLE, foe)
    return legal(
        works=desk.successes("power") > 0,
        armor=armor,
        extra_armor=armor - friend.armor,
        armor_bonus=armor - friend.armor,
        luck=luck_in(desk.scene),
    )


def healing_circle(given: Given) -> Answer:
    """Healing Circle: casting it, or a turn of a being inside or outside that has it already."""
    slug = "healing-circle"
    scene = scene_of(user_of(slug, given))
    if "inside" not in given:
        scene = in_play(scene, given, AreaKind.HEALING_CIRCLE, slug, "circles_in_play")
        desk = cast(scene, slug, given, squares=(MIDDLE,))
        if isinstance(desk, RuleProblem):
            return refused(desk)
        return legal(works=desk.successes("power") > 0, luck=luck_in(desk.scene))
    circle = Laid(
        id="circle-1",
        kind=AreaKind.HEALING_CIRCLE,
        squares=(MIDDLE, NEAR),
        source=USER,
        cause=f"dungeonteller:power/{slug}",
    )
    at = NEAR if given["inside"] else Square(MIDDLE.x + 5, MIDDLE.y)
    friend = person("friend", at, luck=given["luck"], max_luck=given.get("max", LUCK))
    scene = turn_of(replace(scene_of(scene.beings[0], friend), areas=(circle,)), "friend")
    if given.get("acted"):
        scene = replace(scene, turn=replace(scene.turn, acted=True))
    return legal(luck=luck_in(pass_turns(scene, given.get("turns", 1) * 2 - 1), "friend"))


def hearth_rune(given: Given) -> Answer:
    """Hearth Rune: whether it is drawn, and how bright it is so many paces off."""
    scene = scene_of(user_of("hearth-rune", given), stone=given.get("surface", "stone") == "stone")
    desk = cast(scene, "hearth-rune", given)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    there = Square(MIDDLE.x + given.get("paces", 0), MIDDLE.y)
    return legal(
        works=desk.successes("power") > 0, level=light_at(desk.scene, there).value, luck=luck_in(desk.scene)
    )


def sentinel_rune(given: Given) -> Answer:
    """Sentinel Rune: drawing it, or a being who comes near one."""
    keys = ("runes_in_play", "sentinels_in_play", "in_play")
    return _unseen_rune("sentinel-rune", AreaKind.SENTINEL_RUNE, given, keys)


def trap_rune(given: Given) -> Answer:
    """Trap Rune: drawing it, or a being who comes near one and rolls to get away."""
    keys = ("runes_in_play", "traps_in_play", "in_play")
    return _unseen_rune("trap-rune", AreaKind.TRAP_RUNE, given, keys)


def _unseen_rune(slug: str, kind: str, given: Given, keys: tuple[str, ...]) -> Answer:
    near = given.get("paces", 1)
    comer = _comer(str(given.get("creature", "living")), Square(MIDDLE.x + near + 1, MIDDLE.y + 1))
    scene = in_play(scene_of(user_of(slug, given), comer), given, kind, slug, *keys)
    strength = given.get("maker_successes")
    rolls = given if strength is None else {**given, "dice": (WIN,) * strength}
    # The maker draws the rune beside themselves, so that its square is free to be walked to.
    desk = cast(scene, slug, rolls, squares=(Square(MIDDLE.x, MIDDLE.y + 1),))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    drawn = legal(
        works=desk.successes("power") > 0, successes=desk.successes("power"), luck=luck_in(desk.scene)
    )
    rune = next((area for area in desk.scene.areas if area.kind is kind), None)
    if rune is None or not {"creature", "maker_successes", "escape_dice", "paces"} & given.keys():
        return {**drawn, "rune_remains": rune is not None}
    there = Square(MIDDLE.x + near, MIDDLE.y + 1)
    escape = {f"save:{FOE}:{rune.id}": tuple(given.get("escape_dice", ()))}
    walked = move(turn_of(desk.scene, FOE), Go(actor=FOE, to=there), escape)
    if isinstance(walked, RuleProblem):
        return refused(walked)
    remains = any(area.id == rune.id for area in walked.scene.areas)
    held = walked.scene.effects_on(FOE, EffectKind.TRAPPED)
    return {
        **drawn,
        "alert": not remains,
        "rune_remains": remains,
        "trapped": bool(held),
        "hours": 1 if held and "hour" in effect_rules()[held[0].kind].name else 0,
    }


def _comer(words: str, at: Square) -> Being:
    """A creature a case names: living, undead, or one of the bestiary."""
    monster: Monster | None = called(CATALOG.monsters, words)
    tags = (words,) if monster is None else tuple(tag.value for tag in monster.traits)
    return person(FOE, at, Side.FOES, tags=tags)


def starlight(given: Given) -> Answer:
    """Starlight: no dice, no Luck, dim light."""
    desk = cast(scene_of(user_of("starlight", given)), "starlight", given)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    there = Square(MIDDLE.x + given.get("paces", 0), MIDDLE.y)
    return legal(works=True, level=light_at(desk.scene, there).value, luck=luck_in(desk.scene))


def wisp(given: Given) -> Answer:
    """Will o' the Wisp: whether it is there, its Luck, and its light so many paces off."""
    setting = str(given.get("setting", "bright"))
    desk = cast(scene_of(user_of("will-o-the-wisp", given)), "will-o-the-wisp", given, sort=setting)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    made = next((being for being in desk.scene.beings if being.leader == USER), None)
    there = Square(MIDDLE.x + given.get("paces", 0), MIDDLE.y)
    return legal(
        works=made is not None,
        wisp_luck=0 if made is None else made.luck,
        level=light_at(desk.scene, there).value,
        until="dismissed" if any(area.lasts == Duration(Until.KEPT) for area in desk.scene.areas) else None,
        luck=luck_in(desk.scene),
    )


ANSWERS: Mapping[str, Area] = {
    "briar-patch": laid,
    "call-vermin": laid,
    "chilling-mist": laid,
    "cloak": cloak,
    "fire-patch": laid,
    "firewalk": firewalk,
    "float": float_up,
    "fog-cloud": fog_cloud,
    "guard-circle": guard_circle,
    "healing-circle": healing_circle,
    "hearth-rune": hearth_rune,
    "ice-sheet": laid,
    "invisibility": invisibility,
    "ironform": ironform,
    "mistform": mistform,
    "poison-cloud": laid,
    "sentinel-rune": sentinel_rune,
    "stardust": stardust,
    "starlight": starlight,
    "stoneform": stoneform,
    "teleport": teleport,
    "trap-rune": trap_rune,
    "will-o-the-wisp": wisp,
}
"""How the cases of each power are answered, by the slug of the power."""
