"""The operations that the tests of the character service send."""

from typing import Any

from services.shared.auth import Viewer
from tests.character.desk import Desk

ROLE = "dungeonteller:role/"
WEAPON = "dungeonteller:weapon/"
ARMOR = "dungeonteller:armor/"

CREATE = """
mutation ($input: CreateCharacterInput!) {
  createCharacter(input: $input) {
    __typename
    ... on CharacterSaved { character { id name system version owner { id } createdAt updatedAt } }
    ... on Problem { code message path }
    ... on InvalidInput { issues { code message path rule found allowed } }
  }
}
"""
UPDATE = """
mutation ($input: UpdateCharacterInput!) {
  updateCharacter(input: $input) {
    __typename
    ... on CharacterSaved { character { id name version createdAt updatedAt sheet { name } } }
    ... on Problem { code message path }
    ... on VersionConflict { expectedVersion currentVersion differing { path yours theirs base } }
    ... on InvalidInput { issues { code message path rule found allowed } }
  }
}
"""
DELETE = """
mutation ($id: ID!, $version: Int!, $key: String) {
  deleteCharacter(input: {id: $id, version: $version, idempotencyKey: $key}) {
    __typename
    ... on CharacterDeleted { id }
    ... on Problem { code message path }
    ... on VersionConflict { expectedVersion currentVersion }
  }
}
"""
CHARACTER = "query ($id: ID!) { character(id: $id) { id name version sheet { name } } }"
ENTITIES = """
query ($representations: [_Any!]!) {
  _entities(representations: $representations) { ... on Character { id name owner { id } sheet { name } } }
}
"""


def hero(**changes: Any) -> dict[str, Any]:
    """Give the build of a warrior, changed as asked."""
    return {"dungeonteller": {"name": "Brawnley", "role": f"{ROLE}warrior", **changes}}


async def create(desk: Desk, viewer: Viewer, build: Any = None, key: str | None = None) -> dict[str, Any]:
    """Create a character and give what the mutation answers."""
    sent: dict[str, Any] = {"build": hero() if build is None else build}
    if key is not None:
        sent["idempotencyKey"] = key
    found: dict[str, Any] = (await desk.ask(viewer, CREATE, input=sent))["createCharacter"]
    return found


async def created(desk: Desk, viewer: Viewer, build: Any = None, key: str | None = None) -> dict[str, Any]:
    """Create a character that breaks no rule and give it."""
    answer = await create(desk, viewer, build, key)
    assert answer["__typename"] == "CharacterSaved", answer
    character: dict[str, Any] = answer["character"]
    return character
