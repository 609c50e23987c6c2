"""Where a campaign stands: the party, forces and places, the quest, reputation, the campaign clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from services.rules.systems.fortunate_blades.advancement import length_of
from services.rules.systems.fortunate_blades.campaign.state.drafts import HeroDraft
from services.rules.systems.fortunate_blades.campaign.state.loot import Find
from services.rules.systems.fortunate_blades.campaign.state.progress import Progress
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import TradeChoice
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.state import Safety
from services.rules.systems.fortunate_blades.settings import CampaignRules, QuestSize, QuestSizes
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryMagnitude,
)
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack


class Size(Enum):
    """How large a quest is (Quests; M1).

    Attributes:
        TRIVIAL: The smallest.
        STANDARD: As most are.
        SERIOUS: Larger than most.
        HEROIC: The largest.
    """

    TRIVIAL = "trivial"
    STANDARD = "standard"
    SERIOUS = "serious"
    HEROIC = "heroic"

    def rules(self, sizes: QuestSizes) -> QuestSize:
        """What a quest of this size is and brings."""
        return {
            Size.TRIVIAL: sizes.trivial,
            Size.STANDARD: sizes.standard,
            Size.SERIOUS: sizes.serious,
            Size.HEROIC: sizes.heroic,
        }[self]


class Stage(Enum):
    """What the campaign clock has brought so far (The Campaign Clock; Q1).

    Attributes:
        GRIM_PORTENT: A larger force shows its hand.
        GETTING_REAL: It is known, and something that matters will end.
        LONGSHOT_HOPE: There is a hope to stop it.
        SHOWDOWN: Midnight, ready or not.
    """

    GRIM_PORTENT = "grim_portent"
    GETTING_REAL = "getting_real"
    LONGSHOT_HOPE = "longshot_hope"
    SHOWDOWN = "showdown"


class Question(Enum):
    """The questions of a quest's end (Experience; M3).

    Attributes:
        LEARNED_WORLD: Something new and important was learned of the world.
        MEMORABLE: Something memorable happened, or an awesome story was told.
        PARTY_QUEST: The Party Quest was furthered.
        PERSONAL_QUEST: A hero's personal quest was furthered.
        HINDRANCE: A hero met a complication of theirs; it counts for experience alone (P7, P28).
    """

    LEARNED_WORLD = "learned_world"
    MEMORABLE = "memorable"
    PARTY_QUEST = "party_quest"
    PERSONAL_QUEST = "personal_quest"
    HINDRANCE = "hindrance"


class Fate(Enum):
    """Whether a hero is with the party.

    Attributes:
        WITH: Is with it.
        OUT_OF_QUEST: Comes back when the quest is over.
        RETIRED: A background figure from now on.
        DEAD: Dead.
        GONE: Has left the table.
    """

    WITH = "with"
    OUT_OF_QUEST = "out_of_quest"
    RETIRED = "retired"
    DEAD = "dead"
    GONE = "gone"


PRESENT = (Fate.WITH, Fate.OUT_OF_QUEST)
"""Those who are of the party: they vote, and gain experience."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A hero of the party.

    Attributes:
        id: The character's.
        name: What the hero is called.
        ranks: Ranks of the attributes now.
        trades: The hero's trades with their talents.
        boxes: Boxes of the advancement tracks that are filled.
        experience: Experience that is not spent.
        progress: What the hero has gained since the campaign began.
        fate: Whether the hero is with the party.
    """

    id: str
    name: str
    ranks: Mapping[Attribute, int]
    trades: tuple[TradeChoice, ...]
    boxes: Mapping[TrainingTrack, int]
    experience: int = 0
    progress: Progress = field(default_factory=Progress)
    fate: Fate = Fate.WITH

    def room(self, track: TrainingTrack, catalog: Catalog) -> int:
        """Boxes of a track that are free."""
        return length_of(track, catalog.rules.tracks) - self.boxes[track]


@dataclass(frozen=True, slots=True, kw_only=True)
class Force:
    """A force of the story (Forces).

    Attributes:
        id: Those of secret ones are of another series, so that they leave no gap.
        name: What it is called.
        magnitude: How much it weighs in the world, in a word of the story map.
        text: What is told of it.
        secret: Whether only the game master knows of it.
        goal: What it really wants; the game master's alone.
        reputation: Reputation of the party with it, without a sign (M5).
        settled: Whether it has no more part in the story.
        seat: Id of the place that it works from; empty for none that the reader knows.
        key: What it is called on the story map; empty for its id. The game master's alone.
    """

    id: str
    name: str
    magnitude: str = StoryMagnitude.SERIOUS.value
    text: str = ""
    secret: bool = False
    goal: str = ""
    reputation: int = 0
    settled: bool = False
    seat: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place of the story.

    Attributes:
        id: Those of unknown ones are of another series.
        name: What it is called.
        text: What is told of it.
        secret: Whether only the game master knows of it.
        detail: What it is like, in a word of the story map; empty where nobody has said.
        by: Id of the hero whose player brought it into the story; empty for none.
        start: Whether it is the centre of the map, where the story begins.
        key: What it is called on the story map; empty for its id. The game master's alone.
    """

    id: str
    name: str
    text: str = ""
    secret: bool = False
    detail: str = ""
    by: str = ""
    start: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quest:
    """A quest that is offered, or under way.

    Attributes:
        id: Unique in the campaign.
        name: What it is called.
        kind: Content id of what it is about.
        size: How large it is thought to be.
        force: Id of the force that it has most to do with; empty for none yet.
        place: Id of where it leads; empty for nowhere in particular.
        truth: What is really behind it; the game master's alone.
        encounters: How many encounters of it were begun.
        won: How many of them the heroes overcame.
        rests: How many rests of it were begun.
    """

    id: str
    name: str
    kind: str
    size: Size
    force: str = ""
    place: str = ""
    truth: str = ""
    encounters: int = 0
    won: int = 0
    rests: int = 0

    @property
    def cleared(self) -> bool:
        """Whether there were encounters, and the heroes overcame each of them."""
        return 0 < self.encounters == self.won


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An encounter that the game master has prepared; nobody else knows of it before it begins.

    Attributes:
        title: What it is called.
        clock: Name of the clock in the way.
        size: Its ticks.
        kind: What the clock stands for.
        place: Id of the place where it happens; empty for the quest's own.
        aboard: Whether the party is on board of its vehicle.
    """

    title: str
    clock: str
    size: int
    kind: ClockKind
    place: str = ""
    aboard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """An advantage of the party.

    Attributes:
        advantage: Content id.
        place: Id of the place where it stands; empty for none.
        lost: Whether it is lost for now; what can be refilled may come back.
    """

    advantage: str
    place: str = ""
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Doom:
    """The campaign clock, the game master's alone (Q1, Q2).

    Attributes:
        ticks: Ticks that are filled.
        offered: Whether a low action roll lets the game master fill one.
        entangled: Whether an entanglement roll is due.
    """

    ticks: int = 0
    offered: bool = False
    entangled: bool = False

    def stage(self, rules: CampaignRules) -> Stage | None:
        """What the clock has struck last; None before its first strike."""
        strikes = (
            (rules.grim_portent, Stage.GRIM_PORTENT),
            (rules.getting_real, Stage.GETTING_REAL),
            (rules.longshot_hope, Stage.LONGSHOT_HOPE),
            (rules.clock, Stage.SHOWDOWN),
        )
        return next((stage for tick, stage in reversed(strikes) if self.ticks >= tick), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Something that was told and is true in the story.

    Attributes:
        by: Id of the hero whose player told it, or `gm`.
        words: What was told.
        about: Id of the hero, force or place that it is about; empty for none.
    """

    by: str
    words: str
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """Where a campaign stands.

    Attributes:
        title: What it is called.
        party: What the party is called; empty while it has no name.
        origin: How it came together, in a word of the story map; empty while the group has not chosen.
        quest_of_party: What it is after in all its adventures, likewise.
        heroes: Its heroes.
        forces: Forces, in the order in which they came; secret ones are the game master's alone.
        places: Places, likewise.
        offered: Quests to choose from.
        quest: The quest under way; None between quests.
        plan: The next encounter, if it is prepared; the game master's alone.
        rest: How safe it is to rest now; None where the game master has not said.
        scene: Name of the scene that is being played; empty for none.
        track: Reputation on the party's track.
        advantages: The party's advantages.
        picks: Advantages that are to be picked.
        doom: The campaign clock; None in views of players.
        revealed: What the game master has revealed of what draws near.
        told: What was told last and is true, oldest first.
        quests_ended: How many quests are over.
        counted: How many things of the open series have begun, which numbers them.
        ended: How it ended; empty while it goes on.
        won: Whether the party has won, once the campaign has ended.
        session_zero: Whether the group is still making its story; no quest is offered before it begins.
        tones: Tones that the group wants, in words of the story map.
        unwanted_tones: Tones that the story is not to have, likewise.
        finds: Loot that was found and is not gone; of what heroes have, the last of it.
        searched: Ids of the heroes whose search at rest the game master has not answered.
        drafts: Heroes in the making, before the story begins.
    """

    title: str
    party: str
    origin: str
    quest_of_party: str
    heroes: tuple[Member, ...]
    forces: tuple[Force, ...] = ()
    places: tuple[Place, ...] = ()
    offered: tuple[Quest, ...] = ()
    quest: Quest | None = None
    plan: Plan | None = None
    rest: Safety | None = None
    scene: str = ""
    track: int = 0
    advantages: tuple[Owned, ...] = ()
    picks: int = 0
    doom: Doom | None = Doom()
    revealed: Stage | None = None
    told: tuple[Told, ...] = ()
    quests_ended: int = 0
    counted: int = 0
    ended: str = ""
    won: bool = False
    session_zero: bool = False
    tones: tuple[str, ...] = ()
    unwanted_tones: tuple[str, ...] = ()
    finds: tuple[Find, ...] = ()
    searched: tuple[str, ...] = ()
    drafts: tuple[HeroDraft, ...] = ()

    def hero(self, who: str) -> Member | None:
        """The hero of an id who is of the party; None where there is none."""
        return next((each for each in self.present() if each.id == who), None)

    def present(self) -> tuple[Member, ...]:
        """The heroes who are of the party."""
        return tuple(each for each in self.heroes if each.fate in PRESENT)

    def force(self, name: str) -> Force | None:
        """The force of an id; None where there is none."""
        return next((each for each in self.forces if each.id == name), None)

    def place(self, name: str) -> Place | None:
        """The place of an id; None where there is none."""
        return next((each for each in self.places if each.id == name), None)

    def start(self) -> Place | None:
        """The centre of the map; None while nobody has drawn it."""
        return next((each for each in self.places if each.start), None)

    def places_of(self, hero: str) -> int:
        """How many places that all know of a hero has brought into the story."""
        return sum(each.by == hero for each in self.known_places())

    def find(self, name: str) -> Find | None:
        """The loot of an id; None where there is none."""
        return next((each for each in self.finds if each.id == name), None)

    def draft(self, player: str) -> HeroDraft | None:
        """The hero in the making of a player; None where there is none."""
        return next((each for each in self.drafts if each.id == player), None)

    def undivided(self) -> tuple[Find, ...]:
        """The loot that nobody has yet."""
        return tuple(each for each in self.finds if not each.holder)

    def names(self) -> dict[str, str]:
        """What heroes, forces, places and quests on offer are called, by id."""
        found: tuple[Member | Force | Place | Quest, ...] = (
            *self.heroes,
            *self.forces,
            *self.places,
            *self.offered,
        )
        return {each.id: each.name for each in found}

    def known_forces(self) -> tuple[Force, ...]:
        """The forces that all know of and that have a part in the story."""
        return tuple(each for each in self.forces if not each.secret and not each.settled)

    def known_places(self) -> tuple[Place, ...]:
        """The places that all know of."""
        return tuple(each for each in self.places if not each.secret)

    def held(self) -> tuple[Owned, ...]:
        """The advantages that the party has now."""
        return tuple(each for each in self.advantages if not each.lost)

    def owned(self, advantage: str) -> Owned | None:
        """An advantage that the party has or had; None where it never had it."""
        return next((each for each in self.advantages if each.advantage == advantage), None)
