"""Moves that happen in steps: a rule asks for dice, or for people's answers, when it needs them.

A rule is a pure generator, read from top to bottom. What it refuses it refuses first; what happens it lets
happen at once; dice fall and questions are asked where the book says so::

    def strike(turn: Turn, move: Strike) -> Steps:
        if move.target not in turn.state.targets(move.actor):
            refuse("unknown_target", "There is no such opponent.", "Striking", ("target",), move.target)
        turn.happen(Lunged(striker=move.actor, target=move.target))
        (answer,) = yield from turn.ask(flinch_or_stand(turn.state, move))
        if answer.flinch:
            turn.happen(Flinched(target=move.target))
            return
        attack, guard = yield from turn.roll(*strike_rolls(turn.state, move))
        turn.happen(Struck(...))

A reaction is a move inside a move: the rule that asked runs it with ``yield from``, to any depth. Nothing of
a generator is ever stored. What is kept of a move that waits is the state before it, the move, and the
results so far; a `Run` through them comes to the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    NamedTuple,
    NoReturn,
    TypeVar,
    cast,
    get_args,
    get_origin,
)
from typing import get_type_hints as hints_of

from services.rules.engine.frozen import replace
from services.rules.engine.offers import Deferred
from services.rules.engine.play import EVERYONE, GM, Audience, EventT, Faces, LegalMove, Roll, StateT
from services.rules.engine.problem import Finding, KeyPath, Problems, RuleProblem, RulesError

if TYPE_CHECKING:
    from services.rules.engine.play import AnyPlay
    from services.rules.engine.windows import HasWindows


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to one actor.

    Attributes:
        id: Its name within the step: `flinch`, `vote:chr-1`.
        actor: Who answers; `gm` for the game master.
        question: In plain words.
        offers: The answers there are, as buttons; `Deferred` where there are surely several. An answer is a
            move of the game.
        silence: The answer that stands for none; None where the table waits for as long as it takes.
        seconds: How long they have; None for no limit. Nothing without `silence`.
        audience: Who may know that they are asked.
        closed: Whether they are asked even where one answer only is offered, because leaving the question out
            would betray what they hold, or because `accepts` takes more answers than are offered.
        open_to_gm: Whether game masters read an answer before the last one of its step is in.
        sealed: Whether an answer stays secret even when all are in: what the rule lets happen alone tells of
            it.
        accepts: Names the rules that an answer of a kind that is offered breaks, in place of the bounds of
            the offers, where bounds cannot say it.
        explains: Names the rule that keeps an answer of another kind out, where there is one to name.
    """

    id: str
    actor: str
    question: str
    offers: Sequence[LegalMove]
    silence: Any = None
    seconds: int | None = None
    audience: Audience = EVERYONE
    closed: bool = False
    open_to_gm: bool = False
    sealed: bool = False
    accepts: Callable[[Any], Problems | None] | None = None
    explains: Callable[[Any], Problems | None] | None = None

    @property
    def only_answer(self) -> LegalMove | None:
        """The one answer there is, where nothing is left to decide and the question need not be asked."""
        if self.closed or isinstance(self.offers, Deferred) or len(self.offers) != 1:
            return None
        if self.offers[0].fields:
            return None
        return self.offers[0]


Needs = tuple[Roll, ...] | tuple[Ask, ...]
"""Dice that fall together; or questions answered side by side, hidden from one another until all answers are
in.
"""

Results = tuple[Any, ...]
"""What met the needs of one step, in their order: the faces of each roll, or each answer."""

T = TypeVar("T")
WindowT = TypeVar("WindowT")
Step = Generator[Needs, Results, T]
"""Part of a rule, which returns something to the rule that runs it with ``yield from``."""
Steps = Generator[Needs, Results, None]
"""A rule."""

ActorId = Annotated[str, "actor"]
"""A field of an event that names an actor, or anything else that may be hidden.

The event is told to those who may know of all that it names. Fields of the values that an event carries count
as its own. A move's fields of this type name whom it is aimed at.
"""

ItemId = Annotated[str, "item"]
"""A field of a move that names a thing."""

PlaceId = Annotated[str, "place"]
"""A field of a move that names a place."""


class Refused(RulesError):
    """A move breaks rules. Raised by a rule before its first need and before anything happened.

    Attributes:
        problems: Every rule it breaks.
    """

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self.problems = problems


class RuleFault(RulesError):
    """A rule went wrong: it refused after something had happened, or came to other facts when run again."""


def refuse(
    code: str, message: str, rule: str, path: KeyPath = (), found: Finding = None, allowed: Finding = None
) -> NoReturn:
    """Refuses a move for one broken rule; see `RuleProblem` for the parameters.

    Raises:
        Refused: Always.
    """
    raise Refused(Problems((RuleProblem(code, message, rule, path, found, allowed),)))


class Happened(NamedTuple):
    """An event, and the state that it happened to."""

    before: Any
    event: Any


class Turn(Generic[StateT, EventT]):
    """What a rule works with: the state after everything so far, and the ways to go on.

    Attributes:
        play: The game.
        state: The state after every event so far.
        happened: Those events.
    """

    __slots__ = ("happened", "play", "state")

    def __init__(self, play: AnyPlay, state: StateT) -> None:
        self.play = play
        self.state = state
        self.happened: list[Happened] = []

    def happen(self, *events: EventT) -> None:
        """Lets events happen: each is folded into the state at once, and only here.

        The audience of an event is narrowed to those who may know of everything that it names, before or
        after it: who comes is known as they are then, and who goes as they were.
        """
        for event in events:
            before = self.state
            self.state = self.play.evolve(before, event)
            paths = actor_paths(type(event))
            known = self._narrowed(before, event, paths) if paths else event
            self.happened.append(Happened(before, known))

    def roll(self, *rolls: Roll) -> Step[Faces]:
        """Lets dice fall together.

        Returns:
            The faces of each roll, in their order.
        """
        wanted = tuple(roll for roll in rolls if roll.dice.value > 0)
        fallen = iter((yield wanted) if wanted else ())
        return tuple(next(fallen) if roll.dice.value > 0 else () for roll in rolls)

    def ask(self, *asks: Ask) -> Step[tuple[Any, ...]]:
        """Asks side by side; who has one answer only is not asked.

        That an actor is asked may be known to those who may know of the actor.

        Returns:
            The answers, in the order of the questions.
        """
        open_ones = tuple(self._for_those_who_know(ask) for ask in asks if ask.only_answer is None)
        answers = iter((yield open_ones) if open_ones else ())
        return tuple(
            next(answers) if only is None else self.play.move_codec.read(only.move)
            for only in (ask.only_answer for ask in asks)
        )

    def window(self, window: WindowT) -> Step[WindowT]:
        """Opens a window: first effects act in it, then people may react (`engine.windows`).

        Returns:
            The window as it is when all of them are through.
        """
        return (yield from cast("HasWindows", self.play).windows.open(self, window))

    def _for_those_who_know(self, ask: Ask) -> Ask:
        known = None if ask.actor == GM else self.play.known_to(self.state, ask.actor)
        return ask if known is None or known.everyone else replace(ask, audience=ask.audience & known)

    def _narrowed(self, before: StateT, event: Any, paths: Paths) -> Any:
        audience = event.audience
        for actor in _actors(event, paths):
            known = self.play.known_to(before, actor)
            if known is not None and known.everyone:
                continue
            known_now = self.play.known_to(self.state, actor)
            either = known_now if known is None else known if known_now is None else known | known_now
            if either is not None:
                audience = audience & either
        same = audience is event.audience or audience == event.audience
        return event if same else replace(event, audience=audience)


class Trial(Turn[StateT, EventT]):
    """A turn in which nothing happens and nobody is asked: `tried` runs rules in it."""

    __slots__ = ()

    def __init__(self, state: StateT) -> None:
        super().__init__(cast("AnyPlay", None), state)

    def happen(self, *events: EventT) -> None:
        """Ends the trial: a rule that lets something happen refuses nothing any more."""
        raise _Allowed

    def ask(self, *asks: Ask) -> Step[tuple[Any, ...]]:
        """Ends the trial: a rule that asks refuses nothing any more."""
        raise _Allowed

    def window(self, window: WindowT) -> Step[WindowT]:
        """Ends the trial: a rule that opens a window refuses nothing any more."""
        raise _Allowed


class _Allowed(Exception):
    """A trial went as far as it goes without dice."""


def tried(rule: Callable[[Turn[Any, Any]], Steps], state: Any) -> tuple[Roll, ...]:
    """Tries a move, or a part of one: runs its rule to the first dice, question or event.

    It costs far less than a `Run`, because nothing is folded and nothing is written down; offers are tried
    like this.

    Args:
        rule: The rule.
        state: The state to try it in.

    Returns:
        The dice that it takes first; none where a question is asked or something happens before any.

    Raises:
        Refused: It breaks rules.
    """
    try:
        needs = next(rule(Trial(state)), ())
    except _Allowed:
        return ()
    return tuple(need for need in needs if isinstance(need, Roll))


class Run:
    """A move on its way through its rule.

    Attributes:
        play: The game.
        base: The state before it.
        move: The move.
        results: What met its needs so far, step by step.
        needs: What it needs now; nothing once it is done.

    Raises:
        Refused: The move breaks rules.
        RuleFault: Its rule went wrong.
    """

    __slots__ = ("_steps", "base", "move", "needs", "play", "results", "turn")

    def __init__(self, play: AnyPlay, base: Any, move: Any) -> None:
        self.play = play
        self.base = base
        self.move = move
        self.results: list[Results] = []
        self.turn: Turn[Any, Any] = Turn(play, base)
        self._steps = play.rule(self.turn, move)
        self.needs: Needs = ()
        self._go_on(None)

    @property
    def state(self) -> Any:
        """The state after everything that has happened so far."""
        return self.turn.state

    @property
    def happened(self) -> tuple[Happened, ...]:
        """Everything that has happened so far."""
        return tuple(self.turn.happened)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The dice that it needs now."""
        return self.needs if self.needs and isinstance(self.needs[0], Roll) else ()

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that it needs answered now."""
        return self.needs if self.needs and isinstance(self.needs[0], Ask) else ()

    def go_on(self, results: Results) -> None:
        """Meets its needs, and runs it to the next ones or to its end.

        Args:
            results: The faces of each roll, or each answer, in the order of the needs.

        Raises:
            RuleFault: These are not the dice it needs, or its rule went wrong.
        """
        rolls = self.rolls
        wrong = misfit(rolls, results) if rolls else None
        if wrong is not None:
            raise RuleFault(str(wrong))
        self.results.append(results)
        self._go_on(results)

    def _go_on(self, results: Results | None) -> None:
        try:
            self.needs = next(self._steps) if results is None else self._steps.send(results)
        except StopIteration:
            self.needs = ()
        except Refused as refused:
            if self.results or self.turn.happened:
                raise RuleFault(f"refused after something had happened: {refused}") from refused
            raise


def run_through(play: AnyPlay, base: Any, move: Any, results: Sequence[Results]) -> Run:
    """Runs a move through the results it has had.

    Raises:
        Refused: The move breaks rules.
        RuleFault: Its rule went wrong, or ended before its results did.
    """
    run = Run(play, base, move)
    for step in results:
        if not run.needs:
            raise RuleFault("the rule ended before the results that it had when it ran first")
        run.go_on(step)
    return run


def refusal(play: AnyPlay, state: Any, move: Any) -> Problems | None:
    """Returns every rule that a move breaks, by running it to its first need; None where it may be made."""
    try:
        Run(play, state, move)
    except Refused as refused:
        return refused.problems
    return None


def misfit(rolls: Sequence[Roll], faces: Sequence[Sequence[int]]) -> RuleProblem | None:
    """Tells why faces are not those of these rolls: another number of rolls or dice, or a face that no die
    has.
    """
    wanted = tuple(roll.dice.value for roll in rolls)
    found = tuple(len(fallen) for fallen in faces)
    if found != wanted:
        text = "These are not the dice of this move."
        return RuleProblem("faces_do_not_fit", text, "dice", ("faces",), found, wanted)
    for index, (roll, fallen) in enumerate(zip(rolls, faces, strict=True)):
        for face in fallen:
            if not 1 <= face <= roll.sides:
                text = f"No d{roll.sides} shows {face}."
                return RuleProblem("face_unknown", text, "dice", ("faces", index), face, (1, roll.sides))
    return None


Paths = tuple[tuple[str, ...], ...]
"""Where the fields that name actors stand in an event or a move: ways through the values in it."""


def _actors(event: Any, paths: Paths) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        value = event
        for name in path:
            value = getattr(value, name)
            if value is None:
                break
        if isinstance(value, str):
            found[value] = None
        elif value is not None:
            found |= dict.fromkeys(value)
    found.pop("", None)
    return list(found)


@cache
def actor_paths(kind: type, within: frozenset[type] = frozenset()) -> Paths:
    """The fields of a kind of event or move that name actors: `ActorId`, alone, optional, or in a tuple.

    Args:
        kind: The dataclass of the event or move, or of a value in it.
        within: The dataclasses around it; one that holds itself is looked through once.
    """
    if kind in within:
        return ()
    hints = hints_of(kind, include_extras=True)
    found: list[tuple[str, ...]] = []
    for field in fields(kind):
        hint = hints[field.name]
        if _names_actors(hint):
            found.append((field.name,))
        for part in (hint, *get_args(hint)):
            if isinstance(part, type) and is_dataclass(part):
                found += ((field.name, *path) for path in actor_paths(part, within | {kind}))
    return tuple(found)


def _names_actors(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return "actor" in get_args(hint)[1:]
    return any(_names_actors(part) for part in get_args(hint))
