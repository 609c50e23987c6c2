"""The facts that the log publishes."""

from services.shared.outbox import Event


def topic(campaign: str) -> str:
    """Name what subscriptions to a campaign's log wait for."""
    return f"campaign:{campaign}"


def logged(campaign: str, seq: int, kind: str) -> Event:
    """Tell that the log of a campaign has grown."""
    return Event("campaign.logged", topic(campaign), {"campaign": campaign, "seq": seq, "entry": kind})
