"""Where somebody keeps words, and what they may do there: at the table of a campaign, or for themselves."""

from __future__ import annotations

from dataclasses import dataclass

from services.shared.access import AccessSource, Role
from services.shared.auth import Viewer
from services.shared.ids import is_id
from services.shared.problems import Forbidden


@dataclass(frozen=True, slots=True)
class Seat:
    """A viewer at a place that they may look at.

    Attributes:
        account: the viewer's account id.
        place: id of the campaign, or else the viewer's own account id.
        role: what the viewer is at that table; None at one's own place.
    """

    account: str
    place: str
    role: Role | None = None

    @property
    def campaign(self) -> str | None:
        """Give the campaign's id; None at one's own place."""
        return None if self.role is None else self.place

    @property
    def runs(self) -> bool:
        """Tell whether the viewer decides here: as a GM, or at home."""
        return self.role in (Role.GM, None)

    @property
    def plays(self) -> bool:
        """Tell whether the viewer takes part here: as GM or player, or at home."""
        return self.role is not Role.SPECTATOR


async def seat(access: AccessSource, viewer: Viewer, campaign: str | None) -> Seat | None:
    """Seat a viewer at a campaign's table, or without one at their own place; None for who is no member.

    Raises:
        PeerUnavailable: the campaign service, which knows the members, does not answer.
    """
    if viewer.anonymous:
        return None
    if campaign is None:
        return Seat(viewer.account, viewer.account)
    if not is_id(campaign, "cmp"):
        return None
    role = (await access.of(viewer, campaign=campaign)).roles.get(campaign)
    return None if role is None else Seat(viewer.account, campaign, role)


async def seat_at(access: AccessSource, viewer: Viewer, place: str) -> Seat | None:
    """Seat a viewer at the place that something belongs to; None where they may not look.

    Raises:
        PeerUnavailable: as in ``seat``.
    """
    if is_id(place, "cmp"):
        return await seat(access, viewer, place)
    return await seat(access, viewer, None) if place == viewer.account else None


def for_gms(seat: Seat, *path: str) -> Forbidden | None:
    """Refuse whoever does not run the table."""
    return None if seat.runs else Forbidden.because("Only a GM of the campaign may do this.", *path)


def for_players(seat: Seat, *path: str) -> Forbidden | None:
    """Refuse whoever only watches."""
    return (
        None if seat.plays else Forbidden.because("Spectators watch; ask the GM to make you a player.", *path)
    )
