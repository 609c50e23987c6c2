"""read positions"""

import sqlalchemy as sa
from alembic import op

revision = "character_0002"
down_revision = "character_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "consumer_cursor",
        sa.Column("producer", sa.String(length=40), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("producer"),
    )


def downgrade() -> None:
    op.drop_table("consumer_cursor")
