"""scenes"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0002"
down_revision = "campaign_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "scene",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("campaign", sa.String(length=40), nullable=False),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("started_by", sa.String(length=40), nullable=False),
        sa.Column("cast", sa.JSON(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("secret_seq", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("opening", sa.JSON(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("pending", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_scene_campaign", "scene", ["campaign", "id"], unique=False)
    op.create_table(
        "scene_move",
        sa.Column("scene", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("secret_seq", sa.Integer(), nullable=True),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("known_to", sa.JSON(), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("by_gm", sa.Boolean(), nullable=False),
        sa.Column("move", sa.JSON(), nullable=True),
        sa.Column("rolls", sa.JSON(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["scene"],
            ["scene.id"],
        ),
        sa.PrimaryKeyConstraint("scene", "number"),
        sa.UniqueConstraint("scene", "seq"),
    )
    op.create_index("ix_scene_move_since", "scene_move", ["scene", "since", "number"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_scene_move_since", table_name="scene_move")
    op.drop_table("scene_move")
    op.drop_index("ix_scene_campaign", table_name="scene")
    op.drop_table("scene")
