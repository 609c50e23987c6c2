"""Checks that several use cases of the campaign service share."""

from services.campaign.repository import Campaigns
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.problems import Forbidden, InvalidInput, Issue, NotFound
from services.shared.wording import line_issues, prose_issues

MAX_NAME = 120
MAX_DESCRIPTION = 2_000
MAX_NOTE = 4_000
MAX_MEMBERS = 100
"""Members of one campaign."""
MAX_INVITATIONS = 100
"""Open invitations of one campaign."""


async def gm_only(campaigns: Campaigns, viewer: Viewer, campaign_id: str) -> NotFound | Forbidden | None:
    """Refuse anyone but a GM of the campaign; to those who are no members it does not exist."""
    member = await campaigns.member(campaign_id, viewer.account)
    if member is None:
        return NotFound.of("campaign", "campaignId")
    if member.rank is not Role.GM:
        return Forbidden.because("Only a GM of the campaign may do this.", "campaignId")
    return None


def name_issues(name: str, description: str) -> list[Issue]:
    """Check a campaign's name and description."""
    issues = line_issues(name, "name", most=MAX_NAME)
    if len(description) > MAX_DESCRIPTION:
        issues.append(length("description", description, MAX_DESCRIPTION, least=0))
    return [*issues, *prose_issues(description, "description")]


def length(field: str, value: str, most: int, *, least: int = 1) -> Issue:
    """Report a text that is too short or too long."""
    return Issue(
        code="LENGTH",
        message=f"`{field}` must have {least} to {most:,} characters.",
        path=[field],
        found=str(len(value.strip())),
        allowed=f"{least}..{most}",
    )


def out_of_range(field: str, value: int, least: int, most: int) -> Issue:
    """Report a number outside its range."""
    return Issue(
        code="OUT_OF_RANGE",
        message=f"`{field}` must be from {least} to {most}.",
        path=[field],
        found=str(value),
        allowed=f"{least}..{most}",
    )


def quota_exceeded(quota: str, found: int, allowed: int) -> InvalidInput:
    """Reports that a campaign has as many ``members`` or open ``invitations`` as it may have."""
    return InvalidInput.single(
        "QUOTA_EXCEEDED",
        f"A campaign may have {allowed} {quota}; this one has {found}.",
        quota,
        found=str(found),
        allowed=str(allowed),
    )
