"""What lies on the grid: patches, clouds, swarms and lights, played out for cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.content import slug_of
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.conditions import areas_at, light_at
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.moves import Struggle
from services.rules.systems.dungeonteller.play.pools import reaction
from services.rules.systems.dungeonteller.play.rules.battle import hit_object
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Effect,
    EffectKind,
    Scene,
    Side,
)
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    Answer,
    Given,
    find,
    own_power,
    refused,
)
from tests.conformance.dungeonteller.stage import (
    FOE,
    LUCK,
    MIDDLE,
    USER,
    WIN,
    Stage,
    being_in,
    cast,
    desk_of,
    legal,
    luck_in,
    move,
    pass_turns,
    person,
    scene_of,
    turn_of,
    user_of,
)

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "fire": "fire-patch",
        "ice": "ice-sheet",
        "briar": "briar-patch",
        "thorn": "briar-patch",
        "chill": "chilling-mist",
        "mist": "chilling-mist",
        "poison": "poison-cloud",
    }
)
"""The power that lays what a case calls so, by how its name begins."""

VERMIN = (AreaKind.LOCUSTS, AreaKind.SCARABS, AreaKind.SCORPIONS)
FED_BY = ("grass", "wood", "oil", "straw", "hay", "flammable")
SPOT = Square(MIDDLE.x + 3, MIDDLE.y)
TOUGH = MappingProxyType({"stoneform": 5, "ironform": 7, "turned_to_stone": 5})


def zone(given: Given) -> Answer:
    """Cases about what lies on the grid, by what they ask."""
    if "swarm_luck" in given:
        return _swarm_hit(given)
    if "swarm" in given:
        return _in_swarm(given)
    if "light" in given:
        return _lit(given)
    if "existing" in given:
        return _meeting(given)
    if "turns_later" in given:
        return _later(given)
    if "zone" in given:
        return _stood_in(given)
    if "power" in given:
        return laid(given)
    raise UnsupportedCaseError("no zone, swarm, light or power")


def laid(given: Given) -> Answer:
    """A power that is laid: how many squares, or why not."""
    power = find(CATALOG.powers, given["power"])
    slug = slug_of(power.id)
    successes = sum(face >= WIN - 1 for face in given.get("dice", ()))
    # As far right and down of the middle as the case says, whatever numbers it uses.
    wished = tuple(Square(MIDDLE.x + x, MIDDLE.y + y) for x, y in given.get("squares", ()))
    line = tuple(Square(MIDDLE.x + 1 + index, MIDDLE.y) for index in range(max(1, successes)))
    desk = cast(
        scene_of(user_of(slug, given)),
        slug,
        given,
        squares=wished or line,
        sort=_vermin(given.get("kind", given.get("swarm", "locusts"))),
    )
    if isinstance(desk, RuleProblem):
        return refused(desk)
    areas = desk.scene.areas
    count = sum(len(area.squares) for area in areas)
    return legal(
        works=bool(areas),
        successes=desk.successes("power"),
        patches=count,
        clouds=count,
        must_join=power.zone is not None and power.zone.must_join,
        turns=max((area.lasts.left for area in areas), default=0),
        swarm_luck=max((area.luck or 0 for area in areas), default=0),
        across=power.figures.across,
        luck=luck_in(desk.scene),
    )


def _power_of(words: str) -> str:
    """The slug of the power that lays what a case names."""
    for beginning, slug in KINDS.items():
        if words.lower().replace(" ", "_").startswith(beginning):
            return slug
    raise UnsupportedCaseError(f"nothing on the grid is called {words!r}")


def _vermin(words: str) -> str:
    for kind in VERMIN:
        if words.lower().rstrip("s") == kind.rstrip("s"):
            return kind
    raise UnsupportedCaseError(f"no swarm is called {words!r}")


def _sized(words: str) -> Size:
    return Size(words) if words in {size.value for size in Size} else Size.HUMAN


def _victim(given: Given, action: Action | None) -> Being:
    """A being with as many dice against harm as the case rolls."""
    dice = len(given.get("save_dice", ()))
    ratings = Ratings() if action is None else replace(Ratings(), **{action.value: dice})
    size = _sized(str(given.get("size", "human")))
    luck = given.get("luck", LUCK)
    return person(
        FOE,
        SPOT,
        Side.FOES,
        ratings=ratings,
        size=size,
        armor=given.get("armor", 0),
        luck=luck,
        max_luck=luck,
    )


def _lay_under(given: Given, slug: str, victim: Being, kind: str = "") -> Stage:
    """What a power does to a being it is laid under."""
    effects = tuple(
        Effect(id=f"tough-{name}", kind=EffectKind.STATUE, bearer=FOE, amount=armor)
        for name, armor in TOUGH.items()
        if given.get(name) or given.get("form", given.get("state")) == name
    )
    if "fire_armor" in given:
        proof = EffectKind.FIREPROOF
        effects = (*effects, Effect(id="tough-fire", kind=proof, bearer=FOE, amount=given["fire_armor"]))
    scene = replace(scene_of(user_of(slug, {}), victim), effects=effects)
    faces = {f"save:{FOE}:0": tuple(given.get("save_dice", ()))}
    desk = cast(scene, slug, {}, faces, squares=(SPOT,), sort=kind)
    assert isinstance(desk, Stage)
    return desk


def _turns_lost(scene: Scene) -> int:
    return sum(effect.amount for effect in scene.effects_on(FOE, EffectKind.LOSES_TURNS))


def _stood_in(given: Given) -> Answer:
    """A being stands on a patch or in a cloud."""
    slug = _power_of(str(given["zone"]))
    laid_there = own_power(slug).zone
    victim = _victim(given, None if laid_there is None else laid_there.saved_by)
    scene = _lay_under(given, slug, victim).scene
    turns = _turns_lost(scene)
    if scene.has(FOE, EffectKind.CAUGHT):
        tear = _in_a_hurry(given)
        torn = move(turn_of(scene, FOE), Struggle(actor=FOE, tear=tear))
        assert isinstance(torn, Stage)
        scene = torn.scene
        turns = 0 if tear else 1
    now = being_in(scene, FOE)
    return legal(
        luck_lost=(victim.luck or 0) - (now.luck or 0),
        luck=now.luck,
        falls=turns > 0 and slug == "ice-sheet",
        turns_lost=turns,
        knocked_out=now.out,
    )


def _in_a_hurry(given: Given) -> bool:
    """Whether a being in thorns pays Luck to be out at once."""
    said = [str(given[key]).lower() for key in ("choice", "way", "escape", "pays", "how") if key in given]
    hasty = ("luck", "tear", "hurry", "rush", "fast", "move")
    return bool(given.get("tear")) or any(word in text for text in said for word in hasty)


def _later(given: Given) -> Answer:
    """Whether something is still there after so many turns of its caster."""
    slug = _power_of(str(given["zone"]))
    fed = str(given.get("ground", "stone")).lower() in FED_BY
    scene = scene_of(user_of(slug, {}), flammable=(SPOT,) if fed else ())
    desk = cast(scene, slug, {}, squares=(SPOT,))
    assert isinstance(desk, Stage)
    after = pass_turns(desk.scene, 1 + int(given["turns_later"]))
    return legal(exists=any(areas_at(after, SPOT)))


def _meeting(given: Given) -> Answer:
    """One thing is laid where another lies."""
    old, new = str(given["existing"]), str(given["new"])
    scene = scene_of(user_of(_power_of(old), {}))
    for words in (old, new):
        slug = _power_of(words)
        user = replace(user_of(slug, {}), at=MIDDLE)
        ready = turn_of(replace(scene, beings=(user,)), USER)
        desk = cast(ready, slug, {}, squares=(SPOT,))
        assert isinstance(desk, Stage)
        scene = desk.scene
    lying = {area.cause for area in areas_at(scene, SPOT)}
    return legal(**{f"{words}_remains": own_power(_power_of(words)).id in lying for words in (old, new)})


def _swarm_hit(given: Given) -> Answer:
    """A Battle or Shoot roll at a swarm."""
    swarm = Area(
        id="swarm-1",
        kind=_vermin(str(given.get("swarm", given.get("kind", "locusts")))),
        squares=(SPOT,),
        luck=given["swarm_luck"],
    )
    desk = desk_of(replace(scene_of(person(USER, MIDDLE)), areas=(swarm,)))
    action = Action(str(given["attack"]).lower())
    hit_object(desk, being_in(desk.scene, USER), swarm, given["successes"], action)
    left = next((area.luck or 0 for area in desk.scene.areas), 0)
    return legal(swarm_luck=left, exists=bool(desk.scene.areas))


def _in_swarm(given: Given) -> Answer:
    """A being is in a swarm: their dice, a lost turn, poison."""
    kind = _vermin(str(given["swarm"]))
    if "dice" in given and isinstance(given["dice"], Mapping):
        ratings = Ratings(**{name.lower(): dice for name, dice in given["dice"].items()})
        victim = person(FOE, SPOT, Side.FOES, ratings=ratings, luck=None)
        dark = _lay_under(given, "call-vermin", victim, kind).scene
        scene = replace(dark, field=replace(dark.field, light=Light.BRIGHT))
        return legal(
            dice={
                name: reaction(scene, CATALOG, being_in(scene, FOE), (Action(name.lower()),)).value
                for name in given["dice"]
            }
        )
    scene = _lay_under(given, "call-vermin", _victim(given, zone_rules()[kind].saved_by), kind).scene
    pool = replace(being_in(scene, FOE), ratings=Ratings(battle=given.get("pool_before", 0)), luck=None)
    return legal(
        turns_lost=_turns_lost(scene),
        poisoned=scene.has(FOE, EffectKind.POISONED),
        pool=reaction(scene, CATALOG, pool, (Action.BATTLE,)).value,
        luck_lost=LUCK - luck_in(scene, FOE),
    )


def _lit(given: Given) -> Answer:
    """How bright it is so many paces from a light in a dark place."""
    power = find(CATALOG.powers, given["light"])
    slug = slug_of(power.id)
    desk = cast(scene_of(user_of(slug, {})), slug, {}, sort=str(given.get("setting", "")))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    return legal(level=light_at(desk.scene, Square(MIDDLE.x + given["paces"], MIDDLE.y)).value)
