"""What can be asked of campaigns and their tables."""

from dataclasses import dataclass
from typing import Annotated

from services.shared.access import Role
from services.shared.bounds import Between, Line, Prose

MAX_NAME = 120
MAX_DESCRIPTION = 2_000
MAX_USES = 50
MAX_DAYS = 90


@dataclass(frozen=True, slots=True)
class CreateCampaign:
    """A campaign to be founded.

    Attributes:
        name: What it is called.
        description: What it is about.
    """

    name: Annotated[str, Line(MAX_NAME)]
    description: Annotated[str, Prose(MAX_DESCRIPTION)] = ""


@dataclass(frozen=True, slots=True)
class UpdateCampaign:
    """What to change about a campaign; what is left out stays as it is.

    Attributes:
        id: Of the campaign.
        version: The version you saw.
        name: What it is called from now on.
        description: What it is about from now on.
    """

    id: str
    version: int
    name: Annotated[str, Line(MAX_NAME)] | None = None
    description: Annotated[str, Prose(MAX_DESCRIPTION)] | None = None


@dataclass(frozen=True, slots=True)
class DeleteCampaign:
    """A campaign that is to be deleted.

    Attributes:
        id: Of the campaign.
        version: The version you saw.
    """

    id: str
    version: int


@dataclass(frozen=True, slots=True)
class CreateInvitation:
    """An invitation to be written; who comes by it takes its role.

    Attributes:
        campaign_id: Where it leads.
        role: What those who come will be.
        uses: How many may come.
        days: How long it holds.
    """

    campaign_id: str
    role: Role = Role.PLAYER
    uses: Annotated[int, Between(1, MAX_USES)] = 1
    days: Annotated[int, Between(1, MAX_DAYS)] = 7


@dataclass(frozen=True, slots=True)
class WithdrawInvitation:
    """An invitation to be taken back.

    Attributes:
        campaign_id: Where it leads.
        invitation_id: Of the invitation.
    """

    campaign_id: str
    invitation_id: str


@dataclass(frozen=True, slots=True)
class JoinCampaign:
    """An invitation to be used.

    Attributes:
        code: The invitation's; capitals, spaces and hyphens do not matter.
    """

    code: str


@dataclass(frozen=True, slots=True)
class ChangeRole:
    """Another role for a member.

    Attributes:
        campaign_id: At whose table.
        account_id: The member's account.
        role: What they will be.
    """

    campaign_id: str
    account_id: str
    role: Role


@dataclass(frozen=True, slots=True)
class AcceptGameMaster:
    """The offer to run a campaign that has no GM, accepted.

    Attributes:
        campaign_id: Whose game.
    """

    campaign_id: str


@dataclass(frozen=True, slots=True)
class DeclineGameMaster:
    """The offer to run a campaign that has no GM, passed on.

    Attributes:
        campaign_id: Whose game.
    """

    campaign_id: str


@dataclass(frozen=True, slots=True)
class RemoveMember:
    """A member who is to leave.

    Attributes:
        campaign_id: Whose table they leave.
        account_id: Their account: your own, or as GM any.
    """

    campaign_id: str
    account_id: str


@dataclass(frozen=True, slots=True)
class SeatCharacter:
    """A character that is to play.

    Attributes:
        campaign_id: At whose table.
        character_id: Of a character of yours.
    """

    campaign_id: str
    character_id: str


@dataclass(frozen=True, slots=True)
class UnseatCharacter:
    """A character that is to leave the table.

    Attributes:
        campaign_id: Whose table.
        character_id: Of the character: your own, or as GM any.
    """

    campaign_id: str
    character_id: str
