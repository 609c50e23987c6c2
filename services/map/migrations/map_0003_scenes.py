"""maps that scenes lead"""

import sqlalchemy as sa
from alembic import op

revision = "map_0003"
down_revision = "map_0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "consumer_cursor",
        sa.Column("producer", sa.String(length=40), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("producer"),
    )
    op.add_column("map", sa.Column("scene", sa.String(length=40), nullable=True))
    with op.batch_alter_table("map_edit") as table:
        table.alter_column("account", existing_type=sa.String(length=40), nullable=True)
        table.add_column(sa.Column("scene", sa.String(length=40), nullable=True))
    op.create_table(
        "scene_board",
        sa.Column("scene", sa.String(length=40), nullable=False),
        sa.Column("map", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["map"], ["map.id"]),
        sa.PrimaryKeyConstraint("scene"),
    )


def downgrade() -> None:
    op.drop_table("scene_board")
    op.execute("UPDATE map_edit SET account = '' WHERE account IS NULL")
    with op.batch_alter_table("map_edit") as table:
        table.drop_column("scene")
        table.alter_column("account", existing_type=sa.String(length=40), nullable=False)
    # Not as a batch, which makes the table anew: others refer to it.
    op.drop_column("map", "scene")
    op.drop_table("consumer_cursor")
