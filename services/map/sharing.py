"""Who sees what of a map: what its players are shown, and who sees all of it."""

from services.map.models import MapRow
from services.map.play.rights import Editor, Role
from services.map.play.state import FogMode
from services.map.registry import KINDS
from services.shared.access import Access
from services.shared.policy import Right, Seat
from services.shared.problems import InvalidInput


def opening(kind: str, wished: FogMode | None, seat: Seat) -> FogMode:
    """Returns how a new map is shared: as wished; else a GM's map with secrets is prepared in secret.

    Args:
        kind: slug of its kind.
        wished: what was asked for, if anything.
        seat: of who adds the map, at the table it is for.
    """
    if wished is not None:
        return wished
    prepared = seat.campaign is not None and seat.may(Right.RUN)
    return FogMode.HIDDEN if prepared and KINDS[kind].secretive else FogMode.OPEN


def may_run(access: Access, owner: str, campaign: str | None) -> bool:
    """Tells whether a viewer who sees a thing may do everything with it: who owns it, or who may RUN the
    campaign that it is shared with."""
    return owner == access.account or (campaign is not None and access.runs(campaign))


def access_at(seat: Seat) -> Access:
    """Returns the access of who has a seat, as far as it reaches from there: one's own things, and those of
    the table."""
    if seat.campaign is None or seat.role is None:
        return Access(seat.account)
    return Access(seat.account, {seat.campaign: seat.role})


def check_fog(kind: str, wished: FogMode | None) -> None:
    """Checks that only a map with cells is to have fog.

    Raises:
        InvalidInput: another one is.
    """
    if wished is FogMode.FOGGED and not KINDS[kind].cells:
        raise InvalidInput.single(
            "map_fog_cells",
            "Only a map with cells has fog.",
            "sharing",
            found="fogged",
            allowed="hidden, open",
        )


def editor_of(access: Access, row: MapRow) -> Editor:
    """Returns what a viewer who sees a map is at its table: its game master is who may do everything with
    it."""
    if may_run(access, row.owner, row.campaign):
        return Editor(access.account, Role.GM)
    plays = row.campaign is not None and access.plays(row.campaign)
    return Editor(access.account, Role.PLAYER if plays else Role.SPECTATOR)
