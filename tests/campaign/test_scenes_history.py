"""What is taken back, replayed, hidden and ended in scenes, and followed as it happens, on both databases."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from services.campaign.scenes.events import scene_topic
from services.campaign.scenes.feed import SceneFeed, topics
from services.campaign.scenes.looks import START, Cursor, SeenMove
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.narration import movers
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.requests import PerformMove
from services.rules.engine.play import EVERYONE, GM, GM_ONLY, Audience
from services.rules.engine.steps import Run
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.problems import Forbidden, IdempotencyConflict, NotFound, PublicError, VersionConflict
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import DUEL, Desk, look_only_when_told, somebody
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")

HIDDEN = "The Grey Cloak"


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start(setup="ambush")
    yield made
    await database.close()


async def undo(desk: Desk, who: Viewer | None = None, **more: Any) -> Any:
    seq = more.pop("seq", (await desk.row()).seq)
    return await desk.undo(who or desk.gm, desk.scene, seq, **more)


async def listen(desk: Desk, faces: list[int]) -> Performed:
    desk.dice.loaded.append(faces)
    return await desk.made(desk.gm, "Listen", GM, who=desk.hero)


# Taking back


async def test_an_undo_brings_back_what_was_before_and_stays_in_the_log(desk: Desk) -> None:
    opening = (await desk.row()).state_hash
    await desk.made(desk.anna, "Brace", desk.hero)
    braced = (await desk.row()).state_hash
    await desk.made(desk.ben, "Brace", desk.other)
    assert isinstance(await undo(desk, desk.anna), Forbidden)
    assert isinstance(await undo(desk, seq=1), VersionConflict)
    taken = await undo(desk)
    assert isinstance(taken, Performed)
    assert (taken.scene.seq, taken.scene.state_hash) == (3, braced)
    await undo(desk)
    assert (await desk.row()).state_hash == opening
    for who in (desk.gm, desk.watcher):
        moves = await desk.moves(who)
        assert [(move.seq, move.kind, move.undone) for move in moves] == [
            (1, "move", True),
            (2, "move", True),
            (3, "undo", False),
            (4, "undo", False),
        ]
        assert moves[2].sentences == ("Taken back: Ben braces.",)
    nothing = await undo(desk)
    assert isinstance(nothing, MoveRejected) and nothing.issues[0].code == "NOTHING_TO_UNDO"
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    kinds = [(entry.kind, entry.text) for entry in (await desk.log())[-3:]]
    assert kinds[:2] == [
        ("scene.undo", "Taken back: Ben braces."),
        ("scene.undo", "Taken back: Anna braces."),
    ]


async def test_one_key_takes_back_one_move(desk: Desk) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    await desk.made(desk.ben, "Brace", desk.other)
    taken = await asyncio.gather(*(undo(desk, seq=2, key="k") for _ in range(6)))
    assert {each.move.number for each in taken} == {3}
    assert (await desk.row()).seq == 3
    wanted = desk.wanted("Stop", GM, seq=3)
    assert isinstance(await desk.perform(desk.gm, wanted, "k"), IdempotencyConflict)


# Any moment of it


async def test_every_moment_can_be_played_again_to_the_same_hash(desk: Desk) -> None:
    kept = {0: (await desk.row()).state}
    await desk.strike([6, 6, 6], [1, 1, 1])
    kept[1], kept[2] = kept[0], (await desk.row()).state
    await listen(desk, [4, 4])
    await undo(desk)
    await desk.made(desk.ben, "Brace", desk.other)
    await undo(desk)
    kept[4] = (await desk.row()).state
    await desk.made(desk.ben, "Strike", desk.other, target="rival-2")
    kept[5] = (await desk.row()).state
    look = await desk.look(desk.gm)
    for seq in range(6):
        moment = await desk.reader.at(look, seq)
        assert moment is not None and moment.faithful and moment.hash is not None
        if seq in kept:
            assert moment.look.documents == (kept[seq], None, moment.hash)
    for seq in (-1, 6):
        assert await desk.reader.at(look, seq) is None
    player = await desk.reader.at(await desk.look(desk.anna), 5)
    assert player is not None and player.hash is None and player.faithful
    assert HIDDEN not in repr(player.look.state) and HIDDEN not in repr(player.look.card)


@ON_BOTH
async def test_a_history_that_was_meddled_with_is_noticed(desk: Desk) -> None:
    await desk.strike([6, 6, 6], [1, 1, 1])
    kept = type((await desk.made(desk.ben, "Brace", desk.other)).move)
    async with desk.database.write() as session:
        row = await session.get(kept, (desk.scene, 2))
        assert row is not None
        event = row.events[0]
        row.events = [{**event, "data": {**event["data"], "hit": False}}]
    moment = await desk.reader.at(await desk.look(desk.gm), 2)
    assert moment is not None and not moment.faithful
    refused = await undo(desk)
    assert isinstance(refused, MoveRejected) and refused.issues[0].code == "HISTORY_DIFFERS"


# What players may not know


async def trace(desk: Desk, who: Viewer) -> str:
    """Write down everything that somebody can learn of the scene and the table."""
    look = await desk.look(who)
    row = look.row
    shown = [
        (row.id, row.title, row.seq, row.created_at, row.ended_at),
        look.state,
        look.card,
        look.outcome,
        look.actors,
        look.legal(),
        await desk.moves(who),
        await desk.reader.newest(look),
        [await desk.reader.at(look, seq) and repr(await state_at(desk, who, seq)) for seq in range(9)],
        [(entry.seq, entry.kind, entry.text) for entry in await desk.log()],
    ]
    return repr(shown)


async def state_at(desk: Desk, who: Viewer, seq: int) -> Any:
    moment = await desk.reader.at(await desk.look(who), seq)
    return None if moment is None else (moment.look.state, moment.look.card, moment.hash, moment.faithful)


async def test_a_hidden_move_leaves_no_trace_for_players(desk: Desk) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    eyes = (desk.anna, desk.ben, desk.watcher)
    before = [await trace(desk, who) for who in eyes]
    told = len(await desk.events())
    heard = await listen(desk, [4, 4])
    assert (heard.scene.seq, heard.scene.secret_seq, heard.move.seq) == (1, 1, None)
    assert [await trace(desk, who) for who in eyes] == before
    assert desk.dice.asked[-1][1]["rolls"] == [
        {"expression": "2d6", "label": "Listen", "character": None, "secret": True}
    ]
    # Nothing is published but to those who may know it, and that without a word.
    assert (await desk.events())[told:] == [
        ("scene.stirred", scene_topic(desk.scene, GM), {"scene": desk.scene})
    ]
    seen = await desk.moves(desk.gm)
    assert [(move.seq, move.cursor) for move in seen] == [(1, Cursor(1, 0)), (None, Cursor(1, 1))]
    assert seen[1].sentences == ("Anna hears a breath.",) and seen[1].rolls[0].faces == (4, 4)
    # Whoever saw number 1 can still move from it.
    assert isinstance(await desk.move(desk.ben, "Brace", desk.other, seq=1), Performed)
    assert [move.seq for move in await desk.moves(desk.anna)] == [1, 2]


@ON_BOTH
async def test_what_somebody_may_not_know_of_is_not_read_for_them(desk: Desk) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    await listen(desk, [4, 4])
    await undo(desk)
    await desk.made(desk.ben, "Brace", desk.other)

    async def read_for(who: Viewer) -> list[int]:
        standing = (await desk.look(who)).who
        async with desk.database.read() as session:
            return [row.number for row in await Scenes(session).moves(desk.scene, who=standing)]

    assert await read_for(desk.gm) == [1, 2, 3, 4]
    for who in (desk.anna, desk.ben, desk.watcher):
        assert await read_for(who) == [1, 4]


async def test_taking_back_a_hidden_move_is_hidden_too(desk: Desk) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    await listen(desk, [4, 4])
    before = await trace(desk, desk.anna)
    taken = await undo(desk)
    assert isinstance(taken, Performed) and taken.move.seq is None
    assert await trace(desk, desk.anna) == before
    assert [move.kind for move in await desk.moves(desk.gm)] == ["move", "move", "undo"]
    assert (await desk.row()).state["data"]["heard"] is False


async def test_a_pending_hidden_move_leaves_no_trace_either(desk: Desk) -> None:
    before = await trace(desk, desk.anna)
    desk.dice.away = True
    await desk.move(desk.gm, "Listen", GM, who=desk.hero)
    assert (await desk.row()).pending is not None
    assert await trace(desk, desk.anna) == before
    desk.dice.away = False
    assert await trace(desk, desk.anna) == before
    assert (await desk.row()).secret_seq == 1


async def test_who_hides_cannot_be_found_by_trying(desk: Desk) -> None:
    there = await desk.move(desk.anna, "Strike", desk.hero, target="rival-3")
    nowhere = await desk.move(desk.anna, "Strike", desk.hero, target="rival-9")
    assert isinstance(there, MoveRejected) and isinstance(nowhere, MoveRejected)
    assert [replace_found(there), there.legal] == [replace_found(nowhere), nowhere.legal]
    assert HIDDEN not in await trace(desk, desk.anna)
    assert "rival-3" not in await trace(desk, desk.anna)
    assert HIDDEN in await trace(desk, desk.gm)
    await desk.made(desk.gm, "Reveal", GM)
    assert HIDDEN in await trace(desk, desk.anna)


def replace_found(rejected: MoveRejected) -> str:
    return repr(rejected.issues).replace("rival-3", "?").replace("rival-9", "?")


class Whispers(type(DUEL.play)):  # type: ignore[misc]
    """The toy, but that who braces does so unseen by all others."""

    def rule(self, turn: Any, move: Any) -> Any:
        if type(move).__name__ != "Brace":
            yield from super().rule(turn, move)
            return
        run = Run(DUEL.play, turn.state, move)  # type: ignore[arg-type]
        alone = Audience(everyone=False, actors=(move.actor,))
        turn.happen(*(replace(event, audience=alone) for _, event in run.happened))


async def test_what_one_player_alone_may_know_is_told_to_them_alone(desk: Desk) -> None:
    systems = {"duel": replace(DUEL, play=Whispers())}  # type: ignore[type-var]
    desk.moving._games = desk.reader._games = systems
    others = (desk.ben, desk.watcher)
    before = [[move.cursor for move in await desk.moves(who)] for who in others]
    log = await desk.log()
    await listen(desk, [1, 1])
    made = await desk.made(desk.anna, "Brace", desk.hero)
    assert (made.scene.seq, made.move.seq, made.move.secret_seq) == (0, None, 2)
    (mine,) = await desk.moves(desk.anna)
    # What else is hidden does not show in the place that it has for her.
    assert (mine.cursor, mine.sentences, mine.actor) == (Cursor(0, 1), ("Anna braces.",), desk.hero)
    assert [move.cursor for move in await desk.moves(desk.gm)] == [Cursor(0, 1), Cursor(0, 2)]
    assert [[move.cursor for move in await desk.moves(who)] for who in others] == before
    assert await desk.log() == log
    stirred = [topic for kind, topic, _ in (await desk.events())[-2:] if kind == "scene.stirred"]
    assert stirred == [scene_topic(desk.scene, GM), scene_topic(desk.scene, desk.hero)]
    await desk.made(desk.ben, "Strike", desk.other, target="rival-1")
    assert [move.seq for move in await desk.moves(desk.anna)] == [None, 1]
    assert [move.seq for move in await desk.moves(desk.ben)] == [1]
    resumed = await desk.reader.moves(desk.anna, desk.scene, after=mine.cursor)
    assert resumed is not None and [move.seq for move in resumed] == [1]


async def test_who_moves_unseen_stays_unknown(desk: Desk) -> None:
    play = DUEL.play
    assert play is not None
    hidden = play.state_codec.load((await desk.row()).state)
    cast = [desk.hero, desk.other]
    assert movers(play, (hidden, hidden), "rival-3", cast) == GM_ONLY
    assert movers(play, (hidden, hidden), "rival-1", cast) == movers(play, (hidden,), GM, cast) == EVERYONE
    await desk.made(desk.gm, "Reveal", GM)
    shown = play.state_codec.load((await desk.row()).state)
    assert movers(play, (hidden, shown), "rival-3", cast) == EVERYONE


async def test_players_are_offered_their_own_moves_and_gms_everybodys(desk: Desk) -> None:
    anna, ben, gm = [await desk.look(who) for who in (desk.anna, desk.ben, desk.gm)]
    assert [move.id for move in anna.legal()] == ["strike:rival-1", "strike:rival-2", "brace"]
    assert (anna.legal(GM), anna.legal(desk.other), ben.legal(), ben.legal(desk.hero)) == ((), (), (), ())
    assert {move.actor for move in gm.legal()} == {GM, desk.hero}
    assert [move.id for move in gm.legal(GM)] == ["listen", "reveal", "stop"]
    assert anna.actors == [desk.hero]
    assert gm.actors == [GM, desk.hero, desk.other, "rival-1", "rival-2", "rival-3"]
    button = json.loads(json.dumps(dict(anna.legal()[0].move)))
    answer = await desk.perform(desk.anna, PerformMove(scene_id=desk.scene, expected_seq=0, move=button))
    assert isinstance(answer, Performed)


# The end


async def test_an_end_closes_the_scene_and_tells_what_it_changes(desk: Desk) -> None:
    await desk.start(setup="yard", characters=[desk.hero])
    await desk.made(desk.anna, "Brace", desk.hero)
    for left in (2, 1, 0):
        await suffer(desk)
        assert ((await desk.row()).ended_at is None) is bool(left)
        if left:
            await desk.strike([1, 1, 1], [6, 6, 6])
    row = await desk.row()
    assert row.ended_at is not None
    for who in (desk.gm, desk.anna, desk.watcher):
        look = await desk.look(who)
        assert (look.outcome.ended, look.outcome.winners) == (True, ("rivals",))
        assert look.legal() == ()
    ended = [payload for kind, _, payload in await desk.events() if kind == "scene.ended"]
    assert DUEL.play is not None
    state = DUEL.play.state_codec.load(row.state)
    change = DUEL.play.changes(state)[0]
    text = f"{DUEL.play.outcome(state).text} {change.text}"
    assert ended == [
        {
            "scene": desk.scene,
            "campaign": desk.campaign,
            "system": "duel",
            "text": text,
            "characters": [desk.hero],
            "changes": [{"character": desk.hero, "data": {"scars": 3}, "text": change.text}],
        }
    ]
    assert [(entry.kind, entry.text) for entry in (await desk.log())[-2:]] == [
        ("scene.move", "Sour Tam hits Anna."),
        ("scene.ended", text),
    ]
    late = await desk.move(desk.gm, "Stop", GM)
    assert isinstance(late, MoveRejected) and late.issues[0].code == "SCENE_OVER"
    assert isinstance(await undo(desk), MoveRejected)


async def suffer(desk: Desk) -> None:
    """Have the rival hit Anna."""
    guard = 3 if (await desk.row()).state["data"]["effects"] else 2
    await desk.made(desk.gm, "Strike", "rival-1", target=desk.hero)
    desk.dice.loaded += [[6, 6], [1] * guard]
    await desk.made(desk.anna, "Answer", desk.hero, flinch=False)


# As it happens


async def take(source: AsyncIterator[SeenMove | None], count: int) -> list[SeenMove | None]:
    async with asyncio.timeout(60):
        return [await anext(source) for _ in range(count)]


@pytest.fixture
def watching(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> SceneFeed:
    look_only_when_told(monkeypatch)
    wakes = Wakes()
    desk.database.after_commit.append(wakes.wake_topics)
    return SceneFeed(desk.reader, wakes)


async def test_a_scene_is_followed_without_gap_or_double(desk: Desk, watching: SceneFeed) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    await listen(desk, [1, 1])
    await desk.made(desk.ben, "Brace", desk.other)
    player, gm = watching.follow(desk.anna, desk.scene), watching.follow(desk.gm, desk.scene)
    assert [move and move.seq for move in await take(player, 2)] == [1, 2]
    assert [move and move.seq for move in await take(gm, 3)] == [1, None, 2]
    ahead = [asyncio.create_task(take(source, count)) for source, count in ((player, 1), (gm, 2))]
    await asyncio.sleep(0)
    await listen(desk, [6, 6])
    await desk.made(desk.gm, "Reveal", GM)
    assert [[move and move.seq for move in await task] for task in ahead] == [[3], [None, 3]]
    cursor = (await desk.moves(desk.gm))[1].cursor
    rest = await take(watching.follow(desk.gm, desk.scene, after=cursor), 3)
    assert [move and (move.seq, move.cursor.text()) for move in rest] == [
        (seq, Cursor(*place).text()) for seq, place in ((2, (2, 0)), (None, (2, 1)), (3, (3, 0)))
    ]
    for source in (player, gm):
        await source.aclose()  # type: ignore[attr-defined]


async def test_hidden_moves_wake_only_those_who_may_see_them(desk: Desk) -> None:
    told: list[frozenset[str]] = []
    desk.database.after_commit.append(told.append)
    await listen(desk, [1, 1])
    woken = frozenset().union(*told)
    for who in (desk.anna, desk.ben, desk.watcher):
        assert woken.isdisjoint(topics(desk.scene, (await desk.look(who)).who))
    assert not woken.isdisjoint(topics(desk.scene, (await desk.look(desk.gm)).who))


async def test_following_ends_where_the_right_to_see_ends(desk: Desk, watching: SceneFeed) -> None:
    assert isinstance(await outcome(anext(watching.follow(somebody(), desk.scene))), NotFound)
    source = watching.follow(desk.anna, desk.scene)
    await desk.made(desk.anna, "Brace", desk.hero)
    await take(source, 1)
    await desk.table.remove(desk.gm, desk.campaign, desk.anna.account)
    await desk.made(desk.ben, "Brace", desk.other)
    assert isinstance(await outcome(anext(source)), NotFound)


async def test_cursors_say_where_one_stands(desk: Desk) -> None:
    assert Cursor.of(Cursor(12, 3).text()) == Cursor(12, 3)
    for text in ("", "x", "QDE", "ÿ", "@1.1", Cursor(1, 0).text() + "AAAA"):
        with pytest.raises(PublicError) as refused:
            Cursor.of(text)
        assert refused.value.extensions == {"code": "BAD_CURSOR"}
    assert await desk.reader.newest(await desk.look(desk.anna)) == START
    for n in range(3):
        await desk.made((desk.anna, desk.ben, desk.gm)[n], "Brace", (desk.hero, desk.other, "rival-1")[n])
    found = await desk.reader.moves(desk.anna, desk.scene, after=Cursor(1, 0), limit=1)
    assert [move.seq for move in found] == [2]
    assert await desk.reader.newest(await desk.look(desk.anna)) == Cursor(3, 0)
