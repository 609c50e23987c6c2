"""Every setting of every process, read from the environment once, at the composition roots.

``python -m services.shared.settings`` prints the table of the variables that the README shows.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.shared.limits.bucket import LIMITS

ServiceName = Literal["account", "dice", "character", "campaign", "map"]
SERVICES: tuple[ServiceName, ...] = ("account", "dice", "character", "campaign", "map")


class SignUp(StrEnum):
    """Who may open an account over HTTP; ``infra/key`` opens one under each."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


def _env(name: str, description: str, **kwargs: Any) -> Any:
    return Field(validation_alias=name, description=description, **kwargs)


class Settings(BaseSettings):
    """The environment of one installation. ``infra/up`` sets all of it; production sets it by hand."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    data_dir: Path = _env("HEARTHFORGE_DATA_DIR", "folder for everything that is kept")
    internal_secret: str = _env(
        "HEARTHFORGE_INTERNAL_SECRET",
        "key of the signed tokens between the parts, 32 bytes or more",
        min_length=32,
    )
    key_pepper: str = _env(
        "HEARTHFORGE_KEY_PEPPER", "key under which API keys are hashed, 32 bytes or more", min_length=32
    )
    dice_secret: str = _env(
        "HEARTHFORGE_DICE_SECRET",
        "key under which seeds of rolls and signing keys are sealed, 32 bytes or more",
        min_length=32,
    )
    redis_url: str = _env("REDIS_URL", "Valkey or Redis: redis://host:port/0 or unix:///path?db=0")

    database_url_account: str = _env("DATABASE_URL_ACCOUNT", "database of accounts and keys")
    database_url_dice: str = _env("DATABASE_URL_DICE", "database of the dice service")
    database_url_character: str = _env("DATABASE_URL_CHARACTER", "database of the character service")
    database_url_campaign: str = _env("DATABASE_URL_CAMPAIGN", "database of the campaign service")
    database_url_map: str = _env("DATABASE_URL_MAP", "database of the map service")

    account_url: str = _env("HEARTHFORGE_ACCOUNT_URL", "private address of the Python gateway app")
    dice_url: str = _env("HEARTHFORGE_DICE_URL", "private address of the dice service")
    character_url: str = _env("HEARTHFORGE_CHARACTER_URL", "private address of the character service")
    campaign_url: str = _env("HEARTHFORGE_CAMPAIGN_URL", "private address of the campaign service")
    map_url: str = _env("HEARTHFORGE_MAP_URL", "private address of the map service")
    public_url: str = _env(
        "HEARTHFORGE_PUBLIC_URL", "address that clients use", default="http://127.0.0.1:4000"
    )

    sign_up: SignUp = _env(
        "HEARTHFORGE_SIGN_UP",
        "who may open an account: open to all, by an operator's invitation, or closed",
        default=SignUp.OPEN,
    )

    gateway_admin_port: int | None = _env(
        "HEARTHFORGE_GATEWAY_ADMIN_PORT",
        "private port of the federation gateway: health and metrics",
        default=None,
    )

    work_capacity: int = _env(
        "HEARTHFORGE_WORK_CAPACITY",
        "points an account can save up for background work, which are 3 ms of processor time each",
        default=LIMITS["work"]["capacity"],
        ge=1,
    )
    work_refill: float = _env(
        "HEARTHFORGE_WORK_REFILL",
        "points for background work that an account is given a second",
        default=LIMITS["work"]["refillPerSecond"],
        gt=0,
    )
    max_jobs: int = _env(
        "HEARTHFORGE_MAX_JOBS", "single jobs of an account that have not ended", default=200, ge=1
    )
    max_batches: int = _env(
        "HEARTHFORGE_MAX_BATCHES", "batches of an account that have not ended", default=20, ge=1
    )
    max_maps: int = _env("HEARTHFORGE_MAX_MAPS", "maps that an account may keep", default=10_000, ge=1)
    max_stored_bytes: int = _env(
        "HEARTHFORGE_MAX_STORED_BYTES",
        "bytes of maps and files, those of batches included, that an account may keep",
        default=16 * 2**30,
        ge=1,
    )

    introspection: bool = _env(
        "HEARTHFORGE_INTROSPECTION", "whether the gateway answers introspection queries", default=True
    )
    log_level: str = _env("HEARTHFORGE_LOG_LEVEL", "debug, info, warning or error", default="info")
    log_format: Literal["json", "console"] = _env(
        "HEARTHFORGE_LOG_FORMAT", "json for machines, console for people", default="json"
    )
    otlp_endpoint: str | None = _env(
        "OTEL_EXPORTER_OTLP_ENDPOINT", "where OpenTelemetry traces go; unset = no traces", default=None
    )

    @field_validator(
        "database_url_account",
        "database_url_dice",
        "database_url_character",
        "database_url_campaign",
        "database_url_map",
    )
    @classmethod
    def _async_driver(cls, url: str) -> str:
        """Accept the short forms that hosting providers hand out and name the asynchronous driver."""
        for short, full in (
            ("postgres://", "postgresql+asyncpg://"),
            ("postgresql://", "postgresql+asyncpg://"),
            ("sqlite://", "sqlite+aiosqlite://"),
        ):
            if url.startswith(short):
                return full + url.removeprefix(short)
        return url

    def database_url(self, service: ServiceName) -> str:
        """Give the database address of one service."""
        return str(getattr(self, f"database_url_{service}"))

    def service_url(self, service: ServiceName) -> str:
        """Give the private base address of one service, without a trailing slash."""
        return str(getattr(self, f"{service}_url")).rstrip("/")

    @property
    def broker_url(self) -> str:
        """Give the Redis address in Celery's spelling, which calls a unix socket ``redis+socket``."""
        parts = urlsplit(self.redis_url)
        if parts.scheme != "unix":
            return self.redis_url
        database = dict(parse_qsl(parts.query)).get("db", "0")
        return f"redis+socket://{parts.path}?virtual_host={database}"

    @property
    def files_dir(self) -> Path:
        """Give the folder of stored files (maps and other results)."""
        return self.data_dir / "files"


def table() -> str:
    """Render every variable as a Markdown table: name, meaning, default."""
    rows = ["| variable | meaning | default |", "|---|---|---|"]
    for field in Settings.model_fields.values():
        default = (
            "required"
            if field.is_required()
            else f"`{field.default}`"
            if field.default is not None
            else "unset"
        )
        rows.append(f"| `{field.validation_alias}` | {field.description} | {default} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
