"""Scenes that are begun from a campaign while it is simulated, and how they come home to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from services.rules.dice.stream import FaceStream
from services.rules.engine.bots import Bot, bots_of
from services.rules.engine.campaign import AnyCampaign, CampaignPlay, DueScene, began, heard
from services.rules.engine.matches import MatchError, Stalled, moves_of
from services.rules.engine.play import AnyPlay, CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import Choose
from services.rules.engine.simulation.cases import Case, Plan
from services.rules.engine.steps import Happened, Turn

Policy = Callable[[Any, str, Mapping[str, str]], Bot | None]
"""The bot of a campaign that plays an actor: takes the state, the actor's id, and the side of every actor."""


class CampaignScenes:
    """Plays the scenes that are begun from a campaign in one run, and keeps what they change about heroes.

    A scene is due when the game says so (`CampaignPlay.due`). Its characters are those of the request's cast
    who are to take part, as what they have gained so far makes them; each is played by the scenes' own bot of
    the name of the bot that plays them in the campaign.

    Args:
        plan: The request.
        case: The case.
        policy: Who plays whom in the campaign.
        faces: How the dice fall.
        choose: What bots leave to chance.
    """

    def __init__(self, plan: Plan, case: Case, policy: Policy, faces: FaceStream, choose: Choose) -> None:
        self._play = cast(AnyCampaign, plan.play)
        self._scenes = plan.system.scene_play if isinstance(plan.play, CampaignPlay) else None
        self._policy = policy
        self._faces, self._choose = faces, choose
        self._members = {member.id: member for member in case.cast}
        self._characters = dict(case.characters)
        self._campaign: Any = None

    @property
    def possible(self) -> bool:
        """Whether scenes may be begun: the game has them, and the request has a cast for them."""
        return self._scenes is not None and bool(self._members)

    @property
    def campaign(self) -> Any:
        """The campaign as it stands after the last scene."""
        return self._campaign

    def due(self, state: Any) -> DueScene | None:
        """Return the scene that is to be begun now, with those of its characters who are known."""
        due = self._play.due(state) if self.possible else None
        if due is None:
            return None
        known = tuple(each for each in due.cast if each in self._members)
        return replace(due, cast=known) if known else None

    def moves(
        self, state: Any, due: DueScene, sides: Mapping[str, str], most: int
    ) -> Iterator[tuple[AnyPlay, Sequence[Happened]]]:
        """Play a scene of a campaign to its end.

        Args:
            state: Where the campaign stands.
            due: The scene.
            sides: The side of every actor of the campaign.
            most: Moves within which it is over.

        Yields:
            What happened in each move of the scene, behind whose facts they are, and behind it what the
            campaign heard of it, if anything; first of all what beginning the scene did.

        Raises:
            Stalled: The scene has no end within these moves.
            MatchError: The scene cannot be begun, or a bot's move is refused.
        """
        scenes = cast(AnyPlay, self._scenes)
        opening = scenes.begin(self._play.scenes(state)[due.name].setup, self._cast(state, due))
        if isinstance(opening, Problems):
            raise MatchError(f"the scene {due.name} cannot be begun: {opening}")
        self._campaign = state
        yield from self._taken(began(self._play, state, due.name))
        at = opening
        bots = self._bots(state, opening, sides)
        for _, made in moves_of(
            scenes,
            opening,
            lambda _state, actor: bots.get(actor),
            faces=self._faces,
            choose=self._choose,
            most=most,
        ):
            at = made.state
            yield scenes, made.happened
            yield from self._taken(heard(self._play, self._campaign, due.name, made.events))
        if not scenes.outcome(at).ended:
            raise Stalled(f"the scene {due.name} has no end within {most} moves")
        yield from self._taken(heard(self._play, self._campaign, due.name, (), over=True))
        self._take_home(at)

    def _taken(self, turn: Turn[Any, Any]) -> Iterator[tuple[AnyPlay, Sequence[Happened]]]:
        """Take in what a scene did to the campaign, and tell it where it is anything."""
        self._campaign = turn.state
        if turn.happened:
            yield self._play, turn.happened

    def _bots(self, state: Any, opening: Any, sides: Mapping[str, str]) -> dict[str, Bot | None]:
        """Return who plays the actors of a scene, by id; None for the game's own simple player."""
        scenes = cast(AnyPlay, self._scenes)
        known = {bot.id: bot for bot in bots_of(scenes)}
        policies = {actor.id: self._policy(state, actor.id, sides) for actor in scenes.card(opening).actors}
        return {actor: bot and known.get(bot.id) for actor, bot in policies.items()}

    def _cast(self, state: Any, due: DueScene) -> tuple[CastMember, ...]:
        """Return the characters of a scene, as what they have gained so far makes them."""
        gains = {change.character: change.data for change in self._play.changes(state)}
        return tuple(self._member(each, gains) for each in due.cast)

    def _member(self, hero: str, gains: Mapping[str, Any]) -> CastMember:
        member, character = self._members[hero], self._characters.get(hero)
        if character is None:
            return member
        grown = character.absorbing(character.play, gains[hero]) if hero in gains else None
        sheet = character.sheet_of(character.choices) if grown is None else grown[1]
        return member if sheet is None else CastMember(id=hero, sheet=sheet)

    def _take_home(self, state: Any) -> None:
        """Take in what a scene has changed about its characters."""
        for change in cast(AnyPlay, self._scenes).changes(state):
            character = self._characters.get(change.character)
            scenes = None if character is None else character.forms.system.scene_play
            if character is None or scenes is None:
                continue
            built = character.absorbing(scenes, change.data)
            if built is not None:
                self._characters[change.character], _ = built
