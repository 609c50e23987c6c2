"""What can still be had at creation: everything imaginable, tried against the choices as they are.

An offer costs what it really takes from its budget: a trait that makes attributes cheaper costs less once
these are bought. Whatever is offered can be taken, and no rule is broken by it that was not broken before.

There are hundreds to try, and most change little. So a skill, or a trait, is tried by what it changes, and
only where more may come of it are the choices read anew with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from services.rules.engine.guide import Offer
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.characters.budgets import (
    GENERAL,
    SHARED,
    SKILLS,
    Spending,
    attributes_cp,
    budgets,
    kept_cp,
    shared_budget_problems,
    skill_budget_problems,
    trait_cp,
)
from services.rules.systems.forge_engine.characters.creation import Draft, Step, problems_by_step, read
from services.rules.systems.forge_engine.characters.development import grow
from services.rules.systems.forge_engine.characters.permission import unwaived
from services.rules.systems.forge_engine.characters.person import SkillKey, skill_key
from services.rules.systems.forge_engine.characters.skill_rules import (
    AnySkill,
    bought_problems,
    kind_of,
    rating_cp,
    skill_name,
    skill_of,
    takes_field,
)
from services.rules.systems.forge_engine.characters.trait_rules import (
    cap_problems,
    held_at_creation,
    new_trait_problems,
    species_of,
)
from services.rules.systems.forge_engine.choices import CharacterChoices, DevelopmentKind, SkillRating
from services.rules.systems.forge_engine.damage_traits import damage_traits, trait_of
from services.rules.systems.forge_engine.skills import GeneralSkill
from services.rules.systems.forge_engine.traits import Trait, TraitCategory

SPECIES, SPECIES_CHOICE, TRAIT, ATTRIBUTE, SKILL = "species", "species_choice", "trait", "attribute", "skill"

TOUCHED = {
    Step.TRAITS: (Step.TRAITS, Step.ATTRIBUTES, Step.SKILLS, Step.EQUIPMENT, Step.DEVELOPMENT),
    Step.ATTRIBUTES: (Step.ATTRIBUTES, Step.SKILLS, Step.DEVELOPMENT),
    Step.SKILLS: (Step.SKILLS, Step.DEVELOPMENT),
}
"""Where an offer of a step can break something at all."""


def offers(
    draft: Draft, problems: Mapping[Step, tuple[RuleProblem, ...]]
) -> Mapping[Step, tuple[Offer, ...]]:
    """What can be had next, by step.

    Args:
        draft: The choices as they are.
        problems: Every rule they break that nobody waives, by step.
    """
    trial = _Trial(draft, problems)
    found: dict[Step, list[Offer]] = {}
    for step, offer in imaginable(draft):
        cost = trial.cost(step, offer)
        if cost is not None:
            found.setdefault(step, []).append(replace(offer, cost=cost))
    return {step: tuple(fitting) for step, fitting in found.items()}


class _Trial:
    """Tries offers against choices as they are.

    A method that gives a cost gives None for what cannot be had.
    """

    def __init__(self, draft: Draft, problems: Mapping[Step, tuple[RuleProblem, ...]]) -> None:
        self._draft = draft
        self._choices, self._catalog, self._settings = draft.choices, draft.catalog, draft.catalog.settings
        self._broken = {(one.code, one.path) for found in problems.values() for one in found}
        self._stunting: dict[int, bool] = {}
        self._held = held_at_creation(draft.choices, draft.catalog)
        self._own = tuple(owned.trait for owned in draft.created.traits)
        self._traits = {trait.id: trait for trait in (*draft.catalog.traits, *damage_traits(draft.catalog))}
        entries = draft.choices.development
        self._later = {entry.kind for entry in entries}
        self._developed = {skill_key(entry.skill or "", entry.field) for entry in entries}
        # A skill without fields is the same whatever field is written beside it.
        self._developed |= {(skill, "") for skill, _ in self._developed}
        self._places: dict[SkillKey, int] = {}
        for index, bought in enumerate(draft.choices.skills):
            self._places.setdefault(skill_key(bought.skill, bought.field), index)

    def cost(self, step: Step, offer: Offer) -> int | None:
        """What an offer takes from its budget."""
        match offer.kind:
            case "skill":
                return self._skill_cost(offer)
            case "trait":
                return self._trait_cost(offer)
            case _:
                return self._read_anew(step, offer)

    def _read_anew(self, step: Step, offer: Offer) -> int | None:
        """The same for any offer, from the choices with it taken."""
        after = read(take(self._choices, offer), self._catalog)
        cost = offer.cost if step is Step.SKILLS else after.spent.shared - self._draft.spent.shared
        if not self._affordable(step, cost):
            return None
        steps: Iterable[Step] = TOUCHED[step]
        if step is Step.TRAITS and after.created.schools >= self._draft.created.schools:
            # Of all that a trait does, only a school that is shut breaks a rule about skills as such.
            if self._breaks(skill_budget_problems(after.spent, self._settings)):
                return None
            steps = (one for one in steps if one is not Step.SKILLS)
        broken = [problems_by_step(after, (one,))[one] for one in steps]
        own = self._place(offer)
        if any(one.path[:2] == own for problems in broken for one in problems):
            # What is wrong with it already is no reason to raise it further.
            return None
        return None if any(map(self._breaks, broken)) else cost

    def _place(self, offer: Offer) -> KeyPath | None:
        """Where in the choices something stands that has ratings; None for what has none."""
        match offer.kind:
            case "attribute":
                return ("attributes", offer.id)
            case "skill":
                key = skill_key(offer.id, offer.note)
                return ("skills", self._places.get(key, len(self._choices.skills)))
            case _:
                return None

    def _skill_cost(self, offer: Offer) -> int | None:
        """Only the one skill can be wrong, and what there is to spend."""
        skill, key = skill_of(offer.id, self._catalog), skill_key(offer.id, offer.note)
        if skill is None or key in self._developed:
            return self._read_anew(Step.SKILLS, offer)
        known = self._places.get(key)
        if known is None:
            index, bought = len(self._choices.skills), SkillRating(skill=offer.id, rating=1, field=offer.note)
            more = rating_cp(bought.rating)
        else:
            index, before = known, self._choices.skills[known]
            bought = replace(before, rating=before.rating + 1)
            more = rating_cp(bought.rating) - rating_cp(before.rating)
        kind = kind_of(skill).value
        spent = replace(self._draft.spent, **{kind: getattr(self._draft.spent, kind) + more})
        problems = bought_problems(skill, bought, self._draft.created, self._catalog, ("skills", index))
        wrong = any(unwaived(problems, self._choices.leave))
        return None if wrong or self._overspends(spent) else offer.cost

    def _trait_cost(self, offer: Offer) -> int | None:
        """Only what it stands beside can be wrong, caps, and what there is to spend; unless it does more."""
        trait, choices, before = self._traits[offer.id], self._choices, self._draft.spent
        if self._does_more(trait):
            return self._read_anew(Step.TRAITS, offer)
        held = (*self._own, trait)
        spent = replace(before, traits=before.traits + trait_cp(trait, self._settings))
        if trait.trend is not None:
            spent = replace(spent, attributes=attributes_cp(self._draft.created.attributes, held))
        cost = spent.shared - before.shared
        if not self._affordable(Step.TRAITS, cost):
            return None
        problems = (
            *new_trait_problems(trait, self._held, self._catalog, ("traits", len(choices.traits))),
            *cap_problems(choices.attributes, held),
        )
        return None if self._breaks(problems) or self._overspends(spent) else cost

    def _does_more(self, trait: Trait) -> bool:
        """Whether a trait changes size or what can be carried, or may hinder what came later."""
        changes = trait.size is not None or trait.hands or trait.bars_equipment
        rated = trait.trend is not None or trait.cap is not None
        hinders = DevelopmentKind.TRAIT in self._later or (rated and DevelopmentKind.ATTRIBUTE in self._later)
        return bool(changes or hinders)

    def _affordable(self, step: Step, cost: int) -> bool:
        """Whether traits and attributes leave enough; skills have what was looked at before."""
        return step is Step.SKILLS or cost <= 0 or cost <= self._settings.trait_cp - self._draft.spent.shared

    def _overspends(self, spent: Spending) -> bool:
        """Whether a budget is exceeded by spending so much, or CP are missed that were kept for later."""
        return (
            self._breaks(shared_budget_problems(spent, self._settings))
            or self._breaks(skill_budget_problems(spent, self._settings))
            or self._stunts(kept_cp(spent, self._settings))
        )

    def _stunts(self, kept: int) -> bool:
        """Whether what was bought since creation cannot be paid if so many CP are kept from it."""
        draft = self._draft
        if kept == draft.growth.kept or not self._choices.development:
            return False
        if kept not in self._stunting:
            growth = grow(draft.created, kept, self._choices.development, self._catalog)
            self._stunting[kept] = self._breaks(growth.problems)
        return self._stunting[kept]

    def _breaks(self, problems: Iterable[RuleProblem]) -> bool:
        """Whether one of these is new, and not waived."""
        return any(
            (one.code, one.path) not in self._broken for one in unwaived(problems, self._choices.leave)
        )


def imaginable(draft: Draft) -> Iterator[tuple[Step, Offer]]:
    """Everything that could be taken next, by the rules or not; costs are filled in when it is tried."""
    yield from ((Step.TRAITS, offer) for offer in _species_offers(draft))
    yield from ((Step.TRAITS, offer) for offer in _trait_offers(draft))
    for attribute in Attribute:
        rating = draft.choices.attributes.of(attribute) + 1
        yield (
            Step.ATTRIBUTES,
            Offer(
                kind=ATTRIBUTE,
                id=attribute.value,
                name=attribute.label,
                cost=0,
                budget=SHARED,
                rating=rating,
            ),
        )
    yield from ((Step.SKILLS, offer) for offer in _skill_offers(draft))


def _species_offers(draft: Draft) -> Iterator[Offer]:
    catalog, choices = draft.catalog, draft.choices
    species = species_of(choices, catalog)
    if species is None:
        for trait in catalog.traits:
            if trait.species is not None:
                yield Offer(
                    kind=SPECIES, id=trait.id, name=trait.name, cost=0, budget=SHARED, note=trait.summary
                )
        return
    lists = () if species.species is None else species.species.choices
    if len(choices.species_choices) < sum(choice.take for choice in lists):
        for trait_id in dict.fromkeys(offer for choice in lists for offer in choice.of):
            chosen = trait_of(trait_id, catalog)
            if chosen is not None:
                yield Offer(
                    kind=SPECIES_CHOICE,
                    id=trait_id,
                    name=chosen.name,
                    cost=0,
                    budget=SHARED,
                    note=chosen.summary,
                )


def _trait_offers(draft: Draft) -> Iterator[Offer]:
    for trait in (*draft.catalog.traits, *damage_traits(draft.catalog)):
        if trait.category is not TraitCategory.SPECIES and not draft.created.has(trait.id):
            yield Offer(kind=TRAIT, id=trait.id, name=trait.name, cost=0, budget=SHARED, note=trait.summary)


def _skill_offers(draft: Draft) -> Iterator[Offer]:
    """Ratings to raise, and new skills; of skills learned by field those fields that the book names.

    What general skills still need is kept for them.
    """
    catalog, known = draft.catalog, draft.created.skills
    points = {budget.id: budget.remaining for budget in budgets(draft.spent, catalog.settings)}
    if points[SKILLS] <= 0:
        return
    waived = "general_skill_minimum" in draft.choices.leave
    any_kind = points[SKILLS] > (0 if waived else points[GENERAL])
    for learned in known.values():
        skill = skill_of(learned.skill, catalog)
        if skill is not None and (any_kind or isinstance(skill, GeneralSkill)):
            yield _skill_offer(skill, learned.field, learned.rating + 1)
    for skill in (
        *catalog.skills,
        *(catalog.martial if any_kind else ()),
        *(catalog.spells if any_kind else ()),
    ):
        fields = getattr(skill, "fields", ()) if takes_field(skill) else ("",)
        for field in fields:
            if skill_key(skill.id, field) not in known:
                yield _skill_offer(skill, field, 1)


def _skill_offer(skill: AnySkill, field: str, rating: int) -> Offer:
    return Offer(
        kind=SKILL,
        id=skill.id,
        name=skill_name(skill, field),
        cost=1,
        budget=SKILLS,
        rating=rating,
        note=field,
    )


def take(choices: CharacterChoices, offer: Offer) -> CharacterChoices:
    """The choices with an offer taken."""
    match offer.kind:
        case "species":
            return replace(choices, species=offer.id)
        case "species_choice":
            return replace(choices, species_choices=(*choices.species_choices, offer.id))
        case "trait":
            return replace(choices, traits=(*choices.traits, offer.id))
        case "attribute":
            attribute = Attribute(offer.id)
            rating = choices.attributes.of(attribute) + 1
            return replace(choices, attributes=choices.attributes.rated(attribute, rating))
        case "skill":
            return replace(choices, skills=_raised(choices.skills, offer))
        case kind:
            raise ValueError(f"no such kind of offer: {kind}")


def _raised(skills: tuple[SkillRating, ...], offer: Offer) -> tuple[SkillRating, ...]:
    key = skill_key(offer.id, offer.note)
    for index, bought in enumerate(skills):
        if skill_key(bought.skill, bought.field) == key:
            raised = replace(bought, rating=bought.rating + 1)
            return (*skills[:index], raised, *skills[index + 1 :])
    return (*skills, SkillRating(skill=offer.id, rating=1, field=offer.note))
