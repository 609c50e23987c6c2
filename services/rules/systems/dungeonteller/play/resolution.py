"""A move being worked out: its dice and questions, what happens in it, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from services.rules.engine.play import EVERYONE, Audience, Roll
from services.rules.engine.steps import Ask, Refused, Step, Steps, Trial, Turn, tried
from services.rules.systems.dungeonteller.actions import count_successes
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.facts import Event, Happened, Rolled
from services.rules.systems.dungeonteller.play.moves import Answer
from services.rules.systems.dungeonteller.play.sentences import sentence_of
from services.rules.systems.dungeonteller.play.state import Being, Scene


class Resolution:
    """A move being worked out: a turn of the engine, with the content.

    Args:
        turn: The turn of the engine that it happens in.
        catalog: The content.
    """

    def __init__(self, turn: Turn[Scene, Event], catalog: Catalog) -> None:
        self.catalog = catalog
        self._turn = turn
        self._successes: dict[str, int] = {}

    @property
    def scene(self) -> Scene:
        """The scene after everything that has happened."""
        return self._turn.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened in this move."""
        return tuple(each.event for each in self._turn.happened)

    @property
    def is_trial(self) -> bool:
        """Whether the move is only tried, as for an offer."""
        return isinstance(self._turn, Trial)

    # Dice and answers

    def roll(self, *rolls: Roll) -> Step[tuple[int, ...]]:
        """Lets dice fall together.

        Returns:
            The successes of each roll; `successes` tells them later on.
        """
        fallen = yield from self._turn.roll(*rolls)
        for roll, faces in zip(rolls, fallen, strict=True):
            found = count_successes(faces, self.catalog.settings.lucky_faces)
            self._successes[roll.id] = found
            self.do(
                Rolled(
                    roll=roll.id,
                    being=roll.actor,
                    label=roll.label,
                    dice=roll.dice,
                    faces=faces,
                    successes=found,
                    audience=roll.audience,
                )
            )
        return tuple(self._successes[roll.id] for roll in rolls)

    def ask(self, *asks: Ask) -> Step[tuple[Answer, ...]]:
        """Asks side by side; nobody reads an answer before all are in."""
        answers = yield from self._turn.ask(*asks)
        return answers

    def check(self, rule: Callable[[Self], Steps], scene: Scene | None = None) -> None:
        """Tries a part of a rule without letting anything happen, as things stand now or would stand.

        Raises:
            Refused: It cannot be done.
        """
        now = self.scene if scene is None else scene
        tried(lambda turn: rule(type(self)(turn, self.catalog)), now)

    def allows(self, rule: Callable[[Self], Steps]) -> bool:
        """Whether a part of a rule can be done as things stand now."""
        try:
            self.check(rule)
        except Refused:
            return False
        return True

    # Facts

    def do(self, event: Event) -> None:
        """Lets something happen, for those who may know of all that it names."""
        self._turn.happen(event)

    def say(
        self,
        code: str,
        *,
        by: str = "",
        targets: tuple[str, ...] = (),
        power: str = "",
        successes: int = 0,
        number: int = 0,
        words: str = "",
        audience: Audience = EVERYONE,
    ) -> None:
        """Tells what happened, in the words of `content/sentences.toml`; see `Happened` for what it says.

        Its rule is the sentence's own, else the source of the power.

        Args:
            code: What happened: the sentence's name.
            by: Id of whoever did it.
            targets: Ids of all others whom it concerns.
            power: Content id of the power, if it was one.
            successes: Successes that count in the end.
            number: What else is counted.
            words: Words of players, or the name of what has no id.
            audience: Whom it is meant for.
        """
        known = self.catalog.powers.get(power)
        self.do(
            Happened(
                code=code,
                by=by,
                targets=targets,
                power=power,
                successes=successes,
                number=number,
                words=words,
                rule=sentence_of(code).rule or (known.source if known is not None else ""),
                audience=audience,
            )
        )

    def successes(self, roll: str) -> int:
        """How many dice of a roll succeeded; none of a roll that was not made."""
        return self._successes.get(roll, 0)

    def being(self, being_id: str) -> Being:
        """A being as they are now.

        Raises:
            KeyError: There is nobody of this id.
        """
        found = self.scene.being(being_id)
        if found is None:
            raise KeyError(being_id)
        return found

    def number(self, word: str, *, secret: bool = False) -> str:
        """A new id: a word and a number, of a series of its own for what is hidden."""
        return f"{word}-s{self.scene.secrets + 1}" if secret else f"{word}-{self.scene.counter + 1}"
