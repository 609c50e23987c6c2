"""what apps keep beside things"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0006"
down_revision = "dice_0005"
branch_labels = None
depends_on = None

APP_ALONE = sa.text("reader <> ''")


def upgrade() -> None:
    op.create_table(
        "metadata_bag",
        sa.Column("thing", sa.String(length=40), nullable=False),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.Column("reader", sa.String(length=40), nullable=False),
        sa.Column("namespace", sa.String(length=100), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("thing", "part", "reader", "namespace"),
    )
    op.create_index(
        "ix_metadata_bag_reader",
        "metadata_bag",
        ["reader"],
        sqlite_where=APP_ALONE,
        postgresql_where=APP_ALONE,
    )


def downgrade() -> None:
    op.drop_table("metadata_bag")
