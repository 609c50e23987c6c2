"""The facts of a campaign. A field of type `ActorId` names a hero, a force or a place: only those who may
know of it are told.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.campaign.moves import Ending, TickCause
from services.rules.systems.fortunate_blades.campaign.state import (
    Fate,
    Force,
    Growth,
    Member,
    Owned,
    Place,
    Plan,
    Quest,
    Question,
    Stage,
    Told,
)
from services.rules.systems.fortunate_blades.play.state import Safety
from services.rules.systems.fortunate_blades.terms import TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestOffered(plain.Fact):
    """A quest is offered, without its truth."""

    quest: Quest
    place: ActorId = ""
    force: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthNoted(plain.Fact):
    """What is really behind a quest; the game master's alone."""

    quest: str
    truth: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The votes for one of several things, by its id."""

    choice: str
    votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(plain.Fact):
    """A group has chosen, with the votes for all that there was."""

    choice: str
    votes: tuple[Tally, ...]
    tied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestBegun(plain.Fact):
    """The party sets out on a quest; the other offers are gone."""

    quest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterPlanned(plain.Fact):
    """The next encounter is prepared; the game master's alone."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class RestAllowed(plain.Fact):
    """The game master says how safe it is to rest."""

    safety: Safety


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneBegun(plain.Fact):
    """An encounter, or a rest, begins."""

    scene: str
    rest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOver(plain.Fact):
    """It is over."""

    scene: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxFilled(plain.Fact):
    """Training has filled a box of a track."""

    hero: ActorId
    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroFared(plain.Fact):
    """A hero is out of the quest, retired or dead."""

    hero: ActorId
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class TickOffered(plain.Fact):
    """A low action roll lets the game master move the campaign clock; the game master's alone (P9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTicked(plain.Fact):
    """The campaign clock moves by a tick; None for an entanglement. The game master's alone."""

    cause: TickCause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entangled(plain.Fact):
    """What reputation brings upon the party, by content id; the game master tells it in play."""

    entanglement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRevealed(plain.Fact):
    """The players learn what draws near."""

    stage: Stage
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(plain.Fact):
    """What the group says to a question of a quest's end; a tie counts as a no (P27)."""

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
    """A quest is over, with what it brings: experience to each hero, reputation with a force."""

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
    """The party has an advantage."""

    owned: Owned
    place: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageLost(plain.Fact):
    """An advantage is lost."""

    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageRestored(plain.Fact):
    """An advantage is back."""

    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageUsed(plain.Fact):
    """An advantage is used in the story."""

    hero: ActorId
    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(plain.Fact):
    """A hero advances."""

    hero: ActorId
    growth: Growth


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceCame(plain.Fact):
    """A force has a part in the story, without its goal."""

    force: Force
    id: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalNoted(plain.Fact):
    """What a force really wants; the game master's alone."""

    force: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceRevealed(plain.Fact):
    """All know of a force that was secret; it has an id of the open series from now on.

    `was` is a text and not an `ActorId`: the game master's copy alone holds it (`scene.sees`).
    """

    was: str
    force: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceSettled(plain.Fact):
    """A force has no more part in the story."""

    force: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceCame(plain.Fact):
    """There is a place in the story."""

    place: Place
    id: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRevealed(plain.Fact):
    """All know of a place; it has an id of the open series from now on; see `ForceRevealed` for `was`."""

    was: str
    place: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTold(plain.Fact):
    """Something is told, and true."""

    told: Told
    about: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroCame(plain.Fact):
    """A hero comes to the party."""

    member: Member
    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroLeft(plain.Fact):
    """A hero leaves it."""

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignEnded(plain.Fact):
    """The campaign is over."""

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
    | PlaceCame
    | PlaceRevealed
    | FactTold
    | HeroCame
    | HeroLeft
    | CampaignEnded
)
