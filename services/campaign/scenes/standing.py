"""Who somebody is in a scene: their role at the table, and the actors whose eyes they see through."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from services.campaign.models import Scene, Seat
from services.rules.engine.play import GM, AnyPlay, Viewer
from services.shared.access import Role


@dataclass(frozen=True, slots=True)
class Standing:
    """A member of the campaign, in one of its scenes.

    Attributes:
        account: who it is.
        role: at the table.
        eyes: what they may know.
    """

    account: str
    role: Role
    eyes: Viewer

    @property
    def gm(self) -> bool:
        """Whether they are a GM."""
        return self.role is Role.GM

    def may_move(self, play: AnyPlay, state: Any, actor: str) -> bool:
        """Whether they may move an actor: a GM any, a player their own characters and what these lead."""
        return self.gm or play.led_by(state, actor) in self.eyes.actors

    def actors(self, play: AnyPlay, state: Any, known: Collection[str]) -> list[str]:
        """Give those they may move.

        Args:
            play: the game.
            state: the scene as it is.
            known: ids of all actors that they can see in the scene.
        """
        if self.gm:
            return [GM, *known]
        led = (actor for actor in known if self.may_move(play, state, actor))
        return sorted(self.eyes.actors.union(led))


def standing(scene: Scene, account: str, role: Role, seats: Sequence[Seat]) -> Standing:
    """Find out who a member is in a scene.

    Args:
        scene: the scene.
        account: the member's.
        role: the member's.
        seats: the characters at the table, those of others too.
    """
    own = {seat.character for seat in seats if seat.campaign == scene.campaign and seat.account == account}
    actors = frozenset(own.intersection(scene.cast)) if role is not Role.SPECTATOR else frozenset[str]()
    return Standing(account, role, Viewer(gm=role is Role.GM, actors=actors))
