"""Moves that wait for answers: hidden until all are in, taken back whole, the same after a crash; on both
databases.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from services.campaign.scenes.history import VOID
from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine.play import GM
from services.rules.engine.steps import RuleFault
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.problems import Unavailable, VersionConflict
from services.shared.settings import Settings
from tests.campaign.dying_table import Rolled, duel, games
from tests.campaign.scene_desk import SYSTEMS, Desk
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")


class Voted(duel.DuelPlay):  # type: ignore[misc]
    """The toy, but that stopping is put to everybody side by side; each flinch is a vote to go on."""

    open_to_gm = False
    sealed = False

    def rule(self, turn: Any, move: Any) -> Any:
        if not isinstance(move, duel.Stop):
            yield from super().rule(turn, move)
            return
        turn.happen(duel.Braced(actor=turn.state.turn))
        asks = (
            replace(
                duel.flinch_or_stand(turn.state, one.id),
                id=f"vote:{one.id}",
                open_to_gm=self.open_to_gm,
                sealed=self.sealed,
            )
            for one in turn.state.duellists
        )
        answers = yield from turn.ask(*asks)
        turn.happen(*(duel.Flinched(target=each.actor) for each in answers if each.flinch))
        if not any(each.flinch for each in answers):
            turn.happen(duel.Stopped())


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    made.play(games(Voted()))
    await made.start()
    yield made
    await database.close()


async def asked(desk: Desk, who: Viewer) -> list[str]:
    card = (await desk.look(who)).card
    assert card is not None
    return [prompt.actor for prompt in card.prompts]


async def answers_read(desk: Desk, who: Viewer) -> list[str]:
    """The actors whose answers somebody can read."""
    return [
        move.form["actor"] for move in await desk.moves(who) if move.form and move.form["kind"] == "Answer"
    ]


async def test_answers_are_hidden_from_everybody_until_all_are_in(desk: Desk) -> None:
    await desk.made(desk.gm, "Stop", GM)
    everybody = [desk.hero, desk.other, "rival-1"]
    for who in (desk.gm, desk.anna, desk.watcher):
        assert await asked(desk, who) == everybody
    await desk.made(desk.anna, "Answer", desk.hero, flinch=True)
    for who in (desk.gm, desk.ben, desk.watcher):
        assert await asked(desk, who) == everybody[1:]
        assert await answers_read(desk, who) == []
        before, answer = await desk.moves(who)
        assert (answer.seq, answer.actor, answer.sentences, answer.events) == (2, desk.hero, (), ())
        assert before.events and not answer.undone
    assert await answers_read(desk, desk.anna) == [desk.hero]
    # Nobody answers twice, and nothing else can be done.
    again = await desk.move(desk.anna, "Answer", desk.hero, flinch=False)
    assert isinstance(again, MoveRejected) and again.issues[0].code == "MOVE_WAITS"
    assert again.legal == ()
    # The game master leads the rival, and reads nothing before it has answered.
    await desk.made(desk.gm, "Answer", "rival-1", flinch=False)
    assert await answers_read(desk, desk.gm) == ["rival-1"]
    last = await desk.made(desk.ben, "Answer", desk.other, flinch=False)
    assert await answers_read(desk, desk.gm) == [desk.hero, "rival-1", desk.other]
    assert await answers_read(desk, desk.ben) == [desk.other]
    (told,) = [move for move in await desk.moves(desk.watcher) if move.seq == last.move.seq]
    assert told.sentences == ("Anna flinches.",)
    assert (await desk.row()).waiting is None and await asked(desk, desk.gm) == []


async def test_a_table_may_let_its_game_master_read_along(desk: Desk) -> None:
    play = Voted()
    play.open_to_gm = True
    desk.play(games(play))
    await desk.made(desk.gm, "Stop", GM)
    await desk.made(desk.anna, "Answer", desk.hero, flinch=True)
    assert await answers_read(desk, desk.gm) == [desk.hero]
    assert await answers_read(desk, desk.ben) == []


@ON_BOTH
async def test_an_answer_that_was_secret_stays_so_when_its_move_is_taken_back(desk: Desk) -> None:
    await desk.start()
    await desk.made(desk.gm, "Stop", GM)
    await desk.made(desk.anna, "Answer", desk.hero, flinch=True)
    assert isinstance(await desk.undo(desk.gm, desk.scene, 2), Performed)
    for who in (desk.gm, desk.ben, desk.watcher):
        assert await answers_read(desk, who) == []
    assert await answers_read(desk, desk.anna) == [desk.hero], "who sent it knows it"
    # What had been counted when it was taken back had been read, and can be read again.
    await desk.made(desk.gm, "Stop", GM)
    for who, actor in ((desk.anna, desk.hero), (desk.ben, desk.other), (desk.gm, "rival-1")):
        await desk.made(who, "Answer", actor, flinch=True)
    assert isinstance(await desk.undo(desk.gm, desk.scene, (await desk.row()).seq), Performed)
    assert await answers_read(desk, desk.gm) == [desk.hero, desk.other, "rival-1"]
    assert await answers_read(desk, desk.ben) == [desk.other]


async def test_a_sealed_answer_is_read_by_nobody_else_even_when_all_are_counted(desk: Desk) -> None:
    play = Voted()
    play.sealed = True
    desk.play(games(play))
    await desk.made(desk.gm, "Stop", GM)
    for who, actor in ((desk.anna, desk.hero), (desk.gm, "rival-1"), (desk.ben, desk.other)):
        await desk.made(who, "Answer", actor, flinch=actor != desk.other)
    assert (await desk.row()).waiting is None
    # The last one, with which the move went on, is as secret as those before it.
    assert await answers_read(desk, desk.gm) == ["rival-1"]
    assert await answers_read(desk, desk.ben) == [desk.other]
    assert await answers_read(desk, desk.watcher) == []
    told = [text for move in await desk.moves(desk.watcher) for text in move.sentences]
    assert "Anna flinches." in told, "what the rule lets happen is told all the same"
    assert isinstance(await desk.undo(desk.gm, desk.scene, (await desk.row()).seq), Performed)
    assert await answers_read(desk, desk.gm) == ["rival-1"]


async def test_who_is_asked_side_by_side_need_not_have_seen_the_others_answer(desk: Desk) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    await desk.made(desk.gm, "Stop", GM)
    assert isinstance(await desk.move(desk.anna, "Answer", desk.hero, seq=1, flinch=False), VersionConflict)
    await desk.made(desk.anna, "Answer", desk.hero, seq=2, flinch=False)
    await desk.made(desk.ben, "Answer", desk.other, seq=2, flinch=False)
    assert isinstance(await desk.move(desk.gm, "Answer", "rival-1", seq=5, flinch=False), VersionConflict)
    ended = await desk.made(desk.gm, "Answer", "rival-1", seq=3, flinch=False)
    assert ended.scene.ended_at is not None


async def test_a_bot_answers_for_whom_it_is_asked(desk: Desk) -> None:
    await desk.made(desk.gm, "Stop", GM)
    for who, actor in ((desk.anna, desk.hero), (desk.gm, "rival-1"), (desk.ben, desk.other)):
        seq = (await desk.row()).seq
        assert isinstance(await desk.bot(who, actor, seq, "fierce"), Performed)
    assert (await desk.row()).ended_at is not None


async def test_an_answer_that_is_not_offered_is_refused_with_what_is(desk: Desk) -> None:
    await desk.made(desk.gm, "Stop", GM)
    wrong = await desk.move(desk.anna, "Brace", desk.hero)
    assert isinstance(wrong, MoveRejected)
    assert (wrong.issues[0].code, wrong.issues[0].allowed) == ("NOT_OFFERED", "answer")
    assert [move.id for move in wrong.legal] == ["answer"]
    assert (await desk.row()).number == 1


async def test_a_move_is_taken_back_with_all_its_answers_while_it_waits_and_later(desk: Desk) -> None:
    before = (await desk.row()).state
    await desk.made(desk.gm, "Stop", GM)
    assert (await desk.row()).state != before
    await desk.made(desk.anna, "Answer", desk.hero, flinch=True)
    taken = await desk.undo(desk.gm, desk.scene, 2)
    assert isinstance(taken, Performed) and taken.move.undoes == 1
    row = await desk.row()
    assert (row.state, row.waiting, row.deadlines) == (before, None, {})
    assert [move.undone for move in await desk.moves(desk.gm)] == [True, True, False]
    await desk.made(desk.anna, "Brace", desk.hero)
    braced = (await desk.row()).state
    await desk.made(desk.gm, "Stop", GM)
    for who, actor in ((desk.anna, desk.hero), (desk.ben, desk.other), (desk.gm, "rival-1")):
        await desk.made(who, "Answer", actor, flinch=True)
    taken = await desk.undo(desk.gm, desk.scene, (await desk.row()).seq)
    assert isinstance(taken, Performed) and taken.move.undoes == 5
    assert (await desk.row()).state == braced
    look = await desk.look(desk.gm)
    for seq in range((await desk.row()).seq + 1):
        moment = await desk.reader.at(look, seq)
        assert moment is not None and moment.faithful


@ON_BOTH
async def test_silence_answers_for_each_that_has_not(desk: Desk) -> None:
    setup = {"title": "The Yard", "rivals": ["Tam"], "patience": 60}
    await desk.start(setup=setup)
    await desk.made(desk.gm, "Stop", GM)
    await desk.made(desk.anna, "Answer", desk.hero, flinch=True)
    assert sorted((await desk.row()).deadlines) == sorted([f"1.0.vote:{desk.other}", "1.0.vote:rival-1"])
    desk.clock.ahead += (await desk.look(desk.gm)).deadlines["1.0.vote:rival-1"] - desk.clock()
    await desk.moving.lapse(desk.scene)
    assert [move.lapsed for move in await desk.moves(desk.gm)] == [False, False, True, True]
    row = await desk.row()
    assert (row.waiting, row.deadlines, row.ended_at) == (None, {}, None)


async def test_a_crash_between_two_steps_changes_no_face(desk: Desk) -> None:
    desk.play(games(Rolled()))
    desk.dice.loaded += [[3]]
    draws = desk.dice.post

    async def lost_behind_the_first(*arguments: Any, **named: Any) -> Any:
        desk.dice.lost = bool(desk.dice.drawn)
        return await draws(*arguments, **named)

    desk.dice.post = lost_behind_the_first  # type: ignore[method-assign]
    await desk.start(setup="ambush")
    assert isinstance(await desk.move(desk.gm, "Listen", GM, who=desk.hero), Unavailable)
    keys = [f"{desk.scene}:1", f"{desk.scene}:1:1"]
    assert list(desk.dice.drawn) == keys
    fell = [desk.dice.drawn[key][1]["rolls"][0]["faces"] for key in keys]
    assert fell[0] == [3] and len(fell[1]) == 3
    assert (await desk.look(desk.gm)).row.number == 0
    # Another process takes it up from its beginning.
    desk.dice.post, desk.dice.lost = draws, False  # type: ignore[method-assign]
    desk.play(games(Rolled()))
    (made,) = await desk.moves(desk.gm)
    assert [list(thrown.faces) for thrown in made.rolls] == fell
    assert [type(event).__name__ for event in made.events] == ["Braced", "Listened"]
    assert list(desk.dice.drawn) == keys


async def test_a_move_goes_on_in_another_process_as_it_began(desk: Desk) -> None:
    await desk.made(desk.gm, "Stop", GM)
    for who, actor in ((desk.anna, desk.hero), (desk.ben, desk.other)):
        desk.play(games(Voted()))
        await desk.made(who, "Answer", actor, flinch=False)
    desk.play(games(Voted()))
    ended = await desk.made(desk.gm, "Answer", "rival-1", flinch=False)
    assert ended.scene.ended_at is not None
    assert [type(event).__name__ for move in await desk.moves(desk.gm) for event in move.events] == [
        "Braced",
        "Stopped",
    ]


async def test_a_rule_that_has_changed_goes_no_further_and_can_be_taken_back(desk: Desk) -> None:
    """What was told stays told: the same move under other rules is refused, read, and undone."""
    await desk.made(desk.gm, "Stop", GM)
    desk.play(SYSTEMS)
    refused = await desk.move(desk.anna, "Answer", desk.hero, flinch=True)
    assert isinstance(refused, MoveRejected) and refused.issues[0].code == "HISTORY_DIFFERS"
    look = await desk.look(desk.anna)
    assert look.card is not None and look.card.prompts == ()
    assert isinstance(await desk.undo(desk.gm, desk.scene, 1), Performed)
    await desk.made(desk.anna, "Brace", desk.hero)


async def test_a_rule_that_goes_wrong_behind_its_dice_makes_the_move_void(desk: Desk) -> None:
    class Broken(Rolled):
        def rule(self, turn: Any, move: Any) -> Any:
            yield from super().rule(turn, move)
            raise RuleFault("The book has a hole here.")

    desk.play(games(Broken()))
    desk.dice.loaded += [[1], [6]]
    await desk.start(setup="ambush")
    refused = await desk.move(desk.gm, "Listen", GM, who=desk.hero)
    assert isinstance(refused, MoveRejected) and refused.issues[0].code == "MOVE_VOID"
    (void,) = await desk.moves(desk.gm)
    assert (void.kind, len(void.rolls)) == (VOID, 2)
    row: Scene = await desk.row()
    assert row.pending is None and row.state == row.opening
