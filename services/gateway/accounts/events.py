"""The facts that the account service publishes."""

from services.shared.outbox import Event


def topic(account: str) -> str:
    """Name what concerns one account."""
    return f"account:{account}"


def account_changed(kind: str, account: str, version: int) -> Event:
    """Tell that an account was created (``account.created``) or renamed (``account.renamed``)."""
    return Event(kind, topic(account), {"id": account, "version": version})


def account_deleted(account: str) -> Event:
    """Tell that an account was deleted: whoever keeps what is its own forgets it."""
    return Event("account.deleted", topic(account), {"account": account})


def key_changed(kind: str, account: str, key: str) -> Event:
    """Tell that a key was made (``key.created``) or revoked (``key.revoked``)."""
    return Event(kind, topic(account), {"id": key, "account": account})
