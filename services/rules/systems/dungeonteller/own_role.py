"""Roles that players make up, within a budget drawn from the printed ones (Making Up New Roles)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.catalog import Casting, Catalog, OwnRoleBudget, Role
from services.rules.systems.dungeonteller.choices import HeroChoices, OwnRole
from services.rules.systems.dungeonteller.rewards import narrow_bonus

RULE = "Making Up New Roles"
PATH: KeyPath = ("own_role",)
NAME_LENGTH = 40
WORDS_LENGTH = 80
RATING_LIMIT = 20
LUCK_LIMIT = 30
"""What no leave of the game master goes beyond, so that every roll stays one that can be rolled."""


def role_of(choices: HeroChoices, catalog: Catalog) -> Role | None:
    """The role chosen, of the book or one's own; None when there is no such role."""
    if choices.own_role is not None and not choices.role:
        return as_role(choices.own_role, catalog)
    return catalog.roles.get(choices.role)


def as_role(own: OwnRole, catalog: Catalog) -> Role:
    """A made-up role in the form of the printed ones.

    It casts when it has a spell, and reads scrolls when it has Magic without spells. It may gain, as rewards,
    the extra powers of the roles that its own powers come from.
    """
    powers = tuple(power for power in own.powers if power in catalog.powers)
    kin = tuple(role for role in catalog.roles if not set(role.powers).isdisjoint(powers))
    extra = dict.fromkeys(power for role in kin for power in role.extra_powers if power not in powers)
    casting = Casting.NOTHING
    if own.ratings.magic >= 1:
        casts = any(catalog.powers[power].spell for power in powers)
        casting = Casting.SPELLS if casts else Casting.SCROLLS
    return Role(
        id="",
        name=own.name.strip(),
        summary="",
        luck=own.luck,
        ratings=own.ratings,
        casting=casting,
        powers=powers,
        extra_powers=tuple(extra),
        bonuses=tuple(
            narrow_bonus(bonus.action, bonus.dice, bonus.when.strip(), RULE, catalog) for bonus in own.bonuses
        ),
        armor=own.armor if own.armor in catalog.armor else None,
    )


def points(ratings: Ratings, powers: int, luck: int, bonus_dice: int, budget: OwnRoleBudget) -> int:
    """What a role is worth by the exchange of the rewards: one die, one power, one Luck or two bonus dice."""
    dice = sum(ratings.of(action) for action in Action)
    return dice + powers + luck - budget.usual_luck + (bonus_dice + 1) // 2


def role_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that the choice of a role breaks; exactly one role is chosen, of the book or one's own."""
    own = choices.own_role
    if own is None:
        if choices.role not in catalog.roles:
            yield RuleProblem(
                "role_unknown",
                "There is no such role.",
                "List of Roles",
                ("role",),
                choices.role,
                catalog.roles.ids,
            )
        return
    if choices.role:
        yield RuleProblem(
            "two_roles",
            "A hero has a role of the book or an own one, not both.",
            RULE,
            PATH,
            choices.role,
            "",
        )
    yield from _name_problems(own)
    yield from _figure_problems(own, catalog.settings.own_role)
    yield from _power_problems(own, catalog, malicious=choices.malicious)
    yield from _bonus_problems(own, catalog.settings.own_role)
    yield from _armor_problems(own, catalog)
    if not own.gm_leave:
        yield from _budget_problems(own, catalog.settings.own_role)


def _name_problems(own: OwnRole) -> Iterator[RuleProblem]:
    where = (*PATH, "name")
    if not own.name.strip():
        yield RuleProblem("role_name_missing", "A new role needs a name.", RULE, where, own.name)
    if len(own.name) > NAME_LENGTH:
        yield RuleProblem(
            "role_name_too_long",
            f"At most {NAME_LENGTH} signs fit.",
            RULE,
            where,
            len(own.name),
            NAME_LENGTH,
        )


def _figure_problems(own: OwnRole, budget: OwnRoleBudget) -> Iterator[RuleProblem]:
    most = RATING_LIMIT if own.gm_leave else budget.rating
    for action in Action:
        rating = own.ratings.of(action)
        if not 0 <= rating <= most:
            yield RuleProblem(
                "rating_out_of_range",
                f"{action.label} goes from 0 to {most}.",
                RULE,
                (*PATH, "ratings", action.value),
                rating,
                (0, most),
            )
    least, most = (1, LUCK_LIMIT) if own.gm_leave else (budget.least_luck, budget.most_luck)
    if not least <= own.luck <= most:
        yield RuleProblem(
            "luck_out_of_range",
            f"Luck goes from {least} to {most}.",
            RULE,
            (*PATH, "luck"),
            own.luck,
            (least, most),
        )


def _power_problems(own: OwnRole, catalog: Catalog, *, malicious: bool) -> Iterator[RuleProblem]:
    seen: set[str] = set()
    for index, power_id in enumerate(own.powers):
        path: KeyPath = (*PATH, "powers", index)
        power = catalog.powers.get(power_id)
        if power is None or (power.familiar and not own.gm_leave):
            known = tuple(one.id for one in catalog.powers if not one.everyone and not one.familiar)
            yield RuleProblem("power_unknown", "There is no such power.", RULE, path, power_id, known)
            continue
        if power.everyone or power_id in seen:
            yield RuleProblem(
                "power_known", f"The role has {power.name} already.", "Roles / Powers", path, power_id
            )
        if power.spell and own.ratings.magic < 1:
            yield RuleProblem(
                "cannot_cast",
                f"{power.name} is a spell and needs Magic 1 or more.",
                "Actions / Magic [P5]",
                path,
                own.ratings.magic,
                1,
            )
        if power.malicious and not malicious:
            yield RuleProblem(
                "not_malicious",
                f"{power.name} only works for malicious wizards.",
                power.source,
                path,
                power_id,
            )
        seen.add(power_id)


def _bonus_problems(own: OwnRole, budget: OwnRoleBudget) -> Iterator[RuleProblem]:
    most = RATING_LIMIT if own.gm_leave else budget.bonus_dice
    for index, bonus in enumerate(own.bonuses):
        path: KeyPath = (*PATH, "bonuses", index)
        if not 1 <= bonus.dice <= most:
            yield RuleProblem(
                "bonus_out_of_range",
                f"Bonus dice go from 1 to {most}.",
                RULE,
                (*path, "dice"),
                bonus.dice,
                (1, most),
            )
        if not bonus.when.strip() or len(bonus.when) > WORDS_LENGTH:
            yield RuleProblem(
                "speciality_missing",
                f"Say what the bonus dice are for, in at most {WORDS_LENGTH} signs.",
                RULE,
                (*path, "when"),
                len(bonus.when),
                WORDS_LENGTH,
            )


def _armor_problems(own: OwnRole, catalog: Catalog) -> Iterator[RuleProblem]:
    if own.armor is None:
        return
    path: KeyPath = (*PATH, "armor")
    armor = catalog.armor.get(own.armor)
    most = catalog.settings.own_role.armor
    if armor is None:
        yield RuleProblem("item_not_armor", "This is no armor.", RULE, path, own.armor, catalog.armor.ids)
    elif armor.value > most and not own.gm_leave:
        yield RuleProblem(
            "armor_too_good",
            f"A role begins with Armor {most} at most.",
            RULE,
            path,
            armor.value,
            most,
        )


def _budget_problems(own: OwnRole, budget: OwnRoleBudget) -> Iterator[RuleProblem]:
    if len(own.powers) > budget.powers:
        yield RuleProblem(
            "too_many_powers",
            f"A role begins with {budget.powers} powers at most.",
            RULE,
            (*PATH, "powers"),
            len(own.powers),
            budget.powers,
        )
    bonus_dice = sum(max(bonus.dice, 0) for bonus in own.bonuses)
    if bonus_dice > budget.bonus_dice:
        yield RuleProblem(
            "too_many_bonus_dice",
            f"A role has {budget.bonus_dice} bonus dice at most, all in all.",
            RULE,
            (*PATH, "bonuses"),
            bonus_dice,
            budget.bonus_dice,
        )
    worth = points(own.ratings, len(own.powers), own.luck, bonus_dice, budget)
    if worth > budget.points:
        yield RuleProblem(
            "over_budget",
            f"This role is worth {worth} points of {budget.points}; the game master may allow more.",
            RULE,
            PATH,
            worth,
            budget.points,
        )
