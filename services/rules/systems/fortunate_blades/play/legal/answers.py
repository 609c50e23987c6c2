"""What answers the questions before and after a roll, as buttons with their exact chances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from services.rules.engine.buttons import (
    button,
    choice_field,
    choices_field,
    flag_field,
    number_field,
    text_field,
)
from services.rules.engine.play import GM, Chance, LegalMove, MoveField
from services.rules.systems.fortunate_blades.catalog import Catalog, Talent
from services.rules.systems.fortunate_blades.play.attempt import Attempt, mode
from services.rules.systems.fortunate_blades.play.legal import chances
from services.rules.systems.fortunate_blades.play.means import commit_cost, nameable, points_in, price
from services.rules.systems.fortunate_blades.play.moves import (
    Aid,
    BackOut,
    Benefit,
    Boost,
    Call,
    Commit,
    Decline,
    HardBargain,
    Impossible,
    Luck,
    NoRisk,
    RaiseEffect,
    Reroll,
    StateFact,
    TakeFortune,
    TakeMark,
)
from services.rules.systems.fortunate_blades.play.renown import at_home, followers, topics_of
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.play.windows import DiceFell, Succeeded
from services.rules.systems.fortunate_blades.play.words import LONGEST
from services.rules.systems.fortunate_blades.rolls import Difficulty, Mode
from services.rules.systems.fortunate_blades.terms import Attribute, EffectLevel, Quantity

MOST_CLOSE, MOST_SPREAD = 40, 20
"""The highest Close that is offered, and how far Clear lies above it."""

ROLL = "The Roll"


def told(label: str = "What happens?", name: str = "words") -> MoveField:
    """Words that a move may be told with."""
    return text_field(name, label, LONGEST, required=False)


def sets() -> MoveField:
    """A difficulty set."""
    named = ((each.value, f"{each.label}: {each.close}/{each.clear}") for each in Difficulty)
    return choice_field("difficulty", "How difficult?", named)


def own_numbers() -> tuple[MoveField, MoveField]:
    """Numbers of one's own."""
    return (
        number_field("close", "Close at", 0, MOST_CLOSE),
        number_field("spread", "Clear so much higher", 0, MOST_SPREAD),
    )


def attributes(found: Iterable[Attribute], label: str = "With what?") -> MoveField:
    """One of some attributes."""
    return choice_field("attribute", label, ((each.value, each.label) for each in found))


def _topics(state: Encounter, catalog: Catalog) -> Iterator[MoveField]:
    """What the roll is about, where the party is known for something."""
    found = [(each.value, each.value.capitalize()) for each in topics_of(state, catalog)]
    if found:
        yield choice_field("topic", "Does the party's renown count?", found, required=False)


def of_call(
    state: Encounter, attempt: Attempt, catalog: Catalog, *, aiding: bool, bargaining: bool
) -> Iterator[LegalMove]:
    """The game master's calls."""
    events = dict.fromkeys(each.event for each in state.hero(attempt.hero).prepared)
    more = (
        flag_field("shown", "Show the numbers?"),
        told("Which risk is run?", "risk"),
        choice_field(
            "luck", "Is it Lucky?", ((each.value, each.value.capitalize()) for each in Luck), required=False
        ),
        choice_field(
            "level",
            "With which Effect?",
            ((each.value, each.value.capitalize()) for each in EffectLevel),
            required=False,
        ),
        told("Offer a Devil's Bargain?", "bargain"),
        *_topics(state, catalog),
        *(
            (choice_field("event", "Is it what was prepared for?", ((e, e) for e in events), required=False),)
            if events
            else ()
        ),
    )
    text = "A d20 and the attribute against Close and Clear."
    yield button(Call(actor=GM), "call", "Call for a roll", text, ROLL, sets(), *more)
    yield button(
        Call(actor=GM), "numbers", "Call with numbers of your own", text, ROLL, *own_numbers(), *more
    )
    yield button(NoRisk(actor=GM), "no_risk", "No risk", "It just happens.", ROLL)
    if aiding:
        return
    yield button(
        Impossible(actor=GM), "impossible", "Impossible", "It cannot be done; the action is not lost.", ROLL
    )
    if bargaining:
        yield button(
            HardBargain(actor=GM),
            "hard_bargain",
            "Hard Bargain",
            "It happens without a roll, if they take something painful.",
            ROLL,
            told("What does it take?", "price"),
        )


def of_commit(state: Encounter, attempt: Attempt, catalog: Catalog) -> Iterator[LegalMove]:
    """A roll as it stands or Lucky, with a Devil's Bargain or without, or with one costly talent; a Mark that
    clears it; something else after all.
    """
    hero, who = state.hero(attempt.hero), attempt.hero
    talents = nameable(hero, attempt.attribute, catalog)
    free = tuple(each for each in talents if not each.cost)
    for bargained in (False, True) if attempt.bargain else (False,):
        tried = replace(attempt, bargained=bargained)
        for lucky in (False, True) if mode(state, tried, catalog) is not Mode.LUCKY else (False,):
            yield from _roll(state, replace(tried, bought_luck=lucky), free, catalog)
        for talent in talents:
            if talent.cost:
                yield from _roll(state, replace(tried, talents=(talent.id,)), (), catalog)
        if at_home(state, catalog):
            yield from _roll(state, replace(tried, at_home=True), free, catalog)
        if followers(state, catalog) is not None:
            yield from _roll(state, replace(tried, followers=True), free, catalog)
    yield button(
        TakeMark(actor=who),
        "mark",
        "Take a Mark",
        "It is clear without a die; you are out of the Quest then.",
        "Marks",
        told("Which Mark?"),
    )
    yield button(BackOut(actor=who), "back", "Something else", "The action is not lost.", ROLL)


def _roll(
    state: Encounter, attempt: Attempt, free: tuple[Talent, ...], catalog: Catalog
) -> Iterator[LegalMove]:
    """One way to go through with a roll; none where there is not Fortune enough."""
    hero, lucky = state.hero(attempt.hero), attempt.bought_luck
    cost = commit_cost(hero, attempt.talents, catalog, lucky=lucky)
    if cost > hero.fortune:
        return
    most, laid_by = points_in(hero.fortune - cost, catalog), hero.laid_by(attempt.event)
    named = [catalog.talents[each] for each in attempt.talents]
    words = [
        *(["Lucky"] if lucky else []),
        *(["with the Devil's Bargain"] if attempt.bargained else []),
        *(["with more Effect, as you are at home"] if attempt.at_home else []),
        *(["with your followers' Aid, at their risk"] if attempt.followers else []),
        *(f"with {each.name}" for each in named),
    ]
    move = Commit(
        actor=attempt.hero,
        lucky=lucky,
        bargain=attempt.bargained,
        talents=attempt.talents,
        at_home=attempt.at_home,
        followers=attempt.followers,
    )
    ways = {
        "lucky": lucky,
        "bargain": attempt.bargained,
        "home": attempt.at_home,
        "followers": attempt.followers,
    }
    name = ":".join(("roll", *(way for way, on in ways.items() if on), *(each.id for each in named)))
    offer = button(
        move,
        name,
        f"Roll {attempt.attribute.label}{', ' if words else ''}{', '.join(words)}",
        "Each point of Fortune adds 1.",
        ROLL,
        *_spending(most, laid_by, free),
    )
    found = chances.of_attempt(state, attempt, most + laid_by, catalog)
    yield replace(offer, cost=f"{cost} Fortune" if cost else "", chances=found)


def _spending(most: int, laid_by: int, free: tuple[Talent, ...]) -> Iterator[MoveField]:
    if most:
        yield number_field("fortune", "Fortune to add", 0, most, required=False)
    if laid_by:
        yield number_field("prepared", "Prepared Fortune to add", 0, laid_by, required=False)
    if free:
        yield choices_field("talents", "Which talents?", ((e.id, e.name) for e in free), 0, len(free))


def of_all(
    hero: Hero, costs: Mapping[Attribute, int], catalog: Catalog, *, group: bool
) -> Iterator[LegalMove]:
    """What a hero rolls with where everybody does, or both sides of a conflict: with any attribute that Harm
    leaves free, or with one that Harm puts a price on; Lucky or not.
    """
    fields = (flag_field("together", "As a Group Action?"),) if group else ()
    for paid in (False, True):
        open_ones = [each for each, cost in costs.items() if bool(cost) is paid]
        if not open_ones:
            continue
        due = max(costs[each] for each in open_ones)
        for lucky in (False, True):
            cost = due + commit_cost(hero, (), catalog, lucky=lucky)
            if cost > hero.fortune:
                continue
            most = points_in(hero.fortune - cost, catalog)
            name = ":".join(("roll", *["harmed"] * paid, *["lucky"] * lucky))
            offer = button(
                Commit(actor=hero.id, lucky=lucky),
                name,
                "Roll, Lucky" if lucky else "Roll",
                "A d20 and the attribute.",
                "Group Actions" if group else "Player vs. Player",
                attributes(open_ones),
                *_spending(most, 0, ()),
                *fields,
            )
            yield replace(offer, cost=f"{cost} Fortune" if cost else "")


def of_aid(state: Encounter, attempt: Attempt, who: str, catalog: Catalog) -> Iterator[LegalMove]:
    """Aid with what is not given yet, for the next action or for Fortune; points; neither."""
    hero = state.hero(who)
    left = [each for each in Benefit if each not in attempt.benefits]
    cost = price(hero, Quantity.COST_AID, catalog.rules.costs.aid, catalog)
    benefit = choice_field("benefit", "How does it help?", ((e.value, e.value.capitalize()) for e in left))
    lucky = Aid(actor=who, benefit=Benefit.LUCKY)
    if left and not state.kept_from(hero, "help"):
        text = "It takes your next action, and may be risky."
        how = attributes(Attribute, "What do you help with?")
        yield button(lucky, "aid", "Aid", text, "Aid", benefit, how, told("How?"))
    if left and cost <= hero.fortune:
        paid = replace(lucky, pay=True)
        text = "It takes no action, and runs no risk."
        offer = button(paid, "aid:fortune", "Aid for Fortune", text, "Aid", benefit, told("How?"))
        yield replace(offer, cost=f"{cost} Fortune")
    most = points_in(hero.fortune, catalog)
    if most:
        yield _points(who, most, ())
    yield decline(who, "Let them roll")


def of_boost(fell: DiceFell, hero: Hero, most: int, rerolls: tuple[Talent, ...]) -> Iterator[LegalMove]:
    """Points after a roll, as many as are of use where the numbers are shown; a second roll by a talent."""
    if most:
        useful = max(fell.clear - fell.total, 1) if fell.shown else most
        found = []
        for word, number in (("close", fell.close), ("clear", fell.clear)):
            missing = number - fell.total
            if fell.shown and 0 < missing <= most:
                label = f"{word} for {missing} Fortune"
                found.append(Chance(f"{word}:+{missing}", label, chances.CERTAIN))
        yield _points(hero.id, min(most, useful), tuple(found))
    for talent in rerolls:
        offer = button(
            Reroll(actor=hero.id, talent=talent.id),
            f"reroll:{talent.id}",
            f"Roll again: {talent.name}",
            "The better one counts.",
            talent.rule,
        )
        yield replace(offer, cost=f"{talent.cost} Fortune" if talent.cost else "")
    yield decline(hero.id, "Leave it")


def _points(who: str, most: int, found: tuple[Chance, ...]) -> LegalMove:
    field = number_field("points", "How many points?", 1, most)
    offer = button(
        Boost(actor=who, points=1), "boost", "Add Fortune", "Each adds 1.", "Fortune", field, told()
    )
    return replace(offer, chances=found)


def decline(who: str, label: str) -> LegalMove:
    """Nothing of it."""
    return button(Decline(actor=who), "decline", label, "Nothing is spent.", "Fortune")


def of_effect(done: Succeeded, who: str, cost: int, most: int) -> Iterator[LegalMove]:
    """Levels of Effect for Fortune."""
    field = number_field("levels", "By how many levels?", 1, most)
    text = f"Each takes {cost} Fortune; as it is, it is worth {done.ticks} ticks."
    move = RaiseEffect(actor=who, levels=1)
    yield button(move, "raise", "Raise the Effect", text, "Fortune", field)
    yield decline(who, "Leave it")


def of_natural_20(state: Encounter, who: str, catalog: Catalog) -> Iterator[LegalMove]:
    """A Fact, or Fortune."""
    sides = catalog.rules.gains.natural_20_die
    yield button(TakeFortune(actor=who), "fortune", "Take Fortune", f"1d{sides} Fortune.", "Critical Success")
    facts = [(each.id, f"{each.name}: {each.text}") for each in catalog.facts.entries.values()]
    if facts:
        which = choice_field("fact", "Which Fact?", facts)
        whose = choice_field(
            "target", "Who is lucky?", ((e.id, e.name) for e in state.present()), required=False
        )
        move = StateFact(actor=who, fact="")
        yield button(
            move, "fact", "State a Fact", "It is true from now on.", "Critical Success", which, whose, told()
        )
