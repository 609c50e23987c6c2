"""The game's content as frozen data: what the TOML files in `content` hold, and how it is found.

The book names lists that stand in other books; numbers and mechanics are the book's, and every entry and
sentence here is our own. A table's pack adds to these lists or takes their place (`packs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from services.rules.engine.content import ContentError, Shelf, load_settings, load_shelf, slug_of
from services.rules.engine.effects import Stacking
from services.rules.systems.fortunate_blades.settings import TableRules
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    Creation,
    Group,
    Magnitude,
    Quality,
    Range,
    TalentUse,
)
from services.rules.systems.fortunate_blades.world import (
    Advantage,
    ConsequenceText,
    Entanglement,
    ForceSeed,
    PlaceSeed,
    QuestKind,
    seed_problems,
)

SLUG = "fortunate_blades"


@dataclass(frozen=True, slots=True, kw_only=True)
class Talent:
    """What few can do (The Characters): the rule of an effect that lasts on its bearer.

    What neither numbers nor tags say is a function of the play, registered for a window under its id.

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it does, in plain words.
        use: When it counts.
        on: Attributes of the rolls that it fits; empty for all.
        when: What must be so in the story for it to fit, in plain words; empty for nothing. Its player says
            that it is so, and the game master may object.
        cost: Fortune that one use takes (E11).
        adds: What it adds, by `terms.Quantity`.
        forbids: Verbs that its bearer may not do.
        tags: What it makes of a roll, by `terms.Tag`.
        ends: Names of what ends it at once.
        stacking: What several of its kind on one bearer add up to.
        rule: Where it stands.
    """

    id: str
    name: str
    text: str
    use: TalentUse = TalentUse.CHOSEN
    on: tuple[Attribute, ...] = ()
    when: str = ""
    cost: int = 0
    adds: Mapping[str, int] = field(default_factory=dict)
    forbids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    stacking: Stacking = Stacking.ONCE
    rule: str = "Talents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Where a hero comes from: a minor talent, a story and a complication, for life (J1).

    Attributes:
        id: Content id.
        name: The word for people.
        text: The story that it begins.
        complication: What may come back to trouble its bearer; the Hindrance of the end questions (P28).
        talents: Content ids of the talents of which one is taken; most backgrounds have one.
        creates: What it asks its player to bring into the story.
        question: What the player is asked to tell of it.
    """

    id: str
    name: str
    text: str
    complication: str
    talents: tuple[str, ...]
    creates: Creation | None = None
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """What a hero is about now (J2).

    Attributes:
        id: Content id.
        name: The word for people.
        text: Who follows it.
        starting: Content id of the talent that everyone of this trade has first.
        talents: Content ids of the further ones.
        creates: What it asks its player to bring into the story.
        question: What the player is asked to tell of it.
    """

    id: str
    name: str
    text: str
    starting: str
    talents: tuple[str, ...]
    creates: Creation | None = None
    question: str = ""

    @property
    def all_talents(self) -> tuple[str, ...]:
        """The starting talent, then the further ones."""
        return (self.starting, *self.talents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blade:
    """The item that a Fortunate Blade is; it need not be a blade, and takes no gear slot (J3, P2).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it looks like.
        talents: Content ids of the talents of which it grants one, while it is held and used as meant.
        quality: How good it is, where its use fills a clock.
        range: How far it reaches; None where that means nothing.
        creates: What it asks its player to bring into the story.
        question: What the player is asked to tell of its origin.
    """

    id: str
    name: str
    text: str
    talents: tuple[str, ...]
    quality: Quality = Quality.SIMPLE
    range: Range | None = None
    creates: Creation | None = None
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalQuest:
    """What one hero wants to bring about (Personal Quest; J6).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it is about.
        question: What the player is asked to fill in.
    """

    id: str
    name: str
    text: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalAct:
    """What a Blaze of Glory may do, once, before its hero dies (Defeated & Death; H6).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it does.
        ticks: Ticks that it fills or clears on one clock; 0 where it does something else.
        fills: Whether it fills one clock whole.
        fortune: Fortune that each of the others gains.
        heals: Levels of Harm that it takes off each of the others.
    """

    id: str
    name: str
    text: str
    ticks: int = 0
    fills: bool = False
    fortune: int = 0
    heals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a natural 20 may state: a further benefit of the risk that was just avoided (P17).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it makes true.
        ticks: Ticks more on the clock that the roll fills.
        lucky: Whether the next roll of one of the party is Lucky.
    """

    id: str
    name: str
    text: str
    ticks: int = 0
    lucky: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Loot:
    """What a search may turn up (O3, P7).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it is, as far as a glance tells.
        secret: What valuing and identifying it tells.
        gear: Content id of the piece of gear that it is; empty for what is only worth something.
    """

    id: str
    name: str
    text: str
    secret: str
    gear: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Armor:
    """What a piece of armour adds to Saves (P5): as much as its magnitude, against one type of Harm.

    Attributes:
        magnitude: +1, +2 or +3.
        against: The type of Harm.
    """

    magnitude: Magnitude
    against: Group

    @property
    def bonus(self) -> int:
        """What it adds to Saves, and the slots that it usually takes."""
        return tuple(Magnitude).index(self.magnitude) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Gear:
    """A thing that can be carried (Gear).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it is.
        slots: Slots that it takes on a person; 0 for normal clothing, and for what carries itself.
        quality: How good it is: the Effect of what is done with it.
        range: How far it reaches; None where that means nothing.
        uses: Times it can be used before it must be bought or charged again; None without a limit.
        holds: Slots that it has for other things; 0 for what cannot be packed into.
        armor: What it adds to Saves.
        tags: What it makes of a roll on which it is used, by `terms.Tag`.
    """

    id: str
    name: str
    text: str
    slots: int = 1
    quality: Quality = Quality.SIMPLE
    range: Range | None = None
    uses: int | None = None
    holds: int = 0
    armor: Armor | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Words that characters drawn by chance are made of.

    Attributes:
        first: Given names.
        by: What people call them beside.
        looks: How they look, a phrase each.
        blades: Names of Fortunate Blades.
        origins: How they came by it, a sentence each.
    """

    first: tuple[str, ...]
    by: tuple[str, ...]
    looks: tuple[str, ...]
    blades: tuple[str, ...]
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The whole content.

    Attributes:
        talents: What few can do.
        backgrounds: Where heroes come from.
        trades: What they are about.
        blades: What a Fortunate Blade may be.
        quests: What one hero may want.
        final_acts: What a Blaze of Glory may do.
        facts: What a natural 20 may state.
        places: Places to begin from.
        forces: Forces to begin from.
        entanglements: What reputation brings.
        loot: What a search turns up.
        gear: What can be carried.
        advantages: What a party may gain.
        quest_kinds: What a quest is about.
        consequences: What a Close or a Miss brings.
        names: Words for characters.
        rules: The table's settings.
    """

    talents: Shelf[Talent]
    backgrounds: Shelf[Background]
    trades: Shelf[Trade]
    blades: Shelf[Blade]
    quests: Shelf[PersonalQuest]
    final_acts: Shelf[FinalAct]
    facts: Shelf[Fact]
    places: Shelf[PlaceSeed]
    forces: Shelf[ForceSeed]
    entanglements: Shelf[Entanglement]
    loot: Shelf[Loot]
    gear: Shelf[Gear]
    advantages: Shelf[Advantage]
    quest_kinds: Shelf[QuestKind]
    consequences: Shelf[ConsequenceText]
    names: Names
    rules: TableRules

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """Every shelf."""
        return (
            self.talents,
            self.backgrounds,
            self.trades,
            self.blades,
            self.quests,
            self.final_acts,
            self.facts,
            self.places,
            self.forces,
            self.entanglements,
            self.loot,
            self.gear,
            self.advantages,
            self.quest_kinds,
            self.consequences,
        )


@cache
def own_catalog() -> Catalog:
    """The content that comes with the game."""
    return load_catalog(files(__package__) / "content")


def load_catalog(folder: Traversable) -> Catalog:
    """Read the content of a folder.

    Raises:
        ContentError: A file is malformed, or a place or force has a word that the story map does not know.
    """

    def shelf(file: str, kind: str, entry: type[Any]) -> Shelf[Any]:
        return load_shelf(folder, file, system=SLUG, kind=kind, entry=entry)

    places = shelf("places.toml", "place", PlaceSeed)
    forces = shelf("forces.toml", "force", ForceSeed)
    for seeds in (places, forces):
        for seed in seeds:
            for broken in seed_problems(seed, (slug_of(seed.id),)):
                raise ContentError(seeds.file, broken.path, f"{broken.message} ({broken.code})")
    return Catalog(
        talents=shelf("talents.toml", "talent", Talent),
        backgrounds=shelf("backgrounds.toml", "background", Background),
        trades=shelf("trades.toml", "trade", Trade),
        blades=shelf("blades.toml", "blade", Blade),
        quests=shelf("personal-quests.toml", "personal_quest", PersonalQuest),
        final_acts=shelf("final-acts.toml", "final_act", FinalAct),
        facts=shelf("facts.toml", "fact", Fact),
        places=places,
        forces=forces,
        entanglements=shelf("entanglements.toml", "entanglement", Entanglement),
        loot=shelf("loot.toml", "loot", Loot),
        gear=shelf("gear.toml", "gear", Gear),
        advantages=shelf("advantages.toml", "advantage", Advantage),
        quest_kinds=shelf("quests.toml", "quest", QuestKind),
        consequences=shelf("consequences.toml", "consequence", ConsequenceText),
        names=load_settings(folder, "names.toml", Names),
        rules=load_settings(folder, "settings.toml", TableRules),
    )
