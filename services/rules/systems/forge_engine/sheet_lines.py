"""The lines of a sheet: attributes, traits, skills, weapons, spells and what else it lists."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.guide import Budget
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.chances import (
    DifficultyChance,
    HitChance,
    difficulty_chances,
    hit_chances,
)
from services.rules.systems.forge_engine.characters.development import LedgerLine
from services.rules.systems.forge_engine.characters.person import TraitSource
from services.rules.systems.forge_engine.characters.skill_rules import SkillKind
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.rolls import fixed_roll
from services.rules.systems.forge_engine.skills import Against, Benefit, Use
from services.rules.systems.forge_engine.traits import Movement, Response, TraitCategory


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeLine:
    """One of the six attributes.

    Attributes:
        id: Which attribute it is.
        name: What it is called.
        short: "STR".
        rating: What was bought, at creation and since.
        effective: As it counts now: armour caps and burdens Agility.
        next_cp: CP for the next rating.
    """

    id: Attribute
    name: str
    short: str
    rating: int
    effective: Explained
    next_cp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitLine:
    """A trait.

    Attributes:
        id: Content id.
        name: What it is called.
        category: The kind of trait.
        source: Where the character has it from.
        cp: What was paid for it.
        text: What it does, in plain words.
    """

    id: str
    name: str
    category: TraitCategory
    source: TraitSource
    cp: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLine:
    """A general or martial skill.

    Attributes:
        id: Content id.
        name: With its field: "Language (Latin)".
        kind: The kind of skill.
        rating: Its rating.
        field: The field that it is taken for; empty where it has none.
        attribute: What caps it; None for specialized martial skills.
        most: The highest rating that the attribute allows; None without a cap.
        free: Whether everybody has it for nothing.
        developed: How much of the rating was bought in play.
        use: For a martial skill: bonus, action or reaction.
        benefit: For a martial skill: what a rating adds.
        stance: Whether it is a stance.
        text: What it does, in plain words.
    """

    id: str
    name: str
    kind: SkillKind
    rating: int
    field: str
    attribute: Attribute | None
    most: int | None
    free: bool
    developed: int
    use: Use | None
    benefit: Benefit | None
    stance: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusLine:
    """Dice that come on top when something holds.

    Attributes:
        dice: How many; below 0 when they are lost.
        when: "when hearing helps", "with Lock-picks".
        source: Where they come from.
        rule: Where they come from.
    """

    dice: int
    when: str
    source: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeTest:
    """An attribute test out of combat.

    Attributes:
        id: Also that of the sheet's check.
        name: "Agility (Stealth)".
        attribute: The attribute that is tested.
        skill: Content id; None for the attribute alone.
        field: For a skill that is learned by field.
        trained: Whether the skill has a rating.
        dice: The pool.
        bonuses: Dice that may come on top.
    """

    id: str
    name: str
    attribute: Attribute
    skill: str | None
    field: str
    trained: bool
    dice: Explained
    bonuses: tuple[BonusLine, ...]

    @property
    def chances(self) -> tuple[DifficultyChance, ...]:
        """How likely it succeeds against each named difficulty, without what may come on top."""
        return difficulty_chances(self.dice.value)

    @property
    def odds(self) -> str:
        """The roll by its name, against difficulty 8."""
        return fixed_roll(self.dice.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLine:
    """One way of attacking with a weapon.

    Attributes:
        name: "Longsword", "AK-47: burst fire".
        attribute: What energy is added up to.
        skill: Content id of the martial skill that helps most; None without any.
        skill_rating: Its rating.
        cost: Energy to spend before any is added.
        dice: Dice of such an attack.
        max_cost: Energy of the greatest attack, all of it; None where full energy does not pay for any.
        max_dice: Dice of that attack.
        arc: For fire at everybody in an arc; empty for one target.
        check: Id of the sheet's check that rolls the greatest attack; None where there is none.
    """

    name: str
    attribute: Attribute
    skill: str | None
    skill_rating: int
    cost: Explained
    dice: Explained
    max_cost: Explained | None
    max_dice: Explained | None
    arc: str
    check: str | None

    @property
    def chances(self) -> tuple[HitChance, ...]:
        """How likely the greatest attack hits PD of one to five dice; empty where there is none."""
        return () if self.max_dice is None else hit_chances(self.max_dice.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponLine:
    """A weapon, or the weapon of a body.

    Attributes:
        id: Content id of equipment, or of the trait.
        name: What it is called.
        natural: Whether it is part of the body.
        count: How many.
        place: Where it is carried; None for a part of the body.
        ready: Whether it is in hand now, or a part of the body that is free to strike.
        hands: How many hands it takes.
        min_range: Nearest good range in feet; None for what is not aimed.
        max_range: Range in feet: one increment.
        farthest: The farthest it reaches, in feet.
        damage: Content ids of damage types.
        codes: Codes of the tables: "2H", "SA", "BF".
        attacks: The plain attack, and those of fire modes.
        notes: What else there is to know, in plain words.
        holds: Shots in it at most; None where the book does not say or none are needed.
        loaded: Shots in it now; None where it holds none.
        ammunition: Spare pieces of ammunition for it; None where nobody counts them.
    """

    id: str
    name: str
    natural: bool
    count: int
    place: Place | None
    ready: bool
    hands: int
    min_range: int | None
    max_range: int | None
    farthest: int
    damage: tuple[str, ...]
    codes: tuple[str, ...]
    attacks: tuple[AttackLine, ...]
    notes: tuple[str, ...]
    holds: int | None = None
    loaded: int | None = None
    ammunition: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionLine:
    """A condition that the character is under.

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it does, in plain words.
    """

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmorLine:
    """Armour.

    Attributes:
        id: Content id.
        name: The word for people.
        count: How many.
        place: Where it is carried.
        rating: Its rating.
        cap: Highest Agility in it.
        trained: Whether Strength and Armor Training reach its rating.
    """

    id: str
    name: str
    count: int
    place: Place
    rating: int
    cap: int
    trained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldLine:
    """A shield.

    Attributes:
        id: Content id.
        name: The word for people.
        count: How many.
        place: Where it is carried.
        cost: Energy to use it until the next own turn.
        rating: Dice it then adds to PD.
        trained: Whether Strength and Shield Training reach its rating.
        ready: Whether it is held.
    """

    id: str
    name: str
    count: int
    place: Place
    cost: Explained
    rating: int
    trained: bool
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingLine:
    """Anything else that is carried.

    Attributes:
        name: The word for people.
        count: How many.
        place: Where it is carried.
        note: What to know of it.
    """

    name: str
    count: int
    place: Place
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellLine:
    """A spell.

    Attributes:
        id: Content id.
        name: What it is called.
        school: Content id; None for a cantrip.
        school_name: What its school is called; empty for a cantrip.
        attribute: What it goes by here.
        rating: Its rating.
        most: The highest rating that the attribute allows.
        developed: How much of the rating was gained in play.
        use: When it works.
        against: What its dice are rolled against.
        expend: Energy to expend.
        expend_more: Whether more energy is expended at will.
        range: How far it reaches, in feet.
        duration: How long it lasts, in plain words.
        max_cost: Energy of the greatest casting: spent, expended and added; None where it cannot be paid.
        max_dice: Dice of that casting.
        castable: Whether a hand is free for it.
        check: Id of the sheet's check that rolls the greatest casting; None where there is none.
        text: What it does, in plain words.
    """

    id: str
    name: str
    school: str | None
    school_name: str
    attribute: Attribute
    rating: int
    most: int
    developed: int
    use: Use
    against: Against
    expend: int
    expend_more: bool
    range: int
    duration: str
    max_cost: Explained | None
    max_dice: Explained | None
    castable: bool
    check: str | None
    text: str

    @property
    def chances(self) -> tuple[HitChance, ...]:
        """How likely the greatest casting hits a defence of one to five dice; empty where it hits nobody."""
        if self.max_dice is None or self.against not in {Against.PD, Against.MD}:
            return ()
        return hit_chances(self.max_dice.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageLine:
    """How damage of a type is taken.

    Attributes:
        damage: Content id of the damage type.
        name: "Fire".
        response: How it is taken.
        source: The trait that says so.
    """

    damage: str
    name: str
    response: Response
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SenseLine:
    """A sense of its own.

    Attributes:
        name: What it is called.
        range: In feet; None where that does not matter.
        text: What it perceives, in plain words.
    """

    name: str
    range: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementLine:
    """A way of moving other than on foot.

    Attributes:
        name: What it is called.
        movement: Its figures.
        farthest: Longest leap in feet; None where nothing but speed bounds it.
        text: How far and how, in plain words.
    """

    name: str
    movement: Movement
    farthest: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TravelLine:
    """Long ways on foot.

    Attributes:
        walking: Miles an hour.
        running: Miles an hour.
        running_minutes: How long.
    """

    walking: Explained
    running: int
    running_minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadLine:
    """What is carried, where the table counts it.

    Attributes:
        most_kg: Kilograms that can be carried freely.
        load_kg: Kilograms carried.
        slowed: Whether that is too much: then the character is Slowed (R-98).
    """

    most_kg: Explained
    load_kg: int
    slowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveLine:
    """A rule that the game master waives for this character.

    Attributes:
        code: Its code.
        text: What is allowed.
        used: What the character makes of it, in plain words; empty where it is not needed.
    """

    code: str
    text: str
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsLine:
    """Character points.

    Attributes:
        budgets: Those of creation.
        kept: Held over from creation.
        earned: Awarded since.
        spent: Spent since.
        left: There to spend.
        set_aside: Of these, what waiting purchases ask for.
        history: What came and went since creation, line by line.
    """

    budgets: tuple[Budget, ...]
    kept: int
    earned: int
    spent: int
    left: int
    set_aside: int
    history: tuple[LedgerLine, ...]
