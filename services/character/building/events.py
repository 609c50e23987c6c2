"""The facts that the character service publishes."""

from services.character.building.models import CharacterRow
from services.shared.outbox import Event


def topic(character: str) -> str:
    """Name what those who follow a character wait for."""
    return f"character:{character}"


def created(row: CharacterRow) -> Event:
    """Tell that there is a new character."""
    return _event("character.created", row)


def changed(row: CharacterRow) -> Event:
    """Tell that a character was built anew."""
    return _event("character.changed", row)


def deleted(row: CharacterRow, name: str) -> Event:
    """Tell that a character is gone, by the name it had."""
    return _event("character.deleted", row, name)


def _event(kind: str, row: CharacterRow, name: str | None = None) -> Event:
    return Event(
        kind,
        topic(row.id),
        {
            "id": row.id,
            "owner": row.owner,
            "system": row.system,
            "name": row.name if name is None else name,
            "version": row.version,
        },
    )
