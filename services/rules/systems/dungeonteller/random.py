"""A hero drawn by chance, ready to play in a minute; the same stream of faces draws the same hero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from services.rules.dice.stream import FaceStream
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.belongings import SHIELD
from services.rules.systems.dungeonteller.catalog import Catalog, Role, Weapon
from services.rules.systems.dungeonteller.checks import BATTLE, SHOOT, Actor, Moment, count_dice
from services.rules.systems.dungeonteller.choices import HeroChoices, Purchase
from services.rules.systems.dungeonteller.outfit import HANDS

T = TypeVar("T")


def random_hero(
    stream: FaceStream, catalog: Catalog, *, name: str | None = None, role: str | None = None
) -> HeroChoices:
    """Draws a hero that builds: with the role's kit, its best weapon and shield in hand, and a thing or none.

    Args:
        stream: Where chance comes from; the same faces give the same hero.
        catalog: The content.
        name: The hero's name; drawn when None.
        role: Content id of the role; drawn when None.

    Raises:
        KeyError: There is no such role.
        StreamError: The stream has no face to give.
    """
    chosen = catalog.roles[role] if role is not None else _one_of(stream, tuple(catalog.roles))
    words = catalog.words
    drawn_name = _one_of(stream, words.names) if name is None else name
    look = f"{_one_of(stream, words.looks)} and {_one_of(stream, words.habits)}"
    in_hand, shield = _hands(stream, chosen, catalog)
    return HeroChoices(
        name=drawn_name,
        role=chosen.id,
        look=look,
        buys=_thing(stream, catalog),
        shield=shield,
        in_hand=in_hand,
    )


def _one_of(stream: FaceStream, items: Sequence[T]) -> T:
    return items[stream.draw(len(items)) - 1]


def _thing(stream: FaceStream, catalog: Catalog) -> tuple[Purchase, ...]:
    """One thing the purse pays for, or nothing."""
    affordable = tuple(gear.id for gear in catalog.gear if gear.gold <= catalog.settings.purse)
    thing = _one_of(stream, (None, *affordable))
    return () if thing is None else (Purchase(item=thing),)


def _hands(stream: FaceStream, role: Role, catalog: Catalog) -> tuple[tuple[str, ...], bool]:
    """What to hold of the kit: the weapon with the most dice, with the shield if there is one.

    Where several are as good, one is drawn.
    """
    kit = {line.item for line in catalog.kit_of(role)}
    shield = SHIELD in kit and role.ratings.muscle >= catalog.weapons[SHIELD].armor
    free = HANDS - 1 if shield else HANDS
    weapons = tuple(
        weapon
        for weapon in catalog.weapons
        if weapon.id in kit and weapon.id != SHIELD and weapon.hands <= free
    )
    if not weapons:
        return (), shield
    actor = Actor.of_role(role, catalog.settings)
    best = max(_dice(actor, weapon) for weapon in weapons)
    return (_one_of(stream, tuple(w.id for w in weapons if _dice(actor, w) == best)),), shield


def _dice(actor: Actor, weapon: Weapon) -> int:
    attacks = {Action.BATTLE: BATTLE, Action.SHOOT: SHOOT}
    return max(count_dice(actor, attacks[action], Moment(weapon=weapon)).value for action in weapon.use)


def drawn_hero(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> HeroChoices | Problems:
    """A hero drawn by chance; its concept is a role."""
    if concept is not None and concept not in catalog.roles:
        unknown = RuleProblem(
            "role_unknown",
            "There is no such role.",
            "List of Roles",
            ("concept",),
            concept,
            catalog.roles.ids,
        )
        return Problems((unknown,))
    return random_hero(stream, catalog, name=name, role=concept)
