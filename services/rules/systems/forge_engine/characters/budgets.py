"""What traits, attributes and skills cost, and the points there are for them (Character Creation, R1, R2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.rules.engine.guide import Budget
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.attributes import LOWEST, Attribute, Attributes
from services.rules.systems.forge_engine.settings import TableSettings, Unspent
from services.rules.systems.forge_engine.traits import Trait, TraitCategory

SHARED, SKILLS, GENERAL, DEVELOPMENT = "traits-and-attributes", "skills", "general-skills", "development"
MARTIAL, SPECIALIZED, MAGIC = "martial-skills", "specialized-skills", "magic-skills"

SHARED_RULE = "Character Creation / Step 3 (15 CP for traits and attributes)"
SKILL_RULE = "Character Creation / Step 4"


def step_cp(attribute: Attribute, rating: int, traits: Iterable[Trait]) -> int:
    """What it costs to raise an attribute to a rating from the one below: the rating, as traits change it."""
    trends = (trait.trend for trait in traits if trait.trend is not None)
    return max(0, rating + sum(trend.step_cp for trend in trends if trend.attribute is attribute))


def attribute_cp(attribute: Attribute, start: int, end: int, traits: Iterable[Trait]) -> int:
    """What it costs to raise an attribute step by step; nothing where it does not rise."""
    held = tuple(traits)
    return sum(step_cp(attribute, rating, held) for rating in range(max(start, LOWEST) + 1, end + 1))


def attributes_cp(attributes: Attributes, traits: Iterable[Trait]) -> int:
    """What all attributes together cost, from the rating that everybody has."""
    held = tuple(traits)
    return sum(attribute_cp(attribute, LOWEST, rating, held) for attribute, rating in attributes.ratings())


def trait_cp(trait: Trait, settings: TableSettings) -> int:
    """What a trait costs at a table; a liability gives CP back."""
    if trait.category is TraitCategory.MAGIC and settings.magic_trait_cp is not None:
        return settings.magic_trait_cp
    return trait.cp


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """CP spent at creation.

    Attributes:
        attributes: On attributes.
        traits: On traits; below 0 where liabilities outweigh.
        general: On general skills.
        basic: On basic martial skills.
        specialized: On specialized martial skills.
        magic: On spells.
    """

    attributes: int = 0
    traits: int = 0
    general: int = 0
    basic: int = 0
    specialized: int = 0
    magic: int = 0

    @property
    def shared(self) -> int:
        """CP of the budget that traits and attributes share."""
        return self.attributes + self.traits

    @property
    def martial(self) -> int:
        """CP on martial skills of either kind."""
        return self.basic + self.specialized

    @property
    def skills(self) -> int:
        """CP on skills of all kinds."""
        return self.general + self.martial + self.magic


def skill_allowance(spent: Spending, settings: TableSettings) -> int:
    """CP for skills, with what traits and attributes leave where the table moves that over."""
    moved = max(0, settings.trait_cp - spent.shared) if settings.unspent is Unspent.SKILLS else 0
    return settings.skill_cp + moved


def kept_cp(spent: Spending, settings: TableSettings) -> int:
    """CP held over into play: what creation left of both budgets, where the table lets them be kept."""
    if settings.unspent is not Unspent.KEPT:
        return 0
    return max(0, settings.trait_cp - spent.shared) + max(0, settings.skill_cp - spent.skills)


def budgets(spent: Spending, settings: TableSettings) -> tuple[Budget, ...]:
    """The budgets of creation: those of the book, and those that the table sets beside them.

    That for general skills is a minimum: of what is spent on them, only so much counts as is asked for.
    """
    limits = (
        (MARTIAL, "Martial skills", settings.martial_most, spent.martial),
        (SPECIALIZED, "Specialized martial skills", settings.specialized_most, spent.specialized),
        (MAGIC, "Magic skills", settings.magic_most, spent.magic),
    )
    return (
        Budget(
            id=SHARED,
            name="Traits and attributes",
            allowed=settings.trait_cp,
            spent=spent.shared,
            rule=SHARED_RULE,
        ),
        Budget(
            id=SKILLS,
            name="Skills",
            allowed=skill_allowance(spent, settings),
            spent=spent.skills,
            rule=SKILL_RULE,
        ),
        Budget(
            id=GENERAL,
            name="General skills, at least",
            allowed=settings.general_cp,
            spent=min(spent.general, settings.general_cp),
            rule=SKILL_RULE,
        ),
        *(
            Budget(id=budget, name=name, allowed=most, spent=used, rule=SKILL_RULE)
            for budget, name, most, used in limits
            if most is not None
        ),
    )


def shared_budget_problems(spent: Spending, settings: TableSettings) -> Iterator[RuleProblem]:
    """Whether traits and attributes together cost too much."""
    if spent.shared > settings.trait_cp:
        yield RuleProblem(
            "attribute_and_trait_budget_exceeded",
            f"Attributes cost {spent.attributes} CP and traits {spent.traits}; "
            f"there are {settings.trait_cp} for both.",
            SHARED_RULE,
            ("attributes",),
            spent.shared,
            settings.trait_cp,
        )


def skill_budget_problems(spent: Spending, settings: TableSettings) -> Iterator[RuleProblem]:
    """Whether too few CP go to general skills, or too many to any."""
    path: KeyPath = ("skills",)
    if spent.general < settings.general_cp:
        yield RuleProblem(
            "general_skill_minimum",
            f"At least {settings.general_cp} CP go to general skills; these are {spent.general}.",
            SKILL_RULE,
            path,
            spent.general,
            settings.general_cp,
        )
    allowed = skill_allowance(spent, settings)
    limits = (
        ("skill_budget_exceeded", "skills", spent.skills, allowed),
        ("martial_budget_exceeded", "martial skills", spent.martial, settings.martial_most),
        (
            "specialized_budget_exceeded",
            "specialized martial skills",
            spent.specialized,
            settings.specialized_most,
        ),
        ("magic_budget_exceeded", "magic skills", spent.magic, settings.magic_most),
    )
    for code, words, used, most in limits:
        if most is not None and used > most:
            yield RuleProblem(
                code,
                f"There are {most} CP for {words}; these cost {used}.",
                SKILL_RULE,
                path,
                used,
                most,
            )
