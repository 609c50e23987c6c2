"""The campaigns of Fortunate Blades: what `engine.campaign` asks of a game, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from services.rules.engine.bots import Bot
from services.rules.engine.campaign import DueScene, SceneOrder
from services.rules.engine.chronicle import ChronicleNote
from services.rules.engine.codec import Codec, Json
from services.rules.engine.plain import PlainCampaign, union_codec
from services.rules.engine.play import (
    ActorCard,
    Audience,
    CastMember,
    Change,
    Disposition,
    LegalMove,
    MoveGroup,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems
from services.rules.engine.setups import Party
from services.rules.engine.simulation.figures import Amount, Figure
from services.rules.engine.steps import Ask, Steps
from services.rules.systems.fortunate_blades.advancement import advance_text
from services.rules.systems.fortunate_blades.build import build
from services.rules.systems.fortunate_blades.campaign import (
    bots,
    chronicle,
    figures,
    legal,
    rules,
    scenes,
    setup,
    tell,
    view,
)
from services.rules.systems.fortunate_blades.campaign.evolve import evolve
from services.rules.systems.fortunate_blades.campaign.facts import CampaignFact, HeroCame, HeroLeft
from services.rules.systems.fortunate_blades.campaign.move_groups import MOVE_GROUPS
from services.rules.systems.fortunate_blades.campaign.moves import CampaignMove
from services.rules.systems.fortunate_blades.campaign.setup import SETUP_TEXTS, SETUPS, CampaignSetup, party
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Member
from services.rules.systems.fortunate_blades.campaign.state.forms import fact_with_progress, with_progress
from services.rules.systems.fortunate_blades.campaign.state.progress import Progress
from services.rules.systems.fortunate_blades.campaign.turn import CampaignTurn
from services.rules.systems.fortunate_blades.catalog import SLUG, Catalog
from services.rules.systems.fortunate_blades.choices import Advance, CarriedGear, HeroChoices, TradeChoice
from services.rules.systems.fortunate_blades.site import STORY_SITE_CODEC, StorySite


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains:
    """What a campaign has brought a hero since it began.

    Attributes:
        advances: In their order, all of them approved.
        gear: Content ids of the gear that the hero has from loot.
    """

    advances: tuple[Advance, ...]
    gear: tuple[str, ...] = ()


_GAINS = Codec(Gains, f"{SLUG}/gains")

REMEMBERED = 256
"""Heroes' changes that a process remembers: they are asked for after each move, and seldom differ."""


class FortunateBladesCampaign(PlainCampaign[CampaignSetup, Campaign, CampaignMove, CampaignFact]):
    """The game's campaigns, played with a catalog.

    Args:
        catalog: The content.
    """

    setup_codec = Codec(CampaignSetup, f"{SLUG}/campaign/setup")
    state_codec = Codec(Campaign, f"{SLUG}/campaign/state", version=2, upgrades={1: with_progress})
    move_codec = union_codec(CampaignMove, f"{SLUG}/campaign/move")
    event_codec = union_codec(
        CampaignFact, f"{SLUG}/campaign/event", version=2, upgrades={1: fact_with_progress}
    )
    site_codec = STORY_SITE_CODEC
    map_kinds = ("story",)
    setups: Mapping[str, CampaignSetup] = SETUPS
    setup_texts: Mapping[str, str] = SETUP_TEXTS
    move_groups: tuple[MoveGroup, ...] = MOVE_GROUPS

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._bots = bots.own_bots(self)
        self._change = lru_cache(REMEMBERED)(self._change_of)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The game's own bots, the weakest first."""
        return self._bots

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What simulations measure beside what every game has."""
        return figures.FIGURES

    def measure(self, state: Campaign) -> Iterable[Amount]:
        """How a campaign stands."""
        return figures.measure(state)

    def count(self, state: Campaign, event: CampaignFact) -> Iterable[Amount]:
        """What a fact adds to figures."""
        return figures.count(state, event)

    def begin(self, setup_: CampaignSetup, cast: tuple[CastMember, ...]) -> Campaign | Problems:
        """The opening position."""
        return setup.begin(setup_, cast, self.catalog)

    def party(self, setup_: CampaignSetup) -> Party:
        """Which heroes a campaign can be begun with."""
        return party(setup_)

    def laid_out(self, setup_: CampaignSetup, site: StorySite) -> CampaignSetup | Problems:
        """The setup with a stored story map as its place."""
        return setup.laid_out(setup_, site)

    def on_map(self, state: Campaign) -> StorySite | None:
        """The stored story map as it is now."""
        return setup.site_of(state)

    def legal(self, state: Campaign, actor: str) -> tuple[LegalMove, ...]:
        """What an actor may do now."""
        return legal.legal(state, actor, self.catalog)

    def admits_players(self, state: Campaign) -> bool:
        """Whether players may act before they have a hero: with drafts, until the story begins."""
        return state.session_zero and not state.ended

    def rule(self, turn: CampaignTurn, move: CampaignMove) -> Steps:
        """What happens when a move is made, step by step."""
        return rules.rule(turn, move)

    def evolve(self, state: Campaign, event: CampaignFact) -> Campaign:
        """The state after one fact."""
        return evolve(state, event)

    def outcome(self, state: Campaign) -> Outcome:
        """Whether the campaign is over, and how."""
        return view.outcome(state)

    def view(self, state: Campaign, viewer: Viewer) -> Campaign:
        """What a viewer may know of the campaign."""
        return view.view(state, viewer)

    def sees(self, event: CampaignFact, viewer: Viewer) -> CampaignFact | None:
        """An event as a viewer may know it."""
        return view.sees(event, viewer)

    def known_to(self, state: Campaign, actor: str) -> Audience | None:
        """Who may know of a hero, a force or a place."""
        return view.known_to(state, actor)

    def tell(self, state: Campaign, event: CampaignFact) -> str:
        """A plain sentence for a fact."""
        return tell.tell(state, event, self.catalog)

    def chronicle(self, event: CampaignFact) -> ChronicleNote | None:
        """How a fact stands in the chronicle."""
        return chronicle.chronicle(event)

    def card(self, state: Campaign) -> SceneCard:
        """What any client can draw."""
        return view.card(state, self.catalog)

    def disposition(self, mover: ActorCard, other: ActorCard) -> Disposition | None:
        """Heroes are friends; nothing else on the card takes a side."""
        return Disposition.FRIEND if other.side == view.HEROES else None

    def scenes(self, state: Campaign) -> Mapping[str, SceneOrder]:
        """The encounters and rests that may be begun now."""
        return scenes.scenes(state, self.catalog)

    def began(self, state: Campaign, name: str) -> tuple[CampaignFact, ...]:
        """What beginning a scene does."""
        return scenes.began(state, name)

    def hears(self, state: Campaign, name: str, event: Any) -> tuple[CampaignFact, ...]:
        """What an event of a scene does."""
        return scenes.hears(state, event, self.catalog)

    def parted(self, state: Campaign, name: str) -> tuple[CampaignFact, ...]:
        """What the end of a scene does."""
        return scenes.parted(state, name)

    def due(self, state: Campaign) -> DueScene | None:
        """The scene that a simple game master begins now."""
        return bots.due(state, self.catalog)

    def joined(self, state: Campaign, member: CastMember) -> tuple[CampaignFact, ...]:
        """A hero is of the party: once more, or for the first time with the places and forces it brings."""
        came = HeroCame(member=setup.member_of(member, self.catalog), hero=member.id)
        if any(each.id == member.id for each in state.heroes):
            return (came,)
        return (came, *setup.arrivals(state, member))

    def left(self, state: Campaign, character: str) -> tuple[CampaignFact, ...]:
        """A hero leaves the party."""
        return (HeroLeft(hero=character),)

    def changes(self, state: Campaign) -> tuple[Change, ...]:
        """What each hero has gained, all of it."""
        gained = ((hero, self._gear(state, hero)) for hero in state.heroes)
        return tuple(
            self._change(hero.id, hero.progress, hero.trades, gear)
            for hero, gear in gained
            if gear or hero.progress != Progress()
        )

    def _gear(self, state: Campaign, hero: Member) -> tuple[str, ...]:
        """Content ids of the gear of loot that the campaign lists and a hero has."""
        return tuple(each.gear for each in state.finds if each.holder == hero.id and each.gear)

    def _change_of(
        self, hero: str, progress: Progress, trades: tuple[TradeChoice, ...], gear: tuple[str, ...]
    ) -> Change:
        before = (each for each, count in progress.gear.items() for _ in range(count))
        gains = Gains(advances=tuple(progress.advances(trades)), gear=(*before, *gear))
        names = [*(advance_text(each, self.catalog) for each in gains.advances)]
        names += [self.catalog.gear[each].name for each in gear]
        text = "; ".join(names)
        data = cast("dict[str, Json]", _GAINS.dump(gains)["data"])
        return Change(character=hero, data=data, text=f"{text}.")

    def absorb(self, choices: HeroChoices, data: Mapping[str, Json]) -> HeroChoices:
        """A hero's choices with what the campaign has brought; gear without a free slot is not carried."""
        found = _GAINS.read(dict(data))
        choices = replace(choices, advances=(*choices.advances, *found.advances))
        for gear in found.gear:
            carrying = replace(choices, gear=(*choices.gear, CarriedGear(gear=gear)))
            if not isinstance(build(carrying, self.catalog), Problems):
                choices = carrying
        return choices

    def bot(self, state: Campaign, actor: str) -> CampaignMove | None:
        """A simple player's move."""
        return bots.bot(state, actor, self.catalog)

    def reply(self, state: Campaign, ask: Ask) -> CampaignMove:
        """A simple player's answer."""
        return bots.reply(self, ask)
