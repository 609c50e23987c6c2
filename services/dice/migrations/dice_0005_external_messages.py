"""the messages elsewhere for which bots roll"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0005"
down_revision = "dice_0004"
branch_labels = None
depends_on = None

COLUMNS = (("external_author", 80), ("external_message", 120), ("external_platform", 40))
NAMED = sa.text("external_message IS NOT NULL")


def upgrade() -> None:
    for name, length in COLUMNS:
        op.add_column("roll", sa.Column(name, sa.String(length=length), nullable=True))
    op.create_index("ix_roll_external", "roll", ["place", "external_message"])
    op.create_index(
        "ix_roll_external_account", "roll", ["account"], sqlite_where=NAMED, postgresql_where=NAMED
    )


def downgrade() -> None:
    op.drop_index("ix_roll_external_account", "roll")
    op.drop_index("ix_roll_external", "roll")
    for name, _ in COLUMNS:
        op.drop_column("roll", name)
