"""The scenes of Duel: the protocol of `services.rules.engine.play`, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never, cast

from services.rules.engine.bots import Bot
from services.rules.engine.buttons import button, choice_field, flag_field
from services.rules.engine.codec import Codec, Json
from services.rules.engine.effects import Duration, Effect, TurnBegan, Until, ending, on
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import (
    EVERYONE,
    GM,
    GM_ONLY,
    ONGOING,
    ActorCard,
    Audience,
    CastMember,
    Chance,
    Change,
    LegalMove,
    Outcome,
    Roll,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import Track
from services.rules.engine.steps import Ask, Steps, Turn, refuse

from .bots import FIERCE
from .duellists import BRACED, CONTENT, EFFECTS, DuelChoices, DuelStyle, hit_chance, read_strike, strike_dice
from .picture import picture
from .scene import (
    HEROES,
    RIVALS,
    Answer,
    Brace,
    Braced,
    DuelEvent,
    Duellist,
    DuelMove,
    DuelSetup,
    DuelState,
    Flinched,
    Listen,
    Listened,
    Lunged,
    Reveal,
    Revealed,
    Stop,
    Stopped,
    Strike,
    Struck,
    TurnEnded,
)

MOST_RIVALS = 5
MOST_PATIENCE = 24 * 60 * 60
HEARD_AT = 8
"""The sum of two dice at which somebody hears who hides."""


class DuelPlay:
    """The scenes of Duel."""

    setup_codec = Codec(DuelSetup, "duel/setup")
    state_codec = Codec(DuelState, "duel/state")
    move_codec: Codec[DuelMove] = Codec(cast(Any, DuelMove), "duel/move")
    event_codec: Codec[DuelEvent] = Codec(cast(Any, DuelEvent), "duel/event")
    setups: Mapping[str, DuelSetup] = {
        "yard": DuelSetup(title="The Yard at Dawn", rivals=("Sour Tam",)),
        "ambush": DuelSetup(title="The Old Bridge", rivals=("Sour Tam", "Red Nell"), hidden_rival=True),
    }

    def begin(self, setup: DuelSetup, cast: tuple[CastMember, ...]) -> DuelState | Problems:
        """Heroes first, in the order of the cast, then the rivals; who hides comes last."""
        wrong = []
        if not cast:
            wrong.append(RuleProblem("cast_missing", "Somebody has to fight.", "Duellists"))
        if not 1 <= len(setup.rivals) <= MOST_RIVALS:
            found, allowed = len(setup.rivals), (1, MOST_RIVALS)
            text = f"There are from 1 to {MOST_RIVALS} rivals."
            wrong.append(RuleProblem("rivals_out_of_range", text, "Duellists", ("rivals",), found, allowed))
        if setup.patience is not None and not 1 <= setup.patience <= MOST_PATIENCE:
            found, allowed = setup.patience, (1, MOST_PATIENCE)
            text = "There is from a second to a day to flinch."
            wrong.append(
                RuleProblem("patience_out_of_range", text, "Flinching", ("patience",), found, allowed)
            )
        if wrong:
            return Problems(tuple(wrong))
        heroes = (
            Duellist(
                id=member.id,
                name=member.sheet.name,
                side=HEROES,
                style=member.sheet.style,
                nerve=member.sheet.tracks[0].current,
                most=member.sheet.tracks[0].maximum,
            )
            for member in cast
        )
        names = (*setup.rivals, *(["The Grey Cloak"] if setup.hidden_rival else []))
        rivals = (
            Duellist(
                id=f"rival-{place}",
                name=name,
                side=RIVALS,
                style=DuelStyle.CAREFUL,
                nerve=CONTENT.settings.nerve,
                most=CONTENT.settings.nerve,
                hidden=place > len(setup.rivals),
            )
            for place, name in enumerate(names, start=1)
        )
        return DuelState(
            title=setup.title, duellists=(*heroes, *rivals), turn=cast[0].id, patience=setup.patience
        )

    def legal(self, state: DuelState, actor: str) -> tuple[LegalMove, ...]:
        """Strike or brace in one's turn, and what the game master may do."""
        if state.over():
            return ()
        if actor == GM:
            return self._gm_moves(state)
        if actor != state.turn:
            return ()
        strikes = (_strike(state, state.find(actor), state.find(target)) for target in state.targets(actor))
        brace = button(Brace(actor=actor), "brace", "Brace", "One more die until your next turn.", "Bracing")
        return (*strikes, brace)

    def _gm_moves(self, state: DuelState) -> tuple[LegalMove, ...]:
        stop = button(Stop(actor=GM), "stop", "Stop", "The duel ends here.", "The end")
        if state.hidden() is None:
            return (stop,)
        who = choice_field("who", "Who listens?", ((hero.id, hero.name) for hero in state.on(HEROES)))
        text = f"In secret, 2 dice; {HEARD_AT} or more hears who hides."
        listen = button(Listen(actor=GM, who=""), "listen", "Listen", text, "Hiding", who)
        reveal = button(Reveal(actor=GM), "reveal", "Reveal", "Who hides steps out.", "Hiding")
        return (listen, reveal, stop)

    def rule(self, turn: Turn[DuelState, DuelEvent], move: DuelMove) -> Steps:
        """The rules of every move."""
        state = turn.state
        if state.over():
            refuse("duel_over", "The duel is over.", "The end")
        if (move.actor == GM) != isinstance(move, Listen | Reveal | Stop):
            refuse("not_yours", "That is not theirs to do.", "Turns", ("actor",), move.actor)
        match move:
            case Strike():
                _must_be_up(state, move.actor)
                yield from strike(turn, move)
            case Brace():
                _must_be_up(state, move.actor)
                turn.happen(Braced(actor=move.actor), TurnEnded())
            case Answer():
                refuse("nothing_asked", "Nobody asked them that.", "Flinching", ("actor",), move.actor)
            case Listen():
                yield from listen(turn, move)
            case Reveal():
                hidden = _hidden(state)
                turn.happen(Revealed(rival=hidden.id, name=hidden.name))
            case Stop():
                turn.happen(Stopped())
            case _:
                assert_never(move)

    def evolve(self, state: DuelState, event: DuelEvent) -> DuelState:
        """The state after an event."""
        match event:
            case Lunged():
                return state
            case Struck():
                return _change(state, event.target, nerve=state.find(event.target).nerve - event.hit)
            case Flinched():
                return _change(state, event.target, flinched=True)
            case Braced():
                lasts = Duration(Until.NEXT_TURN, event.actor)
                brace = Effect(id=f"brace:{event.actor}", kind=BRACED, bearer=event.actor, lasts=lasts)
                return replace(state, effects=(*state.effects, brace))
            case Listened():
                return replace(state, heard=(*state.heard, event.who)) if event.heard else state
            case Revealed():
                return _change(state, event.rival, hidden=False)
            case TurnEnded():
                return _next_turn(state)
            case Stopped():
                return replace(state, stopped=True)
            case _:
                assert_never(event)

    def outcome(self, state: DuelState) -> Outcome:
        """Over when one side has nobody to be seen with Nerve left, or the game master stops it."""
        if not state.over():
            return ONGOING
        if state.stopped:
            return Outcome(ended=True, text="The game master stopped the duel.")
        left = tuple(side for side in (HEROES, RIVALS) if state.on(side))
        return Outcome(ended=True, winners=left, text=f"Only the {left[0]} stand.")

    def view(self, state: DuelState, viewer: Viewer) -> DuelState:
        """Players know neither who hides nor who heard it."""
        if viewer.gm:
            return state
        shown = tuple(one for one in state.duellists if not one.hidden)
        return replace(state, duellists=shown, heard=())

    def sees(self, event: DuelEvent, viewer: Viewer) -> DuelEvent | None:
        """Everything but what is the game master's alone."""
        return event if viewer.may_know(event.audience) else None

    def tell(self, state: DuelState, event: DuelEvent) -> str:
        """One sentence."""
        match event:
            case TurnEnded():
                return ""
            case Lunged():
                return f"{state.find(event.striker).name} lunges at {state.find(event.target).name}."
            case Struck():
                how = "hits" if event.hit else "misses"
                return f"{state.find(event.striker).name} {how} {state.find(event.target).name}."
            case Flinched():
                return f"{state.find(event.target).name} flinches."
            case Braced():
                return f"{state.find(event.actor).name} braces."
            case Listened():
                return f"{state.find(event.who).name} {'hears' if event.heard else 'does not hear'} a breath."
            case Revealed():
                return f"{event.name} steps out."
            case Stopped():
                return "The duel is stopped."
            case _:
                assert_never(event)

    def led_by(self, state: DuelState, actor: str) -> str:
        """Heroes are led by their players, rivals by the game master."""
        return next((one.id for one in state.duellists if one.id == actor and one.side == HEROES), GM)

    def known_to(self, state: DuelState, actor: str) -> Audience:
        """Who hides is known to the game master alone."""
        return GM_ONLY if any(one.id == actor and one.hidden for one in state.duellists) else EVERYONE

    def card(self, state: DuelState) -> SceneCard:
        """What any client can draw."""
        over = state.over()
        return SceneCard(
            title=state.title,
            round=state.round,
            turn=None if over else state.turn,
            actors=tuple(_actor_card(state, one) for one in state.duellists),
            waiting_for=() if over else (state.turn,),
        )

    def changes(self, state: DuelState) -> tuple[Change, ...]:
        """A scar for each Nerve a hero lost."""
        return tuple(
            Change(character=one.id, data={"scars": scars}, text=f"Scars for {one.name}: {scars}.")
            for one in state.duellists
            if one.side == HEROES and (scars := one.most - one.nerve)
        )

    def absorb(self, choices: DuelChoices, data: Mapping[str, Json]) -> DuelChoices:
        """Adds the scars."""
        return replace(choices, scars=choices.scars + cast(int, data["scars"]))

    def picture(self, state: DuelState) -> str:
        """A bar of nerve for everybody."""
        return picture(state)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """One of its own."""
        return (FIERCE,)

    def bot(self, state: DuelState, actor: str) -> DuelMove | None:
        """Strikes at the weakest and flinches with one Nerve left; the game master waits for round 2."""
        if state.over():
            return None
        if actor == GM:
            return Reveal(actor=GM) if state.hidden() is not None and state.round > 1 else None
        if actor != state.turn:
            return None
        return Strike(actor=actor, target=min(state.targets(actor), key=lambda who: state.find(who).nerve))

    def reply(self, state: DuelState, ask: Ask) -> DuelMove:
        """Flinches with one Nerve left."""
        return Answer(actor=ask.actor, flinch=state.find(ask.actor).nerve == 1)


def strike(turn: Turn[DuelState, DuelEvent], move: Strike) -> Steps:
    """A lunge, the struck one's reaction, the dice of both, a hit or a miss."""
    targets = turn.state.targets(move.actor)
    if move.target not in targets:
        refuse("unknown_target", "Nobody there to strike.", "Striking", ("target",), move.target, targets)
    turn.happen(Lunged(striker=move.actor, target=move.target))
    if not turn.state.find(move.target).flinched:
        (answer,) = yield from turn.ask(flinch_or_stand(turn.state, move.target))
        if answer.flinch:
            turn.happen(Flinched(target=move.target), TurnEnded())
            return
    attack, guard = yield from turn.roll(*_dice(turn.state, move))
    reading = read_strike(attack, guard)
    hit = reading.outcome == "hit"
    turn.happen(Struck(striker=move.actor, target=move.target, ahead=reading.total, hit=hit))
    if not turn.state.over():
        turn.happen(TurnEnded())


def listen(turn: Turn[DuelState, DuelEvent], move: Listen) -> Steps:
    """Two dice in secret: whether a hero hears who hides."""
    _hidden(turn.state)
    heroes = tuple(hero.id for hero in turn.state.on(HEROES))
    if move.who not in heroes:
        refuse("unknown_hero", "No hero of that name can listen.", "Hiding", ("who",), move.who, heroes)
    pool = Explained.of(Part(2, "Listen", "Hiding"))
    (faces,) = yield from turn.roll(Roll(id="listen", actor=GM, label="Listen", dice=pool, audience=GM_ONLY))
    turn.happen(Listened(who=move.who, heard=sum(faces) >= HEARD_AT))


def flinch_or_stand(state: DuelState, target: str) -> Ask:
    """The question to the struck one; silence stands."""
    flinch = flag_field("flinch", "Flinch?")
    stand = Answer(actor=target, flinch=False)
    text = "Flinch, once in a duel, or stand."
    return Ask(
        id="flinch",
        actor=target,
        question="Stand, or flinch?",
        offers=(button(stand, "answer", "Answer", text, "Flinching", flinch),),
        silence=stand,
        seconds=state.patience,
    )


def _must_be_up(state: DuelState, actor: str) -> None:
    if actor != state.turn:
        refuse("not_your_turn", "It is not their turn.", "Turns", ("actor",), actor, (state.turn,))


def _hidden(state: DuelState) -> Duellist:
    hidden = state.hidden()
    return hidden or refuse("nobody_hides", "Nobody hides.", "Hiding")


def _dice(state: DuelState, move: Strike) -> tuple[Roll, Roll]:
    striker, struck = state.find(move.actor), state.find(move.target)
    attack, guard = strike_dice(striker.style), state.guard(struck.id)
    odds = _odds(attack, guard)
    return (
        Roll(id="attack", actor=striker.id, label="Strike", dice=attack, odds=odds),
        Roll(id="guard", actor=struck.id, label="Guard", dice=guard),
    )


def _strike(state: DuelState, actor: Duellist, target: Duellist) -> LegalMove:
    move = Strike(actor=actor.id, target=target.id)
    offer = button(move, f"strike:{target.id}", f"Strike {target.name}", "A hit takes 1 Nerve.", "Striking")
    attack, guard = strike_dice(actor.style), state.guard(target.id)
    hit = Chance("hit", f"hit {target.name}, if they stand", hit_chance(attack.value, guard.value))
    return replace(offer, dice=attack, odds=_odds(attack, guard), chances=(hit,))


def _odds(attack: Explained, guard: Explained) -> str:
    return f"duel:strike({attack.value}, {guard.value})"


def _change(state: DuelState, who: str, **changes: Any) -> DuelState:
    found = (replace(one, **changes) if one.id == who else one for one in state.duellists)
    return replace(state, duellists=tuple(found))


def _next_turn(state: DuelState) -> DuelState:
    place = [one.id for one in state.duellists].index(state.turn)
    later, before = state.duellists[place + 1 :], state.duellists[: place + 1]
    up = next(one for one in (*later, *before) if one.nerve and not one.hidden)
    over = ending(state.effects, EFFECTS, TurnBegan(up.id))
    lasting = tuple(effect for effect in state.effects if effect not in over)
    return replace(state, turn=up.id, round=state.round + (up in before), effects=lasting)


def _actor_card(state: DuelState, one: Duellist) -> ActorCard:
    lasting = [EFFECTS[effect.kind].name for effect in on(state.effects, one.id)]
    marks = {"hidden": one.hidden, "out of nerve": not one.nerve}
    return ActorCard(
        id=one.id,
        name=one.name,
        side=one.side,
        tracks=(Track("nerve", "Nerve", one.nerve, one.most),),
        conditions=(*lasting, *(word for word, holds in marks.items() if holds)),
        character=one.side == HEROES,
    )
