"""Who somebody is in a scene: their role at the table, and the actors whose eyes they see through."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from services.campaign.models import Scene, Seat
from services.rules.engine.play import GM, Viewer
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

    def may_move(self, actor: str) -> bool:
        """Whether they may move an actor: a GM any, a player their own characters, a spectator none."""
        return self.gm or actor in self.eyes.actors

    def actors(self, known: Collection[str]) -> list[str]:
        """Give those they may move.

        Args:
            known: ids of all actors that they can see in the scene.
        """
        return [GM, *known] if self.gm else sorted(self.eyes.actors)


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
