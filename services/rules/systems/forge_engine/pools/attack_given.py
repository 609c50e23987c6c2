"""What is asked of an attack and of the defence against it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class AttackKind(Enum):
    """How an attack comes.

    Attributes:
        MELEE: Hand to hand.
        RANGED: From afar, with a weapon.
        SPELL: By a spell.
    """

    MELEE = "melee"
    RANGED = "ranged"
    SPELL = "spell"


class DefenseKind(Enum):
    """What an attack is met with.

    Attributes:
        PD: Physical defense.
        MD: Mental defense.
    """

    PD = "pd"
    MD = "md"


class Cover(Enum):
    """How much stands between attacker and target (Externalities / Cover).

    Attributes:
        NONE: Nothing.
        PARTIAL: A little.
        HALF: Half of the target.
        THREE_QUARTERS: Three quarters of the target.
        TOTAL: Only an area attack reaches the target.
    """

    NONE = "none"
    PARTIAL = "partial"
    HALF = "half"
    THREE_QUARTERS = "three-quarters"
    TOTAL = "total"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSkill:
    """A skill that helps with a pool.

    Attributes:
        name: "Melee Weapons", or its content id.
        rating: From 1.
    """

    name: str
    rating: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackGiven:
    """An attack. Its figures are those of a weapon, of a spell, or given outright.

    Attributes:
        attribute: Rating of the attribute that it goes by.
        added: Energy added, up to that.
        skills: Skills that help, general dice of stances and the like among them.
        weapon: Content id of the weapon; None for none of the tables.
        fire: Name of one of its fire options; empty for a plain shot.
        supports: Names of what steadies or sights it.
        steady: Whether it is fired from a rest, bipod or tripod, as a sniper rifle should be.
        spell: Content id of the spell; None for no spell.
        cost: Energy to spend; with a weapon or spell its own.
        rating: Dice for it; with a weapon its own.
        kind: How it comes; a weapon or spell says so itself.
        area: Whether it attacks an area; spells and explosives say so themselves.
        traits: Content ids of the attacker's traits, for dice and reach by its size.
        by_strength: Whether it goes by Strength; most weapons say so themselves.
        conditions: Content ids of conditions that the attacker is under.
        high_ground: Whether the attacker stands higher.
        obstructed: Whether something is in the way.
        unstable: Whether the attacker has no firm stand.
        off_hand: Whether the weapon is in the off hand.
        extra_dice: Any other dice, below 0 where they are taken.
        extra_energy: Any other energy it costs: armour without training, a spell on the attacker.
    """

    attribute: int
    added: int = 0
    skills: tuple[PoolSkill, ...] = ()
    weapon: str | None = None
    fire: str = ""
    supports: tuple[str, ...] = ()
    steady: bool = True
    spell: str | None = None
    cost: int = 0
    rating: int = 0
    kind: AttackKind = AttackKind.MELEE
    area: bool = False
    traits: tuple[str, ...] = ()
    by_strength: bool = False
    conditions: tuple[str, ...] = ()
    high_ground: bool = False
    obstructed: bool = False
    unstable: bool = False
    off_hand: bool = False
    extra_dice: int = 0
    extra_energy: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseReaction:
    """Energy added to a defence: Dodge, Brace, Iron Will.

    Attributes:
        name: What it is.
        energy: Energy added; what is beyond the attribute or the skill does not count.
        attribute: Rating of the attribute it goes by.
        rating: Rating of the skill; None for what everybody can do, as Dodge.
        needs_sight: Whether the attacker must be perceived (R-112).
    """

    name: str
    energy: int
    attribute: int
    rating: int | None = None
    needs_sight: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseGiven:
    """What an attack meets.

    Attributes:
        dice: PD or MD as the sheet has it.
        kind: Which of them.
        reactions: Energy added.
        shield: Content id of the shield that is used; None for none.
        shield_trained: Whether its bearer is trained with it; it costs 1 more otherwise.
        shield_up: Whether it was paid for against an earlier attack since one's last turn (R-73).
        parry_weapon: Content id of the weapon that parries; None for none.
        parry: Rating of Parry.
        perceives: Whether the attacker is perceived.
        traits: Content ids of the target's traits, for what evades.
        conditions: Content ids of conditions; Obscured, Faint and Invisible for poor sight of the target.
        cover: What stands between.
        into_melee: Whether a shot goes into a melee.
        distance: Feet between the two; None for a good range.
        equipped: Whether the attacker's weapon is sighted or supported for its full range.
        extra_dice: Any other dice, below 0 where they are taken.
    """

    dice: int
    kind: DefenseKind = DefenseKind.PD
    reactions: tuple[DefenseReaction, ...] = ()
    shield: str | None = None
    shield_trained: bool = True
    shield_up: bool = False
    parry_weapon: str | None = None
    parry: int = 0
    perceives: bool = True
    traits: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    cover: Cover = Cover.NONE
    into_melee: bool = False
    distance: int | None = None
    equipped: bool = False
    extra_dice: int = 0
