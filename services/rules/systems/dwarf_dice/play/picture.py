"""stub"""

from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.state import Table


def picture(state: Table, catalog: Catalog) -> str:
    """stub"""
    return "<svg/>"
