"""Companions: skeletons, zombies and orcs that serve, familiars, and tame animals."""

from __future__ import annotations

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.grid import Square
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.catalog import SLUG
from services.rules.systems.dungeonteller.companions import FAMILIARS, Bond, Companion, familiars_of
from services.rules.systems.dungeonteller.play.arrivals import companion_being, familiar_dice
from services.rules.systems.dungeonteller.play.conditions import in_sight
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Helped, LuckChanged, MaximumLowered, Tamed
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.gear import spend
from services.rules.systems.dungeonteller.play.rules.power import (
    FAILED,
    Use,
    cast,
    failed,
    handles,
    lasting,
    tell,
)
from services.rules.systems.dungeonteller.play.rules.powers.targets import (
    one_foe,
    sort_problem,
    square_for,
    thing_in_sight,
    unused_name,
    words_problem,
)
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Creature,
    Effect,
    EffectKind,
    Scene,
    Thing,
)

REMAINS = {"raise-skeleton": "bones", "raise-zombie": "corpse"}
"""What each needs, as a thing's tag."""

# Minions


@handles("raise-skeleton", "raise-zombie")
def raise_dead(desk: Desk, use: Use) -> Steps:
    """Raise Skeleton and Raise Zombie: bones or a body in sight get up and serve; nothing is rolled.

    Where no such thing was put into the scene, the words say whose they are, and they lie beside the caster.
    """
    remains = _remains(use)
    near = remains.at if remains is not None and remains.at is not None else use.being.at
    at = square_for(use, near)
    yield from _call_minion(desk, use, slug_of(use.power.id).removeprefix("raise-"), at, remains)


@handles("summon-orc")
def summon_orc(desk: Desk, use: Use) -> Steps:
    """Summon Orc: an orc appears and serves; nothing is rolled."""
    at = square_for(use, use.being.at)
    yield from _call_minion(desk, use, "orc", at)


def _remains(use: Use) -> Thing | None:
    """The bones or body to raise; None when only words say what they are."""
    tag = REMAINS[slug_of(use.power.id)]
    code = f"needs_{tag}"
    if len(use.move.targets) > 1:
        raise use.refused("needs_one_target", "Choose one.", ("targets",), len(use.move.targets), 1)
    if use.move.targets:
        thing = thing_in_sight(use, use.move.targets[0])
        if isinstance(thing, Thing) and tag not in thing.tags:
            raise use.refused(code, f"The {thing.name} will not get up.", ("targets", 0), thing.id, tag)
        return thing
    lying = [
        thing
        for thing in use.scene.things
        if tag in thing.tags
        and thing.at is not None
        and (thing.hidden is None or use.being.id in thing.found_by)
        and in_sight(use.scene, use.being.at, thing.at)
    ]
    if len(lying) == 1:
        return lying[0]
    if lying or not use.move.words.strip():
        text = "Say whose bones they are." if tag == "bones" else "Say whose body it is."
        raise use.refused(code, text, ("targets",), 0, tuple(thing.id for thing in lying))
    refuse_if(words_problem(use))
    return None


def _call_minion(desk: Desk, use: Use, monster: str, at: Square, remains: Thing | None = None) -> Steps:

    yield from cast(desk, use)
    if remains is not None:
        spend(desk, remains)
    owner = desk.being(use.being.id)
    called = _called(desk, owner, monster, Bond.MINION)
    minion = companion_being(desk.number("minion"), called, owner, desk.catalog, at)
    desk.arrive(minion, behind=owner.id)
    lower_maximum(desk, owner.id, minion.burden)
    tell(desk, use, 1, targets=(minion.id,))


def _called(desk: Desk, owner: Being, monster: str, bond: Bond) -> Companion:
    """A new companion, under a name that nobody else in the scene has."""
    kind = desk.catalog.monsters[content_id(SLUG, "monster", monster)]
    name = unused_name(desk.scene, f"{owner.name}'s {kind.name}")
    return Companion(monster=kind.id, bond=bond, name=name)


def lower_maximum(desk: Desk, being_id: str, burden: int) -> None:
    """A companion lowers its owner's maximum Luck; what is above it is lost (Raise Skeleton)."""
    if not burden:
        return
    owner = desk.being(being_id)
    desk.do(MaximumLowered(being=being_id, by=burden))
    ceiling = max(0, desk.being(being_id).max_luck - owner.cold)
    if owner.luck is not None and owner.luck > ceiling:
        change = ceiling - owner.luck
        desk.do(LuckChanged(being=being_id, luck=ceiling, change=change, cause="companion"))


# Familiars


@handles("summon-familiar", "summon-greater-familiar")
def summon_familiar(desk: Desk, use: Use) -> Steps:
    """Summon Familiar, Summon Greater Familiar: a magic animal that lends dice to Magic and another action.

    A greater one lends a spell of its own as well.
    """
    refuse_if(sort_problem(use, familiars_of(slug_of(use.power.id))))
    known = familiar_of(use.scene, use.being)
    if known is not None:
        text = f"{use.being.name} has a familiar already: {known.name}."
        raise use.refused("limit_in_play", text, ("power",), 1, use.power.figures.limit)
    kind = FAMILIARS[use.move.sort]
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    owner = desk.being(use.being.id)
    called = _called(desk, owner, use.move.sort, Bond.FAMILIAR)
    familiar = companion_being(desk.number("familiar"), called, owner, desk.catalog, owner.at)
    desk.arrive(familiar)
    dice = familiar_dice(familiar, desk.catalog)
    desk.do(Helped(being=owner.id, familiar=familiar.id, bonuses=dice, powers=familiar.lends))
    lower_maximum(desk, owner.id, familiar.burden)
    words = kind.helps.label
    tell(desk, use, successes, targets=(familiar.id,), number=kind.dice, words=words)


def familiar_of(scene: Scene, being: Being) -> Being | None:
    """A being's familiar."""
    for other in scene.beings:
        if other.creature is Creature.FAMILIAR and other.leader == being.id:
            return other
    return None


# Pets


@handles("tame-animal")
def tame_animal(desk: Desk, use: Use) -> Steps:
    """Tame Animal: an animal without words becomes a pet; the n-th try on it needs n successes (P20, P33)."""
    pet = pet_of(use.scene, use.being)
    if pet is not None:
        text = f"{use.being.name} has a pet already: {pet.name}."
        raise use.refused("limit_in_play", text, ("power",), 1, use.power.figures.limit)
    animal = one_foe(use)
    tame = animal.creature is not Creature.PERSON or bool(animal.leader) or animal.hero
    if "animal" not in animal.tags or animal.ratings.talk > 0 or tame:
        raise use.refused(
            "target_not_animal", f"{animal.name} cannot be tamed.", ("targets", 0), animal.id, "animal"
        )
    tried = next(
        (
            effect
            for effect in use.scene.effects_on(use.being.id, EffectKind.TRIED)
            if effect.cause == use.power.id and effect.about == animal.id
        ),
        None,
    )
    needed = 1 + (0 if tried is None else tried.amount)
    successes = yield from cast(desk, use)
    if successes >= needed:
        if tried is not None:
            desk.lift(tried)
        become_pet(desk, animal.id, use.being.id)
        tell(desk, use, successes, targets=(animal.id,))
        return
    if tried is None:
        lasting(
            desk,
            use,
            Effect(id="", kind=EffectKind.TRIED, bearer=use.being.id, amount=needed, about=animal.id),
        )
    else:
        desk.change(tried, needed)
    tell(desk, use, successes, targets=(animal.id,), outcome=FAILED, number=needed + 1)


def pet_of(scene: Scene, being: Being) -> Being | None:
    """A being's pet."""
    for other in scene.beings:
        if other.creature is Creature.PET and other.leader == being.id:
            return other
    return None


def become_pet(desk: Desk, animal_id: str, owner_id: str) -> None:
    """An animal follows a being from now on: on their side, with its turn behind theirs."""
    desk.do(Tamed(being=animal_id, owner=owner_id))
    desk.follow(animal_id, owner_id)
