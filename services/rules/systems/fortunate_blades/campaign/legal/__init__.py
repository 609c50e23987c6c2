"""The moves that an actor may make now in a campaign, as buttons; none of them is refused."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, choice_field, flag_field, number_field, text_field
from services.rules.engine.play import GM, PLAYER, LegalMove, MoveField
from services.rules.systems.fortunate_blades.advancement import (
    learnable,
    open_trades,
    raise_problem,
    track_of,
)
from services.rules.systems.fortunate_blades.campaign import asks
from services.rules.systems.fortunate_blades.campaign.legal import drafts
from services.rules.systems.fortunate_blades.campaign.legal import loot as loot_legal
from services.rules.systems.fortunate_blades.campaign.legal import session_zero as zero
from services.rules.systems.fortunate_blades.campaign.moves import (
    AddForce,
    AddPlace,
    AllowRest,
    CallVote,
    ChangePlace,
    EndCampaign,
    Ending,
    EndQuest,
    LearnTalent,
    LoseAdvantage,
    OfferQuest,
    PickAdvantage,
    PlanEncounter,
    RaiseAttribute,
    RestoreAdvantage,
    RevealForce,
    RevealPlace,
    RevealStage,
    RollEntanglement,
    SeatForce,
    SettleForce,
    SpendExperience,
    TellFact,
    TickCause,
    TickClock,
    UseAdvantage,
)
from services.rules.systems.fortunate_blades.campaign.rules.quests import MOST_OFFERED, sizes_of
from services.rules.systems.fortunate_blades.campaign.rules.story import stages_struck
from services.rules.systems.fortunate_blades.campaign.setup import MOST_KNOWN
from services.rules.systems.fortunate_blades.campaign.state import (
    Campaign,
    Member,
    Quest,
    Size,
    Stage,
)
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.state import Safety
from services.rules.systems.fortunate_blades.play.words import LONGEST
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryDetail, StoryMagnitude
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack

NAMED = LONGEST_NAME


def legal(state: Campaign, actor: str, catalog: Catalog) -> tuple[LegalMove, ...]:
    """What an actor may do now."""
    if state.ended:
        return ()
    if actor == GM:
        return tuple(_master(state, catalog))
    if actor.startswith(PLAYER):
        return tuple(drafts.of_player(state, actor, catalog)) if state.session_zero else ()
    hero = state.hero(actor)
    return () if hero is None else tuple(_hero(state, hero, catalog))


def _words(label: str, name: str = "words") -> MoveField:
    return text_field(name, label, LONGEST, required=False)


def _tell(state: Campaign, actor: str) -> LegalMove:
    named = state.names()
    known = [(each, named[each]) for each in asks.known_ids(state)]
    return button(
        TellFact(actor=actor, words=""),
        "tell",
        "Tell what is true",
        "It is part of the story from now on.",
        "The Story",
        text_field("words", "What is so?", LONGEST),
        choice_field("about", "About whom or what?", known, required=False),
    )


# Heroes


def _hero(state: Campaign, hero: Member, catalog: Catalog) -> Iterator[LegalMove]:
    if state.session_zero:
        yield from zero.of_hero(state, hero, catalog)
        yield _tell(state, hero.id)
        return
    yield from _advances(state, hero, catalog)
    for owned in state.held():
        entry = catalog.advantages[owned.advantage]
        if not (entry.topics or entry.local or entry.people):
            move = UseAdvantage(actor=hero.id, advantage=entry.id)
            label = f"Use {entry.name}"
            yield button(move, f"use:{entry.id}", label, entry.text, "Party Advantages", _words("What for?"))
    yield _tell(state, hero.id)


def may_advance(state: Campaign, hero: Member, catalog: Catalog) -> bool:
    """Whether a hero has experience to spend, or a full track to empty."""
    return any(True for _ in _advances(state, hero, catalog))


def _advances(state: Campaign, hero: Member, catalog: Catalog) -> Iterator[LegalMove]:
    rule = "Advancement"
    for track in TrainingTrack:
        most = min(hero.experience, hero.room(track, catalog))
        if most > 0:
            move = SpendExperience(actor=hero.id, track=track, boxes=1)
            boxes = number_field("boxes", "How many boxes?", 1, most)
            label = f"Check boxes of the {track.value} track"
            yield button(move, f"spend:{track.value}", label, "One experience each.", rule, boxes)
    able = [
        each
        for each in Attribute
        if hero.room(track_of(each), catalog) <= 0 and raise_problem(each, hero.ranks[each], catalog) is None
    ]
    if able:
        which = choice_field("attribute", "Which attribute?", ((each.value, each.label) for each in able))
        move_up = RaiseAttribute(actor=hero.id, attribute=able[0])
        yield button(move_up, "raise", "Raise an attribute", "The track is emptied.", rule, which)
    if hero.room(TrainingTrack.TALENT, catalog) > 0 or state.quest is not None:
        return
    for trade in open_trades(hero.trades, catalog):
        talents = [(each, catalog.talents[each].name) for each in learnable(trade, hero.trades, catalog)]
        which = choice_field("talent", "Which talent?", talents)
        learn = LearnTalent(actor=hero.id, trade=trade, talent="")
        label = f"Learn of {catalog.trades[trade].name}"
        yield button(learn, f"learn:{trade}", label, catalog.trades[trade].text, rule, which)


# The game master


def _master(state: Campaign, catalog: Catalog) -> Iterator[LegalMove]:
    if state.session_zero:
        yield from zero.of_master(state, catalog)
    elif state.quest is None:
        yield from _between(state, catalog)
    elif not state.scene:
        yield from _on_quest(state, state.quest, catalog)
    if not state.session_zero:
        yield from loot_legal.of_master(state, catalog)
        yield from _doom(state, catalog)
        yield from _advantages(state, catalog)
    yield from _world(state)
    yield _tell(state, GM)
    text = "Whether the party has won is yours to say."
    yield button(
        EndCampaign(actor=GM),
        "end",
        "End the campaign",
        text,
        "Campaign",
        flag_field("won", "Has the party won?"),
        _words("How does it end?"),
    )


def _between(state: Campaign, catalog: Catalog) -> Iterator[LegalMove]:
    if len(state.offered) < MOST_OFFERED:
        kinds = ((each.id, each.name) for each in catalog.quest_kinds)
        fields = (
            text_field("name", "What is it called?", NAMED, required=False),
            choice_field("size", "How large?", ((each.value, each.value.capitalize()) for each in Size)),
            *_links(state),
            _words("What is really behind it?", "truth"),
        )
        text = "The group chooses one of those that are offered."
        kind = choice_field("about", "What is it about?", kinds)
        yield button(OfferQuest(actor=GM), "offer", "Offer a quest", text, "Quests", kind, *fields)
        yield button(OfferQuest(actor=GM), "draw", "Roll for a quest", text, "Quests", *fields)
    if state.offered:
        text = "The most votes decide; you settle a tie."
        yield button(CallVote(actor=GM), "vote", "Let them choose a quest", text, "Quests")


def _links(state: Campaign) -> Iterator[MoveField]:
    forces = [(each.id, each.name) for each in state.known_forces()]
    places = [(each.id, each.name) for each in state.known_places()]
    if forces:
        yield choice_field("force", "Which force has to do with it?", forces, required=False)
    if places:
        yield choice_field("place", "Where does it lead?", places, required=False)


def _on_quest(state: Campaign, quest: Quest, catalog: Catalog) -> Iterator[LegalMove]:
    places = [(each.id, each.name) for each in state.places]
    kinds = [(each.value, each.value.capitalize()) for each in ClockKind if each is not ClockKind.PROJECT]
    plan = PlanEncounter(actor=GM, title="", clock="", size=1)
    yield button(
        plan,
        "plan",
        "Prepare the next encounter",
        "In secret; it is begun as a scene.",
        "Encounters",
        text_field("title", "What is it called?", NAMED),
        text_field("clock", "What is in the way?", NAMED),
        number_field("size", "Ticks of its clock", 1, catalog.rules.clocks.most),
        choice_field("sort", "What sort of clock?", kinds),
        choice_field("place", "Where?", places, required=False),
        flag_field("aboard", "On board of the party's vehicle?"),
    )
    if quest.encounters:
        safeties = ((each.value, each.value.capitalize()) for each in Safety)
        which = choice_field("safety", "How safe is it?", safeties)
        rest = AllowRest(actor=GM, safety=Safety.SAFE)
        yield button(rest, "rest", "Say how safe it is to rest", "A rest is a scene.", "Taking a Rest", which)
    for ending, label in (
        (Ending.COMPLETED, "The quest is over"),
        (Ending.MIDWAY, "The quest is abandoned midway"),
        (Ending.AT_START, "The quest is abandoned at its start"),
    ):
        sizes = [(each.value, each.value.capitalize()) for each in sizes_of(quest, ending, catalog)]
        if sizes:
            yield button(
                EndQuest(actor=GM, ending=ending),
                f"over:{ending.value}",
                label,
                "Five questions, then experience and reputation.",
                "End of the Quest",
                choice_field("size", "How large was it?", sizes),
                *_force_field(state),
                text_field("new_force", "Or a new force?", NAMED, required=False),
            )


def _force_field(state: Campaign) -> Iterator[MoveField]:
    forces = [(each.id, each.name) for each in state.known_forces()]
    if forces:
        yield choice_field("force", "Which force did it have to do with?", forces, required=False)


def _doom(state: Campaign, catalog: Catalog) -> Iterator[LegalMove]:
    doom, rules, rule = state.doom, catalog.rules.campaign, "The Campaign Clock"
    if doom is None:
        return
    if doom.entangled:
        text = "In secret; on the highest face the campaign clock moves."
        yield button(RollEntanglement(actor=GM), "entanglement", "Roll an entanglement", text, f"{rule} [P9]")
    if doom.ticks < rules.clock:
        tick = TickClock(actor=GM)
        yield button(tick, "tick", "Move the campaign clock", "By a tick, in secret.", rule)
        if doom.offered:
            low = TickClock(actor=GM, cause=TickCause.ACTION_ROLL)
            yield button(low, "tick:roll", "Move it for a low roll", "By a tick, in secret.", f"{rule} [P9]")
    struck = stages_struck(doom.stage(rules))
    if struck:
        stages = ((each.value, each.value.replace("_", " ").capitalize()) for each in struck)
        which = choice_field("stage", "What is known now?", stages)
        reveal = RevealStage(actor=GM, stage=Stage.GRIM_PORTENT)
        text = "The players learn what draws near."
        yield button(reveal, "reveal", "Reveal what it has struck", text, rule, which, _words("What is it?"))


def _advantages(state: Campaign, catalog: Catalog) -> Iterator[LegalMove]:
    rule = "Party Advantages"
    held = {each.advantage for each in state.held()}
    if state.picks and any(each.id not in held for each in catalog.advantages):
        text = "The most votes decide; you settle a tie."
        yield button(PickAdvantage(actor=GM), "pick", "Let them pick an advantage", text, rule)
    for each in state.advantages:
        entry = catalog.advantages[each.advantage]
        if each.lost:
            back = RestoreAdvantage(actor=GM, advantage=entry.id)
            yield button(back, f"restore:{entry.id}", f"{entry.name} is back", "It counts again.", rule)
        elif entry.can_be_lost:
            lose = LoseAdvantage(actor=GM, advantage=entry.id)
            label, text = f"{entry.name} is lost", "It counts no more."
            yield button(lose, f"lose:{entry.id}", label, text, rule, _words("What happens?"))


def _world(state: Campaign) -> Iterator[LegalMove]:
    if len(state.forces) < MOST_KNOWN:
        magnitudes = ((each.value, each.value.capitalize()) for each in StoryMagnitude)
        yield button(
            AddForce(actor=GM, name=""),
            "force",
            "Bring in a force",
            "Known to all, or yours alone.",
            "Forces",
            text_field("name", "What is it called?", NAMED),
            choice_field("magnitude", "How much does it weigh?", magnitudes),
            flag_field("secret", "Is it secret?"),
            _words("What is told of it?", "text"),
            _words("What does it really want?", "goal"),
        )
    if len(state.places) < MOST_KNOWN:
        yield button(
            AddPlace(actor=GM, name=""),
            "place",
            "Bring in a place",
            "Known to all, or yours alone.",
            "The Map",
            text_field("name", "What is it called?", NAMED),
            flag_field("secret", "Is it secret?"),
            _words("What is told of it?", "text"),
        )
    hidden = [(each.id, each.name) for each in state.forces if each.secret and not each.settled]
    if hidden:
        which = choice_field("force", "Which force?", hidden)
        show = RevealForce(actor=GM, force="")
        yield button(show, "reveal:force", "Reveal a force", "All know of it.", "Forces", which)
    known = [(each.id, each.name) for each in state.known_forces()]
    if known:
        which = choice_field("force", "Which force?", known)
        gone = SettleForce(actor=GM, force="")
        yield button(gone, "settle", "A force is settled", "It has no more part.", "Forces", which)
    yield from _map(state)


def _map(state: Campaign) -> Iterator[LegalMove]:
    places = [(each.id, each.name) for each in state.places]
    working = [(each.id, each.name) for each in state.forces if not each.settled]
    if working:
        which = choice_field("force", "Which force?", working)
        where = choice_field("place", "From which place?", places, required=False)
        text = "Who knows of both may know it."
        yield button(SeatForce(actor=GM, force=""), "seat", "Seat a force", text, "Forces", which, where)
    if places:
        details = ((each.value, each.value.replace("_", " ").capitalize()) for each in StoryDetail)
        yield button(
            ChangePlace(actor=GM, place="", detail=""),
            "change:place",
            "A place is not what it was",
            "What it is like now.",
            "The Map",
            choice_field("place", "Which place?", places),
            choice_field("detail", "What is it like?", details),
            _words("What happened?"),
        )
    unknown = [(each.id, each.name) for each in state.places if each.secret]
    if unknown:
        which = choice_field("place", "Which place?", unknown)
        found = RevealPlace(actor=GM, place="")
        yield button(found, "reveal:place", "Reveal a place", "All know of it.", "The Map", which)
