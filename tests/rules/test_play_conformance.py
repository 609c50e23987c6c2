"""What the scenes of every game must hold to, run over all games that have scenes and over the toy.

Each game is played at random by its own offers, filled in within their bounds, and by its own bots. What must
hold is asked of every state, move and event that comes up on the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from hashlib import shake_256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from services.rules.dice.notation import Lexicon, parse, variables
from services.rules.dice.stream import ByteStream
from services.rules.engine.bots import any_answer
from services.rules.engine.campaign import with_campaigns
from services.rules.engine.codec import Codec
from services.rules.engine.driver import fold, scripted, state_hash, thrower
from services.rules.engine.play import GM, AnyPlay, CastMember, GamePlay, LegalMove, Viewer
from services.rules.engine.position import Position, Taken, position
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.registry import mechanics, systems
from services.rules.engine.sampling import complete
from services.rules.engine.steps import Run, misfit, refusal
from services.rules.engine.system import AnySystem
from tests.at_length import in_turn

TOYS = Path(__file__).resolve().parents[1] / "toys"
PLAYED = {slug: game for slug, game in with_campaigns(systems(TOYS)).items() if game.play is not None}
SETUPS = [(slug, setup) for slug, system in PLAYED.items() if system.play for setup in system.play.setups]
LEXICON = Lexicon(mechanics=mechanics(TOYS))

MOVES = 60
"""Moves of one scene that is played at random."""
MOVES_OF_BOTS = 2_000
"""Moves within which a scene that bots play is over."""
GM_SELDOM = 5
"""Of so many random moves one is the game master's, where players have any."""
ENDED_SELDOM = 10
"""Of so many random moves of the game master that would end a scene one is made."""
LOOKED_AT = 12
"""States of a scene that are looked at where a question takes long."""
STREAM_BYTES = 1 << 16
NOBODY = "nobody-at-all"


ALL = Viewer(gm=True)


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene that was played: its game, who took part, how it opened, every move and every answer."""

    system: AnySystem
    play: AnyPlay
    cast: tuple[CastMember, ...]
    opening: Any
    made: tuple[Taken, ...]

    def positions(self) -> Iterator[Position]:
        """Where the scene stood, the opening first."""
        yield Position(self.play, self.opening)
        for made in self.made:
            yield made.position

    def states(self) -> Iterator[Any]:
        """Every state, the opening first."""
        for at in self.positions():
            yield at.state

    def some(self) -> Iterator[Any]:
        """At most so many of the states, the opening and the last among them, for what takes long to ask."""
        yield from (at.state for at in self.some_positions())

    def some_positions(self) -> Iterator[Position]:
        """The same, with the questions that are open there."""
        positions = list(self.positions())
        places = {round(place * (len(positions) - 1) / (LOOKED_AT - 1)) for place in range(LOOKED_AT)}
        yield from (positions[place] for place in sorted(places))

    def turns(self) -> Iterator[tuple[Position, Taken]]:
        """Every move and answer with where the scene stood before it."""
        yield from zip(self.positions(), self.made, strict=False)

    def steps(self) -> Iterator[tuple[Any, Any, Any]]:
        """Every event with the states before and after it."""
        for made in self.made:
            for before, event in made.happened:
                yield before, event, self.play.evolve(before, event)

    def players(self) -> list[Viewer]:
        """One for each hero."""
        return [Viewer(actors=frozenset({member.id})) for member in self.cast]

    def actors(self, state: Any) -> list[str]:
        """Everybody who might have something to do."""
        return [*(card.id for card in self.play.card(state).actors), GM]


def game(slug: str) -> tuple[AnySystem, AnyPlay]:
    system = PLAYED[slug]
    assert system.play is not None
    return system, system.play


def cast_of(system: AnySystem, names: Iterable[str]) -> tuple[CastMember, ...]:
    return tuple(
        CastMember(id=f"chr-{name}", sheet=system.build(system.examples[name], system.content))
        for name in names
    )


def party(system: AnySystem, seed: int) -> tuple[CastMember, ...]:
    """From one to four of the examples; other ones for another seed."""
    names = list(system.examples)
    wanted = [names[(seed + place) % len(names)] for place in range(1 + seed % 4)]
    return cast_of(system, dict.fromkeys(wanted))


def stream(*name: object) -> ByteStream:
    return ByteStream(BytesIO(shake_256(repr(name).encode()).digest(STREAM_BYTES)).read)


@cache
def played_at_random(slug: str, setup: str, seed: int) -> Scene:
    """A scene of offered moves and answers, picked and filled in at random; none may be refused."""
    system, play = game(slug)
    cast = party(system, seed)
    opening = play.begin(play.setups[setup], cast)
    assert not isinstance(opening, Problems), str(opening)
    chance, dice = stream("choices", slug, setup, seed), thrower(stream("dice", slug, setup, seed))
    scene = Scene(system, play, cast, opening, ())
    at = Position(play, opening)
    moves: list[Taken] = []
    while len(moves) < MOVES and not play.outcome(at.state).ended:
        offers = {actor: at.legal(actor, ALL) for actor in scene.actors(at.state)}
        actors = [actor for actor, found in offers.items() if found and actor != GM]
        if offers[GM] and (not actors or chance.draw(GM_SELDOM) == 1):
            actors = [GM]
        assert actors, "the scene is not over, and nobody can do anything"
        offered = offers[actors[chance.draw(len(actors)) - 1]]
        offer = offered[chance.draw(len(offered)) - 1]
        form = complete(offer, lambda n: chance.draw(n) - 1)
        made = at.take(play.move_codec.read(form), len(moves) + 1, dice)
        assert not isinstance(made, Problems), f"{offer.id} was offered and refused as {form}: {made}"
        ends = play.outcome(made.position.state).ended
        if offer.actor == GM and ends and chance.draw(ENDED_SELDOM) > 1:
            continue
        moves.append(made)
        at = made.position
    return Scene(system, play, cast, opening, tuple(moves))


@cache
def played_by_bots(slug: str, setup: str, seed: int) -> Scene:
    """A scene that the game's own bots play, to its end or to the last move it may take."""
    system, play = game(slug)
    cast = party(system, seed)
    opening = play.begin(play.setups[setup], cast)
    assert not isinstance(opening, Problems), str(opening)
    dice = thrower(stream("bots", slug, setup, seed))
    at = Position(play, opening)
    moves: list[Taken] = []
    while len(moves) < MOVES_OF_BOTS and not play.outcome(at.state).ended:
        asked = (GM, *play.card(at.state).waiting_for)
        if at.asks:
            ask = at.asks[0]
            move = play.reply(play.view(at.state, Viewer(actors=frozenset({ask.actor}))), ask)
        else:
            move = next((move for actor in asked if (move := play.bot(at.state, actor)) is not None), None)
        assert move is not None, f"the bots of {asked} have nothing to do, and the scene is not over"
        made = at.take(move, len(moves) + 1, dice)
        assert not isinstance(made, Problems), f"the bot's {move} was refused: {made}"
        moves.append(made)
        at = made.position
    return Scene(system, play, cast, opening, tuple(moves))


TOY = "duel"
"""It is small: of each of its setups all scenes are played."""
AT_RANDOM, BY_BOTS = (0, 1), (1, 3)
"""Seeds of the scenes of each setup of a large game; in the suite one of them, of the next setup the next."""

RANDOM = [
    (played_at_random, slug, setup, seed)
    for place, (slug, setup) in enumerate(SETUPS)
    for seed in (range(6) if slug == TOY else in_turn(AT_RANDOM, place))
]
BOTS = [
    (played_by_bots, slug, setup, seed)
    for place, (slug, setup) in enumerate(SETUPS)
    for seed in (BY_BOTS if slug == TOY else in_turn(BY_BOTS, place))
]


def label(case: tuple[Any, str, str, int]) -> str:
    return "-".join(("random" if case[0] is played_at_random else "bots", *map(str, case[1:])))


@pytest.fixture(params=[*RANDOM, *BOTS], ids=label)
def scene(request: pytest.FixtureRequest) -> Scene:
    play, *arguments = request.param
    found: Scene = play(*arguments)
    return found


@pytest.fixture(params=PLAYED.values(), ids=list(PLAYED))
def system(request: pytest.FixtureRequest) -> AnySystem:
    found: AnySystem = request.param
    return found


def through_json(codec: Codec[Any], value: Any) -> Any:
    return codec.load(json.loads(json.dumps(codec.dump(value))))


# The protocol


def test_the_toy_is_among_the_games_that_are_played() -> None:
    assert "duel" in PLAYED


def test_play_is_whole_and_has_a_setup(system: AnySystem) -> None:
    assert isinstance(system.play, GamePlay)
    assert system.play.setups


def test_every_setup_begins_with_any_examples(system: AnySystem) -> None:
    assert system.play is not None
    casts = [cast_of(system, [name]) for name in system.examples] + [cast_of(system, system.examples)]
    for setup in system.play.setups.values():
        assert through_json(system.play.setup_codec, setup) == setup
        for cast in casts:
            state = system.play.begin(setup, cast)
            assert not isinstance(state, Problems), str(state)
            assert system.play.begin(setup, cast) == state
            assert not system.play.outcome(state).ended
            heroes = {card.id for card in system.play.card(state).actors if card.character}
            assert heroes == {member.id for member in cast}


# Moves


def test_states_moves_and_events_survive_json_exactly(scene: Scene) -> None:
    play = scene.play
    for state in scene.states():
        assert through_json(play.state_codec, state) == state
    for made in scene.made:
        assert through_json(play.move_codec, made.move) == made.move
        for event in made.events:
            assert through_json(play.event_codec, event) == event


def test_stored_events_lead_to_the_same_states(scene: Scene) -> None:
    play = scene.play
    state = through_json(play.state_codec, scene.opening)
    looked_at = {id(one) for one in scene.some()}
    for before, made in scene.turns():
        assert made.events or before.waiting or made.position.waiting
        state = fold(play, state, [through_json(play.event_codec, event) for event in made.events])
        assert state == made.position.state
        if id(made.position.state) in looked_at:
            assert state_hash(play, state) == state_hash(play, made.position.state)


def test_a_move_that_is_made_again_comes_to_the_same(scene: Scene) -> None:
    """From its stored form too, and a move that waits from its beginning."""
    play = scene.play
    looked_at = {id(one.state) for one in scene.some_positions()}
    for number, (before, made) in enumerate(scene.turns(), start=1):
        seldom = id(before.state) in looked_at
        hashed = state_hash(play, before.state) if seldom else ""
        stored = position(play, *json.loads(json.dumps(before.form()))) if seldom else before
        again = stored.take(made.move, number, scripted(made.faces))
        assert isinstance(again, Taken)
        assert (again.rolls, again.events) == (made.rolls, made.events)
        assert again.position.waiting == made.position.waiting
        assert hashed == "" or state_hash(play, before.state) == hashed


def test_questions_can_be_asked(scene: Scene) -> None:
    for at in scene.positions():
        names = [ask.id for ask in at.asks]
        assert len(names) == len(set(names))
        assert (at.waiting is None) == (not names)
        for ask in at.asks:
            assert ask.question.strip().endswith((".", "?", "!"))
            assert {offer.actor for offer in ask.offers} == {ask.actor}
            assert ask.seconds is None or ask.silence is not None
            first, second = (
                any_answer(scene.play, ask, lambda n, count=count: min(count, n - 1))  # type: ignore[misc]
                for count in (0, 1)
            )
            answers = [first] if second == first else [first, second]
            if ask.silence is not None and ask.silence not in answers:
                answers.append(ask.silence)
            for move in answers:
                assert not isinstance(at.enter(move, 0), Problems)


def test_rolls_have_names_dice_and_reasons(scene: Scene) -> None:
    for made in scene.made:
        names = [roll.id for roll in made.rolls]
        assert len(names) == len(set(names))
        assert misfit(made.rolls, made.faces) is None
        for roll in made.rolls:
            assert roll.label
            assert roll.dice.value >= 1
            assert roll.sides > 1
            assert roll.dice.parts
            assert all(part.source and part.rule for part in roll.dice.parts)


def test_odds_that_are_named_are_known(scene: Scene) -> None:
    named = {roll.odds for made in scene.made for roll in made.rolls}
    for at in scene.some_positions():
        named |= {offer.odds for actor in scene.actors(at.state) for offer in at.legal(actor, ALL)}
    for odds in named - {""}:
        assert variables(parse(odds, LEXICON)) == ()


def test_what_is_offered_can_be_drawn(scene: Scene) -> None:
    for at in scene.some_positions():
        assert scene.play.legal(at.state, NOBODY) == at.legal(NOBODY, ALL) == ()
        for actor in scene.actors(at.state):
            offers = at.legal(actor, ALL)
            ids = [offer.id for offer in offers]
            assert len(ids) == len(set(ids))
            for offer in offers:
                assert offer.actor == offer.move["actor"] == actor
                assert offer.label and offer.text and offer.rule
                names = [field.name for field in offer.fields]
                assert len(names) == len(set(names))
                assert names == [] or all(field.label for field in offer.fields)


def test_a_move_out_of_nowhere_is_refused_with_rule_and_words(scene: Scene) -> None:
    """Every move, made by somebody who is not there."""
    for at, made in scene.turns():
        form = {**scene.play.move_codec.dump(made.move)["data"], "actor": NOBODY}  # type: ignore[dict-item]
        refused = at.enter(scene.play.move_codec.read(form), 0)
        assert isinstance(refused, Problems)
        for problem in refused:
            assert problem.code == problem.code.lower()
            assert problem.code.replace("_", "").isalnum()
            assert problem.message.endswith((".", "!", "?"))
            assert problem.rule


# The card and the log


def test_a_scene_can_be_drawn(scene: Scene) -> None:
    play = scene.play
    for at in scene.positions():
        state, card = at.state, at.card(ALL)
        ids = [actor.id for actor in card.actors]
        assert card.title
        assert card.round >= 1
        assert len(ids) == len(set(ids))
        assert GM not in ids
        for actor in card.actors:
            assert actor.name
            assert all(0 <= track.current <= track.maximum for track in actor.tracks)
        known = {*ids, GM}
        assert {prompt.actor for prompt in card.prompts} | set(card.waiting_for) <= known
        assert card.turn is None or card.turn in known
        if play.outcome(state).ended:
            assert (card.turn, card.waiting_for, card.prompts) == (None, (), ())
    for at in scene.some_positions():
        for actor_id in at.card(ALL).waiting_for:
            assert at.legal(actor_id, ALL), f"{actor_id} is waited for and can do nothing"


def test_every_event_can_be_told(scene: Scene) -> None:
    play = scene.play
    for before, event, _ in scene.steps():
        for viewer in (ALL, Viewer(), *scene.players()):
            seen = play.sees(event, viewer)
            if seen is not None:
                told = play.tell(before if viewer.gm else play.view(before, viewer), seen)
                assert told == told.strip()
                assert told == "" or told.endswith((".", "!", "?", '"'))


# What stays with characters


def test_what_has_changed_about_characters_can_be_asked_of_every_state_and_view(scene: Scene) -> None:
    play, system = scene.play, scene.system
    choices_of = {f"chr-{name}": choices for name, choices in system.examples.items()}
    for state in scene.some():
        for viewer in (ALL, Viewer(), *scene.players()):
            for change in play.changes(play.view(state, viewer)):
                assert change.text
                data = json.loads(json.dumps(dict(change.data)))
                changed = play.absorb(choices_of[change.character], data)
                assert not isinstance(system.build(changed, system.content), Problems)


# The end


@pytest.mark.parametrize(("_", "slug", "setup", "seed"), BOTS, ids=map(label, BOTS))
def test_bots_come_to_an_end_that_changes_characters(_: object, slug: str, setup: str, seed: int) -> None:
    scene = played_by_bots(slug, setup, seed)
    play, system, end = scene.play, scene.system, list(scene.states())[-1]
    outcome = play.outcome(end)
    assert outcome.ended
    assert outcome.text
    assert not any(play.outcome(state).ended for state in list(scene.states())[:-1])
    choices_of = {f"chr-{name}": choices for name, choices in system.examples.items()}
    for change in play.changes(end):
        assert change.character in {member.id for member in scene.cast}
        assert change.text
        data = json.loads(json.dumps(dict(change.data)))
        changed = play.absorb(choices_of[change.character], data)
        assert not isinstance(system.build(changed, system.content), Problems)
        assert through_json(system.choices_codec, changed) == changed


# Who may know what


def words_in(value: object) -> Iterator[str]:
    """Every text anywhere in a value, keys too."""
    match value:
        case str():
            yield value
        case Mapping():
            for key, item in value.items():
                yield from words_in(key)
                yield from words_in(item)
        case Sequence():
            for item in value:
                yield from words_in(item)
        case _ if is_dataclass(value):
            for item in fields(value):
                yield from words_in(getattr(value, item.name))
        case _:
            return


def hidden_from(play: AnyPlay, state: Any, viewer: Viewer) -> dict[str, str]:
    """Names by id of those who are in a scene and not in what the viewer can draw of it."""
    shown = {actor.id for actor in play.card(play.view(state, viewer)).actors}
    return {actor.id: actor.name for actor in play.card(state).actors if actor.id not in shown}


def betrayed(hidden: Mapping[str, str], shown: Iterable[str], *said: object) -> list[str]:
    """Texts that name somebody hidden: by id, or by a name that nobody in sight bears as well."""
    words = {*hidden, *(set(hidden.values()) - set(shown))}
    if not words:
        return []
    found = re.compile("|".join(rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in sorted(words)))
    return [text for text in words_in(said) if found.search(text)]


def shown_names(play: AnyPlay, state: Any, viewer: Viewer) -> list[str]:
    return [actor.name for actor in play.card(play.view(state, viewer)).actors]


def test_the_game_master_sees_everything(scene: Scene) -> None:
    assert all(scene.play.view(state, ALL) == state for state in scene.states())
    assert all(scene.play.sees(event, ALL) == event for made in scene.made for event in made.events)


def test_a_view_of_a_view_is_the_view(scene: Scene) -> None:
    for state in scene.some():
        for viewer in (Viewer(), *scene.players()):
            seen = scene.play.view(state, viewer)
            assert scene.play.view(seen, viewer) == seen
            assert through_json(scene.play.state_codec, seen) == seen


def test_nothing_that_a_player_gets_names_somebody_hidden(scene: Scene) -> None:
    play = scene.play
    for at in scene.some_positions():
        state = at.state
        for viewer in (Viewer(), *scene.players()):
            hidden = hidden_from(play, state, viewer)
            if not hidden:
                continue
            view = play.view(state, viewer)
            offers = [at.legal(actor, viewer) for actor in viewer.actors]
            shown = shown_names(play, state, viewer)
            got = (play.state_codec.dump(view), at.card(viewer), offers, play.outcome(view))
            assert betrayed(hidden, shown, *got) == []
            assert play.outcome(view) == play.outcome(state)


def test_a_player_is_offered_the_same_from_what_they_see(scene: Scene) -> None:
    """A table may ask the rules about a player's view alone, so that no answer can betray what it lacks."""
    play = scene.play
    for at in scene.some_positions():
        if at.waiting is not None:
            continue
        for viewer in scene.players():
            view = at.view(viewer)
            for actor in viewer.actors:
                offers = play.legal(at.state, actor)
                assert play.legal(view, actor) == offers
                for offer in offers:
                    form = complete(offer, lambda n: n - 1)
                    assert refusal(play, view, play.move_codec.read(form)) is None, offer.id


def test_a_checked_move_tells_its_first_dice_from_the_view_and_changes_nothing(scene: Scene) -> None:
    play = scene.play
    for at in list(scene.some_positions())[::4]:
        if at.waiting is not None:
            continue
        before = at.hash
        for viewer in scene.players():
            blind = Position(play, at.view(viewer))
            for offer in (offer for actor in viewer.actors for offer in at.legal(actor, viewer)):
                move = play.move_codec.read(complete(offer, lambda n: n - 1))
                found, known = at.check(move, viewer), blind.enter(move, 1)
                assert isinstance(found, Run) and isinstance(known, Run), offer.id
                assert (found.rolls, found.happened) == (known.rolls, known.happened)
        assert at.hash == before


def test_no_event_that_is_seen_names_somebody_who_stays_hidden(scene: Scene) -> None:
    play = scene.play
    for made in scene.made:
        for viewer in (Viewer(), *scene.players()):
            hidden = hidden_from(play, made.position.state, viewer)
            if not hidden:
                continue
            shown = shown_names(play, made.position.state, viewer)
            for state, event in made.happened:
                seen = play.sees(event, viewer)
                if seen is not None:
                    told = play.tell(play.view(state, viewer), seen)
                    assert betrayed(hidden, shown, play.event_codec.dump(seen), told) == []


def test_an_event_is_for_its_audience_only(scene: Scene) -> None:
    for made in scene.made:
        for event in made.events:
            for viewer in (Viewer(), *scene.players()):
                assert viewer.may_know(event.audience) or scene.play.sees(event, viewer) is None


def test_who_only_watches_knows_no_more_than_any_player(scene: Scene) -> None:
    play, watcher = scene.play, Viewer()
    for state in scene.states():
        seen = {actor.id for actor in play.card(play.view(state, watcher)).actors}
        for player in scene.players():
            assert seen <= {actor.id for actor in play.card(play.view(state, player)).actors}
    for made in scene.made:
        for event in made.events:
            if play.sees(event, watcher) is not None:
                assert all(play.sees(event, player) is not None for player in scene.players())


def test_what_nobody_saw_changes_nothing_that_they_see(scene: Scene) -> None:
    """No trace of a secret: neither in the view, nor in what they are offered."""
    play = scene.play
    for before, made in scene.turns():
        for viewer in (Viewer(), *scene.players()):
            if all(play.sees(event, viewer) is None for event in made.events):
                assert made.position.view(viewer) == before.view(viewer)
                if before.waiting is not None or made.position.waiting is not None:
                    continue
                for actor in viewer.actors:
                    assert play.legal(made.position.state, actor) == play.legal(before.state, actor)


def test_dice_rolled_for_all_to_see_are_those_of_a_move_somebody_sees(scene: Scene) -> None:
    for made in scene.made:
        if any(roll.audience.everyone for roll in made.rolls):
            assert any(scene.play.sees(event, Viewer()) is not None for event in made.events)


def swapped(value: Any, old: str, new: str) -> Any:
    """A JSON form with one text put in place of another."""
    match value:
        case str():
            return new if value == old else value
        case dict():
            return {key: swapped(item, old, new) for key, item in value.items()}
        case list():
            return [swapped(item, old, new) for item in value]
        case _:
            return value


def answer(at: Position, form: dict[str, Any]) -> object:
    entered = at.enter(at.play.move_codec.read(form), 0)
    return tuple(entered) if isinstance(entered, Problems) else entered


def without(guess: str, problem: RuleProblem) -> list[str]:
    return [text.replace(guess, "?") for text in words_in(problem)]


def test_a_guess_at_who_hides_is_answered_like_one_at_nobody(scene: Scene) -> None:
    play = scene.play
    for at, made in scene.turns():
        state, viewer = at.state, Viewer(actors=frozenset({made.move.actor}))
        if made.move.actor not in {member.id for member in scene.cast}:
            continue
        form = play.move_codec.dump(made.move)["data"]
        for hidden in hidden_from(play, state, viewer):
            for aim in {actor.id for actor in play.card(state).actors} - {made.move.actor}:
                guess = swapped(form, aim, hidden)
                if guess == form:
                    continue
                found = answer(at, guess)
                nobody = answer(at, swapped(form, aim, NOBODY))
                assert isinstance(found, tuple)
                assert isinstance(nobody, tuple)
                assert [without(hidden, it) for it in found] == [without(NOBODY, it) for it in nobody]


# The suite itself


def test_the_toy_brings_up_everything_there_is_to_ask() -> None:
    """Somebody hides, dice fall in secret, a question waits, a guess can be made: no test above is idle."""
    scenes = [played_at_random(slug, setup, seed) for _, slug, setup, seed in RANDOM if slug == "duel"]
    scenes += [played_by_bots(slug, setup, seed) for _, slug, setup, seed in BOTS if slug == "duel"]
    made = [made for scene in scenes for made in scene.made]
    assert {type(one.move).__name__ for one in made} >= {
        "Strike",
        "Brace",
        "Answer",
        "Listen",
        "Reveal",
        "Stop",
    }
    rolls = [roll for one in made for roll in one.rolls]
    assert {roll.audience.everyone for roll in rolls} == {True, False}
    assert any(at.card(ALL).prompts for scene in scenes for at in scene.positions())
    assert any(scene.play.sees(event, Viewer()) is None for scene in scenes for _, event, _ in scene.steps())
    hiding = [
        one
        for scene in scenes
        for at, one in scene.turns()
        if hidden_from(scene.play, at.state, Viewer()) and type(one.move).__name__ == "Strike"
    ]
    assert hiding


def test_texts_are_found_wherever_they_stand() -> None:
    offer = LegalMove(id="hit", actor="a", label="Hit", text="", rule="", move={"at": ["orc-1"]})
    assert betrayed({"orc-1": "Orc"}, [], offer) == ["orc-1"]
    assert betrayed({"orc-1": "Orc"}, [], {"Orc!": 1}, "orc-10", "Orcs", {"x": ("the Orc.",)}) == [
        "Orc!",
        "the Orc.",
    ]
    assert betrayed({"orc-1": "Orc"}, ["Orc"], "the Orc") == []
