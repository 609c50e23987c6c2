"""Answers cases of Fortune, Harm, Saves and Marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.play import GM, CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades.build import build
from services.rules.systems.fortunate_blades.catalog import Armor, Gear
from services.rules.systems.fortunate_blades.choices import CarriedGear, Condition, Ranks
from services.rules.systems.fortunate_blades.play.facts import (
    Acted,
    Defeated,
    FactStated,
    FortuneSpent,
    Harmed,
    Marked,
    Rolled,
    Saved,
    WentOut,
)
from services.rules.systems.fortunate_blades.play.moves import (
    Agree,
    Aid,
    Benefit,
    BlazeOfGlory,
    Boost,
    Call,
    CallGroup,
    CauseHarm,
    Commit,
    Enable,
    Gain,
    Lift,
    LuckyBreak,
    MakeSave,
    Move,
    Price,
    RaiseEffect,
    Refuse,
    Retire,
    Revive,
    StateFact,
    Stir,
    TakeAway,
    TakeHarm,
    TakeMark,
    Wait,
)
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.play.setup import SETUPS
from services.rules.systems.fortunate_blades.play.state import Encounter, Prepared, Standing
from services.rules.systems.fortunate_blades.terms import Attribute, Group, HarmLevel, Magnitude
from tests.conformance.fortunate_blades.actions import ACT, advantages_of
from tests.conformance.fortunate_blades.party import CLEAR, CLOSE, NATURAL
from tests.conformance.fortunate_blades.reading import Answer, Given, only
from tests.conformance.fortunate_blades.rests import story
from tests.conformance.fortunate_blades.stage import (
    CONTENT,
    EXAMPLE,
    Played,
    Reply,
    filled,
    hero,
    opened,
    played,
    refused,
    stage,
    with_harms,
)

HARM = CauseHarm(actor=GM, target="A", group=Group.PHYSICAL, level=HarmLevel.SERIOUS, close=30)
CALL = Call(actor=GM, close=CLOSE, spread=CLEAR - CLOSE)


# Fortune


def fortune(given: Given) -> Answer:
    """What Fortune is left when it is spent, gained, or has run out."""
    only(
        given,
        "fortune",
        "spend",
        "lucky_break",
        "gm",
        "choice",
        "harm",
        "marks",
        "event",
        "d3",
        "d4",
        "gm_bonus",
        "prepared",
        "roll_about",
    )
    for key, answer in (
        ("spend", _spent),
        ("lucky_break", _lucky_break),
        ("prepared", _prepared),
        ("event", _event),
        ("choice", _ran_out),
    ):
        if key in given:
            return answer(given)
    raise UnsupportedCaseError("nothing happens to the Fortune of this case")


def _on_a_roll(result: str, **replies: Reply) -> Callable[[Encounter], Played]:
    """Something spent on an action of A's that comes to a result."""

    def make(state: Encounter) -> Played:
        answers: dict[str, Reply] = {"call": CALL, "ran_out": opened, **replies}
        face = CLOSE - 1 if result == "miss" else NATURAL[result]
        return played(state, ACT, {"roll:A": [face] * 2}, answers)

    return make


def _on_anothers(**replies: Reply) -> Callable[[Encounter], Played]:
    """Something that A spends on an action of B's."""

    def make(state: Encounter) -> Played:
        answers: dict[str, Reply] = {"call": CALL, "ran_out": opened, **replies}
        move = replace(ACT, actor="B")
        return played(state, move, {"roll:B": [CLOSE - 1] * 2}, answers)

    return make


def _lifted(state: Encounter) -> Played:
    """A lift of A's in a Group Action."""
    return played(
        state,
        CallGroup(actor=GM, close=CLOSE, spread=CLEAR - CLOSE),
        {"roll:A": [NATURAL["clear"]], "roll:B": [NATURAL["miss"]]},
        {
            "lift:A": lambda ask: (
                Lift(actor="A", target="B") if "miss" in ask.offers[0].fields[0].choices[0].label else None
            ),
            "ran_out": opened,
        },
    )


def _harmed(level: HarmLevel) -> Callable[[Encounter], Played]:
    """A roll of A's under Harm, which A pays for."""

    def make(state: Encounter) -> Played:
        hurt = with_harms(state, "A", [(level, Group.PHYSICAL)])
        return _on_a_roll("clear", **{"pay:A": Enable(actor="A")})(hurt)

    return make


SPENDS: Mapping[str, Callable[[Encounter], Played]] = {
    "aid": _on_anothers(aid=Aid(actor="A", benefit=Benefit.LUCKY, pay=True)),
    "lucky": _on_a_roll("clear", commit=Commit(actor="A", lucky=True)),
    "effect": _on_a_roll("clear", effect=RaiseEffect(actor="A", levels=1)),
    "plus": _on_a_roll("clear", commit=Commit(actor="A", fortune=1)),
    "after": _on_a_roll("miss", **{"boost:A": Boost(actor="A", points=1)}),
    "other": _on_anothers(**{"boost:A": Boost(actor="A", points=1)}),
    "group_lift": _lifted,
    "heroic_harm": _harmed(HarmLevel.HEROIC),
    "serious_harm": _harmed(HarmLevel.SERIOUS),
}
"""What is spent, by the beginning of the word for it."""
TRIED: Mapping[str, Move] = {
    "aid": Aid(actor="A", benefit=Benefit.LUCKY, pay=True),
    "lucky": Commit(actor="A", lucky=True),
    "effect": RaiseEffect(actor="A", levels=1),
    "plus": Commit(actor="A", fortune=1),
    "after": Boost(actor="A", points=1),
    "other": Boost(actor="A", points=1),
    "group_lift": Lift(actor="A", target="B"),
    "heroic_harm": Enable(actor="A"),
}
"""The move or answer that spends it."""
ALIASES = {
    "+1": "plus",
    "add": "plus",
    "bonus": "plus",
    "point": "plus",
    "before": "plus",
    "lift": "group_lift",
    "own_lucky": "lucky",
    "raise": "effect",
    "level": "effect",
}


def _spend(word: str) -> str:
    """What a word of a case spends Fortune on."""
    for beginning, name in (*((key, key) for key in SPENDS), *ALIASES.items()):
        if word.startswith(beginning):
            return name
    raise UnsupportedCaseError(f"nothing is known of spending on {word!r}")


def _spent(given: Given) -> Answer:
    """One thing after the other, each in a scene of its own, with what is left of the Fortune.

    Who is not asked, for want of Fortune, tries it nevertheless.
    """
    left = given["fortune"]
    for word in given["spend"]:
        name = _spend(word)
        made = SPENDS[name](stage(hero(fortune=left), hero("B")))
        if made.problems is None and not _has_spent(made, name):
            made = _tried(made, name)
        if made.problems is not None:
            return refused(made.error)
        left = made.state.hero("A").fortune
    return {"fortune": left, "legal": True}


def _has_spent(made: Played, name: str) -> bool:
    """Whether Fortune was spent; serious Harm asks for none by default (P2)."""
    return name == "serious_harm" or any(each.hero == "A" for each in made.of(FortuneSpent))


def _tried(made: Played, name: str) -> Played:
    """The same by a hero who is not asked; who has no Fortune has left with a Mark first."""
    gone = played(made.at, TakeMark(actor="A")) if made.at.asks else made
    return played(gone.at, TRIED[name])


def _lucky_break(given: Given) -> Answer:
    """A Lucky Break that the game master prices or refuses."""
    price: Move = Price(actor=GM, cost=given["lucky_break"])
    if given.get("gm") == "refuses":
        price = Refuse(actor=GM)
    made = played(
        stage(hero(fortune=given["fortune"]), hero("B")),
        LuckyBreak(actor="A", gain=Gain.ITEM),
        replies={"price": price, "pay": Agree(actor="A", yes=True), "ran_out": opened},
    )
    if made.problems is not None:
        return refused(made.error)
    return {
        "legal": True,
        "fortune": made.state.hero("A").fortune,
        "action_lost": bool(made.of(Acted)),
    }


def _prepared(given: Given) -> Answer:
    """What can be added to a roll about an event."""
    laid_by = given["prepared"]
    one = hero(
        fortune=given["fortune"],
        prepared=(Prepared(event=laid_by["event"], points=laid_by["points"]),),
    )
    call = replace(CALL, event=given["roll_about"])
    made = played(stage(one), ACT, replies={"call": call, "commit": opened})
    ask = made.asks("commit")
    if ask is None:
        return refused(made.error)
    most = {field.name: field.most or 0 for field in ask.offers[0].fields}
    return {"bonus_available": most.get("fortune", 0) + most.get("prepared", 0)}


def _event(given: Given) -> Answer:
    """What brings Fortune: a natural 20, a story, or the start of a Quest."""
    left = given["fortune"]
    match given["event"]:
        case "natural20":
            fact = next(iter(CONTENT.facts.entries))
            chosen = StateFact(actor="A", fact=fact) if given.get("choice") == "fact" else None
            replies: dict[str, Reply] = {"call": CALL}
            if chosen is not None:
                replies["natural_20"] = chosen
            faces = {"roll": [20], "fortune": [given.get("d3", 1)]}
            made = played(stage(hero(fortune=left)), ACT, faces, replies)
            return {"fortune": made.state.hero("A").fortune, "fact": bool(made.of(FactStated))}
        case "story":
            return {"fortune": story(given)}
        case "quest_start":
            return {"fortune": _quest_begun(left)}
    raise UnsupportedCaseError(f"nothing is known of {given['event']!r}")


def _quest_begun(left: int) -> int:
    """The Fortune of a hero who begins a Quest with some left of the last one."""
    sheet = build(replace(EXAMPLE, condition=Condition(fortune=left)), CONTENT)
    setup = replace(SETUPS["wolves"], quest_begins=True)
    state = FortunateBladesPlay(CONTENT).begin(setup, (CastMember(id="A", sheet=sheet),))
    if isinstance(state, Problems):
        raise AssertionError(str(state))
    return state.hero("A").fortune


def _ran_out(given: Given) -> Answer:
    """What a hero without Fortune chooses."""
    one = hero(fortune=given["fortune"], marks=("A Mark",) * given.get("marks", 0))
    choice: Move = TakeMark(actor="A")
    if given["choice"] == "harm":
        choice = TakeHarm(actor="A", level=HarmLevel(given["harm"]), group=Group.PHYSICAL)
    made = played(stage(one, hero("B")), Wait(actor="A"), replies={"ran_out": choice, "defeat": opened})
    if made.problems is not None:
        return refused(made.error)
    after = made.state.hero("A")
    return {
        "legal": True,
        "fortune": after.fortune,
        "marks": len(after.marks),
        "out_of": OUT_OF.get(after.standing),
        "fortune_on_return": _on_return(made),
    }


def _on_return(made: Played) -> int:
    """The Fortune of the hero's sheet when the encounter is over."""
    play = FortunateBladesPlay(CONTENT)
    change = next(each for each in play.changes(made.state) if each.character == "A")
    sheet = build(play.absorb(EXAMPLE, change.data), CONTENT)
    if isinstance(sheet, Problems):
        raise AssertionError(str(sheet))
    return sheet.fortune_left


OUT_OF = {Standing.OUT_OF_ENCOUNTER: "encounter", Standing.OUT_OF_QUEST: "quest"}


# Harm


def harm_slots(given: Given) -> Answer:
    """Where new Harm goes."""
    only(given, "slots", "incoming")
    borne = [
        (HarmLevel(level), Group.MENTAL) for level, number in given["slots"].items() for _ in range(number)
    ]
    state = with_harms(stage(hero(), hero("B")), "A", borne)
    harm = replace(HARM, level=HarmLevel(given["incoming"]))
    made = played(state, Stir(actor=GM), replies={"consequence": harm, "defeat": opened})
    harmed, lethal = made.last(Harmed), bool(made.of(Defeated))
    return {
        "placed": "lethal" if harmed is None and lethal else harmed.level.value,
        "slots": filled(made.state, "A"),
        "defeated": lethal,
        "mark": bool(made.of(Marked)),
    }


def save(given: Given) -> Answer:
    """A Save against Harm, or what comes too late, or against something else."""
    only(
        given,
        "harm",
        "d20",
        "group",
        "armor",
        "fortune_added",
        "close",
        "clear",
        "called_by",
        "fortune",
        "d4",
        "timing",
        "consequence",
        "advantages",
    )
    if "timing" in given or "consequence" in given:
        return _after_the_moment(given)
    state, group = _saver(given)
    close, clear = given["close"], given["clear"]
    harm = CauseHarm(
        actor=GM,
        target="A",
        group=group,
        level=HarmLevel(given["harm"]["level"]),
        close=close,
        spread=clear - close,
        called=given.get("called_by", "gm") == "gm",
    )
    die = [given.get("d4", 1)]
    made = played(
        state,
        Stir(actor=GM),
        {"save": [given["d20"]], "cost": die, "fortune": die},
        {
            "consequence": harm,
            "save": MakeSave(actor="A", fortune=given.get("fortune_added", 0)),
            "ran_out": opened,
            "defeat": opened,
        },
    )
    if made.problems is not None:
        return refused(made.error)
    rolled, saved, harmed = made.of(Rolled)[0], made.last(Saved), made.last(Harmed)
    left = harmed.level.value if harmed else "lethal" if made.of(Defeated) else "none"
    return {
        "legal": True,
        "group_total": _group_total(given),
        "total": rolled.total,
        "natural": rolled.natural,
        "result": saved.result.value,
        "harm": left,
        "fortune": made.state.hero("A").fortune,
        "ran_out": made.asks("ran_out") is not None,
    }


def _sheet(given: Given) -> Any:
    """A hero built with the ranks and the armour of a case."""
    group = Group(given["harm"]["type"])
    names = [each.value for each in Attribute if each.group is group]
    ranks = dict(zip(names, given["group"], strict=True))
    armor = [each for each in given.get("armor", ()) if each]
    pieces = {
        f"fortunate_blades:gear/case-{place}": Gear(
            id=f"fortunate_blades:gear/case-{place}",
            name="Armour",
            text="Armour of the case.",
            armor=Armor(magnitude=tuple(Magnitude)[bonus - 1], against=Group(against)),
        )
        for place, (against, bonus) in enumerate(armor)
    }
    creation = replace(CONTENT.rules.creation, ranks=sum(given["group"]))
    catalog = replace(
        CONTENT,
        gear=replace(CONTENT.gear, entries={**CONTENT.gear.entries, **pieces}),
        rules=replace(CONTENT.rules, creation=creation),
    )
    choices = replace(
        EXAMPLE,
        ranks=Ranks(**ranks),
        gear=tuple(CarriedGear(gear=each) for each in pieces),
        condition=Condition(fortune=given.get("fortune")),
    )
    sheet = build(choices, catalog)
    if isinstance(sheet, Problems):
        raise AssertionError(str(sheet))
    return sheet, catalog


def _group_total(given: Given) -> int:
    sheet, _ = _sheet(given)
    found: int = next(line.total.value for line in sheet.groups if line.group.value == given["harm"]["type"])
    return found


def _saver(given: Given) -> tuple[Encounter, Group]:
    """An encounter of the hero of a case, with no talents and nobody who could help."""
    sheet, catalog = _sheet(given)
    setup = replace(SETUPS["wolves"], advantages=advantages_of(given.get("advantages", ())))
    state = FortunateBladesPlay(catalog).begin(setup, (CastMember(id="A", sheet=sheet),))
    if isinstance(state, Problems):
        raise AssertionError(str(state))
    plain = replace(state.hero("A"), talents=())
    return replace(state, heroes=(plain,), engaged=True), Group(given["harm"]["type"])


def _after_the_moment(given: Given) -> Answer:
    """A Save that comes when the moment has passed, or against something else than Harm."""
    harm: Move = HARM
    if "harm" in given:
        harm = replace(HARM, group=Group(given["harm"]["type"]), level=HarmLevel(given["harm"]["level"]))
    if "consequence" in given:
        harm = TakeAway(actor=GM, target="A", words="It breaks.")
    made = played(stage(hero(), hero("B")), Stir(actor=GM), replies={"consequence": harm})
    return refused(played(made.at, MakeSave(actor="A")).error)


# Marks


def mark(given: Given) -> Answer:
    """A Mark and what it leads to, or the way that a Defeated hero takes."""
    only(given, "marks", "cause", "roll_called", "choice", "harm")
    if "choice" in given:
        return _defeat(given["choice"])
    one = hero(marks=("A Mark",) * given.get("marks", 0))
    made = _marked(one, given)
    if made.problems is not None:
        return refused(made.error)
    after = made.state.hero("A")
    ask = made.asks("defeat")
    names = [] if ask is None else [offer.id.partition(":")[0] for offer in ask.offers]
    resolved = [each.result.value for each in made.events if type(each).__name__ == "Resolved"]
    return {
        "legal": True,
        "marks": len(after.marks),
        "result": resolved[-1] if resolved else None,
        "out_of": OUT_OF.get(after.standing),
        "defeated": bool(made.of(Defeated)),
        "choices": [CHOICES[each] for each in dict.fromkeys(names)],
    }


CHOICES = {"revive": "revive", "retire": "retire", "blaze": "blaze_of_glory"}


def _marked(one: Any, given: Given) -> Played:
    """What brings the Mark of a case."""
    if given.get("harm") == "lethal":
        harm = replace(HARM, level=HarmLevel.LETHAL)
        return played(stage(one, hero("B")), Stir(actor=GM), replies={"consequence": harm, "defeat": opened})
    match given["cause"]:
        case "clear_a_roll" if not given.get("roll_called", True):
            return played(stage(one, hero("B")), TakeMark(actor="A"))
        case "clear_a_roll":
            replies: dict[str, Reply] = {"call": CALL, "commit": TakeMark(actor="A"), "defeat": opened}
            return played(stage(one, hero("B")), ACT, replies=replies)
        case "harm_full":
            rows = [HarmLevel.MINOR] * 2 + [HarmLevel.SERIOUS] * 2
            state = with_harms(stage(one, hero("B")), "A", [(level, Group.MENTAL) for level in rows])
            harm = replace(HARM, level=HarmLevel.HEROIC)
            return played(state, Stir(actor=GM), replies={"consequence": harm, "defeat": opened})
        case "fortune_ran_out":
            state = stage(replace(one, fortune=0), hero("B"))
            return played(state, Wait(actor="A"), replies={"ran_out": TakeMark(actor="A"), "defeat": opened})
    raise UnsupportedCaseError(f"nothing is known of {given['cause']!r}")


def _defeat(choice: str) -> Answer:
    """The way that a Defeated hero takes."""
    act = next(iter(CONTENT.final_acts.entries))
    ways: dict[str, Move] = {
        "revive": Revive(actor="A"),
        "retire": Retire(actor="A"),
        "blaze_of_glory": BlazeOfGlory(actor="A", act=act, clock="clock-1"),
    }
    harm = replace(HARM, level=HarmLevel.LETHAL)

    def defeated(ask: Any) -> Move:
        aimed = any(
            offer.id == f"blaze:{act}" and offer.fields and offer.fields[0].name == "clock"
            for offer in ask.offers
        )
        way = ways[choice]
        return way if aimed or not isinstance(way, BlazeOfGlory) else replace(way, clock=None)

    made = played(stage(hero(), hero("B")), Stir(actor=GM), replies={"consequence": harm, "defeat": defeated})
    if made.problems is not None:
        return refused(made.error)
    after = made.state.hero("A")
    returns = {Standing.REVIVED: "later_quest", Standing.RETIRING: "background"}
    return {
        "can_finish_encounter": after.present,
        "can_finish_quest": after.standing is Standing.IN,
        "can_return": returns.get(after.standing),
        "must_change": after.standing is Standing.REVIVED,
        "final_act": bool(made.of(WentOut)),
        "dead": after.standing is Standing.DEAD,
    }
