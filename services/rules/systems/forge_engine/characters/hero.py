"""Counts a character's sheet from a draft already found legal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained, Part
from services.rules.engine.frozen import replace
from services.rules.engine.sheet import CheckOutcome, RollableCheck, Track
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.characters.attacks import weapon_lines
from services.rules.systems.forge_engine.characters.attribute_tests import attribute_tests, free_skills
from services.rules.systems.forge_engine.characters.belongings import load_kg
from services.rules.systems.forge_engine.characters.budgets import budgets, step_cp
from services.rules.systems.forge_engine.characters.creation import Draft, waived_problems
from services.rules.systems.forge_engine.characters.permission import WAIVABLE
from services.rules.systems.forge_engine.characters.person import Learned, best_of
from services.rules.systems.forge_engine.characters.skill_rules import kind_of, linked, skill_name, skill_of
from services.rules.systems.forge_engine.characters.spells import spell_lines
from services.rules.systems.forge_engine.characters.standing import (
    ARMOR_TRAINING,
    INITIATIVE,
    SHIELD_TRAINING,
    Standing,
    standing,
)
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.conditions import borne
from services.rules.systems.forge_engine.rolls import fixed_roll
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.sheet_lines import (
    ArmorLine,
    AttackLine,
    AttributeLine,
    AttributeTest,
    BonusLine,
    ConditionLine,
    DamageLine,
    LeaveLine,
    LoadLine,
    MovementLine,
    PointsLine,
    SenseLine,
    ShieldLine,
    SkillLine,
    SpellLine,
    ThingLine,
    TraitLine,
    TravelLine,
)
from services.rules.systems.forge_engine.skills import Against, MartialSkill, Spell
from services.rules.systems.forge_engine.travel import running_minutes

TEST_READING = "Each d10 that reaches the difficulty is a success."
ATTACK_READING = "Each d10 that equals or beats the highest die of the target's {} is a success."
DEFENSE_READING = "The highest d10 is what the attacker's dice must reach."
INITIATIVE_READING = "The highest d10 goes first; equal ones are counted back die by die."
POOL_READING = "Each d10 is worth what the spell says."


def assemble(draft: Draft) -> CharacterSheet:
    """The character's sheet."""
    stand = standing(draft)
    choices, person, size = draft.choices, draft.person, stand.size
    health = derived.maximum_health(stand.size_trait.name, size, person.attributes.stamina, stand.traits)
    hardened = tuple(derived.Hardened(trait.name, trait.armor) for trait in stand.traits if trait.armor)
    worn = None if stand.armor is None else (stand.armor.name, stand.armor.rating)
    pd = derived.physical_defense(hardened, worn, size)
    md = derived.mental_defense(stand.attributes)
    first = derived.initiative(stand.agility.value, person.rating(INITIATIVE))
    tests, weapons, spells = attribute_tests(stand), weapon_lines(stand), tuple(spell_lines(stand))
    attacks = tuple(attack for weapon in weapons for attack in weapon.attacks)
    species = draft.species
    return CharacterSheet(
        system=SLUG,
        name=choices.name.strip(),
        **_faring(choices, health.value, stand.energy.value),
        checks=tuple(_checks(tests, attacks, spells, pd, md, first)),
        concept=choices.concept.strip(),
        species=choices.species,
        species_name="" if species is None else species.name,
        size=stand.size_trait.id,
        size_name=stand.size_trait.name,
        attributes=tuple(_attributes(stand)),
        traits=tuple(
            TraitLine(
                id=owned.trait.id,
                name=owned.trait.name,
                category=owned.trait.category,
                source=owned.source,
                cp=owned.cp,
                text=owned.trait.summary,
            )
            for owned in person.traits
        ),
        skills=tuple(_skills(stand)),
        spells=spells,
        energy=stand.energy,
        action_energy=stand.action_energy,
        pd=pd,
        pd_bonuses=tuple(_pd_bonuses(stand)),
        md=md,
        health=health,
        speed=Explained.of(Part(size.speed, stand.size_trait.name, "Size Traits [R-40]")),
        reach=Explained.of(Part(size.reach, stand.size_trait.name, "Size Traits")),
        space=size.space,
        strength_dice=size.strength_dice,
        initiative=first,
        rest_health=derived.short_rest_health(stand.size_trait.name, size, person.attributes.stamina),
        rest_energy=person.attributes.stamina,
        hands=person.hands,
        free_hands=stand.free_hands,
        tests=tests,
        weapons=weapons,
        armor=tuple(_armor(stand)),
        shields=tuple(_shields(stand)),
        things=tuple(
            ThingLine(name=thing.name.strip(), count=thing.count, place=thing.place, note=thing.note.strip())
            for thing in choices.things
        ),
        damage=tuple(_damage(stand)),
        senses=tuple(
            SenseLine(name=trait.name, range=trait.range, text=trait.summary)
            for trait in stand.traits
            if trait.senses
        ),
        movements=tuple(_movements(stand)),
        travel=_travel(stand),
        load=_load(stand),
        points=_points(draft),
        leave=tuple(_leave(draft)),
        personality=choices.personality.strip(),
        background=choices.background.strip(),
        moral_code=choices.moral_code.strip(),
        goals=choices.goals.strip(),
        conditions=tuple(
            ConditionLine(id=one.id, name=one.name, text=one.summary)
            for one in borne(choices.conditions, draft.catalog)
        ),
    )


def with_condition(sheet: CharacterSheet, choices: CharacterChoices) -> CharacterSheet:
    """A sheet with the health and the expended energy of other choices; all else of it stays."""
    return replace(sheet, **_faring(choices, sheet.health.value, sheet.energy.value))


def _faring(choices: CharacterChoices, most_health: int, most_energy: int) -> dict[str, Any]:
    """The fields of a sheet that say how a character fares."""
    now = most_health if choices.health is None else max(-most_health, min(choices.health, most_health))
    expended = min(choices.expended, most_energy)
    return {
        "tracks": (
            Track("energy", "Energy", most_energy - expended, most_energy),
            Track("health", "Health", max(now, 0), most_health),
        ),
        "expended": expended,
        "health_now": now,
        "condition": _condition(now, most_health, exhausted=expended == most_energy),
    }


def _condition(now: int, most: int, *, exhausted: bool) -> str:
    """The state of health (G8, R-57); whose energy is all expended is unconscious too (D6)."""
    if now <= -most:
        return "dead"
    if now < 0:
        return "dying"
    if now == 0 or exhausted:
        return "unconscious"
    return "bloodied" if 2 * now <= most else "healthy"


def _checks(
    tests: tuple[AttributeTest, ...],
    attacks: tuple[AttackLine, ...],
    spells: tuple[SpellLine, ...],
    pd: Explained,
    md: Explained,
    first: Explained,
) -> Iterator[RollableCheck]:
    for test in tests:
        yield _check(test.id, test.name, test.dice, TEST_READING)
    for attack in attacks:
        if attack.check is not None and attack.max_dice is not None:
            yield _check(
                attack.check, f"{attack.name}, all out", attack.max_dice, ATTACK_READING.format("PD")
            )
    for spell in spells:
        if spell.check is not None and spell.max_dice is not None:
            yield _check(spell.check, f"{spell.name}, all out", spell.max_dice, _spell_reading(spell.against))
    yield _check("pd", "Physical Defense", pd, DEFENSE_READING)
    yield _check("md", "Mental Defense", md, DEFENSE_READING)
    yield _check("initiative", "Initiative", first, INITIATIVE_READING)


def _check(check_id: str, name: str, dice: Explained, reading: str) -> RollableCheck:
    """A check that rolls what its reading says: successes, the highest die, or faces to compare."""
    match reading:
        case _ if reading == TEST_READING:
            notation, outcome = fixed_roll(dice.value), CheckOutcome.SUCCESSES
        case _ if reading in (DEFENSE_READING, INITIATIVE_READING):
            notation, outcome = f"{dice.value}d10{'kh1' if dice.value else ''}", CheckOutcome.TOTAL
        case _:
            notation, outcome = f"{dice.value}d10", CheckOutcome.FACES
    return RollableCheck(check_id, name, notation, reading, dice, outcome)


def _spell_reading(against: Against) -> str:
    match against:
        case Against.PD | Against.MD:
            return ATTACK_READING.format(against.name)
        case Against.DIFFICULTY | Against.TEST:
            return TEST_READING
        case Against.NOTHING:
            return POOL_READING


def _attributes(stand: Standing) -> Iterator[AttributeLine]:
    for attribute, rating in stand.person.attributes.ratings():
        effective = Explained.of(Part(rating, attribute.label, "Attributes"))
        yield AttributeLine(
            id=attribute,
            name=attribute.label,
            short=attribute.short,
            rating=rating,
            effective=stand.agility if attribute is Attribute.AGILITY else effective,
            next_cp=step_cp(attribute, rating + 1, stand.traits),
        )


def _skills(stand: Standing) -> Iterator[SkillLine]:
    """Free skills, then those bought, in the order they were acquired."""
    person, created = stand.person, stand.draft.created
    for learned in free_skills(person, stand.draft.choices, stand.catalog):
        yield from _skill(stand, learned, free=True)
    for key, learned in person.skills.items():
        yield from _skill(stand, learned, developed=learned.rating - created.rating(*key))


def _skill(
    stand: Standing, learned: Learned, *, free: bool = False, developed: int = 0
) -> Iterator[SkillLine]:
    skill = skill_of(learned.skill, stand.catalog)
    if skill is None or isinstance(skill, Spell):
        return
    attribute = best_of(linked(skill), stand.person.attributes)
    martial = skill if isinstance(skill, MartialSkill) else None
    yield SkillLine(
        id=skill.id,
        name=skill_name(skill, learned.field),
        kind=kind_of(skill),
        rating=learned.rating,
        field=learned.field,
        attribute=attribute,
        most=None if attribute is None else stand.person.attributes.of(attribute),
        free=free,
        developed=developed,
        use=None if martial is None else martial.use,
        benefit=None if martial is None else martial.benefit,
        stance=martial is not None and martial.stance,
        text=skill.summary,
    )


def _pd_bonuses(stand: Standing) -> Iterator[BonusLine]:
    """Dice of PD that some attacks do not meet (R-16, Particulate)."""
    if stand.size.evasion:
        yield BonusLine(
            dice=stand.size.evasion,
            when="against physical attacks that are no area attacks",
            source=stand.size_trait.name,
            rule="Size Traits [R-16]",
        )
    for trait in stand.traits:
        if trait.evasion:
            yield BonusLine(
                dice=trait.evasion,
                when="against martial attacks that are no area attacks",
                source=trait.name,
                rule=f"Traits / {trait.name}",
            )


def _armor(stand: Standing) -> Iterator[ArmorLine]:
    training = stand.person.rating(ARMOR_TRAINING)
    for piece in stand.carried:
        if piece.is_armor:
            item = piece.item
            yield ArmorLine(
                id=item.id,
                name=item.name,
                count=piece.carried.count,
                place=piece.carried.place,
                rating=item.rating,
                cap=derived.armor_cap(item.rating) if item.agility_cap is None else item.agility_cap,
                trained=derived.is_trained(item.rating, stand.person.attributes.strength, training),
            )


def _shields(stand: Standing) -> Iterator[ShieldLine]:
    training = stand.person.rating(SHIELD_TRAINING)
    for piece in stand.carried:
        if piece.is_shield:
            item = piece.item
            trained = derived.is_trained(item.rating, stand.person.attributes.strength, training)
            cost = derived.shield_energy(item.name, item.cost or 0, trained=trained)
            yield ShieldLine(
                id=item.id,
                name=item.name,
                count=piece.carried.count,
                place=piece.carried.place,
                cost=cost + stand.action_energy,
                rating=item.rating,
                trained=trained,
                ready=piece.in_hand,
            )


def _damage(stand: Standing) -> Iterator[DamageLine]:
    for trait in stand.traits:
        if trait.damage is not None:
            damage = stand.catalog.damage.get(trait.damage.damage)
            yield DamageLine(
                damage=trait.damage.damage,
                name=slug_of(trait.damage.damage) if damage is None else damage.name,
                response=trait.damage.response,
                source=trait.name,
            )


def _movements(stand: Standing) -> Iterator[MovementLine]:
    for trait in stand.traits:
        movement = trait.movement
        if movement is not None:
            each = movement.feet_per_strength
            yield MovementLine(
                name=trait.name,
                movement=movement,
                farthest=None if each is None else each * stand.attributes.strength,
                text=trait.summary,
            )


def _travel(stand: Standing) -> TravelLine:
    walking = derived.walking_speed(stand.attributes.stamina, stand.armor)
    return TravelLine(
        walking=walking,
        running=RUNNING * walking.value,
        running_minutes=running_minutes(stand.catalog, stand.attributes.stamina),
    )


RUNNING = 2
"""Running is so many times as fast as walking."""


def _load(stand: Standing) -> LoadLine | None:
    each = stand.settings.encumbrance_kg
    if not each:
        return None
    most = Explained.of(
        Part(
            each * stand.attributes.strength, f"{each} kg for each Strength", "Equipment / Encumbrance [R-98]"
        )
    )
    load = load_kg(stand.draft.choices)
    return LoadLine(most_kg=most, load_kg=load, slowed=load > most.value)


def _points(draft: Draft) -> PointsLine:
    growth = draft.growth
    return PointsLine(
        budgets=budgets(draft.spent, draft.catalog.settings),
        kept=growth.kept,
        earned=growth.earned,
        spent=growth.spent,
        left=growth.balance,
        set_aside=growth.reserved,
        history=growth.lines,
    )


def _leave(draft: Draft) -> Iterator[LeaveLine]:
    waived = waived_problems(draft)
    for code in draft.choices.leave:
        used = tuple(problem.message for problem in waived if problem.code == code)
        yield LeaveLine(code=code, text=WAIVABLE[code], used=used)
