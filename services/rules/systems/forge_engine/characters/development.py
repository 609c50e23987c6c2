"""How a character grows in play: CP awarded, and what they are spent on (Character Development; R7, S2).

Entries count in their order, and prices are those of creation. An entry that waits gives nothing: its award
is not there to spend. A purchase that waits has its price set aside all the same: no other is offered for
it, and whatever was proposed by what is offered can be approved in any order, or refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.budgets import attribute_cp, trait_cp
from services.rules.systems.forge_engine.characters.person import (
    Learned,
    OwnedTrait,
    Person,
    SkillKey,
    TraitSource,
    skill_key,
)
from services.rules.systems.forge_engine.characters.skill_rules import (
    learning_problems,
    skill_name,
    skill_of,
    takes_field,
    unknown_skill,
)
from services.rules.systems.forge_engine.characters.trait_rules import (
    HIGHEST,
    cap_problems,
    new_trait_problems,
)
from services.rules.systems.forge_engine.choices import AwardKind, Development, DevelopmentKind
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.traits import Trait

RULE = "Character Development"
AWARDS = "Rewards And Progression"

MOST_AT_ONCE = 100
MOST_CP = 100

AWARD_WORDS = {
    AwardKind.SESSION: ("session", "sessions"),
    AwardKind.MINOR_QUEST: ("minor quest", "minor quests"),
    AwardKind.MAJOR_QUEST: ("major quest", "major quests"),
    AwardKind.CAMPAIGN: ("campaign", "campaigns"),
    AwardKind.ROLE_PLAY: ("piece of fine role-playing", "pieces of fine role-playing"),
    AwardKind.COMBAT: ("fight without a rest", "fights without a rest"),
    AwardKind.OTHER: ("award of the game master", "awards of the game master"),
}


def award_cp(kind: AwardKind, settings: TableSettings) -> int | None:
    """CP of one award; None where the game master says how many."""
    return {
        AwardKind.SESSION: settings.session_cp,
        AwardKind.MINOR_QUEST: settings.minor_quest_cp,
        AwardKind.MAJOR_QUEST: settings.major_quest_cp,
        AwardKind.CAMPAIGN: settings.campaign_cp,
        AwardKind.ROLE_PLAY: settings.role_play_cp,
        AwardKind.COMBAT: settings.bonus_combat_cp,
        AwardKind.OTHER: None,
    }[kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """One line of the account of CP since creation.

    Attributes:
        index: Place of its entry among the development, from 0; None for what creation left.
        text: "Strength from 3 to 4".
        cp: What comes in; below 0 for what goes out.
        balance: CP that are there after it.
        waiting: Whether it has not been approved; then it changes nothing.
        note: The table's words about it.
    """

    index: int | None
    text: str
    cp: int
    balance: int
    waiting: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What became of a character since creation.

    Attributes:
        person: The character now.
        lines: The account, line by line.
        problems: Every rule that the entries break.
        earned: CP that approved awards came to.
        spent: CP that approved purchases cost.
        kept: CP held over from creation.
        reserved: CP that waiting purchases set aside.
    """

    person: Person
    lines: tuple[LedgerLine, ...]
    problems: tuple[RuleProblem, ...]
    earned: int
    spent: int
    kept: int
    reserved: int

    @property
    def balance(self) -> int:
        """CP that are there to spend."""
        return self.kept + self.earned - self.spent


def grow(person: Person, kept: int, entries: Iterable[Development], catalog: Catalog) -> Growth:
    """Follows a character from creation to now.

    Args:
        person: The character at creation.
        kept: CP held over from creation.
        entries: What happened since.
        catalog: The content.
    """
    account = _followed(person, kept, entries, catalog)
    return Growth(
        person=account.person,
        lines=tuple(account.lines),
        problems=tuple(account.problems),
        earned=account.earned,
        spent=account.spent,
        kept=kept,
        reserved=account.reserved,
    )


def further(
    person: Person, kept: int, entries: Sequence[Development], catalog: Catalog
) -> Callable[[Development], tuple[RuleProblem, ...]]:
    """Says what would be wrong with one more entry behind those there are, each tried for itself.

    Args:
        person: The character at creation.
        kept: CP held over from creation.
        entries: What happened since.
        catalog: The content.
    """
    account = _followed(person, kept, entries, catalog)
    return lambda entry: account.tried(len(entries), entry)


def _followed(person: Person, kept: int, entries: Iterable[Development], catalog: Catalog) -> _Account:
    account = _Account(person, kept, catalog)
    if kept:
        account.lines.append(LedgerLine(index=None, text="Left from creation", cp=kept, balance=kept))
    for index, entry in enumerate(entries):
        account.enter(index, entry)
    return account


@dataclass(slots=True)
class _Account:
    """The state while entries are followed; `set_aside` and the rest of its kind hold what waits."""

    person: Person
    kept: int
    catalog: Catalog
    earned: int = 0
    spent: int = 0
    reserved: int = 0
    lines: list[LedgerLine] = field(default_factory=list)
    problems: list[RuleProblem] = field(default_factory=list)
    waiting_steps: Counter[Attribute] = field(default_factory=Counter)
    waiting_skills: Counter[SkillKey] = field(default_factory=Counter)
    waiting_traits: list[Trait] = field(default_factory=list)

    @property
    def balance(self) -> int:
        return self.kept + self.earned - self.spent

    def tried(self, index: int, entry: Development) -> tuple[RuleProblem, ...]:
        """What is wrong with one more entry, which is not kept."""
        after = replace(
            self,
            lines=[],
            problems=[],
            waiting_steps=self.waiting_steps.copy(),
            waiting_skills=self.waiting_skills.copy(),
            waiting_traits=self.waiting_traits.copy(),
        )
        after.enter(index, entry)
        return tuple(after.problems)

    def enter(self, index: int, entry: Development) -> None:
        """Follows one entry; what is wrong with it is kept, and what is unknown changes nothing."""
        path: KeyPath = ("development", index)
        if not 1 <= entry.count <= MOST_AT_ONCE:
            self.problems.append(
                RuleProblem(
                    "count_out_of_range",
                    f"Count from 1 to {MOST_AT_ONCE}.",
                    RULE,
                    (*path, "count"),
                    entry.count,
                    (1, MOST_AT_ONCE),
                )
            )
            return
        match entry.kind:
            case DevelopmentKind.AWARD:
                self._award(index, entry, path)
            case DevelopmentKind.ATTRIBUTE:
                self._attribute(index, entry, path)
            case DevelopmentKind.SKILL:
                self._skill(index, entry, path)
            case DevelopmentKind.TRAIT:
                self._trait(index, entry, path)

    def _award(self, index: int, entry: Development, path: KeyPath) -> None:
        if entry.award is None:
            kinds = tuple(kind.value for kind in AwardKind)
            self.problems.append(
                RuleProblem("award_missing", "Say what for.", AWARDS, (*path, "award"), None, kinds)
            )
            return
        figure = award_cp(entry.award, self.catalog.settings)
        free = entry.award in (AwardKind.COMBAT, AwardKind.OTHER)
        each = figure if entry.cp is None else entry.cp
        lowest = -MOST_CP if entry.award is AwardKind.OTHER else 0
        if each is None:
            self.problems.append(
                RuleProblem("award_cp_missing", "Say how many CP.", AWARDS, (*path, "cp"), None)
            )
            return
        if not free and each != figure:
            self.problems.append(
                RuleProblem(
                    "award_cp_fixed",
                    f"One {AWARD_WORDS[entry.award][0]} is worth {figure} CP at this table.",
                    AWARDS,
                    (*path, "cp"),
                    each,
                    figure,
                )
            )
            each = figure or 0
        if not lowest <= each <= MOST_CP:
            self.problems.append(
                RuleProblem(
                    "award_cp_out_of_range",
                    f"An award is from {lowest} to {MOST_CP} CP.",
                    AWARDS,
                    (*path, "cp"),
                    each,
                    (lowest, MOST_CP),
                )
            )
            return
        total = each * entry.count
        if entry.approved:
            self.earned += total
        self._line(index, entry, award_text(entry.award, entry.count), total)

    def _attribute(self, index: int, entry: Development, path: KeyPath) -> None:
        attribute = entry.attribute
        if attribute is None:
            names = tuple(known.value for known in Attribute)
            self.problems.append(
                RuleProblem(
                    "attribute_missing", "Say which attribute.", RULE, (*path, "attribute"), None, names
                )
            )
            return
        old = self.person.attributes.of(attribute)
        if not entry.approved:
            old += self.waiting_steps[attribute]
        new = old + entry.count
        cost = attribute_cp(attribute, old, new, (owned.trait for owned in self.person.traits))
        self.problems.extend(self._rating_problems(attribute, new, (*path, "attribute")))
        self._pay(entry, cost, path)
        if entry.approved:
            self.person = replace(self.person, attributes=self.person.attributes.rated(attribute, new))
        else:
            self.waiting_steps[attribute] += entry.count
        self._line(index, entry, f"{attribute.label} from {old} to {new}", -cost)

    def _rating_problems(self, attribute: Attribute, rating: int, path: KeyPath) -> Iterator[RuleProblem]:
        most = self.catalog.settings.attribute_most
        if rating > HIGHEST:
            yield RuleProblem(
                "rating_too_high", f"Ratings end at {HIGHEST} here.", RULE, path, rating, HIGHEST
            )
        if most is not None and rating > most:
            yield RuleProblem(
                "attribute_above_limit",
                f"At this table no attribute is higher than {most}.",
                RULE,
                path,
                rating,
                most,
            )
        raised = self.person.attributes.rated(attribute, rating)
        for problem in cap_problems(raised, (owned.trait for owned in self.person.traits)):
            if problem.path[-1] == attribute.value:
                yield replace(problem, path=path)

    def _skill(self, index: int, entry: Development, path: KeyPath) -> None:
        skill = None if entry.skill is None else skill_of(entry.skill, self.catalog)
        if skill is None:
            self.problems.append(unknown_skill((*path, "skill"), entry.skill))
            return
        words = " ".join(entry.field.split()) if takes_field(skill) else ""
        key = skill_key(skill.id, words)
        old = self.person.rating(*key)
        if not entry.approved:
            old += self.waiting_skills[key]
        new = old + entry.count
        self.problems.extend(
            learning_problems(skill, entry.field, new, self.person, self.catalog, path, "count")
        )
        self._pay(entry, entry.count, path)
        if entry.approved:
            known = self.person.skills.get(key)
            learned = Learned(skill=skill.id, rating=new, field=words if known is None else known.field)
            self.person = replace(self.person, skills={**self.person.skills, key: learned})
        else:
            self.waiting_skills[key] += entry.count
        name = skill_name(skill, words)
        text = f"{name} from {old} to {new}" if old else f"Learned {name} {new}"
        self._line(index, entry, text, -entry.count)

    def _trait(self, index: int, entry: Development, path: KeyPath) -> None:
        where = (*path, "trait")
        trait = None if entry.trait is None else trait_of(entry.trait, self.catalog)
        if trait is None:
            self.problems.append(
                RuleProblem("unknown_trait", "There is no such trait.", "Traits", where, entry.trait)
            )
            return
        if entry.count != 1:
            self.problems.append(
                RuleProblem("trait_once", "A trait is taken once.", RULE, (*path, "count"), entry.count, 1)
            )
        held = [owned.trait for owned in self.person.traits]
        if not trait.later:
            self.problems.append(
                RuleProblem(
                    "trait_only_at_creation",
                    f"{trait.name} is taken at creation; in play it asks for the game master's leave.",
                    f"{RULE} / Buying New Traits",
                    where,
                    trait.id,
                )
            )
        beside = held if entry.approved else [*held, *self.waiting_traits]
        self.problems.extend(new_trait_problems(trait, beside, self.catalog, where))
        before = {problem.path for problem in cap_problems(self.person.attributes, held)}
        self.problems.extend(
            replace(problem, path=where)
            for problem in cap_problems(self.person.attributes, [*held, trait])
            if problem.path not in before
        )
        cost = trait_cp(trait, self.catalog.settings)
        self._pay(entry, cost, path)
        if entry.approved:
            owned = OwnedTrait(trait, TraitSource.DEVELOPED, cost)
            if not self.person.has(trait.id):
                self.person = replace(self.person, traits=(*self.person.traits, owned))
        else:
            self.waiting_traits.append(trait)
        self._line(index, entry, f"The trait {trait.name}", -cost)

    def _pay(self, entry: Development, cost: int, path: KeyPath) -> None:
        available = self.balance if entry.approved else self.balance - self.reserved
        if cost > 0 and cost > available:
            self.problems.append(
                RuleProblem(
                    "not_enough_cp",
                    f"This costs {cost} CP, and {max(available, 0)} are there by then.",
                    f"{RULE}; {AWARDS}",
                    path,
                    cost,
                    max(available, 0),
                )
            )
        if entry.approved:
            self.spent += cost
        else:
            self.reserved += max(cost, 0)

    def _line(self, index: int, entry: Development, text: str, cp: int) -> None:
        self.lines.append(
            LedgerLine(
                index=index,
                text=text,
                cp=cp,
                balance=self.balance,
                waiting=not entry.approved,
                note=entry.note.strip(),
            )
        )


def award_text(kind: AwardKind, count: int) -> str:
    """What an award is for: "3 sessions"."""
    one, many = AWARD_WORDS[kind]
    return f"1 {one}" if count == 1 else f"{count} {many}"


def development_line(entry: Development, catalog: Catalog) -> str:
    """An entry's effect, in plain words."""
    match entry.kind:
        case DevelopmentKind.AWARD:
            if entry.award is None:
                return "CP for something"
            each = award_cp(entry.award, catalog.settings) if entry.cp is None else entry.cp
            amount = "CP" if each is None else f"{each * entry.count} CP"
            return f"{amount} for {award_text(entry.award, entry.count)}"
        case DevelopmentKind.ATTRIBUTE:
            name = "an attribute" if entry.attribute is None else entry.attribute.label
            return f"{name} {entry.count} higher"
        case DevelopmentKind.SKILL:
            skill = skill_of(entry.skill or "", catalog)
            return f"{'a skill' if skill is None else skill_name(skill, entry.field)} {entry.count} higher"
        case DevelopmentKind.TRAIT:
            trait = trait_of(entry.trait or "", catalog)
            return "a trait" if trait is None else f"the trait {trait.name}"
