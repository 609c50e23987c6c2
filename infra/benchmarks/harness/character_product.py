"""What players ask about characters through the public door: requests, and the players who send them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

from infra.benchmarks.harness.cases import BenchFailure
from infra.benchmarks.harness.load import Request
from infra.benchmarks.harness.tables import Guest, sign_up
from services.character.packs.library import form
from services.rules.systems.forge_engine import SYSTEM

PLAYERS = 4
FINISHED, HALF_MADE = "pathfinder", "wasteland-scavenger"
"""Examples: one that is made, and one with points left, so that there is much to offer."""
SPELLS = "/v1/systems/forge_engine/content/spell?search=fire&where=expend:at_most:2&order=-expend"
TOOL = "/v1/systems/forge_engine/tools/attack_odds"
GIVEN: Mapping[str, Any] = {
    "attack": {
        "weapon": "forge_engine:equipment/historical-longsword",
        "attribute": 5,
        "added": 5,
        "skills": [{"name": "Melee Weapons", "rating": 5}],
    },
    "defense": {"dice": 5},
}
TYPED = """
query Typed($id: ID!) {
  character(id: $id) {
    id name version
    sheet {
      name system tracks { key name current maximum }
      ... on ForgeEngineSheet {
        speciesName condition
        energy { value parts { value source rule } }
        health { value parts { value source rule } }
        attributes { name rating }
        skills { key name rating }
        weapons { name attacks { name } }
      }
    }
  }
}"""


@dataclass(frozen=True, slots=True)
class Owner:
    """A player with a character.

    Attributes:
        guest: their account.
        hero: id of the character.
        etag: entity tag of its sheet.
    """

    guest: Guest
    hero: str
    etag: str

    @property
    def key(self) -> str:
        """What an `authorization` header says."""
        return f"Bearer {self.guest.key}"

    @property
    def sheet(self) -> str:
        """Path of the sheet."""
        return f"/v1/characters/{self.hero}/sheet"


def owners(address: str) -> list[Owner]:
    """Sign players up and have each make a character.

    Raises:
        BenchFailure: something was refused.
    """
    with httpx.Client(base_url=address, timeout=20, trust_env=False) as client:
        return [_owner(client, sign_up(address, f"Player {number + 1}")) for number in range(PLAYERS)]


def _owner(client: httpx.Client, guest: Guest) -> Owner:
    headers = {"authorization": f"Bearer {guest.key}"}
    made = client.post("/v1/characters", json={"build": build(FINISHED)}, headers=headers)
    if made.status_code != HTTPStatus.CREATED:
        raise BenchFailure(f"a character could not be made: {made.status_code} {made.text[:300]}")
    hero = made.json()["id"]
    sheet = client.get(f"/v1/characters/{hero}/sheet", headers=headers)
    if sheet.status_code != HTTPStatus.OK or "etag" not in sheet.headers:
        raise BenchFailure(f"a sheet cannot be read: {sheet.status_code} {sheet.text[:300]}")
    return Owner(guest, hero, sheet.headers["etag"])


def build(example: str) -> dict[str, Any]:
    """Give an example of the game as a request says it."""
    return {"forgeEngine": form(SYSTEM.examples[example], properties=False)}


def requests(players: Sequence[Owner]) -> dict[str, list[Request]]:
    """Give what is asked, by what it is called: one request for each player."""
    asked: dict[str, list[Request]] = {}
    for player in players:
        key = player.key
        every = {
            "draft over REST": Request.post(
                "/v1/characters/draft", {"build": build(HALF_MADE)}, authorization=key
            ),
            "page of a search over REST": Request.get(SPELLS, authorization=key),
            "odds of an attack over REST": Request.post(TOOL, GIVEN, authorization=key),
            "character made over REST": Request.post(
                "/v1/characters", {"build": build(FINISHED)}, status=HTTPStatus.CREATED, authorization=key
            ),
            "sheet over REST": Request.get(player.sheet, authorization=key),
            "sheet over REST, not modified": Request.get(
                player.sheet, status=HTTPStatus.NOT_MODIFIED, authorization=key, if_none_match=player.etag
            ),
            "typed character in the graph": Request.graphql(TYPED, {"id": player.hero}, authorization=key),
        }
        for name, request in every.items():
            asked.setdefault(name, []).append(request)
    return asked
