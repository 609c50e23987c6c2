"""Cases of characters: what things cost, what breaks a rule, and what follows from ratings.

A case names attributes by three letters, and traits and skills by the book's names. Two things are read off
the cases themselves. A case without any skills says nothing of skills, and so is not asked for the minimum of
general ones. And a case names what is wrong, not what follows from that: ratings below 1 are no measure for
skills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import content_id
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import LOWEST, Attribute, Attributes
from services.rules.systems.forge_engine.catalog import SLUG, own_catalog
from services.rules.systems.forge_engine.characters.attribute_tests import free_skills
from services.rules.systems.forge_engine.characters.budgets import Spending, attribute_cp
from services.rules.systems.forge_engine.characters.creation import problems_by_step, read
from services.rules.systems.forge_engine.characters.person import Person
from services.rules.systems.forge_engine.choices import CharacterChoices, SkillRating
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.derived import Hardened, WornArmor
from services.rules.systems.forge_engine.traits import Size, Trait

Given = Mapping[str, Any]
Answer = dict[str, Any]

_BY_SHORT = {attribute.short: attribute for attribute in Attribute}


def _attributes(given: Given) -> Attributes:
    ratings = {attribute.value: given[short] for short, attribute in _BY_SHORT.items() if short in given}
    return Attributes(**ratings)


def _slug(name: str) -> str:
    """The slug of a name: "Bodyguard's Ward" is `bodyguards-ward`."""
    words = "".join(
        sign if sign.isalnum() else " " for sign in name.lower().replace("'", "").replace("’", "")
    )
    return "-".join(words.split())


_ALSO = {
    "fit": "vigorous",
    "tough": "sturdy",
    "normal": "medium",
    "tremorsense": "tremor-sense",
    "hand-guns": "small-guns",
    "heavy-guns": "heavy-weapons",
    "precision-shot": "precision-attack",
    "stunning-blow": "stunning-attack",
    "arcana": "arcane",
}
"""Names that the book also uses (rulings section 7)."""


def _id(kind: str, name: str) -> str:
    slug = _slug(name)
    return content_id(SLUG, kind, _ALSO.get(slug, slug))


def _trait_id(name: str) -> str:
    return _id("trait", name)


def _trait(name: str) -> Trait:
    found = trait_of(_trait_id(name), own_catalog())
    if found is None:
        raise UnsupportedCaseError(f"a trait called {name!r}")
    return found


def _traits(names: Any) -> tuple[Trait, ...]:
    return tuple(_trait(name) for name in names or ())


def _size(name: str) -> tuple[str, Size]:
    trait = _trait(name)
    if trait.size is None:
        raise UnsupportedCaseError(f"a size called {name!r}")
    return trait.name, trait.size


def _attribute_cost(given: Given) -> Answer:
    attribute = _BY_SHORT[given["attribute"]]
    traits = _traits(given.get("traits"))
    return {"cp": attribute_cp(attribute, given["from"], given["to"], traits)}


def _build_cost(given: Given) -> Answer:
    bought = given.get("bought_traits", ())
    traits = (*_traits(given.get("species_traits")), *_traits(trait["name"] for trait in bought))
    spent = Spending(
        attributes=sum(
            attribute_cp(attribute, LOWEST, rating, traits)
            for attribute, rating in _attributes(given["attributes"]).ratings()
        ),
        traits=sum(trait["cp"] for trait in bought),
    )
    return {
        "attribute_cp": spent.attributes,
        "trait_cp": spent.traits,
        "total_cp": spent.shared,
        "within_15": spent.shared <= own_catalog().settings.trait_cp,
    }


# Validation

_SKILL_LISTS = {"general_skills": "skill", "martial_skills": "martial", "magic_skills": "spell"}


def _validation(given: Given) -> Answer:
    draft = read(_choices(given), own_catalog())
    found = [problem.code for problems in problems_by_step(draft).values() for problem in problems]
    codes = list(dict.fromkeys(found))
    if not any(given.get(name) for name in _SKILL_LISTS):
        codes = [code for code in codes if code != "general_skill_minimum"]
    if "attribute_below_1" in codes:
        codes = [code for code in codes if code != "skill_above_attribute"]
    return {"valid": not codes, "errors_include": codes}


def _choices(given: Given) -> CharacterChoices:
    named = given.get("species")
    species = [] if named is None else [named] if isinstance(named, str) else list(named)
    chosen = [given["free_trait"]] if given.get("free_trait") else []
    chosen += given.get("choices") or ()
    # More species than one stand among the traits that are bought, as they would for a player.
    bought = (*species[1:], *(given.get("traits") or ()))
    return CharacterChoices(
        name="A case",
        species=_trait_id(species[0]) if species else "",
        species_choices=tuple(_trait_id(name) for name in chosen),
        traits=tuple(_trait_id(name) for name in bought),
        attributes=_attributes(given.get("attributes") or {}),
        skills=tuple(_skills(given)),
    )


def _skills(given: Given) -> Iterator[SkillRating]:
    for key, kind in _SKILL_LISTS.items():
        for written, rating in (given.get(key) or {}).items():
            name, field = _name_and_field(written)
            yield SkillRating(skill=_id(kind, name), rating=rating, field=field)


def _name_and_field(written: str) -> tuple[str, str]:
    """A skill's name and field: "Language: Latin", "Knowledge (Law)"."""
    if ":" in written:
        name, _, field = written.partition(":")
        return name.strip(), field.strip()
    if written.endswith(")"):
        name, _, field = written[:-1].partition("(")
        return name.strip(), field.strip()
    return written, ""


# Derived figures


def _armor(given: Given) -> WornArmor | None:
    rating = given.get("armor_rating") or 0
    if not rating:
        return None
    trained = "armor_training" not in given or derived.is_trained(
        rating, given.get("STR", rating), given["armor_training"]
    )
    return WornArmor(name="armor", rating=rating, cap=derived.armor_cap(rating), trained=trained)


def _energy(given: Given) -> Answer:
    attributes = _attributes(given.get("attributes") or given)
    capped = derived.agility(attributes.agility, _armor(given), own_catalog().settings).value
    return {"max_energy": derived.energy(attributes.rated(Attribute.AGILITY, capped)).value}


def _mental_defense(given: Given) -> Answer:
    return {"MD": derived.mental_defense(_attributes(given.get("attributes") or given)).value}


def _physical_defense(given: Given) -> Answer:
    traits = _traits(given.get("traits"))
    sizes = [trait.size for trait in traits if trait.size is not None]
    if given.get("size"):
        sizes.append(_size(given["size"])[1])
    hardened = tuple(Hardened(trait.name, trait.armor) for trait in traits if trait.armor is not None)
    worn = ("armor", given.get("armor_rating") or 0)
    return {"PD": derived.physical_defense(hardened, worn, sizes[-1] if sizes else None).value}


def _health(given: Given) -> Answer:
    name, size = _size(given["size"])
    traits = _traits(given.get("traits"))
    return {"max_health": derived.maximum_health(name, size, given["STA"], traits).value}


def _speed(given: Given) -> Answer:
    _, size = _size(given["size"])
    return {"move_ft": size.speed, "reach_ft": size.reach, "space_ft": size.space}


def _free_skills(given: Given) -> Answer:
    person = Person(attributes=_attributes(given), traits=(), skills={})
    catalog = own_catalog()
    found = free_skills(person, CharacterChoices(name="A case"), catalog)
    return {f"{catalog.skills[one.skill].name} ({one.field})": one.rating for one in found}


def _attribute_test(given: Given) -> Answer:
    attribute, skill = given.get("attribute", 0), given.get("skill", 0)
    bonus = given.get("bonus", 0) + sum(given.get("assistants") or ())
    if given.get("action") == "Shake It Off":
        # Energy alone: neither attribute nor skill bounds or helps it.
        return {"pool": given["energy"] + bonus}
    energy = given.get("energy") or 0
    if energy and (given.get("in_combat") or given.get("opposing")):
        pool = derived.combat_test("attribute", attribute, "skill", skill, energy).value
    elif given.get("opposing") and given.get("in_combat"):
        # The target of an opposed test has its attribute for nothing, but no skill.
        pool = attribute
    elif given.get("in_combat"):
        pool = 0
    else:
        pool = derived.attribute_test("attribute", attribute, "skill", skill).value
    return {"pool": pool + bonus}


def _armor_cap(given: Given) -> Answer:
    rating = given["armor_rating"]
    return {"agility_cap": derived.armor_cap(rating), "PD": _physical_defense(given)["PD"]}


def _armor_untrained(given: Given) -> Answer:
    armor = _armor(given)
    return {
        "action_cost": given.get("action_cost", 0) + derived.action_energy(armor).value,
        "effective_AGI": derived.agility(given["AGI"], armor, own_catalog().settings).value,
    }


AREAS: Mapping[str, Area] = {
    "attribute_cost": _attribute_cost,
    "build_cost": _build_cost,
    "validation": _validation,
    "derived_energy": _energy,
    "derived_md": _mental_defense,
    "derived_pd": _physical_defense,
    "derived_health": _health,
    "derived_speed": _speed,
    "derived_free_skills": _free_skills,
    "attribute_test_pool": _attribute_test,
    "armor_cap": _armor_cap,
    "armor_untrained": _armor_untrained,
}
