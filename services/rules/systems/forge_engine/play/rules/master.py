"""What the game master does: reveals, circumstances, distances, improvised actions, harm (Game Mastering)."""

from __future__ import annotations

from services.rules.engine.explain import Explained, Part
from services.rules.engine.ground.fog_by_hand import changing
from services.rules.engine.ground.steps import fits
from services.rules.engine.play import EVERYONE, GM_ONLY
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.systems.forge_engine.play.effects import bears, new_effect, rules
from services.rules.systems.forge_engine.play.facts import (
    Displaced,
    EffectBegan,
    EffectEnded,
    FogChanged,
    Improvised,
    Neared,
    Revealed,
    SceneEnded,
)
from services.rules.systems.forge_engine.play.mounts import carrier_of, company
from services.rules.systems.forge_engine.play.moves import (
    ChangeFog,
    Displace,
    EndScene,
    Harm,
    Impose,
    Improvise,
    Lift,
    Reveal,
    StateDistance,
)
from services.rules.systems.forge_engine.play.rules.damage import hurt
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, pay
from services.rules.systems.forge_engine.play.state import Combatant, Fight

MASTER = "Game Mastering"
MOST_DAMAGE, FARTHEST, MOST_TEXT = 1_000, 10_000, 200


def anyone(fight: Fight, who: str, path: str = "who") -> Combatant:
    """A combatant of any side; refused where there is none."""
    found = fight.get(who)
    return found or refuse("unknown_target", "There is no such combatant.", MASTER, (path,), who)


def end_scene(turn: FightTurn, move: EndScene) -> Steps:
    """The scene ends."""
    turn.happen(SceneEnded(text=move.text.strip()[:MOST_TEXT]))
    yield from ()


def reveal(turn: FightTurn, move: Reveal) -> Steps:
    """A hidden combatant steps out."""
    one = anyone(turn.state, move.who)
    if not one.hidden:
        refuse("nobody_hides", f"{one.name} does not hide.", MASTER, ("who",), move.who)
    turn.happen(Revealed(who=one.id, name=one.name))
    yield from ()


def impose(turn: FightTurn, move: Impose) -> Steps:
    """Puts a condition or a circumstance on a combatant."""
    one = anyone(turn.state, move.who)
    kinds = tuple(
        kind
        for kind, rule in rules(turn.state.catalog).items()
        if kind in turn.state.catalog.conditions or "circumstance" in rule.tags
    )
    if move.what not in kinds:
        refuse("id_unknown", "There is no such condition.", MASTER, ("what",), move.what, kinds)
    if bears(turn.state, one.id, move.what) is not None:
        refuse(
            "borne_already",
            f"{one.name} is {rules(turn.state.catalog)[move.what].name} already.",
            MASTER,
            ("what",),
            move.what,
        )
    effect = new_effect(turn.state, move.what, one.id, shaken_off=move.shaken_off)
    turn.happen(EffectBegan(effect=effect))
    yield from ()


def change_fog(turn: FightTurn, move: ChangeFog) -> Steps:
    """Squares are uncovered or covered; what one player alone knew of them is told to no other."""
    fight = turn.state
    squares = changing(fight.explored, fight.ground, move.squares, known=move.known)
    if isinstance(squares, RuleProblem):
        raise Refused(Problems((squares,)))
    shared = fight.explored is not None and fight.explored.shared
    audience = EVERYONE if move.known or shared else GM_ONLY
    turn.happen(FogChanged(squares=squares, known=move.known, audience=audience))
    yield from ()


def lift(turn: FightTurn, move: Lift) -> Steps:
    """Ends what lasts."""
    effect = next((each for each in turn.state.effects if each.id == move.effect), None)
    if effect is None:
        refuse("id_unknown", "Nothing of this id lasts.", MASTER, ("effect",), move.effect)
    turn.happen(EffectEnded(effect=effect.id, bearer=effect.bearer, what=effect.kind))
    yield from ()


def state_distance(turn: FightTurn, move: StateDistance) -> Steps:
    """Says how far two are apart."""
    fight = turn.state
    one, other = anyone(fight, move.one, "one"), anyone(fight, move.other, "other")
    one, other = carrier_of(fight, one.id) or one, carrier_of(fight, other.id) or other
    if fight.ground is not None or one.id == other.id:
        refuse("on_grid", "On a grid the squares say how far.", MASTER, ("feet",), move.feet)
    if not 0 < move.feet <= FARTHEST or move.feet % 5:
        refuse("distance_out_of_range", "Feet, in steps of 5.", MASTER, ("feet",), move.feet, (5, FARTHEST))
    turn.happen(Neared(one=one.id, other=other.id, feet=move.feet))
    yield from ()


def displace(turn: FightTurn, move: Displace) -> Steps:
    """Pushes, pulls or puts a combatant somewhere."""
    fight = turn.state
    one = anyone(fight, move.who)
    if fight.ground is None or one.at is None:
        refuse("no_grid", "There is no grid.", MASTER, ("to",))
    squares = set(one.footprint(move.to).squares())
    together = {one.id, *company(fight, one.id)}
    others = (
        each
        for each in fight.combatants
        if each.id not in together and each.at is not None and each.gone is None
    )
    taken = any(squares & set(each.footprint().squares()) for each in others)
    if taken or not fits(fight.ground, one.footprint(move.to)):
        refuse("square_taken", "There is no room.", MASTER, ("to",))
    turn.happen(Displaced(who=one.id, to=move.to))
    yield from ()


def improvise(turn: FightTurn, move: Improvise) -> Steps:
    """Charges energy for an improvised action (F12)."""
    one = anyone(turn.state, move.who)
    if not one.up:
        refuse("cannot_act", f"{one.name} can do nothing.", MASTER, ("who",), one.life.value)
    if move.energy < 0 or move.expend < 0:
        refuse("energy_out_of_range", "Energy is not negative.", MASTER, ("energy",), move.energy)
    check_energy(one, move.energy, move.expend)
    text = move.text.strip()[:MOST_TEXT] or "something"
    turn.happen(Improvised(who=one.id, text=text))
    pay(turn, one.id, text, Explained.of(Part(move.energy, text, MASTER)), expended=move.expend)
    yield from ()


def harm(turn: FightTurn, move: Harm) -> Steps:
    """Deals damage that no attack deals."""
    one = anyone(turn.state, move.who)
    if move.type not in turn.state.catalog.damage:
        refuse("id_unknown", "There is no such damage.", "Damage Types", ("type",), move.type)
    if not 0 <= move.damage <= MOST_DAMAGE:
        refuse("damage_out_of_range", "Damage is from 0.", MASTER, ("damage",), move.damage, (0, MOST_DAMAGE))
    hurt(turn, one.id, move.damage, move.type)
    yield from ()
