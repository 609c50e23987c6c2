"""Dice drawn for scenes, once for each move and for ever, on both databases; the path that asks for them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from sqlalchemy import text as sql

from services.dice.app import create_app
from services.dice.chain.ledger import Draw, Ledger
from services.dice.chain.repository import Chains
from services.dice.chain.seal import Seal
from services.dice.chain.service import ChainService
from services.dice.rolls.reader import Reader
from services.dice.rolls.replay import Recorded
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import NewRoll, NewRolls, RevealRoll
from services.dice.rolls.scene_draws import SceneAsked, SceneDraw, SceneRoll, read_scene_draw
from services.dice.rolls.service import RollService
from services.dice.statistics.repository import Tallies
from services.dice.tables import IDEMPOTENCY
from services.rules.dice.notation import parse, render
from services.rules.dice.vr1 import (
    Chain,
    Entropy,
    Head,
    Receipt,
    RollContent,
    Statement,
    read_body,
    read_line,
)
from services.shared.access import Role
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.database import Database
from services.shared.ids import first_id, new_id
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound
from services.shared.pruning import prune_expired
from services.shared.settings import Settings
from tests.character.desk import living
from tests.databases import ON_BOTH
from tests.dice.outcomes import refused
from tests.dice.test_rolling import ENTROPY, Tray

pytestmark = pytest.mark.databases("dice")

SWORD = SceneRoll("5d6", "Battle with longsword", False)
NOBODY = "acc_x"
"""An account that the rolls of a scene do not ask for."""
AMBUSH = SceneRoll("3d6", "Somebody hides", True)


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    yield Tray(database)
    await database.close()


class Stage:
    """A scene at a table with a GM and a player."""

    def __init__(self, tray: Tray) -> None:
        self.tray = tray
        self.campaign, self.scene = new_id("cmp"), new_id("scn")
        self.gm = tray.member(self.campaign, Role.GM)
        self.player = tray.member(self.campaign)
        self.chains = ChainService(tray.database, tray.clock, tray.policy, tray.ledger, tray.service.content)

    def asked(self, *rolls: SceneRoll, key: str = "17", entropy: str | None = None) -> SceneAsked:
        draw = SceneDraw(self.campaign, key, rolls or (SWORD,), entropy)
        return read_scene_draw(self.scene, orjson.dumps(draw))

    async def draw(
        self, *rolls: SceneRoll, service: RollService | None = None, **more: Any
    ) -> Sequence[Recorded]:
        rolling = service or self.tray.service
        return await rolling.draw_for_service(self.player, self.asked(*rolls, **more))

    async def receipts(self, made: Sequence[Recorded]) -> list[Receipt]:
        found = []
        async with self.tray.database.read() as session:
            for roll in made:
                row = await Chains(session).receipt_of(roll.row.id)
                assert row is not None
                statement = read_line(row.statement)
                assert isinstance(statement, Statement)
                body = read_body(statement.body)
                assert isinstance(body, Receipt)
                found.append(body)
        return found


@pytest.fixture
def stage(tray: Tray) -> Stage:
    return Stage(tray)


def known(made: Sequence[Recorded]) -> list[tuple[str, str]]:
    """Give what must not change: ids and faces as they are kept."""
    return [(roll.row.id, roll.row.faces) for roll in made]


# Once for each move


async def test_a_move_has_the_dice_it_asked_for_in_order(stage: Stage) -> None:
    hero = new_id("chr")
    made = await stage.draw(SWORD, SceneRoll("1d1000", "Wild chance", False, hero), AMBUSH)
    assert [(roll.row.expression, roll.row.label, roll.secret, roll.row.character) for roll in made] == [
        ("5d6", "Battle with longsword", False, None),
        ("1d1000", "Wild chance", False, hero),
        ("3d6", "Somebody hides", True, None),
    ]
    assert [(len(roll.result.faces), roll.row.batch_place) for roll in made] == [(5, 0), (1, 1), (3, 2)]
    assert all(
        (roll.row.account, roll.row.campaign, roll.row.place, roll.row.scene)
        == (stage.player.account, stage.campaign, stage.campaign, stage.scene)
        for roll in made
    )


async def test_the_same_key_gives_the_same_faces_for_ever(
    tray: Tray, stage: Stage, settings: Settings
) -> None:
    first = await stage.draw(SWORD, AMBUSH)
    tray.now += timedelta(days=400)
    async with tray.database.write() as session:
        await prune_expired(session, IDEMPOTENCY, tray.now)
    restarted = Tray(Database(settings.database_url("dice")))
    again = await stage.draw(SWORD, AMBUSH, service=restarted.service)
    await restarted.database.close()
    assert known(again) == known(first)
    assert (await tray.count("roll"), await tray.count("receipt")) == (2, 2)


async def test_other_random_bytes_or_another_account_get_no_other_faces(tray: Tray, stage: Stage) -> None:
    first = await stage.draw(entropy=ENTROPY)
    assert known(await stage.draw(entropy="ff" * 16)) == known(first)
    by_gm = await tray.service.draw_for_service(stage.gm, stage.asked())
    assert known(by_gm) == known(first)
    assert await tray.count("receipt") == 1


async def test_other_moves_and_other_scenes_have_dice_of_their_own(tray: Tray, stage: Stage) -> None:
    elsewhere = Stage(tray)
    made = [*await stage.draw(), *await stage.draw(key="18"), *await elsewhere.draw()]
    assert len({roll.row.id for roll in made}) == len({roll.row.batch for roll in made}) == 3
    assert [roll.seq for roll in made] == [1, 2, 1]


@ON_BOTH
async def test_fifty_at_once_on_two_machines_are_one_draw(
    tray: Tray, stage: Stage, settings: Settings
) -> None:
    other = Tray(Database(settings.database_url("dice")))
    made = await asyncio.gather(
        *(stage.draw(SWORD, AMBUSH, service=(tray, other)[n % 2].service) for n in range(50))
    )
    await other.database.close()
    assert all(known(each) == known(made[0]) for each in made)
    assert (await tray.count("roll"), await tray.count("receipt")) == (2, 2)
    assert [kind for kind, _ in await tray.events()] == ["roll.recorded", "roll.hidden"]


async def test_another_request_under_the_key_is_a_conflict(tray: Tray, stage: Stage) -> None:
    await stage.draw(SWORD, AMBUSH)
    for others in (
        (SWORD,),
        (SWORD, AMBUSH, SWORD),
        (AMBUSH, SWORD),
        (replace(SWORD, expression="5d8"), AMBUSH),
        (replace(SWORD, label="Battle"), AMBUSH),
        (replace(SWORD, secret=True), AMBUSH),
        (SWORD, replace(AMBUSH, secret=False)),
        (replace(SWORD, character=new_id("chr")), AMBUSH),
    ):
        conflict = await refused(
            tray.service.draw_for_service(stage.player, stage.asked(*others)), IdempotencyConflict
        )
        assert conflict.path == ["key"]
    moved = replace(
        stage.asked(SWORD, AMBUSH), draw=SceneDraw(new_id("cmp"), stage.asked().draw.key, (SWORD, AMBUSH))
    )
    await refused(tray.service.draw_for_service(stage.player, moved), IdempotencyConflict)
    assert (await tray.count("roll"), await tray.count("receipt")) == (2, 2)


@ON_BOTH
async def test_a_move_that_breaks_off_leaves_nothing_and_can_be_made_again(tray: Tray, stage: Stage) -> None:
    class Torn(Ledger):
        """Loses its footing at the second receipt."""

        kept = 0

        async def record(self, session: Any, draw: Draw, content: RollContent, moment: datetime) -> Statement:
            self.kept += 1
            if self.kept == 2:
                raise ArithmeticError("torn")
            return await super().record(session, draw, content, moment)

    reader = Reader(tray.policy, tray.characters, tray.library)  # type: ignore[arg-type]
    torn = RollService(tray.database, tray.clock, tray.policy, reader, Torn(Seal("tray-" * 10)))
    with pytest.raises(ArithmeticError):
        await stage.draw(SWORD, SWORD, service=torn)
    tables = ("roll", "receipt", "epoch", "outbox", "face_tally", "total_tally")
    assert [await tray.count(table) for table in tables] == [0] * 6
    assert [roll.seq for roll in await stage.draw(SWORD, SWORD)] == [1, 2]


# Honest, counted, told


async def test_every_roll_has_a_receipt_that_verifies(stage: Stage) -> None:
    await stage.draw(key="before")
    made = await stage.draw(SWORD, SWORD, AMBUSH, entropy=ENTROPY)
    for roll in made:
        verified = await stage.chains.verify(stage.gm, roll.row.id)
        assert verified is not None and verified.ok, verified
    *opened, hidden = await stage.receipts(made)
    assert [(body.client.hex(), body.entropy) for body in opened] == [(ENTROPY, Entropy.CLIENT)] * 2
    assert [list(body.faces) for body in (*opened, hidden)] == [orjson.loads(roll.row.faces) for roll in made]


async def test_a_players_random_bytes_never_go_into_a_secret_roll(stage: Stage) -> None:
    await stage.draw(key="before")
    made = await stage.draw(AMBUSH, SWORD, AMBUSH, entropy=ENTROPY)
    first, _, last = await stage.receipts(made)
    assert first.client != last.client
    assert all(
        (body.entropy, body.client.hex() == ENTROPY) == (Entropy.SERVER, False) for body in (first, last)
    )


@ON_BOTH
async def test_secret_rolls_are_nowhere_to_be_seen_by_players(tray: Tray, stage: Stage) -> None:
    await stage.draw(key="before")
    chain_before = await stage.chains.epoch(stage.player, stage.campaign, Chain.SECRET)
    first, hidden, last = await stage.draw(SWORD, AMBUSH, SWORD)
    assert (first.seq, last.seq, hidden.secret) == (2, 3, True)
    wanted = Narrowed(campaign=stage.campaign, scene=stage.scene)
    page = await tray.service.page(stage.player, wanted, first=9, after=None)
    assert [roll.row.id for roll in page.items][:2] == [last.row.id, first.row.id] and len(page.items) == 3
    assert await tray.service.by_id(stage.player, [hidden.row.id]) == {}
    heard = await tray.service.behind(stage.player, stage.campaign, 1)
    assert [roll.row.id for roll in heard] == [first.row.id, last.row.id]
    await refused(tray.service.behind(stage.player, stage.campaign, 0, secret=True), NotFound)
    assert await stage.chains.verify(stage.player, hidden.row.id) is None
    chain_after = await stage.chains.epoch(stage.player, stage.campaign, Chain.SECRET)
    assert chain_before is not None and chain_after is not None
    heads = [read_body(shown.head.body) for shown in (chain_before, chain_after)]
    assert [(head.used, head.head) for head in heads if isinstance(head, Head)] == [
        (0, bytes.fromhex(chain_before.statement.hash))
    ] * 2
    links = await stage.chains.receipts(stage.player, stage.campaign, Chain.SECRET, None, first=9, after=0)
    assert (links.items, links.has_next) == ([], False)
    async with tray.database.read() as session:
        kinds, others = await Tallies(session, stage.campaign, None).kinds()
    assert ([(kind.die, sum(kind.counts)) for kind in kinds], others) == ([("d6", 15)], 0)
    told = [payload for kind, payload in await tray.events() if kind == "roll.hidden"]
    assert told == [{"id": hidden.row.id}]
    # The GM sees it, under its own number.
    led = await tray.service.behind(stage.gm, stage.campaign, 0, secret=True)
    assert [roll.row.id for roll in led] == [hidden.row.id]
    assert len((await tray.service.page(stage.gm, wanted, first=9, after=None)).items) == 4


def moments(made: Sequence[Recorded]) -> list[str]:
    """Give the milliseconds in the ids of rolls, as they are written."""
    return [roll.row.id[:14] for roll in made]


async def test_ids_of_open_rolls_have_no_gap_where_a_secret_one_fell(tray: Tray, stage: Stage) -> None:
    first, _, last = await stage.draw(SWORD, AMBUSH, SWORD)
    start = int(first.row.created_at.timestamp() * 1000)
    assert moments([first, last]) == [first_id("rol", start + n)[:14] for n in range(2)]
    many = await tray.service.roll_many(
        stage.gm,
        NewRolls(
            tuple(NewRoll("d6", campaign_id=stage.campaign, secret=secret) for secret in (False, True, False))
        ),
    )
    start = int(many.rolls[0].row.created_at.timestamp() * 1000)
    assert moments(many.rolls[::2]) == [first_id("rol", start + n)[:14] for n in range(2)]


async def test_a_revealed_roll_is_still_the_answer_to_its_move(tray: Tray, stage: Stage) -> None:
    made = await stage.draw(AMBUSH)
    await tray.service.reveal(stage.gm, RevealRoll(made[0].row.id))
    assert known(await stage.draw(AMBUSH)) == known(made)
    opened = stage.asked(replace(AMBUSH, secret=False))
    await refused(tray.service.draw_for_service(stage.player, opened), IdempotencyConflict)


@ON_BOTH
async def test_a_games_own_dice_fall_by_their_places_and_verify(stage: Stage) -> None:
    hoard = SceneRoll("9dresource", "Hoard", False)
    first, again = await stage.draw(hoard), await stage.draw(hoard)
    assert known(first) == known(again)
    (row,) = (roll.row for roll in first)
    places, faces = orjson.loads(row.faces), orjson.loads(row.definitions or "{}")["resource"]
    assert (row.expression, len(places), len(faces)) == ("9dresource", 9, 6)
    assert row.total == sum(faces[place - 1][1] for place in places)
    verified = await stage.chains.verify(stage.gm, row.id)
    assert verified is not None and verified.ok, verified


@ON_BOTH
async def test_the_rolls_of_a_scene_are_found_by_it(tray: Tray, stage: Stage) -> None:
    made = [*await stage.draw(SWORD, SWORD), *await stage.draw(key="18")]
    await tray.roll(stage.player, campaign_id=stage.campaign)
    for wanted in (Narrowed(scene=stage.scene), Narrowed(campaign=stage.campaign, scene=stage.scene)):
        page = await tray.service.page(stage.player, wanted, first=9, after=None)
        assert [roll.row.id for roll in page.items] == [roll.row.id for roll in reversed(made)]
    stranger = tray.member(new_id("cmp"))
    assert (await tray.service.page(stranger, Narrowed(scene=stage.scene), first=9, after=None)).items == []


async def test_a_hundred_rolls_of_a_hundred_dice_are_one_move(tray: Tray, stage: Stage) -> None:
    many = [SceneRoll("100d1000", f"Arrow {n}", n % 2 == 1) for n in range(100)]
    made = await stage.draw(*many)
    assert [roll.row.label for roll in made] == [roll.label for roll in many]
    assert {len(roll.result.faces) for roll in made} == {100}
    assert all(1 <= face <= 1000 for roll in made for face in roll.result.faces)
    assert known(await stage.draw(*many)) == known(made)


# What is asked for


def body(**changes: Any) -> dict[str, Any]:
    """Give a request that is in order, but for what is changed."""
    roll = {"expression": "5d6", "label": "Battle", "character": None, "secret": False}
    sent = {"campaign": new_id("cmp"), "key": "scn_x:17", "entropy": None, "rolls": [roll]}
    return {**sent, **changes}


def roll(**changes: Any) -> dict[str, Any]:
    """Give a request for one roll, changed so."""
    return body(rolls=[*body()["rolls"], {**body()["rolls"][0], **changes}])


def without(name: str) -> dict[str, Any]:
    """Give a request whose roll lacks something."""
    return body(rolls=[{key: value for key, value in body()["rolls"][0].items() if key != name}])


WRONG_DICE = [
    *("", "d6", "0d6", "5d1", "5d0", "101d6", "5d1001", "05d6", "5d06", "5D6", "5d6 ", " 5d6", "5d6\n"),
    *("5d6+1", "4d6kh3", "5d%", "-5d6", "5dF", "5d6 # x", "1e1d6", "\u0665d6", "5d\u0666", "5d6\0"),
    *("5dnothing", "dresource", "101dresource", "5dResource", "5dresource+1", "5d6resource"),
    "9" * 5000,
]

MALFORMED: list[tuple[Any, list[str]]] = [
    *((wrong, []) for wrong in (b"", b"{", b"\xff", b"null", b"[]", b'"x"', b"[" * 5000, b"NaN")),
    (b'{"campaign": "\\ud800"}', []),
    ({}, ["campaign"]),
    (body(more=1), ["more"]),
    *((body(campaign=wrong), ["campaign"]) for wrong in (None, 1, "", "cmp_x", new_id("scn"))),
    *((body(key=wrong), ["key"]) for wrong in (None, 17, "", "k" * 201)),
    *((body(entropy=wrong), ["entropy"]) for wrong in (1, "", "00", "00" * 65, "!" * 32)),
    *(
        (body(rolls=wrong), ["rolls"])
        for wrong in (None, body(), "5d6", body()["rolls"][:0], body()["rolls"] * 101)
    ),
    (body(rolls=["5d6"]), ["rolls", "0"]),
    *((without(name), ["rolls", "0", name]) for name in ("expression", "label", "secret")),
    *((roll(expression=wrong), ["rolls", "1", "expression"]) for wrong in (None, 5, *WRONG_DICE)),
    *((roll(label=wrong), ["rolls", "1", "label"]) for wrong in (None, "", "x" * 121, "a\0b")),
    *((roll(secret=wrong), ["rolls", "1", "secret"]) for wrong in (None, 0, "false")),
    *((roll(character=wrong), ["rolls", "1", "character"]) for wrong in (1, "", "chr_x", new_id("cmp"))),
    (roll(epoch="x"), ["rolls", "1", "epoch"]),
]


def sent(wrong: Any) -> bytes:
    """Give a request as it goes over the wire."""
    return wrong if isinstance(wrong, bytes) else orjson.dumps(wrong)


@pytest.mark.parametrize(
    ("wrong", "path"), MALFORMED, ids=[".".join(path) or "body" for _, path in MALFORMED]
)
def test_what_is_malformed_is_refused_where_it_is_wrong(wrong: Any, path: list[str]) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_scene_draw(new_id("scn"), sent(wrong))
    assert (caught.value.path, caught.value.message != "") == (path, True)


@pytest.mark.parametrize("scene", ["", "scn_x", "x" * 40, f"cmp_{'0' * 26}", "scn_\0"])
def test_a_scene_has_an_id_of_its_kind(scene: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_scene_draw(scene, sent(body()))
    assert caught.value.path == ["scene"]


def test_what_may_be_left_out_is_none() -> None:
    least = body(rolls=[{"expression": "1d2", "label": "\U0001f469\u200d\U0001f680", "secret": True}])
    del least["entropy"]
    found = read_scene_draw(new_id("scn"), sent(least))
    assert (found.entropy, [asked.character for asked in found.rolls(NOBODY)]) == (None, [None])


@examples(max_examples=40)
@given(st.integers(1, 100), st.integers(2, 1000))
def test_dice_are_kept_as_the_notation_writes_them(count: int, sides: int) -> None:
    expression = f"{count}d{sides}"
    found = read_scene_draw(new_id("scn"), sent(roll(expression=expression)))
    *_, last = found.rolls(NOBODY)
    assert last.ready.expression == expression == render(parse(expression))


@examples(max_examples=40)
@given(st.text(min_size=3, max_size=10))
def test_each_scene_and_key_name_a_batch_of_their_own(both: str) -> None:
    cuts = range(1, len(both))
    names = {SceneAsked(both[:cut], SceneDraw("", both[cut:], ()), None).batch for cut in cuts}
    assert len(names) == len(cuts)
    assert {len(name) for name in names} == {40} and len(new_id("bat")) < 40


# The path


class Caller:
    """The dice service in this process, called as other services call it."""

    def __init__(self, http: httpx.AsyncClient, settings: Settings) -> None:
        self.http = http
        self.database = Database(settings.database_url("dice"))
        self.scene = new_id("scn")
        self.viewer = Viewer(new_id("acc"), frozenset({"read", "write"}))
        self._campaign = Signer.of("campaign", settings)

    def token(self, audience: str = "dice", *, service: bool = True) -> str:
        return self._campaign.sign(audience, self.viewer, service=service)

    async def post(self, content: Any, token: str | None = None) -> httpx.Response:
        headers = {TOKEN_HEADER: self.token() if token is None else token}
        return await self.http.post(
            f"/internal/scenes/{self.scene}/draws", content=sent(content), headers=headers
        )

    async def rest(self, character: str, content: Any) -> httpx.Response:
        return await self.http.post(
            f"/internal/characters/{character}/draws",
            content=sent(content),
            headers={TOKEN_HEADER: self.token()},
        )

    async def kept(self) -> list[int]:
        """Count what a draw leaves behind."""
        async with self.database.read() as session:
            return [
                int((await session.execute(sql(f"SELECT count(*) FROM {table}"))).scalar_one())
                for table in ("roll", "receipt", "epoch")
            ]


@pytest.fixture
async def caller(settings: Settings) -> AsyncIterator[Caller]:
    app = create_app(settings)
    async with living(app):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://dice") as http:
            made = Caller(http, settings)
            yield made
            await made.database.close()


@ON_BOTH
async def test_another_service_gets_the_faces_once(caller: Caller) -> None:
    hidden = {"expression": "2d20", "label": "Ambush", "character": None, "secret": True}
    wanted = body(rolls=[*body()["rolls"], hidden], entropy=ENTROPY)
    answer = await caller.post(wanted)
    assert answer.status_code == 200, answer.text
    rolls = answer.json()["rolls"]
    assert [sorted(roll) for roll in rolls] == [["faces", "id", "secret"]] * 2
    assert [(len(roll["faces"]), roll["secret"]) for roll in rolls] == [(5, False), (2, True)]
    again = await caller.post(wanted)
    assert (again.status_code, again.json()) == (200, answer.json())
    other = await caller.post({**wanted, "rolls": body()["rolls"]})
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert await caller.kept() == [2, 2, 2]


async def test_a_rest_has_its_dice_once_at_the_table_or_at_none(caller: Caller) -> None:
    hero, campaign = new_id("chr"), new_id("cmp")
    wanted = {"campaign": None, "key": "2:0", "rolls": [{"expression": "1d4", "label": "A story"}]}
    first = await caller.rest(hero, wanted)
    assert first.status_code == 200, first.text
    ((roll,),) = (first.json()["rolls"],)
    assert roll["secret"] is False and len(roll["faces"]) == 1 and 1 <= roll["faces"][0] <= 4
    # A character that was seated meanwhile has the same dice: they have fallen.
    assert (await caller.rest(hero, {**wanted, "campaign": campaign})).json() == first.json()
    later = await caller.rest(hero, {**wanted, "campaign": campaign, "key": "3:0"})
    assert later.json()["rolls"][0]["id"] != roll["id"]
    async with caller.database.read() as session:
        query = "SELECT place, campaign, character, scene, label FROM roll ORDER BY id"
        rows = [tuple(row) for row in (await session.execute(sql(query))).all()]
    account = caller.viewer.account
    assert rows == [
        (account, None, hero, None, "A story"),
        (campaign, campaign, hero, None, "A story"),
    ]
    other = await caller.rest(hero, {**wanted, "rolls": [{"expression": "1d6", "label": "A story"}]})
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert (await caller.rest("chr_x", wanted)).json()["path"] == ["character"]
    assert (await caller.rest(hero, {**wanted, "campaign": "cmp_x"})).json()["path"] == ["campaign"]
    assert (await caller.rest(hero, {**wanted, "secret": True})).status_code == 422
    rolls, receipts, _ = await caller.kept()
    assert (rolls, receipts) == (2, 2)


async def test_only_services_have_dice_drawn_for_scenes(caller: Caller) -> None:
    for token in ("", "x", caller.token(service=False), caller.token("campaign")):
        answer = await caller.post(body(), token)
        assert (answer.status_code, answer.json()["code"]) == (401, "UNSIGNED")
    caller.viewer = Viewer()
    answer = await caller.post(body())
    assert (answer.status_code, answer.json()["code"]) == (422, "INVALID")
    assert await caller.kept() == [0, 0, 0]


async def test_what_is_malformed_draws_nothing(caller: Caller) -> None:
    for wrong, path in MALFORMED:
        answer = await caller.post(wrong)
        assert (answer.status_code, answer.json()["code"]) == (422, "INVALID"), wrong
        assert answer.json()["path"] == path and answer.json()["message"]
    caller.scene = "scn_x"
    assert (await caller.post(body())).json()["path"] == ["scene"]
    assert await caller.kept() == [0, 0, 0]
