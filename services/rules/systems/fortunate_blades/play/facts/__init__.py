"""The facts of an encounter. A field of type `ActorId` names a hero or a clock: only those who may know of it
are told.

Read in this order: `rolls`, `consequences`, `marks`, `encounter`.
"""

from __future__ import annotations

from services.rules.systems.fortunate_blades.play.facts.consequences import (
    ClockMoved,
    ClockStarted,
    ClockUncovered,
    ConsequenceCame,
    ConsequenceDrawn,
    FollowersLost,
    Harmed,
    HarmHealed,
    HarmThreatened,
    Saved,
    ToolLost,
    Unharmed,
)
from services.rules.systems.fortunate_blades.play.facts.encounter import (
    BreakAnswered,
    BreakWanted,
    Challenged,
    ConflictDecided,
    ConflictWon,
    EncounterEnded,
    EnemiesActed,
    Engaged,
    GoalStated,
    GroupAgreed,
    GroupCalled,
    OutcomesStated,
    Positioned,
    RoundEnded,
    StoryRolled,
)
from services.rules.systems.fortunate_blades.play.facts.marks import (
    Defeated,
    Marked,
    Retired,
    Revived,
    WentOut,
)
from services.rules.systems.fortunate_blades.play.facts.rolls import (
    Acted,
    ActionGiven,
    Aided,
    BackedOut,
    BargainAnswered,
    EffectHad,
    FactStated,
    FortuneGained,
    FortunePrepared,
    FortuneSpent,
    HardBargainOffered,
    Lifted,
    LuckPassedOn,
    NoRollNeeded,
    NumbersSet,
    PreparedSpent,
    Resolved,
    Rested,
    RollCalled,
    Rolled,
    RollOver,
    TalentUsed,
    ToolUsed,
    Trained,
    Tried,
)

__all__ = [
    "Acted",
    "ActionGiven",
    "Aided",
    "BackedOut",
    "BargainAnswered",
    "BreakAnswered",
    "BreakWanted",
    "Challenged",
    "ClockMoved",
    "ClockStarted",
    "ClockUncovered",
    "ConflictDecided",
    "ConflictWon",
    "ConsequenceCame",
    "ConsequenceDrawn",
    "Defeated",
    "EffectHad",
    "EncounterEnded",
    "EnemiesActed",
    "Engaged",
    "Fact",
    "FactStated",
    "FollowersLost",
    "FortuneGained",
    "FortunePrepared",
    "FortuneSpent",
    "GoalStated",
    "GroupAgreed",
    "GroupCalled",
    "HardBargainOffered",
    "HarmHealed",
    "HarmThreatened",
    "Harmed",
    "Lifted",
    "LuckPassedOn",
    "Marked",
    "NoRollNeeded",
    "NumbersSet",
    "OutcomesStated",
    "Positioned",
    "PreparedSpent",
    "Resolved",
    "Rested",
    "Retired",
    "Revived",
    "RollCalled",
    "RollOver",
    "Rolled",
    "RoundEnded",
    "Saved",
    "StoryRolled",
    "TalentUsed",
    "ToolLost",
    "ToolUsed",
    "Trained",
    "Tried",
    "Unharmed",
    "WentOut",
]

Fact = (
    Tried
    | RollCalled
    | NumbersSet
    | NoRollNeeded
    | HardBargainOffered
    | BargainAnswered
    | BackedOut
    | Aided
    | ActionGiven
    | TalentUsed
    | FortuneSpent
    | PreparedSpent
    | FortuneGained
    | Rolled
    | Resolved
    | EffectHad
    | Lifted
    | FactStated
    | LuckPassedOn
    | RollOver
    | Acted
    | ToolUsed
    | Rested
    | Trained
    | FortunePrepared
    | ConsequenceCame
    | ConsequenceDrawn
    | ToolLost
    | ClockStarted
    | ClockUncovered
    | ClockMoved
    | HarmThreatened
    | FollowersLost
    | Saved
    | Harmed
    | Unharmed
    | HarmHealed
    | Marked
    | Defeated
    | Revived
    | Retired
    | WentOut
    | Engaged
    | Positioned
    | EnemiesActed
    | RoundEnded
    | BreakWanted
    | BreakAnswered
    | Challenged
    | GoalStated
    | OutcomesStated
    | ConflictDecided
    | ConflictWon
    | StoryRolled
    | GroupCalled
    | GroupAgreed
    | EncounterEnded
)
