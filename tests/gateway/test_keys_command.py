"""API keys from the command line."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from services.gateway.accounts.identity import Identity, KeyRefusal, Principal
from services.gateway.keys import main
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.house import ROOT, environment

pytestmark = pytest.mark.databases("account")


@dataclass(frozen=True)
class Told:
    """What a command ended with and wrote."""

    code: int
    out: str
    err: str


Keys = Callable[..., Told]


@pytest.fixture
def keys(settings: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Keys:
    """Give the command in the process of the test: one of its own takes seconds to start."""
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)

    def run(*words: str) -> Told:
        try:
            code = main(list(words))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        return Told(code, *capfd.readouterr())

    return run


def process(settings: Settings, *words: str) -> Told:
    """Run the command as a process of its own, as who runs the installation does."""
    ended = subprocess.run(
        [sys.executable, "-m", "services.gateway.keys", *words],
        cwd=ROOT,
        env=environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    return Told(ended.returncode, ended.stdout, ended.stderr)


def principal(settings: Settings, key: str) -> Principal | KeyRefusal:
    """Present a key."""

    async def present() -> Principal | KeyRefusal:
        database = Database(settings.database_url("account"), pooled=False)
        try:
            return await Identity(database, system_clock, settings.key_pepper).principal(f"Bearer {key}")
        finally:
            await database.close()

    return asyncio.run(present())


@ON_BOTH
def test_a_key_is_printed_once_alone_and_opens_a_new_account(settings: Settings, keys: Keys) -> None:
    made = process(settings, "create", "Mara's laptop", "--scope", "read", "--scope", "write", "--days", "30")
    assert made.code == 0, made.err
    key = made.out.removesuffix("\n")
    found = principal(settings, key)
    assert isinstance(found, Principal)
    assert found.scopes == {"read", "write"} and found.expires_at is not None
    assert made.err.count("\n") == 1
    assert found.key in made.err and found.account in made.err
    assert key not in made.err

    listed = keys("list")
    assert found.key in listed.out and "Mara's laptop" in listed.out
    assert key.rsplit("_", 1)[1] not in listed.out


def test_a_key_is_made_for_an_existing_account_and_revoked(settings: Settings, keys: Keys) -> None:
    first = principal(settings, keys("create", "First").out.strip())
    assert isinstance(first, Principal) and first.scopes == {"read", "write", "admin"}
    text = keys("create", "Second", "--account", first.account).out.strip()
    second = principal(settings, text)
    assert isinstance(second, Principal) and second.account == first.account

    assert keys("revoke", second.key).code == 0
    assert principal(settings, text) is KeyRefusal.REVOKED
    states = {line.split("\t")[0]: line.split("\t")[3] for line in keys("list").out.splitlines()}
    assert states == {first.key: "usable", second.key: "revoked"}


def test_an_account_is_deleted_with_its_keys(settings: Settings, keys: Keys) -> None:
    text, other = keys("create", "First").out.strip(), keys("create", "Other").out.strip()
    first = principal(settings, text)
    assert isinstance(first, Principal)
    told = keys("delete", first.account)
    assert (told.code, told.out) == (0, "") and first.account in told.err
    assert principal(settings, text) is KeyRefusal.REVOKED
    assert isinstance(principal(settings, other), Principal)
    assert keys("delete", first.account).code == 2


@ON_BOTH
def test_an_invitation_is_printed_once_alone_listed_and_revoked(keys: Keys) -> None:
    made = keys("invite", "Convention", "--uses", "200", "--days", "3")
    assert made.code == 0, made.err
    code = made.out.removesuffix("\n")
    assert re.fullmatch(r"hf_invite_[0-9a-z]{26}", code) and code not in made.err
    assert "200 accounts" in made.err
    ((id, *rest),) = [line.split("\t") for line in keys("invitations").out.splitlines()]
    assert id in made.err and rest[:2] == ["0/200", "usable"] and rest[-1] == "Convention"
    assert keys("revoke", id).code == 0
    assert keys("invitations").out.split("\t")[2] == "revoked"


MISTAKES: list[tuple[str, ...]] = [
    ("create", " "),
    ("create", "Key", "--days", "0"),
    ("create", "Key", "--account", "acc_01jd8x6m3v5q7r9t0w2y4z6a8c"),
    ("create", "Key", "--scope", "fly"),
    ("invite", "--uses", "0"),
    ("invite", "--days", "366"),
    ("invite", " "),
    ("revoke", "inv_01jd8x6m3v5q7r9t0w2y4z6a8c"),
    ("revoke", "key_01jd8x6m3v5q7r9t0w2y4z6a8c"),
    ("delete", "acc_01jd8x6m3v5q7r9t0w2y4z6a8c"),
    (),
]


def test_a_mistake_is_told_in_words_and_changes_nothing(settings: Settings, keys: Keys) -> None:
    # The first by a process of its own: what the command gives is what the process ends with.
    for number, words in enumerate(MISTAKES):
        told = keys(*words) if number else process(settings, *words)
        assert told.code == 2, words
        assert told.err.strip() and "Traceback" not in told.err, words
    listed = keys("list")
    assert (listed.code, listed.out) == (0, "")
