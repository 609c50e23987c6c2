"""The export of all of one's data: that nothing is forgotten, and that what is not whole never looks so."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
import pytest
from graphql import (
    FieldNode,
    GraphQLObjectType,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    build_schema,
    get_named_type,
    parse,
    visit,
)

from services.gateway.export.contents import CONTENTS, Lines, operations_of_exports, readme
from services.gateway.export.desk import AT_ONCE, ExportDesk
from services.gateway.rest.operation import SCHEMA
from services.gateway.rest.problems import Refusal
from services.shared.auth import Viewer
from services.shared.ids import new_id
from services.shared.settings import SERVICES, Settings
from tests.gateway.export_town import Town, export_town, one_of_many

pytestmark = pytest.mark.databases("account")

PATH = "/v1/account/export"
NOT_OWN = {
    "Query.rollEpochs": "each roll comes with its commitment",
    "Query.rollReceipts": "each roll comes with its receipt",
    "Character.rolls": "Query.rolls has them",
    "Query.party": "one's own characters are listed, and others' are theirs",
    "Campaign.rolls": "Query.rolls has one's own, and others' are theirs",
    "Campaign.maps": "Query.maps has them",
    "Campaign.chronicle": "the moves of a campaign's state have the same sentences",
}
"""Lists in the graph that an export does not read, and why."""


# That nothing is forgotten


def lists_of_the_graph() -> set[str]:
    """Name every field of the published schema that answers a page of a list: ``Query.campaigns``."""
    schema = build_schema((SCHEMA / "api.graphql").read_text("utf-8"), assume_valid_sdl=True)
    return {
        f"{kind.name}.{name}"
        for kind in schema.type_map.values()
        if isinstance(kind, GraphQLObjectType)
        for name, declared in kind.fields.items()
        if get_named_type(declared.type).name.endswith("Connection")
    }


def lists_of_exports() -> set[str]:
    """Name those that the operations of exports read."""
    found: set[str] = set()
    for operation in operations_of_exports().values():
        info = TypeInfo(operation.schema)

        class Lists(Visitor):
            def enter_field(self, node: FieldNode, *_: Any, info: TypeInfo = info) -> None:
                kind, owner = get_named_type(info.get_type()), info.get_parent_type()
                if kind is not None and owner is not None and kind.name.endswith("Connection"):
                    found.add(f"{owner.name}.{node.name.value}")

        visit(parse(operation.document), TypeInfoVisitor(info, Lists()))
    return found


def test_every_list_of_ones_own_things_is_exported() -> None:
    read, there = lists_of_exports(), lists_of_the_graph()
    assert read <= there
    assert there - read - NOT_OWN.keys() == set(), "put them into services/gateway/export/contents.py"
    assert NOT_OWN.keys() <= there - read, "what is exported needs no excuse"


def test_what_apps_keep_beside_things_is_exported_with_them() -> None:
    known = operations_of_exports()
    beside = [name for name, operation in known.items() if "...Metadata" in operation.document]
    assert sorted(beside) == [
        *("campaign.campaigns", "campaign.scenes", "character.characters", "dice.rolls", "map.maps"),
    ]
    assert known["map.maps"].document.count("...Metadata") == 2, "tokens have some as well"


def test_every_operation_of_the_folder_is_read_and_every_file_is_told_of() -> None:
    names = {part.operation for part in CONTENTS if isinstance(part, Lines)}
    assert {path.stem for path in (SCHEMA / "operations" / "export").iterdir()} <= names
    files = [part.file for part in CONTENTS]
    assert len(set(files)) == len(files)
    for number, part in enumerate(CONTENTS):
        parents = ((part.of,) if part.of else ()) if isinstance(part, Lines) else part.of
        assert set(parents) <= set(files[:number]), f"{part.file} is read before what names its things"
        assert f"{part.file} " in readme() and part.says in readme()


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    """Serve the REST face."""
    async with export_town(settings) as made:
        yield made


def opened(content: bytes) -> dict[str, bytes]:
    """Open an archive and read its files, which must be whole."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_an_archive_holds_every_page_and_counts_what_it_holds(town: Town) -> None:
    town.houses.characters = 60
    answer = await town.http.get(PATH)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert f'filename="{town.viewer.account}.zip"' in answer.headers["content-disposition"]
    files = opened(answer.content)
    lines = [json.loads(line) for line in files["characters.ndjson"].splitlines()]
    assert [line["id"] for line in lines] == [one_of_many(number)["id"] for number in range(60)]
    assert [line["metadata"][0]["data"] for line in lines] == [{"number": number} for number in range(60)]
    counts = json.loads(files["manifest.json"])["files"]
    assert counts["characters.ndjson"] == counts["sheets/{id}.json"] == 60
    assert json.loads(files[f"sheets/{lines[-1]['id']}.json"])["id"] == lines[-1]["id"]
    assert json.loads(files["account.json"])["name"] == "Mara"


@pytest.mark.parametrize("service", [name for name in SERVICES if name != "account"])
async def test_while_a_service_is_silent_no_archive_is_begun_and_none_is_charged(
    town: Town, service: str
) -> None:
    town.houses.silent = {service}
    for _ in range(4):
        answer = await town.http.get(PATH)
        assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
    town.houses.silent = set()
    assert (await town.http.get(PATH)).status_code == 200


async def test_an_archive_breaks_off_where_a_service_falls_silent_and_costs_nothing(town: Town) -> None:
    async def fall_silent() -> None:
        town.houses.silent = {"map"}

    town.houses.meanwhile, town.houses.characters = fall_silent, 5
    for _ in range(4):
        content = b""
        with pytest.raises(httpx.RemoteProtocolError):
            async with town.http.stream("GET", PATH) as answer:
                assert answer.status_code == 200
                async for piece in answer.aiter_bytes():
                    content += piece
        assert content.startswith(b"PK") and not zipfile.is_zipfile(io.BytesIO(content))
        town.houses.silent = set()
    town.houses.meanwhile = None
    opened((await town.http.get(PATH)).content)


async def test_an_archive_breaks_off_where_the_account_is_deleted_meanwhile(town: Town) -> None:
    town.houses.meanwhile = town.leave
    content = b""
    with pytest.raises(Refusal) as refused:
        async for piece in town.export().pieces():
            content += piece
    assert (refused.value.code, refused.value.more["reason"]) == ("UNAUTHENTICATED", "KEY_REVOKED")
    assert not zipfile.is_zipfile(io.BytesIO(content))


async def test_three_exports_may_be_had_at_once_and_then_one_each_eight_hours(town: Town) -> None:
    for _ in range(3):
        opened((await town.http.get(PATH)).content)
    refused = await town.http.get(PATH)
    assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")
    assert 0 < int(refused.headers["retry-after"]) <= 8 * 3600


async def test_an_account_reads_one_export_at_a_time_and_all_together_a_few(town: Town) -> None:
    desk = ExportDesk(town.door.bucket)

    async def content() -> Any:
        yield b"a"
        yield b"b"

    accounts = [Viewer(new_id("acc")) for _ in range(AT_ONCE + 1)]
    under_way = []
    for viewer in accounts[:-1]:
        await desk.begin(viewer)
        with pytest.raises(Refusal):
            await desk.begin(viewer)
        pieces = desk.read(viewer, content())
        assert await anext(pieces) == b"a"
        under_way.append(pieces)
    with pytest.raises(Refusal) as busy:
        await desk.begin(accounts[-1])
    assert (busy.value.code, busy.value.headers["retry-after"]) == ("RATE_LIMITED", "30")
    # Whether it is read to its end or given up, it makes room for another.
    assert [piece async for piece in under_way[0]] == [b"b"]
    await desk.begin(accounts[-1])
    await cast(Any, under_way[1]).aclose()
    await desk.begin(accounts[0])


async def test_an_archive_of_any_length_takes_little_room(town: Town) -> None:
    async def peak(characters: int) -> tuple[int, int]:
        town.houses.characters = characters
        tracemalloc.start()
        try:
            length = 0
            async for piece in town.export().pieces():
                length += len(piece)
                assert len(piece) < 1024 * 1024
            return length, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    await peak(5)
    # The buffers of the archive and of HTTP fill with the first characters.
    (few, little), (many, more) = await peak(25), await peak(150)
    assert many > 3 * few
    assert more - little < (many - few) / 2
