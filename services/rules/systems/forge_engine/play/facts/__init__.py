"""The facts of a fight. A field of type `ActorId` names a combatant: who may know of it is told.

Read in this order: `turns`, `energy`, `actions`, `doors`, `attacks`, `health`, `effects`.
"""

from __future__ import annotations

from services.rules.systems.forge_engine.play.facts.actions import (
    Armed,
    Contested,
    Displaced,
    Improvised,
    Left,
    MinorDone,
    Moved,
    Neared,
    Reloaded,
    Rose,
    Sank,
    Stood,
    Tested,
)
from services.rules.systems.forge_engine.play.facts.attacks import (
    Attacked,
    Burst,
    Faltered,
    KnockedAway,
    Reacted,
    ShieldRaised,
    SpellCast,
    Struck,
    Summoned,
)
from services.rules.systems.forge_engine.play.facts.doors import DoorFound, DoorSet, DoorStuck, FogChanged
from services.rules.systems.forge_engine.play.facts.effects import (
    Climbed,
    EffectBegan,
    EffectChanged,
    EffectEnded,
)
from services.rules.systems.forge_engine.play.facts.energy import (
    BonusGained,
    EnergyLost,
    EnergyUsed,
    SkillUsed,
)
from services.rules.systems.forge_engine.play.facts.health import (
    Bled,
    Collapsed,
    Fainted,
    Healed,
    Hurt,
    Rested,
    Revived,
    Stabilized,
    TimePassed,
)
from services.rules.systems.forge_engine.play.facts.turns import (
    Acted,
    EnergyRegained,
    FightBegan,
    InitiativeRolled,
    Noticed,
    OrderSet,
    Passed,
    Reordered,
    Revealed,
    SceneEnded,
    TurnBegan,
)

__all__ = [
    "Acted",
    "Armed",
    "Attacked",
    "Bled",
    "BonusGained",
    "Burst",
    "Climbed",
    "Collapsed",
    "Contested",
    "Displaced",
    "DoorFound",
    "DoorSet",
    "DoorStuck",
    "EffectBegan",
    "EffectChanged",
    "EffectEnded",
    "EnergyLost",
    "EnergyRegained",
    "EnergyUsed",
    "Fainted",
    "Faltered",
    "FightBegan",
    "FightFact",
    "FogChanged",
    "Healed",
    "Hurt",
    "Improvised",
    "InitiativeRolled",
    "KnockedAway",
    "Left",
    "MinorDone",
    "Moved",
    "Neared",
    "Noticed",
    "OrderSet",
    "Passed",
    "Reacted",
    "Reloaded",
    "Reordered",
    "Rested",
    "Revealed",
    "Revived",
    "Rose",
    "Sank",
    "SceneEnded",
    "ShieldRaised",
    "SkillUsed",
    "SpellCast",
    "Stabilized",
    "Stood",
    "Struck",
    "Summoned",
    "Tested",
    "TimePassed",
    "TurnBegan",
]

FightFact = (
    FightBegan
    | Noticed
    | InitiativeRolled
    | OrderSet
    | Reordered
    | TurnBegan
    | EnergyRegained
    | Passed
    | Acted
    | SceneEnded
    | Revealed
    | EnergyUsed
    | EnergyLost
    | BonusGained
    | SkillUsed
    | Moved
    | Neared
    | Displaced
    | DoorFound
    | DoorSet
    | FogChanged
    | DoorStuck
    | Rose
    | Sank
    | Stood
    | MinorDone
    | Reloaded
    | Armed
    | Tested
    | Contested
    | Improvised
    | Left
    | Attacked
    | Burst
    | SpellCast
    | Summoned
    | Reacted
    | ShieldRaised
    | Struck
    | Faltered
    | KnockedAway
    | Hurt
    | Bled
    | Collapsed
    | Fainted
    | Stabilized
    | Healed
    | Revived
    | Rested
    | TimePassed
    | EffectBegan
    | EffectEnded
    | EffectChanged
    | Climbed
)
"""Everything that can happen."""
