"""The facts of a campaign. A field of type `ActorId` names a hero, a force or a place: only those who may
know of it are told.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.campaign.facts.loot import LootFact
from services.rules.systems.fortunate_blades.campaign.facts.session_zero import ZeroFact
from services.rules.systems.fortunate_blades.campaign.moves import Ending, TickCause
from services.rules.systems.fortunate_blades.campaign.state import (
    Fate,
    Force,
    Member,
    Owned,
    Place,
    Plan,
    Quest,
    Question,
    Stage,
    Told,
)
from services.rules.systems.fortunate_blades.campaign.state.progress import Growth
from services.rules.systems.fortunate_blades.play.state import Safety
from services.rules.systems.fortunate_blades.terms import TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestOffered(plain.Fact):
    """A quest is offered, without its truth.

    Attributes:
        quest: The quest, without its truth.
        place: Id of the place where it leads; empty for nowhere in particular.
        force: Id of the force that it has most to do with; empty for none yet.
    """

    quest: Quest
    place: ActorId = ""
    force: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthNoted(plain.Fact):
    """What is really behind a quest; the game master's alone.

    Attributes:
        quest: Id of the quest.
        truth: What is really behind it, in words.
    """

    quest: str
    truth: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The votes for one of several things, by its id.

    Attributes:
        choice: Id of what could be chosen.
        votes: How many votes it has.
    """

    choice: str
    votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(plain.Fact):
    """A group has chosen, with the votes for all that there was.

    Attributes:
        choice: Id of what was chosen.
        votes: How many votes each thing that could be chosen has.
        tied: Whether several had most votes, so that the game master chose among these.
    """

    choice: str
    votes: tuple[Tally, ...]
    tied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestBegun(plain.Fact):
    """The party sets out on a quest; the other offers are gone.

    Attributes:
        quest: Id of the quest that the party sets out on.
    """

    quest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterPlanned(plain.Fact):
    """The next encounter is prepared; the game master's alone.

    Attributes:
        plan: The encounter as it is prepared.
    """

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class RestAllowed(plain.Fact):
    """The game master says how safe it is to rest.

    Attributes:
        safety: How safe it is to rest.
    """

    safety: Safety


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneBegun(plain.Fact):
    """An encounter, or a rest, begins.

    Attributes:
        scene: Name of the scene: `encounter` or `rest`.
        rest: Whether it is a rest.
    """

    scene: str
    rest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOver(plain.Fact):
    """It is over.

    Attributes:
        scene: Name of the scene: `encounter` or `rest`.
    """

    scene: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterWon(plain.Fact):
    """The heroes have overcome an encounter of the quest.

    Attributes:
        quest: Id of the quest.
    """

    quest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxFilled(plain.Fact):
    """Training has filled a box of a track.

    Attributes:
        hero: Id of the hero who trained.
        track: The advancement track whose box is filled.
    """

    hero: ActorId
    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroFared(plain.Fact):
    """A hero is out of the quest, retired or dead.

    Attributes:
        hero: Id of the hero.
        fate: Whether the hero is with the party from now on.
    """

    hero: ActorId
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class TickOffered(plain.Fact):
    """A low action roll lets the game master move the campaign clock; the game master's alone (P9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTicked(plain.Fact):
    """The campaign clock moves by a tick; None for an entanglement. The game master's alone.

    Attributes:
        cause: Why the game master moves it; None where an entanglement does.
    """

    cause: TickCause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entangled(plain.Fact):
    """What reputation brings upon the party, by content id; the game master tells it in play.

    Attributes:
        entanglement: Content id of the entanglement.
    """

    entanglement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRevealed(plain.Fact):
    """The players learn what draws near.

    Attributes:
        stage: What the campaign clock has struck.
        words: What it is that draws near; empty where nothing is said.
    """

    stage: Stage
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(plain.Fact):
    """What the group says to a question of a quest's end; a tie counts as a no (P27).

    Attributes:
        question: The question.
        yes: How many said yes.
        no: How many said no.
    """

    question: Question
    yes: int
    no: int

    @property
    def agreed(self) -> bool:
        """Whether it is a yes."""
        return self.yes > self.no

    @property
    def voted(self) -> bool:
        """Whether it took a vote."""
        return bool(self.yes and self.no)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestEnded(plain.Fact):
    """A quest is over, with what it brings: experience to each hero, reputation with a force.

    Attributes:
        quest: Name of the quest.
        ending: Whether it was seen through or abandoned.
        experience: Experience for each hero.
        reputation: Reputation with the force, and on the track of the party; it has no sign.
        force: Id of the force that it had to do with.
    """

    quest: str
    ending: Ending
    experience: int
    reputation: int
    force: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackFilled(plain.Fact):
    """The party's reputation track is full, and empty again: an advantage is to be picked (M6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageGained(plain.Fact):
    """The party has an advantage.

    Attributes:
        owned: The advantage, with the place where it stands.
        place: Id of the place where it stands; empty for none.
    """

    owned: Owned
    place: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageLost(plain.Fact):
    """An advantage is lost.

    Attributes:
        advantage: Content id of the advantage.
        words: What happened to it; empty where nothing is said.
    """

    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageRestored(plain.Fact):
    """An advantage is back.

    Attributes:
        advantage: Content id of the advantage.
    """

    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageUsed(plain.Fact):
    """An advantage is used in the story.

    Attributes:
        hero: Id of the hero who uses it.
        advantage: Content id of the advantage.
        words: What it is used for; empty where nothing is said.
    """

    hero: ActorId
    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(plain.Fact):
    """A hero advances.

    Attributes:
        hero: Id of the hero who advances.
        growth: The step: boxes, a rank or a talent.
    """

    hero: ActorId
    growth: Growth


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceCame(plain.Fact):
    """A force has a part in the story, without its goal.

    Attributes:
        force: The force, without its goal.
        id: Id of the force.
    """

    force: Force
    id: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalNoted(plain.Fact):
    """What a force really wants; the game master's alone.

    Attributes:
        force: Id of the force.
        goal: What it really wants, in words.
    """

    force: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceRevealed(plain.Fact):
    """All know of a force that was secret; it has an id of the open series from now on.

    `was` is a text and not an `ActorId`: the game master's copy alone holds it (`scene.sees`).

    Attributes:
        was: Id that it had while it was secret; empty to players.
        force: Id that it has from now on.
    """

    was: str
    force: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceSettled(plain.Fact):
    """A force has no more part in the story.

    Attributes:
        force: Id of the force.
    """

    force: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceSeated(plain.Fact):
    """A force works from a place.

    Attributes:
        force: Id of the force.
        place: Id of the place; empty for none any more.
    """

    force: ActorId
    place: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceCame(plain.Fact):
    """There is a place in the story.

    Attributes:
        place: The place.
        id: Id of the place.
    """

    place: Place
    id: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRevealed(plain.Fact):
    """All know of a place; it has an id of the open series from now on; see `ForceRevealed` for `was`.

    Attributes:
        was: Id that it had while it was secret; empty to players.
        place: Id that it has from now on.
    """

    was: str
    place: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChanged(plain.Fact):
    """A place is not what it was.

    Attributes:
        place: Id of the place.
        detail: What it is like now, in a word of the story map.
        words: What happened; empty where nothing is said.
    """

    place: ActorId
    detail: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTold(plain.Fact):
    """Something is told, and true.

    Attributes:
        told: Who told what.
        about: Id of the hero, force or place that it is about; empty for none.
    """

    told: Told
    about: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroCame(plain.Fact):
    """A hero comes to the party.

    Attributes:
        member: The hero with ranks, trades and boxes of now.
        hero: Id of the hero.
    """

    member: Member
    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroLeft(plain.Fact):
    """A hero leaves it.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignEnded(plain.Fact):
    """The campaign is over.

    Attributes:
        won: Whether the party has won.
        words: How it ended.
    """

    won: bool
    words: str


CampaignFact = (
    QuestOffered
    | TruthNoted
    | Chosen
    | QuestBegun
    | EncounterPlanned
    | RestAllowed
    | SceneBegun
    | SceneOver
    | EncounterWon
    | BoxFilled
    | HeroFared
    | TickOffered
    | ClockTicked
    | Entangled
    | StageRevealed
    | Answered
    | QuestEnded
    | TrackFilled
    | AdvantageGained
    | AdvantageLost
    | AdvantageRestored
    | AdvantageUsed
    | Advanced
    | ForceCame
    | GoalNoted
    | ForceRevealed
    | ForceSettled
    | ForceSeated
    | PlaceCame
    | PlaceRevealed
    | PlaceChanged
    | FactTold
    | HeroCame
    | HeroLeft
    | CampaignEnded
    | ZeroFact
    | LootFact
)
