"""Weapons on the sheet: what each attack costs, its pool, and the greatest one (Attacks; B3 to B6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.explain import Explained, Part
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.characters.belongings import Piece
from services.rules.systems.forge_engine.characters.standing import Standing
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.equipment import FireMode, TriggeredDice
from services.rules.systems.forge_engine.pools.attack_given import PoolSkill
from services.rules.systems.forge_engine.pools.attack_pool import EXTERNALITIES, with_externalities
from services.rules.systems.forge_engine.pools.greatest import greatest_action, strength_parts
from services.rules.systems.forge_engine.sheet_lines import AttackLine, WeaponLine
from services.rules.systems.forge_engine.wares import (
    WeaponUse,
    arming_energy,
    blast_radius,
    farthest,
    fire_options,
    weapon_use,
)

UNARMED = content_id(SLUG, "equipment", "historical-punch-kick")
CLAWS = content_id(SLUG, "trait", "claws")
FINESSE = content_id(SLUG, "martial", "finesse-weapons")


@dataclass(frozen=True, slots=True)
class _Use:
    """One way of using a weapon, before anybody's attributes and skills."""

    name: str
    check: str
    use: WeaponUse
    skills: tuple[str, ...]
    arc: str = ""
    off_hand: bool = False


def weapon_lines(standing: Standing) -> tuple[WeaponLine, ...]:
    """Every weapon: those carried in the order they were written down, then those of the body."""
    carried = (piece for piece in standing.carried if not piece.is_armor and not piece.is_shield)
    lines = (*(_carried(standing, piece) for piece in carried), *_natural(standing))
    seen: Counter[str] = Counter()
    return tuple(
        replace(line, attacks=tuple(_told_apart(attack, seen) for attack in line.attacks)) for line in lines
    )


def _told_apart(attack: AttackLine, seen: Counter[str]) -> AttackLine:
    """The attack with an id of its own, where another has the same, as of a second dagger."""
    if attack.check is None:
        return attack
    seen[attack.check] += 1
    if seen[attack.check] == 1:
        return attack
    return _told_apart(replace(attack, check=f"{attack.check}-{seen[attack.check]}"), seen)


def _carried(standing: Standing, piece: Piece) -> WeaponLine:
    item, catalog, stem = piece.item, standing.catalog, slug_of(piece.item.id)
    off_hand = piece.carried.place is Place.OFF_HAND
    plain = () if item.base_only else (("", stem, None),)
    options = tuple(
        (option.name, f"{stem}-{_words(option.name)}", option)
        for option in fire_options(catalog, item)
        if not item.base_only or option.mode is FireMode.FULL_AUTO
    )
    uses = (
        _Use(
            name=f"{item.name}: {words.lower()}" if words else item.name,
            check=check,
            use=weapon_use(catalog, standing.settings, item, option),
            skills=piece.table.skills,
            arc="" if option is None else option.arc,
            off_hand=off_hand,
        )
        for words, check, option in (*plain, *options)
    )
    codes = (
        *(("2H",) if item.hands > 1 else ()),
        *(mode.value for mode in item.modes),
        *(() if item.loading is None else (item.loading.value,)),
        *(() if item.arming is None else (item.arming.value,)),
        *(("CC",) if item.concussion else ()),
    )
    return WeaponLine(
        id=item.id,
        name=item.name,
        natural=False,
        count=piece.carried.count,
        place=piece.carried.place,
        ready=piece.in_hand,
        hands=item.hands,
        min_range=item.min_range,
        max_range=item.max_range,
        farthest=farthest(catalog, item, arm=standing.size.reach),
        damage=item.damage,
        codes=codes,
        attacks=tuple(_attack(standing, use) for use in uses),
        notes=tuple(_notes(standing, piece)),
        holds=item.holds,
        loaded=_loaded(piece),
        ammunition=piece.carried.ammunition,
    )


def _loaded(piece: Piece) -> int | None:
    """Shots in a weapon: all that it holds, where nobody says otherwise."""
    holds, loaded = piece.item.holds, piece.carried.loaded
    return holds if holds is None or loaded is None else min(loaded, holds)


def _notes(standing: Standing, piece: Piece) -> Iterator[str]:
    item = piece.item
    if item.summary:
        yield item.summary
    radius, arming = blast_radius(standing.catalog, item), arming_energy(standing.catalog, item)
    if radius is not None:
        yield f"Bursts within {radius} feet of where it lands; everybody there defends."
    if arming is not None:
        yield f"Arming it first takes {arming} energy." if arming else "It goes off when it lands."
    yield from map(_triggered, item.triggered)


def _natural(standing: Standing) -> Iterator[WeaponLine]:
    """Fists, and what traits grow (R-77)."""
    fists = standing.catalog.equipment.get(UNARMED)
    table = None if fists is None else standing.catalog.tables.get(fists.table)
    unarmed = () if table is None else table.skills
    if fists is not None:
        use = weapon_use(standing.catalog, standing.settings, fists)
        yield _body_line(
            standing, fists.id, fists.name, fists.damage, _Use(fists.name, "unarmed", use, unarmed)
        )
    for trait in standing.traits:
        if trait.attack is None:
            continue
        rule = f"Physical Traits / {trait.name}"
        use = WeaponUse(
            energy=Explained.of(Part(trait.attack.cost, trait.name, rule)),
            dice=Explained.of(Part(trait.attack.rating, trait.name, rule)),
        )
        finesse = trait.id == CLAWS and standing.settings.claws_with_finesse
        skills = (*unarmed, FINESSE) if finesse else unarmed
        ready = not trait.attack.needs_hand or standing.free_hands > 0
        yield _body_line(
            standing,
            trait.id,
            trait.name,
            (trait.attack.damage,),
            _Use(trait.name, slug_of(trait.id), use, skills),
            ready=ready,
        )


def _body_line(
    standing: Standing, line_id: str, name: str, damage: tuple[str, ...], use: _Use, *, ready: bool = True
) -> WeaponLine:
    venom = any(trait.venom for trait in standing.traits)
    return WeaponLine(
        id=line_id,
        name=name,
        natural=True,
        count=1,
        place=None,
        ready=ready,
        hands=0,
        min_range=None,
        max_range=None,
        farthest=standing.size.reach,
        damage=damage,
        codes=(),
        attacks=(_attack(standing, use),),
        notes=(VENOM,) if venom else (),
    )


VENOM = "Whoever it harms makes a Stamina (Resist) test at 7, or at 8 from 3 damage on, or is Poisoned."


def _attack(standing: Standing, use: _Use) -> AttackLine:
    """An attack with the skill that makes the most of it."""
    return max(
        (_attack_with(standing, use, skill) for skill in _helping(standing, use.skills)),
        key=lambda line: 0 if line.max_dice is None else line.max_dice.value,
    )


def _helping(standing: Standing, skills: tuple[str, ...]) -> tuple[str | None, ...]:
    """The first skill that is in play, and those that were learned: who has not, strikes as anybody does."""
    known = [
        skill for skill in skills if (found := standing.catalog.martial.get(skill)) and not found.optional
    ]
    learned = [skill for skill in skills if standing.person.rating(skill)]
    return tuple(dict.fromkeys((*known[:1], *learned))) or (None,)


def _attack_with(standing: Standing, use: _Use, skill: str | None) -> AttackLine:
    known = None if skill is None else standing.catalog.martial.get(skill)
    attribute = Attribute.STRENGTH if known is None or known.attribute is None else known.attribute
    rating = 0 if skill is None else standing.person.rating(skill)
    cost = use.use.energy + standing.action_energy
    parts = _externalities(standing, attribute, off_hand=use.off_hand)
    greatest = greatest_action(
        cost,
        use.use.dice,
        standing.energy.value,
        attribute,
        standing.attributes.of(attribute),
        () if known is None else (PoolSkill(name=known.name, rating=rating),),
        parts,
    )
    return AttackLine(
        name=use.name,
        attribute=attribute,
        skill=skill,
        skill_rating=rating,
        cost=cost,
        dice=with_externalities(use.use.dice, parts),
        max_cost=None if greatest is None else greatest.cost,
        max_dice=None if greatest is None else greatest.dice,
        arc=use.arc,
        check=f"attack-{use.check}" if greatest is not None and greatest.dice.value > 0 else None,
    )


def _externalities(standing: Standing, attribute: Attribute, *, off_hand: bool) -> tuple[Part, ...]:
    """The dice of size, and those that an attack loses in the off-hand."""
    lost = standing.off_hand_dice if off_hand else 0
    penalty = (Part(-lost, "in the off-hand", EXTERNALITIES),) if lost else ()
    return (*strength_parts(attribute, standing.size, standing.size_trait.name), *penalty)


def _triggered(dice: TriggeredDice) -> str:
    named = " to ".join(slug_of(one).replace("-", " ") for one in (dice.smallest, dice.biggest) if one)
    species = ", ".join(slug_of(one).replace("-", " ") for one in dice.species)
    sizes = f"against sizes from {named}" if dice.smallest and not dice.biggest else named
    words = "; ".join(word for word in (sizes, species, dice.when) if word)
    return f"{dice.dice} more dice: {words}." if words else f"{dice.dice} more dice."


def _words(name: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in name.lower()).split())
