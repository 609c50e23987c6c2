"""The facts that membership publishes; others are written into the log, which tells that it has grown."""

from collections.abc import Mapping, Sequence

from services.campaign.log.events import topic
from services.shared.outbox import Event


def campaign_deleted(campaign: str, scenes: Sequence[str], characters: Sequence[str]) -> Event:
    """Tell that a campaign is gone with all that belonged to it.

    The payload::

        {"campaign": "cmp_...",
         "scenes": ["scn_...", ...],
         "characters": ["chr_...", ...]}

    Args:
        campaign: its id.
        scenes: ids of the scenes that still ran, what games kept of the campaign included.
        characters: ids of those that sat at the table.
    """
    return Event(
        "campaign.deleted",
        topic(campaign),
        {
            "campaign": campaign,
            "scenes": list(scenes),
            "characters": list(characters),
        },
    )


def account_left(account: str, heirs: Mapping[str, str]) -> Event:
    """Tell that an account which was deleted is at some of its tables no more, and who has its things there;
    ``account_erased`` follows, with the same payload for the last of them.
    """
    return Event("account.left", f"account:{account}", {"account": account, "heirs": dict(heirs)})


def account_erased(account: str, heirs: Mapping[str, str]) -> Event:
    """Tell that an account which was deleted is at no table any more, and who has its things there now.

    It follows the ``campaign.deleted`` of each campaign in which the account was alone, and the
    ``account_left`` of those that it was taken from before. The payload::

        {"account": "acc_...",
         "heirs": {"cmp_...": "acc_...", ...}}

    Args:
        account: its id.
        heirs: of each of its last campaigns that lives on, a GM who is there now, by the campaign's id.
    """
    return Event("account.erased", f"account:{account}", {"account": account, "heirs": dict(heirs)})
