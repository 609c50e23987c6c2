"""The questions of a campaign: votes, the questions of a quest's end, where an advantage stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.rules.engine.buttons import button, choice_field, flag_field
from services.rules.engine.play import GM
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.campaign.moves import AnswerQuestions, Settle, Vote
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Question

ASKED: Mapping[Question, str] = {
    Question.LEARNED_WORLD: "Was something new and important learned of the world?",
    Question.MEMORABLE: "Was something memorable, or a story awesome?",
    Question.PARTY_QUEST: "Was the Party Quest furthered?",
    Question.PERSONAL_QUEST: "Was a personal quest furthered?",
    Question.HINDRANCE: "Did a hero meet a hindrance of theirs?",
}


def known_ids(state: Campaign) -> Iterator[str]:
    """Ids of the heroes, forces and places that all know of."""
    yield from (each.id for each in state.present())
    yield from (each.id for each in state.known_forces())
    yield from (each.id for each in state.known_places())


def vote(name: str, who: str, question: str, offers: Mapping[str, str]) -> Ask:
    """A vote; who has nothing to choose is not asked."""
    buttons = tuple(
        button(Vote(actor=who, choice=each), f"vote:{each}", label, "The most votes decide.", "The Party")
        for each, label in offers.items()
    )
    return Ask(id=name, actor=who, question=question, offers=buttons)


def questions(who: str) -> Ask:
    """The five questions of a quest's end, to one of the group."""
    fields = tuple(flag_field(each.value, label) for each, label in ASKED.items())
    text = "Each yes of more than half of you counts."
    offer = button(AnswerQuestions(actor=who), "questions", "Answer", text, "Experience", *fields)
    return Ask(id=f"questions:{who}", actor=who, question="How was the quest?", offers=(offer,))


def settle(state: Campaign) -> Ask:
    """Where an advantage stands."""
    places = ((each.id, each.name) for each in state.known_places())
    which = choice_field("place", "At which place?", places)
    text = "Its rolls are those at this place."
    offer = button(Settle(actor=GM, place=""), "settle", "Put it on the map", text, "Party Advantages", which)
    return Ask(id="settle", actor=GM, question="Where does it stand?", offers=(offer,))
