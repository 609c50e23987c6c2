"""What a table may decide: every ruling that can be a setting, and what a setting must hold to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import Enum

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dwarf_dice.resources import Faces, Resource

MOST_FACES = 20
MOST_ENDURANCE = 20


class ShrinkRay(Enum):
    """Which dice Shrink Ray compares (P6).

    Attributes:
        REVEALED: The dice that are revealed.
        ROLLED: All dice that were rolled.
    """

    REVEALED = "revealed"
    ROLLED = "rolled"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieFaces:
    """How many faces of a Resource die show what.

    Attributes:
        metal: Faces that show metal.
        wood: Faces that show wood.
        alchemy: Faces that show alchemy.
        null: Faces that show nothing.
    """

    metal: int = 2
    wood: int = 2
    alchemy: int = 1
    null: int = 1

    def counts(self) -> Faces:
        """The same by resource."""
        return {
            Resource.METAL: self.metal,
            Resource.WOOD: self.wood,
            Resource.ALCHEMY: self.alchemy,
            Resource.NULL: self.null,
        }

    def order(self) -> tuple[Resource, ...]:
        """What the faces 1 and up show: Metal, Wood, Alchemy, Null."""
        return tuple(resource for resource, count in self.counts().items() for _ in range(count))


USUAL = DieFaces()
"""The die of the rulings, which `9dresource` rolls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """The rules of a table.

    Attributes:
        endurance: Endurance at the start.
        hoard: Dice of a Hoarding.
        most_value: What the cards of one side of a combat may come to.
        upgrade_gap: How many dice less the card may cost that Upgrade! gives away.
        shifting: Whether a pattern may lie anywhere on the Forge (P2).
        attack_needs_card: Whether an attack needs at least one card (P5).
        shrink_ray: Which dice Shrink Ray compares (P6).
        free_blocks: Whether the defender may leave dice unused (P9).
        rebuke_before_defeat: Whether Fiery Rebuke comes before the defeat check (P10); otherwise only those
            who still stand rebuke.
        fallen_hand_returns: Whether the hand of the defeated goes back to the Armory (P11).
        upgrade_across_sides: Whether Upgrade! may exchange offence for defence (P12).
        adaptability_items: Additional items of Adaptability in one Forging (P13).
        attacker_counts_for_lowest: Whether the attacker counts when the lowest Endurance is sought (P14).
        open_hands: Whether cards in hand are seen by all (P16).
        may_pass: Whether a turn may be left unused (P17).
        choices_open_to_gm: Whether game masters read one side's choice of cards before the other's is in.
        faces: The Resource die.
    """

    endurance: int
    hoard: int
    most_value: int
    upgrade_gap: int
    shifting: bool
    attack_needs_card: bool
    shrink_ray: ShrinkRay
    free_blocks: bool
    rebuke_before_defeat: bool
    fallen_hand_returns: bool
    upgrade_across_sides: bool
    adaptability_items: int
    attacker_counts_for_lowest: bool
    open_hands: bool
    may_pass: bool
    choices_open_to_gm: bool
    faces: DieFaces


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """What one game is played by in place of the table's rules; what is None stays as it is."""

    endurance: int | None = None
    hoard: int | None = None
    most_value: int | None = None
    upgrade_gap: int | None = None
    shifting: bool | None = None
    attack_needs_card: bool | None = None
    shrink_ray: ShrinkRay | None = None
    free_blocks: bool | None = None
    rebuke_before_defeat: bool | None = None
    fallen_hand_returns: bool | None = None
    upgrade_across_sides: bool | None = None
    adaptability_items: int | None = None
    attacker_counts_for_lowest: bool | None = None
    open_hands: bool | None = None
    may_pass: bool | None = None
    choices_open_to_gm: bool | None = None
    faces: DieFaces | None = None


def with_house_rules(rules: TableRules, house: HouseRules) -> TableRules:
    """The table's rules with those of the house in their place."""
    own = {item.name: getattr(house, item.name) for item in fields(house)}
    return replace(rules, **{name: value for name, value in own.items() if value is not None})


def rules_problems(rules: TableRules, box_dice: int) -> Iterator[RuleProblem]:
    """What no table can be played by, each with the setting's name as its path."""
    bounds = {
        "endurance": (1, MOST_ENDURANCE),
        "hoard": (1, box_dice),
        "most_value": (1, box_dice // 2),
        "upgrade_gap": (0, box_dice),
        "adaptability_items": (0, 2),
    }
    for name, (least, most) in bounds.items():
        found = getattr(rules, name)
        if not least <= found <= most:
            text = f"This is a number from {least} to {most}."
            yield RuleProblem("setting_out_of_range", text, "settings", (name,), found, (least, most))
    yield from _faces_problems(rules.faces)


def _faces_problems(faces: DieFaces) -> Iterator[RuleProblem]:
    rule = "Resource Dice"
    counts = {resource.name.lower(): count for resource, count in faces.counts().items()}
    for name, count in counts.items():
        if count < 0:
            text = "No die has fewer than none of a face."
            yield RuleProblem("face_negative", text, rule, ("faces", name), count, 0)
    sides = sum(counts.values())
    if not 2 <= sides <= MOST_FACES:
        text = f"A die has from 2 to {MOST_FACES} faces."
        yield RuleProblem("faces_out_of_range", text, rule, ("faces",), sides, (2, MOST_FACES))
    if faces.metal + faces.alchemy < 1:
        text = "Without Metal and Alchemy nobody could ever be hurt."
        yield RuleProblem("faces_harmless", text, rule, ("faces", "metal"), faces.metal, 1)
