"""Under which heading each kind of move is shown, and what a player most often wants first."""

from services.rules.engine.play import MoveGroup
from services.rules.systems.dungeonteller.play.moves import (
    AddCreature,
    AddJob,
    AddThing,
    Answer,
    Attack,
    ChangeFog,
    Danger,
    Dismiss,
    Drink,
    EndScene,
    EndTurn,
    Give,
    Go,
    LookOut,
    Overrule,
    Remove,
    Rest,
    SetDoor,
    SetWall,
    Squeeze,
    Stance,
    Steer,
    Struggle,
    Take,
    Tell,
    Try,
    UsePower,
    Wedge,
    Wield,
)

MOVE_GROUPS = (
    MoveGroup(
        "answer",
        "Answers",
        {
            Answer: 95,
        },
    ),
    MoveGroup(
        "attack",
        "Attacks",
        {
            Attack: 90,
            Struggle: 85,
            Squeeze: 80,
        },
    ),
    MoveGroup(
        "power",
        "Powers",
        {
            UsePower: 75,
            Steer: 40,
            Dismiss: 20,
        },
    ),
    MoveGroup(
        "try",
        "Jobs and anything else",
        {
            Try: 60,
        },
    ),
    MoveGroup(
        "move",
        "Movement",
        {
            Go: 70,
        },
    ),
    MoveGroup(
        "item",
        "Things",
        {
            Drink: 50,
            Take: 45,
            Wield: 40,
            Wedge: 30,
            Give: 25,
        },
    ),
    MoveGroup(
        "turn",
        "The turn",
        {
            Rest: 20,
            EndTurn: 10,
            Stance: 5,
        },
    ),
    MoveGroup(
        "game_master",
        "Game master",
        {
            Tell: 70,
            Danger: 65,
            LookOut: 60,
            AddCreature: 55,
            AddJob: 50,
            AddThing: 45,
            SetDoor: 40,
            ChangeFog: 35,
            Overrule: 30,
            Remove: 25,
            SetWall: 20,
            EndScene: 5,
        },
    ),
)
