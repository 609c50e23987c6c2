"""The game's content as frozen data: what the TOML files in `content` hold, and how it is found.

Names and figures are the book's, settled by the rulings; every sentence is ours. What an entry is made of
stands in `traits`, `skills`, `equipment`, `bestiary`, `world` and `settings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from services.rules.engine.content import Shelf, load_settings, load_shelf
from services.rules.engine.effects import EffectRule
from services.rules.systems.forge_engine.bestiary import Adversary, Sample
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentTable
from services.rules.systems.forge_engine.printed_odds import OddsTable
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.skills import GeneralSkill, MartialSkill, School, Spell
from services.rules.systems.forge_engine.traits import Trait
from services.rules.systems.forge_engine.world import (
    AttributeUse,
    Concept,
    Condition,
    DamageType,
    Disposition,
    Genre,
    Hazard,
    Magnitude,
    Running,
    Terrain,
    Transport,
    WaterWeather,
    Weather,
    Words,
)

SLUG = "forge_engine"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalog:
    """Everything the game's content holds; known by its identity, so that what is worked out of it is kept.

    Attributes:
        settings: What tables of the game may decide.
        traits: Traits and species.
        skills: General skills.
        martial: Martial skills.
        schools: Schools of magic.
        spells: Spells.
        tables: Tables of equipment.
        equipment: Their rows: armour, shields and weapons.
        conditions: Conditions.
        effects: What lasts in a fight beside them: circumstances, holds, stances, spells.
        damage: Damage types.
        adversaries: Stat blocks of adversaries.
        samples: Sample characters of the book.
        genres: Genres and what they change.
        hazards: Hazards of the environment.
        transports: Mounts, boats and vehicles.
        terrains: What ground leaves of speed.
        weather: What weather leaves of speed on land.
        water_weather: What weather leaves of speed on water.
        running: How long characters can run.
        uses: What attribute tests are good for.
        dispositions: What people think of who asks a favour.
        magnitudes: How much is asked of people.
        odds: Tables of chances that the book prints.
        concepts: Kinds of characters to draw by chance.
        words: Words that characters drawn by chance are made of.
    """

    settings: TableSettings
    traits: Shelf[Trait]
    skills: Shelf[GeneralSkill]
    martial: Shelf[MartialSkill]
    schools: Shelf[School]
    spells: Shelf[Spell]
    tables: Shelf[EquipmentTable]
    equipment: Shelf[Equipment]
    conditions: Shelf[Condition]
    effects: Shelf[EffectRule]
    damage: Shelf[DamageType]
    adversaries: Shelf[Adversary]
    samples: Shelf[Sample]
    genres: Shelf[Genre]
    hazards: Shelf[Hazard]
    transports: Shelf[Transport]
    terrains: Shelf[Terrain]
    weather: Shelf[Weather]
    water_weather: Shelf[WaterWeather]
    running: Shelf[Running]
    uses: Shelf[AttributeUse]
    dispositions: Shelf[Disposition]
    magnitudes: Shelf[Magnitude]
    odds: Shelf[OddsTable]
    concepts: Shelf[Concept]
    words: Words

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """Every shelf."""
        return (
            self.traits,
            self.skills,
            self.martial,
            self.schools,
            self.spells,
            self.tables,
            self.equipment,
            self.conditions,
            self.effects,
            self.damage,
            self.adversaries,
            self.samples,
            self.genres,
            self.hazards,
            self.transports,
            self.terrains,
            self.weather,
            self.water_weather,
            self.running,
            self.uses,
            self.dispositions,
            self.magnitudes,
            self.odds,
            self.concepts,
        )


def load_catalog(folder: Traversable) -> Catalog:
    """Reads the content of a folder that has all the files of `content`.

    Raises:
        ContentError: A file is missing or malformed.
    """

    def shelf(file: str, kind: str, entry: Any) -> Shelf[Any]:
        return load_shelf(folder, file, system=SLUG, kind=kind, entry=entry)

    return Catalog(
        settings=load_settings(folder, "settings.toml", TableSettings),
        traits=shelf("traits.toml", "trait", Trait),
        skills=shelf("skills.toml", "skill", GeneralSkill),
        martial=shelf("martial.toml", "martial", MartialSkill),
        schools=shelf("schools.toml", "school", School),
        spells=shelf("spells.toml", "spell", Spell),
        tables=shelf("equipment_tables.toml", "equipment_table", EquipmentTable),
        equipment=shelf("equipment.toml", "equipment", Equipment),
        conditions=shelf("conditions.toml", "condition", Condition),
        effects=shelf("effects.toml", "effect", EffectRule),
        damage=shelf("damage.toml", "damage", DamageType),
        adversaries=shelf("adversaries.toml", "adversary", Adversary),
        samples=shelf("samples.toml", "sample", Sample),
        genres=shelf("genres.toml", "genre", Genre),
        hazards=shelf("hazards.toml", "hazard", Hazard),
        transports=shelf("transports.toml", "transport", Transport),
        terrains=shelf("terrains.toml", "terrain", Terrain),
        weather=shelf("weather.toml", "weather", Weather),
        water_weather=shelf("water_weather.toml", "water_weather", WaterWeather),
        running=shelf("running.toml", "running", Running),
        uses=shelf("uses.toml", "use", AttributeUse),
        dispositions=shelf("dispositions.toml", "disposition", Disposition),
        magnitudes=shelf("magnitudes.toml", "magnitude", Magnitude),
        odds=shelf("odds.toml", "odds", OddsTable),
        concepts=shelf("concepts.toml", "concept", Concept),
        words=load_settings(folder, "words.toml", Words),
    )


@cache
def own_catalog() -> Catalog:
    """The content that comes with the house."""
    return load_catalog(files(__package__) / "content")
