"""A canary in everything that somebody may not see is in no answer of the services to them.

Each role asks once with a request of each operation, and with every fourth of those that ask about each id; with
all of them in the gate ``proofs``. What goes through the public port, events and logs are the matter of
``tests/platform/test_canary.py``.
"""

import pytest

from tests.at_length import part_or_whole
from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person
from tests.e2e.table import KEPT, PAST, World, build_world, look_at
from tests.matrix.canary import (
    CANARY,
    MEMBERS,
    STRANGERS,
    Probe,
    answers_to,
    assert_seen_by_those_who_may,
    crowd,
    fields_in,
    ids_of,
    looking,
    marked,
    probes_of_ids,
    probes_of_operations,
    secrets_of,
    seen_in,
    unseen_words,
)
from tests.matrix.in_process import InProcess
from tests.matrix.requests import EXPORTS
from tests.matrix.test_visibility import ENTITIES, REPRESENTATIONS, inside

# It divides none of the numbers of requests that ask about each id, so that every kind of them has its turn.
EVERY = part_or_whole(4, 1)


@pytest.fixture(scope="module")
def world(house: InProcess) -> World:
    """Set a table where everything that is written holds the canary."""
    return build_world(house, marked)


@pytest.fixture(scope="module")
def asked(world: World) -> list[Probe]:
    """Write the requests once, for all roles: all of those about what members are told apart by."""
    told_apart = (world.smith, world.own_pack)
    of_ids = [
        probe
        for place, probe in enumerate(probes_of_ids(world))
        if place % EVERY == 0 or any(one in str(probe) for one in told_apart)
    ]
    return [*probes_of_operations(world), *of_ids]


@pytest.mark.parametrize("who", STRANGERS)
def test_no_answer_to_a_stranger_holds_the_canary(world: World, asked: list[Probe], who: str) -> None:
    answers = answers_to(crowd(world, who), asked)
    assert fields_in(answers, asked) > (1_500 if who != "anonymous" else 700) / EVERY
    assert seen_in(answers, asked, secrets_of(world)) == []


@pytest.mark.parametrize("who", MEMBERS)
def test_no_answer_to_a_member_holds_what_only_gms_may_see(
    world: World, asked: list[Probe], who: str
) -> None:
    sent, people = [probe for probe in asked if looking(probe)], crowd(world, who)
    answers = answers_to(people, sent)
    assert fields_in(answers, sent) > 1_500 / EVERY
    assert seen_in(answers, sent, unseen_words(world)) == []
    assert seen_in(answers, sent, [CANARY]), "they see the rest of the table"
    # Of a pack under which a character is built they see the name, and nothing of what became of the character;
    # the first of the players is the one whose both are.
    kept = [world.words[what] for what in (*KEPT, *PAST)]
    about = [probe for probe in sent if world.smith in str(probe) or world.own_pack in str(probe)]
    assert len(about) > 30
    assert seen_in(answers_to(people[1:], about), about, kept) == []
    assert (seen_in(answers_to(people[:1], about), about, kept) != []) is (who == "player")


@pytest.mark.parametrize("who", [*STRANGERS, *MEMBERS])
def test_no_entity_that_others_point_at_holds_the_canary(world: World, who: str) -> None:
    """What one service adds to things of another is asked of it by their ids."""
    hidden = secrets_of(world) if who in STRANGERS else unseen_words(world)
    person: Person = getattr(world, who)
    ids = [*ids_of(world), world.smith, world.pack, world.own_pack]
    shown = []
    for entity in ENTITIES:
        token = world.product.token(entity.service, person.viewer)
        wanted = {"r": [{"__typename": entity.kind, "id": one} for one in ids]}
        query = REPRESENTATIONS % (entity.kind, entity.fields)
        answer = inside(world.product, entity.service, token, query, wanted)
        assert answer.status_code == 200, answer.text
        shown.append(answer.text)
        assert [secret for secret in hidden if secret in answer.text] == [], (entity.kind, entity.service)
    assert any(CANARY in text for text in shown) is (who in MEMBERS)


def test_canary_is_seen_by_those_who_may(world: World) -> None:
    about = {"campaign": world.campaign, "character": world.hero, "roll": world.roll, "map": world.map}

    def table(person: Person) -> str:
        return "".join(person.graph(QUERIES[name], {"id": one}).text for name, one in about.items())

    assert_seen_by_those_who_may(world, table)


@pytest.mark.parametrize("who", MEMBERS)
def test_no_file_of_an_open_map_tells_members_its_secrets(world: World, who: str) -> None:
    """What is open is the map, not what only its GM reads of it: traps, notes, doors that nobody has found."""
    member: Person = getattr(world, who)
    key = {"idempotencyKey": "opened for all to see"}
    kept = world.gm.do(
        MUTATIONS["keepMap"],
        input={
            "batchId": world.batch,
            "number": 1,
            "campaignId": world.campaign,
            "sharing": "OPEN",
            **key,
        },
    )
    opened = kept["map"]["id"]
    whole, shown = look_at(world.gm, opened)["grid"], look_at(member, opened)["grid"]
    secret = {door["key"] for door in whole["doors"] if door["kind"] == "SECRET"}
    assert secret and whole["traps"] and not secret & {door["key"] for door in shown["doors"]}
    assert (shown["traps"], shown["notes"], shown["goal"]) == ([], [], None)
    assert {room["name"] for room in shown["rooms"]} < {room["name"] for room in whole["rooms"]}
    whispers = [note for one in (*whole["rooms"], *shown["rooms"]) for note in one["notes"]]
    whispers += [one["note"] for one in (*whole["traps"], *whole["doors"]) if one["note"]]
    # The journal is made of what only the GM reads; the tiles are the same for every dungeon.
    journal, tiles = EXPORTS["exportMapFoundryJournal"], EXPORTS["exportMapTiledTerrain"]
    assert member.get(f"/v1/maps/{opened}/{journal}").status_code == 422
    telling = set(EXPORTS.values()) - {journal, tiles}
    files = {file: member.get(f"/v1/maps/{opened}/{file}?px=20") for file in telling}
    assert {answer.status_code for answer in files.values()} == {200}
    for file, answer in files.items():
        assert [what for what in (*whispers, *world.seeds) if what in answer.text] == [], file
        assert answer.content == world.gm.get(f"/v1/maps/{opened}/{file}?px=20&view=players").content, file
        assert answer.content != world.gm.get(f"/v1/maps/{opened}/{file}?px=20").content, file
    doors = len([door for door in shown["doors"] if door["kind"] != "ARCH"])
    assert len(files["map.lines.uvtt"].json()["portals"]) == doors
    assert {wall["door"] for wall in files["map.foundry-v13.json"].json()["walls"]} <= {0, 1}
