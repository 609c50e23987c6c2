"""Who may have a bot move whom, which one, and what it sees."""

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from services.campaign.scenes.feed import SceneFeed
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine.bots import Bot
from services.rules.engine.play import GM
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Ask
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, VersionConflict
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.campaign.scene_desk import DUEL, SYSTEMS, Desk, look_only_when_told

pytestmark = pytest.mark.databases("campaign")

HIDDEN = "The Grey Cloak"


class Watched:
    """Duel with a bot that notes what it is shown, thinks for as long as a test wants, and strikes."""

    def __init__(self) -> None:
        self.thinking, self.done = threading.Event(), threading.Event()
        self.done.set()
        self.shown: list[Any] = []
        self.chances: list[int] = []
        looks = "Looks around."
        self.bots = (
            Bot(id="watched", version=1, text=looks, move=self._move, answer=self._answer, slow=True),
        )

    def _move(self, state: Any, actor: str, choose: Choose) -> Any:
        self.shown.append(state)
        self.chances.append(choose(7))
        self.thinking.set()
        assert self.done.wait(5), "nobody let it end"
        return DUEL.play.bot(state, actor)  # type: ignore[union-attr]

    def _answer(self, state: Any, ask: Ask, choose: Choose) -> Any:
        self._move(state, ask.actor, choose)
        return DUEL.play.reply(state, ask)  # type: ignore[union-attr]

    def __getattr__(self, name: str) -> Any:
        return getattr(DUEL.play, name)


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start(setup="ambush")
    yield made
    await database.close()


@pytest.fixture
def watched(desk: Desk) -> Watched:
    play = Watched()
    desk.play({**SYSTEMS, "duel": replace(DUEL, play=play)})  # type: ignore[type-var]
    return play


async def ask(desk: Desk, who: Viewer, actor: str, bot: str | None = None, key: str | None = None) -> Any:
    seq = (await desk.row()).seq
    return await desk.bot(who, actor, seq, bot, key)


async def test_the_bots_of_a_game_are_listed_and_play_by_name(desk: Desk) -> None:
    assert [bot.id for bot in (await desk.look(desk.watcher)).bots] == ["random", "steady", "fierce"]
    kinds = []
    for who, actor, bot in (
        (desk.anna, desk.hero, "random"),
        (desk.gm, "rival-1", "fierce"),
        (desk.ben, desk.other, None),
    ):
        made = await ask(desk, who, actor, bot)
        assert isinstance(made, Performed) and made.move.move is not None
        kinds.append(made.move.move["data"]["kind"])
    # The first of the offers; the answer to it; and the strike that the game itself thinks of.
    assert kinds == ["Strike", "Answer", "Strike"]


async def test_an_unknown_bot_is_told_which_there_are(desk: Desk) -> None:
    for name in ("nobody", "", "\ud83d" * 3):
        refused = await ask(desk, desk.anna, desk.hero, name)
        assert isinstance(refused, InvalidInput)
        (issue,) = refused.issues
        assert (issue.code, issue.path, issue.allowed) == ("BOT_UNKNOWN", ["bot"], "random, steady, fierce")
    assert (await desk.row()).number == 0


async def test_nobody_has_a_bot_move_whom_they_may_not_move(desk: Desk, watched: Watched) -> None:
    for who, actor in ((desk.ben, desk.hero), (desk.watcher, desk.hero), (desk.anna, "rival-1")):
        assert isinstance(await ask(desk, who, actor, "watched"), Forbidden)
    assert watched.shown == []
    idle = await ask(desk, desk.ben, desk.other, "watched")
    assert isinstance(idle, MoveRejected) and idle.issues[0].code == "NOTHING_TO_DO"


async def test_a_bot_sees_what_its_actor_sees_whoever_asks(desk: Desk, watched: Watched) -> None:
    """A GM knows who hides; the rival that a bot plays for them, and a hero that it plays, do not."""
    assert isinstance(await ask(desk, desk.gm, desk.hero, "watched"), Performed)
    assert isinstance(await ask(desk, desk.gm, "rival-1", "watched"), Performed)
    assert HIDDEN not in repr(watched.shown) and len(watched.shown) == 2
    # Who is in nobody's view, not even their own, and the GM themselves, move with the GM's eyes.
    await desk.undo(desk.gm, desk.scene, 2)
    for actor in ("rival-3", GM):
        await ask(desk, desk.gm, actor, "watched")
        assert HIDDEN in repr(watched.shown.pop())
    assert watched.chances == [0, 0, 0, 0]


async def test_nobody_waits_while_a_bot_thinks(desk: Desk, watched: Watched) -> None:
    watched.done.clear()
    asking = asyncio.ensure_future(ask(desk, desk.anna, desk.hero, "watched"))
    assert await asyncio.to_thread(watched.thinking.wait, 60)
    await desk.made(desk.gm, "Reveal", GM)
    watched.done.set()
    answer = await asking
    # Its player has not seen who stepped out: the move is not made behind their back.
    assert isinstance(answer, VersionConflict) and len(watched.shown) == 1
    assert isinstance(await ask(desk, desk.anna, desk.hero, "watched"), Performed)


async def test_a_bot_that_was_overtaken_by_what_its_player_may_not_know_thinks_anew(
    desk: Desk, watched: Watched
) -> None:
    watched.done.clear()
    asking = asyncio.ensure_future(ask(desk, desk.anna, desk.hero, "watched"))
    assert await asyncio.to_thread(watched.thinking.wait, 60)
    desk.dice.loaded.append([6, 6])
    await desk.made(desk.gm, "Listen", GM, who=desk.hero)
    watched.done.set()
    assert isinstance(await asking, Performed) and len(watched.shown) == 2


async def test_who_is_asked_answers_whosever_turn_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ben is struck at in the rival's turn: the question, the button and the signal are his, and the GM's."""
    look_only_when_told(monkeypatch)
    await desk.made(desk.anna, "Brace", desk.hero)
    await desk.made(desk.ben, "Brace", desk.other)
    wakes = Wakes()
    desk.database.after_commit.append(wakes.wake_topics)
    last = (await desk.moves(desk.ben))[-1].cursor
    source = SceneFeed(desk.reader, wakes).follow(desk.ben, desk.scene, after=last)
    hearing = asyncio.ensure_future(anext(source))
    await asyncio.sleep(0)
    await desk.made(desk.gm, "Strike", "rival-1", target=desk.other)
    async with asyncio.timeout(60):
        heard = await hearing
    assert heard is not None and heard.sentences == ("Sour Tam lunges at Ben.",)
    await source.aclose()  # type: ignore[attr-defined]
    for who, offered in ((desk.ben, ["answer"]), (desk.anna, []), (desk.watcher, [])):
        look = await desk.look(who)
        assert look.card is not None and (look.card.turn, look.card.waiting_for) == ("rival-1", (desk.other,))
        assert [(prompt.id, prompt.actor) for prompt in look.card.prompts] == [("3.0.flinch", desk.other)]
        assert [move.id for move in look.legal()] == offered
    assert (await desk.look(desk.ben)).actors == [desk.other]
    assert {move.actor for move in (await desk.look(desk.gm)).legal()} == {desk.other}
    answer: dict[str, Any] = {"flinch": True}
    assert isinstance(await desk.move(desk.anna, "Answer", desk.other, **answer), Forbidden)
    await desk.made(desk.ben, "Answer", desk.other, **answer)
    # And what a rival is asked, the GM answers.
    await desk.made(desk.gm, "Brace", "rival-2")
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-2")
    assert [move.id for move in (await desk.look(desk.gm)).legal("rival-2")] == ["answer"]
    await desk.made(desk.gm, "Answer", "rival-2", flinch=True)


async def test_one_key_is_one_move_of_one_bot(desk: Desk, watched: Watched) -> None:
    made = await ask(desk, desk.anna, desk.hero, "watched", "k")
    again = await ask(desk, desk.anna, desk.hero, "watched", "k")
    assert again.move == made.move and len(watched.shown) == 1
    for bot in ("random", None):
        assert isinstance(await ask(desk, desk.anna, desk.hero, bot, "k"), IdempotencyConflict)
