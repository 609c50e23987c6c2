"""The scenes of Duel: the protocol of `services.rules.engine.play`, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never, cast

from services.rules.engine.bots import Bot
from services.rules.engine.codec import Codec, Json
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import (
    GM,
    GM_ONLY,
    ONGOING,
    ActorCard,
    CastMember,
    Chance,
    Change,
    Check,
    Choice,
    Faces,
    FieldKind,
    LegalMove,
    MoveField,
    Outcome,
    PromptCard,
    Roll,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import Track

from .bots import FIERCE
from .duellists import CONTENT, DuelChoices, DuelStyle, guard_dice, hit_chance, read_strike, strike_dice
from .picture import picture
from .scene import (
    HEROES,
    RIVALS,
    Answer,
    Brace,
    Braced,
    Dare,
    Dared,
    DuelEvent,
    Duellist,
    DuelMove,
    DuelSetup,
    DuelState,
    Flinched,
    Listen,
    Listened,
    Reveal,
    Revealed,
    Stop,
    Stopped,
    Strike,
    Struck,
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
        """Strike or brace in one's turn, an answer when dared, and what the game master may do."""
        if self.outcome(state).ended:
            return ()
        if actor == GM:
            return self._gm_moves(state)
        if state.dare is not None:
            return (_answer(state.dare),) if actor == state.dare.target else ()
        if actor != state.turn:
            return ()
        strikes = (_strike(state, state.find(actor), state.find(target)) for target in state.targets(actor))
        brace = _button(Brace(actor=actor), "brace", "Brace", "One more die until your next turn.", "Bracing")
        return (*strikes, brace)

    def _gm_moves(self, state: DuelState) -> tuple[LegalMove, ...]:
        stop = _button(Stop(actor=GM), "stop", "Stop", "The duel ends here.", "The end")
        if state.hidden() is None:
            return (stop,)
        who = MoveField(
            name="who",
            label="Who listens?",
            kind=FieldKind.CHOICE,
            choices=tuple(Choice(hero.id, hero.name) for hero in state.on(HEROES)),
        )
        text = f"In secret, 2 dice; {HEARD_AT} or more hears who hides."
        listen = _button(Listen(actor=GM, who=""), "listen", "Listen", text, "Hiding", who)
        reveal = _button(Reveal(actor=GM), "reveal", "Reveal", "Who hides steps out.", "Hiding")
        return (listen, reveal, stop)

    def check(self, state: DuelState, move: DuelMove) -> Check | Problems:
        """Both sides' dice of a strike that nobody can flinch from any more; two dice to listen."""
        broken = self._broken(state, move)
        if broken is not None:
            return Problems((broken,))
        match move:
            case Strike() if state.find(move.target).flinched:
                return _strike_check(state, move.actor, move.target)
            case Answer() if state.dare is not None and not move.flinch:
                return _strike_check(state, state.dare.striker, state.dare.target)
            case Listen():
                pool = Explained.of(Part(2, "Listen", "Hiding"))
                return Check((Roll(id="listen", actor=GM, label="Listen", dice=pool, audience=GM_ONLY),))
        return Check()

    def _broken(self, state: DuelState, move: DuelMove) -> RuleProblem | None:
        if self.outcome(state).ended:
            return RuleProblem("duel_over", "The duel is over.", "The end")
        if (move.actor == GM) != isinstance(move, Listen | Reveal | Stop):
            return RuleProblem("not_theirs", "That is not theirs to do.", "Turns", ("actor",), move.actor)
        match move:
            case Strike() | Brace() if move.actor != state.turn or state.dare is not None:
                text, waiting = "It is not their turn.", self.card(state).waiting_for
                return RuleProblem("not_their_turn", text, "Turns", ("actor",), move.actor, waiting)
            case Strike() if move.target not in (targets := state.targets(move.actor)):
                text = "Nobody there to strike."
                return RuleProblem("target_unknown", text, "Striking", ("target",), move.target, targets)
            case Answer() if state.dare is None or (move.prompt, move.actor) != (
                state.dare.id,
                state.dare.target,
            ):
                text = "Nobody asked them that."
                return RuleProblem("prompt_unknown", text, "Flinching", ("prompt",), move.prompt)
            case Listen() | Reveal() if state.hidden() is None:
                return RuleProblem("nobody_hides", "Nobody hides.", "Hiding")
            case Listen() if move.who not in (heroes := tuple(hero.id for hero in state.on(HEROES))):
                text = "No hero of that name can listen."
                return RuleProblem("hero_unknown", text, "Hiding", ("who",), move.who, heroes)
        return None

    def decide(self, state: DuelState, move: DuelMove, faces: Faces) -> tuple[DuelEvent, ...] | Problems:
        """One move, one event."""
        broken = self._broken(state, move)
        if broken is not None:
            return Problems((broken,))
        match move:
            case Strike() if not faces:
                return (Dared(striker=move.actor, target=move.target),)
            case Strike():
                return (_struck(move.actor, move.target, faces),)
            case Answer() if move.flinch:
                return (Flinched(target=move.actor),)
            case Answer():
                return (_struck(cast(Dare, state.dare).striker, move.actor, faces),)
            case Brace():
                return (Braced(actor=move.actor),)
            case Listen():
                return (Listened(who=move.who, heard=sum(faces[0]) >= HEARD_AT),)
            case Reveal():
                hidden = cast(Duellist, state.hidden())
                return (Revealed(rival=hidden.id, name=hidden.name),)
            case Stop():
                return (Stopped(),)
            case _:
                assert_never(move)

    def evolve(self, state: DuelState, event: DuelEvent) -> DuelState:
        """The state after an event; strikes, flinching and bracing end a turn."""
        match event:
            case Dared():
                dares = state.dares + 1
                dare = Dare(id=f"dare-{dares}", striker=event.striker, target=event.target)
                return replace(state, dares=dares, dare=dare)
            case Struck():
                nerve = state.find(event.target).nerve - event.hit
                return _next_turn(_change(state, event.target, nerve=nerve))
            case Flinched():
                return _next_turn(_change(state, event.target, flinched=True))
            case Braced():
                return _next_turn(_change(state, event.actor, braced=True))
            case Listened():
                return replace(state, heard=(*state.heard, event.who)) if event.heard else state
            case Revealed():
                return _change(state, event.rival, hidden=False)
            case Stopped():
                return replace(state, stopped=True, dare=None)
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
            case Dared():
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

    def card(self, state: DuelState) -> SceneCard:
        """What any client can draw."""
        ended, dare = self.outcome(state).ended, state.dare
        question = "Stand, or flinch?"
        return SceneCard(
            title=state.title,
            round=state.round,
            turn=None if ended else state.turn,
            actors=tuple(_actor_card(one) for one in state.duellists),
            prompts=(
                (PromptCard(id=dare.id, actor=dare.target, question=question, seconds=state.patience),)
                if dare and not ended
                else ()
            ),
            waiting_for=() if ended else (dare.target if dare else state.turn,),
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

    def lapse(self, state: DuelState, prompt: str) -> DuelMove | None:
        """Who does not answer in time stands."""
        dare = state.dare
        if dare is None or dare.id != prompt or state.patience is None:
            return None
        return Answer(actor=dare.target, prompt=prompt, flinch=False)

    def picture(self, state: DuelState) -> str:
        """A bar of nerve for everybody."""
        return picture(state)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """One of its own."""
        return (FIERCE,)

    def bot(self, state: DuelState, actor: str) -> DuelMove | None:
        """Strikes at the weakest and flinches with one Nerve left; the game master waits for round 2."""
        if self.outcome(state).ended:
            return None
        if actor == GM:
            return Reveal(actor=GM) if state.hidden() is not None and state.round > 1 else None
        if state.dare is not None:
            if actor != state.dare.target:
                return None
            return Answer(actor=actor, prompt=state.dare.id, flinch=state.find(actor).nerve == 1)
        if actor != state.turn:
            return None
        return Strike(actor=actor, target=min(state.targets(actor), key=lambda who: state.find(who).nerve))


def _button(move: DuelMove, name: str, label: str, text: str, rule: str, *fields: MoveField) -> LegalMove:
    form = cast(dict[str, Json], DuelPlay.move_codec.dump(move)["data"])
    asked = {field.name for field in fields}
    left = {key: value for key, value in form.items() if key not in asked}
    return LegalMove(id=name, actor=move.actor, label=label, text=text, rule=rule, move=left, fields=fields)


def _answer(dare: Dare) -> LegalMove:
    flinch = MoveField(name="flinch", label="Flinch?", kind=FieldKind.FLAG)
    move = Answer(actor=dare.target, prompt=dare.id, flinch=False)
    return _button(move, "answer", "Answer", "Flinch, once in a duel, or stand.", "Flinching", flinch)


def _strike(state: DuelState, actor: Duellist, target: Duellist) -> LegalMove:
    move = Strike(actor=actor.id, target=target.id)
    button = _button(move, f"strike:{target.id}", f"Strike {target.name}", "A hit takes 1 Nerve.", "Striking")
    attack, guard = strike_dice(actor.style), guard_dice(target.style, braced=target.braced)
    hit = Chance("hit", f"hit {target.name}, if they stand", hit_chance(attack.value, guard.value))
    return replace(button, dice=attack, odds=_odds(actor, target), chances=(hit,))


def _odds(striker: Duellist, target: Duellist) -> str:
    guard = guard_dice(target.style, braced=target.braced)
    return f"duel:strike({strike_dice(striker.style).value}, {guard.value})"


def _strike_check(state: DuelState, actor: str, target: str) -> Check:
    striker, struck = state.find(actor), state.find(target)
    attack = strike_dice(striker.style)
    guard = guard_dice(struck.style, braced=struck.braced)
    return Check(
        (
            Roll(id="attack", actor=actor, label="Strike", dice=attack, odds=_odds(striker, struck)),
            Roll(id="guard", actor=target, label="Guard", dice=guard),
        )
    )


def _struck(striker: str, target: str, faces: Faces) -> Struck:
    reading = read_strike(faces[0], faces[1])
    return Struck(striker=striker, target=target, ahead=reading.total, hit=reading.outcome == "hit")


def _change(state: DuelState, who: str, **changes: Any) -> DuelState:
    found = (replace(one, **changes) if one.id == who else one for one in state.duellists)
    return replace(state, duellists=tuple(found))


def _next_turn(state: DuelState) -> DuelState:
    place = [one.id for one in state.duellists].index(state.turn)
    later, before = state.duellists[place + 1 :], state.duellists[: place + 1]
    up = next(one for one in (*later, *before) if one.nerve and not one.hidden)
    return _change(
        replace(state, turn=up.id, round=state.round + (up in before), dare=None), up.id, braced=False
    )


def _actor_card(one: Duellist) -> ActorCard:
    marks = {"braced": one.braced, "hidden": one.hidden, "out of nerve": not one.nerve}
    return ActorCard(
        id=one.id,
        name=one.name,
        side=one.side,
        tracks=(Track("nerve", "Nerve", one.nerve, one.most),),
        conditions=tuple(word for word, holds in marks.items() if holds),
        character=one.side == HEROES,
    )
