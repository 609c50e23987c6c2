"""What lasts on characters in an encounter, as data: Harm, help that costs the next action, positioning.

Quantities: `effect:physical` and the like (levels of Effect), `unlucky:...` (sources of Unlucky),
`price:...` (rolls that take Fortune or Aid), each of a group of attributes; `lucky`, and `difficulty` (steps
of the sets).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.rules.engine.effects import Duration, Effect, EffectRule, Stacking, Until, on, parts
from services.rules.engine.explain import Part
from services.rules.systems.fortunate_blades.harm import BORNE, Slots, lessened
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel

BUSY = "fortunate_blades:effect/busy"
POSITIONED = "fortunate_blades:effect/positioned"
LUCKY_NEXT = "fortunate_blades:effect/lucky-next"

WEIGHS: Mapping[HarmLevel, tuple[str, int]] = {
    HarmLevel.MINOR: ("effect", -1),
    HarmLevel.SERIOUS: ("unlucky", 1),
    HarmLevel.HEROIC: ("price", 1),
}
"""What Harm of each level does to rolls of its group (Harm; F4)."""


def harm_kind(level: HarmLevel, group: Group) -> str:
    """The kind of effect that a Harm is."""
    return f"fortunate_blades:effect/{level.value}-{group.value}-harm"


def _harm_rule(level: HarmLevel, group: Group) -> EffectRule:
    quantity, value = WEIGHS[level]
    return EffectRule(
        id=harm_kind(level, group),
        name=f"in {level.value} {group.value} Harm",
        rule="Harm",
        adds={f"{quantity}:{group.value}": value},
        # Two Harms of one level and group count once (P13).
        stacking=Stacking.ONCE,
    )


_HARMS = {harm_kind(level, group): (level, group) for level in BORNE for group in Group}

EFFECTS: Mapping[str, EffectRule] = {
    **{kind: _harm_rule(level, group) for kind, (level, group) in _HARMS.items()},
    BUSY: EffectRule(id=BUSY, name="busy", rule="Aid", forbids=("act", "help")),
    POSITIONED: EffectRule(id=POSITIONED, name="positioned", rule="Positioning", adds={"difficulty": 1}),
    LUCKY_NEXT: EffectRule(id=LUCKY_NEXT, name="lucky", rule="Critical Success", adds={"lucky": 1}),
}
"""The kinds of effect, by id."""


def harms_of(effects: Iterable[Effect], hero: str) -> tuple[tuple[Effect, HarmLevel, Group], ...]:
    """The Harms of a character, in the order in which they befell."""
    return tuple((one, *_HARMS[one.kind]) for one in on(effects, hero, *_HARMS))


def filled_slots(effects: Iterable[Effect], hero: str) -> Slots:
    """How many Harm slots of each level a character has filled."""
    levels = [level for _, level, _ in harms_of(effects, hero)]
    return {level: levels.count(level) for level in BORNE}


def gravest_to_heal(effects: Iterable[Effect], hero: str, slots: Slots) -> Effect | None:
    """The gravest Harm of a hero that can become one level less: where the row below has room (P15)."""
    lasting = tuple(effects)
    filled = filled_slots(lasting, hero)
    for level in reversed(BORNE):
        less = lessened(level, 1)
        if less is None or filled[less] < slots[less]:
            found = [one for one, its, _ in harms_of(lasting, hero) if its is level]
            if found:
                return found[0]
    return None


def harm(number: int, hero: str, level: HarmLevel, group: Group, words: str, amount: int = 1) -> Effect:
    """A Harm, with what happened in words (F6); a minor one takes off `amount` levels of Effect."""
    return Effect(id=f"harm-{number}", kind=harm_kind(level, group), bearer=hero, words=words, amount=amount)


def busy(hero: str, rounds: int) -> Effect:
    """Help that costs an action: this round's, or where that is gone the next one's (Aid)."""
    return Effect(id=f"busy:{hero}", kind=BUSY, bearer=hero, lasts=Duration(Until.ROUNDS, left=rounds))


def positioned(number: int, hero: str, steps: int, until: Until, words: str) -> Effect:
    """Positioning: so many steps harder, or easier where it is negative; of rounds, for this one."""
    return Effect(
        id=f"positioning-{number}",
        kind=POSITIONED,
        bearer=hero,
        amount=steps,
        lasts=Duration(until, left=1),
        words=words,
    )


def lucky_next(number: int, hero: str) -> Effect:
    """The next roll is Lucky."""
    return Effect(id=f"luck-{number}", kind=LUCKY_NEXT, bearer=hero, lasts=Duration(Until.USED))


def lucky(effects: Iterable[Effect], hero: str) -> int:
    """How many sources of Lucky last on a hero."""
    return sum(part.value for part in parts(effects, EFFECTS, hero, "lucky"))


def levels_of(effects: Iterable[Effect], hero: str, group: Group) -> tuple[Part, ...]:
    """What Harm takes off the Effect of a group's rolls."""
    return parts(effects, EFFECTS, hero, f"effect:{group.value}")


def unlucky(effects: Iterable[Effect], hero: str, group: Group) -> int:
    """How many sources of Unlucky weigh on a group's rolls."""
    return sum(part.value for part in parts(effects, EFFECTS, hero, f"unlucky:{group.value}"))


def needs_fortune_or_aid(effects: Iterable[Effect], hero: str, group: Group) -> bool:
    """Whether a roll of a group takes 1 Fortune or Aid: under heroic Harm (P3)."""
    return bool(parts(effects, EFFECTS, hero, f"price:{group.value}"))


def positioning(effects: Iterable[Effect], hero: str) -> int:
    """How many steps harder, or easier, a character's rolls are."""
    return sum(part.value for part in parts(effects, EFFECTS, hero, "difficulty"))
