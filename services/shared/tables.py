"""The tables of every service, found by name: for what looks after all databases and is of no service."""

import importlib
from pathlib import Path

from sqlalchemy import MetaData

from services.shared.settings import ServiceName

PACKAGES: dict[ServiceName, str] = {
    "account": "services.gateway",
    "dice": "services.dice",
    "character": "services.character",
    "campaign": "services.campaign",
    "map": "services.map",
}


def metadata(service: ServiceName) -> MetaData:
    """Return the tables that a service's code expects: the rows of all its features, and the kit's."""
    package = importlib.import_module(PACKAGES[service])
    folder = Path(str(package.__file__)).parent
    for rows in sorted(folder.glob("*/models.py")):
        importlib.import_module(f"{package.__name__}.{rows.parent.name}.models")
    tables = "tables" if (folder / "tables.py").is_file() else "models"
    found = importlib.import_module(f"{package.__name__}.{tables}").METADATA
    assert isinstance(found, MetaData)
    return found
