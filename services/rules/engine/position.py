"""Where a scene stands, a move that waits for answers included.

A live table takes one move or one answer at a time (`Position.enter`). Of a move that waits it keeps the
state before it, the move and the results so far, and runs the rule again from its beginning when it goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from services.rules.engine.choice_kinds import with_choice_kinds
from services.rules.engine.codec import CodecError, Json
from services.rules.engine.dispositions import with_dispositions
from services.rules.engine.driver import Thrower, hash_of, let_fall
from services.rules.engine.move_groups import in_groups
from services.rules.engine.offers import of_a_kind, unlike
from services.rules.engine.play import AnyPlay, Faces, LegalMove, PromptCard, Roll, SceneCard, Viewer
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask, Happened, Refused, Results, RuleFault, Run, refusal, run_through

RULE = "Moves that wait"
"""What refusals of the table itself cite as their rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A move that waits for answers.

    Attributes:
        number: Which move of its scene it is; with the step, it tells its questions from all others of the
            scene.
        move: The move.
        base: The state before it.
        results: What met its needs so far, step by step.
        answers: The answers of the step that waits which are in, by the question's id; nobody has read them
            yet.
        told: How many of its events have happened already.
        mark: Hash of those events: running the rule again must come to the same.
    """

    number: int
    move: Any
    base: Any
    results: tuple[Results, ...]
    told: int
    mark: str
    answers: Mapping[str, Any] = field(default_factory=dict)

    def question_id(self, ask: Ask) -> str:
        """The name of a question within the scene: `12.0.flinch`."""
        return f"{self.number}.{len(self.results)}.{ask.id}"


@dataclass(frozen=True, slots=True)
class Held:
    """An answer that is in, while others who were asked beside it have not answered yet.

    Attributes:
        ask: What it answers.
        waiting: The move that goes on waiting.
    """

    ask: Ask
    waiting: Waiting


@dataclass(frozen=True, slots=True)
class Taken:
    """A move or an answer that was taken, as far as it came.

    Attributes:
        move: The move or the answer.
        rolls: The dice that fell, in their order.
        faces: How they fell.
        happened: What happened, and to which states; nothing where others are still to answer.
        position: Where the scene stands now.
    """

    move: Any
    rolls: tuple[Roll, ...]
    faces: Faces
    happened: tuple[Happened, ...]
    position: Position

    @property
    def events(self) -> tuple[Any, ...]:
        """What happened."""
        return tuple(each.event for each in self.happened)


MOST_VIEWS = 8
"""The most views of one state that are remembered, those asked for last: as many as sit at a table."""


@dataclass(frozen=True)
class Position:
    """Where a scene stands.

    Attributes:
        play: The game.
        state: The state, after everything that has happened.
        waiting: The move that waits for answers, if any; nothing else can be done meanwhile.
    """

    play: AnyPlay
    state: Any
    waiting: Waiting | None = None

    @cached_property
    def _run(self) -> Run | None:
        """The rule of the waiting move, run again to where it waits.

        Raises:
            RuleFault: It came to other facts than when it ran first, or is not waiting for anybody.
        """
        if self.waiting is None:
            return None
        waiting = self.waiting
        try:
            run = run_through(self.play, waiting.base, waiting.move, waiting.results)
        except Refused as refused:
            raise RuleFault(f"refused when it ran again: {refused}") from refused
        if len(run.happened) != waiting.told or _mark(run) != waiting.mark or not run.asks:
            raise RuleFault("the rule came to something else when it ran again")
        return run

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that are still to be answered.

        Raises:
            RuleFault: See `Run`.
        """
        if self._run is None or self.waiting is None:
            return ()
        return tuple(ask for ask in self._run.asks if ask.id not in self.waiting.answers)

    def asked(self, question: str) -> Ask | None:
        """The open question of this id within the scene (`Waiting.question_id`)."""
        if self.waiting is None:
            return None
        return next((ask for ask in self.asks if self.waiting.question_id(ask) == question), None)

    def view(self, eyes: Viewer) -> Any:
        """The state as a viewer may know it; the very state where nothing is hidden from them."""
        if eyes.gm:
            return self.state
        known = self._views.pop(eyes, None)
        if known is None:
            known = self.play.view(self.state, eyes)
            known = self.state if known == self.state else known
            if len(self._views) >= MOST_VIEWS:
                del self._views[next(iter(self._views))]
        self._views[eyes] = known
        return known

    @cached_property
    def _views(self) -> dict[Viewer, Any]:
        return {}

    def hides_from(self, eyes: Viewer) -> bool:
        """Whether anything of the state is hidden from a viewer."""
        return self.view(eyes) is not self.state

    def form(self) -> list[Any]:
        """The documents of the state and of the move that waits; `position` reads them."""
        waiting = None if self.waiting is None else waiting_form(self.play, self.waiting)
        return [self._document, waiting]

    @property
    def hash(self) -> str:
        """Hash of the state; see `driver.state_hash`."""
        return hash_of(self._document)

    @cached_property
    def _document(self) -> Any:
        return self.play.state_codec.dump(self.state)

    def legal(self, actor: str, eyes: Viewer) -> tuple[LegalMove, ...]:
        """What an actor may do now, as far as a viewer who may move them knows: answers, where they are
        asked. Each has its group and weight; actors that a move is aimed at, or that are to choose from, are
        marked as foes and friends by what the viewer knows, and choices say what they name.
        """
        found = (
            self.play.legal(self.view(eyes), actor)
            if self.waiting is None
            else tuple(offer for ask in self.asks if ask.actor == actor for offer in ask.offers)
        )
        if not found:
            return ()
        card = self.play.card(self.view(eyes))
        return with_dispositions(
            self.play, card, with_choice_kinds(self.play, card, in_groups(self.play, found))
        )

    def card(self, eyes: Viewer) -> SceneCard:
        """What any client can draw of the scene, as a viewer may know it, open questions included."""
        card = self.play.card(self.view(eyes))
        if self.waiting is None:
            return card
        known = [ask for ask in self.asks if eyes.may_know(ask.audience)]
        prompts = tuple(
            PromptCard(
                id=self.waiting.question_id(ask),
                actor=ask.actor,
                question=ask.question,
                seconds=None if ask.silence is None else ask.seconds,
            )
            for ask in known
        )
        return replace(card, prompts=prompts, waiting_for=tuple(dict.fromkeys(ask.actor for ask in known)))

    def answers(self, eyes: Viewer) -> dict[str, Any]:
        """The answers that are in, while others are awaited, as far as a viewer may read them.

        Returns:
            By the question's id within the scene: those of actors whom the viewer plays; a game master's too
            where the question is open to them.
        """
        if self._run is None or self.waiting is None:
            return {}
        given = self.waiting.answers
        return {
            self.waiting.question_id(ask): given[ask.id]
            for ask in self._run.asks
            if ask.id in given and (ask.actor in eyes.actors or (eyes.gm and ask.open_to_gm))
        }

    def seals(self, move: Any) -> bool:
        """Whether a move answers an open question whose answers stay secret for good (`Ask.sealed`)."""
        return self.waiting is not None and any(ask.sealed for ask in self.asks if ask.actor == move.actor)

    def refusal(self, move: Any, eyes: Viewer) -> Problems | None:
        """Every rule that a move breaks by what a viewer knows, where that is not the whole state anyway."""
        if self.waiting is not None or not self.hides_from(eyes):
            return None
        return refusal(self.play, self.view(eyes), move)

    def check(self, move: Any, eyes: Viewer) -> Run | Ask | Problems:
        """Tries a move, or the answer to an open question, by what a viewer knows; the scene stays as it is.

        Returns:
            The move in the state as they may know it, up to its first need; the question that an answer
            fits; or every rule that it breaks.

        Raises:
            RuleFault: Its rule went wrong.
        """
        if self.waiting is not None:
            return self._answered(move)
        try:
            return Run(self.play, self.view(eyes), move)
        except Refused as refused:
            return refused.problems

    def enter(self, move: Any, number: int) -> Run | Held | Problems:
        """Takes a move, or the answer to an open question.

        Args:
            move: The move or the answer.
            number: Of the move, should it be one that has to wait.

        Returns:
            The move on its way: its new events are those from `Run.happened[told:]`; the answer, where others
            have not answered yet; or every rule that it breaks.

        Raises:
            RuleFault: Its rule went wrong.
        """
        if self.waiting is None:
            try:
                return Run(self.play, self.state, move)
            except Refused as refused:
                return refused.problems
        ask = self._answered(move)
        if isinstance(ask, Problems):
            return ask
        answers = {**self.waiting.answers, ask.id: move}
        if any(each.id not in answers for each in self.asks):
            return Held(ask, replace(self.waiting, answers=answers))
        # The rule stands where it waits and goes on from there; for later questions here it runs anew.
        run: Run = self.__dict__.pop("_run")
        run.go_on(tuple(answers[each.id] for each in run.asks))
        return run

    def take(self, move: Any, number: int, throw: Thrower) -> Taken | Problems:
        """Takes a move or an answer, lets its dice fall, and stops where people are asked.

        Args:
            move: The move or the answer.
            number: Of the move.
            throw: Lets dice fall.

        Raises:
            RuleFault: Its rule went wrong, or faces are not those of its dice.
        """
        run = self.enter(move, number)
        if isinstance(run, Problems):
            return run
        if isinstance(run, Held):
            return Taken(move, (), (), (), Position(self.play, self.state, run.waiting))
        rolls, faces = let_fall(run, throw)
        return Taken(move, rolls, faces, run.happened[self.told :], self.after(run, number))

    def after(self, run: Run, number: int) -> Position:
        """Where the scene stands when a move has come as far as it can without answers.

        Args:
            run: The move.
            number: Its number, where it is a new one.
        """
        if not run.needs:
            return Position(self.play, run.state)
        waiting = Waiting(
            number=number if self.waiting is None else self.waiting.number,
            move=run.move,
            base=run.base,
            results=tuple(run.results),
            told=len(run.happened),
            mark=_mark(run),
        )
        position = Position(self.play, run.state, waiting)
        # The rule is at hand: whoever asks for the questions next need not run it again.
        position.__dict__["_run"] = run
        return position

    @property
    def told(self) -> int:
        """How many events of the waiting move have happened already."""
        return 0 if self.waiting is None else self.waiting.told

    def _answered(self, move: Any) -> Ask | Problems:
        mine = [ask for ask in self.asks if ask.actor == move.actor]
        if not mine:
            waited_for = tuple(dict.fromkeys(ask.actor for ask in self.asks if ask.audience.everyone))
            text = "An answer to a question is awaited first."
            problem = RuleProblem("move_waits", text, RULE, ("actor",), move.actor, waited_for)
            return Problems((problem,))
        refusals = []
        for ask in mine:
            wrong = _wrong(self.play, ask, move)
            if wrong is None:
                return ask
            refusals.append(wrong)
        return refusals[0]


def _wrong(play: AnyPlay, ask: Ask, move: Any) -> Problems | None:
    """The rules that an answer breaks, if any."""
    if not of_a_kind(ask.offers, move):
        wrong = None if ask.explains is None else ask.explains(move)
        return wrong or unlike(play, ask.offers, move)
    return unlike(play, ask.offers, move) if ask.accepts is None else ask.accepts(move)


def waiting_form(play: AnyPlay, waiting: Waiting) -> dict[str, Json]:
    """The JSON form of a move that waits."""
    moves = play.move_codec
    results: list[Json] = [
        {"faces": [list(faces) for faces in step]}
        if all(isinstance(each, tuple) for each in step)
        else {"answers": [moves.dump(each) for each in step]}
        for step in waiting.results
    ]
    return {
        "number": waiting.number,
        "move": moves.dump(waiting.move),
        "base": play.state_codec.dump(waiting.base),
        "results": results,
        "answers": {ask: moves.dump(answer) for ask, answer in waiting.answers.items()},
        "told": waiting.told,
        "mark": waiting.mark,
    }


def read_waiting(play: AnyPlay, form: Mapping[str, Any]) -> Waiting:
    """Reads the JSON form of a move that waits.

    Raises:
        CodecError: The game no longer knows what was written.
    """
    moves = play.move_codec
    try:
        return Waiting(
            number=form["number"],
            move=moves.load(form["move"]),
            base=play.state_codec.load(form["base"]),
            results=tuple(
                tuple(tuple(faces) for faces in step["faces"])
                if "faces" in step
                else tuple(moves.load(each) for each in step["answers"])
                for step in form["results"]
            ),
            answers={ask: moves.load(answer) for ask, answer in form["answers"].items()},
            told=form["told"],
            mark=form["mark"],
        )
    except (KeyError, TypeError) as error:
        raise CodecError(("waiting",), str(error), "a move that waits") from error


def position(play: AnyPlay, state: object, waiting: Mapping[str, Any] | None = None) -> Position:
    """Reads where a scene stands from its documents.

    Raises:
        CodecError: The game no longer knows what was written.
    """
    return Position(
        play, play.state_codec.load(state), None if waiting is None else read_waiting(play, waiting)
    )


def _mark(run: Run) -> str:
    return hash_of([run.play.event_codec.dump(each.event) for each in run.happened])
