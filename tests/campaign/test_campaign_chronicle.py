"""Chronicles of a campaign of Fortunate Blades: whole, searched, paged, told to each as they may know it; on
both databases.
"""

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from services.campaign.internal import internal_routes
from services.campaign.scenes.chronicle import ChronicleEntry, Chronicles, Search
from services.campaign.scenes.looks import Look
from services.campaign.schema import SCHEMA
from services.rules.engine.campaign import with_campaigns
from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.campaign.evolve import MOST_TOLD
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.context import Context
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.campaign.scene_desk import SYSTEMS, Desk, somebody

pytestmark = pytest.mark.databases("campaign")

BLADES = "fortunate_blades"
SECRET = "hushword"
FACTS = 30
PAGE = """
query ($id: ID!, $system: String!, $text: String! = "", $about: String! = "", $first: Int!, $after: String) {
  campaign(id: $id) {
    chronicle(system: $system, text: $text, about: $about, first: $first, after: $after) {
      edges { cursor }
      nodes { cursor heading text about opens createdAt }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}
"""


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """A campaign with a secret force and a secret place of the game master's."""
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    made.play({**SYSTEMS, **with_campaigns({BLADES: SYSTEM})})
    sheets = [SYSTEM.build(each, SYSTEM.content) for each in SYSTEM.examples.values()]
    for hero, sheet in zip((made.hero, made.other), sheets, strict=False):
        made.characters.known[hero]["system"] = BLADES
        assert not isinstance(sheet, Problems)
        made.characters.sheets[hero] = SYSTEM.sheet_codec.dump(sheet)
    await made.start(system=f"{BLADES}_campaign", setup="lantern-road")
    await made.made(made.gm, "AddForce", GM, name=f"The {SECRET} Hand", secret=True, goal=f"To {SECRET}.")
    await made.made(made.gm, "AddPlace", GM, name="Mirk Hollow", secret=True, text=SECRET)
    yield made
    await database.close()


async def look(desk: Desk, who: Viewer) -> Look:
    found = await Chronicles(desk.reader).find(who, desk.campaign, BLADES)
    assert found is not None
    return found


async def state(desk: Desk) -> Campaign:
    """Where the campaign stands, as the game master knows it."""
    found = (await desk.look(desk.gm)).state
    assert isinstance(found, Campaign)
    return found


async def entries(desk: Desk, who: Viewer, **search: str) -> list[ChronicleEntry]:
    return await Chronicles(desk.reader).entries(await look(desk, who), Search(**search))


async def texts(desk: Desk, who: Viewer, **search: str) -> list[str]:
    return [each.text for each in await entries(desk, who, **search)]


async def ask(desk: Desk, who: Viewer, first: int = 20, **variables: Any) -> Any:
    """Asks the graph for a page of the chronicle."""
    context = Context(who, desk.use_cases(Wakes()), "")
    given = {"id": desk.campaign, "system": BLADES, "first": first, **variables}
    answer = await SCHEMA.execute(PAGE, given, context_value=context)
    if answer.errors:
        extensions = answer.errors[0].extensions
        return extensions and extensions["code"]
    assert answer.data is not None
    return answer.data["campaign"] and answer.data["campaign"]["chronicle"]


async def test_everything_that_was_told_stays_in_the_chronicle_when_the_state_forgets_it(desk: Desk) -> None:
    for number in range(FACTS):
        await desk.made(desk.anna, "TellFact", desk.hero, words=f"Bell {number} hangs here.")
    told = [each for each in await entries(desk, desk.watcher) if each.note.heading == "Canon"]
    assert [int(found[1]) for each in told if (found := re.search(r"Bell (\d+)", each.text))] == [
        *range(FACTS)
    ]
    assert {each.note.about for each in told} == {(desk.hero,)}
    assert len((await state(desk)).told) == MOST_TOLD < FACTS


async def test_entries_are_found_by_their_words_and_by_whom_they_are_about(desk: Desk) -> None:
    force = next(each.id for each in (await state(desk)).forces if not each.secret)
    await desk.made(desk.anna, "TellFact", desk.hero, words="Their lamps are blue.", about=force)
    await desk.made(desk.ben, "TellFact", desk.other, words="The ford froze once.")
    (lamps,) = await texts(desk, desk.watcher, text="LAMPS are")
    assert lamps.endswith("Their lamps are blue.")
    assert await texts(desk, desk.watcher, about=force) == [lamps]
    assert await texts(desk, desk.watcher, about=desk.hero) == [lamps]
    (ford,) = await texts(desk, desk.watcher, about=desk.other)
    assert await texts(desk, desk.watcher, text="the ford", about=desk.other) == [ford]
    assert await texts(desk, desk.watcher, text="the ford", about=desk.hero) == []


async def test_secrets_are_the_game_masters_until_they_are_revealed(desk: Desk) -> None:
    known_to_gm = await state(desk)
    force = next(each for each in known_to_gm.forces if SECRET in each.name)
    place = next(each for each in known_to_gm.places if each.name == "Mirk Hollow")
    await desk.made(desk.gm, "OfferQuest", GM, name="The Cold Lamp", truth=f"It was {SECRET}.")
    about_force = await texts(desk, desk.gm, about=force.id)
    assert len(about_force) == 2 and all(SECRET in each for each in about_force)
    assert len(await texts(desk, desk.gm, text=SECRET)) == 3
    for who in (desk.anna, desk.ben, desk.watcher):
        assert [each.note.heading for each in await entries(desk, who)] == ["Quests"]
        assert await texts(desk, who, text=SECRET) == []
        assert await texts(desk, who, about=force.id) == await texts(desk, who, about=place.id) == []
    await desk.made(desk.gm, "RevealPlace", GM, place=place.id)
    (shown,) = [each for each in await entries(desk, desk.anna) if each.note.heading == "Places"]
    assert place.id not in shown.note.about
    (known,) = shown.note.about
    assert (await texts(desk, desk.anna, about=known)) == [shown.text]
    gm_entries = await entries(desk, desk.gm, about=place.id)
    assert [each.note.about for each in gm_entries] == [(place.id,), (known, place.id)]


async def test_what_is_taken_back_never_was(desk: Desk) -> None:
    await desk.made(desk.anna, "TellFact", desk.hero, words="It snows.")
    await desk.undo(desk.gm, desk.scene, (await desk.row()).seq)
    assert await texts(desk, desk.anna) == []


async def test_a_chronicle_is_read_page_by_page_by_members_alone(desk: Desk) -> None:
    for number in range(7):
        await desk.made(desk.anna, "TellFact", desk.hero, words=f"Stone {number}.")
    found, after = [], None
    while True:
        page = await ask(desk, desk.watcher, 3, text="stone", after=after)
        found += [each["text"][-8:] for each in page["nodes"]]
        assert [each["cursor"] for each in page["edges"]] == [each["cursor"] for each in page["nodes"]]
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert found == [f"Stone {number}." for number in range(7)]
    (first,) = (await ask(desk, desk.watcher, 1))["nodes"]
    assert (first["heading"], first["about"], first["opens"]) == ("Canon", [desk.hero], False)
    # Cursors tell nothing of what is hidden: the game master has seen two moves more.
    assert first["cursor"] == (await ask(desk, desk.anna, 1))["nodes"][0]["cursor"]
    assert await ask(desk, somebody()) is None
    assert await ask(desk, desk.anna, system="duel") is None
    of_a_move = (await desk.moves(desk.anna))[-1].cursor.text()
    for wrong in ("x", of_a_move):
        assert await ask(desk, desk.anna, after=wrong) == "BAD_CURSOR"


async def test_a_chronicle_is_markdown_in_chapters_with_nothing_but_text_in_it(
    desk: Desk, settings: Settings
) -> None:
    await desk.made(desk.anna, "TellFact", desk.hero, words="# <b>Bold</b> *and* [far](x).")
    await desk.made(desk.gm, "EndCampaign", GM, won=True, words="They came home.")
    app = Starlette(routes=internal_routes(Signer.of("campaign", settings), desk.use_cases(Wakes())))
    gateway = Signer.of("account", settings)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://campaign") as client:

        async def read(who: Viewer, campaign: str, **given: str) -> httpx.Response:
            signed = {TOKEN_HEADER: gateway.sign("campaign", who, service=True)}
            path = f"/internal/campaigns/{campaign}/chronicle.md"
            return await client.get(path, params={"system": BLADES, **given}, headers=signed)

        whole = await read(desk.anna, desk.campaign)
        assert whole.headers["content-type"].startswith("text/markdown")
        title, _, canon, _, ending = whole.text.splitlines()
        assert title == "# The Lantern Road"
        assert canon.startswith("- **Canon**: ")
        assert canon.endswith(r"\# \<b\>Bold\</b\> \*and\* \[far\](x).")
        assert ending.startswith("## The campaign is over") and ending.endswith("They came home")
        assert SECRET not in whole.text
        assert SECRET in (await read(desk.gm, desk.campaign)).text
        assert (await read(desk.anna, desk.campaign, text="home")).text.count("\n- ") == 0
        for who, campaign in ((somebody(), desk.campaign), (desk.gm, new_id("cam"))):
            assert (await read(who, campaign)).status_code == 404
        assert (await read(desk.gm, desk.campaign, system="duel")).status_code == 404


async def test_who_has_a_chronicle_is_told_so_without_reading_it_until_it_changes_for_them(
    desk: Desk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.made(desk.anna, "TellFact", desk.hero, words="It snows.")
    uses = desk.use_cases(Wakes())
    reads: list[Search] = []
    entries = uses.scenes.chronicles.entries

    async def counted(look: Look, search: Search) -> list[ChronicleEntry]:
        reads.append(search)
        return await entries(look, search)

    monkeypatch.setattr(uses.scenes.chronicles, "entries", counted)
    app = Starlette(routes=internal_routes(Signer.of("campaign", settings), uses))
    gateway = Signer.of("account", settings)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://campaign") as client:

        async def ask(who: Viewer, held: str, status: int, *, read: bool, **given: str) -> str:
            reads.clear()
            headers = {TOKEN_HEADER: gateway.sign("campaign", who, service=True), "if-none-match": held}
            path = f"/internal/campaigns/{desk.campaign}/chronicle.md"
            answer = await client.get(path, params={"system": BLADES, **given}, headers=headers)
            assert (answer.status_code, bool(reads)) == (status, read)
            return str(answer.headers.get("etag", ""))

        whole = await ask(desk.gm, "", 200, read=True)
        part = await ask(desk.anna, "", 200, read=True)
        assert await ask(desk.gm, whole, 304, read=False) == whole
        assert await ask(desk.anna, part, 304, read=False) == part
        # Of other rights, or of another search, it is another chronicle.
        assert await ask(desk.anna, whole, 200, read=True) == part
        assert await ask(desk.gm, whole, 200, read=True, text="snows") != whole
        assert await ask(desk.gm, whole, 200, read=True, about=desk.hero) != whole
        assert await ask(somebody(), whole, 404, read=False) == ""
        # The tag of a player does not tell that the game master has done something in secret.
        await desk.made(desk.gm, "AddPlace", GM, name="Far Hollow", secret=True, text=SECRET)
        assert await ask(desk.anna, part, 304, read=True) == part
        assert await ask(desk.anna, part, 304, read=False) == part
        assert await ask(desk.gm, whole, 200, read=True) != whole
        await desk.made(desk.anna, "TellFact", desk.hero, words="It thaws.")
        assert await ask(desk.anna, part, 200, read=True) != part
        await desk.undo(desk.gm, desk.scene, (await desk.row()).seq)
        assert await ask(desk.anna, part, 304, read=True) == part
