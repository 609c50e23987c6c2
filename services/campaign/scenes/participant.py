"""Who a member of a campaign is in a scene: their role, and the actors whose eyes they see through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from services.rules.engine.play import GM, PLAYER, AdmitsPlayers, AnyPlay, Viewer
from services.shared.access import Role
from services.shared.policy import RIGHT_OF_ROLE, Right

if TYPE_CHECKING:
    from services.campaign.membership.models import Seat
    from services.campaign.scenes.models import Scene


@dataclass(frozen=True, slots=True)
class Participant:
    """A member of the campaign, in one of its scenes.

    Attributes:
        account: who it is.
        role: at the table.
        eyes: what they may know.
        own_id: as which actor they act without a character, where the game admits it; empty where they may
            not act at all.
    """

    account: str
    role: Role
    eyes: Viewer
    own_id: str = ""

    @property
    def gm(self) -> bool:
        """Whether they run the game, and may know everything."""
        return RIGHT_OF_ROLE[self.role] >= Right.RUN

    def may_move(self, play: AnyPlay, state: Any, actor: str) -> bool:
        """Whether they may move an actor: a GM any, a player their own characters and what these lead."""
        return self.gm or self.is_own(play, state, actor) or play.led_by(state, actor) in self.eyes.actors

    def is_own(self, play: AnyPlay, state: Any, actor: str) -> bool:
        """Whether an actor is the member, who acts without a character."""
        own = bool(self.own_id) and actor == self.own_id
        return own and isinstance(play, AdmitsPlayers) and play.admits_players(state)

    def actors(self, play: AnyPlay, state: Any, known: Collection[str]) -> list[str]:
        """Return the actors that they may move.

        Args:
            play: the game.
            state: the scene as it is.
            known: ids of all actors that they can see in the scene.
        """
        if self.gm:
            return [GM, *known]
        led = (actor for actor in known if self.may_move(play, state, actor))
        own = [self.own_id] if self.is_own(play, state, self.own_id) else []
        return sorted(self.eyes.actors.union(led, own))


def participant(scene: Scene, account: str, role: Role, seats: Sequence[Seat]) -> Participant:
    """Return who a member is in a scene.

    Args:
        scene: the scene.
        account: the member's.
        role: the member's.
        seats: the characters at the table, those of others too.
    """
    own = {seat.character for seat in seats if seat.campaign == scene.campaign and seat.account == account}
    right = RIGHT_OF_ROLE[role]
    actors = frozenset(own.intersection(scene.cast)) if right >= Right.WRITE else frozenset[str]()
    eyes = Viewer(gm=right >= Right.RUN, actors=actors)
    own_id = _own_id(scene.id, account) if Right.WRITE <= right < Right.RUN else ""
    return Participant(account, role, eyes, own_id)


def _own_id(scene: str, account: str) -> str:
    """The actor as which a member acts without a character: the same all through a scene, and no account."""
    return f"{PLAYER}{sha256(f'{scene} {account}'.encode()).hexdigest()[:12]}"
