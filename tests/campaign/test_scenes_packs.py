"""A table's own content in a fight of Forge Engine: its weapon, its damage type and its adversary."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from services.campaign.scenes.graphql.types import Scene as Shown
from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Performed
from services.rules.engine.editions import with_pack
from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.sheet import SheetBase
from services.rules.systems.forge_engine.choices import Carried, Place
from services.shared.database import Database
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from tests.campaign.scene_desk import SYSTEMS, Desk

pytestmark = pytest.mark.databases("campaign")
GAME = SYSTEMS["forge_engine"]
RAY, VOID, WRAITH = (f"forge_engine:{each}" for each in ("equipment/ray", "damage/void", "adversary/wraith"))
PACK: dict[str, Any] = {
    "damage": [{"key": "void", "name": "Void", "group": "magical"}],
    "weapons": [
        {
            "key": "ray",
            "name": "Void Ray",
            "table": "forge_engine:equipment_table/modern-handgun-weapons",
            "cost": 1,
            "rating": 1,
            "hands": 1,
            "max_range": 20,
            "modes": ["SA", "BF"],
            "damage": [VOID],
            "holds": 6,
        }
    ],
    "adversaries": [
        {
            "key": "wraith",
            "name": "Wraith",
            "setting": "fantasy",
            "role": "grunt",
            "energy": 6,
            "health": 5,
            "pd": 1,
            "md": 1,
            "attributes": dict.fromkeys(
                ("strength", "agility", "stamina", "influence", "intelligence", "acuity"), 2
            ),
            "traits": ["forge_engine:trait/human"],
            "skills": [{"skill": "forge_engine:martial/brawling", "rating": 1}],
            "attacks": [
                {
                    "name": "Touch",
                    "skill": "forge_engine:martial/brawling",
                    "cost": 1,
                    "rating": 1,
                    "damage": VOID,
                    "hands": 0,
                    "max_cost": 3,
                    "max_dice": 3,
                }
            ],
        }
    ],
}
SETUP = {"title": "The Crypt", "spread": 10, "foes": [{"adversary": WRAITH, "count": 1}]}


def kept(pack: dict[str, Any] = PACK, name: str = "pck_1", version: int = 3) -> dict[str, Any]:
    """Return a pack as the character service answers with it."""
    document = GAME.packs.codec.dump(GAME.packs.codec.read(pack))  # type: ignore[union-attr]
    return {"id": name, "version": version, "name": "The Void", "document": document}


def armed() -> SheetBase:
    """Return the sheet of a gunslinger who carries the pack's weapon, loaded."""
    made = with_pack(GAME, kept()["document"])
    assert not isinstance(made, Problems)
    sheet = GAME.build(armed_choices(), made[0].content)
    assert not isinstance(sheet, Problems), sheet
    return sheet  # type: ignore[no-any-return]


def armed_choices() -> Any:
    """Return what that gunslinger is built from."""
    ray = Carried(item=RAY, count=1, place=Place.WIELDED, loaded=6)
    return replace(GAME.examples["gunslinger"], equipment=(ray,))


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    made.characters.sheets[made.hero] = GAME.sheet_codec.dump(armed())
    made.characters.packs = [kept()]
    yield made
    await database.close()


async def start(desk: Desk, **changes: Any) -> Scene:
    return await desk.start(
        **{"system": "forge_engine", "setup": SETUP, "characters": (desk.hero,)} | changes
    )


async def fight(desk: Desk) -> None:
    """Begin the fight, and let bots play until the hero may move."""
    mover = GM
    for _ in range(12):
        made = await desk.bot(desk.gm, mover, (await desk.row()).seq)
        assert isinstance(made, Performed), made
        card = (await desk.look(desk.gm)).card
        assert card is not None
        if not card.prompts and card.waiting_for[0] == desk.hero:
            return
        mover = (*(prompt.actor for prompt in card.prompts), *card.waiting_for)[0]
    raise AssertionError("the hero never may move")


async def test_a_packs_weapon_and_adversary_fight_and_replay_the_same(desk: Desk) -> None:
    scene = await start(desk)
    assert scene.packs == [{"id": "pck_1", "version": 3, "name": "The Void"}]
    shown = Shown.of(await desk.look(desk.anna)).packs()
    assert [(str(each.id), each.version, each.name) for each in shown] == [("pck_1", 3, "The Void")]
    await fight(desk)
    state = (await desk.look(desk.gm)).state
    assert state is not None
    offers = (await desk.look(desk.anna)).legal(desk.hero)
    ray = next(one for one in state.find(desk.hero).profile.weapons if one.item == RAY)
    shots = {
        each.move["fire"] for each in offers if each.move.get("weapon") == ray.id and "fire" in each.move
    }
    assert shots == {"", "Burst fire"}
    assert ray.damage == VOID
    assert VOID in {weapon.damage for weapon in state.find("foe-1").profile.weapons}
    seq = (await desk.row()).seq
    again = await desk.reader.at(await desk.look(desk.gm), seq)
    assert again is not None and again.faithful and again.hash == (await desk.row()).state_hash


async def test_neither_an_edit_nor_the_loss_of_a_pack_changes_a_scene_that_has_begun(desk: Desk) -> None:
    await start(desk)
    await fight(desk)
    before = await desk.look(desk.gm)
    tougher = {**PACK, "adversaries": [{**PACK["adversaries"][0], "pd": 2}]}
    desk.characters.packs = [kept(tougher, version=4)]
    desk.play(SYSTEMS)
    assert (await desk.look(desk.anna)).legal(desk.hero)
    desk.characters.packs = []
    await desk.made(desk.anna, "Pass", desk.hero)
    row = await desk.row()
    undone = await desk.undo(desk.gm, desk.scene, row.seq)
    assert isinstance(undone, Performed)
    assert (await desk.row()).state_hash == before.row.state_hash


async def test_a_scene_by_the_book_alone_knows_nothing_of_the_packs(desk: Desk) -> None:
    refused = await desk.begin(desk.gm, system="forge_engine", setup=SETUP, characters=(desk.hero,), packs=())
    assert isinstance(refused, InvalidInput)
    assert [issue.code for issue in refused.issues] == ["ID_UNKNOWN"]


@pytest.mark.parametrize(
    ("system", "packs", "code"),
    [
        ("forge_engine", ("pck_other",), "PACK_UNKNOWN"),
        ("forge_engine", ("pck_1", "pck_1"), "PACK_TWICE"),
        ("forge_engine", ("pck_1", "pck_2"), "PACK_UNUSABLE"),
        ("duel", ("pck_1",), "NO_PACKS"),
    ],
)
async def test_packs_that_do_not_fit_are_refused(
    desk: Desk, system: str, packs: tuple[str, ...], code: str
) -> None:
    # The second pack claims the keys of the first.
    desk.characters.packs = [kept(), kept(name="pck_2")]
    setup = SETUP if system == "forge_engine" else "yard"
    refused = await desk.begin(desk.gm, system=system, setup=setup, characters=(desk.hero,), packs=packs)
    assert isinstance(refused, InvalidInput)
    assert {issue.code for issue in refused.issues} == {code}
