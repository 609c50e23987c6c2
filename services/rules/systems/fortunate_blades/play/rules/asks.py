"""The questions of an encounter: who is asked what, what answers it, and what silence means.

With a time limit, silence spends and helps with nothing, rolls as things stand, takes Harm as it comes,
agrees to nothing and, where Fortune has run out, leaves with a Mark. The game master is never timed, nor is
who is Defeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from services.rules.engine.buttons import button, choice_field, number_field
from services.rules.engine.play import GM, LegalMove
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.catalog import Catalog, Talent
from services.rules.systems.fortunate_blades.fortune import break_problem, short_of
from services.rules.systems.fortunate_blades.play.attempt import Attempt
from services.rules.systems.fortunate_blades.play.legal import answers, hardships
from services.rules.systems.fortunate_blades.play.legal.answers import told
from services.rules.systems.fortunate_blades.play.means import commit_cost, nameable, open_attributes, price
from services.rules.systems.fortunate_blades.play.moves import (
    Agree,
    Aid,
    Boost,
    Call,
    CallGroup,
    Commit,
    Decide,
    Decline,
    Enable,
    Lift,
    LuckyBreak,
    MakeSave,
    PickConsequence,
    Price,
    Refuse,
    Reward,
    StateGoal,
    StateOutcomes,
    TakeFortune,
    TakeHarm,
    TakeMark,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.play.windows import (
    DiceFell,
    GroupRolled,
    PriceWanted,
    Succeeded,
)
from services.rules.systems.fortunate_blades.play.words import words_problem
from services.rules.systems.fortunate_blades.rolls import numbers_problem
from services.rules.systems.fortunate_blades.terms import Consequence, Quantity

if TYPE_CHECKING:
    from services.rules.systems.fortunate_blades.play.rules.harm import Threat

MOST = 60
"""The highest Close or Clear there is."""
MOST_REWARD = 4
"""The most Fortune that is added to a story."""


def _player(
    name: str,
    who: str,
    question: str,
    offers: Iterable[LegalMove],
    state: Encounter,
    silence: Any,
    **more: Any,
) -> Ask:
    """A question to a player, with the table's time limit."""
    return Ask(
        id=name,
        actor=who,
        question=question,
        offers=tuple(offers),
        silence=silence,
        seconds=state.answer_seconds,
        **more,
    )


def _master(name: str, question: str, offers: Iterable[LegalMove], **more: Any) -> Ask:
    """A question to the game master, for whom the table waits."""
    return Ask(id=name, actor=GM, question=question, offers=tuple(offers), **more)


# The game master's call


def call(state: Encounter, attempt: Attempt, catalog: Catalog, *, aiding: bool, bargaining: bool) -> Ask:
    """What an attempt takes."""
    name, what = state.hero(attempt.hero).name, attempt.attribute.label
    question = (
        f"{name} helps with {what}: is it risky?" if aiding else f"{name} tries it with {what}: a roll?"
    )
    offers = answers.of_call(state, attempt, catalog, aiding=aiding, bargaining=bargaining)
    return _master("call", question, offers, accepts=_judged(_call_problems))


def _call_problems(answer: Any) -> Iterable[RuleProblem]:
    if not isinstance(answer, Call):
        return
    close, clear = answer.numbers
    wrong = numbers_problem(close, clear)
    if wrong is not None:
        yield wrong
    elif not 0 <= close <= clear <= MOST:
        text = f"Close and Clear are from 0 to {MOST}."
        yield RuleProblem("numbers_out_of_range", text, "The Roll", ("close",), (close, clear), (0, MOST))


def hard_bargain(state: Encounter, who: str, price: str) -> Ask:
    """Whether a Hard Bargain is taken."""
    offers = hardships.of_agreement(who, "The Roll", f"It happens, and it takes this: {price or 'a choice'}.")
    return _player("hard_bargain", who, "Take the Hard Bargain?", offers, state, Agree(actor=who, yes=False))


# Before the roll


def aid(state: Encounter, attempt: Attempt, who: str, catalog: Catalog) -> Ask:
    """Whether a hero helps."""
    question = f"{state.hero(attempt.hero).name} is about to roll {attempt.attribute.label}: help?"
    offers = answers.of_aid(state, attempt, who, catalog)
    hero = state.hero(who)

    def broken(answer: Any) -> Iterable[RuleProblem]:
        yield from _aid_problems(state, hero, attempt, answer, catalog)

    return _player(f"aid:{who}", who, question, offers, state, Decline(actor=who), accepts=_judged(broken))


def _aid_problems(
    state: Encounter, hero: Hero, attempt: Attempt, answer: Any, catalog: Catalog
) -> Iterable[RuleProblem]:
    """What is wrong with help before a roll."""
    costs = catalog.rules.costs
    if isinstance(answer, Boost):
        yield from _points_problems(hero, answer, catalog)
        return
    if not isinstance(answer, Aid):
        return
    if answer.benefit in attempt.benefits:
        text = "That is given already."
        yield RuleProblem("benefit_given", text, "Aid", ("benefit",), answer.benefit.value)
    if not answer.pay and state.kept_from(hero, "help"):
        text = "They have no next action to give."
        yield RuleProblem("no_action_to_give", text, "Aid", ("pay",), False, True)
    wrong = short_of(hero.fortune, price(hero, Quantity.COST_AID, costs.aid, catalog)) if answer.pay else None
    if wrong is not None:
        yield wrong


def _points_problems(hero: Hero, answer: Boost, catalog: Catalog) -> Iterable[RuleProblem]:
    """What is wrong with points that are added to a roll."""
    if answer.points < 1:
        text = "At least one point is added."
        yield RuleProblem("points_missing", text, "Fortune", ("points",), answer.points, 1)
    wrong = short_of(hero.fortune, answer.points * catalog.rules.costs.point, "points")
    if wrong is not None:
        yield wrong


def pay(state: Encounter, wanted: PriceWanted, who: str) -> Ask:
    """Whether a hero pays for a roll under heavy Harm."""
    name, cost = state.hero(wanted.attempt.hero).name, wanted.cost
    offer = button(Enable(actor=who), "pay", "Pay for it", f"{name} can roll.", "Harm")
    offers = (replace(offer, cost=f"{cost} Fortune"), answers.decline(who, "Do not pay"))
    question = f"Harm weighs on {name}: pay {cost} Fortune for the roll?"
    return _player(f"pay:{who}", who, question, offers, state, Decline(actor=who))


def commit(state: Encounter, attempt: Attempt, catalog: Catalog) -> Ask:
    """How a hero's player goes through with a roll."""
    who, hero = attempt.hero, state.hero(attempt.hero)

    def broken(answer: Any) -> Iterable[RuleProblem]:
        if isinstance(answer, Commit):
            yield from _commit_problems(hero, attempt, answer, catalog)

    offers = answers.of_commit(state, attempt, catalog)
    question = f"Roll {attempt.attribute.label}, and with what?"
    return _player(
        "commit",
        who,
        question,
        offers,
        state,
        Commit(actor=who),
        accepts=_judged(broken),
        explains=_late(Aid),
    )


def _commit_problems(hero: Hero, attempt: Attempt, answer: Commit, catalog: Catalog) -> Iterable[RuleProblem]:
    able = tuple(each.id for each in nameable(hero, attempt.attribute, catalog))
    for place, name in enumerate(answer.talents):
        if name not in able or name in answer.talents[:place]:
            text = "That talent does not count here."
            yield RuleProblem("talent_unfit", text, "Talents", ("talents", place), name, able)
    if min(answer.fortune, answer.prepared) < 0 or answer.attribute not in (None, attempt.attribute):
        yield RuleProblem("not_offered", "That is not among the answers.", "The Roll")
    if answer.bargain and not attempt.bargain:
        text = "No Devil's Bargain is offered."
        yield RuleProblem("no_bargain", text, "Devil's Bargain", ("bargain",), True, False)
    laid_by = hero.laid_by(attempt.event)
    if answer.prepared > laid_by:
        text = "So much Fortune was not prepared for this."
        yield RuleProblem("not_prepared", text, "Preparation", ("prepared",), answer.prepared, laid_by)
    named = [each for each in answer.talents if each in able]
    cost = commit_cost(hero, named, catalog, lucky=answer.lucky, points=answer.fortune)
    wrong = short_of(hero.fortune, cost)
    if wrong is not None:
        yield wrong


def join(state: Encounter, who: str, move: CallGroup, catalog: Catalog) -> Ask | None:
    """What a hero rolls with when everybody does; None for one whom Harm keeps from any roll."""
    hero = state.hero(who)
    costs = open_attributes(state, hero, catalog)
    if not costs:
        return None
    best = max(costs, key=lambda each: (-costs[each], hero.attributes[each]))
    silence = Commit(actor=who, attribute=best)
    question = f"Everybody rolls{': ' if move.risk else ''}{move.risk}. With what?"
    offers = answers.of_all(hero, costs, catalog, group=True)
    return _player(f"join:{who}", who, question, offers, state, silence, closed=True)


def stand(state: Encounter, who: str, catalog: Catalog) -> Ask:
    """What a side of a conflict rolls with."""
    hero = state.hero(who)
    costs = open_attributes(state, hero, catalog) or dict.fromkeys(hero.attributes, 0)
    best = max(costs, key=lambda each: (-costs[each], hero.attributes[each]))
    silence = Commit(actor=who, attribute=best)
    offers = answers.of_all(hero, costs, catalog, group=False)
    return _player(f"stand:{who}", who, "What do you roll with?", offers, state, silence, closed=True)


# After the roll


def boost(fell: DiceFell, hero: Hero, seconds: int | None, *, most: int, rerolls: tuple[Talent, ...]) -> Ask:
    """Whether a hero adds Fortune to a roll that has fallen."""
    return Ask(
        id=f"boost:{hero.id}",
        actor=hero.id,
        question=f"The total is {fell.total}: add Fortune?",
        offers=tuple(answers.of_boost(fell, hero, most, rerolls)),
        silence=Decline(actor=hero.id),
        seconds=seconds,
        explains=_late(Aid),
    )


def raise_effect(state: Encounter, done: Succeeded, who: str, cost: int, most: int) -> Ask:
    """Whether a hero raises the Effect."""
    offers = answers.of_effect(done, who, cost, most)
    return _player("effect", who, "It works: raise its Effect?", offers, state, Decline(actor=who))


def fact_or_fortune(state: Encounter, attempt: Attempt, catalog: Catalog) -> Ask:
    """What a natural 20 brings; silence takes Fortune."""
    who = attempt.hero
    offers = answers.of_natural_20(state, who, catalog)
    question = "A natural 20: a Fact, or Fortune?"
    return _player("natural_20", who, question, offers, state, TakeFortune(actor=who))


def lift(state: Encounter, who: str, below: Sequence[str], rolled: GroupRolled, cost: int) -> Ask:
    """Whether a hero with a clear result lifts another's."""
    results = dict(rolled.results)
    named = ((each, f"{state.hero(each).name}: {results[each].value}") for each in below)
    move = Lift(actor=who, target="")
    which = choice_field("target", "Whose result?", named)
    text = "A Miss becomes Close, Close becomes Clear."
    offer = button(move, "lift", "Lift a result", text, "Group Actions", which, told("How?"))
    offers = (replace(offer, cost=f"{cost} Fortune"), answers.decline(who, "Lift none"))
    question = "Your result is clear: lift another's?"
    return _player(f"lift:{who}", who, question, offers, state, Decline(actor=who))


def outbid(state: Encounter, who: str, needed: int, most: int) -> Ask:
    """Whether the side of a conflict that is behind adds Fortune."""
    field = number_field("points", "How many points?", needed, most)
    move = Boost(actor=who, points=needed)
    offer = button(move, "boost", "Add Fortune", "You are ahead then.", "Fortune", field, told())
    offers = (offer, answers.decline(who, "Leave it"))
    return _player(f"outbid:{who}", who, "You are behind: add Fortune?", offers, state, Decline(actor=who))


# Consequences and Harm


def consequence(
    state: Encounter,
    levels: int,
    catalog: Catalog,
    *,
    kind: Consequence | None = None,
    enough: bool = False,
) -> Ask:
    """Which consequence comes."""
    offers = hardships.of_consequence(state, levels, kind, catalog, enough=enough)
    question = "A further consequence?" if enough else "Which consequence comes?"
    return _master("consequence", question, offers)


def pick_one(state: Encounter, who: str) -> Ask:
    """Which kind of consequence a player picks; silence an unwelcome truth."""
    silence = PickConsequence(actor=who, consequence=Consequence.UNWELCOME_TRUTH)
    return _player(
        f"pick:{who}", who, "Which consequence comes?", hardships.of_pick(who), state, silence, closed=True
    )


def save(state: Encounter, threat: Threat, catalog: Catalog) -> Ask:
    """Whether a hero makes a Save, or with what where it is called for."""
    who, numbers = threat.hero, (threat.close, threat.clear)
    offers = hardships.of_save(state, who, threat.group, numbers, catalog, called=threat.called)
    silence = MakeSave(actor=who) if threat.called else TakeHarm(actor=who)
    question = f"Harm: {threat.words or threat.group.value}. A Save?"
    hero, point = state.hero(who), catalog.rules.costs.point

    def broken(answer: Any) -> Iterable[RuleProblem]:
        if not isinstance(answer, MakeSave):
            return
        # A Save of one's own gambles at least a point beside those that are added (P5).
        wrong = short_of(hero.fortune, max(answer.fortune, 0) * point + (not threat.called))
        if wrong is not None:
            yield wrong

    judged = _judged(broken)
    return _player(
        "save", who, question, offers, state, silence, closed=True, accepts=judged, explains=judged
    )


def defeat(state: Encounter, who: str, catalog: Catalog) -> Ask:
    """What becomes of a Defeated hero; the table waits for it."""
    offers = tuple(hardships.of_defeat(state, who, catalog))
    return Ask(id=f"defeat:{who}", actor=who, question="You are Defeated: which way?", offers=offers)


def ran_out(state: Encounter, hero: Hero, catalog: Catalog) -> Ask:
    """Harm for Fortune, or a Mark; silence leaves with a Mark."""
    offers = hardships.of_ran_out(state, hero, catalog)
    question = "Your Fortune has run out: take Harm for some, or leave with a Mark?"
    silence = TakeMark(actor=hero.id)
    return _player(f"ran_out:{hero.id}", hero.id, question, offers, state, silence, closed=True)


# Conflicts and Lucky Breaks


def goal(state: Encounter, attacker: str, defender: str) -> Ask:
    """What the defender of a conflict wants."""
    move = StateGoal(actor=defender)
    text = "The one thing that you want, and how far you go."
    offer = button(move, "goal", "State your goal", text, "Player vs. Player", told("What?", "goal"))
    question = f"{state.hero(attacker).name} goes head to head with you: what do you want?"
    return _player("goal", defender, question, (offer,), state, move)


def outcomes(state: Encounter, attacker: str, defender: str) -> Ask:
    """What becomes of a conflict, as the game master sees it."""
    one, other = state.hero(attacker).name, state.hero(defender).name
    fields = (told(f"If {one} succeeds?", "attacker"), told(f"If {other} succeeds?", "defender"))
    text = "The consequence for the other, either way."
    offer = button(
        StateOutcomes(actor=GM), "outcomes", "State the outcomes", text, "Player vs. Player", *fields
    )
    return _master("outcomes", f"{one} against {other}: what becomes of it?", (offer,))


def consent(state: Encounter, who: str) -> Ask:
    """Whether a side agrees to the outcomes, asked side by side; silence does not."""
    offers = hardships.of_agreement(who, "Player vs. Player", "If both agree, both roll.")
    silence = Agree(actor=who, yes=False)
    return _player(f"consent:{who}", who, "Do you agree to these outcomes?", offers, state, silence)


def decide(state: Encounter, who: str) -> Ask:
    """How the defender decides a conflict that is not rolled."""
    move = Decide(actor=who)
    offer = button(move, "decide", "Decide", "It is as you say.", "Player vs. Player", told())
    return _player("decide", who, "No roll: what happens?", (offer,), state, move)


def price_of_break(state: Encounter, move: LuckyBreak, catalog: Catalog) -> Ask:
    """What a Lucky Break costs, or that it does not come."""
    costs = catalog.rules.costs
    field = number_field("cost", "How much Fortune?", costs.break_least, costs.break_most)
    price = Price(actor=GM, cost=costs.break_least)
    offers = (
        button(price, "price", "Name a price", "They may pay it.", "Lucky Break", field),
        button(Refuse(actor=GM), "refuse", "Refuse", "It costs nothing, not even the action.", "Lucky Break"),
    )

    def broken(answer: Any) -> Iterable[RuleProblem]:
        wrong = break_problem(answer.cost, costs) if isinstance(answer, Price) else None
        return () if wrong is None else (wrong,)

    question = f"{state.hero(move.actor).name} wants a Lucky Break ({move.gain.value}): at what price?"
    return _master("price", question, offers, accepts=_judged(broken))


def pay_for_break(state: Encounter, who: str, cost: int) -> Ask:
    """Whether the price of a Lucky Break is paid; it cannot be where there is not Fortune enough."""
    no = Agree(actor=who, yes=False)
    offers = tuple(hardships.of_agreement(who, "Lucky Break", f"It costs {cost} Fortune."))
    fortune = state.hero(who).fortune
    if cost > fortune:
        offers = (button(no, "no", "Let it be", "It costs more than there is.", "Lucky Break"),)

    def broken(answer: Any) -> Iterable[RuleProblem]:
        wrong = short_of(fortune, cost) if isinstance(answer, Agree) and answer.yes else None
        return () if wrong is None else (wrong,)

    question = f"Pay {cost} Fortune for it?"
    return _player("pay", who, question, offers, state, no, closed=True, accepts=_judged(broken))


def reward(state: Encounter, who: str) -> Ask:
    """What the game master adds to a story."""
    field = number_field("points", "How much Fortune?", 0, MOST_REWARD)
    text = "If everyone agrees that it was awesome."
    offer = button(Reward(actor=GM), "reward", "Reward the story", text, "Telling Stories", field)
    return _master("reward", f"{state.hero(who).name} has told a story: more Fortune for it?", (offer,))


# Answers that are refused


def _judged(broken: Callable[[Any], Iterable[RuleProblem]]) -> Callable[[Any], Problems | None]:
    """Names the rules that an answer of a kind that is offered breaks."""

    def problems(answer: Any) -> Problems | None:
        wordy = words_problem(answer)
        found = (*broken(answer), *(() if wordy is None else (wordy,)))
        return Problems(found) if found else None

    return problems


def _late(*kinds: type) -> Callable[[Any], Problems | None]:
    """Names the rule that keeps out answers whose moment has passed."""

    def problems(answer: Any) -> Problems | None:
        if not isinstance(answer, kinds):
            return None
        text = "Aid comes before the roll."
        return Problems((RuleProblem("too_late", text, "Aid", ("kind",)),))

    return problems
