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


def character_seated(campaign: str, character: str, account: str) -> Event:
    """Tell that an account's character sits at the table of a campaign now. The payload::

    {"campaign": "cmp_...",
     "character": "chr_...",
     "account": "acc_..."}
    """
    told = {"campaign": campaign, "character": character, "account": account}
    return Event("character.seated", topic(campaign), told)


def character_unseated(campaign: str, character: str) -> Event:
    """Tell that a character sits at the table of a campaign no more. The payload::

    {"campaign": "cmp_...",
     "character": "chr_..."}
    """
    return Event("character.unseated", topic(campaign), {"campaign": campaign, "character": character})


def member_barred(campaign: str, account: str) -> Event:
    """Tell that an account which was a player or a GM of a campaign may not write there any more.

    What it has asked for there and is not done yet is not done. The payload::

        {"campaign": "cmp_...",
         "account": "acc_..."}
    """
    return Event("member.barred", topic(campaign), {"campaign": campaign, "account": account})


def account_left(account: str, heirs: Mapping[str, str]) -> Event:
    """Tell that an account which was deleted is at some of its tables no more, and who has its things there;
    ``account_erased`` follows, with its own ``heirs`` for the last of them.
    """
    return Event("account.left", f"account:{account}", {"account": account, "heirs": dict(heirs)})


def account_erased(account: str, heirs: Mapping[str, str], waiting: Sequence[str] = ()) -> Event:
    """Tell that an account which was deleted is at no table any more, and who has its things there now.

    It follows the ``campaign.deleted`` of each campaign in which the account was alone, and the
    ``account_left`` of those that it was taken from before. It is told again when a campaign that its things
    waited in gets a GM, or is deleted. The payload::

        {"account": "acc_...",
         "heirs": {"cmp_...": "acc_...", ...},
         "waiting": ["cmp_...", ...]}

    Args:
        account: its id.
        heirs: of its last campaigns that live on with a GM, that GM, by the campaign's id; each is told once.
        waiting: ids of the campaigns that have no GM: what was shared with them stays as it is until it is
            told who has it.
    """
    payload = {"account": account, "heirs": dict(heirs), "waiting": list(waiting)}
    return Event("account.erased", f"account:{account}", payload)
