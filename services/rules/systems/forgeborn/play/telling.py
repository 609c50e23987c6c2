"""One plain sentence for everything that happens."""

from __future__ import annotations

from typing import assert_never

from services.rules.engine.play import GM
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.events import (
    Acted,
    Answered,
    ArtifactMade,
    ArtifactMoved,
    Asked,
    CastOut,
    Communed,
    Declined,
    Described,
    DiceChanged,
    DiceFell,
    DiceLanded,
    DragonFell,
    Event,
    Forged,
    Fought,
    GameOver,
    Granted,
    HelpAnswered,
    HeroineJoined,
    Journeyed,
    Judged,
    LimitSet,
    Passed,
    Passing,
    RealmMade,
    Reason,
    RuinFound,
    RuinMissed,
    RuinSpent,
    Scored,
    Swayed,
    TokenChanged,
    TurnBegan,
    VillageTroubled,
    VoteCast,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.scoring import counted, listed
from services.rules.systems.forgeborn.play.state import (
    Game,
    Token,
    Why,
)
from services.rules.systems.forgeborn.play.waiting import (
    Attempt,
    Creation,
    Foe,
    Making,
    Question,
    Voting,
)
from services.rules.systems.forgeborn.pools import SIZE_OF, DieSize, notation

Told = DiceFell | Fought | Forged | Communed


def tell(game: Game, event: Event) -> str:
    """One sentence, the game as it was before the event; empty for what nobody needs to read."""
    match event:
        case DiceLanded():
            return f"{len(event.dice)} dice come to rest on the sheet."
        case RealmMade():
            return f"{_cap(event.ground.title)} lies open, and {game.smith(game.first).name} begins."
        case RuinFound():
            near = game.ground.spot(event.way.other(event.spot.id)).name
            spot = event.spot
            return f"A Trail from {near} leads to {spot.name}, Power {spot.power}. {spot.danger}"
        case RuinMissed():
            return "The die rolls against another, and is dropped again."
        case RuinSpent():
            return f"{_cap(game.ground.spot(event.place).name)} hold no more secrets."
        case VillageTroubled():
            name = game.ground.spot(event.place).name
            return f"{name} has a new problem, Power {event.power}. {event.danger}"
        case TurnBegan():
            last = "last turn" if event.turn.smith in game.last_turns else "turn"
            return f"It is {game.smith(event.turn.smith).name}'s {last}."
        case Journeyed():
            by = "by Road" if event.by is LinkKind.ROAD else "along a Trail"
            return f"{_name(game, event.who)} goes {by} to {game.ground.spot(event.to).name}."
        case Passed():
            return f"{_name(game, event.who)} lets the turn go."
        case Asked():
            return _asked(game, event.question)
        case Judged():
            return _judged(game, event)
        case DiceFell() | Fought() | Forged() | Communed():
            return _rolled(game, event)
        case DiceChanged():
            return _changed(game, event)
        case TokenChanged():
            return _token(game, event)
        case Scored():
            return f"{_name(game, event.smith)} gains {counted(event.points)} {_for(event)}."
        case HelpAnswered():
            joins = f"joins in with {notation((*event.dice, *event.sacrificed))}"
            return f"{_name(game, event.smith)} {joins if event.joins else 'stays out'}."
        case ArtifactMade():
            made = event.artifact
            form, does = made.form.value.replace("_", " "), made.function.value
            words = f"{form}, {does}, {made.dice.text()}, Power {made.power}"
            return f"{made.name} is made: {words}. The Vault closes on it."
        case HeroineJoined():
            one = event.heroine
            where = game.ground.spot(one.place).name
            return f"{one.name} follows {_name(game, one.smith)}, with {one.dice.text()}, from {where}."
        case ArtifactMoved():
            return _moved(game, event)
        case VoteCast():
            return f"{_name(game, event.smith)} has voted{_vote(event.agree)}."
        case VotesCounted():
            return _counted(game, event)
        case Declined():
            return f"{_name(game, event.smith)} leaves {game.artifact(event.artifact).name} where it is."
        case CastOut():
            name, where = _name(game, event.smith), game.ground.spot(event.to).name
            return f"{name} stands at {where} again, and remembers nothing."
        case Swayed():
            return f"The Prince is on {_name(game, event.smith)}'s side from now on."
        case Granted():
            return f"The Prince grants {_name(game, event.smith)} {game.artifact(event.artifact).name}."
        case DragonFell():
            left = listed([_name(game, one) for one in event.order])
            each = "each have" if len(event.order) > 1 else "has"
            return f"The Dragon falls to {_name(game, event.who)}! {left} {each} one last turn."
        case Described():
            text = event.text if event.text.endswith((".", "!", "?", '"')) else f"{event.text}."
            return f"{game.ground.spot(event.place).name}: {text}" if event.place else text
        case LimitSet():
            return (
                f"Answers have {event.seconds} seconds." if event.seconds else "Answers may take their time."
            )
        case GameOver():
            return event.text
        case Acted() | Answered():
            return ""
        case _:
            assert_never(event)


def _cap(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _name(game: Game, who: str) -> str:
    found = game.find(who)
    return "The game master" if found is None else found.name


def _asked(game: Game, question: Question) -> str:
    match question:
        case Attempt():
            named = listed([game.artifact(use.artifact).name for use in question.uses])
            return f"{_name(game, question.who)} calls on {named}. {_sentence(question.uses[0].how)}".strip()
        case Creation():
            asked = listed([_name(game, helper.smith) for helper in question.helpers])
            text = f"{_name(game, question.smith)} begins {question.name}"
            return f"{text} and asks {asked} to join." if asked else f"{text}."
        case Voting():
            wanted = game.artifact(question.artifact).name
            return f"{_name(game, question.smith)} asks for {wanted} from the Vault."
        case _:
            return ""


def _sentence(text: str) -> str:
    flat = " ".join(text.split())
    return flat if not flat or flat.endswith((".", "!", "?", '"')) else f"{_cap(flat)}."


def _judged(game: Game, event: Judged) -> str:
    helping = listed([game.artifact(one).name for one in event.approved])
    idle = listed([game.artifact(one).name for one in event.refused])
    parts = [f"{helping} may help" if helping else "", f"{idle} may not" if idle else ""]
    return f"{', '.join(part for part in parts if part)}."


def _rolled(game: Game, event: Told) -> str:
    match event:
        case DiceFell():
            if event.sides not in SIZE_OF or event.roll in ("ruin", "problem"):
                return ""
            dice, faces = f"{len(event.faces)}d{event.sides}", ", ".join(map(str, event.faces))
            if event.by == GM:
                return f"{event.label} rolls {dice}: {faces}."
            return f"{_name(game, event.by)} rolls {dice}: {faces}."
        case Fought():
            return _fought(game, event)
        case Forged():
            return _forged(game, event)
        case Communed():
            wish, name = notation(event.dice), _name(game, event.smith)
            if event.gained:
                return f"{event.total} for {wish}: the Spirits of the Forest smile on {name}."
            return f"{event.total} for {wish} is too much, and the Spirits turn on {name}."
        case _:
            assert_never(event)


FOUGHT: dict[Foe, tuple[str, str]] = {
    Foe.DRAGON: ("slays the Dragon", "is thrown back by the Dragon"),
    Foe.RUIN: ("finds a secret in {place}", "flees from {place}"),
    Foe.VILLAGE: ("saves {place}", "cannot help {place}"),
    Foe.PRINCE: ("wins over the Prince", "finds the Prince unmoved"),
    Foe.VAULT: ("masters {thing}", "cannot master {thing}"),
    Foe.TEST: ("is found worthy of {thing}", "is not found worthy of {thing}"),
}


def _fought(game: Game, event: Fought) -> str:
    spot, artifact = game.ground.find(event.target), game.find_artifact(event.target)
    words = {"place": spot.name if spot else "", "thing": artifact.name if artifact else ""}
    text = FOUGHT[event.foe][0 if event.won else 1].format(**words)
    return f"{_name(game, event.who)} {text}, {event.total} against {event.opposition}."


def _forged(game: Game, event: Forged) -> str:
    if event.failed and event.what is Making.ARTIFACT:
        return f"{event.total}: {event.name} is junk."
    if event.failed:
        return f"{event.total}: {event.name} shakes her head."
    return f"{_name(game, event.smith)} has {counted(event.total)} to spend on {event.name}."


def _changed(game: Game, event: DiceChanged) -> str:
    name, gained, lost = _name(game, event.who), notation(event.gained), notation(event.lost)
    if gained and lost:
        return f"{name}'s {lost} becomes a {gained}."
    if gained:
        return f"{name} gains {_counted_dice(event.gained)}."
    how = {
        Reason.SACRIFICE: "gives up {} for it",
        Reason.FORM: "gives {} for the form",
        Reason.FUNCTION: "gives {} for the function",
        Reason.FOREST: "loses {} to the Forest",
    }.get(event.why, "loses {}")
    return f"{name} {how.format(_counted_dice(event.lost))}."


def _counted_dice(dice: tuple[DieSize, ...]) -> str:
    return f"a {dice[0].value}" if len(dice) == 1 else notation(dice)


def _token(game: Game, event: TokenChanged) -> str:
    kind = "Resource token" if event.token is Token.RESOURCE else "Secret token"
    verb = "gains" if event.change > 0 else "spends"
    return f"{_name(game, event.smith)} {verb} a {kind}."


def _for(event: Scored) -> str:
    match event.why:
        case Why.ARTIFACT:
            return f"for making {event.what}"
        case Why.HELP:
            return f"for a hand in {event.what}"
        case Why.RUIN:
            return f"for {event.what}"
        case Why.DRAGON:
            return "for the Dragon"
        case Why.FAVOUR:
            return f"for {event.what}"


def _moved(game: Game, event: ArtifactMoved) -> str:
    name, thing = _name(game, event.holder), game.artifact(event.artifact)
    match event.how:
        case Passing.GIVEN:
            return f"{_name(game, thing.holder)} gives {thing.name} to {name}."
        case Passing.TAKEN:
            return f"{name} takes {thing.name} from {_name(game, thing.holder)}."
        case Passing.GRANT:
            return f"By the Prince's word {name} takes {thing.name} from the Vault."
        case _:
            return f"{name} takes {thing.name} from the Vault."


def _vote(agree: bool | None) -> str:
    return "" if agree is None else f" {'for it' if agree else 'against it'}"


def _counted(game: Game, event: VotesCounted) -> str:
    verdict = "granted" if event.granted else "refused"
    text = f"{event.yes} for, {event.no} against: {game.artifact(event.artifact).name} is {verdict}"
    in_favour = listed([_name(game, ballot.smith) for ballot in event.ballots if ballot.agree])
    return f"{text}, with the voice of {in_favour}." if in_favour else f"{text}."
