"""The rules of making a hero, step by step (Character Creation): what the choices of each step break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

from services.rules.engine.content import Shelf
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.fortunate_blades.advancement import advance_problems, grown
from services.rules.systems.fortunate_blades.catalog import Catalog, Talent
from services.rules.systems.fortunate_blades.choices import (
    LONGEST_NAME,
    LONGEST_TEXT,
    HeroChoices,
)
from services.rules.systems.fortunate_blades.condition import HARM_RULE, condition_problems
from services.rules.systems.fortunate_blades.gear import GEAR_RULE, gear_problems
from services.rules.systems.fortunate_blades.sheet import HarmSlots
from services.rules.systems.fortunate_blades.talents import talent_parts
from services.rules.systems.fortunate_blades.terms import Attribute, Creation, Quantity, TalentUse

CREATION_RULE = "Character Creation"
ATTRIBUTES_RULE = "The Attributes"
QUEST_RULE = "Personal Quest"
MOST_LISTED = 20


class Step(Enum):
    """The steps of the book, in its order.

    Attributes:
        BACKGROUNDS: Where the hero comes from.
        TRADES: What the hero is about.
        BLADE: The Fortunate Blade.
        TALENTS: All talents together.
        STORY: Places and forces that the choices bring into the story.
        ATTRIBUTES: Ranks.
        QUEST: The personal quest.
        GEAR: What the hero carries.
        PERSON: Name and look.
        CONDITION: What play has brought upon the hero.
    """

    BACKGROUNDS = "backgrounds"
    TRADES = "trades"
    BLADE = "blade"
    TALENTS = "talents"
    STORY = "story"
    ATTRIBUTES = "attributes"
    QUEST = "quest"
    GEAR = "gear"
    PERSON = "person"
    CONDITION = "condition"


def chosen_talents(choices: HeroChoices) -> tuple[str, ...]:
    """Content ids of all talents that are chosen, in the order of the steps."""
    blade = () if choices.blade is None else choices.blade.talents
    return (
        *(talent for one in choices.backgrounds for talent in one.talents),
        *(talent for one in choices.trades for talent in one.talents),
        *blade,
    )


def active_talents(choices: HeroChoices, catalog: Catalog) -> tuple[Talent, ...]:
    """The talents that count: that of a Fortunate Blade while it is held (J3)."""
    lost = () if choices.blade is None or choices.blade.held else choices.blade.talents
    found = (catalog.talents.get(one) for one in chosen_talents(choices) if one not in lost)
    return tuple(one for one in found if one is not None)


def steady_parts(choices: HeroChoices, catalog: Catalog, quantity: Quantity) -> tuple[Part, ...]:
    """What talents that always count add to a quantity that no roll asks for."""
    steady = (one for one in active_talents(choices, catalog) if one.use is TalentUse.ALWAYS)
    return talent_parts(steady, quantity)


def slots_of(choices: HeroChoices, catalog: Catalog) -> Explained:
    """The gear slots of a hero, and why (P1)."""
    own = Part(catalog.rules.slots, "every hero", GEAR_RULE)
    return Explained.of(own, *steady_parts(choices, catalog, Quantity.SLOTS))


def harm_slots(choices: HeroChoices, catalog: Catalog) -> HarmSlots:
    """How much Harm a hero can bear, and why (F2)."""
    rules = catalog.rules.harm

    def row(own: int, *more: Part) -> Explained:
        return Explained.of(Part(own, "every hero", HARM_RULE), *more)

    return HarmSlots(
        minor=row(rules.minor, *steady_parts(choices, catalog, Quantity.HARM_MINOR)),
        serious=row(rules.serious, *steady_parts(choices, catalog, Quantity.HARM_SERIOUS)),
        heroic=row(rules.heroic),
    )


def asked_additions(choices: HeroChoices, catalog: Catalog) -> dict[str, Creation]:
    """What the choices ask for: a place or a force, by the content id of what asks (J7)."""
    blade = () if choices.blade is None else (catalog.blades.get(choices.blade.blade),)
    entries = (
        *(catalog.backgrounds.get(one.background) for one in choices.backgrounds),
        *(catalog.trades.get(one.trade) for one in choices.trades),
        *blade,
    )
    return {one.id: one.creates for one in entries if one is not None and one.creates is not None}


def step_problems(choices: HeroChoices, catalog: Catalog) -> dict[Step, tuple[RuleProblem, ...]]:
    """Everything that is wrong with a hero, step by step."""
    if (long := tuple(_too_long(choices))) != ():
        return {step: long if step is Step.BACKGROUNDS else () for step in Step}
    return {step: tuple(check(choices, catalog)) for step, check in _CHECKS.items()}


def _too_long(choices: HeroChoices) -> Iterator[RuleProblem]:
    """Lists that are longer than any hero's: the rest is not worth the work."""
    lengths = (
        ("backgrounds", len(choices.backgrounds)),
        ("trades", len(choices.trades)),
        ("talents", len(chosen_talents(choices))),
        ("additions", len(choices.additions)),
    )
    for name, found in lengths:
        if found > MOST_LISTED:
            text = f"At most {MOST_LISTED} can be written down."
            yield RuleProblem("list_too_long", text, "table", (name,), found, MOST_LISTED)


def _text_problems(text: str, path: KeyPath, longest: int = LONGEST_TEXT) -> Iterator[RuleProblem]:
    if len(text) > longest:
        message = f"At most {longest} characters fit."
        yield RuleProblem("text_too_long", message, "table", path, len(text), longest)
    if not text.replace("\n", " ").isprintable():
        yield RuleProblem(
            "text_unprintable", "Only plain text fits.", "table", path, ascii(text)[:LONGEST_NAME]
        )


def _background_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    wanted = catalog.rules.creation.backgrounds
    if len(choices.backgrounds) != wanted:
        text = f"A hero has {wanted} backgrounds."
        found = len(choices.backgrounds)
        yield RuleProblem("background_count", text, CREATION_RULE, ("backgrounds",), found, wanted)
    seen: list[str] = []
    for place, one in enumerate(choices.backgrounds):
        path: KeyPath = ("backgrounds", place)
        entry = catalog.backgrounds.get(one.background)
        if one.background in seen:
            text, others = (
                "The backgrounds of a hero are different ones.",
                _without(catalog.backgrounds, seen),
            )
            yield RuleProblem(
                "background_repeated", text, CREATION_RULE, (*path, "background"), one.background, others
            )
        seen.append(one.background)
        if entry is None:
            text, allowed = "There is no such background.", catalog.backgrounds.ids
            yield RuleProblem(
                "background_unknown", text, CREATION_RULE, (*path, "background"), one.background, allowed
            )
        else:
            yield from _offered(one.talents, entry.talents, (*path, "talents"))
        yield from _text_problems(one.story, (*path, "story"))


def _trade_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    most = catalog.rules.creation.trades
    if not 1 <= len(choices.trades) <= most:
        text, found = f"A hero begins with 1 to {most} trades.", len(choices.trades)
        yield RuleProblem("trade_count", text, CREATION_RULE, ("trades",), found, (1, most))
    seen: list[str] = []
    for place, one in enumerate(choices.trades):
        path: KeyPath = ("trades", place)
        entry = catalog.trades.get(one.trade)
        if one.trade in seen:
            text, others = "A second trade is another one.", _without(catalog.trades, seen)
            yield RuleProblem("trade_repeated", text, CREATION_RULE, (*path, "trade"), one.trade, others)
        seen.append(one.trade)
        if entry is None:
            text, allowed = "There is no such trade.", catalog.trades.ids
            yield RuleProblem("trade_unknown", text, CREATION_RULE, (*path, "trade"), one.trade, allowed)
            continue
        if entry.starting not in one.talents:
            text = f"{entry.name} begins with its starting talent."
            yield RuleProblem(
                "trade_missing_starting_talent",
                text,
                CREATION_RULE,
                (*path, "talents"),
                one.talents,
                entry.starting,
            )
        yield from _offered(one.talents, entry.all_talents, (*path, "talents"))


def _blade_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    wanted, blade = catalog.rules.creation.blade_talents, choices.blade
    found = 0 if blade is None else len(blade.talents)
    if found != wanted:
        text = f"A Fortunate Blade grants {wanted} talent."
        path: KeyPath = ("blade",) if blade is None else ("blade", "talents")
        yield RuleProblem("blade_talent_count", text, CREATION_RULE, path, found, wanted)
    if blade is None:
        return
    entry = catalog.blades.get(blade.blade)
    if entry is None:
        text, allowed = "There is no such item among the Fortunate Blades.", catalog.blades.ids
        yield RuleProblem("blade_unknown", text, CREATION_RULE, ("blade", "blade"), blade.blade, allowed)
    else:
        yield from _offered(blade.talents, entry.talents, ("blade", "talents"))
    yield from _text_problems(blade.name, ("blade", "name"), LONGEST_NAME)
    yield from _text_problems(blade.origin, ("blade", "origin"))


def _without(shelf: Shelf[Any], taken: list[str]) -> tuple[str, ...]:
    """The ids of a shelf that are not taken."""
    return tuple(one for one in shelf.ids if one not in taken)


def _offered(talents: tuple[str, ...], offered: tuple[str, ...], path: KeyPath) -> Iterator[RuleProblem]:
    for place, talent in enumerate(talents):
        if talent not in offered:
            text = "This is not one of its talents."
            yield RuleProblem("talent_not_offered", text, CREATION_RULE, (*path, place), talent, offered)


def _talent_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    """All talents together: five, no one twice, two of them of backgrounds and two of trades (J4)."""
    rules, talents = catalog.rules.creation, chosen_talents(choices)
    if len(talents) > rules.talents:
        text = f"A hero begins with {rules.talents} talents."
        yield RuleProblem("too_many_talents", text, CREATION_RULE, ("talents",), len(talents), rules.talents)
    elif len(talents) < rules.talents:
        text = f"A hero begins with {rules.talents} talents."
        yield RuleProblem("too_few_talents", text, CREATION_RULE, ("talents",), len(talents), rules.talents)
    elif len(choices.backgrounds) == rules.backgrounds:
        shares = tuple(len(one.talents) for one in choices.backgrounds)
        if any(share != 1 for share in shares):
            text = "Each background gives one talent."
            allowed = (1,) * rules.backgrounds
            yield RuleProblem("talent_shares", text, CREATION_RULE, ("backgrounds",), shares, allowed)
    twice = sorted({one for one in talents if talents.count(one) > 1})
    if twice:
        text = "A talent is had once."
        yield RuleProblem("talent_repeated", text, CREATION_RULE, ("talents",), tuple(twice), 1)


def _story_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    asked, seen = asked_additions(choices, catalog), set[str]()
    for place, one in enumerate(choices.additions):
        path: KeyPath = ("additions", place)
        if one.source not in asked:
            text = "Nothing of this hero asks for that."
            yield RuleProblem(
                "addition_unasked", text, CREATION_RULE, (*path, "source"), one.source, tuple(asked)
            )
        elif one.source in seen:
            text = "It asks for one place or force."
            others = tuple(source for source in asked if source not in seen)
            yield RuleProblem("addition_repeated", text, CREATION_RULE, (*path, "source"), one.source, others)
        seen.add(one.source)
        if not one.name.strip():
            text = "A place or force needs a name."
            bounds = (1, LONGEST_NAME)
            yield RuleProblem("addition_without_name", text, CREATION_RULE, (*path, "name"), one.name, bounds)
        yield from _text_problems(one.name, (*path, "name"), LONGEST_NAME)
        yield from _text_problems(one.facts, (*path, "facts"))


def _attribute_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    rules = catalog.rules.creation
    for attribute in Attribute:
        rank, path = choices.ranks.of(attribute), ("ranks", attribute.value)
        if rank > rules.highest:
            text = f"{attribute.label} is at most {rules.highest}."
            yield RuleProblem("attribute_above_max", text, ATTRIBUTES_RULE, path, rank, rules.highest)
        elif rank < rules.lowest:
            text = f"{attribute.label} is at least {rules.lowest}."
            yield RuleProblem("attribute_below_min", text, ATTRIBUTES_RULE, path, rank, rules.lowest)
    total = choices.ranks.total()
    if total != rules.ranks:
        text = f"All ranks together come to {rules.ranks}; a negative one buys one more."
        yield RuleProblem("ranks_sum", text, CREATION_RULE, ("ranks",), total, rules.ranks)


def _quest_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    quest = choices.quest
    if not quest.quest and not quest.words.strip():
        text = "A hero has a personal quest, of the list or of the player's own."
        yield RuleProblem("missing_personal_quest", text, QUEST_RULE, ("quest",), "", catalog.quests.ids)
    elif quest.quest and quest.quest not in catalog.quests:
        text = "There is no such quest on the list."
        path: KeyPath = ("quest", "quest")
        yield RuleProblem("quest_unknown", text, QUEST_RULE, path, quest.quest, catalog.quests.ids)
    yield from _text_problems(quest.words, ("quest", "words"))


def _gear_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    whole = _known(choices, catalog)
    yield from gear_problems(choices.gear, slots_of(whole, catalog).value, catalog)


def _person_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    del catalog
    if not choices.name.strip():
        text, bounds = "A hero needs a name.", (1, LONGEST_NAME)
        yield RuleProblem("missing_name", text, CREATION_RULE, ("name",), choices.name, bounds)
    yield from _text_problems(choices.name, ("name",), LONGEST_NAME)
    yield from _text_problems(choices.look, ("look",))


def _condition_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    yield from advance_problems(choices, catalog)
    whole = _known(choices, catalog)
    slots = harm_slots(whole, catalog)
    yield from condition_problems(choices.condition, slots, chosen_talents(whole), catalog.rules)


def _known(choices: HeroChoices, catalog: Catalog) -> HeroChoices:
    """The choices with what advances brought; as they are where an advance breaks a rule."""
    return choices if any(advance_problems(choices, catalog)) else grown(choices)


Check = Callable[[HeroChoices, Catalog], Iterator[RuleProblem]]

_CHECKS: Mapping[Step, Check] = {
    Step.BACKGROUNDS: _background_problems,
    Step.TRADES: _trade_problems,
    Step.BLADE: _blade_problems,
    Step.TALENTS: _talent_problems,
    Step.STORY: _story_problems,
    Step.ATTRIBUTES: _attribute_problems,
    Step.QUEST: _quest_problems,
    Step.GEAR: _gear_problems,
    Step.PERSON: _person_problems,
    Step.CONDITION: _condition_problems,
}
