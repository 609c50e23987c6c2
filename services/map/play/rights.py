"""Who may do what on a map at the table.

    game master   everything
    player        moves tokens they own along ways these can walk, opens and closes doors before them, puts
                  markers, drawings and areas on the players' layer, changes and removes their own; nothing
                  while the map is hidden
    spectator     nothing

A refusal never tells a player whether a thing exists that they do not see: what is hidden, what is not theirs
and what is not there are refused in the same words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from services.map.play.edits import (
    Draw,
    Edit,
    Erase,
    MoveToken,
    PutArea,
    PutMarker,
    RemoveArea,
    RemoveMarker,
    SetDoor,
)
from services.map.play.limits import problem
from services.map.play.state import Entity, FogMode, Layer, MapState, Token, find
from services.rules.engine.problem import RuleProblem

PLAYERS_MAY: tuple[type[Edit], ...] = (
    MoveToken,
    SetDoor,
    PutMarker,
    RemoveMarker,
    Draw,
    Erase,
    PutArea,
    RemoveArea,
)
"""The edits that are not for the game master alone."""


class Role(StrEnum):
    """What somebody is at the table."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Editor:
    """Who edits a map, or looks at it.

    Attributes:
        account: Id of the account.
        role: What they are at the table.
    """

    account: str
    role: Role

    @property
    def gm(self) -> bool:
        """Whether it is a game master, who may and sees everything."""
        return self.role is Role.GM


def refusal(state: MapState, edit: Edit, editor: Editor) -> RuleProblem | None:
    """Why somebody may make no such edit at all, if so."""
    if editor.gm:
        return None
    name = type(edit).__name__
    if editor.role is not Role.PLAYER:
        return problem("map_not_allowed", "Spectators look on.", (), name)
    if not isinstance(edit, PLAYERS_MAY):
        return problem("map_not_allowed", "This is for the game master.", (), name)
    if state.fog.mode is FogMode.HIDDEN:
        return problem("map_hidden", "The map is not shown to players now.", (), name)
    layer = getattr(edit, "layer", Layer.PLAYERS)
    if layer is not Layer.PLAYERS:
        message = "Players put things on the players' layer only."
        return problem("map_layer", message, ("layer",), layer.value, Layer.PLAYERS.value)
    return None


def own(thing: Entity, account: str) -> bool:
    """Whether a thing is a player's own: a token they may move, or what they put; never a hidden one."""
    if getattr(thing, "layer", Layer.PLAYERS) is Layer.GM:
        return False
    if isinstance(thing, Token):
        return account in thing.owners
    return bool(getattr(thing, "author", None) == account)


def touched(state: MapState, section: str, id: str, editor: Editor) -> Entity | RuleProblem:
    """The thing that somebody wants to change, if it is there for them."""
    thing = find(state, section, id)
    if editor.gm:
        if thing is not None:
            return thing
        return problem("map_unknown", f"There is no such thing among the {section}.", ("id",), id)
    if thing is not None and own(thing, editor.account):
        return thing
    # The same whether it is another's or is not there at all, which may be a secret.
    return problem(
        "map_not_yours",
        f"None of your own {section} has this id; others' are not yours to change.",
        ("id",),
        id,
    )
