"""Under which heading each kind of move is shown, and what a player most often wants first."""

from services.rules.engine.play import MoveGroup
from services.rules.systems.dwarf_dice.play.moves import (
    Block,
    CallOff,
    Challenge,
    ChooseCards,
    Craft,
    DarkPact,
    Deal,
    Decline,
    FieryRebuke,
    FinishForging,
    Forge,
    ForgesFury,
    FuriousAssault,
    Lay,
    Lift,
    MarkOfQuality,
    Pass,
    PlaceNulls,
    Say,
    SetTimeLimit,
    Upgrade,
    UsePower,
)

MOVE_GROUPS = (
    MoveGroup(
        "turn",
        "Your turn",
        {
            Deal: 95,
            Craft: 80,
            Challenge: 70,
            Pass: 10,
        },
    ),
    MoveGroup(
        "forge",
        "The Forge",
        {
            Forge: 80,
            Lay: 75,
            PlaceNulls: 70,
            FinishForging: 40,
            Lift: 30,
        },
    ),
    MoveGroup(
        "combat",
        "Combat",
        {
            ChooseCards: 90,
            Block: 85,
        },
    ),
    MoveGroup(
        "power",
        "Powers",
        {
            FuriousAssault: 75,
            ForgesFury: 75,
            FieryRebuke: 75,
            DarkPact: 70,
            MarkOfQuality: 70,
            UsePower: 70,
            Upgrade: 65,
            Decline: 20,
        },
    ),
    MoveGroup(
        "game_master",
        "Game master",
        {
            Say: 60,
            SetTimeLimit: 40,
            CallOff: 5,
        },
    ),
)
