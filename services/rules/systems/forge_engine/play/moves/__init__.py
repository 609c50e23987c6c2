"""The moves of a fight.

Read in this order: `actions`, `answers`, `master`.
"""

from __future__ import annotations

from services.rules.systems.forge_engine.play.moves.actions import (
    Approach,
    Arm,
    Attack,
    Care,
    Cast,
    Dismount,
    Escape,
    Flee,
    Fly,
    Grapple,
    Minor,
    MinorUse,
    Mount,
    Pass,
    Reload,
    ShakeOff,
    Stand,
    Test,
    Treat,
    UseSkill,
    Walk,
    Yield,
)
from services.rules.systems.forge_engine.play.moves.answers import (
    AddDice,
    Decline,
    Dodge,
    Exert,
    Oppose,
    Parry,
    RaiseShield,
    Shift,
    StrikeBack,
)
from services.rules.systems.forge_engine.play.moves.master import (
    Awareness,
    BeginFight,
    ChangeFog,
    Contest,
    Displace,
    Endanger,
    EndScene,
    Harm,
    Impose,
    Improvise,
    Lift,
    Morale,
    Rest,
    RestKind,
    Reveal,
    SetDoor,
    StateDistance,
    Wait,
    Watch,
)

__all__ = [
    "ANSWERS",
    "MASTERS",
    "AddDice",
    "Approach",
    "Arm",
    "Attack",
    "Awareness",
    "BeginFight",
    "Care",
    "Cast",
    "ChangeFog",
    "Contest",
    "Decline",
    "Dismount",
    "Displace",
    "Dodge",
    "EndScene",
    "Endanger",
    "Escape",
    "Exert",
    "FightMove",
    "Flee",
    "Fly",
    "Grapple",
    "Harm",
    "Impose",
    "Improvise",
    "Lift",
    "Minor",
    "MinorUse",
    "Morale",
    "Mount",
    "Oppose",
    "Parry",
    "Pass",
    "RaiseShield",
    "Reload",
    "Rest",
    "RestKind",
    "Reveal",
    "SetDoor",
    "ShakeOff",
    "Shift",
    "Stand",
    "StateDistance",
    "StrikeBack",
    "Test",
    "Treat",
    "UseSkill",
    "Wait",
    "Walk",
    "Watch",
    "Yield",
]

FightMove = (
    Pass
    | Attack
    | Walk
    | Approach
    | Fly
    | Mount
    | Dismount
    | Stand
    | Minor
    | Reload
    | Arm
    | Grapple
    | Escape
    | ShakeOff
    | Test
    | Treat
    | UseSkill
    | Cast
    | Flee
    | Yield
    | Decline
    | Dodge
    | RaiseShield
    | Oppose
    | AddDice
    | StrikeBack
    | Parry
    | Shift
    | Exert
    | BeginFight
    | EndScene
    | Reveal
    | Impose
    | Lift
    | StateDistance
    | Displace
    | SetDoor
    | ChangeFog
    | Improvise
    | Endanger
    | Harm
    | Contest
    | Morale
    | Rest
    | Wait
)
"""Every move."""

MASTERS = (
    BeginFight
    | EndScene
    | Reveal
    | Impose
    | Lift
    | StateDistance
    | Displace
    | SetDoor
    | ChangeFog
    | Improvise
    | Endanger
    | Harm
    | Contest
    | Morale
    | Rest
    | Wait
)
"""The game master's own."""

ANSWERS = Decline | Dodge | RaiseShield | Oppose | AddDice | StrikeBack | Parry | Shift | Exert
"""Answers to questions; none of them is a move of its own."""
