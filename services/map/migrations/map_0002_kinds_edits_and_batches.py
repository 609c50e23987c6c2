"""all kinds of maps, their edits, batches"""

import sqlalchemy as sa
from alembic import op

revision = "map_0002"
down_revision = "map_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("whole", sa.String(length=40), nullable=True))
    op.create_index(op.f("ix_job_whole"), "job", ["whole"], unique=False)
    with op.batch_alter_table("map") as table:
        table.alter_column("job", existing_type=sa.String(length=40), nullable=True)
        table.add_column(sa.Column("figures", sa.Text(), nullable=False, server_default="[]"))
        table.add_column(sa.Column("image", sa.String(length=200), nullable=True))
        table.add_column(sa.Column("sharing", sa.String(length=10), nullable=False, server_default="open"))
        table.add_column(sa.Column("state", sa.Text(), nullable=True))
    op.create_table(
        "map_edit",
        sa.Column("map", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("sort", sa.String(length=40), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("model_before", sa.Text(), nullable=True),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["map"], ["map.id"]),
        sa.PrimaryKeyConstraint("map", "version"),
    )
    op.create_table(
        "batch_part",
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("batch", sa.String(length=40), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("job"),
    )
    op.create_index(op.f("ix_batch_part_batch"), "batch_part", ["batch"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_batch_part_batch"), table_name="batch_part")
    op.drop_table("batch_part")
    op.drop_table("map_edit")
    with op.batch_alter_table("map") as table:
        table.drop_column("state")
        table.drop_column("sharing")
        table.drop_column("image")
        table.drop_column("figures")
        table.alter_column("job", existing_type=sa.String(length=40), nullable=False)
    op.drop_index(op.f("ix_job_whole"), table_name="job")
    op.drop_column("job", "whole")
