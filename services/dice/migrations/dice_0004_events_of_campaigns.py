"""up to where the campaign service's events are read"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0004"
down_revision = "dice_0003"
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
