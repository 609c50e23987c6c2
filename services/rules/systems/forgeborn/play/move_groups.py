"""Under which heading each kind of move is shown, and what a player most often wants first."""

from services.rules.engine.play import MoveGroup
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    AskVault,
    AssistVillage,
    BeseechPrince,
    Bestow,
    BeTested,
    CallOff,
    ChooseReward,
    Claim,
    CollectGrant,
    Commune,
    CreateArtifact,
    Decline,
    Describe,
    DropDice,
    ExploreRuins,
    FaceDragon,
    Give,
    Imbue,
    Join,
    Journey,
    LoseDie,
    Pass,
    Recruit,
    SetTimeLimit,
    Take,
    TakeFavour,
    Vote,
)

MOVE_GROUPS = (
    MoveGroup(
        "answer",
        "Answers",
        {
            ChooseReward: 95,
            Approve: 95,
            Bestow: 95,
            Imbue: 95,
            LoseDie: 95,
            Vote: 95,
            Join: 90,
            Claim: 85,
            Decline: 20,
        },
    ),
    MoveGroup(
        "conflict",
        "Conflicts",
        {
            FaceDragon: 90,
            ExploreRuins: 85,
            AssistVillage: 80,
            BeseechPrince: 75,
        },
    ),
    MoveGroup(
        "forge",
        "Forging and recruiting",
        {
            CreateArtifact: 85,
            Recruit: 70,
        },
    ),
    MoveGroup(
        "artifact",
        "Artifacts and favours",
        {
            TakeFavour: 90,
            CollectGrant: 80,
            BeTested: 65,
            AskVault: 60,
            Give: 50,
            Take: 45,
        },
    ),
    MoveGroup(
        "travel",
        "Travel and the realm",
        {
            DropDice: 95,
            Journey: 70,
            Commune: 55,
        },
    ),
    MoveGroup(
        "turn",
        "The turn",
        {
            Pass: 10,
        },
    ),
    MoveGroup(
        "game_master",
        "Game master",
        {
            Describe: 60,
            SetTimeLimit: 40,
            CallOff: 5,
        },
    ),
)
