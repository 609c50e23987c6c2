"""Who goes with a hero from scene to scene: a tame animal, minions, a familiar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bestiary import Monster, Tag
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.catalog import SLUG, Catalog
from services.rules.systems.dungeonteller.powers import Power

NAME_LENGTH = 120
MOST_COMPANIONS = 20


class Bond(Enum):
    """What binds a companion.

    Attributes:
        PET: A tame animal; a hero has one.
        MINION: Raised or summoned.
        FAMILIAR: A magic animal that helps with magic; a hero has one.
    """

    PET = "pet"
    MINION = "minion"
    FAMILIAR = "familiar"


ONE_AT_A_TIME = (Bond.PET, Bond.FAMILIAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A being who goes with a hero.

    Attributes:
        monster: Content id of the creature.
        bond: What binds it.
        name: Its name; empty for the creature's own.
    """

    monster: str
    bond: Bond
    name: str = ""


@dataclass(frozen=True, slots=True)
class Familiar:
    """What a familiar is good for (More Wizard Powers / Summon Familiar, Summon Greater Familiar).

    Attributes:
        power: Slug of the power that summons it.
        helps: The action it helps with, beside Magic.
        dice: How many dice it lends to each.
        spell: Slug of the spell that a greater familiar lends.
    """

    power: str
    helps: Action
    dice: int
    spell: str = ""


MINIONS: Mapping[str, str] = MappingProxyType(
    {"skeleton": "raise-skeleton", "zombie": "raise-zombie", "orc": "summon-orc"}
)
"""The power that calls each minion, by the slugs of creature and power."""

FAMILIARS: Mapping[str, Familiar] = MappingProxyType(
    {
        "cat": Familiar("summon-familiar", Action.NOTICE, 1),
        "bat": Familiar("summon-familiar", Action.SNEAK, 1),
        "owl": Familiar("summon-familiar", Action.TALK, 1),
        "snake": Familiar("summon-familiar", Action.RESIST, 1),
        "feydragon": Familiar("summon-greater-familiar", Action.NOTICE, 2, "feysight"),
        "imp": Familiar("summon-greater-familiar", Action.TALK, 2, "deceive"),
        "salamander": Familiar("summon-greater-familiar", Action.RESIST, 2, "fireball"),
        "raven": Familiar("summon-greater-familiar", Action.SNEAK, 2, "darkness"),
    }
)
"""Familiars, by the slug of the creature."""


def familiars_of(power: str) -> tuple[str, ...]:
    """Slugs of the familiars that a power summons, by its slug."""
    return tuple(slug for slug, familiar in FAMILIARS.items() if familiar.power == power)


def name_of(catalog: Catalog, companion: Companion) -> str:
    """What a companion is called."""
    return companion.name or catalog.monsters[companion.monster].name


def caller(catalog: Catalog, companion: Companion) -> Power | None:
    """The power that called a companion; none of a pet, whom nothing binds but its trust."""
    slug = slug_of(companion.monster)
    match companion.bond:
        case Bond.MINION:
            power = MINIONS.get(slug)
        case Bond.FAMILIAR:
            power = FAMILIARS[slug].power if slug in FAMILIARS else None
        case Bond.PET:
            power = None
    return None if power is None else catalog.powers.get(content_id(SLUG, "power", power))


def burden(catalog: Catalog, companion: Companion) -> int:
    """Luck that a companion lowers its hero's maximum by, for as long as it is there."""
    power = caller(catalog, companion)
    return 0 if power is None else -(power.figures.max_luck or 0)


def helping_dice(catalog: Catalog, companion: Companion, rule: str) -> tuple[Bonus, ...]:
    """Dice that a familiar lends its owner.

    Args:
        catalog: The content.
        companion: Any companion; none but familiars lend dice.
        rule: Where the dice come from, as the explanation says it.
    """
    if companion.bond is not Bond.FAMILIAR:
        return ()
    familiar = FAMILIARS[slug_of(companion.monster)]
    when = f"while {name_of(catalog, companion)} is with you"
    return tuple(
        Bonus(action=action, dice=familiar.dice, when=when, rule=rule)
        for action in (Action.MAGIC, familiar.helps)
    )


def lent_spell(companion: Companion) -> str:
    """Content id of the spell that a greater familiar lends its owner; empty without one."""
    familiar = FAMILIARS.get(slug_of(companion.monster)) if companion.bond is Bond.FAMILIAR else None
    return content_id(SLUG, "power", familiar.spell) if familiar is not None and familiar.spell else ""


def after_a_scene(
    companions: tuple[Companion, ...],
    gained: Iterable[Companion],
    lost: Iterable[Companion],
    catalog: Catalog,
) -> tuple[Companion, ...]:
    """A hero's companions after some came and some went. Never fails: what breaks a rule is left out."""
    gone = Counter(lost)
    found: list[Companion] = []
    for companion in (*companions, *gained):
        if gone[companion]:
            gone[companion] -= 1
        elif not any(True for _ in companion_problems((*found, companion), catalog)):
            found.append(companion)
    return tuple(found)


def companion_problems(companions: tuple[Companion, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that a hero's companions break."""
    for index, companion in enumerate(companions):
        path: KeyPath = ("companions", index)
        monster = catalog.monsters.get(companion.monster)
        if monster is None:
            text, allowed = "There is no such creature.", catalog.monsters.ids
            where = (*path, "monster")
            yield RuleProblem("monster_unknown", text, "bestiary", where, companion.monster, allowed)
        elif not _can_be(monster, companion.bond):
            text = f"{monster.name} is never a {companion.bond.value}."
            where = (*path, "bond")
            yield RuleProblem("companion_unfit", text, "Roles / Powers", where, companion.bond.value)
        if len(companion.name) > NAME_LENGTH:
            text = f"At most {NAME_LENGTH} signs fit."
            where, found = (*path, "name"), len(companion.name)
            yield RuleProblem("name_too_long", text, "hero card", where, found, NAME_LENGTH)
    for bond in ONE_AT_A_TIME:
        count = sum(companion.bond is bond for companion in companions)
        if count > 1:
            text = f"A hero has one {bond.value} at a time."
            yield RuleProblem("limit_in_play", text, "Roles / Powers [P33]", ("companions",), count, 1)
    if len(companions) > MOST_COMPANIONS:
        text, found = f"At most {MOST_COMPANIONS} go with a hero.", len(companions)
        yield RuleProblem("too_many_companions", text, "hero card", ("companions",), found, MOST_COMPANIONS)


def _can_be(monster: Monster, bond: Bond) -> bool:
    """Whether a creature can be bound so: an animal without words tamed, the others called by a power."""
    match bond:
        case Bond.PET:
            return monster.has(Tag.ANIMAL) and monster.ratings.talk == 0
        case Bond.MINION:
            return slug_of(monster.id) in MINIONS
        case Bond.FAMILIAR:
            return slug_of(monster.id) in FAMILIARS
