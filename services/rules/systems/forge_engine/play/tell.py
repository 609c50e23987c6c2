"""One plain sentence for each fact."""

from __future__ import annotations

from services.rules.engine.content import slug_of
from services.rules.engine.ground.fog_by_hand import TOLD
from services.rules.engine.wording import counted, listed
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.effects import CARRIED, DRIVING, rules
from services.rules.systems.forge_engine.play.facts import FightFact
from services.rules.systems.forge_engine.play.moves import MinorUse
from services.rules.systems.forge_engine.play.state import Fight, Gone, Life

MINOR = {
    MinorUse.DROP: "drops {}",
    MinorUse.ITEM: "uses {}",
    MinorUse.SLING: "slings {}",
    MinorUse.PRONE: "drops to the ground",
    MinorUse.DRAW: "draws {}",
    MinorUse.SHEATHE: "puts {} away",
    MinorUse.PICK_UP: "picks {} up",
    MinorUse.DOOR: "reaches for {}",
    MinorUse.RELEASE: "lets go",
    MinorUse.STANCE: "changes stance: {}",
}


LEFT = {Gone.FLED: "flees", Gone.YIELDED: "surrenders", Gone.DISPELLED: "vanishes"}


def tell(state: Fight, event: FightFact) -> str:
    """The sentence for a fact; empty for one that need not be read."""
    return _combat(state, event) or _action(state, event) or _door(state, event) or _health(state, event)


def _name(state: Fight, who: str) -> str:
    one = state.get(who)
    return one.name if one is not None else "A combatant"


def _energy(number: int) -> str:
    return f"{number} energy"


def _combat(state: Fight, fact: FightFact) -> str:
    """Rounds, turns and energy."""
    match fact:
        case facts.FightBegan():
            return "A fight breaks out."
        case facts.Noticed(who=who):
            return f"{_name(state, who)} {'is surprised' if fact.surprised else 'notices in time'}."
        case facts.InitiativeRolled(who=who):
            return (
                f"{_name(state, who)} has {max(fact.faces, default=0)} initiative and {_energy(fact.energy)}."
            )
        case facts.Reordered(who=who):
            return f"{_name(state, who)} takes the initiative."
        case facts.TurnBegan(who=who):
            out = (one := state.get(who)) is not None and one.life not in (Life.UP, Life.DYING)
            return "" if out else f"Round {fact.round}: {_name(state, who)}'s turn begins."
        case facts.EnergyRegained(who=who):
            return f"{_name(state, who)} regains energy and has {fact.pool}."
        case facts.Passed(who=who):
            return f"{_name(state, who)} passes."
        case facts.SceneEnded():
            return f"The scene ends. {fact.text}".strip().rstrip(".!?") + "."
        case facts.Revealed():
            return f"{fact.name} steps out of hiding."
        case facts.EnergyUsed(who=who) if fact.expended:
            return f"{_name(state, who)} expends {_energy(fact.expended)} on {fact.what}."
        case facts.EnergyLost(who=who):
            return f"{_name(state, who)} loses {_energy(fact.expended)} to {fact.what}."
        case facts.BonusGained(who=who):
            return f"{_name(state, who)} gains {fact.amount} bonus energy: {fact.what}."
    return ""


def _door(state: Fight, fact: FightFact) -> str:
    """Doors."""
    match fact:
        case facts.DoorFound():
            return "A secret door is found."
        case facts.DoorSet():
            return f"{fact.name.capitalize()} is {fact.state.value} now."
        case facts.FogChanged():
            return TOLD[fact.known]
        case facts.DoorStuck(who=who):
            return f"{fact.name.capitalize()} does not move for {_name(state, who)}."
    return ""


def _action(state: Fight, fact: FightFact) -> str:
    """What combatants do."""
    match fact:
        case facts.Moved(who=who):
            return f"{_name(state, who)} {'runs' if fact.run else 'moves'} {fact.feet} feet."
        case facts.Neared():
            one, other = _name(state, fact.one), _name(state, fact.other)
            return f"{one} and {other} are {fact.feet} feet apart."
        case facts.Displaced(who=who):
            return f"{_name(state, who)} is moved."
        case facts.Rose(who=who):
            return (
                f"{_name(state, who)} rises {fact.feet} feet."
                if fact.feet
                else f"{_name(state, who)} hovers."
            )
        case facts.Sank(who=who):
            return f"{_name(state, who)} sinks {fact.feet} feet."
        case facts.Stood(who=who):
            return f"{_name(state, who)} gets up."
        case facts.MinorDone(who=who):
            return f"{_name(state, who)} {MINOR[fact.use].format(fact.name or 'something')}."
        case facts.Reloaded(who=who):
            return f"{_name(state, who)} reloads {fact.name}: {fact.shots}."
        case facts.Armed(who=who):
            return f"{_name(state, who)} sets off {fact.name}."
        case facts.Tested(who=who):
            return f"{_name(state, who)} tests {fact.what}: {_successes(fact.successes, fact.critical)}."
        case facts.Contested(who=who):
            against = _name(state, fact.against)
            return f"{_name(state, who)} against {against}, {fact.what}: {_successes(fact.successes)}."
        case facts.Improvised(who=who):
            return f"{_name(state, who)} improvises: {fact.text.rstrip('.!?')}."
        case facts.Left(who=who):
            return f"{_name(state, who)} {LEFT[fact.how]}."
        case facts.Climbed(who=who):
            return f"{_name(state, who)} {fact.what} {fact.feet} feet."
        case facts.Attacked(who=who) | facts.SpellCast(who=who):
            return _attacked(state, who, fact.targets, fact.name)
        case facts.Burst():
            return f"{fact.name} bursts {fact.feet} feet around."
        case facts.Summoned(who=who):
            return f"{_name(state, who)} summons {fact.name}."
        case facts.Reacted(who=who):
            dice = f": {counted(fact.dice, 'die', 'dice')}" if fact.dice else ""
            return f"{_name(state, who)} reacts, {fact.how}{dice}."
        case facts.ShieldRaised(who=who):
            return f"{_name(state, who)} raises {fact.name}."
    return ""


def _attacked(state: Fight, who: str, targets: tuple[str, ...], name: str) -> str:
    found = listed([_name(state, target) for target in targets])
    return f"{_name(state, who)} uses {name} on {found}." if found else f"{_name(state, who)} uses {name}."


def _successes(count: int, critical: bool = False) -> str:
    if critical:
        return "a critical failure"
    return "no success" if not count else "1 success" if count == 1 else f"{count} successes"


def _health(state: Fight, fact: FightFact) -> str:
    """Hits, health, and what lasts."""
    match fact:
        case facts.Struck(who=who):
            found = _successes(fact.successes, fact.critical)
            return f"{_name(state, who)} against {_name(state, fact.target)}: {found}."
        case facts.Faltered(who=who):
            return f"{_name(state, who)}'s attack comes to nothing."
        case facts.KnockedAway(who=who):
            return f"{fact.name} flies {fact.feet} feet out of {_name(state, who)}'s hands."
        case facts.Hurt(who=who):
            damage = state.catalog.damage.get(fact.type)
            kind = damage.name.lower() if damage is not None else slug_of(fact.type) if fact.type else ""
            return f"{_name(state, who)} takes {fact.damage} {kind} damage."
        case facts.Bled(who=who):
            return f"{_name(state, who)} loses 1 health, dying."
        case facts.Collapsed(who=who):
            return f"{_name(state, who)}'s body gives out."
        case facts.Fainted(who=who):
            return f"{_name(state, who)} has expended all energy and falls unconscious."
        case facts.Stabilized(who=who):
            return f"{_name(state, who)} is stable."
        case facts.Healed(who=who):
            return f"{_name(state, who)} recovers {fact.amount} health."
        case facts.Revived(who=who):
            return f"{_name(state, who)} is brought back, dying."
        case facts.Rested(who=who):
            return f"{_name(state, who)} rests: {fact.health} health, {_energy(fact.energy)}."
        case facts.TimePassed():
            return f"{fact.minutes} minutes pass." if fact.minutes > 1 else "A minute passes."
        case facts.EffectBegan(effect=effect) if effect.kind in CARRIED and effect.source:
            how = "drives" if effect.kind == DRIVING else "gets on"
            return f"{_name(state, effect.bearer)} {how} {_name(state, effect.source)}."
        case facts.EffectBegan():
            return f"{_name(state, fact.effect.bearer)} is {rules(state.catalog)[fact.effect.kind].name}."
        case facts.EffectEnded(bearer=bearer):
            return f"{_name(state, bearer)} is no longer {rules(state.catalog)[fact.what].name}."
    return ""
