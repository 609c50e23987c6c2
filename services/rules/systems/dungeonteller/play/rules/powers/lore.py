"""Powers about things and magic: what a thing is worth, how it falls to pieces, how a spell ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.problem import KeyPath
from services.rules.engine.steps import Steps
from services.rules.engine.wording import listed
from services.rules.systems.dungeonteller.catalog import Catalog, plain, price_of
from services.rules.systems.dungeonteller.outfit import object_luck
from services.rules.systems.dungeonteller.play.conditions import in_sight
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import AreaEnded, ArmorLost, ThingSpent
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.battle import break_thing
from services.rules.systems.dungeonteller.play.rules.power import (
    FAILED,
    Use,
    cast,
    failed,
    handles,
    lasting,
    only_target,
    tell,
)
from services.rules.systems.dungeonteller.play.rules.powers.targets import may_know, thing_in_sight
from services.rules.systems.dungeonteller.play.rules.stuff import lose_arm
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Arm,
    Being,
    Creature,
    Effect,
    EffectKind,
    Thing,
)
from services.rules.systems.dungeonteller.play.targeting import target_problem
from services.rules.systems.dungeonteller.things import Treasure

ARMOR = "armor"
"""Names the armour a being wears, as a second target behind its wearer."""

NO_WOOD_LEATHER_OR_METAL = ("bones", "corpse", "stone", "glass", "cloth", "paper", "water")
"""Tags of what does not corrode: only wood, leather and metal do."""

MAKER = "magic:"
"""Tag of a magic thing that says its maker's Magic: `magic:4`."""

USUAL_MAKER = 6
"""Magic of whoever made a magic thing that does not say so: a wizard's (Roles / Wizard)."""

MADE = (Creature.WISP, Creature.EYE, Creature.PHANTOM)
"""Creatures that are nothing but a spell."""


# Appraise


@handles("appraise")
def appraise(desk: Desk, use: Use) -> Steps:
    """Appraise: learn what a thing is worth; one try for each thing, and rare ones take more successes."""
    target = only_target(use)
    thing = thing_in_sight(use, target)
    for effect in use.scene.effects_on(use.being.id, EffectKind.TRIED):
        if effect.cause == use.power.id and effect.about == thing.id:
            text = f"{use.being.name} has looked at {thing.name} already."
            limit = use.power.figures.tries_per_item
            raise use.refused("already_tried", text, ("targets", 0), thing.id, limit)
    value, needed = worth(use.catalog, thing)
    successes = yield from cast(desk, use)
    found = successes >= needed
    lasting(
        desk, use, Effect(id="", kind=EffectKind.TRIED, bearer=use.being.id, amount=successes, about=thing.id)
    )
    if found:
        tell(desk, use, successes, targets=(thing.id,), number=value)
    else:
        tell(desk, use, successes, targets=(thing.id,), outcome=FAILED)


def worth(catalog: Catalog, thing: Thing) -> tuple[int, int]:
    """A thing's value in gold, and the Notice successes that takes; nothing where nobody would pay for it."""
    item = catalog.item(thing.item)
    if thing.value is not None:
        return thing.value, max(thing.appraise, 1)
    if isinstance(item, Treasure):
        return item.gold, max(item.appraise, thing.appraise, 1)
    return thing.gold or price_of(item) or 0, max(thing.appraise, 1)


# Corrosion and what magic things are


@dataclass(frozen=True, slots=True)
class Belonging:
    """One thing that may be taken apart or put to sleep: lying about, in hand, or worn.

    Attributes:
        owner: Id of whoever has it; empty when it lies about.
        id: Id of the thing or weapon, or content id of the armour.
        thing: The thing, if it is one.
        arm: The weapon, if it is one.
        luck: Successes that destroy it; None for what nothing destroys.
        maker: Magic of whoever put magic into it, where there is any.
    """

    owner: str
    id: str
    name: str
    luck: int | None
    magical: bool
    maker: int = USUAL_MAKER
    thing: Thing | None = None
    arm: Arm | None = None


def belonging(use: Use) -> Belonging:
    """What a use names: (thing), (being, weapon), (being, "armor"), or (being) for what it holds or wears."""
    targets = use.move.targets
    if not 1 <= len(targets) <= 2:
        raise use.refused("needs_one_target", "Choose one thing.", ("targets",), len(targets), 1)
    if use.scene.being(targets[0]) is None:
        thing = thing_in_sight(use, targets[0])
        return _of_thing(use.catalog, thing)
    refuse_if(target_problem(use.scene, use.being, targets[0], ("targets", 0)))
    owner = use.scene.being(targets[0])
    assert owner is not None
    named = targets[1] if len(targets) == 2 else ""
    held = [arm for arm in owner.arms if not arm.natural and (arm.id == named or (not named and arm.held))]
    if held:
        return _of_arm(use.catalog, owner, max(held, key=lambda arm: arm.dice))
    if named in ("", ARMOR, owner.worn) and owner.worn:
        return _of_armor(use.catalog, owner)
    for thing in use.scene.things:
        if thing.holder == owner.id and thing.id == named:
            return _of_thing(use.catalog, thing)
    code = "target_has_no_armor" if named == ARMOR else "unknown_target"
    text = f"{owner.name} has nothing like that."
    raise use.refused(code, text, ("targets", len(targets) - 1), targets[-1])


def _of_thing(catalog: Catalog, thing: Thing) -> Belonging:
    item = catalog.weapon_of(thing.item) or catalog.armor_of(thing.item)
    listed = _listed(catalog, thing.item, thing.name)
    luck = thing.luck
    if luck is None:
        luck = listed if listed is not None else None if item is None else object_luck(item)
    if not set(NO_WOOD_LEATHER_OR_METAL).isdisjoint(thing.tags):
        luck = None
    treasure = catalog.treasures.get(thing.item)
    magical = thing.magical or (treasure is not None and treasure.magic)
    makers = [int(tag.removeprefix(MAKER)) for tag in thing.tags if tag.startswith(MAKER)]
    return Belonging(
        thing.holder, thing.id, thing.name, luck, magical, max(makers, default=USUAL_MAKER), thing=thing
    )


def _of_arm(catalog: Catalog, owner: Being, arm: Arm) -> Belonging:
    weapon = catalog.weapon_of(arm.id)
    listed = _listed(catalog, arm.id, arm.name)
    luck = listed if listed is not None else object_luck(weapon) if weapon is not None else max(arm.dice, 1)
    treasure = catalog.treasures.get(arm.id)
    magical = arm.magical or (treasure is not None and treasure.magic)
    return Belonging(owner.id, arm.id, arm.name, luck, magical, arm=arm)


def _of_armor(catalog: Catalog, owner: Being) -> Belonging:
    armor = catalog.armor_of(owner.worn)
    assert armor is not None
    listed = _listed(catalog, owner.worn, armor.name)
    luck = listed if listed is not None else object_luck(armor)
    return Belonging(owner.id, owner.worn, armor.name, luck, owner.worn in catalog.treasures)


def _listed(catalog: Catalog, item: str, name: str) -> int | None:
    """Luck of an object on the book's list, by what it is or what it is called."""
    for one in catalog.objects:
        if (item and one.item == item) or plain(one.name) == plain(name):
            return one.luck
    return None


@handles("corrosion")
def corrode(desk: Desk, use: Use) -> Steps:
    """Corrosion: destroy one thing of wood, leather or metal, with as many successes as it has Luck.

    Magic things take no harm: the spell is cast and paid for in vain (P18 for things without a figure).
    """
    found = belonging(use)
    if found.luck is None:
        text = f"The {found.name} is not of wood, leather or metal that could be destroyed."
        raise use.refused("target_indestructible", text, ("targets", 0), found.id)
    needed = found.luck
    successes = yield from cast(desk, use)
    targets = use.move.targets
    if found.magical:
        tell(desk, use, successes, targets=targets, outcome="failed.magic", words=found.name)
    elif successes < needed:
        tell(desk, use, successes, targets=targets, outcome=FAILED, words=found.name)
    else:
        tell(desk, use, successes, targets=targets, words=found.name)
        destroy(desk, found)


def destroy(desk: Desk, found: Belonging) -> None:
    """A thing is destroyed; its owner does without it."""
    if found.thing is not None:
        if found.thing.count > 1:
            left = found.thing.count - 1
            desk.do(ThingSpent(thing=found.thing.id, left=left, destroyed=True))
        else:
            break_thing(desk, found.thing)
        return
    owner = desk.being(found.owner)
    if found.arm is None:
        armor = desk.catalog.armor_of(owner.worn)
        value = 0 if armor is None else armor.value
        desk.do(ArmorLost(being=owner.id, armor=max(0, owner.armor - value)))
        return
    lose_arm(desk, owner.id, found.arm)


# Undo Magic


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell that can be undone.

    Attributes:
        magic: Magic of its caster: the successes it takes.
        what: What goes away with it.
    """

    name: str
    magic: int
    what: Effect | Area | Being


@handles("undo-magic")
def undo_magic(desk: Desk, use: Use) -> Steps:
    """Undo Magic: end the spells on a being, on something or at a place.

    Each spell ends that has no more Magic behind it than there are successes. The aim is an effect or an
    area, a being, a square, or a magic thing: (thing), (being, weapon), (being, "armor"). A magic thing is
    under a lasting enchantment, as a familiar is, and only sleeps for a turn.
    """
    spells = _spells(use)
    if not spells:
        yield from _suppress(desk, use)
        return
    successes = yield from cast(desk, use)
    _undo(desk, use, spells, successes)


def _spells(use: Use) -> tuple[Spell, ...]:
    """The spells a use is aimed at; none when it is aimed at a thing."""
    scene, targets = use.scene, use.move.targets
    if not targets:
        if not use.move.squares:
            raise use.refused("needs_one_target", "Choose one.", ("targets",), 0, 1)
        square = use.move.squares[0]
        if not in_sight(scene, use.being.at, square):
            text = "That place is out of sight."
            raise use.refused("square_out_of_sight", text, ("squares", 0), (square.x, square.y))
        here = (area for area in scene.areas if square in area.squares)
        return _some(use, _known_spells(use, here), ("squares", 0))
    if len(targets) == 1:
        everything: tuple[Effect | Area, ...] = (*scene.effects, *scene.areas)
        for lasting_one in everything:
            if lasting_one.id == targets[0] and may_know(use.being, lasting_one.audience):
                _refuse_out_of_sight(use, lasting_one)
                return _some(use, _known_spells(use, (lasting_one,)), ("targets", 0))
        target = scene.being(targets[0])
        if target is not None and target.creature is not Creature.FAMILIAR:
            refuse_if(target_problem(scene, use.being, target.id, ("targets", 0)))
            found = _known_spells(use, scene.effects_on(target.id))
            leader = scene.being(target.leader)
            if target.creature in MADE and not found and leader is not None:
                found = (Spell(target.name, leader.ratings.magic, target),)
            return _some(use, found, ("targets", 0))
    return ()


def _known_spells(use: Use, lasting_ones: Iterable[Effect | Area]) -> tuple[Spell, ...]:
    return tuple(
        Spell(power.name, found.strength, found)
        for found in lasting_ones
        if found.strength > 0
        and may_know(use.being, found.audience)
        and (power := use.catalog.powers.get(found.cause)) is not None
    )


def _some(use: Use, spells: tuple[Spell, ...], path: KeyPath) -> tuple[Spell, ...]:
    if not spells:
        raise use.refused("no_spell_there", "There is no spell to undo.", path)
    return spells


def _refuse_out_of_sight(use: Use, found: Effect | Area) -> None:
    """Refuses to undo a spell of which nothing is in sight."""
    path = ("targets", 0)
    if isinstance(found, Effect):
        refuse_if(target_problem(use.scene, use.being, found.bearer, path))
        return
    bearer = use.scene.being(found.bearer)
    squares: tuple[Square, ...] = found.squares if bearer is None else (bearer.at,)
    if not any(in_sight(use.scene, use.being.at, square) for square in squares):
        raise use.refused("target_out_of_sight", "That is out of sight.", path, found.id)


def _undo(desk: Desk, use: Use, spells: tuple[Spell, ...], successes: int) -> None:
    ended = tuple(spell for spell in spells if successes >= spell.magic)
    if ended:
        names = listed([*dict.fromkeys(spell.name for spell in ended)])
        tell(desk, use, successes, targets=use.move.targets, words=names)
    else:
        least = min(spell.magic for spell in spells)
        tell(desk, use, successes, targets=use.move.targets, outcome="failed.held", number=least)
    for spell in ended:
        _end(desk, spell.what)


def _end(desk: Desk, what: Effect | Area | Being) -> None:
    """A spell ends; what it made goes with it."""
    if isinstance(what, Being):
        desk.vanish(what.id)
        return
    ids = {what.bearer} if isinstance(what, Area) else {what.bearer, what.about}
    made = [being for being in desk.scene.beings if being.id in ids and being.creature in MADE]
    if isinstance(what, Area):
        desk.do(AreaEnded(area=what.id))
    elif any(effect.id == what.id for effect in desk.scene.effects):
        desk.lift(what)
    for being in made:
        desk.vanish(being.id)


def _suppress(desk: Desk, use: Use) -> Steps:
    """A magic thing or a familiar sleeps for a turn (Undo Magic, permanent enchantment)."""
    familiar = use.scene.being(use.move.targets[0])
    owner = None if familiar is None else use.scene.being(familiar.leader)
    if familiar is not None and familiar.creature is Creature.FAMILIAR and owner is not None:
        refuse_if(target_problem(use.scene, use.being, familiar.id, ("targets", 0)))
        found = Belonging(owner.id, familiar.id, familiar.name, None, True, owner.ratings.magic)
    else:
        found = belonging(use)
    if not found.magical:
        raise use.refused("no_spell_there", f"There is no magic in {found.name}.", ("targets", 0))
    successes = yield from cast(desk, use)
    if successes < found.maker:
        failed(desk, use, use.move.targets)
        return
    desk.put(
        Effect(
            id="",
            kind=EffectKind.SUPPRESSED,
            bearer=found.owner or found.id,
            source=use.being.id,
            cause=use.power.id,
            lasts=desk.for_turns(use.being.id, 1),
            about=found.id,
            words=found.name,
        )
    )
    tell(desk, use, successes, targets=use.move.targets, outcome="asleep", words=found.name)
