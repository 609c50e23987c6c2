"""What lasts on combatants: conditions of the book, and `content/effects.toml`, all as rules of effects.

The figures of conditions are read where pools, energy and movement are counted (`conditions`,
`pools.attack_pool`); here stand how they begin and end, and what the other effects add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.effects import (
    Duration,
    Effect,
    EffectRule,
    Lasting,
    Stacking,
    Until,
    on,
    parts,
    tagged,
)
from services.rules.engine.explain import Part
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.conditions import CONDITIONS, borne
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.traits import Trait
from services.rules.systems.forge_engine.world import Condition, ConditionKind

WHOLE_SCENE = Duration()

SHAKEN_OFF_AT = 8
"""The difficulty of Shake It Off (R-51)."""


def condition_id(slug: str) -> str:
    """The content id of a condition."""
    return content_id(SLUG, "condition", slug)


def effect_id(slug: str) -> str:
    """The content id of another effect."""
    return content_id(SLUG, "effect", slug)


PRONE, SLOWED, GRAPPLED, RESTRAINED, POISONED = map(
    condition_id, ("prone", "slowed", "grappled", "restrained", "poisoned")
)
HOLDING = effect_id("holding")
HELD = (GRAPPLED, RESTRAINED)
MOUNTED, DRIVING, ABOARD, SADDLED = map(effect_id, ("mounted", "driving", "aboard", "saddled"))
CARRIED = (MOUNTED, DRIVING, ABOARD)
"""Effects on those whom a mount or vehicle carries, which is their source."""


@lru_cache(maxsize=64)
def rules(catalog: Catalog) -> Mapping[str, Lasting]:
    """What every kind of effect does, by content id."""
    found: dict[str, Lasting] = {one.id: _of_condition(one) for one in catalog.conditions}
    return found | dict(catalog.effects.entries)


def _of_condition(condition: Condition) -> EffectRule:
    forbids = (*(("move", "run") if condition.immobile else ()), *(("run",) if condition.no_running else ()))
    return EffectRule(
        id=condition.id,
        name=condition.name.lower(),
        rule=f"{CONDITIONS} / {condition.name}",
        forbids=forbids,
        tags=tuple(kind.value for kind in condition.kinds),
        stacking=Stacking.ONCE,
    )


def conditions_of(fight: Fight, who: str) -> tuple[Condition, ...]:
    """The conditions that a combatant is under, each once."""
    ids = condition_ids(fight, who)
    return borne(ids, fight.catalog) if ids else ()


def condition_ids(fight: Fight, who: str) -> tuple[str, ...]:
    """The content ids of the conditions that a combatant is under, each once."""
    kinds = [effect.kind for effect in fight.effects if effect.bearer == who]
    return tuple(dict.fromkeys([kind for kind in kinds if kind in fight.catalog.conditions])) if kinds else ()


def traits_of(fight: Fight, one: Combatant) -> Iterator[Trait]:
    """The traits of a combatant that the content knows."""
    traits = fight.catalog.traits
    return (traits[each] for each in one.profile.traits if each in traits)


def bears(fight: Fight, who: str, *kinds: str) -> Effect | None:
    """The first effect of some kinds on a combatant; None where there is none."""
    for effect in fight.effects:
        if effect.bearer == who and effect.kind in kinds:
            return effect
    return None


def added(fight: Fight, who: str, *quantities: str) -> Iterator[Part]:
    """What effects other than conditions add to some quantities of a combatant."""
    for quantity in quantities:
        yield from parts(fight.effects, rules(fight.catalog), who, quantity)


def in_stance(fight: Fight, who: str) -> Effect | None:
    """The stance of a combatant; None without one."""
    return next(
        (one for one in on(fight.effects, who) if "stance" in rules(fight.catalog)[one.kind].tags), None
    )


def counts_as(fight: Fight, who: str, tag: str) -> bool:
    """Whether an effect makes a combatant count as something."""
    return tagged(fight.effects, rules(fight.catalog), who, tag)


def new_effect(
    fight: Fight,
    kind: str,
    bearer: str,
    *,
    source: str = "",
    amount: int = 1,
    lasts: Duration = WHOLE_SCENE,
    shaken_off: bool = False,
    about: str = "",
) -> Effect:
    """An effect that begins, with an id that counts the bearer's own alone and so betrays no other's."""
    taken = {effect.id for effect in fight.effects if effect.bearer == bearer}
    stem = f"{slug_of(kind)}:{bearer}"
    number = next(n for n in range(1, len(taken) + 2) if f"{stem}:{n}" not in taken)
    return Effect(
        id=f"{stem}:{number}",
        kind=kind,
        bearer=bearer,
        source=source,
        amount=amount,
        lasts=lasts,
        about=about,
        strength=SHAKEN_OFF_AT if shaken_off else 0,
    )


def shakeable(fight: Fight, who: str) -> tuple[Effect, ...]:
    """The ongoing conditions that a combatant may shake off (G7)."""
    return tuple(effect for effect in on(fight.effects, who) if effect.strength)


def is_ongoing(catalog: Catalog, kind: str) -> bool:
    """Whether a condition is one that Shake It Off ends, unless its cause says otherwise."""
    condition = catalog.conditions.get(kind)
    return condition is not None and ConditionKind.ONGOING in condition.kinds


def outlasting(fight: Fight, who: str) -> tuple[str, ...]:
    """Content ids of the conditions that stay with a combatant after the scene, each once.

    They are ongoing ones without a duration; what an area alone brings about ends where it is left.
    """
    kept = (
        effect.kind
        for effect in on(fight.effects, who)
        if effect.lasts.until is Until.SCENE
        and is_ongoing(fight.catalog, effect.kind)
        and (effect.strength or ConditionKind.AREA not in fight.catalog.conditions[effect.kind].kinds)
    )
    return tuple(dict.fromkeys(kept))


def hands_used(fight: Fight, one: Combatant) -> int:
    """Hands that hold something, or hold on to a foe."""
    return one.hands_full() + (bears(fight, one.id, HOLDING) is not None)


def hands_do(fight: Fight, one: Combatant, weapon: Weapon) -> bool:
    """Whether a combatant who may hold on to a foe still has the hands that a weapon takes."""
    return weapon.hands <= one.profile.hands - (bears(fight, one.id, HOLDING) is not None)


SUFFOCATION = content_id(SLUG, "hazard", "suffocation")


def without_air(fight: Fight, who: str) -> bool:
    """Whether a combatant is still without the air for lack of which it suffers; until that is lifted."""
    return any(effect.cause == SUFFOCATION for effect in on(fight.effects, who))


def names_of(fight: Fight, who: str) -> Iterator[str]:
    """What lasts on a combatant, in plain words, each once."""
    kinds: Iterable[str] = dict.fromkeys(effect.kind for effect in on(fight.effects, who))
    return (rules(fight.catalog)[kind].name for kind in kinds)
