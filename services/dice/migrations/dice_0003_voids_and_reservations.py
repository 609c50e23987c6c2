"""Voids are rolls; rolls of many draws keep what is told of them, and reserve their numbers"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0003"
down_revision = "dice_0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("roll", sa.Column("void", sa.String(length=40), nullable=True))
    op.add_column("roll", sa.Column("told", sa.LargeBinary(), nullable=True))
    op.create_table(
        "reservation",
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("batch", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("rolls", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("place"),
    )
    op.create_index("ix_reservation_lease_until", "reservation", ["lease_until"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_reservation_lease_until", table_name="reservation")
    op.drop_table("reservation")
    op.drop_column("roll", "told")
    op.drop_column("roll", "void")
