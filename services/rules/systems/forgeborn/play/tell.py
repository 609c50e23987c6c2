"""One plain sentence for everything that happens."""

from __future__ import annotations

from typing import assert_never

from services.rules.engine.play import GM
from services.rules.engine.wording import listed
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.facts import (
    Acted,
    ArtifactMade,
    ArtifactMoved,
    CastOut,
    Communed,
    CreationBegan,
    Declared,
    Declined,
    Described,
    DiceChanged,
    DiceFell,
    DiceLanded,
    DragonFell,
    EffectBegan,
    EffectEnded,
    Fact,
    Foe,
    Forged,
    Fought,
    GameOver,
    Granted,
    GrantEnded,
    HelpAnswered,
    HeroineJoined,
    Journeyed,
    Judged,
    LimitSet,
    Making,
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
    VaultAsked,
    VillageTroubled,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.ranks import ending_text, in_points
from services.rules.systems.forgeborn.play.rules.conflict import AGAINST_LABELS
from services.rules.systems.forgeborn.play.state import Game, Token, Why
from services.rules.systems.forgeborn.pools import DieSize, notation

Told = DiceFell | Fought | Forged | Communed


def tell(game: Game, fact: Fact, catalog: Catalog) -> str:
    """One sentence, the game as it was before the fact; empty for what nobody needs to read."""
    match fact:
        case DiceLanded():
            return f"{len(fact.dice)} dice come to rest on the sheet."
        case RealmMade():
            return f"{_cap(game.ground.title)} lies open, and {game.smith(game.first).name} begins."
        case RuinFound():
            near = game.ground.spot(fact.near).name
            return f"A Trail from {near} leads to {fact.name}, Power {fact.die.face}. {fact.danger}"
        case RuinMissed():
            return "The die rolls against another, and is dropped again."
        case RuinSpent():
            return f"{_cap(game.ground.spot(fact.place).name)} hold no more secrets."
        case VillageTroubled():
            name = game.ground.spot(fact.place).name
            return f"{name} has a new problem, Power {fact.power}. {fact.danger}"
        case TurnBegan():
            last = "last turn" if fact.smith in game.last_turns else "turn"
            return f"It is {game.smith(fact.smith).name}'s {last}."
        case Journeyed():
            by = "by Road" if fact.by is LinkKind.ROAD else "along a Trail"
            return f"{_name(game, fact.who)} goes {by} to {game.ground.spot(fact.to).name}."
        case Passed():
            return f"{_name(game, fact.who)} lets the turn go."
        case Declared():
            return _declared(game, fact)
        case Judged():
            return _judged(game, fact)
        case DiceFell() | Fought() | Forged() | Communed():
            return _rolled(game, fact)
        case DiceChanged():
            return _changed(game, fact)
        case TokenChanged():
            return _token(game, fact)
        case Scored():
            return f"{_name(game, fact.smith)} gains {in_points(fact.points)} {_for(game, fact)}."
        case CreationBegan():
            asked = listed([_name(game, helper) for helper in fact.invited])
            text = f"{_name(game, fact.smith)} begins {fact.name}"
            return f"{text} and asks {asked} to join." if asked else f"{text}."
        case HelpAnswered():
            words = notation((*fact.dice, *fact.sacrificed))
            return f"{_name(game, fact.smith)} {f'joins in with {words}' if words else 'stays out'}."
        case ArtifactMade():
            form, words = fact.form.value.replace("_", " "), notation(fact.dice)
            made = f"{form}, {fact.function.value}, {words}, Power {len(fact.dice)}"
            return f"{fact.name} is made: {made}. The Vault closes on it."
        case HeroineJoined():
            where = game.ground.spot(fact.place).name
            return f"{fact.name} follows {_name(game, fact.smith)}, with {notation(fact.dice)}, from {where}."
        case ArtifactMoved():
            return _moved(game, fact)
        case VaultAsked():
            wanted = game.artifact(fact.artifact).name
            return f"{_name(game, fact.smith)} asks for {wanted} from the Vault."
        case VotesCounted():
            return _counted(game, fact)
        case Declined():
            return f"{_name(game, fact.smith)} leaves {game.artifact(fact.artifact).name} where it is."
        case CastOut():
            name, where = _name(game, fact.smith), game.ground.spot(fact.to).name
            return f"{name} stands at {where} again, and remembers nothing."
        case Swayed():
            return f"The Prince is on {_name(game, fact.smith)}'s side from now on."
        case Granted():
            return f"The Prince grants {_name(game, fact.smith)} {game.artifact(fact.artifact).name}."
        case GrantEnded():
            return _grant_ended(game, fact)
        case EffectBegan():
            return f"{_name(game, fact.who)} is {catalog.effects[fact.effect.kind].name}."
        case EffectEnded():
            kind = next(one.kind for one in game.actor(fact.who).effects if one.id == fact.effect)
            return f"{_name(game, fact.who)} is no longer {catalog.effects[kind].name}."
        case DragonFell():
            left = listed([_name(game, one) for one in fact.order])
            each = "each have" if len(fact.order) > 1 else "has"
            return f"The Dragon falls to {_name(game, fact.who)}! {left} {each} one last turn."
        case Described():
            text = fact.text if fact.text.endswith((".", "!", "?", '"')) else f"{fact.text}."
            return f"{game.ground.spot(fact.place).name}: {text}" if fact.place else text
        case LimitSet():
            return f"Answers have {fact.seconds} seconds." if fact.seconds else "Answers may take their time."
        case GameOver():
            return ending_text(game, fact.ending, fact.reason, fact.ranking)
        case Acted():
            return ""
        case _:
            assert_never(fact)


def _cap(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _name(game: Game, who: str) -> str:
    found = game.find(who)
    return "The game master" if found is None else found.name


def _declared(game: Game, fact: Declared) -> str:
    """The Artifacts she calls on, else her own words; what is rolled says the rest."""
    if not fact.uses:
        return _sentence(fact.description)
    named = listed([game.artifact(use.artifact).name for use in fact.uses])
    return f"{_name(game, fact.who)} calls on {named}. {_sentence(fact.uses[0].how)}".strip()


def _sentence(text: str) -> str:
    flat = " ".join(text.split())
    return flat if not flat or flat.endswith((".", "!", "?", '"')) else f"{_cap(flat)}."


def _judged(game: Game, fact: Judged) -> str:
    helping = listed([game.artifact(one).name for one in fact.approved])
    idle = listed([game.artifact(one).name for one in fact.refused])
    parts = [f"{helping} may help" if helping else "", f"{idle} may not" if idle else ""]
    return f"{', '.join(part for part in parts if part)}."


def _rolled(game: Game, fact: Told) -> str:
    match fact:
        case DiceFell():
            dice, faces = f"{len(fact.faces)}d{fact.sides}", ", ".join(map(str, fact.faces))
            against = fact.by == GM and fact.foe is not None
            name = AGAINST_LABELS[fact.foe] if against and fact.foe else _name(game, fact.by)
            return f"{name} rolls {dice}: {faces}."
        case Fought():
            return _fought(game, fact)
        case Forged():
            return _forged(game, fact)
        case Communed():
            wish, name = notation(fact.dice), _name(game, fact.smith)
            if fact.gained:
                return f"{fact.total} for {wish}: the Spirits of the Forest smile on {name}."
            return f"{fact.total} for {wish} is too much, and the Spirits turn on {name}."
        case _:
            assert_never(fact)


FOUGHT: dict[Foe, tuple[str, str]] = {
    Foe.DRAGON: ("slays the Dragon", "is thrown back by the Dragon"),
    Foe.RUIN: ("finds a secret in {place}", "flees from {place}"),
    Foe.VILLAGE: ("saves {place}", "cannot help {place}"),
    Foe.PRINCE: ("wins over the Prince", "finds the Prince unmoved"),
    Foe.VAULT: ("masters {thing}", "cannot master {thing}"),
    Foe.TEST: ("is found worthy of {thing}", "is not found worthy of {thing}"),
}


def _fought(game: Game, fact: Fought) -> str:
    spot, artifact = game.ground.find(fact.target), game.find_artifact(fact.target)
    words = {"place": spot.name if spot else "", "thing": artifact.name if artifact else ""}
    text = FOUGHT[fact.foe][0 if fact.won else 1].format(**words)
    return f"{_name(game, fact.who)} {text}, {fact.total} against {fact.opposition}."


def _forged(game: Game, fact: Forged) -> str:
    if fact.failed and fact.what is Making.ARTIFACT:
        return f"{fact.total}: {fact.name} is junk."
    if fact.failed:
        return f"{fact.total}: {fact.name} shakes her head."
    return f"{_name(game, fact.smith)} has {in_points(fact.total)} to spend on {fact.name}."


def _changed(game: Game, fact: DiceChanged) -> str:
    name, gained, lost = _name(game, fact.who), notation(fact.gained), notation(fact.lost)
    if gained and lost:
        return f"{name}'s {lost} becomes a {gained}."
    if gained:
        return f"{name} gains {_counted_dice(fact.gained)}."
    how = {
        Reason.SACRIFICE: "gives up {} for it",
        Reason.FORM: "gives {} for the form",
        Reason.FUNCTION: "gives {} for the function",
        Reason.FOREST: "loses {} to the Forest",
    }.get(fact.why, "loses {}")
    return f"{name} {how.format(_counted_dice(fact.lost))}."


def _counted_dice(dice: tuple[DieSize, ...]) -> str:
    return f"a {dice[0].value}" if len(dice) == 1 else notation(dice)


def _token(game: Game, fact: TokenChanged) -> str:
    kind = "Resource token" if fact.token is Token.RESOURCE else "Secret token"
    verb = "gains" if fact.change > 0 else "spends"
    return f"{_name(game, fact.smith)} {verb} a {kind}."


def _for(game: Game, fact: Scored) -> str:
    match fact.why:
        case Why.ARTIFACT:
            return f"for making {game.artifact(fact.what).name}"
        case Why.HELP:
            return f"for a hand in {game.artifact(fact.what).name}"
        case Why.RUIN:
            return f"for {game.ground.spot(fact.what).name}"
        case Why.DRAGON:
            return "for the Dragon"
        case Why.FAVOUR:
            return "for the Prince's favour"


def _grant_ended(game: Game, fact: GrantEnded) -> str:
    """Nothing where it is used."""
    artifact = game.artifact(fact.artifact)
    if game.player_of(artifact.holder) == fact.smith:
        return ""
    return f"The Prince's word to {_name(game, fact.smith)} on {artifact.name} is worth nothing any more."


def _moved(game: Game, fact: ArtifactMoved) -> str:
    name, thing = _name(game, fact.holder), game.artifact(fact.artifact)
    match fact.how:
        case Passing.GIVEN:
            return f"{_name(game, thing.holder)} gives {thing.name} to {name}."
        case Passing.TAKEN:
            return f"{name} takes {thing.name} from {_name(game, thing.holder)}."
        case Passing.GRANT:
            return f"By the Prince's word {name} takes {thing.name} from the Vault."
        case _:
            return f"{name} takes {thing.name} from the Vault."


def _counted(game: Game, fact: VotesCounted) -> str:
    verdict = "granted" if fact.granted else "refused"
    text = f"{fact.yes} for, {fact.no} against: {game.artifact(fact.artifact).name} is {verdict}"
    in_favour = listed([_name(game, smith) for smith in fact.in_favour])
    return f"{text}, with the voice of {in_favour}." if in_favour else f"{text}."
