"""A table that plays Forge Engine with a pack of its own, and what is asked of characters over REST."""

from dataclasses import dataclass
from typing import Any

import httpx

from tests.e2e.product import Person, Product
from tests.e2e.table import found_campaign, join

SYSTEM = "/v1/systems/forge_engine"
PACKS, CHARACTERS = "/v1/content-packs", "/v1/characters"
EMBER_BORN = {
    "key": "ember-born",
    "name": "Ember-Born",
    "category": "PHYSICAL",
    "cp": 2,
    "summary": "Your blood runs hot.",
    "tests": [{"dice": 2, "attribute": "STAMINA", "skills": ["forge_engine:skill/resist"]}],
}
CINDER_LANCE = {
    "key": "cinder-lance",
    "name": "Cinder Lance",
    "use": "ACTION",
    "targets": "ONE",
    "against": "PD",
    "school": "forge_engine:school/pyromancy",
    "summary": "A white-hot line across the field.",
    "range": 100,
    "damage": "PER_SUCCESS",
    "damageType": "forge_engine:damage/fire",
    "expend": 3,
}


def trait(slug: str) -> str:
    """Give the content id of a trait."""
    return f"forge_engine:trait/{slug}"


def skill(slug: str) -> str:
    """Give the content id of a general skill."""
    return f"forge_engine:skill/{slug}"


def holding(**lists: Any) -> dict[str, Any]:
    """Give what a pack holds."""
    return {"forgeEngine": lists}


def told(answer: httpx.Response, status: int = 200) -> Any:
    """Give what an answer of this status says."""
    assert answer.status_code == status, answer.text
    return answer.json()


def issues(answer: httpx.Response) -> dict[str, dict[str, Any]]:
    """Give what is wrong with a request, by path."""
    problem = told(answer, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["code"] == "INVALID_INPUT"
    return {".".join(issue["path"]): issue for issue in problem["issues"]}


def explained(number: dict[str, Any]) -> int:
    """Give a number whose parts must come to it, each with its rule."""
    assert sum(part["value"] for part in number["parts"]) == number["value"]
    assert all(part["source"] and part["rule"] for part in number["parts"])
    return int(number["value"])


@dataclass(frozen=True)
class Table:
    """A campaign of high fantasy that plays with a pack of its own, and somebody who does not belong to it."""

    gm: Person
    player: Person
    friend: Person
    stranger: Person
    campaign: str
    pack: str

    def draft(self, choices: dict[str, Any]) -> dict[str, Any]:
        """Look at a character in the making; give what is said of all of it, and of each step by its id."""
        asked = {"build": {"forgeEngine": choices}, "packs": [self.pack]}
        found: dict[str, Any] = told(self.player.post(f"{CHARACTERS}/draft", asked))
        return {**found, "steps": {step["id"]: step for step in found["steps"]}}

    def make(self, choices: dict[str, Any]) -> str:
        """Make a character under the pack."""
        asked = {"build": {"forgeEngine": choices}, "packs": [self.pack]}
        return str(told(self.player.post(CHARACTERS, asked), 201)["id"])


def come_together(product: Product) -> Table:
    """Found the campaign; its GM writes a pack and shares it."""
    gm, player, friend, stranger = (product.sign_up(name) for name in ("Mara", "Toren", "Finn", "Sela"))
    campaign = found_campaign(gm)
    for person in (player, friend):
        join(person, gm, campaign)
    content = holding(
        summary="The Ember Road",
        genre="forge_engine:genre/high-fantasy",
        rules={"traitCp": 18},
        traits=[EMBER_BORN],
        spells=[CINDER_LANCE],
    )
    kept = told(gm.post(PACKS, {"name": "Embers", "pack": content, "campaignId": campaign}), 201)
    return Table(gm, player, friend, stranger, campaign, kept["id"])


def fire_caller() -> dict[str, Any]:
    """Give the choices of a fire caller who has spent every CP of the table."""
    ratings = {"arcane": 4, "history": 4, "investigation": 4, "perception": 3, "insight": 3, "survival": 3}
    return {
        "name": "Vael",
        "speciesChoices": [trait("astute")],
        "traits": [trait("ember-born"), trait("pyromancy-caster")],
        "attributes": {"intelligence": 4, "acuity": 3, "stamina": 2, "agility": 2},
        "skills": [
            *({"skill": skill(slug), "rating": rating} for slug, rating in ratings.items()),
            {"skill": "forge_engine:spell/cinder-lance", "rating": 4},
            {"skill": "forge_engine:spell/fiery-bolt", "rating": 4},
            {"skill": "forge_engine:martial/iron-will", "rating": 1},
        ],
    }
