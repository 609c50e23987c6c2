"""Windows: effects act first, then people react, nested to any depth; the same facts however often it is run.

The game is a bout with the windows of an attack that is declared, rolled, hits and hurts: first the attacker
may react, then those beside them, then the one who is struck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.codec import Codec
from services.rules.engine.driver import Made, make, scripted
from services.rules.engine.effects import Duration, Effect, Until
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import EVERYONE, AnyPlay, Audience, LegalMove, Roll
from services.rules.engine.position import Position, position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, Run, Step, Steps, Turn, run_through, tried
from services.rules.engine.windows import Reaction, Windows

WARDED, SPARKS, CURSED, LUCKY = (f"bout:effect/{name}" for name in ("warded", "sparks", "cursed", "lucky"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """Where a bout stands: energy and hurts by fighter, and what lasts."""

    energy: Mapping[str, int]
    hurts: Mapping[str, int]
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """An attack."""

    actor: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class React:
    """An answer: a reaction by its name, or `pass`."""

    actor: str
    what: str


Move = Strike | React


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Energy was spent on something."""

    actor: str
    what: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hurt:
    """A fighter was hurt."""

    actor: str
    damage: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """An effect ended."""

    effect: str
    audience: Audience = EVERYONE


Fact = Spent | Hurt | Ended
BoutTurn = Turn[Bout, Fact]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An attack is declared; dice are about to fall."""

    attacker: str
    target: str
    guard: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """The dice lie."""

    attacker: str
    target: str
    attack: int
    guard: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An attack hits, for so much damage."""

    attacker: str
    target: str
    damage: int


def one_die(name: str, actor: str, count: int = 1) -> Roll:
    return Roll(id=name, actor=actor, label=name, dice=Explained.of(Part(count, "x", "y")))


def strike(turn: BoutTurn, move: Strike) -> Steps:
    """An attack with its windows."""
    turn.happen(Spent(actor=move.actor, what="strike"))
    declared = yield from turn.window(Declared(attacker=move.actor, target=move.target))
    attack, guard = yield from turn.roll(
        one_die("attack", move.actor), one_die("guard", move.target, declared.guard)
    )
    rolled = yield from turn.window(
        Rolled(attacker=move.actor, target=move.target, attack=sum(attack), guard=max(guard, default=0))
    )
    if rolled.attack >= rolled.guard:
        hit = yield from turn.window(Hit(attacker=move.actor, target=move.target, damage=1))
        turn.happen(Hurt(actor=move.target, damage=hit.damage))


# What effects do


def ward(turn: BoutTurn, effect: Effect, declared: Declared) -> Declared | None:
    """One die more for its bearer, without a generator."""
    return replace(declared, guard=declared.guard + 1) if effect.bearer == declared.target else None


def sparks(turn: BoutTurn, effect: Effect, hit: Hit) -> Step[Hit]:
    """A die of damage more for whoever strikes its bearer; then it is over."""
    ((face,),) = yield from turn.roll(one_die("sparks", effect.bearer))
    turn.happen(Ended(effect=effect.id))
    return replace(hit, damage=hit.damage + face)


def curse(turn: BoutTurn, effect: Effect, declared: Declared) -> None:
    """Ends the ward that it is about."""
    turn.happen(Ended(effect=effect.about))


def luck(turn: BoutTurn, effect: Effect, rolled: Rolled) -> Rolled:
    """Doubles what its bearer rolled."""
    return replace(rolled, attack=rolled.attack * 2) if effect.bearer == rolled.attacker else rolled


# What people do

COSTS = {"strike": 2, "reflex": 2, "dodge": 1, "twist": 1, "sidestep": 1}
USABLE: Mapping[type, Mapping[str, str]] = {
    Declared: {"reflex": "beside", "dodge": "target"},
    Rolled: {"twist": "attacker", "sidestep": "target"},
}
"""In which window which role may react how."""


def everyone(turn: BoutTurn, window: Declared | Rolled) -> Iterator[tuple[str, ...]]:
    """The attacker, then all others side by side, then the target."""
    yield (window.attacker,)
    yield tuple(each for each in turn.state.energy if each not in (window.attacker, window.target))
    yield (window.target,)


def role(window: Declared | Rolled, actor: str) -> str:
    return "attacker" if actor == window.attacker else "target" if actor == window.target else "beside"


def ask(turn: BoutTurn, window: Declared | Rolled, actor: str) -> Ask | None:
    """The reactions an actor can pay for; None where there are none."""
    able = tuple(
        what
        for what, whose in USABLE[type(window)].items()
        if whose == role(window, actor) and turn.state.energy[actor] >= COSTS[what]
    )
    return question(actor, f"{type(window).__name__} {window.guard}?", able) if able else None


def question(actor: str, text: str, able: Iterable[str]) -> Ask:
    offers = tuple(
        LegalMove(
            id=what,
            actor=actor,
            label=what,
            text=what,
            rule="Rules",
            move={"kind": "React", "actor": actor, "what": what},
        )
        for what in (*able, "pass")
    )
    return Ask(id=f"ask:{actor}", actor=actor, question=text, offers=offers)


def react(turn: BoutTurn, window: Any, answer: React) -> Step[Any]:
    """Every reaction, a nested attack among them."""
    match answer.what:
        case "pass":
            return None
        case "reflex":
            yield from strike(turn, Strike(actor=answer.actor, target=window.attacker))
            return window
        case "dodge":
            turn.happen(Spent(actor=answer.actor, what="dodge"))
            return replace(window, guard=window.guard + 1)
        case _:
            turn.happen(Spent(actor=answer.actor, what=answer.what))
            ((face,),) = yield from turn.roll(one_die(answer.what, answer.actor))
            side = "attack" if answer.what == "twist" else "guard"
            return replace(window, **{side: getattr(window, side) + face})


def windows() -> Windows:
    """The windows of the game."""
    found = Windows(lambda state: state.effects)
    found.acts(WARDED, Declared, ward)
    found.acts(CURSED, Declared, curse)
    found.acts(SPARKS, Hit, sparks)
    found.acts(LUCKY, Rolled, luck)
    found.reacts(Declared, Reaction(who=everyone, ask=ask, react=react))
    found.reacts(Rolled, Reaction(who=everyone, ask=ask, react=react, again=True))
    return found


class Game:
    """As much of a game as windows need."""

    state_codec = Codec(Bout, "bout/state")
    move_codec: Codec[Move] = Codec(cast(Any, Move), "bout/move")
    event_codec: Codec[Fact] = Codec(cast(Any, Fact), "bout/event")
    windows = windows()

    def rule(self, turn: BoutTurn, move: Strike) -> Steps:
        yield from strike(turn, move)

    def evolve(self, state: Bout, event: Fact) -> Bout:
        match event:
            case Spent(actor=actor, what=what):
                return replace(
                    state, energy={**state.energy, actor: state.energy[actor] - COSTS.get(what, 0)}
                )
            case Hurt(actor=actor, damage=damage):
                return replace(state, hurts={**state.hurts, actor: state.hurts[actor] + damage})
            case Ended(effect=ended):
                return replace(state, effects=tuple(effect for effect in state.effects if effect.id != ended))

    def known_to(self, state: Bout, actor: str) -> Audience:
        return EVERYONE


GAME = cast(AnyPlay, Game())
MOVE = Strike(actor="a", target="b")


def bout(*effects: Effect, energy: int = 9, **others: int) -> Bout:
    """Three fighters: `a` strikes `b`, and `c` stands by."""
    each = {name: others.get(name, energy) for name in "abc"}
    return Bout(energy=each, hurts=dict.fromkeys("abc", 0), effects=effects)


def lasting(kind: str, bearer: str, **more: Any) -> Effect:
    more.setdefault("id", f"{kind}:{bearer}")
    return Effect(kind=kind, bearer=bearer, lasts=Duration(Until.USED), **more)


def asked(run: Run) -> list[tuple[str, str]]:
    return [(each.actor, each.question) for each in run.asks]


def said(actor: str, what: str) -> tuple[React]:
    return (React(actor=actor, what=what),)


# Effects first


def test_an_effect_changes_a_running_value_before_people_are_asked() -> None:
    run = Run(GAME, bout(lasting(WARDED, "b"), a=2, c=0), MOVE)
    assert asked(run) == [("b", "Declared 2?")]
    run.go_on(said("b", "dodge"))
    assert [(roll.id, roll.dice.value) for roll in run.rolls] == [("attack", 1), ("guard", 3)]


def test_effects_act_in_their_order_on_the_state_as_it_is_by_then() -> None:
    curse_first = (lasting(CURSED, "a", about="w"), lasting(WARDED, "b", id="w"))
    for effects, guard in ((curse_first, 1), (curse_first[::-1], 2)):
        run = Run(GAME, bout(*effects, a=2, b=0, c=0), MOVE)
        assert [each.event for each in run.happened][1:] == [Ended(effect="w")]
        assert run.rolls[1].dice.value == guard


def test_an_effect_lets_dice_fall_and_ends() -> None:
    made = make(GAME, bout(lasting(SPARKS, "b"), energy=2), MOVE, scripted([(5,), (1,), (4,)]), passing)
    assert isinstance(made, Made)
    assert made.events[-2:] == (Ended(effect=f"{SPARKS}:b"), Hurt(actor="b", damage=5))
    assert made.state.effects == ()


def test_what_begins_in_a_window_waits_for_the_next() -> None:
    """Here the only effect that the window could find begins when it is open."""
    found = Windows(lambda state: state.effects)
    acted = list[str]()

    def spread(turn: BoutTurn, effect: Effect, declared: Declared) -> None:
        acted.append(effect.id)
        turn.state = replace(turn.state, effects=(*turn.state.effects, replace(effect, id=effect.id + "+")))

    found.acts(WARDED, Declared, spread)
    turn: BoutTurn = Turn(GAME, bout(lasting(WARDED, "b", id="1")))
    for wanted in (["1"], ["1", "1", "1+"]):
        assert list(found.open(turn, Declared(attacker="a", target="b"))) == []
        assert acted == wanted


def test_what_always_acts_does_so_before_any_effect_and_without_one() -> None:
    found, acted = Windows(lambda state: state.effects), list[str]()

    def always(turn: BoutTurn, declared: Declared) -> Declared:
        acted.append("always")
        return replace(declared, guard=declared.guard + 1)

    def warded(turn: BoutTurn, effect: Effect, declared: Declared) -> Declared | None:
        acted.append(f"effect {declared.guard}")
        return None

    found.acts(WARDED, Declared, warded)
    found.always(Declared, always)
    window = Declared(attacker="a", target="b")
    for effects, wanted in (
        ((), ["always"]),
        ((lasting(WARDED, "b"),), ["always", f"effect {window.guard + 1}"]),
    ):
        acted.clear()
        opened = found.open(Turn(GAME, bout(*effects)), window)
        with pytest.raises(StopIteration) as ended:
            next(opened)
        assert ended.value.value == replace(window, guard=window.guard + 1)
        assert acted == wanted


def test_two_functions_cannot_claim_one_place() -> None:
    found = windows()
    with pytest.raises(ValueError, match="acts twice in Declared"):
        found.acts(WARDED, Declared, curse)


def test_a_trial_goes_no_further_than_a_window() -> None:
    def rule(turn: BoutTurn) -> Steps:
        yield from turn.window(Declared(attacker="a", target="b"))
        yield from turn.roll(one_die("attack", "a"))

    assert tried(rule, bout()) == ()


# Then people


def passing(_state: Any, each: Ask) -> React:
    return React(actor=each.actor, what="pass")


def test_who_cannot_react_is_not_asked_and_the_others_are_asked_in_order() -> None:
    run = Run(GAME, bout(energy=9, a=2), MOVE)
    order = []
    while run.needs:
        order += [each.actor for each in run.asks] or [roll.id for roll in run.rolls]
        run.go_on(tuple(passing(None, each) for each in run.asks) or tuple((6,) for _ in run.rolls))
    assert order == ["c", "b", "attack", "guard", "b"]


def test_a_reaction_opens_its_own_windows_and_resolves_first() -> None:
    """`c` strikes back at `a`, who dodges that; then `a`'s own attack goes on."""
    run = Run(GAME, bout(a=3, b=0, c=4), MOVE)
    run.go_on(said("c", "reflex"))
    assert asked(run) == [("a", "Declared 1?")]
    run.go_on(said("a", "dodge"))
    assert [(roll.actor, roll.dice.value) for roll in run.rolls] == [("c", 1), ("a", 2)]
    run.go_on(((6,), (1, 2)))
    assert asked(run) == [("c", "Rolled 2?")]
    run.go_on(said("c", "pass"))
    assert [each.event for each in run.happened] == [
        Spent(actor="a", what="strike"),
        Spent(actor="c", what="strike"),
        Spent(actor="a", what="dodge"),
        Hurt(actor="a", damage=1),
    ]
    assert [(roll.actor, roll.dice.value) for roll in run.rolls] == [("a", 1), ("b", 1)]


def test_a_group_is_asked_again_until_nobody_reacts() -> None:
    run = Run(GAME, bout(a=5, b=0, c=0), MOVE)
    run.go_on(((1,), (6,)))
    for face in (1, 2, 3):
        assert [each.actor for each in run.asks] == ["a"]
        run.go_on(said("a", "twist"))
        run.go_on(((face,),))
    assert run.needs == ()
    assert run.state.energy["a"] == 0
    assert run.state.hurts["b"] == 1


def test_a_group_answers_side_by_side_and_reacts_in_order() -> None:
    """Fortune after a roll: everybody may add, nobody knows of the others, and all hear what it came to."""
    added = Windows(lambda state: state.effects)

    def purse(turn: BoutTurn, window: Rolled, actor: str) -> Ask | None:
        return question(actor, f"{window.attack}?", ("add",)) if turn.state.energy[actor] else None

    def add(turn: BoutTurn, window: Rolled, answer: React) -> Rolled | None:
        if answer.what == "pass":
            return None
        turn.happen(Spent(actor=answer.actor, what="dodge"))
        return replace(window, attack=window.attack + 1)

    added.reacts(Rolled, Reaction(who=lambda turn, _: [("a", "b", "c")], ask=purse, react=add, again=True))
    turn: BoutTurn = Turn(GAME, bout(a=2, b=1, c=1))
    opened = added.open(turn, Rolled(attacker="a", target="b", attack=3, guard=6))
    first = next(opened)
    assert [each.question for each in cast("tuple[Ask, ...]", first)] == ["3?"] * 3
    second = opened.send((*said("a", "add"), *said("b", "pass"), *said("c", "add")))
    assert [(each.actor, each.question) for each in cast("tuple[Ask, ...]", second)] == [
        ("a", "5?"),
        ("b", "5?"),
    ]
    with pytest.raises(StopIteration) as over:
        opened.send((*said("a", "pass"), *said("b", "pass")))
    assert over.value.value.attack == 5


# The same facts however often it is run

EFFECTS = (lasting(WARDED, "b"), lasting(SPARKS, "b"), lasting(SPARKS, "a"), lasting(LUCKY, "a"))


@given(st.lists(st.integers(0, 1), min_size=60, max_size=60), st.lists(st.integers(1, 6), min_size=99))
def test_a_rule_run_again_from_every_point_comes_to_the_same_facts(
    choices: list[int], faces: list[int]
) -> None:
    fallen, chosen = iter(faces), iter(choices)

    def throw(roll: Roll) -> tuple[int, ...]:
        return tuple(next(fallen) for _ in range(roll.dice.value))

    def answer(_state: Any, each: Ask) -> React:
        offer = each.offers[next(chosen) % len(each.offers)]
        return cast(React, GAME.move_codec.read(offer.move))

    base = bout(*EFFECTS, energy=6)
    straight = make(GAME, base, MOVE, throw, answer)
    assert isinstance(straight, Made)
    for point in range(len(straight.results) + 1):
        run = run_through(GAME, base, MOVE, straight.results[:point])
        assert run.happened == straight.happened[: len(run.happened)]
        for results in straight.results[point:]:
            run.go_on(results)
        assert (run.happened, run.state, run.needs) == (straight.happened, straight.state, ())
    fallen, chosen = iter(faces), iter(choices)
    taken = Position(GAME, base).take(MOVE, 1, throw)
    told = list[Any]()
    while not isinstance(taken, Problems):
        told += taken.events
        at = position(GAME, *taken.position.form())
        if at.waiting is None:
            break
        taken = at.take(answer(None, at.asks[0]), 1, throw)
    assert (tuple(told), at.state) == (straight.events, straight.state)
