"""of a deleted character only id, owner, game and version stay"""

import sqlalchemy as sa
from alembic import op

revision = "character_0005"
down_revision = "character_0004"
branch_labels = None
depends_on = None

CHARACTER = sa.table(
    "character",
    sa.column("id", sa.String),
    sa.column("name", sa.String),
    sa.column("choices", sa.JSON),
    sa.column("sheet", sa.JSON),
    sa.column("packs", sa.JSON),
    sa.column("deleted_at", sa.DateTime),
)
OF_CHARACTERS = [
    sa.table(name, sa.column("character", sa.String))
    for name in ("character_version", "pack_use", "scene_change")
]


def upgrade() -> None:
    gone = CHARACTER.c.deleted_at.is_not(None)
    for table in OF_CHARACTERS:
        op.execute(sa.delete(table).where(table.c.character.in_(sa.select(CHARACTER.c.id).where(gone))))
    op.execute(sa.update(CHARACTER).where(gone).values(name="", choices={}, sheet={}, packs=[]))


def downgrade() -> None:
    """What is gone does not come back."""
