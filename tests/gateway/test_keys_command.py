"""API keys from the command line."""

import re
import subprocess
import sys

import pytest

from services.gateway.identity import Identity, KeyRefusal, Principal
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.settings import Settings
from tests.house import ROOT, environment

pytestmark = pytest.mark.databases("account")


def keys(settings: Settings, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command on the database of an installation."""
    return subprocess.run(
        [sys.executable, "-m", "services.gateway.keys", *words],
        cwd=ROOT,
        env=environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )


async def principal(settings: Settings, key: str) -> Principal | KeyRefusal:
    """Present a key."""
    database = Database(settings.database_url("account"), pooled=False)
    try:
        return await Identity(database, system_clock, settings.key_pepper).principal(f"Bearer {key}")
    finally:
        await database.close()


async def test_a_key_is_printed_once_alone_and_opens_a_new_account(settings: Settings) -> None:
    made = keys(settings, "create", "Mara's laptop", "--scope", "read", "--scope", "write", "--days", "30")
    assert made.returncode == 0, made.stderr
    key = made.stdout.removesuffix("\n")
    found = await principal(settings, key)
    assert isinstance(found, Principal)
    assert found.scopes == {"read", "write"} and found.expires_at is not None
    assert made.stderr.count("\n") == 1
    assert found.key in made.stderr and found.account in made.stderr
    assert key not in made.stderr

    listed = keys(settings, "list")
    assert found.key in listed.stdout and "Mara's laptop" in listed.stdout
    assert key.rsplit("_", 1)[1] not in listed.stdout


async def test_a_key_is_made_for_an_existing_account_and_revoked(settings: Settings) -> None:
    first = await principal(settings, keys(settings, "create", "First").stdout.strip())
    assert isinstance(first, Principal) and first.scopes == {"read", "write", "admin"}
    text = keys(settings, "create", "Second", "--account", first.account).stdout.strip()
    second = await principal(settings, text)
    assert isinstance(second, Principal) and second.account == first.account

    assert keys(settings, "revoke", second.key).returncode == 0
    assert await principal(settings, text) is KeyRefusal.REVOKED
    states = {line.split("\t")[0]: line.split("\t")[3] for line in keys(settings, "list").stdout.splitlines()}
    assert states == {first.key: "usable", second.key: "revoked"}


def test_an_invitation_is_printed_once_alone_listed_and_revoked(settings: Settings) -> None:
    made = keys(settings, "invite", "Convention", "--uses", "200", "--days", "3")
    assert made.returncode == 0, made.stderr
    code = made.stdout.removesuffix("\n")
    assert re.fullmatch(r"hf_invite_[0-9a-z]{26}", code) and code not in made.stderr
    assert "200 accounts" in made.stderr
    ((id, *rest),) = [line.split("\t") for line in keys(settings, "invitations").stdout.splitlines()]
    assert id in made.stderr and rest[:2] == ["0/200", "usable"] and rest[-1] == "Convention"
    assert keys(settings, "revoke", id).returncode == 0
    assert keys(settings, "invitations").stdout.split("\t")[2] == "revoked"


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
    (),
]


def test_a_mistake_is_told_in_words_and_changes_nothing(settings: Settings) -> None:
    for words in MISTAKES:
        told = keys(settings, *words)
        assert told.returncode == 2, words
        assert told.stderr.strip() and "Traceback" not in told.stderr, words
    listed = keys(settings, "list")
    assert (listed.returncode, listed.stdout) == (0, "")
