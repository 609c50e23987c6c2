"""Under which keys the files of portraits are stored: ``portraits/{character}/{version}/{size}.{suffix}``."""

from services.character.building.models import CharacterRow

FOLDER = "portraits"
SIZES = (64, 128, 256, 512)
"""Pixels along a side of the square pictures that are kept."""

SUFFIXES = ("webp", "png")
FILES = tuple(f"{size}.{suffix}" for size in SIZES for suffix in SUFFIXES)
"""The names of the files of a portrait."""

NAMED_PORTRAITS = f"""
SELECT '{FOLDER}/' || id || '/' || portrait || '/' || file.name
FROM character CROSS JOIN ({" UNION ALL ".join(f"SELECT '{name}' AS name" for name in FILES)}) AS file
WHERE portrait IS NOT NULL
"""
"""The query for the keys of all stored files that characters name."""

SINCE = "character_0009"
"""The migration before which no character has a portrait."""


def key_of(character: str, version: str, name: str) -> str:
    """Return the storage key of a file of a portrait."""
    return f"{FOLDER}/{character}/{version}/{name}"


def keys_of(row: CharacterRow) -> set[str]:
    """Return the storage keys of all files that a character names."""
    return set() if row.portrait is None else {key_of(row.id, row.portrait, name) for name in FILES}
