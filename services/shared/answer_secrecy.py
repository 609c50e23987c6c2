"""Secrets in answers: whoever puts one into an answer says so, and the public door does not compress it.

The length of compressed bytes tells whether two parts of them are alike: who may choose one part, a name or a
label, could guess the letters of a secret that stands beside it (BREACH). So the answer of a request that was
shown a secret has a header that says so, which every caller inside the house passes on in its own answer
(``Peer`` does), up to the door, which takes it away. An answer of GraphQL has ``extensions.secret`` too:
the events of a stream come after its headers.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass

SECRET_HEADER = "x-hearthforge-secret"


@dataclass(slots=True)
class AnswerSecrecy:
    """What is known of the answer to one request.

    Attributes:
        secret: whether it holds a secret.
    """

    secret: bool = False

    def told(self) -> dict[str, str]:
        """Returns the header that reports a secret; none without one."""
        return {SECRET_HEADER: "1"} if self.secret else {}


ANSWER_SECRECY: ContextVar[AnswerSecrecy | None] = ContextVar("answer_secrecy", default=None)
"""Of the request that is being answered; every process begins one for each request."""


def show_secret(secret: str) -> str:
    """Returns a secret that goes into the answer of this request, which holds one from now on."""
    if (answer := ANSWER_SECRECY.get()) is not None:
        answer.secret = True
    return secret


def heed_secret(headers: Mapping[str, str]) -> None:
    """Marks the answer of this request where another service has answered it with a secret."""
    if SECRET_HEADER in headers and (answer := ANSWER_SECRECY.get()) is not None:
        answer.secret = True


def holds_secret() -> bool:
    """Tells whether the answer of this request holds a secret so far."""
    answer = ANSWER_SECRECY.get()
    return answer is not None and answer.secret
