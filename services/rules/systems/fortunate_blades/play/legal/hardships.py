"""What answers questions of consequences, Harm, Marks, bargains and conflicts, as buttons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.buttons import button, choice_field, flag_field, number_field
from services.rules.engine.play import GM, LegalMove, MoveField
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.harm import BORNE, fortune_for, placed
from services.rules.systems.fortunate_blades.play import renown
from services.rules.systems.fortunate_blades.play.legal import chances
from services.rules.systems.fortunate_blades.play.legal.answers import own_numbers, sets, told
from services.rules.systems.fortunate_blades.play.means import points_in, save_bonus
from services.rules.systems.fortunate_blades.play.moves import (
    Agree,
    BlazeOfGlory,
    CauseHarm,
    Enough,
    HandOver,
    MakeSave,
    MoveClock,
    PickConsequence,
    ReduceEffect,
    Retire,
    Revive,
    RollConsequence,
    SendFollowers,
    TakeAway,
    TakeHarm,
    TakeMark,
    Twist,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.terms import Consequence, Group, HarmLevel

RULE = "Consequences"
TOLD = (
    Consequence.UNWELCOME_TRUTH,
    Consequence.LOST_OPPORTUNITY,
    Consequence.IN_A_SPOT,
    Consequence.DOWNSIDE_EMBARRASS,
)
"""Those that are told, and count nothing."""


def heroes(state: Encounter, *, required: bool = True) -> MoveField:
    """One of the heroes who take part."""
    named = ((one.id, one.name) for one in state.present())
    return choice_field("target", "Whom does it befall?", named, required=required)


def of_consequence(
    state: Encounter, levels: int, kind: Consequence | None, catalog: Catalog, *, enough: bool
) -> Iterator[LegalMove]:
    """The consequences that the game master can let come.

    Args:
        state: The encounter.
        levels: Levels of Effect that can be reduced.
        kind: The kind that has been rolled or picked; None for any.
        catalog: The content.
        enough: Whether there have been as many as are due.
    """
    found = [
        offer
        for each in Consequence
        if kind in (None, each)
        for offer in _of_kind(state, each, levels, catalog)
    ]
    yield from found
    if kind is None:
        yield button(RollConsequence(actor=GM), "roll", "Roll a d8", "Chance picks the kind.", RULE)
        if state.present():
            hand = HandOver(actor=GM, target="")
            yield button(hand, "hand_over", "Let a player pick", "They pick the kind.", RULE, heroes(state))
    if enough:
        yield button(Enough(actor=GM), "enough", "Enough", "No further consequence comes.", RULE)


def _of_kind(state: Encounter, kind: Consequence, levels: int, catalog: Catalog) -> Iterator[LegalMove]:
    """The ways in which a kind of consequence can come; where it counts nothing, it is told."""
    found: list[LegalMove] = []
    match kind:
        case Consequence.REDUCE_EFFECT if levels > 0:
            field = number_field("levels", "By how many levels?", 1, levels)
            move = ReduceEffect(actor=GM)
            found = [button(move, kind.value, "Reduce the Effect", "It does less.", RULE, field)]
        case Consequence.TAKE_AWAY if state.present():
            found = list(_losses(state))
        case Consequence.MOVE_CLOCK:
            found = list(_clocks(state))
        case Consequence.HARM if state.present():
            found = list(_harm(state, catalog))
    yield from found or (_told(state, kind, catalog),)


def _told(state: Encounter, kind: Consequence, catalog: Catalog) -> LegalMove:
    entry = next((each for each in catalog.consequences.entries.values() if each.consequence is kind), None)
    label = kind.value.replace("_", " ").capitalize() if entry is None else entry.name
    text = "It is told." if entry is None else entry.text
    whom = (heroes(state, required=False),) if state.present() else ()
    return button(Twist(actor=GM, consequence=kind), kind.value, label, text, RULE, *whom, told())


def _losses(state: Encounter) -> Iterator[LegalMove]:
    for hero in state.present():
        things = ((each.id, each.name) for each in hero.tools)
        which = (choice_field("tool", "Which of their gear?", things, required=False),) if hero.tools else ()
        move = TakeAway(actor=GM, target=hero.id)
        label = f"Take something of {hero.name}'s away"
        name = f"{Consequence.TAKE_AWAY.value}:{hero.id}"
        yield button(move, name, label, "It breaks, or is gone.", RULE, *which, told())


def _clocks(state: Encounter) -> Iterator[LegalMove]:
    for clock in state.clocks:
        ways = (("on", 1, clock.size - clock.filled), ("back", -clock.filled, -1))
        for way, least, most in ways:
            if least <= most:
                field = number_field("ticks", "By how many ticks?", least, most)
                move = MoveClock(actor=GM, clock=clock.id, ticks=least)
                name = f"{Consequence.MOVE_CLOCK.value}:{clock.id}:{way}"
                label = f"Move {clock.name} {way}"
                yield button(move, name, label, "Ticks are filled or taken off.", RULE, field)


def _harm(state: Encounter, catalog: Catalog) -> Iterator[LegalMove]:
    """Harm, its Save against a difficulty set or numbers of the game master's own."""
    usual = catalog.rules.harm.usual
    levels = [usual, *(each for each in HarmLevel if each is not usual)]
    move = CauseHarm(actor=GM, target="", group=Group.PHYSICAL, level=usual)
    name = Consequence.HARM.value
    for way, label, numbers in (
        (name, "Cause Harm", (sets(),)),
        (f"{name}:numbers", "The same, with your own numbers for the Save", own_numbers()),
    ):
        yield button(
            move,
            way,
            label,
            "A Save may lessen it.",
            "Harm",
            heroes(state),
            choice_field("group", "Of which type?", ((e.value, e.value.capitalize()) for e in Group)),
            choice_field("level", "How grave?", ((e.value, e.value.capitalize()) for e in levels)),
            *numbers,
            flag_field("called", "Call for a Save, which then is free?"),
            told("What is it?"),
        )


def of_pick(who: str) -> Iterator[LegalMove]:
    """The kinds of consequence that a player picks from."""
    named = ((each.value, each.value.replace("_", " ").capitalize()) for each in Consequence)
    which = choice_field("consequence", "Which?", named)
    move = PickConsequence(actor=who, consequence=Consequence.REDUCE_EFFECT)
    yield button(move, "pick", "Pick a consequence", "The game master details it.", RULE, which)


def of_save(
    state: Encounter, who: str, group: Group, numbers: tuple[int, int], catalog: Catalog, *, called: bool
) -> Iterator[LegalMove]:
    """A Save, free where it is called for; or the Harm as it comes."""
    fortune = state.hero(who).fortune
    most = points_in(fortune if called else fortune - 1, catalog)
    if called or fortune:
        field = (number_field("fortune", "Fortune to add", 0, most, required=False),) if most else ()
        text = "Close takes off a level, Clear two, a natural 20 all of it."
        offer = button(MakeSave(actor=who), "save", "Make a Save", text, "Making a Save", *field)
        cost = "" if called else f"1d{catalog.rules.costs.save_die} Fortune on Close or Clear"
        own = save_bonus(state, who, group).value
        yield replace(offer, cost=cost, chances=chances.of_save(own, *numbers, most))
    if not called:
        yield button(TakeHarm(actor=who), "take", "Take it", "The Harm comes as it is.", "Harm")
    if renown.followers(state, catalog) is not None:
        text = "The Harm does not befall you; the followers are lost."
        yield button(SendFollowers(actor=who), "followers", "Send your followers", text, "Party Advantages")


def of_defeat(state: Encounter, who: str, catalog: Catalog) -> Iterator[LegalMove]:
    """Revive, Retire, or a Final Act."""
    rule = "Defeated & Death"
    text = "You are out for this Quest, and may return in a later one, changed."
    yield button(Revive(actor=who), "revive", "Revive", text, rule)
    text = "You finish this encounter, and are a background figure then."
    yield button(Retire(actor=who), "retire", "Retire", text, rule)
    targets = state.targets()
    for act in catalog.final_acts.entries.values():
        move = BlazeOfGlory(actor=who, act=act.id)
        aimed = bool(act.ticks or act.fills)
        named = ((each.id, each.name) for each in targets)
        which = (choice_field("clock", "Which clock?", named),) if aimed and targets else ()
        label = f"Blaze of Glory: {act.name}"
        yield button(move, f"blaze:{act.id}", label, f"{act.text} Then you are dead.", rule, *which, told())


def of_ran_out(state: Encounter, hero: Hero, catalog: Catalog) -> Iterator[LegalMove]:
    """A Mark; or Harm for Fortune, as long as it is not lethal."""
    text = "You are out of this encounter, and come back with all your Fortune."
    yield button(
        TakeMark(actor=hero.id),
        "mark",
        "Leave with a Mark",
        text,
        "Running out of Fortune",
        told("Which Mark?"),
    )
    for level in BORNE:
        if placed(hero.slots, state.slots(hero.id), level).defeats:
            continue
        gain = fortune_for(level, catalog.rules.gains)
        types = ((each.value, each.value.capitalize()) for each in Group)
        yield button(
            TakeHarm(actor=hero.id, level=level),
            f"harm:{level.value}",
            f"Take {level.value} Harm",
            f"It brings {gain} Fortune.",
            "Running out of Fortune",
            choice_field("group", "Of which type?", types),
            told("What is it?"),
        )


def of_agreement(who: str, rule: str, text: str) -> Iterator[LegalMove]:
    """Yes, or no."""
    field = flag_field("yes", "Do you agree?")
    yield button(Agree(actor=who, yes=False), "agree", "Answer", text, rule, field)
