"""A finished character: everything that stands on the sheet, each number with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.forge_engine.sheet_lines import (
    ArmorLine,
    AttributeLine,
    AttributeTest,
    BonusLine,
    ConditionLine,
    DamageLine,
    LeaveLine,
    LoadLine,
    MovementLine,
    PointsLine,
    SenseLine,
    ShieldLine,
    SkillLine,
    SpellLine,
    ThingLine,
    TraitLine,
    TravelLine,
    WeaponLine,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterSheet:
    """A Forge Engine character.

    Attributes:
        system: Always `forge_engine`.
        name: The character's name.
        tracks: Energy and health.
        checks: Everything that can be rolled: tests, attacks, spells, defenses, initiative.
        concept: What kind of character it is, in the player's words.
        species: Content id.
        species_name: What the species is called.
        size: Content id of the size.
        size_name: What the size is called.
        attributes: The six attributes.
        traits: Traits, with where each comes from.
        skills: General and martial skills.
        spells: Spells.
        energy: Maximum energy.
        expended: Energy expended until the next rest.
        action_energy: Further energy for every action and reaction.
        pd: Physical defense.
        pd_bonuses: Dice of PD against some attacks.
        md: Mental defense.
        health: Maximum health.
        health_now: Health as it is, below 0 for the dying.
        condition: "healthy", "bloodied", "unconscious", "dying" or "dead".
        conditions: Ongoing conditions that the character is under.
        speed: Feet a round.
        reach: In feet.
        space: Side of the square taken, in feet.
        strength_dice: Dice that size adds to actions and attacks by Strength.
        initiative: Dice of the initiative test.
        rest_health: Health regained in a short rest.
        rest_energy: Expended energy regained in a short rest.
        hands: How many hands there are.
        free_hands: How many hold nothing.
        tests: Attribute tests out of combat.
        weapons: What the character attacks with, the body too.
        armor: Armour.
        shields: Shields.
        things: Anything else that is carried.
        damage: How damage of the types is taken that is not taken as usual.
        senses: Senses beyond the usual ones.
        movements: Ways of moving other than on foot.
        travel: How far the character travels.
        load: What is carried; None where nobody counts.
        points: The account of character points.
        leave: Rules that the game master waives.
        personality: Marks of the personality, in the player's words.
        background: Where the character comes from, in the player's words.
        moral_code: What the character lives by, in the player's words.
        goals: What the character is after, in the player's words.
    """

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    concept: str
    species: str
    species_name: str
    size: str
    size_name: str
    attributes: tuple[AttributeLine, ...]
    traits: tuple[TraitLine, ...]
    skills: tuple[SkillLine, ...]
    spells: tuple[SpellLine, ...]
    energy: Explained
    expended: int
    action_energy: Explained
    pd: Explained
    pd_bonuses: tuple[BonusLine, ...]
    md: Explained
    health: Explained
    health_now: int
    condition: str
    speed: Explained
    reach: Explained
    space: int
    strength_dice: int
    initiative: Explained
    rest_health: Explained
    rest_energy: int
    hands: int
    free_hands: int
    tests: tuple[AttributeTest, ...]
    weapons: tuple[WeaponLine, ...]
    armor: tuple[ArmorLine, ...]
    shields: tuple[ShieldLine, ...]
    things: tuple[ThingLine, ...]
    damage: tuple[DamageLine, ...]
    senses: tuple[SenseLine, ...]
    movements: tuple[MovementLine, ...]
    travel: TravelLine
    load: LoadLine | None
    points: PointsLine
    leave: tuple[LeaveLine, ...]
    personality: str
    background: str
    moral_code: str
    goals: str
    conditions: tuple[ConditionLine, ...] = ()

    def named_numbers(self) -> Mapping[str, int]:
        """What `@strength` and the like mean in dice notation: ratings as they count now, and other numbers.

        `@energy` and `@health` are the tracks.
        """
        skills = {slug_of(line.id): line.rating for line in self.skills if not line.field}
        spells = {slug_of(line.id): line.rating for line in self.spells}
        return (
            skills
            | spells
            | {line.id.value: line.effective.value for line in self.attributes}
            | {
                "pd": self.pd.value,
                "md": self.md.value,
                "speed": self.speed.value,
                "reach": self.reach.value,
                "initiative": self.initiative.value,
                "action_energy": self.action_energy.value,
                "expended": self.expended,
                "cp": self.points.left,
            }
        )
