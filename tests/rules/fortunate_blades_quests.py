"""Quests of Fortunate Blades that bots play whole: campaign, encounters, rests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from services.rules.engine.bots import Bot, bots_of
from services.rules.engine.campaign import began, heard
from services.rules.engine.matches import chooser, moves_of, named_stream
from services.rules.engine.play import GM, AnyPlay, CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.campaign.moves import AllowRest, OfferQuest, PlanEncounter
from services.rules.systems.fortunate_blades.campaign.state import Size
from services.rules.systems.fortunate_blades.choices import HeroChoices
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.state import Safety
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening
from tests.rules.fortunate_blades_encounters import PLAY as ENCOUNTERS

HEROES, QUESTS = 3, 3
FOES = 6
"""Ticks of the clock of each encounter."""


def named_bot(play: AnyPlay, name: str) -> Bot:
    return next(bot for bot in bots_of(play) if bot.id == name)


@dataclass
class Story:
    """A campaign of a few quests, all heroes played by bots of one name.

    Attributes:
        player: The bots' name.
        seed: Names the dice.
        counted: Figures of the campaign so far, all actors together.
        homes: The heroes' choices, as scenes have changed them.
    """

    player: str
    seed: int
    counted: Counter[str] = field(default_factory=Counter)
    homes: dict[str, HeroChoices] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.evening = Evening.begun(self.seed, HEROES)
        self.homes = {f"chr-{name}": SYSTEM.examples[name] for name in list(SYSTEM.examples)[:HEROES]}
        self.choose = chooser(named_stream("story", self.seed, "choices"))
        self.faces = named_stream("story", self.seed, "dice")
        self.campaigner = named_bot(CAMPAIGNS, self.player)
        self.fighter = named_bot(ENCOUNTERS, self.player)

    def play(self, quests: int = QUESTS) -> Counter[str]:
        """Plays so many quests, fewer where no hero is left; returns the figures."""
        state = self.evening.state
        while state.quests_ended < quests and state.present():
            self._step()
            state = self.evening.state
        for _, happened in self.evening.seen:
            for before, event in happened:
                for amount in CAMPAIGNS.count(before, event):
                    self.counted[amount.figure] += amount.value
        return self.counted

    def _step(self) -> None:
        state, evening = self.evening.state, self.evening
        if evening.at.asks:
            self._answer(evening.at.asks[0])
        elif self._fights():
            self._fight()
        elif (move := self._gain()) is not None:
            evening.make(move)
        elif state.quest is None and len(state.offered) < 2 and not (state.doom and state.doom.entangled):
            force = state.known_forces()[0].id
            size = tuple(Size)[(state.quests_ended + len(state.offered)) % 2]
            evening.make(OfferQuest(actor=GM, force=force, size=size))
        else:
            evening.make(CAMPAIGNS.bot(state, GM))

    def _answer(self, ask: Ask) -> None:
        eyes = Viewer(gm=ask.actor == GM, actors=frozenset({ask.actor}))
        view = CAMPAIGNS.view(self.evening.state, eyes)
        if ask.actor == GM:
            self.evening.make(CAMPAIGNS.reply(view, ask))
        else:
            self.evening.make(self.campaigner.reply(CAMPAIGNS, view, ask, self.choose))

    def _fights(self) -> bool:
        """Whether the quest under way wants another encounter, and a hero is left for it."""
        quest = self.evening.state.quest
        if quest is None or not self._fit():
            return False
        return quest.encounters < quest.size.rules(SYSTEM.content.rules.quests).least

    def _gain(self) -> Any:
        """What a hero spends what was earned on, as a simple player does; None where nobody can."""
        for hero in CAMPAIGNS.card(self.evening.state).waiting_for[:-1]:
            view = CAMPAIGNS.view(self.evening.state, Viewer(actors=frozenset({hero})))
            move = CAMPAIGNS.bot(view, hero)
            if move is not None:
                return move
        return None

    def _fit(self) -> list[str]:
        """The heroes who are with the party now."""
        return [each.id for each in self.evening.state.present() if each.fate.value == "with"]

    def _fight(self) -> None:
        """An encounter with foes, and a rest behind it."""
        evening = self.evening
        evening.make(PlanEncounter(actor=GM, title="Foes", clock="Foes", size=FOES, sort=ClockKind.ENEMY))
        self._scene("encounter")
        if evening.state.quest is not None and self._fit():
            evening.make(AllowRest(actor=GM, safety=Safety.SAFE))
            self._scene("rest")

    def _scene(self, name: str) -> None:
        cast = tuple(self._cast())
        opening = ENCOUNTERS.begin(CAMPAIGNS.scenes(self.evening.state)[name].setup, cast)
        assert not isinstance(opening, Problems), str(opening)
        self.evening.hear(began(CAMPAIGNS, self.evening.state, name))
        heroes = {each.id for each in cast}
        state = opening
        for _, made in moves_of(
            ENCOUNTERS,
            opening,
            lambda _state, actor: self.fighter if actor in heroes else None,
            faces=self.faces,
            choose=self.choose,
        ):
            state = made.state
            events = [each.event for each in made.happened]
            self.evening.hear(heard(CAMPAIGNS, self.evening.state, name, events))
        self.evening.hear(heard(CAMPAIGNS, self.evening.state, name, (), over=True))
        for change in ENCOUNTERS.changes(state):
            self.homes[change.character] = ENCOUNTERS.absorb(self.homes[change.character], change.data)

    def _cast(self) -> list[CastMember]:
        """The heroes who are with the party, as they are now."""
        gains = {change.character: change.data for change in CAMPAIGNS.changes(self.evening.state)}
        found = []
        for hero in self._fit():
            choices = self.homes[hero]
            grown = CAMPAIGNS.absorb(choices, gains[hero]) if hero in gains else choices
            sheet = SYSTEM.build(grown, SYSTEM.content)
            if isinstance(sheet, Problems):
                sheet = SYSTEM.build(choices, SYSTEM.content)
            assert not isinstance(sheet, Problems), str(sheet)
            found.append(CastMember(id=hero, sheet=sheet))
        return found
