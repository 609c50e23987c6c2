"""The scenes of Lanterns: a night in the wood."""

import sys
from dataclasses import dataclass, replace

from services.rules.engine import play as frame
from services.rules.engine.buttons import button, choice_field, flag_field
from services.rules.engine.effects import Duration, Effect, EffectRule, Until, Used, going_on, on
from services.rules.engine.explain import Explained, Part
from services.rules.engine.plain import Fact, Move, PlainPlay, assembled, with_one
from services.rules.engine.sheet import Track
from services.rules.engine.steps import ActorId, Ask, Steps, Turn, refuse
from services.rules.engine.turns import Rounds
from services.rules.engine.windows import Reaction, Windows

LIGHT, SAFE, STEPS_EACH, TRIMMED = 3, 4, 3, "lanterns:effect/trimmed"
EFFECTS = {TRIMMED: EffectRule(id=TRIMMED, name="trimmed", rule="Lanterns")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanderer:
    """A wanderer, and the Light left in the lantern."""

    id: str
    name: str
    light: int = LIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """Where a night stands; whom the wood is after, the `prey`, is the game master's alone."""

    title: str
    party: tuple[Wanderer, ...]
    turns: Rounds
    steps: int = 0
    prey: str = ""
    effects: tuple[Effect, ...] = ()

    def lit(self, who: str) -> bool:
        """Whether a wanderer has Light."""
        return any(one.id == who and one.light for one in self.party)

    def trimmed(self, who: str) -> bool:
        """Whether a wanderer's wick is trimmed."""
        return bool(on(self.effects, who, TRIMMED))

    def over(self) -> bool:
        """Whether the party is through, or all lanterns are out."""
        through = self.steps >= STEPS_EACH * len(self.party)
        return through or not any(one.light for one in self.party)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Move):
    """Step on into the dark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim(Move):
    """Trim the wick, and wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Move):
    """Lose one Light in place of another wanderer, or not: the answer to a stumble."""

    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Prowl(Move):
    """The game master decides in secret whom the wood is after."""

    prey: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Fact):
    """A wanderer came a step further, or stumbled."""

    who: ActorId
    ahead: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimmed(Fact):
    """A lantern lost Light."""

    who: ActorId
    light: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrimmedWick(Fact):
    """A wick is trimmed, until its wanderer stumbles."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Spared(Fact):
    """A trimmed wick spared Light, and is used up."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Prowled(Fact):
    """The wood is after a wanderer."""

    prey: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Fact):
    """The next wanderer with Light is up."""


@dataclass(frozen=True, slots=True)
class Stumble:
    """The window of a stumble: who loses how much Light, if nothing spares it."""

    who: str
    loss: int


NightMove = Step | Trim | Share | Prowl
walking = frame.MoveGroup("way", "The way", {Step: 80, Trim: 50, Share: 90})
hunting = frame.MoveGroup("game_master", "Game master", {Prowl: 50})
move_groups = (walking, hunting)
NightFact = Stepped | Dimmed | TrimmedWick | Spared | Prowled | TurnEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class Wood:
    """What the game master decides before a night."""

    title: str = "The Wood"


setups = {"wood": Wood()}


def begin(setup: Wood, cast: tuple[frame.CastMember, ...]) -> Night:
    """The party at the edge of the wood."""
    party = tuple(Wanderer(id=one.id, name=one.sheet.name) for one in cast)
    return Night(title=setup.title, party=party, turns=Rounds(tuple(one.id for one in cast)))


def rule(turn: Turn[Night, NightFact], move: NightMove) -> Steps:
    """Every move: refusals first, then dice and questions where the rules have them."""
    if turn.state.over():
        refuse("scene_over", "The night is over.", "The end")
    if isinstance(move, Share) or (move.actor == frame.GM) != isinstance(move, Prowl):
        refuse("not_yours", "That is not theirs to do.", "Turns", ("actor",), move.actor)
    if isinstance(move, Prowl):
        if not turn.state.lit(move.prey):
            refuse("unknown_target", "There is no such light.", "The wood", ("prey",), move.prey)
        turn.happen(Prowled(prey=move.prey, audience=frame.GM_ONLY))
        return
    if move.actor != turn.state.turns.whose:
        refuse("not_your_turn", "It is not their turn.", "Turns", ("actor",), move.actor)
    if isinstance(move, Trim):
        turn.happen(TrimmedWick(who=move.actor))
    else:
        dice = Explained.of(Part(1, "A step", "Steps"))
        ((face,),) = yield from turn.roll(frame.Roll(id="step", actor=move.actor, label="Step", dice=dice))
        turn.happen(Stepped(who=move.actor, ahead=face >= SAFE))
        if face < SAFE:
            loss = 2 if turn.state.prey == move.actor else 1
            stumble = yield from turn.window(Stumble(move.actor, loss))
            if stumble.loss:
                turn.happen(Dimmed(who=stumble.who, light=stumble.loss))
    turn.happen(TurnEnded())


def spare(turn: Turn[Night, NightFact], effect: Effect, stumble: Stumble) -> Stumble | None:
    """What a trimmed wick does in a stumble of its wanderer."""
    if effect.bearer != stumble.who:
        return None
    turn.happen(Spared(who=effect.bearer))
    return replace(stumble, loss=stumble.loss - 1)


def others(turn: Turn[Night, NightFact], stumble: Stumble) -> tuple[tuple[str, ...], ...]:
    """The other wanderers, asked one after the other."""
    return tuple((one.id,) for one in turn.state.party if one.id != stumble.who)


def share_or_not(turn: Turn[Night, NightFact], stumble: Stumble, who: str) -> Ask | None:
    """The question to a wanderer with Light, while there is some to lose; silence keeps it."""
    if not stumble.loss or not turn.state.lit(who):
        return None
    keep, yes = Share(actor=who, yes=False), flag_field("yes", "Share?")
    offer = button(keep, "share", "Answer", "One of your Light goes in place of theirs.", "Lanterns", yes)
    return Ask(id=f"share:{who}", actor=who, question="Share your Light?", offers=(offer,), silence=keep)


def share(turn: Turn[Night, NightFact], stumble: Stumble, answer: Share) -> Stumble | None:
    """What sharing does."""
    if not answer.yes:
        return None
    turn.happen(Dimmed(who=answer.actor, light=1))
    return replace(stumble, loss=stumble.loss - 1)


def evolve(state: Night, fact: NightFact) -> Night:
    """The state after a fact."""
    match fact:
        case Stepped():
            return replace(state, steps=state.steps + fact.ahead)
        case Dimmed(who=who):
            light = next((one.light for one in state.party if one.id == who), 0)
            return replace(state, party=with_one(state.party, who, light=max(0, light - fact.light)))
        case TrimmedWick(who=who):
            trim = Effect(id=f"trim:{who}", kind=TRIMMED, bearer=who, lasts=Duration(Until.USED))
            return state if state.trimmed(who) else replace(state, effects=(*state.effects, trim))
        case Spared(who=who):
            return replace(state, effects=going_on(state.effects, EFFECTS, Used(who, TRIMMED)))
        case Prowled():
            return replace(state, prey=fact.prey)
        case TurnEnded():
            return replace(state, turns=state.turns.following(state.lit))


def legal(state: Night, actor: str) -> tuple[frame.LegalMove, ...]:
    """Step or trim in one's turn; the game master prowls."""
    if state.over() or actor not in (frame.GM, state.turns.whose):
        return ()
    if actor == frame.GM:
        who = choice_field("prey", "After whom?", ((one.id, one.name) for one in state.party if one.light))
        return (button(Prowl(actor=frame.GM, prey=""), "prowl", "Prowl", "In secret.", "The wood", who),)
    step = button(Step(actor=actor), "step", "Step", "4 or more on a die.", "Steps")
    return (step, button(Trim(actor=actor), "trim", "Trim", "Spares one Light.", "Lanterns"))


def view(state: Night, viewer: frame.Viewer) -> Night:
    """The state, to players without the prey."""
    return state if viewer.gm else replace(state, prey="")


def card(state: Night) -> frame.SceneCard:
    """The wanderers with their Light."""
    up, actors = () if state.over() else (state.turns.whose,), []
    for one in state.party:
        light, words = Track("light", "Light", one.light, LIGHT), ("trimmed",) * state.trimmed(one.id)
        own = {"id": one.id, "name": one.name, "side": "party", "character": True}
        actors.append(frame.ActorCard(**own, tracks=(light,), conditions=words))
    own = {"title": state.title, "round": state.turns.round, "turn": (*up, None)[0]}
    return frame.SceneCard(**own, actors=tuple(actors), waiting_for=up)


def outcome(state: Night) -> frame.Outcome:
    """Through the wood, or lost in it."""
    text = "The party is through." if any(one.light for one in state.party) else "All lanterns are out."
    return frame.Outcome(ended=True, text=text) if state.over() else frame.ONGOING


def tell(state: Night, fact: NightFact) -> str:
    """The sentence for a fact."""
    names = {one.id: one.name for one in state.party}
    match fact:
        case Stepped():
            return f"{names[fact.who]} {'comes a step further' if fact.ahead else 'stumbles'}."
        case Dimmed():
            return f"{names[fact.who]} loses {fact.light} Light."
        case TrimmedWick():
            return f"{names[fact.who]} trims the wick."
        case Spared():
            return f"{names[fact.who]}'s wick burns on."
        case Prowled():
            return f"The wood is after {names[fact.prey]}."
        case TurnEnded():
            return ""


def bot(state: Night, actor: str) -> NightMove | None:
    """Steps on."""
    return None if state.over() or actor != state.turns.whose else Step(actor=actor)


class LanternsPlay(PlainPlay[Wood, Night, NightMove, NightFact]):
    """The scenes of Lanterns, and what acts and reacts in them."""

    windows = Windows(lambda state: state.effects)


LanternsPlay.windows.acts(TRIMMED, Stumble, spare)
LanternsPlay.windows.reacts(Stumble, Reaction(who=others, ask=share_or_not, react=share))
PLAY = assembled(LanternsPlay, "lanterns", sys.modules[__name__])
