"""The moves of a campaign: the game master's, those of heroes' players, and answers to questions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine import plain
from services.rules.engine.steps import PlaceId
from services.rules.systems.fortunate_blades.campaign.moves.loot import LootMove
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import (
    ZeroHeroMove,
    ZeroMasterMove,
    ZeroPlayerMove,
)
from services.rules.systems.fortunate_blades.campaign.state import Size, Stage
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.state import Safety
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryMagnitude
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack


class Ending(Enum):
    """How a quest is over (M7).

    Attributes:
        COMPLETED: It was seen through, well or badly.
        MIDWAY: It was abandoned on the way.
        AT_START: It was abandoned shortly after it began.
    """

    COMPLETED = "completed"
    MIDWAY = "midway"
    AT_START = "at_start"


class TickCause(Enum):
    """Why the game master moves the campaign clock (Q2).

    Attributes:
        ACTION_ROLL: A low action roll.
        GM_DECIDES: The story asks for it.
    """

    ACTION_ROLL = "action_roll"
    GM_DECIDES = "gm_decides"


# The game master's


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferQuest(plain.Move):
    """Offer a quest.

    Attributes:
        about: Content id of what it is about; empty to roll for it.
        name: What it is called; empty for the word of its kind.
        size: How large it is thought to be.
        force: Id of the force that it has most to do with; None for none yet.
        place: Id of where it leads; None for nowhere in particular.
        truth: What is really behind it.
    """

    about: str = ""
    name: str = ""
    size: Size = Size.STANDARD
    force: str | None = None
    place: PlaceId | None = None
    truth: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallVote(plain.Move):
    """Let the group choose one of the quests that are offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEncounter(plain.Move):
    """Prepare the next encounter in secret.

    Attributes:
        title: What it is called.
        clock: Name of the clock in the way.
        size: Its ticks.
        sort: What the clock stands for.
        place: Id of the place where it happens; None for the quest's own.
        aboard: Whether the party is on board of its vehicle.
    """

    title: str
    clock: str
    size: int
    sort: ClockKind = ClockKind.ENEMY
    place: PlaceId | None = None
    aboard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowRest(plain.Move):
    """Say how safe it is to rest (O1).

    Attributes:
        safety: How safe it is.
    """

    safety: Safety


@dataclass(frozen=True, slots=True, kw_only=True)
class EndQuest(plain.Move):
    """End the quest: five questions, then experience and reputation.

    Attributes:
        ending: Whether it was seen through.
        size: How large it was; where sizes overlap the game master names it (P21).
        force: Id of the force that it had to do with; None for the quest's own.
        new_force: Name of a force that it brings into the story, where none has to do with it.
    """

    ending: Ending = Ending.COMPLETED
    size: Size = Size.STANDARD
    force: str | None = None
    new_force: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickAdvantage(plain.Move):
    """Let the group pick an advantage, since the reputation track was full (M6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseAdvantage(plain.Move):
    """Take an advantage away, for what has happened in the story.

    Attributes:
        advantage: Content id of the advantage.
        words: What happens to it; empty where nothing is said.
    """

    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreAdvantage(plain.Move):
    """Let an advantage that was lost come back: followers gather anew, a home is won back.

    Attributes:
        advantage: Content id of the advantage.
    """

    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RollEntanglement(plain.Move):
    """Roll for what reputation brings upon the party, after a quest (P9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickClock(plain.Move):
    """Move the campaign clock by a tick.

    Attributes:
        cause: Why it moves.
    """

    cause: TickCause = TickCause.GM_DECIDES


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealStage(plain.Move):
    """Tell the players what the campaign clock has struck.

    Attributes:
        stage: What it has struck.
        words: What it is that draws near; empty where nothing is said.
    """

    stage: Stage
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddForce(plain.Move):
    """Bring a force into the story.

    Attributes:
        name: What it is called.
        magnitude: How much it weighs in the world, in a word of the story map.
        secret: Whether only the game master knows of it.
        text: What is told of it.
        goal: What it really wants; the game master's alone.
    """

    name: str
    magnitude: str = StoryMagnitude.SERIOUS.value
    secret: bool = False
    text: str = ""
    goal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealForce(plain.Move):
    """Let all know of a secret force.

    Attributes:
        force: Id of the secret force.
    """

    force: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleForce(plain.Move):
    """Take a force out of the story.

    Attributes:
        force: Id of the force, one that all know of.
    """

    force: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatForce(plain.Move):
    """Say from which place a force works.

    Attributes:
        force: Id of the force.
        place: Id of the place; None for none any more.
    """

    force: str
    place: PlaceId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlace(plain.Move):
    """Bring a place into the story.

    Attributes:
        name: What it is called.
        secret: Whether only the game master knows of it.
        text: What is told of it.
    """

    name: str
    secret: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealPlace(plain.Move):
    """Let all know of a place.

    Attributes:
        place: Id of the secret place.
    """

    place: PlaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlace(plain.Move):
    """Change what a place is like: war comes over it, or its people leave.

    Attributes:
        place: Id of the place.
        detail: What it is like now, in a word of the story map.
        words: What happened; empty where nothing is said.
    """

    place: PlaceId
    detail: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndCampaign(plain.Move):
    """End the campaign.

    Attributes:
        won: Whether the party has won.
        words: How it ends; empty for a plain sentence.
    """

    won: bool = False
    words: str = ""


# Those of heroes' players


@dataclass(frozen=True, slots=True, kw_only=True)
class TellFact(plain.Move):
    """Tell something that is true in the story from now on (J8, O4); the game master may too.

    Attributes:
        words: What is told.
        about: Id of the hero, force or place that it is about; None for none.
    """

    words: str
    about: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseAdvantage(plain.Move):
    """Use an advantage that counts in the story alone: an audience, a purchase, an order.

    Attributes:
        advantage: Content id of the advantage.
        words: What it is used for; empty where nothing is said.
    """

    advantage: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendExperience(plain.Move):
    """Check boxes of an advancement track (N1).

    Attributes:
        track: The track.
        boxes: Boxes that are checked, for one experience each.
    """

    track: TrainingTrack
    boxes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseAttribute(plain.Move):
    """Empty a full track of a group for a rank of one of its attributes (N2).

    Attributes:
        attribute: The attribute that rises by one.
    """

    attribute: Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnTalent(plain.Move):
    """Empty the full track of talents for a talent of a trade of one's own, or of a new one (N3).

    Attributes:
        trade: Content id of the trade.
        talent: Content id of the talent.
    """

    trade: str
    talent: str


# Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerQuestions(plain.Move):
    """What one says to the five questions of a quest's end.

    Attributes:
        learned_world: Whether something new and important was learned of the world.
        memorable: Whether something memorable happened, or an awesome story was told.
        party_quest: Whether the Party Quest was furthered.
        personal_quest: Whether a hero's personal quest was furthered.
        hindrance: Whether a hero met a complication of theirs.
    """

    learned_world: bool = False
    memorable: bool = False
    party_quest: bool = False
    personal_quest: bool = False
    hindrance: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(plain.Move):
    """A vote for a quest or an advantage.

    Attributes:
        choice: Id of the quest, or content id of the advantage.
    """

    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(plain.Move):
    """Where an advantage stands.

    Attributes:
        place: Id of the place.
    """

    place: PlaceId


MasterMove = (
    OfferQuest
    | CallVote
    | PlanEncounter
    | AllowRest
    | EndQuest
    | PickAdvantage
    | LoseAdvantage
    | RestoreAdvantage
    | RollEntanglement
    | TickClock
    | RevealStage
    | AddForce
    | RevealForce
    | SettleForce
    | SeatForce
    | AddPlace
    | RevealPlace
    | ChangePlace
    | EndCampaign
    | TellFact
    | ZeroMasterMove
    | LootMove
)
HeroMove = TellFact | UseAdvantage | SpendExperience | RaiseAttribute | LearnTalent | ZeroHeroMove
Answer = AnswerQuestions | Vote | Settle
CampaignMove = MasterMove | HeroMove | ZeroPlayerMove | Answer
