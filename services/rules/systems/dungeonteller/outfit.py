"""What may be worn and held (Stuff / Armor)."""

from __future__ import annotations

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.things import Armor, Weapon, WorldObject

HANDS = 2


def wear_problem(name: str, value: int, muscle: int, path: KeyPath = ()) -> RuleProblem | None:
    """Why armour cannot be worn: it needs as much Muscle as its value (Stuff / Armor List)."""
    if muscle >= value:
        return None
    return RuleProblem(
        "armor_needs_muscle",
        f"{name} needs Muscle {value}, and there is only Muscle {muscle}.",
        "Stuff / Armor List",
        path,
        muscle,
        value,
    )


def hand_problems(weapons: tuple[tuple[KeyPath, Weapon], ...], *, shield: bool) -> tuple[RuleProblem, ...]:
    """Why weapons cannot be held together: two hands in all, and no two-handed weapon beside a shield.

    Args:
        weapons: Each weapon held, with its path in the request.
        shield: Whether a shield is held beside them.
    """
    if shield:
        two_handed = tuple(
            RuleProblem(
                "two_handed_with_shield",
                f"{weapon.name} takes both hands, and one holds a shield.",
                "Stuff / Armor (shield)",
                path,
                weapon.id,
                1,
            )
            for path, weapon in weapons
            if weapon.hands == HANDS
        )
        if two_handed:
            return two_handed
    hands = sum(weapon.hands for _, weapon in weapons if not weapon.free) + (1 if shield else 0)
    if hands <= HANDS:
        return ()
    return (
        RuleProblem(
            "hands_full",
            f"These things take {hands} hands.",
            "Stuff / Battle Weapons (hands)",
            ("in_hand",),
            hands,
            HANDS,
        ),
    )


def magic_armor(armor: Armor, printed: int) -> int:
    """Value of magic armour from the figure printed with it.

    A "+3" on scale armour (2) is Armor 3, one more than usual, and needs Muscle 3 (Stuff / Armor; rulings
    page). A figure below the usual value takes nothing away.
    """
    return max(armor.value, printed)


def object_luck(
    thing: Armor | Weapon | WorldObject,
) -> int:
    """Luck of a thing against being destroyed (More Wizard Powers / Corrosion; ruling P18).

    What the book does not list has its weapon dice, or its armour value and one more for metal; never less
    than 1.
    """
    match thing:
        case WorldObject():
            return thing.luck
        case Weapon():
            return max(thing.dice, 1)
        case Armor():
            return max(thing.value + (1 if thing.metal else 0), 1)
