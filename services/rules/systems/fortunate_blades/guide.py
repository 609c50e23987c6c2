"""Making a hero step by step: what is still to choose, what is wrong so far, what can be taken next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from services.rules.engine.guide import Budget, CreationStep, Guide, Offer
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import HeroChoices
from services.rules.systems.fortunate_blades.creation import (
    ATTRIBUTES_RULE,
    CREATION_RULE,
    QUEST_RULE,
    Step,
    asked_additions,
    chosen_talents,
    slots_of,
    step_problems,
)
from services.rules.systems.fortunate_blades.gear import GEAR_RULE, slots_used
from services.rules.systems.fortunate_blades.terms import Attribute, Creation

WORDS = {
    Step.BACKGROUNDS: (
        "Backgrounds",
        "Two different ones: where the hero comes from.",
    ),
    Step.TRADES: ("Trades", "One trade with two talents, or two trades with their starting talents."),
    Step.BLADE: (
        "Fortunate Blade",
        "Any object: what it is, the talent that it grants, its name.",
    ),
    Step.TALENTS: ("Talents", "Two of backgrounds, two of trades, one of the Blade."),
    Step.STORY: ("The story", "Some choices bring a place or a force; the game master has the last word."),
    Step.ATTRIBUTES: ("Attributes", "Five ranks; a negative rank buys one more."),
    Step.QUEST: ("Personal quest", "What the hero wants to bring about: of the list, or in your own words."),
    Step.GEAR: ("Gear", "What the hero carries in slots, and packed away."),
    Step.PERSON: ("Name and look", "What the hero is called, and how the hero looks."),
    Step.CONDITION: ("Condition", "What play has brought: Fortune spent, Harm, Marks."),
}


@dataclass(frozen=True, slots=True)
class Draft:
    """A hero that is not finished, beside the content."""

    choices: HeroChoices
    catalog: Catalog

    @property
    def left(self) -> int:
        """Talents that may still be taken."""
        return self.catalog.rules.creation.talents - len(chosen_talents(self.choices))

    @property
    def ranks_left(self) -> int:
        """Ranks that are still to be given out."""
        return self.catalog.rules.creation.ranks - self.choices.ranks.total()

    @property
    def slots_left(self) -> int:
        """Slots that are free."""
        slots = slots_of(self.choices, self.catalog).value
        return slots - slots_used(self.choices.gear, self.catalog).value


def creation_steps(choices: HeroChoices, catalog: Catalog) -> tuple[CreationStep, ...]:
    """The steps of the book, for choices as they are."""
    draft = Draft(choices, catalog)
    problems = step_problems(choices, catalog)
    budgets = {budget.id: budget for budget in _budgets(draft)}
    return tuple(
        CreationStep(
            id=step.value,
            name=WORDS[step][0],
            text=_text(step, draft),
            budgets=(budgets[step.value],) if step.value in budgets else (),
            problems=problems[step],
            offers=tuple(_OFFERS[step](draft)) if step in _OFFERS else (),
        )
        for step in Step
    )


def _text(step: Step, draft: Draft) -> str:
    """What is decided in a step; for the story, with the questions that are still open."""
    questions = _open_questions(draft) if step is Step.STORY else ()
    return " ".join((WORDS[step][1], *questions))


def _open_questions(draft: Draft) -> tuple[str, ...]:
    """What the player is still asked to tell of the places and forces that the choices bring."""
    told = {one.source for one in draft.choices.additions}
    catalog = draft.catalog
    shelves = (catalog.backgrounds.entries, catalog.trades.entries, catalog.blades.entries)
    asking = (
        shelf[source].question
        for source in asked_additions(draft.choices, catalog)
        for shelf in shelves
        if source in shelf and source not in told
    )
    return tuple(question for question in asking if question)


def _budgets(draft: Draft) -> Iterator[Budget]:
    choices, rules = draft.choices, draft.catalog.rules.creation
    of_trades = sum(len(one.talents) for one in choices.trades)
    of_blade = 0 if choices.blade is None else len(choices.blade.talents)
    asked = asked_additions(choices, draft.catalog)
    figures = (
        (Step.BACKGROUNDS, "Backgrounds", rules.backgrounds, len(choices.backgrounds), CREATION_RULE),
        (Step.TRADES, "Talents of trades", rules.trade_talents, of_trades, CREATION_RULE),
        (Step.BLADE, "Talents of the Blade", rules.blade_talents, of_blade, CREATION_RULE),
        (Step.TALENTS, "Talents", rules.talents, len(chosen_talents(choices)), CREATION_RULE),
        (Step.STORY, "Places and forces", len(asked), len(choices.additions), CREATION_RULE),
        (Step.ATTRIBUTES, "Ranks", rules.ranks, choices.ranks.total(), CREATION_RULE),
        (
            Step.GEAR,
            "Gear slots",
            slots_of(choices, draft.catalog).value,
            slots_used(choices.gear, draft.catalog).value,
            GEAR_RULE,
        ),
    )
    for step, name, allowed, spent, rule in figures:
        yield Budget(id=step.value, name=name, allowed=allowed, spent=spent, rule=rule)


def _offer(step: Step, kind: str, entry_id: str, name: str, note: str, cost: int = 1) -> Offer:
    return Offer(kind=kind, id=entry_id, name=name, cost=cost, budget=step.value, note=note)


def _backgrounds(draft: Draft) -> Iterator[Offer]:
    """Backgrounds that can still be taken, each with its first talent."""
    had, talents = {one.background for one in draft.choices.backgrounds}, chosen_talents(draft.choices)
    if len(draft.choices.backgrounds) >= draft.catalog.rules.creation.backgrounds or draft.left < 1:
        return
    for entry in draft.catalog.backgrounds:
        if entry.id not in had and not set(entry.talents) & set(talents):
            talent = draft.catalog.talents[entry.talents[0]]
            note = f"{talent.name}: {talent.text} But: {entry.complication}"
            yield _offer(Step.BACKGROUNDS, "background", entry.id, entry.name, note)


def _trades(draft: Draft) -> Iterator[Offer]:
    """Further trades with their starting talents, and further talents of the trades that are had."""
    rules, had = draft.catalog.rules.creation, {one.trade: one.talents for one in draft.choices.trades}
    taken = sum(len(talents) for talents in had.values())
    if taken >= rules.trade_talents or draft.left < 1:
        return
    talents = chosen_talents(draft.choices)
    for entry in draft.catalog.trades:
        if entry.id not in had:
            if len(had) < rules.trades and entry.starting not in talents:
                talent = draft.catalog.talents[entry.starting]
                note = f"{talent.name}: {talent.text}"
                yield _offer(Step.TRADES, "trade", entry.id, entry.name, note)
            continue
        for one in entry.all_talents:
            if one not in talents and (one == entry.starting or entry.starting in had[entry.id]):
                talent = draft.catalog.talents[one]
                yield _offer(Step.TRADES, "trade_talent", one, talent.name, f"{entry.name}: {talent.text}")


def _blades(draft: Draft) -> Iterator[Offer]:
    """Items that a Fortunate Blade can be, or the talents of the item that is chosen."""
    blade, rules = draft.choices.blade, draft.catalog.rules.creation
    if blade is None:
        for entry in draft.catalog.blades:
            names = " or ".join(draft.catalog.talents[one].name for one in entry.talents)
            yield _offer(Step.BLADE, "blade", entry.id, entry.name, f"{entry.text} Grants {names}.", 0)
        return
    chosen = draft.catalog.blades.get(blade.blade)
    if chosen is None or len(blade.talents) >= rules.blade_talents or draft.left < 1:
        return
    for one in chosen.talents:
        if one not in chosen_talents(draft.choices):
            talent = draft.catalog.talents[one]
            yield _offer(Step.BLADE, "blade_talent", one, talent.name, talent.text)


def _story(draft: Draft) -> Iterator[Offer]:
    """Places and forces to begin from, while a choice asks for one."""
    told = {one.source for one in draft.choices.additions}
    asked = asked_additions(draft.choices, draft.catalog)
    open_kinds = {kind for source, kind in asked.items() if source not in told}
    if Creation.PLACE in open_kinds:
        for place in draft.catalog.places:
            note = f"{place.text} ({place.sort}, {place.detail})"
            yield _offer(Step.STORY, "place", place.id, place.name, note)
    if Creation.FORCE in open_kinds:
        for force in draft.catalog.forces:
            traits = (force.sort, force.magnitude, force.involvement, force.ethic)
            yield _offer(Step.STORY, "force", force.id, force.name, f"{force.text} ({', '.join(traits)})")


def _attributes(draft: Draft) -> Iterator[Offer]:
    """One rank up or down, while ranks are left or too many are taken."""
    rules, left = draft.catalog.rules.creation, draft.ranks_left
    for attribute in Attribute:
        rank = draft.choices.ranks.of(attribute)
        for step in (1, -1):
            if left == 0 or (left < 0 and step > 0) or not rules.lowest <= rank + step <= rules.highest:
                continue
            yield Offer(
                kind="attribute",
                id=attribute.value,
                name=attribute.label,
                cost=step,
                budget=Step.ATTRIBUTES.value,
                rating=rank + step,
                note=f"{ATTRIBUTES_RULE}: {attribute.group.value}",
            )


def _quests(draft: Draft) -> Iterator[Offer]:
    if not draft.choices.quest.quest and not draft.choices.quest.words.strip():
        for entry in draft.catalog.quests:
            note = f"{QUEST_RULE}: {entry.text} {entry.question}"
            yield _offer(Step.QUEST, "personal_quest", entry.id, entry.name, note, 0)


def _gear(draft: Draft) -> Iterator[Offer]:
    for thing in draft.catalog.gear:
        if thing.slots <= draft.slots_left:
            yield _offer(Step.GEAR, "gear", thing.id, thing.name, thing.text, thing.slots)


_OFFERS: Mapping[Step, Callable[[Draft], Iterator[Offer]]] = {
    Step.BACKGROUNDS: _backgrounds,
    Step.TRADES: _trades,
    Step.BLADE: _blades,
    Step.STORY: _story,
    Step.ATTRIBUTES: _attributes,
    Step.QUEST: _quests,
    Step.GEAR: _gear,
}

GUIDE: Guide[HeroChoices, Catalog] = Guide(steps=creation_steps)
