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
    """A quest is offered, without its truth.

    Attributes:
        quest: Id of the quest.
        place: Id of the place.
        force: Id of the force.
    """

    quest: Quest
    place: ActorId = ""
    force: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthNoted(plain.Fact):
    """What is really behind a quest; the game master's alone.

    Attributes:
        quest: Id of the quest.
        truth: What is true behind it; for the game master alone.
    """

    quest: str
    truth: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The votes for one of several things, by its id.

    Attributes:
        choice: What was chosen.
        votes: The votes, by who cast them.
    """

    choice: str
    votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(plain.Fact):
    """A group has chosen, with the votes for all that there was.

    Attributes:
        choice: What was chosen.
        votes: The votes, by who cast them.
        tied: Whether the votes are tied.
    """

    choice: str
    votes: tuple[Tally, ...]
    tied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestBegun(plain.Fact):
    """The party sets out on a quest; the other offers are gone.

    Attributes:
        quest: Id of the quest.
    """

    quest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterPlanned(plain.Fact):
    """The next encounter is prepared; the game master's alone.

    Attributes:
        plan: What is planned.
    """

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class RestAllowed(plain.Fact):
    """The game master says how safe it is to rest.

    Attributes:
        safety: How safe the rest is.
    """

    safety: Safety


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneBegun(plain.Fact):
    """An encounter, or a rest, begins.

    Attributes:
        scene: Name of the scene.
        rest: Whether it is for the rest of the turn.
    """

    scene: str
    rest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOver(plain.Fact):
    """It is over.

    Attributes:
        scene: Name of the scene.
    """

    scene: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxFilled(plain.Fact):
    """Training has filled a box of a track.

    Attributes:
        hero: Id of the hero.
        track: The track.
    """

    hero: ActorId
    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroFared(plain.Fact):
    """A hero is out of the quest, retired or dead.

    Attributes:
        hero: Id of the hero.
        fate: What became of it.
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
        cause: What brought it about.
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
        stage: The stage of the campaign that is reached; none for none.
        words: In the words of whoever said it; empty for none.
    """

    stage: Stage
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(plain.Fact):
    """What the group says to a question of a quest's end; a tie counts as a no (P27).

    Attributes:
        question: The question.
        yes: Who said yes.
        no: Who said no.
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
        quest: Id of the quest.
        ending: How it ended.
        experience: Experience for each hero.
        reputation: Reputation gained or lost.
        force: Id of the force.
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
        owned: What is there already.
        place: Id of the place.
    """

    owned: Owned
    place: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageLost(plain.Fact):
    """An advantage is lost.

    Attributes:
        advantage: Content id of the advantage.
        words: In the words of whoever said it; empty for none.
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
        hero: Id of the hero.
        advantage: Content id of the advantage.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(plain.Fact):
    """A hero advances.

    Attributes:
        hero: Id of the hero.
        growth: What is advanced.
    """

    hero: ActorId
    growth: Growth


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceCame(plain.Fact):
    """A force has a part in the story, without its goal.

    Attributes:
        force: Id of the force.
        id: Its id.
    """

    force: Force
    id: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalNoted(plain.Fact):
    """What a force really wants; the game master's alone.

    Attributes:
        force: Id of the force.
        goal: The goal, in plain words.
    """

    force: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceRevealed(plain.Fact):
    """All know of a force that was secret; it has an id of the open series from now on.

    `was` is a text and not an `ActorId`: the game master's copy alone holds it (`scene.sees`).

    Attributes:
        was: What it was before.
        force: Id of the force.
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
class PlaceCame(plain.Fact):
    """There is a place in the story.

    Attributes:
        place: Id of the place.
        id: Its id.
    """

    place: Place
    id: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRevealed(plain.Fact):
    """All know of a place; it has an id of the open series from now on; see `ForceRevealed` for `was`.

    Attributes:
        was: What it was before.
        place: Id of the place.
    """

    was: str
    place: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTold(plain.Fact):
    """Something is told, and true.

    Attributes:
        told: Whether players know of it.
        about: What it is about.
    """

    told: Told
    about: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroCame(plain.Fact):
    """A hero comes to the party.

    Attributes:
        member: Id of the member.
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
        won: Whether it was won.
        words: In the words of whoever said it; empty for none.
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
