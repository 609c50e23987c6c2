"""what has changed last in the lists of campaigns and accounts"""

import sqlalchemy as sa
from alembic import op

revision = "map_0007"
down_revision = "map_0006"
branch_labels = None
depends_on = None

# One number for each map in its list, whoever has it there.
LISTED = """
WITH listed AS (
    SELECT id, owner, campaign, sharing, coalesce(campaign, owner) AS place,
        row_number() OVER (PARTITION BY coalesce(campaign, owner) ORDER BY id) AS number
    FROM map
)
INSERT INTO place_update (place, audience, thing, number, gone)
SELECT place, 'own', id, number, false FROM listed WHERE campaign IS NULL
UNION ALL SELECT place, 'gms', id, number, false FROM listed WHERE campaign IS NOT NULL
UNION ALL SELECT place, owner, id, number, false FROM listed WHERE campaign IS NOT NULL
UNION ALL SELECT place, 'table', id, number, false FROM listed
    WHERE campaign IS NOT NULL AND sharing <> 'hidden'
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
