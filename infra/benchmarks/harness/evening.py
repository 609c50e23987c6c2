"""An evening at a table, made through the public door: what benchmarks ask about.

One GM and three players, each with a hero, ten rolls and a key; a campaign with two maps.
"""

import time
from dataclasses import dataclass, field
from typing import Any

import httpx

from infra.benchmarks.harness.cases import BenchFailure

ROLES = ("warrior", "wizard", "rogue", "dwarf")
ROLLS = 10
MAPS = 2
MAP_SECONDS = 30.0

_CREATE_CAMPAIGN = """
mutation Found($name: String!) {
  createCampaign(input: {name: $name}) { ... on CampaignSaved { campaign { id } } ... on Problem { message } }
}"""
_INVITE = """
mutation Invite($campaign: ID!, $uses: Int!) {
  createInvitation(input: {campaignId: $campaign, uses: $uses}) {
    ... on InvitationCreated { invitation { code } } ... on Problem { message }
  }
}"""
_JOIN = """
mutation Join($code: String!) {
  joinCampaign(input: {code: $code}) { ... on CampaignSaved { campaign { id } } ... on Problem { message } }
}"""
_CREATE_HERO = """
mutation Hero($name: String!, $role: String!) {
  createCharacter(input: {build: {dungeonteller: {name: $name, role: $role}}}) {
    ... on CharacterSaved { character { id } } ... on Problem { message }
  }
}"""
_SEAT = """
mutation Seat($campaign: ID!, $hero: ID!) {
  seatCharacter(input: {campaignId: $campaign, characterId: $hero}) {
    ... on CampaignSaved { campaign { id } } ... on Problem { message }
  }
}"""
_ROLL = """
mutation Roll($hero: ID!, $label: String!) {
  roll(input: {expression: "4d6kh3+2", characterId: $hero, label: $label}) {
    ... on RollRecorded { roll { id } } ... on Problem { message }
  }
}"""
_GENERATE = """
mutation Realm($campaign: ID!, $seed: String!) {
  generateMap(input: {campaignId: $campaign, map: {forgebornRealm: {seed: $seed}}}) {
    ... on MapJobQueued { job { id } } ... on Problem { message }
  }
}"""
_JOB = "query Job($id: ID!) { job(id: $id) { state } }"


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table.

    Attributes:
        account: id.
        key: the API key itself.
        key_id: its id.
        hero: id of the character.
        roll: id of the last roll.
    """

    account: str
    key: str = field(repr=False)
    key_id: str
    hero: str
    roll: str


@dataclass(frozen=True, slots=True)
class Evening:
    """A table with all that belongs to it.

    Attributes:
        campaign: id.
        players: the GM first.
    """

    campaign: str
    players: tuple[Player, ...]


def play_evening(address: str) -> Evening:
    """Make the evening.

    Args:
        address: public address of a fresh product.

    Raises:
        BenchFailure: something was refused.
    """
    with httpx.Client(base_url=address, timeout=20, trust_env=False) as client:
        accounts = [_sign_up(client, f"Player {number + 1}") for number in range(len(ROLES))]
        keys = [account["key"] for account in accounts]
        made = _do(client, keys[0], _CREATE_CAMPAIGN, name="The long road")
        campaign: str = made["campaign"]["id"]
        code = _do(client, keys[0], _INVITE, campaign=campaign, uses=len(ROLES))["invitation"]["code"]
        jobs = [
            _do(client, keys[0], _GENERATE, campaign=campaign, seed=str(seed))["job"]["id"]
            for seed in range(MAPS)
        ]
        players = []
        for number, (role, account, key) in enumerate(zip(ROLES, accounts, keys, strict=True)):
            if number:
                _do(client, key, _JOIN, code=code)
            hero = _do(client, key, _CREATE_HERO, name=f"Hero {number}", role=f"dungeonteller:role/{role}")
            hero_id: str = hero["character"]["id"]
            _do(client, key, _SEAT, campaign=campaign, hero=hero_id)
            rolls = [_do(client, key, _ROLL, hero=hero_id, label=f"Try {turn}") for turn in range(ROLLS)]
            ids = (account["account"]["id"], key, account["apiKey"]["id"])
            players.append(Player(*ids, hero_id, rolls[-1]["roll"]["id"]))
        for job in jobs:
            _wait_for(client, keys[0], job)
    return Evening(campaign, tuple(players))


def ask(client: httpx.Client, key: str, query: str, **variables: Any) -> Any:
    """Run an operation and give its data.

    Raises:
        BenchFailure: it has errors.
    """
    response = client.post(
        "/graphql",
        json={"query": query, "variables": variables},
        headers={"authorization": f"Bearer {key}", "accept": "application/json"},
    )
    answer = response.json()
    if response.status_code != 200 or answer.get("errors"):
        raise BenchFailure(f"the table could not be laid: {response.status_code} {response.text[:300]}")
    return answer["data"]


def _do(client: httpx.Client, key: str, mutation: str, **variables: Any) -> Any:
    outcome = next(iter(ask(client, key, mutation, **variables).values()))
    if "message" in outcome:
        raise BenchFailure(f"the table could not be laid: {outcome['message']}")
    return outcome


def _sign_up(client: httpx.Client, name: str) -> Any:
    response = client.post("/v1/accounts", json={"name": name})
    if response.status_code != 201:
        raise BenchFailure(f"nobody could sign up: {response.status_code} {response.text[:300]}")
    return response.json()


def _wait_for(client: httpx.Client, key: str, job: str) -> None:
    deadline = time.monotonic() + MAP_SECONDS
    while (state := ask(client, key, _JOB, id=job)["job"]["state"]) != "SUCCEEDED":
        if state not in ("QUEUED", "RUNNING") or time.monotonic() > deadline:
            raise BenchFailure(f"a map was not made: the job is {state}")
        time.sleep(0.1)
