"""The types of settings that are more than text or a number: addresses of databases and storage, keys."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from services.shared.process_keys import checked_public_keys, public_key_of
from services.shared.storage_address import storage_address


def _async_driver(url: str) -> str:
    """Accept the short forms that hosting providers hand out and name PostgreSQL's asynchronous driver."""
    for short, full in (
        ("postgres://", "postgresql+asyncpg://"),
        ("postgresql://", "postgresql+asyncpg://"),
    ):
        if url.startswith(short):
            return full + url.removeprefix(short)
    return url


def _storage_url(url: str | None) -> str | None:
    if not url:
        return None
    storage_address(url)
    return url


def _private_key(text: str) -> str:
    public_key_of(text)
    return text


def _public_keys(written: object) -> object:
    if not isinstance(written, Mapping):
        return written
    return checked_public_keys(written)


DatabaseUrl = Annotated[str, AfterValidator(_async_driver)]
StorageUrl = Annotated[str | None, AfterValidator(_storage_url)]
PrivateKey = Annotated[str, AfterValidator(_private_key)]
PublicKeys = Annotated[dict[str, list[str]], BeforeValidator(_public_keys)]
