"""What somebody may not see is in no answer: a canary in every hidden field, over 10,000 answers and more.

Every request of ``tests/matrix/canary.py`` goes through the public port, from strangers and from members, and
the queries among them once more over a socket, whose answers and errors take another way out.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from infra.gates.contract import never_empty
from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, GateFailure, Wanted
from infra.gates.frame.house import House
from tests.e2e.product import EVENT_SECONDS, Person, socket
from tests.e2e.table import World, build_world
from tests.matrix.canary import (
    CANARY,
    MEMBERS,
    STRANGERS,
    Probe,
    answers_to,
    crowd,
    fields_in,
    looking,
    marked,
    probes,
    probes_of_the_gateway,
    secrets_of,
    seen_in,
    unseen_words,
)

LEAST = 10_000
ON_ONE_SOCKET = 25
Answer = tuple[int, str]


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many answers there were, and in how many of them something hidden was seen.

    Raises:
        GateFailure: members see no canary at all, so that nothing would be proven.
    """
    world = build_world(house.product, marked)
    count = 0
    seen = []
    with never_empty(house.product):
        for who in (*STRANGERS, *MEMBERS):
            for sent, answers in asked(world, who):
                count += fields_in(answers, sent)
                hidden = secrets_of(world) if who in STRANGERS else unseen_words(world)
                told = seen_in(answers, sent, hidden)
                seen += [f"{who} was told {secret!r} by {str(probe)[:200]}" for probe, secret in told]
                if who in MEMBERS and not seen_in(answers, sent, [CANARY]):
                    raise GateFailure(f"the {who} sees no canary anywhere: nothing is proven")
    yield Figure("canary.answers", count, "answers", LEAST, Wanted.AT_LEAST)
    yield Figure("canary.seen", len(seen), "answers", 0, findings=tuple(seen))


def asked(world: World, who: str) -> Iterator[tuple[Sequence[Probe], list[Answer]]]:
    """Sends what somebody may ask; yields what was sent and answered over HTTP, then over sockets."""
    people = crowd(world, who)
    everything = (*probes(world), *probes_of_the_gateway(world))
    sent = [probe for probe in everything if who in STRANGERS or looking(probe)]
    yield sent, answers_to(people, sent)
    queries = [probe for probe in sent if probe[1] == "/graphql" and looking(probe)]
    yield queries, [answer for some in _parted(queries) for answer in over_a_socket(people[0], some)]


def over_a_socket(person: Person, queries: Sequence[Probe]) -> Iterator[Answer]:
    """Asks one query after the other over one socket; yields the answers in the form that HTTP has them."""
    with socket(person) as opened:
        for number, (_, _, content) in enumerate(queries):
            operation = json.loads(content or "")
            opened.send(json.dumps({"id": str(number), "type": "subscribe", "payload": operation}))
            said: list[str] = []
            while (message := json.loads(opened.recv(timeout=EVENT_SECONDS)))["type"] != "complete":
                payload = message["payload"]
                said.append(json.dumps({"errors": payload} if isinstance(payload, list) else payload))
                if message["type"] == "error":
                    break
            yield 200, "\n" + "".join(said)


def _parted(queries: Sequence[Probe]) -> Iterator[Sequence[Probe]]:
    for first in range(0, len(queries), ON_ONE_SOCKET):
        yield queries[first : first + ON_ONE_SOCKET]
