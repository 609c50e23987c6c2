"""What the character service answers to other services."""

from services.character.building.sheets import FORM
from services.rules.engine.registry import systems
from services.rules.engine.spelling import PUBLISHED
from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Desk, somebody
from tests.character.operations import DELETE, ROLE, UPDATE, created, hero


async def test_another_service_learns_whose_a_character_is(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    answer = await desk.internal(somebody(), f"characters/{character}")
    assert answer.status_code == 200
    assert answer.json() == {
        "id": character,
        "owner": owner.account,
        "name": "Brawnley",
        "system": "dungeonteller",
    }


async def test_what_is_not_there_is_not_found(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    await desk.ask(owner, DELETE, id=character, version=1)
    for one in (character, new_id("chr"), new_id("cmp"), "chr_", "%00", "x" * 4000):
        assert (await desk.internal(owner, f"characters/{one}")).status_code == 404
        assert (await desk.internal(owner, f"characters/{one}/sheet")).status_code == 404


async def test_only_services_get_an_answer(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    for path in (f"characters/{character}", f"characters/{character}/sheet"):
        assert (await desk.internal(owner, path, service=False)).status_code == 401
        assert (await desk.http.get(f"/internal/{path}")).status_code == 401


async def test_the_sheet_is_the_document_of_the_systems_codec(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    answer = await desk.internal(owner, f"characters/{character}/sheet")
    assert answer.headers["content-type"] == "application/json"
    codec = systems()["dungeonteller"].sheet_codec
    sheet = codec.load(answer.json())
    assert (sheet.name, sheet.role, sheet.luck.value) == ("Brawnley", f"{ROLE}warrior", 10)
    assert codec.dump(sheet) == answer.json()


async def test_the_published_sheet_is_in_the_spelling_of_the_api(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    stored = (await desk.internal(owner, f"characters/{character}/sheet")).json()
    shown = (await desk.internal(owner, f"characters/{character}/sheet/published")).json()
    codec = systems()["dungeonteller"].sheet_codec
    assert (shown["type"], shown["version"]) == (stored["type"], stored["version"])
    assert codec.read(shown["data"], PUBLISHED) == codec.load(stored)
    assert shown["data"]["roleName"] == stored["data"]["role_name"] == "Warrior"


async def test_the_entity_tag_is_strong_and_changes_with_each_edit(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    path = f"characters/{character}/sheet/published"
    first = await desk.internal(owner, path)
    again = await desk.internal(owner, path)
    version = systems()["dungeonteller"].sheet_codec.version
    assert first.headers["etag"] == again.headers["etag"] == f'"{character}-1-{version}.{FORM}"'
    assert first.content == again.content
    sent = {"id": character, "version": 1, "build": hero(name="Second")}
    await desk.ask(owner, UPDATE, input=sent)
    changed = await desk.internal(owner, path)
    assert changed.headers["etag"] == f'"{character}-2-{version}.{FORM}"'
    assert changed.json()["data"]["name"] == "Second"


async def test_who_has_the_newest_sheet_is_told_so_and_nobody_else(desk: Desk) -> None:
    owner, other = somebody(), somebody()
    character, second = (await created(desk, owner))["id"], (await created(desk, owner))["id"]
    path = f"characters/{character}/sheet/published"
    tag = (await desk.internal(owner, path)).headers["etag"]
    for held in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        known = await desk.internal(owner, path, if_none_match=held)
        assert (known.status_code, known.headers["etag"], known.content) == (304, tag, b"")
    another = (await desk.internal(owner, f"characters/{second}/sheet/published")).headers["etag"]
    form = tag.replace(f'.{FORM}"', f'.{FORM + 1}"')
    for held in (another, form, tag.strip('"'), ""):
        assert (await desk.internal(owner, path, if_none_match=held)).status_code == 200
    assert (await desk.internal(other, path, if_none_match=tag)).status_code == 404
    await desk.ask(owner, UPDATE, input={"id": character, "version": 1, "build": hero(name="Second")})
    changed = await desk.internal(owner, path, if_none_match=tag)
    assert (changed.status_code, changed.json()["data"]["name"]) == (200, "Second")
    await desk.ask(owner, DELETE, id=character, version=2)
    assert (await desk.internal(owner, path, if_none_match=changed.headers["etag"])).status_code == 404


async def test_the_service_says_that_it_is_well(desk: Desk) -> None:
    assert (await desk.http.get("/healthz")).json() == {"status": "ok"}
    ready = await desk.http.get("/readyz")
    assert (ready.status_code, ready.json()["checks"]) == (
        200,
        {"database": "ok", "redis": "ok", "storage": "ok"},
    )
    unsigned = await desk.http.post("/graphql", json={"query": "{ __typename }"})
    assert (unsigned.status_code, unsigned.json()["errors"][0]["extensions"]["code"]) == (401, "UNSIGNED")


async def test_a_token_for_another_service_is_refused(desk: Desk) -> None:
    answer = await desk.post(
        Viewer("acc_1"), {"query": "{ __typename }"}, **{"x-hearthforge-token": "e30.e30.x"}
    )
    assert answer.status_code == 401
