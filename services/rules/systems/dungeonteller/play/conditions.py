"""What holds for a being just now: may they act and move, what do they see, what protects them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from services.rules.engine.effects import forbidden, tagged
from services.rules.engine.frozen import replace
from services.rules.engine.grid import Grid, Square, distance, line, sees
from services.rules.engine.ground.light import light_at as ground_light
from services.rules.engine.identity import remembered
from services.rules.engine.play import Disposition
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bestiary import Size, Tag
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.effects import effect_rules
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Creature,
    EffectKind,
    Scene,
    Side,
    Thing,
)
from services.rules.systems.dungeonteller.powers import Light

ACT, MOVE, ANYTHING = "act", "move", "anything"
"""What an effect may forbid."""

HELPLESS, STONE, BODILESS = "helpless", "stone", "bodiless"
"""Tags of effects: a helpless being does nothing at all; a bodiless one neither holds nor is held."""


def idle_problem(scene: Scene, being: Being) -> RuleProblem | None:
    """Why a being can do nothing at all just now."""
    if being.out:
        return RuleProblem(
            "knocked_out", f"{being.name} is knocked out for the scene.", "Basics / Luck", ("actor",)
        )
    return forbidden(scene.effects, effect_rules(), being.id, ANYTHING, being.name)


def action_problem(scene: Scene, being: Being) -> RuleProblem | None:
    """Why a being can make no action roll just now."""
    return idle_problem(scene, being) or forbidden(scene.effects, effect_rules(), being.id, ACT, being.name)


def move_problem(scene: Scene, being: Being) -> RuleProblem | None:
    """Why a being cannot leave their square just now."""
    return idle_problem(scene, being) or forbidden(scene.effects, effect_rules(), being.id, MOVE, being.name)


def helpless(scene: Scene, being: Being) -> bool:
    """Whether something lasts on a being that leaves them nothing to do."""
    return tagged(scene.effects, effect_rules(), being.id, HELPLESS)


def takes_turns(being: Being) -> bool:
    """Whether a being has turns of their own."""
    return being.creature in (Creature.PERSON, Creature.PET, Creature.MINION)


def can_take_turn(scene: Scene, being: Being) -> bool:
    """Whether there is anything for a being to do in a turn."""
    return not being.out and not helpless(scene, being)


_FOES_OF = {Side.HEROES: Side.FOES, Side.FOES: Side.HEROES}


def foes_of(scene: Scene, being: Being) -> tuple[Being, ...]:
    """Everybody on the other side, the knocked-out left out; a bystander has no foes."""
    other = _FOES_OF.get(being.side)
    return tuple(one for one in scene.beings if one.side is other and not one.out)


def is_friend(one: Being, other: Being) -> bool:
    """Whether two are on one side."""
    return one.side is other.side


def disposition(mover: Side, other: Side) -> Disposition:
    """How a being stands to the one who moves, by their sides: bystanders are on none."""
    if mover is other:
        return Disposition.FRIEND
    return Disposition.NEUTRAL if Side.BYSTANDERS in (mover, other) else Disposition.FOE


def knows_of(viewer: Being, other: Being) -> bool:
    """Whether a being knows where another is: friends always, others unless hidden and not found."""
    return other.hidden is None or is_friend(viewer, other) or viewer.id in other.found_by


def solid_grid(scene: Scene) -> Grid:
    """The grid with closed doors and the like as part of what is solid."""
    return _with_doors(scene.field.grid, scene.things)


@remembered(16)
def _with_doors(grid: Grid, things: tuple[Thing, ...]) -> Grid:
    doors = tuple(thing.at for thing in things if thing.solid and thing.at is not None)
    return _with_solid(grid, doors) if doors else grid


@lru_cache(maxsize=64)
def _with_solid(grid: Grid, squares: tuple[Square, ...]) -> Grid:
    return replace(grid, solid=(*grid.solid, *squares))


def taken_squares(scene: Scene, mover: Being) -> frozenset[Square]:
    """Squares another being stands in whom the mover knows of; what lies knocked out hinders nobody."""
    return frozenset(
        being.at
        for being in scene.beings
        if being.id != mover.id and fills_its_square(being) and knows_of(mover, being)
    )


def fills_its_square(being: Being) -> bool:
    """Whether nobody else fits into its square."""
    return not being.out and being.creature not in (
        Creature.FAMILIAR,
        Creature.WISP,
        Creature.EYE,
        Creature.PHANTOM,
    )


def in_sight(scene: Scene, one: Square, other: Square) -> bool:
    """Whether nothing solid is between two squares."""
    return sees(solid_grid(scene), one, other)


def areas_at(scene: Scene, square: Square, *kinds: str) -> Iterator[Area]:
    """What lies on a square, of some kinds or of any."""
    return (area for area in scene.areas if square in area.squares and (not kinds or area.kind in kinds))


def light_at(scene: Scene, square: Square) -> Light:
    """How bright a square is: the brightest of the place and of every light that reaches it.

    The lamps of a map shine as far as nothing solid stops them. Magical darkness swallows all light that does
    not shine brightly within it.
    """
    found = scene.field.light
    shining = [
        area.light
        for area in scene.areas
        if area.light is not None and area.squares and distance(_source(scene, area), square) <= area.radius
    ]
    if scene.field.grid.base is not None and scene.field.grid.base.lamps and scene.field.grid.holds(square):
        shining.append(Light(ground_light(solid_grid(scene).ground, square).name.lower()))
    if any(True for _ in areas_at(scene, square, AreaKind.DARKNESS)):
        return Light.DIM if Light.BRIGHT in shining else Light.DARK
    if found is Light.BRIGHT or Light.BRIGHT in shining:
        return Light.BRIGHT
    return Light.DIM if found is Light.DIM or Light.DIM in shining else Light.DARK


def _source(scene: Scene, area: Area) -> Square:
    """Where a light shines from: a glow goes along with its bearer."""
    bearer = scene.being(area.bearer)
    return area.squares[0] if bearer is None else bearer.at


def armor_against(scene: Scene, catalog: Catalog, target: Being, action: Action, attacker: Being) -> int:
    """Dice that protect a being from a Battle or Shoot roll, a Dodge left out (Stuff / Armor).

    Stone and iron stand in for worn armour where they are harder; circles, mist and being unseen come on top.
    """
    worn = target.armor - _sleeping_armor(scene, catalog, target)
    armor = max([worn, *stone_armor(scene, target)])
    for effect in scene.effects_on(target.id, EffectKind.INVISIBLE):
        figures = catalog.powers[effect.cause].figures
        unseen = figures.armor_battle if action is Action.BATTLE else figures.armor_shoot
        armor += unseen or 0 if action in (Action.BATTLE, Action.SHOOT) else 0
    if "malicious" in attacker.tags:
        circle = circle_at(scene, target, AreaKind.GUARD_CIRCLE)
        if circle is not None:
            armor += catalog.powers[circle.cause].figures.armor or 0
    if action is Action.SHOOT:
        between = line(attacker.at, target.at)
        for area in scene.areas:
            if area.kind == AreaKind.CHILL and not set(between).isdisjoint(area.squares):
                armor += catalog.powers[area.cause].figures.armor_shoot or 0
                break
    return armor


def stone_armor(scene: Scene, being: Being) -> tuple[int, ...]:
    """The Armor of what makes a being hard."""
    rules = effect_rules()
    return tuple(each.amount for each in scene.effects_on(being.id) if STONE in rules[each.kind].tags)


def circle_at(scene: Scene, being: Being, kind: str) -> Area | None:
    """A circle a being stands in that serves them: their own side's, or one nobody in the scene drew."""
    for area in areas_at(scene, being.at, kind):
        maker = scene.being(area.source)
        if maker is None or is_friend(maker, being):
            return area
    return None


def _sleeping_armor(scene: Scene, catalog: Catalog, being: Being) -> int:
    """Armor that magic armour does not give while its magic sleeps (More Wizard Powers / Undo Magic)."""
    treasure = catalog.treasures.get(being.worn)
    magic, plain = catalog.armor_of(being.worn), catalog.armor.get(treasure.base or "") if treasure else None
    asleep = any(effect.about == being.worn for effect in scene.effects_on(being.id, EffectKind.SUPPRESSED))
    return magic.value - plain.value if asleep and magic is not None and plain is not None else 0


def human_like(catalog: Catalog, being: Being) -> bool:
    """Whether a being has the shape of a human, as heroes and goblins have (Wizard / Disguise)."""
    monster = catalog.monsters.get(being.kind)
    return being.hero or being.kind in catalog.roles or (monster is not None and monster.has(Tag.HUMANLIKE))


def smaller_than_giant(being: Being) -> bool:
    """Whether a power that spares giants works on a being."""
    return being.size is not Size.GIANT
