"""What happens in a scene, as facts in the game's own words; each is folded in by `evolve`.

A field typed `ActorId` names a being, or a thing, job, area or effect, which may be hidden just as well: a
fact is told to those who may know of all that it names. `tell` makes the sentences, with the words of
`content/sentences.toml`.

Read in this order: `dice`, `beings`, `things`, `jobs`, `effects`, `turns`.
"""

from services.rules.systems.dungeonteller.play.facts.beings import (
    Alerted,
    Arrived,
    BurdenLifted,
    CameIntoView,
    Helped,
    Hid,
    KnockedOut,
    Left,
    MaximumLowered,
    Moved,
    Noticed,
    Overruled,
    Restored,
    StanceTaken,
    Tamed,
    Warmed,
)
from services.rules.systems.dungeonteller.play.facts.dice import (
    Happened,
    LuckChanged,
    Rolled,
)
from services.rules.systems.dungeonteller.play.facts.effects import (
    AreaEnded,
    AreaHurt,
    AreaLaid,
    AreaShortened,
    AreaShrunk,
    EffectBegan,
    EffectCounted,
    EffectEnded,
    EffectShortened,
)
from services.rules.systems.dungeonteller.play.facts.jobs import (
    ClimbBegan,
    Climbed,
    ClimbEnded,
    JobAdded,
    JobAdvanced,
    JobHardened,
    JobRemoved,
)
from services.rules.systems.dungeonteller.play.facts.things import (
    ArmGained,
    ArmLost,
    ArmorLost,
    DoorOpened,
    DoorSet,
    FogChanged,
    GoldGained,
    ThingAdded,
    ThingDamaged,
    ThingFound,
    ThingGone,
    ThingLaidDown,
    ThingSpent,
    ThingTaken,
    ThingUsed,
    Wielded,
)
from services.rules.systems.dungeonteller.play.facts.turns import (
    ActionUsed,
    Ended,
    OrderJoined,
    OrderLeft,
    OrderMoved,
    PaceLimited,
    SpellWorkedUp,
    Suffered,
    TurnBegan,
    Walked,
)

__all__ = [
    "ActionUsed",
    "Alerted",
    "AreaEnded",
    "AreaHurt",
    "AreaLaid",
    "AreaShortened",
    "AreaShrunk",
    "ArmGained",
    "ArmLost",
    "ArmorLost",
    "Arrived",
    "BurdenLifted",
    "CameIntoView",
    "ClimbBegan",
    "ClimbEnded",
    "Climbed",
    "DoorOpened",
    "DoorSet",
    "EffectBegan",
    "EffectCounted",
    "EffectEnded",
    "EffectShortened",
    "Ended",
    "Event",
    "FogChanged",
    "GoldGained",
    "Happened",
    "Helped",
    "Hid",
    "JobAdded",
    "JobAdvanced",
    "JobHardened",
    "JobRemoved",
    "KnockedOut",
    "Left",
    "LuckChanged",
    "MaximumLowered",
    "Moved",
    "Noticed",
    "OrderJoined",
    "OrderLeft",
    "OrderMoved",
    "Overruled",
    "PaceLimited",
    "Restored",
    "Rolled",
    "SpellWorkedUp",
    "StanceTaken",
    "Suffered",
    "Tamed",
    "ThingAdded",
    "ThingDamaged",
    "ThingFound",
    "ThingGone",
    "ThingLaidDown",
    "ThingSpent",
    "ThingTaken",
    "ThingUsed",
    "TurnBegan",
    "Walked",
    "Warmed",
    "Wielded",
]

Event = (
    Rolled
    | Happened
    | LuckChanged
    | Arrived
    | Left
    | Moved
    | Hid
    | CameIntoView
    | Noticed
    | Alerted
    | KnockedOut
    | Warmed
    | Restored
    | MaximumLowered
    | Helped
    | BurdenLifted
    | Tamed
    | StanceTaken
    | Overruled
    | Wielded
    | ArmGained
    | ArmLost
    | ArmorLost
    | GoldGained
    | ThingAdded
    | ThingTaken
    | ThingLaidDown
    | ThingFound
    | ThingUsed
    | ThingSpent
    | ThingDamaged
    | ThingGone
    | DoorOpened
    | DoorSet
    | FogChanged
    | JobAdded
    | JobAdvanced
    | JobHardened
    | JobRemoved
    | ClimbBegan
    | Climbed
    | ClimbEnded
    | EffectBegan
    | EffectCounted
    | EffectShortened
    | EffectEnded
    | AreaLaid
    | AreaShrunk
    | AreaHurt
    | AreaShortened
    | AreaEnded
    | TurnBegan
    | Walked
    | PaceLimited
    | ActionUsed
    | SpellWorkedUp
    | Suffered
    | OrderJoined
    | OrderMoved
    | OrderLeft
    | Ended
)
