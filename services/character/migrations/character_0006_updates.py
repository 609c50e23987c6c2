"""what has changed last in the lists of accounts and campaigns"""

import sqlalchemy as sa
from alembic import op

revision = "character_0006"
down_revision = "character_0005"
branch_labels = None
depends_on = None

# Who sits at which table is told by the campaign service, which tells of all its seats once it is updated.
LISTED = """
INSERT INTO place_update (place, audience, thing, number, gone)
SELECT owner, 'own', id, row_number() OVER (PARTITION BY owner ORDER BY id), false
FROM character WHERE deleted_at IS NULL
"""
COUNTED = """
INSERT INTO sequence (scope, value)
SELECT 'updates:' || place, max(number) FROM place_update GROUP BY place
"""


def upgrade() -> None:
    op.create_table(
        "place_update",
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("audience", sa.String(length=40), nullable=False),
        sa.Column("thing", sa.String(length=40), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("place", "audience", "thing"),
    )
    op.create_index("ix_place_update_number", "place_update", ["place", "audience", "number"], unique=False)
    op.create_index("ix_place_update_thing", "place_update", ["thing"], unique=False)
    op.execute(LISTED)
    op.execute(COUNTED)


def downgrade() -> None:
    op.execute("DELETE FROM sequence WHERE scope LIKE 'updates:%'")
    op.drop_index("ix_place_update_thing", table_name="place_update")
    op.drop_index("ix_place_update_number", table_name="place_update")
    op.drop_table("place_update")
