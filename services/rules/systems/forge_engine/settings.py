"""What a table may decide: budgets and limits of the book, and the rulings that are guesses.

`TableSettings` are all of them, with the defaults of `content/settings.toml`. `HouseRules` are those that a
genre or a table's pack changes; what is None stays.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum

from services.rules.systems.forge_engine.equipment import Era


class Unspent(Enum):
    """What becomes of CP for attributes and traits that are left over at creation.

    Attributes:
        LOST: It is lost.
        KEPT: Held over into play, those for skills as well.
        SKILLS: Spent on skills.
    """

    LOST = "lost"
    KEPT = "kept"
    SKILLS = "skills"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What holds at a table.

    Attributes:
        trait_cp: CP for traits and attributes together (R1).
        skill_cp: CP for skills.
        general_cp: CP of these that must go to general skills at least.
        martial_most: Most CP for martial skills; None without a limit. So for specialized ones and for magic.
        specialized_most: Most CP for specialized martial skills.
        magic_most: Most CP for spells.
        attribute_most: Highest rating of an attribute; None without a limit.
        skill_most: Highest rating of a skill; None without a limit.
        unspent: What becomes of unspent CP for attributes and traits.
        magic_trait_cp: Price of every magic trait; None for their own.
        species: Content ids of the species that may be chosen; empty for all.
        barred: Content ids of traits, skills, spells and equipment that are not in play.
        free: Content ids of traits that every character has for nothing.
        options: Content ids of optional traits and skills that are in play.
        eras: Equipment that is in play.
        equipment_by_leave: Whether equipment is the game master's to give: nobody starts with any.
        encumbrance_kg: Kilograms to carry for each rating of Strength; 0 while nobody counts (R-98).
        session_cp: CP for a session (S1): 2, or 3 for fast development.
        critical_failures: Whether the optional rule of critical failures is played (A5).
        encounter_easy: An encounter is easy below this percentage of the characters' energy (R-99).
        encounter_hard: An encounter is hard above this percentage.
        ratio_dollars: What a ratio of rating to cost of 1 is worth (R-115).
        healing_single_halves: Half CP that healing one target adds to a spell's cost (R-20).
        healing_multiple_halves: Half CP that healing several adds.
        soft_gloves_rating: Rating of boxing and sparring gloves (R-04).
        claws_with_finesse: Whether Finesse Weapons helps with claws (R-77).
        walkers_as_animals: Whether weather slows walkers as it does animals (R-96).
        armor_penalty_after_cap: Whether untrained armour takes its point from the capped Agility, or from the
            rating before the cap.
        minor_quest_cp: CP for a minor quest or mission (S2).
        major_quest_cp: CP for a major one.
        campaign_cp: CP for a whole campaign.
        role_play_cp: CP for playing one's role exceptionally well.
        bonus_combat_cp: CP for each further or risky fight of a day; the book names no figure.
        bonus_targets: What a bonus roll must reach at first, after some encounters, and in the end.
        low_energy: A character with less energy is easily overwhelmed (Individual Adversary Strength).
        strong_adversary: An adversary is much stronger than a character from this percentage of its energy.
        travel_hours: Hours that a party travels in a day.
        rider_pays: Whether a mount's movement takes its rider's energy in place of its own.
        unseated_difficulty: What Agility (Ride) must reach to land on one's feet when a mount falls; 0 where
            every rider does without a test.
    """

    trait_cp: int
    skill_cp: int
    general_cp: int
    session_cp: int
    encounter_easy: int
    encounter_hard: int
    ratio_dollars: int
    healing_single_halves: int
    healing_multiple_halves: int
    soft_gloves_rating: int
    unspent: Unspent
    eras: tuple[Era, ...]
    critical_failures: bool
    claws_with_finesse: bool
    walkers_as_animals: bool
    armor_penalty_after_cap: bool
    equipment_by_leave: bool
    encumbrance_kg: int
    minor_quest_cp: int
    major_quest_cp: int
    campaign_cp: int
    role_play_cp: int
    bonus_combat_cp: int
    bonus_targets: tuple[int, ...]
    low_energy: int
    strong_adversary: int
    travel_hours: int
    rider_pays: bool
    unseated_difficulty: int
    martial_most: int | None = None
    specialized_most: int | None = None
    magic_most: int | None = None
    attribute_most: int | None = None
    skill_most: int | None = None
    magic_trait_cp: int | None = None
    species: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def under(self, rules: HouseRules) -> TableSettings:
        """These settings with house rules in their place."""
        given = {item.name: getattr(rules, item.name) for item in fields(rules)}
        return replace(self, **{name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Settings that are changed, by the names of `TableSettings`; what is None stays as it is.

    All else is as in `settings.TableSettings`.
    """

    trait_cp: int | None = None
    skill_cp: int | None = None
    general_cp: int | None = None
    martial_most: int | None = None
    specialized_most: int | None = None
    magic_most: int | None = None
    attribute_most: int | None = None
    skill_most: int | None = None
    unspent: Unspent | None = None
    magic_trait_cp: int | None = None
    species: tuple[str, ...] | None = None
    barred: tuple[str, ...] | None = None
    free: tuple[str, ...] | None = None
    options: tuple[str, ...] | None = None
    eras: tuple[Era, ...] | None = None
    equipment_by_leave: bool | None = None
    encumbrance_kg: int | None = None
    session_cp: int | None = None
    critical_failures: bool | None = None
    encounter_easy: int | None = None
    encounter_hard: int | None = None
    ratio_dollars: int | None = None
    healing_single_halves: int | None = None
    healing_multiple_halves: int | None = None
    soft_gloves_rating: int | None = None
    claws_with_finesse: bool | None = None
    walkers_as_animals: bool | None = None
    armor_penalty_after_cap: bool | None = None
    minor_quest_cp: int | None = None
    major_quest_cp: int | None = None
    campaign_cp: int | None = None
    role_play_cp: int | None = None
    bonus_combat_cp: int | None = None
    bonus_targets: tuple[int, ...] | None = None
    low_energy: int | None = None
    strong_adversary: int | None = None
    travel_hours: int | None = None
    rider_pays: bool | None = None
    unseated_difficulty: int | None = None
