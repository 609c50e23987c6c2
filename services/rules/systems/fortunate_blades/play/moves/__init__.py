"""The moves of an encounter: those of heroes and of the game master, and the answers to questions.

Read in this order: `values`, `heroes`, `master`; the answers: `call`, `roll`, `hardship`, `story`.
"""

from __future__ import annotations

from services.rules.systems.fortunate_blades.play.moves.call import (
    Agree,
    Call,
    HardBargain,
    Impossible,
    NoRisk,
)
from services.rules.systems.fortunate_blades.play.moves.hardship import (
    BlazeOfGlory,
    CauseHarm,
    Enough,
    HandOver,
    MakeSave,
    PickConsequence,
    ReduceEffect,
    Retire,
    Revive,
    RollConsequence,
    SendFollowers,
    TakeAway,
    TakeHarm,
    Twist,
)
from services.rules.systems.fortunate_blades.play.moves.heroes import (
    Act,
    Challenge,
    Engage,
    Loot,
    LuckyBreak,
    Prepare,
    Recover,
    TellStory,
    Train,
    Wait,
    WorkOn,
)
from services.rules.systems.fortunate_blades.play.moves.master import (
    CallGroup,
    EndEncounter,
    EnemyTurn,
    MoveClock,
    Reposition,
    RollForStory,
    ShowClock,
    StartClock,
    Stir,
)
from services.rules.systems.fortunate_blades.play.moves.roll import (
    Aid,
    BackOut,
    Boost,
    Commit,
    Decline,
    Enable,
    Lift,
    RaiseEffect,
    Reroll,
    StateFact,
    TakeFortune,
    TakeMark,
)
from services.rules.systems.fortunate_blades.play.moves.story import (
    Decide,
    Price,
    Refuse,
    Reward,
    StateGoal,
    StateOutcomes,
)
from services.rules.systems.fortunate_blades.play.moves.values import (
    Benefit,
    Gain,
    Luck,
    Numbered,
)

__all__ = [
    "Act",
    "Agree",
    "Aid",
    "Answer",
    "BackOut",
    "Benefit",
    "BlazeOfGlory",
    "Boost",
    "Call",
    "CallGroup",
    "CauseHarm",
    "Challenge",
    "Commit",
    "Consequences",
    "Decide",
    "Decline",
    "Enable",
    "EndEncounter",
    "EnemyTurn",
    "Engage",
    "Enough",
    "Gain",
    "HandOver",
    "HardBargain",
    "HeroMove",
    "Impossible",
    "Lift",
    "Loot",
    "Luck",
    "LuckyBreak",
    "MakeSave",
    "MasterMove",
    "Move",
    "MoveClock",
    "NoRisk",
    "Numbered",
    "PickConsequence",
    "Prepare",
    "Price",
    "RaiseEffect",
    "Recover",
    "ReduceEffect",
    "Refuse",
    "Reposition",
    "Reroll",
    "RestMove",
    "Retire",
    "Revive",
    "Reward",
    "RollConsequence",
    "RollForStory",
    "SendFollowers",
    "ShowClock",
    "StartClock",
    "StateFact",
    "StateGoal",
    "StateOutcomes",
    "Stir",
    "TakeAway",
    "TakeFortune",
    "TakeHarm",
    "TakeMark",
    "TellStory",
    "Train",
    "Twist",
    "Wait",
    "WorkOn",
]

Consequences = ReduceEffect | Twist | TakeAway | MoveClock | CauseHarm
"""What a consequence is made of."""

Answer = (
    Call
    | NoRisk
    | Impossible
    | HardBargain
    | Agree
    | Aid
    | Boost
    | Enable
    | Decline
    | Commit
    | TakeMark
    | BackOut
    | Reroll
    | RaiseEffect
    | StateFact
    | TakeFortune
    | Lift
    | ReduceEffect
    | Twist
    | TakeAway
    | CauseHarm
    | RollConsequence
    | HandOver
    | PickConsequence
    | Enough
    | MakeSave
    | SendFollowers
    | TakeHarm
    | Revive
    | Retire
    | BlazeOfGlory
    | Price
    | Refuse
    | Reward
    | StateGoal
    | StateOutcomes
    | Decide
)
RestMove = Loot | TellStory | Recover | Train | Prepare | WorkOn | Wait
"""What heroes do at rest."""
HeroMove = Engage | Act | LuckyBreak | Challenge | RestMove
MasterMove = (
    EnemyTurn
    | CallGroup
    | RollForStory
    | StartClock
    | MoveClock
    | ShowClock
    | Reposition
    | Stir
    | EndEncounter
)
Move = HeroMove | MasterMove | Answer
