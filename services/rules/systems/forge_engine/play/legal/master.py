"""The game master's moves as offers."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, choice_field, number_field, squares_field, text_field
from services.rules.engine.ground.fog_by_hand import TEXTS, VERBS, offered
from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.play import GM, LegalMove
from services.rules.systems.forge_engine.play.doors import in_the_way, is_open, name_of, secret_doors
from services.rules.systems.forge_engine.play.effects import bears, rules
from services.rules.systems.forge_engine.play.moves import (
    BeginFight,
    ChangeFog,
    Contest,
    Endanger,
    EndScene,
    Harm,
    Impose,
    Lift,
    Morale,
    Rest,
    RestKind,
    Reveal,
    SetDoor,
    Wait,
)
from services.rules.systems.forge_engine.play.rules.attribute_test import ENDURANCE
from services.rules.systems.forge_engine.play.rules.contests import MORALE, PURSUITS
from services.rules.systems.forge_engine.play.rules.doors import DOORS
from services.rules.systems.forge_engine.play.rules.master import MASTER
from services.rules.systems.forge_engine.play.state import Fight, Life, Phase


def master_offers(fight: Fight) -> Iterator[LegalMove]:
    """What the game master may do now."""
    names = [(one.id, one.name) for one in fight.combatants]
    if fight.phase is Phase.CALM:
        yield from _calm(fight)
    for one in fight.combatants:
        if one.hidden:
            text = f"{one.name} steps out."
            yield button(Reveal(actor=GM, who=one.id), f"reveal:{one.id}", f"Reveal {one.name}", text, MASTER)
    kinds = rules(fight.catalog)
    for kind, rule in kinds.items():
        if kind in fight.catalog.conditions or "circumstance" in rule.tags:
            free = [(who, name) for who, name in names if bears(fight, who, kind) is None]
            if free:
                who = choice_field("who", "Who?", free)
                move = Impose(actor=GM, who="", what=kind)
                yield button(move, f"impose:{kind}", rule.name.capitalize(), f"{rule.rule}.", MASTER, who)
    if fight.effects:
        lasting = [
            (each.id, f"{rules(fight.catalog)[each.kind].name}: {fight.find(each.bearer).name}")
            for each in fight.effects
        ]
        which = choice_field("effect", "What ends?", lasting)
        yield button(Lift(actor=GM, effect=""), "lift", "End an effect", "It ends.", MASTER, which)
    yield from _doors(fight)
    for known, squares in offered(fight.explored, fight.ground):
        fog = ChangeFog(actor=GM, squares=(), known=known)
        which = squares_field("squares", "Which squares?", squares, 1, len(squares))
        name, label = f"fog:{VERBS[known].lower()}", f"{VERBS[known]} squares"
        yield button(fog, name, label, TEXTS[known], MASTER, which)
    living = [(one.id, one.name) for one in fight.combatants if one.life is not Life.DEAD]
    if living:
        yield from _harm(fight, living)
    yield from _contests(fight)
    why = text_field("text", "How does it end?", 200, required=False)
    yield button(EndScene(actor=GM), "end", "End the scene", "The scene ends here.", MASTER, why)


def _doors(fight: Fight) -> Iterator[LegalMove]:
    """Every way in which a door of the grid does not stand yet."""
    secret = secret_doors(fight)
    for door in (*(() if fight.ground is None else fight.ground.doors), *secret):
        if not door.shut.flags or (is_open(door) and in_the_way(fight, door)):
            continue
        for state in DoorState:
            if state is not door.state or door in secret:
                move = SetDoor(actor=GM, door=door.id, state=state)
                text = f"It is {state.value} then." + (" It is secret no more." if door in secret else "")
                label = f"{DOOR_VERBS[state]} {name_of(fight, door.id)}"
                yield button(move, f"door:{door.id}:{state.value}", label, text, DOORS)


DOOR_VERBS = {DoorState.OPEN: "Open", DoorState.CLOSED: "Shut", DoorState.LOCKED: "Lock"}
"""What buttons say for how a door is set."""


def _calm(fight: Fight) -> Iterator[LegalMove]:
    if len({one.side for one in fight.combatants if one.up}) > 1:
        text = "Roll for initiative."
        yield button(BeginFight(actor=GM), "fight", "Begin the fight", text, "Combat Initiation")
    everyone = tuple(one.id for one in fight.combatants)
    for kind, words in ((RestKind.SHORT, "30 minutes"), (RestKind.LONG, "8 hours")):
        move = Rest(actor=GM, who=everyone, length=kind)
        name = f"{kind.value.capitalize()} rest"
        yield button(move, f"rest:{kind.value}", name, f"Everyone rests for {words}.", "Resting")
    minutes = number_field("minutes", "How many minutes?", 1, 10)
    yield button(Wait(actor=GM), "wait", "Let time pass", "Minutes pass.", MASTER, minutes)


def _contests(fight: Fight) -> Iterator[LegalMove]:
    """Pursuit, which those who fled are in as well, and the morale of those who fight on."""
    awake = [one for one in fight.combatants if one.life is Life.UP and not one.vehicle]
    for one in awake if len(awake) > 1 else ():
        rivals = [(other.id, other.name) for other in awake if other.id != one.id]
        move = Contest(actor=GM, one=one.id, other="", skill=ENDURANCE)
        text = "Stamina (Endurance) of both: the winner draws nearer or away."
        field = choice_field("other", "Whom?", rivals)
        yield button(move, f"pursuit:{one.id}", f"Pursuit by {one.name}", text, PURSUITS, field)
    fighting = [(one.id, one.name) for one in awake if one.gone is None]
    if fight.phase is Phase.FIGHT and fighting:
        fields = (choice_field("who", "Who?", fighting), number_field("difficulty", "How hard?", 7, 10))
        text = "Whoever fails has had enough."
        yield button(Morale(actor=GM, who=""), "morale", "Test morale", text, MORALE, *fields)


def _harm(fight: Fight, living: list[tuple[str, str]]) -> Iterator[LegalMove]:
    who = choice_field("who", "Who?", living)
    types = choice_field("type", "Of which kind?", ((each.id, each.name) for each in fight.catalog.damage))
    much = number_field("damage", "How much?", 1, 5)
    move = Harm(actor=GM, who="", damage=1, type="")
    yield button(move, "harm", "Deal damage", "Damage that no attack deals.", MASTER, who, much, types)
    for hazard in fight.catalog.hazards:
        levels = hazard.levels or (None,)
        for level in levels:
            name = "" if level is None else level.name
            danger = Endanger(actor=GM, who="", hazard=hazard.id, level=name)
            label = name or hazard.name
            fields = (who, *((number_field("feet", "How deep?", 10, 60),) if hazard.feet_per_damage else ()))
            yield button(
                danger, f"hazard:{hazard.id}:{name}", label, hazard.summary, "Environmental Hazards", *fields
            )
