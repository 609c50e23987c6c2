"""What a fight knows of a combatant: made of a character's sheet, or of an adversary's stat block.

Figures are those of sheet and block, which say why they are so; nothing here is worked out a second time.
What changes in a fight (energy, health, place) stands in `play.state`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.content import content_id
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.bestiary import Adversary, AdversaryAttack
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.choices import Place, SkillRating
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.pools.attack_pool import ADJACENT, BY_STRENGTH, FROM_AFAR
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.sheet_lines import WeaponLine
from services.rules.systems.forge_engine.stat_block import attack_attribute, body, size_of, unarmed_skills
from services.rules.systems.forge_engine.traits import Response

PUNCH = content_id(SLUG, "equipment", "historical-punch-kick")
INITIATIVE = content_id(SLUG, "martial", "initiative")
BLUDGEONING = content_id(SLUG, "damage", "bludgeoning")
IN_HAND = (Place.WIELDED, Place.OFF_HAND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """Something to attack with.

    Attributes:
        id: Its name within the profile: `weapon-1`.
        name: What it is called.
        item: Content id of its row in the tables; empty for parts of a body and lines of a stat block.
        kind: How it is used.
        attribute: The attribute that energy is added up to.
        skill: Content id of the basic martial skill that helps; empty for none.
        cost: Energy to spend, where it has no row.
        rating: Dice gained, where it has no row.
        damage: Content id of the damage type that it deals.
        hands: Hands it takes.
        min_range: Nearest good range in feet; None for what strikes in reach.
        max_range: One range increment in feet; None for what strikes in reach.
        reach: Feet beyond the arm of its wielder.
        natural: Whether it is part of the body.
        holds: Shots in it at most; None where nobody counts them.
        count: How many of it there are.
        place: Where it is when a fight begins.
        loaded: Shots in it when a fight begins; None for as many as it holds.
        ammunition: Spare pieces of ammunition for it then; None where nobody counts them.
    """

    id: str
    name: str
    item: str = ""
    kind: EquipmentKind
    attribute: Attribute
    skill: str = ""
    cost: int = 0
    rating: int = 0
    damage: str = BLUDGEONING
    hands: int = 1
    min_range: int | None = None
    max_range: int | None = None
    reach: int = 0
    natural: bool = False
    holds: int | None = None
    count: int = 1
    place: Place = Place.WIELDED
    loaded: int | None = None
    ammunition: int | None = None

    @property
    def from_afar(self) -> bool:
        """Whether it strikes from afar."""
        return self.kind in FROM_AFAR

    @property
    def by_strength(self) -> bool:
        """Whether its attacks are based on Strength."""
        return self.attribute is Attribute.STRENGTH or self.kind in BY_STRENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Shield:
    """A shield.

    Attributes:
        item: Content id.
        name: What it is called.
        cost: Energy to raise it, that for missing training included.
        rating: Dice that it then adds.
        place: Where it is when a fight begins.
    """

    item: str
    name: str
    cost: int
    rating: int
    place: Place = Place.OFF_HAND


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageTaken:
    """How damage of a type is taken.

    Attributes:
        damage: Content id of the damage type.
        response: How it is taken.
    """

    damage: str
    response: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What stays the same about a combatant as long as a fight lasts.

    Attributes:
        attributes: Ratings, Agility as armour leaves it.
        energy: Maximum energy.
        health: Maximum health.
        pd: Physical defense dice.
        md: Mental defense dice.
        speed: Feet a round.
        reach: Feet that the arm reaches.
        space: Side of the square taken, in feet.
        initiative: Dice of the initiative test.
        action_energy: Further energy of each action and reaction, for armour without training.
        rest_health: Health that a short rest restores.
        hands: How many hands there are.
        traits: Content ids of every trait, those of the species too.
        skills: Skills and spells with their ratings.
        weapons: What to attack with.
        shields: Shields.
        damage: How damage is taken that is not taken as usual.
        role: Role of an adversary: "grunt", "striker"; empty for anyone else.
        armor: Rating of worn armour.
    """

    attributes: Attributes
    energy: int
    health: int
    pd: int
    md: int
    speed: int
    reach: int
    space: int = ADJACENT
    initiative: int
    action_energy: int = 0
    rest_health: int = 1
    hands: int = 2
    traits: tuple[str, ...] = ()
    skills: tuple[SkillRating, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    shields: tuple[Shield, ...] = ()
    damage: tuple[DamageTaken, ...] = ()
    role: str = ""
    armor: int = 0

    def rating(self, skill: str) -> int:
        """The rating of a skill or spell; 0 where it was not learned."""
        found = 0
        for one in self.skills:
            if one.skill == skill and one.rating > found:
                found = one.rating
        return found

    def response(self, damage: str) -> tuple[Response, ...]:
        """How damage of a type is taken; empty for as usual."""
        return tuple(one.response for one in self.damage if one.damage == damage)


def profile_of_sheet(sheet: CharacterSheet, catalog: Catalog) -> Profile:
    """The profile of a character."""
    ratings = {line.id.value: line.effective.value for line in sheet.attributes}
    skills = tuple(SkillRating(skill=one.id, rating=one.rating, field=one.field) for one in sheet.skills)
    spells = tuple(SkillRating(skill=one.id, rating=one.rating) for one in sheet.spells)
    return Profile(
        attributes=Attributes(**ratings),
        energy=sheet.energy.value,
        health=sheet.health.value,
        pd=sheet.pd.value,
        md=sheet.md.value,
        speed=sheet.speed.value,
        reach=sheet.reach.value,
        space=sheet.space,
        initiative=sheet.initiative.value,
        action_energy=sheet.action_energy.value,
        rest_health=sheet.rest_health.value,
        hands=sheet.hands,
        traits=tuple(line.id for line in sheet.traits),
        skills=(*skills, *spells),
        weapons=tuple(
            _carried(f"weapon-{number}", line, catalog) for number, line in enumerate(sheet.weapons, start=1)
        ),
        shields=tuple(
            Shield(
                item=line.id,
                name=line.name,
                cost=line.cost.value - sheet.action_energy.value,
                rating=line.rating,
                place=line.place,
            )
            for line in sheet.shields
        ),
        damage=tuple(DamageTaken(damage=line.damage, response=line.response) for line in sheet.damage),
        armor=max((line.rating for line in sheet.armor if line.place is Place.WORN), default=0),
    )


def _carried(name: str, line: WeaponLine, catalog: Catalog) -> Weapon:
    """A weapon line of a sheet: a row of the tables, or a part of the body."""
    attack = line.attacks[0]
    item = catalog.equipment.get(line.id)
    trait = None if item is not None else catalog.traits.get(line.id)
    natural = trait.attack if trait is not None else None
    if item is None and trait is None:
        return _of_pack(name, line)
    kind = EquipmentKind.UNARMED if item is None else catalog.tables[item.table].kind
    return Weapon(
        id=name,
        name=line.name,
        item="" if item is None else item.id,
        kind=kind,
        attribute=attack.attribute,
        skill=attack.skill or "",
        cost=0 if natural is None else natural.cost,
        rating=0 if natural is None else natural.rating,
        damage=next(iter(line.damage), BLUDGEONING),
        hands=line.hands,
        min_range=line.min_range,
        max_range=line.max_range,
        reach=0 if item is None else item.reach,
        natural=line.natural,
        holds=line.holds,
        count=line.count,
        place=Place.WIELDED if line.place is None else line.place,
        loaded=line.loaded,
        ammunition=line.ammunition,
    )


def _of_pack(name: str, line: WeaponLine) -> Weapon:
    """A weapon of a table's own pack: its plain attack, by the figures of the sheet."""
    attack = line.attacks[0]
    afar = line.max_range is not None
    return Weapon(
        id=name,
        name=line.name,
        kind=EquipmentKind.FIREARM if afar else EquipmentKind.MELEE,
        attribute=attack.attribute,
        skill=attack.skill or "",
        # The first part of each is the weapon's own; armour, size and hands come behind it.
        cost=attack.cost.parts[0].value if attack.cost.parts else 0,
        rating=attack.dice.parts[0].value if attack.dice.parts else 0,
        damage=next(iter(line.damage), BLUDGEONING),
        hands=line.hands,
        min_range=line.min_range,
        max_range=line.max_range,
        natural=line.natural,
        count=line.count,
        place=Place.WIELDED if line.place is None else line.place,
    )


def profile_of_adversary(block: Adversary, catalog: Catalog) -> Profile:
    """The profile of an adversary, by the figures that its block prints (R-64)."""
    traits = body(block.traits, catalog)
    size = size_of(traits, catalog)
    size_name = next((trait.name for trait in reversed(traits) if trait.size is not None), "Medium")
    skills = tuple(SkillRating(skill=one.skill, rating=one.rating, field=one.field) for one in block.skills)
    initiative = max((one.rating for one in skills if one.skill == INITIATIVE), default=0)
    return Profile(
        attributes=block.attributes,
        energy=block.energy,
        health=block.health,
        pd=block.pd,
        md=block.md,
        speed=size.speed,
        reach=size.reach,
        space=size.space,
        initiative=derived.initiative(block.attributes.agility, initiative).value,
        rest_health=derived.short_rest_health(size_name, size, block.attributes.stamina).value,
        hands=2 + sum(trait.hands for trait in traits),
        traits=tuple(trait.id for trait in traits),
        skills=skills,
        weapons=tuple(_block_weapons(block, skills, catalog)),
        damage=tuple(
            DamageTaken(damage=trait.damage.damage, response=trait.damage.response)
            for trait in traits
            if trait.damage is not None
        ),
        role=block.role.value,
        armor=block.armor,
    )


def _block_weapons(block: Adversary, skills: tuple[SkillRating, ...], catalog: Catalog) -> Iterator[Weapon]:
    """The weapon lines of a block, the natural weapons of its traits, and fists."""
    ratings = {one.skill: one.rating for one in skills}
    number = 0
    for number, attack in enumerate(block.attacks, start=1):
        # One weapon is in hand: the first; the others hang at its side.
        place = Place.WIELDED if number == 1 else Place.SLUNG
        yield _block_weapon(f"weapon-{number}", attack, place, catalog)
    fists = catalog.equipment[PUNCH]
    naturals = [
        (trait.name, trait.attack, tuple(unarmed_skills(trait, catalog)))
        for trait in body(block.traits, catalog)
        if trait.attack is not None
    ]
    for name, attack_of, known in naturals:
        number += 1
        best = max(known, key=lambda skill: ratings.get(skill, 0))
        yield Weapon(
            id=f"weapon-{number}",
            name=name,
            kind=EquipmentKind.UNARMED,
            attribute=attack_attribute(best, catalog),
            skill=best,
            cost=attack_of.cost,
            rating=attack_of.rating,
            damage=attack_of.damage,
            hands=0,
            natural=True,
        )
    skilled = max(catalog.tables[fists.table].skills, key=lambda skill: ratings.get(skill, 0))
    yield Weapon(
        id=f"weapon-{number + 1}",
        name=fists.name,
        item=fists.id,
        kind=EquipmentKind.UNARMED,
        attribute=attack_attribute(skilled, catalog),
        skill=skilled,
        damage=next(iter(fists.damage), BLUDGEONING),
        hands=0,
        natural=True,
    )


def _block_weapon(name: str, attack: AdversaryAttack, place: Place, catalog: Catalog) -> Weapon:
    """A weapon line of a block; blocks print no reloads, so their shots are not counted."""
    kinds = [table.kind for table in catalog.tables if attack.skill in table.skills]
    afar = attack.max_range is not None
    kind = next((one for one in kinds if (one in FROM_AFAR) == afar), None)
    if kind is None:
        kind = EquipmentKind.FIREARM if afar else EquipmentKind.MELEE
    return Weapon(
        id=name,
        name=attack.name,
        kind=kind,
        attribute=attack_attribute(attack.skill, catalog),
        skill=attack.skill,
        cost=attack.cost,
        rating=attack.rating,
        damage=attack.damage,
        hands=attack.hands,
        min_range=attack.min_range,
        max_range=attack.max_range,
        place=place,
    )
