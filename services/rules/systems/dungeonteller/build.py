"""Choices to a hero: checks every rule at once, then counts every number.

`HeroChoices` is all a player decides. `build` returns a `HeroSheet`, or every broken rule with its path.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.belongings import (
    SHIELD,
    owned,
    purse,
    spent,
    thing_problems,
    use_problems,
    worn_armor,
)
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.choices import HeroChoices, OwnBonus, OwnRole, Purchase
from services.rules.systems.dungeonteller.companions import companion_problems
from services.rules.systems.dungeonteller.hero import Hero, assemble
from services.rules.systems.dungeonteller.own_role import role_of, role_problems
from services.rules.systems.dungeonteller.rewards import grow, reward_problems
from services.rules.systems.dungeonteller.sheet import HeroSheet

__all__ = ["HeroChoices", "OwnBonus", "OwnRole", "Purchase", "build"]

NAME_LENGTH = 80
LOOK_LENGTH = 500


def build(choices: HeroChoices, catalog: Catalog) -> HeroSheet | Problems:
    """Builds a hero, or names every rule the choices break."""
    role = role_of(choices, catalog)
    problems = (
        *_name_problems(choices),
        *role_problems(choices, catalog),
        *thing_problems(choices, role, catalog),
        *use_problems(choices, role, catalog),
        *reward_problems(choices.rewards, role, catalog, malicious=choices.malicious),
        *companion_problems(choices.companions, catalog),
        *_luck_problems(choices),
    )
    if problems or role is None:
        return Problems(problems)
    worn = worn_armor(choices, role, catalog)
    return assemble(
        Hero(
            name=choices.name.strip(),
            look=choices.look.strip(),
            role=role,
            growth=grow(role, choices.rewards, catalog),
            rewards=choices.rewards,
            owned=owned(choices, role, catalog),
            worn=worn,
            shield=catalog.weapons[SHIELD] if choices.shield else None,
            in_hand=choices.in_hand,
            in_use=frozenset((*choices.wearing, *choices.in_hand, *(() if worn is None else (worn.id,)))),
            purse=purse(choices, role, catalog),
            gold_found=choices.gold_found,
            spent=spent(choices, catalog),
            malicious=choices.malicious,
            companions=choices.companions,
            luck=choices.luck,
        ),
        catalog,
    )


def _name_problems(choices: HeroChoices) -> Iterator[RuleProblem]:
    if not choices.name.strip():
        yield RuleProblem("name_missing", "A hero needs a name.", "hero card", ("name",), choices.name)
    for field, text, limit in (("name", choices.name, NAME_LENGTH), ("look", choices.look, LOOK_LENGTH)):
        if len(text) > limit:
            yield RuleProblem(
                f"{field}_too_long", f"At most {limit} signs fit.", "hero card", (field,), len(text), limit
            )


def _luck_problems(choices: HeroChoices) -> Iterator[RuleProblem]:
    if choices.luck is not None and choices.luck < 0:
        text = "Luck never falls below 0."
        yield RuleProblem("luck_below_0", text, "Basics / Luck [P1]", ("luck",), choices.luck, 0)
