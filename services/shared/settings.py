"""The settings of each process, read from its environment once, at its composition root.

A process reads a class of its own and is given no other process's secrets: ``PROCESSES`` names them all, and
``infra/up`` hands each the variables of its class alone. ``python -m services.shared.settings`` prints the
table of the variables that the README shows.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.shared.limits.purses import LIMITS
from services.shared.quotas import MAX_CAMPAIGNS, MAX_CHARACTERS, MAX_PACKS, MAX_SEATS
from services.shared.setting_types import DatabaseUrl, PrivateKey, PublicKeys, StorageUrl

ServiceName = Literal["account", "dice", "character", "campaign", "map"]
SERVICES: tuple[ServiceName, ...] = ("account", "dice", "character", "campaign", "map")


class SignUp(StrEnum):
    """Who may open an account over HTTP; ``infra/key`` opens one under each."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


# Variables that several processes read


def _env(name: str, description: str, **kwargs: Any) -> Any:
    return Field(validation_alias=name, description=description, **kwargs)


def _address_of(service: str) -> str:
    return f"private address of the {service}; those of its replicas are separated by commas"


_data_dir = partial(_env, "HEARTHFORGE_DATA_DIR", "folder of stored files")
_private = partial(
    _env,
    "HEARTHFORGE_PRIVATE_KEY",
    "the process's own Ed25519 key, PKCS #8 in base64; another one for each process",
    repr=False,
)
_key_pepper = partial(
    _env,
    "HEARTHFORGE_KEY_PEPPER",
    "key under which API keys are hashed, 32 bytes or more",
    min_length=32,
    repr=False,
)
_dice_secret = partial(
    _env,
    "HEARTHFORGE_DICE_SECRET",
    "key under which seeds of rolls and signing keys are sealed, 32 bytes or more",
    min_length=32,
    repr=False,
)
_redis_url = partial(
    _env, "REDIS_URL", "Valkey or Redis: redis://host:port/0 or unix:///path?db=0", repr=False
)
_database_account = partial(_env, "DATABASE_URL_ACCOUNT", "database of accounts and keys", repr=False)
_database_dice = partial(_env, "DATABASE_URL_DICE", "database of the dice service", repr=False)
_database_character = partial(_env, "DATABASE_URL_CHARACTER", "database of the character service", repr=False)
_database_campaign = partial(_env, "DATABASE_URL_CAMPAIGN", "database of the campaign service", repr=False)
_database_map = partial(_env, "DATABASE_URL_MAP", "database of the map service", repr=False)
_account_url = partial(_env, "HEARTHFORGE_ACCOUNT_URL", _address_of("account app"))
_dice_url = partial(_env, "HEARTHFORGE_DICE_URL", _address_of("dice service"))
_character_url = partial(_env, "HEARTHFORGE_CHARACTER_URL", _address_of("character service"))
_campaign_url = partial(_env, "HEARTHFORGE_CAMPAIGN_URL", _address_of("campaign service"))
_map_url = partial(_env, "HEARTHFORGE_MAP_URL", _address_of("map service"))
_public_url = partial(
    _env, "HEARTHFORGE_PUBLIC_URL", "address that clients use", default="http://127.0.0.1:4000"
)
_admin_port = partial(
    _env, "HEARTHFORGE_GATEWAY_ADMIN_PORT", "private port of the gateway: health and metrics"
)
_log_level = partial(_env, "HEARTHFORGE_LOG_LEVEL", "debug, info, warning or error", default="info")
_log_format = partial(_env, "HEARTHFORGE_LOG_FORMAT", "json for machines, console for people", default="json")
_log_share = partial(
    _env,
    "HEARTHFORGE_LOG_SHARE",
    "share of the requests that succeed within a second, 0 to 1, whose lines are logged; all others are",
    default=1.0,
    ge=0,
    le=1,
)


# Processes


class ProcessSettings(BaseSettings):
    """What every Python process reads."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    log_level: str = _log_level()
    log_format: Literal["json", "console"] = _log_format()
    otlp_endpoint: str | None = _env(
        "OTEL_EXPORTER_OTLP_ENDPOINT", "where OpenTelemetry traces go; unset = no traces", default=None
    )

    def database_url(self, service: ServiceName) -> str:
        """Give the database address of one service.

        Raises:
            LookupError: this process reads none, or it is not set.
        """
        found: str | None = getattr(self, f"database_url_{service}", None)
        if found is None:
            raise LookupError(f"DATABASE_URL_{service.upper()} is not set")
        return found

    def service_url(self, service: ServiceName) -> str:
        """Return the private base address of one service that this process calls; those of its replicas are
        separated by commas.
        """
        return str(getattr(self, f"{service}_url"))


class BrokerSettings(ProcessSettings):
    """What every process reads that knows the broker."""

    redis_url: str = _redis_url()

    @property
    def broker_url(self) -> str:
        """Give the Redis address in Celery's spelling, which calls a unix socket ``redis+socket``."""
        parts = urlsplit(self.redis_url)
        if parts.scheme != "unix":
            return self.redis_url
        database = dict(parse_qsl(parts.query)).get("db", "0")
        return f"redis+socket://{parts.path}?virtual_host={database}"


class BudgetSettings(ProcessSettings):
    """What every process reads that charges for background work."""

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


class ServiceSettings(BrokerSettings, BudgetSettings):
    """What every process reads that answers over HTTP."""

    private_key: PrivateKey = _private()
    public_keys: PublicKeys = _env(
        "HEARTHFORGE_PUBLIC_KEYS",
        "public keys of all processes that sign: a JSON object from names to one key, or to a list of two",
    )
    log_share: float = _log_share()


BUCKET_KEY = ("access_key_id", "secret_access_key", "session_token")
"""The fields of a bucket's key."""


class FileSettings(ProcessSettings):
    """What every process reads that keeps files."""

    data_dir: Path = _data_dir()
    storage_url: StorageUrl = _env(
        "HEARTHFORGE_STORAGE_URL",
        "bucket of stored files, s3://name/prefix?endpoint=https://...&region=...&public=https://...; "
        "unset = in the data folder",
        default=None,
    )
    access_key_id: str | None = _env("AWS_ACCESS_KEY_ID", "key of that bucket", default=None)
    secret_access_key: str | None = _env(
        "AWS_SECRET_ACCESS_KEY", "secret of that key", default=None, repr=False
    )
    session_token: str | None = _env(
        "AWS_SESSION_TOKEN", "token of that key where it lasts for a time", default=None, repr=False
    )

    @property
    def files_dir(self) -> Path:
        """Return the folder of stored files (maps, portraits and other results) where no bucket is named."""
        return self.data_dir / "files"

    @property
    def storage_credentials(self) -> dict[str, str]:
        """Return what is set of the bucket's key, by the names of its fields."""
        return {name: value for name in BUCKET_KEY if (value := getattr(self, name))}


class QuotaSettings(ProcessSettings):
    """What an account may have of maps and jobs."""

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


class AccountSettings(ServiceSettings, FileSettings):
    """The account app: accounts, the REST face, pages."""

    database_url_account: DatabaseUrl = _database_account()
    key_pepper: str = _key_pepper()
    dice_url: str = _dice_url()
    character_url: str = _character_url()
    campaign_url: str = _campaign_url()
    map_url: str = _map_url()
    public_url: str = _public_url()
    sign_up: SignUp = _env(
        "HEARTHFORGE_SIGN_UP",
        "who may open an account: open to all, by an operator's invitation, or closed",
        default=SignUp.OPEN,
    )
    gateway_admin_port: int | None = _admin_port(default=None)


class DiceSettings(ServiceSettings):
    """The dice service."""

    database_url_dice: DatabaseUrl = _database_dice()
    dice_secret: str = _dice_secret()
    character_url: str = _character_url()
    campaign_url: str = _campaign_url()


class CharacterQuotaSettings(ProcessSettings):
    """What an account may have of characters and packs."""

    max_characters: int = _env(
        "HEARTHFORGE_MAX_CHARACTERS", "characters that an account may have", default=MAX_CHARACTERS, ge=1
    )
    max_packs: int = _env(
        "HEARTHFORGE_MAX_PACKS", "content packs that an account may have", default=MAX_PACKS, ge=1
    )


class TableQuotaSettings(ProcessSettings):
    """What an account may have of campaigns and seats."""

    max_campaigns: int = _env(
        "HEARTHFORGE_MAX_CAMPAIGNS",
        "campaigns that an account may be a member of, founded or joined",
        default=MAX_CAMPAIGNS,
        ge=1,
    )
    max_seats: int = _env(
        "HEARTHFORGE_MAX_SEATS",
        "characters of an account that may sit at tables",
        default=MAX_SEATS,
        ge=1,
    )


class CharacterSettings(ServiceSettings, FileSettings, CharacterQuotaSettings):
    """The character service."""

    database_url_character: DatabaseUrl = _database_character()
    campaign_url: str = _campaign_url()
    dice_url: str = _dice_url()
    public_url: str = _public_url()


class CampaignSettings(ServiceSettings, TableQuotaSettings):
    """The campaign service."""

    database_url_campaign: DatabaseUrl = _database_campaign()
    account_url: str = _account_url()
    dice_url: str = _dice_url()
    character_url: str = _character_url()
    map_url: str = _map_url()
    public_url: str = _public_url()


class MapSettings(ServiceSettings, FileSettings, QuotaSettings):
    """The map service."""

    database_url_map: DatabaseUrl = _database_map()
    campaign_url: str = _campaign_url()
    character_url: str = _character_url()
    public_url: str = _public_url()


class WorkerSettings(BrokerSettings, BudgetSettings, FileSettings, QuotaSettings):
    """A worker, which makes maps, plays simulations and calls nobody."""

    database_url_map: DatabaseUrl = _database_map()
    database_url_campaign: DatabaseUrl = _database_campaign()
    map_workers: int = _env(
        "HEARTHFORGE_MAP_WORKERS", "maps, and parts of batches, that are made at once", default=1, ge=1
    )
    simulation_workers: int = _env(
        "HEARTHFORGE_SIMULATION_WORKERS", "simulations that are played at once", default=1, ge=1
    )


class DatabaseSettings(ProcessSettings):
    """What every process reads that looks through all databases."""

    database_url_account: DatabaseUrl = _database_account()
    database_url_dice: DatabaseUrl = _database_dice()
    database_url_character: DatabaseUrl = _database_character()
    database_url_campaign: DatabaseUrl = _database_campaign()
    database_url_map: DatabaseUrl = _database_map()


class SweeperSettings(BrokerSettings, FileSettings, DatabaseSettings):
    """The sweeper, which looks for work that was forgotten and for what has outlived its time."""


class BackupSettings(FileSettings, DatabaseSettings):
    """``infra/backup``, which keeps the secrets with what is hashed and sealed under them."""

    key_pepper: str = _key_pepper()
    dice_secret: str = _dice_secret()


class MigrationSettings(ProcessSettings):
    """The migrations: a database that is not to be migrated need not be named."""

    database_url_account: DatabaseUrl | None = _database_account(default=None)
    database_url_dice: DatabaseUrl | None = _database_dice(default=None)
    database_url_character: DatabaseUrl | None = _database_character(default=None)
    database_url_campaign: DatabaseUrl | None = _database_campaign(default=None)
    database_url_map: DatabaseUrl | None = _database_map(default=None)


class KeyDeskSettings(ProcessSettings):
    """``infra/key``: API keys and invitations from the command line."""

    database_url_account: DatabaseUrl = _database_account()
    key_pepper: str = _key_pepper()


class SealSettings(ProcessSettings):
    """The command that makes a new signing key of rolls."""

    database_url_dice: DatabaseUrl = _database_dice()
    dice_secret: str = _dice_secret()


class GatewaySettings(BaseSettings):
    """The federation gateway, which is written in JavaScript and reads these by itself (``config.mjs``)."""

    private_key: PrivateKey = _private()
    redis_url: str | None = _redis_url(default=None)
    account_url: str = _account_url()
    dice_url: str = _dice_url()
    character_url: str = _character_url()
    campaign_url: str = _campaign_url()
    map_url: str = _map_url()
    public_url: str = _public_url()
    admin_port: int = _admin_port(default=4001)
    admin_host: str = _env(
        "HEARTHFORGE_GATEWAY_ADMIN_HOST",
        "where that port listens; an address that only probes and Prometheus reach",
        default="127.0.0.1",
    )
    host: str = _env("HEARTHFORGE_HOST", "where the gateway listens", default="127.0.0.1")
    port: int = _env("HEARTHFORGE_PORT", "the port that it listens on", default=4000)
    schema_dir: str = _env("HEARTHFORGE_SCHEMA_DIR", "where the subgraphs' SDL lies", default="schema")
    trusted_proxy_hops: int = _env(
        "HEARTHFORGE_TRUSTED_PROXY_HOPS", "how many entries of X-Forwarded-For to believe", default=0
    )
    subgraph_connections: int = _env(
        "HEARTHFORGE_SUBGRAPH_CONNECTIONS", "the most requests to one service at once", default=256
    )
    subgraph_streams: int = _env(
        "HEARTHFORGE_SUBGRAPH_STREAMS", "the most streams from one service at once", default=2000
    )
    ping_seconds: int = _env(
        "HEARTHFORGE_PING_SECONDS", "how often sockets are asked whether they live", default=10
    )
    unsent_seconds: int = _env(
        "HEARTHFORGE_UNSENT_SECONDS",
        "how long a stream's client may take nothing of what is sent",
        default=LIMITS["unsentSeconds"],
    )
    introspection: bool = _env(
        "HEARTHFORGE_INTROSPECTION", "whether the gateway answers introspection queries", default=True
    )
    log_level: str = _log_level()
    log_format: Literal["json", "console"] = _log_format()
    log_share: float = _log_share()


class Settings(
    AccountSettings,
    DiceSettings,
    CharacterSettings,
    CampaignSettings,
    MapSettings,
    WorkerSettings,
    SweeperSettings,
):
    """All of it at once, for tests that run several services in one process; no process reads this."""

    account_url: str = _account_url()


PROCESSES: Mapping[str, type[BaseSettings]] = {
    "account": AccountSettings,
    "dice": DiceSettings,
    "character": CharacterSettings,
    "campaign": CampaignSettings,
    "map": MapSettings,
    "gateway": GatewaySettings,
    "worker": WorkerSettings,
    "player": WorkerSettings,
    "sweeper": SweeperSettings,
    "migrate": MigrationSettings,
    "key": KeyDeskSettings,
    "backup": BackupSettings,
}
"""What each process reads, by its name in the table of processes."""


STORAGE_VARIABLES = tuple(
    str(field.validation_alias)
    for name, field in FileSettings.model_fields.items()
    if name in ("storage_url", *BUCKET_KEY)
)
"""The variables that name a bucket of stored files, and its key."""


def variables(process: str) -> frozenset[str]:
    """Give the names of the variables that a process reads; none for one that is not ours."""
    found = PROCESSES.get(process)
    return frozenset(
        str(field.validation_alias) for field in (found.model_fields.values() if found is not None else ())
    )


def secret_variables(process: str) -> frozenset[str]:
    """Return the names of a process's variables that belong in no manifest.

    Those are the variables that are not shown in printed settings, and the table of public keys, which is
    made together with the private ones.
    """
    found = PROCESSES.get(process)
    return frozenset(
        str(field.validation_alias)
        for name, field in (found.model_fields.items() if found is not None else ())
        if not field.repr or name == "public_keys"
    )


def required_variables(process: str) -> frozenset[str]:
    """Return the names of the variables without which a process does not start."""
    fields = PROCESSES[process].model_fields.values()
    return frozenset(str(field.validation_alias) for field in fields if field.is_required())


EVERY_VARIABLE = frozenset().union(*map(variables, PROCESSES))


def table() -> str:
    """Render every variable as a Markdown table: name, meaning, default, who reads it."""
    rows = ["| variable | meaning | default | read by |", "|---|---|---|---|"]
    fields: dict[str, FieldInfo] = {}
    for settings in PROCESSES.values():
        for field in settings.model_fields.values():
            fields.setdefault(str(field.validation_alias), field)
    for name, field in fields.items():
        default = (
            "required"
            if field.is_required()
            else f"`{field.default}`"
            if field.default is not None
            else "unset"
        )
        rows.append(f"| `{name}` | {field.description} | {default} | {_readers(name)} |")
    return "\n".join(rows)


def _readers(variable: str) -> str:
    readers = [process for process in PROCESSES if variable in variables(process)]
    groups: Sequence[tuple[str, Sequence[str]]] = (("all", tuple(PROCESSES)), ("all services", SERVICES))
    for name, members in groups:
        if set(members) <= set(readers):
            readers = [name, *(reader for reader in readers if reader not in members)]
    return ", ".join(readers)


if __name__ == "__main__":
    print(table())
