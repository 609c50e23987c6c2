"""Who sees what of a map: what its players are shown, and who sees all of it."""

from services.map.models import MapRow
from services.map.play.rights import Editor, Role
from services.map.play.state import FogMode
from services.map.registry import KINDS
from services.shared.access import Access
from services.shared.problems import InvalidInput


def opening(kind: str, wished: FogMode | None, access: Access, campaign: str | None) -> FogMode:
    """Tell how a new map is shared where nobody has said: a GM's map with secrets is prepared in secret."""
    if wished is not None:
        return wished
    prepared = campaign is not None and access.runs(campaign)
    return FogMode.HIDDEN if prepared and KINDS[kind].secretive else FogMode.OPEN


def unfit(kind: str, wished: FogMode | None) -> InvalidInput | None:
    """Refuse fog over a map without cells."""
    if wished is not FogMode.FOGGED or KINDS[kind].cells:
        return None
    return InvalidInput.single(
        "map_fog_cells", "Only a map with cells has fog.", "sharing", found="fogged", allowed="hidden, open"
    )


def standing(access: Access, row: MapRow) -> Editor:
    """Tell what somebody who sees a map is at its table: its game master is who runs the campaign, or whose
    own the map is."""
    if row.owner == access.account or access.runs(row.campaign or ""):
        return Editor(access.account, Role.GM)
    plays = row.campaign is not None and access.plays(row.campaign)
    return Editor(access.account, Role.PLAYER if plays else Role.SPECTATOR)
