"""Adversaries made from templates: traits, skills, spells, weapons and armour added, or just another name.

What a template prints stays as printed (R-64). Each addition changes what the rules would make of it, and by
so much the printed figure changes; so energy stays where nothing added touches it. Whoever wants an adversary
worked out from nothing builds it as a character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.bestiary import Adversary, AdversaryAttack, AdversarySkill
from services.rules.systems.forge_engine.bounds import out_of_bounds
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind
from services.rules.systems.forge_engine.pools.greatest import greatest_attack
from services.rules.systems.forge_engine.stat_block import (
    BlockFigures,
    attack_attribute,
    body,
    figures,
    size_of,
    unarmed_skills,
)
from services.rules.systems.forge_engine.suggestions import near_ids
from services.rules.systems.forge_engine.traits import Trait, TraitCategory
from services.rules.systems.forge_engine.wares import weapon_use

RULE = "Custom Adversaries / Modified Adversary Template"
PRINTED = "Adversary Templates [R-64]"
ARMOR_TRAINING = f"{SLUG}:martial/armor-training"
MOST_RATING, MOST_ARMOR, MOST_ADDED, LONGEST_NAME = 30, 10, 40, 80
NO_WEAPONS = (EquipmentKind.ARMOR, EquipmentKind.SHIELD)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversaryChanges:
    """A template, and what is to become of it.

    Attributes:
        template: Content id of the adversary.
        name: What it is called; empty for the template's name.
        species: Content id of the species it is of in place of the template's; None for the same.
        traits: Content ids of traits it gains.
        skills: Skills and spells it gains; one it has already takes the new rating.
        armor: Rating of the armour it wears; None for the template's.
        weapons: Content ids of weapons it carries as well.
    """

    template: str
    name: str = ""
    species: str | None = None
    traits: tuple[str, ...] = ()
    skills: tuple[AdversarySkill, ...] = ()
    armor: int | None = None
    weapons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAdversary:
    """An adversary made from a template.

    Attributes:
        adversary: The whole block; its id is the template's.
        energy: Energy, with how it follows.
        health: Health, with how it follows.
        pd: Physical defense dice, with how they follow.
        md: Mental defense dice, with how they follow.
        speed: Movement speed in feet a round.
        reach: In feet.
        notes: What to bear in mind, in plain words.
    """

    adversary: Adversary
    energy: Explained
    health: Explained
    pd: Explained
    md: Explained
    speed: int
    reach: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """A change, and what the rules make of the block after it."""

    source: str
    traits: tuple[Trait, ...]
    figures: BlockFigures


def change(given: AdversaryChanges, catalog: Catalog) -> ChangedAdversary | Problems:
    """Makes an adversary from a template, or names everything that is in the way."""
    template = catalog.adversaries.get(given.template)
    problems = tuple(_problems(given, template, catalog))
    if problems or template is None:
        return Problems(problems)
    steps = tuple(_steps(given, template, catalog))
    before, after = steps[0], steps[-1]
    armor = template.armor if given.armor is None else given.armor
    skills = _skills(template, given)
    energy = _changed(template.energy, [step.figures.energy.value for step in steps], steps, template)
    health = _changed(template.health, [step.figures.health.value for step in steps], steps, template)
    pd = _changed(template.pd, [step.figures.pd.value for step in steps], steps, template)
    md = _changed(template.md, [step.figures.md.value for step in steps], steps, template)
    block = replace(
        template,
        name=given.name.strip() or template.name,
        title=given.name.strip() or template.title,
        energy=energy.value,
        health=health.value,
        pd=pd.value,
        md=md.value,
        attributes=_attributes(template, before, after),
        traits=(*_kept_traits(given, template, catalog), *given.traits),
        skills=skills,
        attacks=tuple(_attacks(given, template, skills, before, after, catalog)),
        armor=armor,
    )
    return ChangedAdversary(
        adversary=block,
        energy=energy,
        health=health,
        pd=pd,
        md=md,
        speed=after.figures.speed,
        reach=after.figures.reach,
        notes=tuple(_notes(block, after, catalog)),
    )


# What is in the way


def _problems(given: AdversaryChanges, template: Adversary | None, catalog: Catalog) -> Iterator[RuleProblem]:
    if template is None:
        yield _unknown(("template",), given.template, near_ids(given.template, catalog.adversaries))
    yield from _too_long(given.name, ("name",))
    for field, count in (
        ("traits", len(given.traits)),
        ("skills", len(given.skills)),
        ("weapons", len(given.weapons)),
    ):
        if count > MOST_ADDED:
            yield RuleProblem(
                "too_many", f"At most {MOST_ADDED} are added.", RULE, (field,), count, MOST_ADDED
            )
            return
    yield from out_of_bounds({"armor": (given.armor or 0, 0, MOST_ARMOR)}, RULE)
    yield from _trait_problems(given, template, catalog)
    yield from _skill_problems(given, template, catalog)
    for place, weapon_id in enumerate(given.weapons):
        weapon = catalog.equipment.get(weapon_id)
        if weapon is None:
            yield _unknown(("weapons", place), weapon_id, near_ids(weapon_id, catalog.equipment))
        elif catalog.tables[weapon.table].kind in NO_WEAPONS:
            yield RuleProblem(
                "no_weapon",
                f"{weapon.name} is no weapon.",
                RULE,
                ("weapons", place),
                weapon_id,
                "a weapon; armor is given by its rating",
            )


def _trait_problems(
    given: AdversaryChanges, template: Adversary | None, catalog: Catalog
) -> Iterator[RuleProblem]:
    if given.species is not None:
        species = trait_of(given.species, catalog)
        kinds = tuple(trait.id for trait in catalog.traits if trait.species is not None)
        if species is None or species.species is None:
            yield _unknown(("species",), given.species, kinds)
    kept = _kept_traits(given, template, catalog) if template is not None else ()
    there = {trait.id: trait for trait in body((*kept, *_species(given)), catalog)}
    for place, trait_id in enumerate(given.traits):
        path: KeyPath = ("traits", place)
        trait = trait_of(trait_id, catalog)
        if trait is None:
            yield _unknown(path, trait_id, near_ids(trait_id, catalog.traits))
            continue
        if trait.category is TraitCategory.SPECIES:
            yield RuleProblem(
                "second_species",
                f"It is of one species; name {trait.name} as its species instead.",
                "Species Traits [R-106]",
                path,
                trait_id,
                "species",
            )
        if trait_id in there:
            yield RuleProblem(
                "trait_doubled", f"It has {trait.name} already.", "Traits [R-106]", path, trait_id, None
            )
        if trait.size is not None and (earlier := _size_before(given.traits[:place], catalog)) is not None:
            yield RuleProblem(
                "multiple_sizes",
                f"It is of one size, and {earlier.name} is named already.",
                "Size Traits [R-106]",
                path,
                trait_id,
                earlier.id,
            )
        clash = next((other for other in there.values() if _against(trait, other)), None)
        if clash is not None:
            yield RuleProblem(
                "traits_opposed",
                f"{trait.name} cannot stand beside {clash.name}.",
                "Traits [R-106]",
                path,
                trait_id,
                None,
            )
        there[trait_id] = trait


def _skill_problems(
    given: AdversaryChanges, template: Adversary | None, catalog: Catalog
) -> Iterator[RuleProblem]:
    kept = _kept_traits(given, template, catalog) if template is not None else ()
    opened = {trait.school for trait in body((*kept, *_species(given), *given.traits), catalog)} - {None}
    seen: set[tuple[str, str]] = set()
    for place, skill in enumerate(given.skills):
        path: KeyPath = ("skills", place)
        general = catalog.skills.get(skill.skill)
        spell = catalog.spells.get(skill.skill)
        if general is None and spell is None and skill.skill not in catalog.martial:
            found = near_ids(skill.skill, catalog.skills, catalog.martial, catalog.spells)
            yield _unknown((*path, "skill"), skill.skill, found)
        yield from out_of_bounds({"rating": (skill.rating, 1, MOST_RATING)}, RULE, path)
        yield from _too_long(skill.field, (*path, "field"))
        if general is not None and general.by_field != bool(skill.field.strip()):
            needs = "is learned for one field at a time" if general.by_field else "has no fields"
            yield RuleProblem(
                "skill_field",
                f"{general.name} {needs}.",
                "General Skills",
                (*path, "field"),
                skill.field,
                general.fields or "a field" if general.by_field else "",
            )
        if spell is not None and (spell.school not in opened if spell.school is not None else not opened):
            school = catalog.schools.get(spell.school) if spell.school is not None else None
            yield RuleProblem(
                "spell_needs_trait",
                f"{spell.name} asks for the trait that opens its school.",
                "Magic Traits",
                (*path, "skill"),
                skill.skill,
                school.trait if school is not None else tuple(item.trait for item in catalog.schools),
            )
        if (skill.skill, skill.field) in seen:
            yield RuleProblem("skill_doubled", "A skill is added once.", RULE, path, skill.skill, None)
        seen.add((skill.skill, skill.field))


def _size_before(trait_ids: Sequence[str], catalog: Catalog) -> Trait | None:
    """The size among traits that are added."""
    traits = (trait_of(trait_id, catalog) for trait_id in trait_ids)
    return next((trait for trait in traits if trait is not None and trait.size is not None), None)


def _against(trait: Trait, other: Trait) -> bool:
    return other.id in trait.against or trait.id in other.against


def _too_long(text: str, path: KeyPath) -> Iterator[RuleProblem]:
    if len(text) > LONGEST_NAME:
        message = f"This has at most {LONGEST_NAME} characters."
        yield RuleProblem("text_too_long", message, RULE, path, len(text), LONGEST_NAME)


def _unknown(path: KeyPath, found: str, allowed: tuple[str, ...]) -> RuleProblem:
    return RuleProblem("id_unknown", "There is nothing of this id.", RULE, path, found[:200], allowed)


# What comes of it


def _species(given: AdversaryChanges) -> tuple[str, ...]:
    return () if given.species is None else (given.species,)


def _kept_traits(given: AdversaryChanges, template: Adversary, catalog: Catalog) -> tuple[str, ...]:
    """The template's traits; with another species, that one and what was no choice of the old one."""
    if given.species is None:
        return template.traits
    dropped: set[str] = set()
    for trait in (trait_of(trait_id, catalog) for trait_id in template.traits):
        if trait is not None and trait.species is not None:
            dropped |= {trait.id, *(item for choice in trait.species.choices for item in choice.of)}
    return (given.species, *(trait_id for trait_id in template.traits if trait_id not in dropped))


def _steps(given: AdversaryChanges, template: Adversary, catalog: Catalog) -> Iterator[_Step]:
    def step(source: str, traits: tuple[str, ...], armor: int) -> _Step:
        whole = body(traits, catalog)
        return _Step(source, whole, figures(template.attributes, whole, armor, catalog))

    traits, armor = template.traits, template.armor
    yield step(template.name, traits, armor)
    if given.species is not None:
        traits = _kept_traits(given, template, catalog)
        yield step(catalog.traits[given.species].name, traits, armor)
    for trait_id in given.traits:
        traits = (*traits, trait_id)
        trait = trait_of(trait_id, catalog)
        yield step(trait_id if trait is None else trait.name, traits, armor)
    if given.armor is not None and given.armor != armor:
        yield step(f"armor {given.armor}", traits, given.armor)


def _changed(printed: int, computed: Sequence[int], steps: Sequence[_Step], template: Adversary) -> Explained:
    figure = Explained.of(Part(printed, f"{template.name}, as printed", PRINTED))
    for before, after, step in zip(computed, computed[1:], steps[1:], strict=False):
        if after != before:
            figure = figure.plus(after - before, step.source, RULE)
    return figure.at_least(1, "at least 1", RULE)


def _attributes(template: Adversary, before: _Step, after: _Step) -> Attributes:
    """The template's attributes, cut where something added has a cap."""
    attributes = template.attributes
    for attribute, rating in after.figures.attributes.ratings():
        if rating != before.figures.attributes.of(attribute) and attribute is not Attribute.AGILITY:
            attributes = attributes.rated(attribute, rating)
    return attributes


def _skills(template: Adversary, given: AdversaryChanges) -> tuple[AdversarySkill, ...]:
    skills = {(skill.skill, skill.field): skill for skill in (*template.skills, *given.skills)}
    return tuple(skills.values())


def _attacks(
    given: AdversaryChanges,
    template: Adversary,
    skills: tuple[AdversarySkill, ...],
    before: _Step,
    after: _Step,
    catalog: Catalog,
) -> Iterator[AdversaryAttack]:
    for attack in template.attacks:
        old = _greatest(attack.cost, attack.rating, attack.skill, template.skills, before, catalog)
        new = _greatest(attack.cost, attack.rating, attack.skill, skills, after, catalog)
        yield replace(
            attack,
            max_cost=attack.max_cost + new[0] - old[0],
            max_dice=attack.max_dice + new[1] - old[1],
        )
    had = {trait.id for trait in before.traits}
    for trait in after.traits:
        if trait.attack is not None and trait.id not in had:
            weapon = trait.attack
            skill, cost, dice = _best(
                weapon.cost, weapon.rating, tuple(unarmed_skills(trait, catalog)), skills, after, catalog
            )
            yield AdversaryAttack(
                name=trait.name,
                skill=skill,
                cost=weapon.cost,
                rating=weapon.rating,
                damage=weapon.damage,
                max_cost=cost,
                max_dice=dice,
                hands=1 if weapon.needs_hand else 0,
                assumed=False,
            )
    for weapon_id in given.weapons:
        item = catalog.equipment[weapon_id]
        yield _weapon_line(item, skills, after, catalog)


def _weapon_line(
    item: Equipment, skills: tuple[AdversarySkill, ...], after: _Step, catalog: Catalog
) -> AdversaryAttack:
    table = catalog.tables[item.table]
    use = weapon_use(catalog, catalog.settings, item)
    cost, rating = use.energy.value, use.dice.value
    skill, max_cost, max_dice = _best(cost, rating, table.skills, skills, after, catalog)
    return AdversaryAttack(
        name=item.name,
        skill=skill,
        cost=cost,
        rating=rating,
        damage=item.damage[0] if item.damage else "",
        max_cost=max_cost,
        max_dice=max_dice,
        min_range=item.min_range,
        max_range=item.max_range,
        hands=item.hands,
        modes=item.modes,
        assumed=False,
    )


def _best(
    cost: int,
    rating: int,
    choices: tuple[str, ...],
    skills: tuple[AdversarySkill, ...],
    after: _Step,
    catalog: Catalog,
) -> tuple[str, int, int]:
    """The skill with the largest pool, what the greatest attack costs, and its dice."""
    options = [(skill, *_greatest(cost, rating, skill, skills, after, catalog)) for skill in choices]
    return max(options, key=lambda option: option[2])


def _greatest(
    cost: int,
    rating: int,
    skill: str,
    skills: tuple[AdversarySkill, ...],
    step: _Step,
    catalog: Catalog,
) -> tuple[int, int]:
    trained = max((item.rating for item in skills if item.skill == skill), default=0)
    attack = greatest_attack(
        cost,
        rating,
        attack_attribute(skill, catalog),
        step.figures,
        trained,
        size_of(step.traits, catalog),
    )
    return attack.cost.value, attack.dice.value


def _notes(block: Adversary, after: _Step, catalog: Catalog) -> Iterator[str]:
    training = max((skill.rating for skill in block.skills if skill.skill == ARMOR_TRAINING), default=0)
    usable = min(training, after.figures.attributes.strength)
    if block.armor > usable:
        yield (
            f"Its armor {block.armor} is beyond its training and Strength ({usable}): every action and "
            "reaction costs 1 energy more, and Agility counts 1 less."
        )
    for attack in block.attacks:
        if attack.cost > after.figures.energy.value:
            yield (
                f"{attack.name} costs {attack.cost} energy, more than it has "
                f"({after.figures.energy.value}): it cannot attack with it."
            )
    for skill in block.skills:
        general = catalog.skills.get(skill.skill)
        spell = catalog.spells.get(skill.skill)
        linked = general.attributes if general is not None else spell.attributes if spell is not None else ()
        best = max((after.figures.attributes.of(attribute) for attribute in linked), default=None)
        if best is not None and skill.rating > best:
            name = general.name if general is not None else spell.name if spell is not None else skill.skill
            yield f"{name} {skill.rating} is above its attribute ({best}); no more dice than that count."
