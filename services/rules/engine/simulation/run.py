"""One run: every scene of a case played to its end, and what can be measured of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.rules.engine.bots import Bot
from services.rules.engine.campaign import DueScene
from services.rules.engine.matches import Stalled, chooser, moves_of, named_stream
from services.rules.engine.play import GM, ActorCard, AnyPlay, Outcome, SceneCard
from services.rules.engine.simulation.campaigns import CampaignScenes
from services.rules.engine.simulation.cases import Case, Plan
from services.rules.engine.simulation.days import Day
from services.rules.engine.simulation.figures import (
    MOVES,
    ROUNDS,
    UNFINISHED,
    WON,
    Figure,
    Power,
    Simulated,
    actor_key,
    figures_of,
    power_key,
    scene_key,
    side_key,
)
from services.rules.engine.simulation.request import EVERYBODY
from services.rules.engine.simulation.rests import DayRest
from services.rules.engine.simulation.tally import MOST_ROUNDS, RunFigures
from services.rules.engine.steps import Happened

Amounts = Mapping[tuple[str, str], int]
"""How much of each figure, by its key and the actor's id."""


@dataclass(slots=True)
class PlayedScene:
    """A scene that is played, with what was counted of it so far.

    Attributes:
        state: Where it stands.
        moves: How many moves were made.
        round: The round that it is in.
        sides: The side of every actor that was ever there.
        counted: What its events added up to.
        by_round: How it stood at the end of each round.
    """

    state: Any
    moves: int = 0
    round: int = 0
    sides: dict[str, str] = field(default_factory=dict)
    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_round: list[Amounts] = field(default_factory=list)


@dataclass(slots=True)
class Stage:
    """A scene of a run, or a rest that is played before one, on its way.

    Attributes:
        place: The scene's place in its day, from 0; of a rest, that of the scene behind it.
        rest: The rest that it is; None for a scene.
        scene: Where it stands, from its opening on.
        moves: Its moves that are still to be played, as `Runner.moves` yields them.
    """

    place: int
    rest: DayRest | None
    scene: PlayedScene
    moves: Iterator[tuple[AnyPlay, Sequence[Happened]]]

    def play_out(self) -> None:
        """Play what is left of it."""
        for _ in self.moves:
            pass


class Runner:
    """Plays runs of one case.

    Args:
        plan: The request that the case belongs to.
        case: The case.
    """

    def __init__(self, plan: Plan, case: Case) -> None:
        self._plan = plan
        self._case = case
        self._play = plan.play
        self._simulated = plan.play if isinstance(plan.play, Simulated) else None
        self._actors: tuple[ActorCard, ...] = case.actors(plan.play)
        self._powers = case.powers(plan.play)
        self._figures = figures_of(plan.play)
        self._names = tuple(self._all_names())
        self._by_round = tuple(self._names_by_round(scene.opening) for scene in case.scenes)

    @property
    def actors(self) -> tuple[ActorCard, ...]:
        """The actors that are told of: those of the openings."""
        return self._actors

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers that are told of: those that actors have in the openings."""
        return self._powers

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which figures are told, in their order; every run has them all."""
        return self._names

    def run(self, number: int) -> RunFigures:
        """Play a run to its end.

        Args:
            number: Its number, from 0.

        Raises:
            MatchError: A bot's move is refused.
            BrokenRequest: A later scene of the day cannot be begun.
        """
        values: Counter[str] = Counter()
        stood: Counter[str] = Counter()
        rounds: dict[str, list[int]] = {}
        won_all: set[str] | None = None
        several = len(self._case.scenes) > 1
        done = 0
        for place, (scene, outcome) in enumerate(self.scenes(number)):
            done += 1
            won = self.winners(outcome, scene.sides)
            won_all = won if won_all is None else won_all & won
            values[ROUNDS] += scene.round
            values[MOVES] += scene.moves
            values[UNFINISHED] |= int(not outcome.ended)
            for (figure, actor), amount in scene.counted.items():
                self._add(values, figure, actor, amount, scene.sides)
            if several:
                values[scene_key(ROUNDS, place)] = scene.round
                values.update({scene_key(name, place): 1 for name in won})
            end = self._measured(scene.state)
            rounds |= self._rounds(scene, end, place)
            stood = self._named(end, scene.sides)
        values.update(stood)
        if done == len(self._case.scenes):
            values.update(dict.fromkeys(won_all or (), 1))
        return RunFigures(number, {name: values[name] for name in self._names}, rounds)

    def scenes(self, number: int) -> Iterator[tuple[PlayedScene, Outcome]]:
        """Play the scenes of a run, one after another; see `stages`.

        Yields:
            Each scene when it is over, or was given up, and how it stands.
        """
        for stage in self.stages(number):
            stage.play_out()
            if stage.rest is None:
                yield stage.scene, self._play.outcome(stage.scene.state)

    def stages(self, number: int) -> Iterator[Stage]:
        """Go through the scenes of a run and the rests that are played between them, until a scene is given
        up or won by others than the cast, or nobody of it is left for the next one.

        Args:
            number: The run's number, from 0.

        Yields:
            Each of them at its opening; what is not taken of its moves is played before the next one.
        """
        day, before = Day(self._plan, self._case), None
        for place, scene in enumerate(self._case.scenes):
            opening = scene.opening
            if place:
                opening = yield from self.between(day, number, place, before)
            if opening is None:
                return
            stage = self._stage(opening, number, place)
            yield stage
            stage.play_out()
            before = stage.scene.state
            outcome = self._play.outcome(before)
            if not outcome.ended or self._cast_lost(outcome, stage.scene.sides):
                return

    def between(self, day: Day, number: int, place: int, before: Any) -> Generator[Stage, None, Any | None]:
        """Go from the end of a day's scene to the opening of the next one.

        Args:
            day: The day.
            number: The run's number.
            place: The next scene's place, from 1.
            before: How the scene before ended.

        Yields:
            The rest in between where it is played.

        Returns:
            The opening; None where nobody is left who could go on.
        """
        scene = self._case.scenes[place]
        day.take_home(before)
        rest = day.rest_before(scene)
        if rest is not None and rest.scene is not None and scene.setup is not None:
            opening = day.rest_opening(rest, before)
            if opening is None:
                return None
            stage = self._stage(opening, number, place, rest)
            yield stage
            stage.play_out()
            before = stage.scene.state
            day.take_home(before)
        return day.next_opening(scene, before)

    def _stage(self, opening: Any, number: int, place: int, rest: DayRest | None = None) -> Stage:
        played = PlayedScene(opening)
        name = place if rest is None else f"rest before {place}"
        return Stage(place, rest, played, self.moves(played, number, name))

    def moves(
        self, played: PlayedScene, number: int, place: int | str = 0
    ) -> Iterator[tuple[AnyPlay, Sequence[Happened]]]:
        """Play a scene of a run, move by move; of a campaign, with the scenes that are begun from it.

        Args:
            played: The scene at its opening; it is kept up to date. A campaign stands where it was before a
                scene of its own until that is over, while the scene's moves are counted.
            number: The run's number.
            place: The scene's place in its day, from 0; of a rest in between, its name.

        Yields:
            What happened in each move, behind whose facts they are; what a campaign heard of a move in a
            scene of its own comes behind that move.
        """
        name = ("simulation", self._plan.request.seed, number, place)
        faces, choose = named_stream(*name, "dice"), chooser(named_stream(*name, "choices"))
        scenes = CampaignScenes(self._plan, self._case, self.policy, faces, choose)
        policies: dict[str, Bot | None] = {}

        def bot_of(state: Any, actor: str) -> Bot | None:
            if actor not in policies:
                policies[actor] = self.policy(state, actor, played.sides)
            return policies[actor]

        most = self._plan.request.most_moves
        # Who plays an actor may hang on its side, and is asked before the first move.
        self._begin_move(played, self._play.card(played.state))
        try:
            while played.moves < most and not self._play.outcome(played.state).ended:
                due = scenes.due(played.state)
                if due is not None:
                    yield from self._scene_of_campaign(played, scenes, due)
                    continue
                left = 1 if scenes.possible else most - played.moves
                for card, made in moves_of(
                    self._play, played.state, bot_of, faces=faces, choose=choose, most=left
                ):
                    self._begin_move(played, card)
                    played.state = made.state
                    played.moves += 1
                    played.counted.update(self._counted(made.happened))
                    yield self._play, made.happened
        except Stalled:
            pass  # it has not ended, and so is told of as one without an end
        self._begin_move(played, self._play.card(played.state))

    def _scene_of_campaign(
        self, played: PlayedScene, scenes: CampaignScenes, due: DueScene
    ) -> Iterator[tuple[AnyPlay, Sequence[Happened]]]:
        """Play a scene that is begun from a campaign, and take what the campaign heard of it home.

        Raises:
            Stalled: The scene has no end within the moves that are left.
        """
        self._begin_move(played, self._play.card(played.state))
        heard: list[Happened] = []
        left = self._plan.request.most_moves - played.moves
        for play, happened in scenes.moves(played.state, due, played.sides, left):
            if play is self._play:
                heard += happened
            else:
                played.moves += 1
            yield play, happened
        played.state = scenes.campaign
        played.counted.update(self._counted(heard))

    # Who plays

    def policy(self, state: Any, actor: str, sides: Mapping[str, str]) -> Bot | None:
        """Return the bot that plays an actor; None for the game's own simple player.

        Args:
            state: The state.
            actor: The actor's id.
            sides: The side of every actor.
        """
        policies = self._case.policies
        if actor == GM:
            return None  # no bot of an actor sees what the game master sees
        for subject in (actor, self._play.led_by(state, actor), sides.get(actor, EVERYBODY), EVERYBODY):
            if subject in policies:
                return policies[subject]
        return None

    # What is measured

    def _all_names(self) -> Iterator[str]:
        for figure in self._figures:
            yield from self._names_of(figure, self._actors)
        for place in range(len(self._case.scenes) if len(self._case.scenes) > 1 else 0):
            for figure in self._figures:
                if figure.key in (WON, ROUNDS):
                    names = self._names_of(figure, self._actors)
                    yield from (scene_key(name, place) for name in names)

    def _names_by_round(self, opening: Any) -> tuple[str, ...]:
        """Return the names of figures that are told by round, of the actors who begin a scene."""
        actors = self._play.card(opening).actors
        figures = (figure for figure in self._figures if figure.by_round)
        return tuple(name for figure in figures for name in self._names_of(figure, actors))

    def _names_of(self, figure: Figure, actors: Sequence[ActorCard]) -> Iterator[str]:
        if figure.of_scene:
            yield figure.key
            return
        if figure.by_power:
            yield from self._names_of_powers(figure)
            return
        yield from (side_key(figure.key, side) for side in dict.fromkeys(actor.side for actor in actors))
        yield from (actor_key(figure.key, actor.id) for actor in actors)

    def _names_of_powers(self, figure: Figure) -> Iterator[str]:
        sides = {actor.id: actor.side for actor in self._actors}
        told = [(power_key(figure.key, each.id), each.actor) for each in self._powers if each.actor in sides]
        yield from dict.fromkeys(side_key(key, sides[actor]) for key, actor in told)
        yield from (actor_key(key, actor) for key, actor in told)

    def _begin_move(self, played: PlayedScene, card: SceneCard) -> None:
        """Take down who is there before a move, and how it stood at the end of a round that is over by
        now."""
        for actor in card.actors:
            played.sides.setdefault(actor.id, actor.side)
        if played.round and card.round != played.round and len(played.by_round) < MOST_ROUNDS:
            played.by_round.append(self._measured(played.state))
        played.round = card.round

    def _measured(self, state: Any) -> Amounts:
        if self._simulated is None:
            return {}
        return {(each.figure, each.actor): each.value for each in self._simulated.measure(state)}

    def measured_in(self, state: Any, sides: Mapping[str, str]) -> Counter[str]:
        """Return how a state stands, by the names of figures."""
        return self._named(self._measured(state), sides)

    def counted_in(self, happened: Iterable[Happened], sides: Mapping[str, str]) -> Counter[str]:
        """Return what events add to figures, by their names."""
        return self._named(self._counted(happened), sides)

    def _counted(self, happened: Iterable[Happened]) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        if self._simulated is not None:
            for one in happened:
                for each in self._simulated.count(one.before, one.event):
                    found[power_key(each.figure, each.power), each.actor] += each.value
        return found

    def _named(self, amounts: Amounts, sides: Mapping[str, str]) -> Counter[str]:
        found: Counter[str] = Counter()
        for (figure, actor), amount in amounts.items():
            self._add(found, figure, actor, amount, sides)
        return found

    def _add(
        self, values: Counter[str], figure: str, actor: str, amount: int, sides: Mapping[str, str]
    ) -> None:
        values[actor_key(figure, actor)] += amount
        if actor in sides:
            values[side_key(figure, sides[actor])] += amount

    def _rounds(self, scene: PlayedScene, end: Amounts, place: int) -> dict[str, list[int]]:
        """Return the figures of a scene that are told by round: at the end of each, and last at its own."""
        told = {figure.key for figure in self._figures if figure.by_round}
        found: dict[str, list[int]] = {name: [] for name in self._by_round[place]}
        for amounts in (*scene.by_round, end):
            values: Counter[str] = Counter()
            for (figure, actor), amount in amounts.items():
                if figure in told:
                    self._add(values, figure, actor, amount, scene.sides)
            for name, known in found.items():
                known.append(values[name])
        return {scene_key(name, place): known for name, known in found.items()}

    def winners(self, outcome: Outcome, sides: Mapping[str, str]) -> set[str]:
        """Return the names under which it is told who won: a side wins with any of its actors, and an actor
        with their side.
        """
        winners = set(outcome.winners)
        won = {sides[each] for each in winners if each in sides} | (winners - sides.keys())
        found = {side_key(WON, side) for side in won}
        return found | {
            actor_key(WON, actor) for actor, side in sides.items() if actor in winners or side in winners
        }

    def _cast_lost(self, outcome: Outcome, sides: Mapping[str, str]) -> bool:
        ours = {member.id for member in self._case.cast}
        ours |= {sides[each] for each in ours if each in sides}
        return bool(outcome.winners) and bool(ours) and ours.isdisjoint(outcome.winners)
