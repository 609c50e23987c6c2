"""What happens in a game of Forgeborn, as facts in its own words, which the state folds in.

Each subject has its file: ``realm``, ``turns``, ``conflicts``, ``gains``, ``creations``, ``favours``.
``Fact`` is any of them.
"""

from __future__ import annotations

from services.rules.systems.forgeborn.play.facts.conflicts import Declared, DiceFell, Foe, Fought, Judged
from services.rules.systems.forgeborn.play.facts.creations import (
    ArtifactMade,
    ArtifactMoved,
    CreationBegan,
    Declined,
    Forged,
    HelpAnswered,
    HeroineJoined,
    Making,
    Passing,
    VaultAsked,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.facts.favours import (
    CastOut,
    Communed,
    EffectBegan,
    EffectEnded,
    Granted,
    GrantEnded,
    Swayed,
)
from services.rules.systems.forgeborn.play.facts.gains import DiceChanged, Reason, Scored, TokenChanged
from services.rules.systems.forgeborn.play.facts.realm import (
    DiceLanded,
    RealmMade,
    RuinFound,
    RuinMissed,
    RuinSpent,
    VillageTroubled,
)
from services.rules.systems.forgeborn.play.facts.turns import (
    Acted,
    Described,
    DragonFell,
    GameOver,
    Journeyed,
    LimitSet,
    Passed,
    TurnBegan,
)

__all__ = [
    "Acted",
    "ArtifactMade",
    "ArtifactMoved",
    "CastOut",
    "Communed",
    "CreationBegan",
    "Declared",
    "Declined",
    "Described",
    "DiceChanged",
    "DiceFell",
    "DiceLanded",
    "DragonFell",
    "EffectBegan",
    "EffectEnded",
    "Fact",
    "Foe",
    "Forged",
    "Fought",
    "GameOver",
    "GrantEnded",
    "Granted",
    "HelpAnswered",
    "HeroineJoined",
    "Journeyed",
    "Judged",
    "LimitSet",
    "Making",
    "Passed",
    "Passing",
    "RealmMade",
    "Reason",
    "RuinFound",
    "RuinMissed",
    "RuinSpent",
    "Scored",
    "Swayed",
    "TokenChanged",
    "TurnBegan",
    "VaultAsked",
    "VillageTroubled",
    "VotesCounted",
]

Fact = (
    DiceLanded
    | RealmMade
    | RuinSpent
    | RuinMissed
    | RuinFound
    | VillageTroubled
    | TurnBegan
    | Acted
    | Journeyed
    | Passed
    | Declared
    | Judged
    | DiceFell
    | Fought
    | DiceChanged
    | TokenChanged
    | Scored
    | CreationBegan
    | HelpAnswered
    | Forged
    | ArtifactMade
    | HeroineJoined
    | ArtifactMoved
    | VaultAsked
    | VotesCounted
    | Declined
    | Communed
    | CastOut
    | Swayed
    | Granted
    | GrantEnded
    | EffectBegan
    | EffectEnded
    | DragonFell
    | GameOver
    | Described
    | LimitSet
)
